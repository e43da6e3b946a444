"""Counting is the length of what encoding gives, from whatever the text comes."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, texts, texts_with_specials

import tokviz
from tokviz.texts import _PART


@examples(60)
@given(st.lists(texts(), max_size=5), st.sampled_from(["gpt2", "gpt-4o"]))
def test_counts_are_lengths_of_encodings(several: list[str], name: str) -> None:
    tok = tokviz.load(name)
    lengths = [len(tok.encode(text)) for text in several]
    assert [tokviz.count(text, name) for text in several] == lengths
    assert tokviz.count(several, tok) == tokviz.count(iter(several), tok) == sum(lengths)


@examples(60)
@given(texts_with_specials())
def test_special_tokens(text: str) -> None:
    tok = tokviz.train("ab <", split_pattern="gpt2", special_tokens=["<s>", "<s>>", "a b"], num_merges=3)
    for allowed in ("all", {"<s>"}, ()):
        assert tokviz.count(text, tok, allowed) == len(tok.encode(text, allowed))


def test_files(tmp_path: Path) -> None:
    """Line ends stay as they are in the file, and a long file is one text."""
    text = "\ufefftwo words\r\nand\rmore  \n中文 " * 45_000
    assert len(text) > _PART
    path = tmp_path / "text.txt"
    path.write_bytes(text.encode())
    for tok in (tokviz.load("gpt2"), tokviz.load("o200k_base"), tokviz.ByteTokenizer()):
        assert tokviz.count(path, tok) == len(tok.encode(text))
    with path.open(encoding="utf-8", newline="") as file:
        assert tokviz.count(file, "gpt2") == len(tokviz.load("gpt2").encode(text))
    assert tokviz.count(io.StringIO("a b"), "gpt2") == 2
    assert tokviz.count(str(path), "gpt2") == len(tokviz.load("gpt2").encode(str(path)))


def test_several_files_and_texts(tmp_path: Path) -> None:
    """Paths in a list are files as well. A str is a text, also if a file has that name."""
    first, second = tmp_path / "one.txt", tmp_path / "two.txt"
    first.write_bytes(b"hello\r\n")
    second.write_bytes("wörld".encode())
    tok = tokviz.load("gpt2")
    apart = len(tok.encode("hello\r\n")) + len(tok.encode("wörld"))
    assert tokviz.count([first, second], tok) == tokviz.count(tmp_path.glob("*.txt"), tok) == apart
    assert tokviz.count({first: 0}.keys(), tok) == len(tok.encode("hello\r\n"))
    assert tokviz.count([first, "a b"], tok) == len(tok.encode("hello\r\n")) + 2
    assert tokviz.count([str(first)], tok) == len(tok.encode(str(first)))
    assert "never a path" in str(tokviz.count.__doc__).split("\n")[0]
    with pytest.raises(TypeError, match="a text must be a str, not int"):
        tokviz.count([first, 5], tok)  # type: ignore[list-item]


def test_special_tokens_with_spaces_in_long_texts() -> None:
    text = "x" * 999_999 + "<a b>"
    tok = tokviz.train("ab", split_pattern="gpt2", special_tokens=["<a b>"])
    assert tokviz.count(text, tok, "all") == 999_999 + 1


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"ab\xff\xfe")
    with pytest.raises(ValueError, match=r"picture\.png is not a text in UTF-8: invalid start byte"):
        tokviz.count(path, "gpt2")
    with pytest.raises(FileNotFoundError):
        tokviz.count(tmp_path / "nothing.txt", "gpt2")
    with pytest.raises(TypeError, match="texts must be a str, or several"):
        tokviz.count(5, "gpt2")  # type: ignore[call-overload]
