"""Words that end in a glued mark, and subword-nmt's codes: learned and applied as subword-nmt does both."""

import contextlib
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from subword_nmt import apply_bpe, learn_bpe

import tokviz
from tokviz import formats

PROSE = Path(__file__).parents[2] / "tokviz" / "samples" / "training" / "anna-karenina.txt"
SETTINGS: Any = {"alphabet": "characters", "end_of_word": "</w>", "tie_break": "greatest-bytes"}


def learned(text: str, number: int) -> str:
    """Return subword-nmt's codes."""
    codes = io.StringIO()
    with contextlib.redirect_stderr(io.StringIO()):
        learn_bpe.learn_bpe(io.StringIO(text), codes, number)
    return codes.getvalue()


def applied(codes: str, text: str) -> list[str]:
    """Return subword-nmt's symbols, of which all but the last of a word end in "@@"."""
    codes += "" if " " in codes[len("#version: 0.2") :] else "! !\n"  # it can't read a file without merges
    return [part for part in str(apply_bpe.BPE(io.StringIO(codes)).process_line(text)).split(" ") if part]


def symbols(tok: tokviz.BPETokenizer, text: str) -> list[str]:
    """Encode a text, and write the tokens as subword-nmt does; a mark of its own belongs to the token before it."""
    found: list[str] = []
    for token in tok.encode(text):
        data = tok.vocab[token].decode()
        if data and not data.strip(" \r\n"):
            continue
        if not data:
            found[-1] = found[-1].removesuffix("@@")
        else:
            found.append(data if tok.ends_word(token) else f"{data}@@")
    return found


# No letter three times in a row: there, subword-nmt's own counts of pairs go wrong.
LETTERS = st.lists(st.sampled_from(["ab", "ba", "abc", "é", "b", "cab", "a"]), min_size=1, max_size=4).map("".join)
TEXTS = st.lists(LETTERS.filter(lambda word: not any(letter * 3 in word for letter in "abcé")), min_size=2, max_size=20)


# Words with white space that is none between words.
WIDE = st.lists(
    st.sampled_from(["ab", "b", "a\t", "\u00a0a", "é\u3000b", "\x85", "\x1c", "\u2028a"]), min_size=1, max_size=3
)
WIDE_TEXTS = st.lists(WIDE.map("".join), min_size=2, max_size=12)


@examples(80)
@given(st.one_of(TEXTS, WIDE_TEXTS), st.sampled_from([" ", "  ", "\n", " \r\n "]))
def test_words_end_where_subword_nmt_ends_them(words: list[str], between: str) -> None:
    text = between.join(["ab", *words])  # subword-nmt fails where there is no pair
    tok = tokviz.train(text, glued=True, num_merges=12, **SETTINGS)
    codes = learned(text, 12)
    [written] = formats.write(tok, "some.codes").files.values()
    assert written.decode() == codes
    line = " ".join(words)
    again = formats.read({"some.codes": codes.encode()}, alphabet="".join(map(chr, tok.alphabet.ids)) + " ")
    assert symbols(again, line) == applied(codes, line)
    assert again.decode(again.encode(line)) == line
    assert list(again.encode_iter([*line])) == again.encode(line)


def test_tokenizers_of_before_cut_at_a_tab_that_can_not_end_a_word() -> None:
    letters = {0: b"\t", 1: b" ", 2: b"a", 3: b"b", 4: b"a", 5: b"b"}
    tok = tokviz.BPETokenizer("old", letters | {6: b"ab"}, {(2, 5): 6}, units="characters", end_of_word="</w>")
    assert tok.encode("ab\tab b") == [6, 0, 6, 1, 5]


def test_training_on_prose_gives_subword_nmts_codes() -> None:
    text = " ".join(PROSE.read_text("utf-8").split())
    tok = tokviz.train(text, glued=True, num_merges=300, **SETTINGS)
    [written] = formats.write(tok, "some.codes").files.values()
    assert written.decode() == learned(text, 300)
    assert symbols(tok, text) == applied(written.decode(), text)


@examples(60)
@given(TEXTS, TEXTS)
def test_codes_are_read_and_applied(words: list[str], others: list[str]) -> None:
    codes = learned(" ".join(words), 12)
    tok = formats.read({"some.codes": codes.encode()}, alphabet="abcé ")
    text = " ".join(others)
    assert symbols(tok, text) == applied(codes, text)
    assert tok.decode(tok.encode(text)) == text


