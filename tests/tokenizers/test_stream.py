"""A text in parts is encoded as the whole is, wherever it is cut, in memory that doesn't grow with it."""

import io
import tracemalloc
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import BLANKS, EMOJI, ODDITIES, SCRIPTS, SPECIALS, WORDS, examples, glued, texts_with_specials

import tokviz
from tokviz.tokenizers import stream

# What the named patterns look ahead at: contractions, capitals before small letters, white space before anything.
CAPITALS = ["A", "ABC", "Ab", "中文", "中", "ǅ", "\u0301", "ª", "d", "'", "'s", "'l", "l", "'LL", "'ſ", "re"]
SIGNS = ["/", "!", "!\n", "1", "2345", "<|endoftext|>", "<|endof"]
NASTY = glued([*CAPITALS, *BLANKS, *WORDS, *SCRIPTS, *EMOJI, *ODDITIES, *SIGNS])


def in_parts(text: str, size: int) -> Iterable[str]:
    return (text[start : start + size] for start in range(0, len(text), size))


@pytest.fixture
def short_parts(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield a function that sets the code points after which a cut is looked for."""
    yield lambda size: monkeypatch.setattr(stream, "_PART", size)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_shipped_tokenizers(name: str, short_parts: Any) -> None:
    tok = tokviz.load(name)

    @examples(60, name)
    @given(NASTY, st.integers(1, 6), st.integers(1, 12))
    def check(text: str, size: int, enough: int) -> None:
        short_parts(enough)
        for allowed in ((), "all"):
            assert list(tok.encode_iter(in_parts(text, size), allowed)) == tok.encode(text, allowed)
        short_parts(1)
        assert list(tok.encode_iter(in_parts(text, 1))) == tok.encode(text)

    check()


@pytest.mark.parametrize("split", ["gpt2", "cl100k", "o200k", "words"])
@pytest.mark.parametrize("alphabet", ["bytes", "characters"])
def test_trained_tokenizers(split: str, alphabet: Any, short_parts: Any) -> None:
    @examples(15, split, alphabet)
    @given(st.one_of(NASTY, texts_with_specials(24)), st.integers(1, 5), st.integers(1, 9))
    def check(text: str, size: int, enough: int) -> None:
        short_parts(enough)
        corpus = [text, "ab aab abc ab's", " ".join("<s>|end")]
        tok = tokviz.train(corpus, split_pattern=split, alphabet=alphabet, num_merges=12, special_tokens=SPECIALS)
        for allowed in ((), "all", {"<s>"}):
            assert list(tok.encode_iter(in_parts(text, size), allowed)) == tok.encode(text, allowed)

    check()


@pytest.mark.parametrize("split", [None, "gpt2"])
def test_end_marks(split: str | None, short_parts: Any) -> None:
    @examples(40, split)
    @given(NASTY, st.integers(1, 5))
    def check(text: str, size: int) -> None:
        short_parts(4)
        tok = tokviz.train(
            [text, "ab ab"], split_pattern=split, alphabet="characters", end_of_word="</w>", num_merges=9
        )
        assert list(tok.encode_iter(in_parts(text, size))) == tok.encode(text)

    check()


@examples(40)
@given(NASTY, st.integers(1, 5))
def test_simple_tokenizers(text: str, size: int) -> None:
    for tok in (tokviz.CharacterTokenizer(), tokviz.ByteTokenizer(), tokviz.WordTokenizer.from_text("ab 's 12")):
        assert list(tok.encode_iter(in_parts(text, size))) == tok.encode(text)


def test_files_lines_and_texts() -> None:
    text = "It's one text:\r\n\r\n  a\ud83d\ude00b\n" * 3000
    tok = tokviz.load("cl100k_base")
    for parts in (io.StringIO(text, newline=""), text.splitlines(keepends=True), text, iter([text]), list(text)):
        assert list(tok.encode_iter(parts)) == tok.encode(text)
    assert list(tok.encode_iter([])) == []


# Each kind of text without spaces, and one without line ends: in all of them, pre-tokens are short.
ENDLESS = {
    "words": "some words, and more of them ",
    "lines": "line\nafter\nline\n",
    "digits": "1234567890",
    "chinese": "没有空格，也没有换行。",
    "capitals": "HelloWorldFooBar",
    "signs": "a!b?c;",
    "specials": "<|endoftext|>",
}


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
@pytest.mark.parametrize("kind", ENDLESS)
def test_memory_does_not_grow_with_the_text(name: str, kind: str, short_parts: Any) -> None:
    """A hundred thousand characters, held by a text that takes as many bytes or more."""
    if name == "cl100k_base" and kind == "capitals":
        return  # all of it is one pre-token
    tok, unit = tokviz.load(name), ENDLESS[kind]
    short_parts(1000)
    part, count = unit * (1000 // len(unit)), 100
    list(tok.encode_iter([part] * 4, "all"))  # builds what is built once
    tracemalloc.start()
    try:
        number = sum(1 for _ in tok.encode_iter((part for _ in range(count)), "all"))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert number > count * 20
    assert peak < 100_000


@pytest.mark.parametrize(
    "tok",
    [
        tokviz.train("abab"),
        tokviz.train("abab", split_pattern=r"\w+"),
        tokviz.WordTokenizer.from_text("a b", r"\w+"),
        tokviz.load("gpt2").with_split_pattern(None),
    ],
    ids=lambda tok: tok.name,
)
def test_tokenizers_without_a_safe_cut_refuse(tok: Any) -> None:
    with pytest.raises(ValueError, match="can't encode a text in parts: with its split pattern, or without one"):
        tok.encode_iter(["a"])


def test_errors_name_places_in_the_whole_text() -> None:
    tok = tokviz.train("abc abc", split_pattern="gpt2", alphabet="characters")
    with pytest.raises(ValueError, match=r"'é' \(U\+00E9\) at position 80000,"):
        list(tok.encode_iter(["abc " * 20_000, "é"]))


@pytest.mark.parametrize("wrong", [b"abc", 5, None, {"a": 1}], ids=repr)
def test_what_is_not_a_text(wrong: Any) -> None:
    tok = tokviz.load("gpt2")
    with pytest.raises(TypeError, match="a text must be a file, its parts or a str"):
        list(tok.encode_iter(wrong))
    with pytest.raises(TypeError, match="parts of a text must be str"):
        list(tok.encode_iter([wrong]))
    with pytest.raises(TypeError, match="a file of texts must give str"):
        list(tok.encode_iter(io.BytesIO(b"abc")))  # type: ignore[arg-type]
