"""Steps named for changing a part of a text, against Unicode's own tables."""

import unicodedata

import pytest
from engine_files import family, nasty_texts, sentencepiece_model

import tokviz
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.tokenizers.engines.stages import READS_MARK

WORDS = ["Café", "É", "naïve", "ABC", "abc", "한국", "Ω", "x\u0301", "2024", "мир", "Ё", "مَرحبا", "中", "ß"]


def at(tokenizer: Tokenizer, text: str, part: str) -> tuple[str, ...]:
    start = len(text[: text.index(part)].encode())
    return tokenizer.rewriting_at(text, [(start, start + len(part.encode()))])


@pytest.mark.parametrize("word", WORDS)
def test_bert_is_said_to_do_what_unicode_says_that_it_does(word: str) -> None:
    parts = unicodedata.normalize("NFD", word)
    marks = [character for character in parts if unicodedata.category(character) == "Mn"]
    bare = "".join(character for character in parts if character not in marks)
    expected = {
        "removes accents": bool(marks),
        "splits characters into their parts (NFD)": not marks and parts != word,
        "makes all letters lower case": bare.lower() != bare,
    }
    bert = tokviz.load("bert-base-uncased")
    assert at(bert, f"in {word} or", word) == tuple(text for text, is_done in expected.items() if is_done)


def test_what_is_done_elsewhere_is_not_said_here() -> None:
    bert, text = tokviz.load("bert-base-uncased"), "É 中 x\ty\x00 ABC"
    assert at(bert, text, "x") == ()
    assert at(bert, text, "中") == ()
    assert at(bert, text, " 中") == ("drops white space between words",)
    assert at(bert, text, "\ty") == ("turns all white space into spaces", "drops white space between words")
    assert at(bert, text, "\x00") == ("removes control characters",)
    several = bert.rewriting_at(text, [(0, 2), (7, 8)])
    assert several == ("removes accents", "makes all letters lower case")


def test_a_space_is_put_in_front_of_the_first_word_only() -> None:
    engines: list[tuple[Tokenizer, str]] = [
        (tokviz.load("mistral-7b"), "puts a space in front"),
        (HuggingFaceTokenizer("roberta", family("roberta")), "puts a space in front where there is none"),
        (HuggingFaceTokenizer("llama2", family("llama2")), "puts a space in front"),
    ]
    for tokenizer, says in engines:
        assert at(tokenizer, "low low", "low") == (says,)
        assert at(tokenizer, "low lower", " lower") == ()


def test_sentencepiece_names_the_table_and_the_spaces_where_they_act() -> None:
    tokenizer = SentencePieceTokenizer("sp", sentencepiece_model(model_type="unigram"))
    text = "a ﬁ b  c"
    assert at(tokenizer, text, "ﬁ") == ("replaces characters using the table nmt_nfkc",)
    assert at(tokenizer, text, "  ") == ("removes extra spaces",)
    assert at(tokenizer, text, "b") == ()


@pytest.mark.parametrize("name", ["bert", "t5", "clip", "modernbert", "roberta", "llama3"])
def test_nothing_is_said_of_a_text_that_nothing_changes(name: str) -> None:
    """No step is named where neither normalizer nor pre-tokenizer of the library changes a text."""
    tokenizer = HuggingFaceTokenizer(name, family(name))
    for text in nasty_texts(60):
        size = len(text.encode())
        said = tokenizer.rewriting_at(text, [(0, size)])
        assert set(said) <= {*tokenizer.rewriting, *PARTS}
        stages = tokenizer.stages(text)
        if not stages[0].changes and not stages[1].changes:
            assert said == ()


PARTS = (
    "removes control characters",
    "turns all white space into spaces",
    "splits characters into their parts (NFD)",
)
"""Names of the one thing that a step did, for steps that can do several."""


def test_a_mark_of_spaces_in_the_text_is_read_as_a_space_and_stays() -> None:
    """The libraries give `▁` and a space the same ids: no step changes one into the other, or lists that as an edit."""
    engines: list[EngineTokenizer] = [
        tokviz.load("mistral-7b"),
        SentencePieceTokenizer("sp", sentencepiece_model()),
        *(HuggingFaceTokenizer(name, family(name)) for name in ("llama2", "llama2 metaspace", "gemma", "t5")),
    ]
    for tokenizer in engines:
        assert tokenizer.encode("the▁low") == tokenizer.encode("the low")
        assert at(tokenizer, "the▁low", "▁") == (READS_MARK,)
        assert READS_MARK in tokenizer.stages("the▁low")[0].changes
        assert not any("▁" in edit.old for edit in tokenizer.edits("the▁low"))
        assert READS_MARK not in tokenizer.stages("the low")[0].changes
        assert READS_MARK not in at(tokenizer, "the▁low lower", " lower")


@pytest.mark.parametrize("name", ["llama3", "bert", "clip", "roberta"])
def test_where_spaces_have_no_mark_it_is_a_character_like_any_other(name: str) -> None:
    tokenizer = HuggingFaceTokenizer(name, family(name))
    assert at(tokenizer, "the▁low", "▁") == ()
    assert READS_MARK not in tokenizer.stages("the▁low")[0].changes