@examples(40)
@given(TEXTS, TEXTS)
def test_codes_of_a_mark_of_its_own(words: list[str], others: list[str]) -> None:
    """subword-nmt applies codes of version 0.1, but learns them no more."""
    tok = tokviz.train(" ".join([*words, *others]), num_merges=12, **SETTINGS)
    files, left_out = formats.write(tok, "some.codes")
    codes = files["some.codes"].decode()
    assert codes.startswith("#version: 0.1\n")
    text = " ".join(others)
    assert symbols(tok, text) == applied(codes, text)
    unversioned = codes.removeprefix("#version: 0.1\n").encode()
    for data in (codes.encode(), unversioned):
        assert formats.read({"some.codes": data}, **left_out).encode(text) == tok.encode(text)


@examples(40)
@given(TEXTS, st.booleans(), st.sampled_from(["first-seen", "lowest-ids"]))
def test_saved_and_opened(words: list[str], glued: bool, ties: Any) -> None:
    text = "\u3000".join(words) + "<s>\n"
    settings = SETTINGS | {"tie_break": ties, "special_tokens": ["<s>"]}
    tok = tokviz.train(text, glued=glued, num_merges=9, **settings)
    files, left_out = formats.write(tok, "some.codes")
    back = formats.read(files, **left_out)
    assert (back.vocab, back.merges, back.special_tokens) == (tok.vocab, tok.merges, tok.special_tokens)
    assert back.encode(text, "all") == tok.encode(text, "all")


@examples(30)
@given(TEXTS)
def test_what_a_glued_mark_changes_nothing_about(words: list[str]) -> None:
    text = " ".join(words)
    tok = tokviz.train(text, glued=True, num_merges=9, end_of_word="·", alphabet="characters")
    ids = tok.encode(text)
    assert list(tok.encode_iter([text])) == ids
    replay = tok.replay(text)
    assert replay.state(len(replay)).tolist() == ids
    assert all(tok.rank(token) is not None or token in tok.alphabet.symbols for token in tok.vocab)
    more = tokviz.train(text, initial=tok, num_merges=4)
    assert more.merges == tokviz.train(text, glued=True, num_merges=13, end_of_word="·", alphabet="characters").merges
    assert (
        replay.tokenization(0).ids.tolist()
        == [
            tok.alphabet.finals[ord(letter)] if end else tok.alphabet.ids[ord(letter)]
            for word in words
            for letter, end in zip([*word, " "], [*[False] * (len(word) - 1), True, False], strict=True)
        ][:-1]
    )


def test_the_alphabet_of_codes_alone() -> None:
    tok = formats.read({"some.codes": b"#version: 0.2\na b\nab c</w>\n"})
    assert tok.decode(tok.encode("abc  cab\n")) == "abc  cab\n"
    with pytest.raises(ValueError, match=r"'x' \(U\+0078\) at position 2"):
        tok.encode("abx")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"#version: 0.3\na b\n", "another version than 0.1 and 0.2"),
        (b"#version: 0.2\na b c\n", "line 2 should be two symbols"),
        (b"#version: 0.1\na\xc2\xa0 b\n", "line 2 should be two symbols"),
        (b"#version: 0.2\na\rb c\n", "line 2 should be two symbols"),
        (b"#version: 0.2\nab c\n", "merge 1 joins 'ab', which no earlier merge makes"),
        (b"#version: 0.2\na </w>\n", "merge 1 joins '</w>', which no earlier merge makes"),
        (b"a</w> b\n", "line 1 joins 'a</w>', which ends a word"),
    ],
)
def test_invalid_codes(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        formats.read({"some.codes": data})


def test_what_codes_can_not_hold() -> None:
    for options in ({}, {**SETTINGS, "end_of_word": "_"}, {**SETTINGS, "split_pattern": "words"}):
        with pytest.raises(ValueError, match="can't be written for subword-nmt"):
            formats.write(tokviz.train("ab ab", **options), "some.codes")
    trained = tokviz.train("ab ab cd cd", num_merges=2, glued=True, **SETTINGS)
    with pytest.raises(ValueError, match="ids would change"):
        formats.write(trained.without([min(trained.merges.values())]), "some.codes")
    with pytest.raises(ValueError, match="lacks"):
        formats.read({"some.codes": b"a b\n"}, alphabet="a")
    with pytest.raises(ValueError, match="its alphabet itself"):
        formats.read({"some.tiktoken": b"YQ== 0\n"}, None, alphabet="a")
    with pytest.raises(ValueError, match="give its label"):
        tokviz.train("ab", glued=True, alphabet="characters")
