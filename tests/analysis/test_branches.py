"""Branches of split patterns that cut the pre-tokens of other libraries' tokenizers."""

import pytest
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model

import tokviz
from tokviz.analysis.branches import (
    BETWEEN,
    NO_BRANCH,
    NOT_CUT,
    branch_columns,
    cutting_of,
    labels,
    pretoken_branches,
)
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer


def cut_as(tokenizer: Tokenizer, text: str) -> list[tuple[str, str | None]]:
    names = labels(tokenizer)
    found = pretoken_branches(tokenizer, text)
    return [(piece, None if branch == NO_BRANCH else names[branch]) for piece, branch in found]


def test_branches_of_published_patterns_have_names() -> None:
    assert cut_as(tokviz.load("qwen3"), "It's 12!\n") == [
        ("It", "letters"),
        ("'s", "'s, 't, 're and such"),
        (" ", "white space"),
        ("1", "number"),
        ("2", "number"),
        ("!\n", "neither letters nor numbers"),
    ]
    assert cut_as(tokviz.load("deepseek"), "(a1234你")[:3] == [
        ("(a", "symbol and letters"),
        ("123", "numbers"),
        ("4", "numbers"),
    ]


def test_pieces_that_no_pattern_cuts_say_so() -> None:
    assert cut_as(tokviz.load("mistral-7b"), "a b") == [("a b", NOT_CUT)]
    assert [label for _, label in cut_as(tokviz.load("bert-base-uncased"), "a b!")] == [
        "a word, or one punctuation mark; white space around it is dropped"
    ] * 3


def test_where_normalizing_changes_the_cut_no_branch_is_claimed() -> None:
    qwen = tokviz.load("qwen3")
    for text in ("e\u0301a", "a \u212b 12"):
        for piece, label in cut_as(qwen, text):
            assert label is not None
            assert label != BETWEEN or piece


@pytest.mark.parametrize("name", [*FAMILIES, "sentencepiece"])
def test_there_is_a_branch_for_each_pretoken_and_pieces_tile_the_text(name: str) -> None:
    tok = (
        SentencePieceTokenizer("sp", sentencepiece_model())
        if name == "sentencepiece"
        else HuggingFaceTokenizer(name, family(name))
    )
    for text in nasty_texts(150):
        for allowed in ((), tok.special_tokens):
            lengths, branches = branch_columns(tok, text, allowed)
            tokenization = tok.tokenize(text, allowed)
            assert len(branches) == len(set(tokenization.pretoken_index.tolist()))
            assert len(tokenization) == 0 or lengths.sum() == len(repair(text)[0].encode())
            assert all(branch == NO_BRANCH or branch < len(labels(tok)) for branch in branches.tolist())


def test_what_cuts_a_text_is_a_split_pattern_only_before_merges() -> None:
    """BERT cuts by rules and merges nothing; a SentencePiece file cuts nothing."""
    names = {"gpt2": "pattern", "qwen3": "pattern", "deepseek": "pattern", "bert-base-uncased": "rules"}
    for name, expected in names.items():
        assert cutting_of(tokviz.load(name)) == expected
    assert cutting_of(SentencePieceTokenizer("sp", sentencepiece_model())) == ""
    assert cutting_of(tokviz.train("low low", num_merges=1, split_pattern=None)) == ""
    assert cutting_of(tokviz.WordTokenizer.from_text("low")) == "rules"
    assert cutting_of(tokviz.ByteTokenizer()) == ""


def test_which_tokenizers_leave_white_space_out_of_words() -> None:
    """BERT's and CLIP's do, as their files say; byte-level ones and those that write it as `▁` don't."""
    found = {name for name in FAMILIES if HuggingFaceTokenizer(name, family(name)).drops_spaces}
    assert found == {"bert", "bert with accents", "clip", "words"}
    assert not any(tokviz.load(name).drops_spaces for name in ("gpt2", "qwen3", "mistral-7b"))
    assert tokviz.load("bert").drops_spaces
