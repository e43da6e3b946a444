"""Callers ask a tokenizer what it has or can do, and hardly ever which class it is of."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from sources import parse

import tokviz
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.capabilities import Capabilities

MODULES = sorted((Path(__file__).parent.parent / "tokviz").rglob("*.py"))


def subclasses_of(cls: type) -> Iterator[type]:
    found: list[type] = type.__subclasses__(cls)
    for each in found:
        yield each
        yield from subclasses_of(each)


def calls(*functions: str) -> Iterator[tuple[Path, ast.Call]]:
    for module in MODULES:
        for node in ast.walk(parse(module)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
                yield module, node


def test_few_callers_ask_for_a_class_of_tokenizers() -> None:
    from tokviz.app.shields.processes.guarded import GuardedTokenizer  # with it, all classes are loaded

    assert issubclass(GuardedTokenizer, Tokenizer)
    classes = {each.__name__ for each in subclasses_of(Tokenizer)}
    assert {"BPETokenizer", "HuggingFaceTokenizer", "WordTokenizer", "GuardedTokenizer"} <= classes
    asking = [
        f"{module}:{call.lineno}"
        for module, call in calls("isinstance", "issubclass")
        if any(isinstance(part, ast.Name) and part.id in classes for part in ast.walk(call.args[1]))
    ]
    assert len(asking) <= 40, asking


def test_nobody_probes_a_tokenizer_for_an_attribute() -> None:
    """Every tokenizer has the attribute, with a neutral value, so that a wrong name is an error."""
    names = {name for name in {**vars(Capabilities), **vars(Tokenizer)} if not name.startswith("_")}
    assert {"unknown", "algorithm", "byte_ids", "marks", "tree"} <= names
    probes = [
        f"{module}:{call.lineno}"
        for module, call in calls("getattr", "hasattr")
        if isinstance(call.args[1], ast.Constant)
        and call.args[1].value in names
        and "token" in ast.unparse(call.args[0])
    ]
    assert probes == []


@pytest.mark.parametrize("name", ["gpt2", "bert-base-uncased", "mistral-7b", "words", "bytes"])
def test_every_kind_of_tokenizer_tells_the_stages_of_a_text(name: str) -> None:
    """The last but one is what the model makes of the pre-tokens, so its pieces are as many as `encode` gives ids."""
    own = {"words": tokviz.WordTokenizer(["low"]), "bytes": tokviz.ByteTokenizer()}
    tokenizer = own.get(name) or tokviz.load(name)
    stages = {stage.name: stage for stage in tokenizer.stages("low löwer")}
    assert len(stages["tokens"].pieces) == len(tokenizer.encode("low löwer"))
    assert ("pre-tokens" in stages) == (bool(tokenizer.split_patterns) or tokenizer.cutting_steps is not None)


def test_a_tokenizer_that_merges_nothing_answers_all_the_same() -> None:
    tokenizer = tokviz.WordTokenizer(["low"])
    assert (tokenizer.algorithm, tokenizer.unknown, tokenizer.training, tokenizer.num_merges) == (None, None, None, 0)
    assert tokenizer.byte_ids == frozenset() and tokenizer.marks == ("", "") and not tokenizer.merges_pieces
    assert tokenizer.tree(0).bytes == b"low" and tokenizer.tree(0).left is None
    assert tokenizer.merge_alone(0) == (0,) and tokenizer.parents(0) == () and tokenizer.rank(0) is None
    with pytest.raises(ValueError, match="not in use"):
        tokenizer.tree(7)
