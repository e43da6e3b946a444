"""Accepted split patterns: names and regular expressions, compiled or not. No name is misread."""

import json
import re
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import get_args

import pytest
import regex
from tokenizer_files import opened, tiktoken_file
from tokenizers import Tokenizer, models, pre_tokenizers

import tokviz
from tokviz import formats
from tokviz.app.answers.visitors import share_codes
from tokviz.app.shields.processes.training_recipes import Recipe
from tokviz.lesson import links
from tokviz.pretokens import splitting
from tokviz.pretrained import OpenAIName, open_models

TEXT = "It's GPT2's 12345 wordsWords\n\n gpt2  hello"
BYTES = tiktoken_file([(bytes([value]), value) for value in range(256)])

# Every function of the package that takes a split pattern; each returns the pre-tokens of TEXT.
FUNCTIONS: dict[str, Callable[[splitting.SplitPattern], list[str]]] = {
    "train": lambda pattern: tokviz.train(TEXT, num_merges=1, split_pattern=pattern).pretokens(TEXT),
    "BPETokenizer": lambda pattern: tokviz.BPETokenizer(
        "bytes", {value: bytes([value]) for value in range(256)}, split_pattern=pattern
    ).pretokens(TEXT),
    "with_split_pattern": lambda pattern: tokviz.load("gpt2").with_split_pattern(pattern).pretokens(TEXT),
    "WordTokenizer": lambda pattern: tokviz.WordTokenizer([], pattern).pretokens(TEXT),
    "WordTokenizer.from_text": lambda pattern: tokviz.WordTokenizer.from_text(TEXT, pattern).pretokens(TEXT),
    "read": lambda pattern: formats.read(BYTES, pattern).pretokens(TEXT),
}


@pytest.fixture(params=FUNCTIONS)
def cut(request: pytest.FixtureRequest) -> Callable[[splitting.SplitPattern], list[str]]:
    return FUNCTIONS[request.param]


@pytest.mark.parametrize("name", [*get_args(OpenAIName), "gpt-4o", "gpt-3.5-turbo", "gpt-5-mini", "ada", "GPT-4o"])
def test_a_name_that_load_knows_means_the_pattern_of_that_tokenizer(
    name: str, cut: Callable[[splitting.SplitPattern], list[str]]
) -> None:
    assert cut(name) == tokviz.load(name).pretokens(TEXT)


@pytest.mark.parametrize(
    ("word", "nearest"),
    [("gtp2", "'gpt2'"), ("o200k_bas", "'o200k_base'"), ("GPT-4p", "'gpt-4o'"), ("word", "'words'"), ("llama3", "")],
)
def test_an_unknown_word_raises_with_the_closest_names(
    word: str, nearest: str, cut: Callable[[splitting.SplitPattern], list[str]]
) -> None:
    with pytest.raises(ValueError, match=re.escape(f"no split pattern called {word!r}")) as raised:
        cut(word)
    suggested = re.search(r"Did you mean (.*)\?", str(raised.value))
    assert nearest in (suggested[1] if suggested else "") and bool(suggested) == bool(nearest)


@pytest.mark.parametrize("name", ["qwen3", "Qwen3", "Qwen/Qwen3-8B"])
def test_the_name_of_an_open_model_means_the_pattern_in_its_file(
    name: str, cut: Callable[[splitting.SplitPattern], list[str]]
) -> None:
    steps = json.loads(open_models.read("qwen3"))["pre_tokenizer"]["pretokenizers"]
    [published] = [step["pattern"]["Regex"] for step in steps if step["type"] == "Split"]
    assert splitting.resolve(name) == published
    assert cut(name) == tokviz.load("qwen3").pretokens(TEXT)


@pytest.mark.parametrize("name", ["deepseek", "mistral-7b", "BERT"])
def test_a_tokenizer_without_one_pattern_gives_none(name: str) -> None:
    with pytest.raises(ValueError, match=r" does not cut texts by one split pattern: give "):
        splitting.resolve(name)


@pytest.mark.parametrize("word", ["a", "é", "中", "Llama 3.1", "Owen/Owen3-8B", "gpt-3.6_turbo", "12"])
def test_words_of_every_shape_raise(word: str) -> None:
    with pytest.raises(ValueError, match="no split pattern called"):
        splitting.resolve(word)


@pytest.mark.parametrize("pattern", [".", "b ", " ", "-", "a|b", r"\w", "a+", "(?:gtp2)", "'s", "[ab]", "中+", "\n"])
def test_anything_but_a_word_is_a_regular_expression(pattern: str) -> None:
    assert splitting.resolve(pattern) == pattern


@pytest.mark.parametrize(
    "pattern",
    [
        re.compile("gpt2"),
        regex.compile("gpt2"),
        re.compile("hello"),
        re.compile("WORDS", re.I),
        re.compile("a\nb", re.X),
    ],
)
def test_compiled_patterns_are_never_names(
    pattern: re.Pattern[str], cut: Callable[[splitting.SplitPattern], list[str]]
) -> None:
    pieces = []
    end = 0
    for match in [*pattern.finditer(TEXT), None]:
        start = match.start() if match else len(TEXT)
        pieces += [TEXT[end:start]] if end < start else []
        if match:
            pieces.append(match.group())
            end = match.end()
    assert cut(pattern) == pieces


def test_flags_of_compiled_patterns_are_kept() -> None:
    for flags in (re.I, re.S, re.M, re.A, re.I | re.S, re.X):
        for text in ("a.B", "(?i)a.b", r"\w  b$"):
            compiled = re.compile(text, flags)
            resolved = regex.compile(splitting.resolve(compiled) or "")
            for sample in ("a\nb", "A.B", "éb\n", "é  b", "a.B"):
                assert bool(resolved.search(sample)) == bool(compiled.search(sample)), (text, flags, sample)


def test_split_patterns_of_the_wrong_type() -> None:
    for wrong in (b"a", re.compile(b"a"), 5, ["a"]):
        with pytest.raises(TypeError, match="split_pattern must be"):
            splitting.resolve(wrong)  # type: ignore[arg-type]


def test_a_tokenizers_own_pattern_can_be_passed_back() -> None:
    tok = tokviz.train(TEXT, num_merges=1, split_pattern=re.compile("hello"))
    assert tok.with_split_pattern(tok.split_pattern).pretokens(TEXT) == tok.pretokens(TEXT)
    for name in ("some.tiktoken", "vocab.bpe", "tokenizer.json", "some.model"):
        written = formats.write(tok, name)
        back = formats.read(written.files, **written.left_out)
        assert back.pretokens(TEXT) == tok.pretokens(TEXT)
        assert back.cut(0).pretokens(TEXT) == tok.pretokens(TEXT)


@pytest.mark.parametrize("word", ["words", "gpt2", "hello", "gtp2"])
def test_words_in_a_files_pattern_are_not_names(word: str) -> None:
    alphabet = {char: number for number, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    library = Tokenizer(models.BPE(vocab=alphabet, merges=[]))
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    library.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(word, "isolated"), byte_level])
    expected = [TEXT[start:end] for _, (start, end) in library.pre_tokenizer.pre_tokenize_str(TEXT)]
    assert opened(library).pretokens(TEXT) == expected
    minbpe = formats.read({"some.model": f"minbpe v1\n{word}\n0\n".encode()})
    assert minbpe.pretokens(TEXT) == [piece for piece in regex.split(f"({word})", TEXT) if piece]


@pytest.mark.parametrize("word", ["hello", "o200k_base", "gtp2"])
def test_links_from_before_words_were_names_still_open(word: str) -> None:
    """In these links, a word was a regular expression that matches itself."""
    origin = share_codes.Origin("mine", replace(Recipe(300), split_pattern=word), texts=(f"say {word} again",))
    code = links.pack(json.dumps(asdict(origin)))
    recipe = share_codes.read(code).recipe
    assert isinstance(recipe, Recipe)
    tok = tokviz.train("some text", num_merges=0, split_pattern=recipe.split_pattern)
    assert tok.pretokens(f"say {word} again") == ["say ", word, " again"]


@pytest.mark.parametrize("name", [*splitting.PATTERNS, None])
def test_pattern_names_survive_in_links(name: str | None) -> None:
    code = share_codes.write(share_codes.Origin("mine", replace(Recipe(300), split_pattern=name), texts=("abc",)))
    recipe = share_codes.read(code).recipe
    assert isinstance(recipe, Recipe) and recipe.split_pattern == name


def test_load_suggests_the_closest_names_and_files() -> None:
    with pytest.raises(ValueError, match=r"Did you mean 'gpt2'.*tokviz\.open"):
        tokviz.load("gtp2")
    with pytest.raises(ValueError, match=r"'falcon3' here\. The tokenizers are .*tokviz\.open\('tokenizer\.json'\)"):
        tokviz.load("falcon3")
