"""Parts of a text of given size: found by trying every part, and never through a character."""

from contextlib import suppress
from copy import copy
from random import Random
from typing import Any

import numpy as np
import pytest
from engine_files import family, sentencepiece_model
from graphemes import grapheme_borders
from hypothesis import given
from hypothesis import strategies as st
from strategies import EMOJI, examples, glued, texts, texts_of_words

import tokviz
from tokviz import positions, tokenization
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.tokenizers.windows import FURTHER, Cutter

TOKENIZERS: dict[str, Any] = {
    "gpt2": tokviz.load("gpt2"),
    "o200k_base": tokviz.load("o200k_base"),
    "qwen3": tokviz.load("qwen3"),
    "mistral-7b": tokviz.load("mistral-7b"),
    "bert-base-uncased": tokviz.load("bert-base-uncased"),
    "bytes": tokviz.ByteTokenizer(),
    "trained": tokviz.train("ab abc low lower lowest", num_merges=6),
    **{name: HuggingFaceTokenizer(name, family(name)) for name in ("llama2", "clip", "t5", "bert with accents")},
    "unigram": SentencePieceTokenizer("unigram", sentencepiece_model(model_type="unigram", byte_fallback=True)),
}
PIECES = [
    *EMOJI,
    "ab",
    " ",
    "  \n",
    "e\u0301",
    "\r\n",
    "éself.",
    "<mask>",
    "Hello",
    "the",
    " \t ",
    "\xa0",
    "한",
    "ͷ",
    "}",
]
PIECES += ["unaffable", "tokenization ", "I'LL", "ABCd", "1234567", " " * 17, "...", "\u3000", " the"]
TEXTS = st.one_of(texts(), glued(PIECES), glued(PIECES, min_size=40, max_size=80))


SURELY_CUT = {"gpt2", "o200k_base", "qwen3"}
"""Those of which places are known where every text is cut, so that most parts need not be encoded."""


def borders(tok: Any, text: str) -> dict[int, int]:
    """Return the places, in code points, where a token and a grapheme cluster of the whole text end.

    They are mapped to the number of tokens before each.
    """
    data, places, done = text.encode(), {0: 0}, 0
    for index, token in enumerate(tok.tokenize(text).token_bytes):
        done += len(token)
        with suppress(UnicodeDecodeError):
            places[len(data[:done].decode())] = index + 1
    clusters = {0, *grapheme_borders(text)}
    return {
        place: tokens for place, tokens in (places | {len(text): places.get(len(text), 0)}).items() if place in clusters
    }


@pytest.mark.parametrize("name", TOKENIZERS)
def test_truncation_keeps_the_longest_part_that_fits(name: str) -> None:
    tok = TOKENIZERS[name]

    @examples(25, name)
    @given(TEXTS, st.integers(0, 9), st.integers(0, 150))
    def check(text: str, few: int, many: int) -> None:
        text = tok.tokenize(text).text
        places = borders(tok, text)
        for most in (few, many):
            fitting = [place for place in places if len(tok.encode(text[:place])) <= most]
            assert tok.truncate(text, most) == text[: max(fitting, default=0)]
            fitting = [place for place in places if len(tok.encode(text[place:])) <= most]
            assert tok.truncate(text, most, side="left") == text[min(fitting, default=len(text)) :]

    check()


@pytest.mark.parametrize(
    ("name", "text", "most", "side", "expected"),
    [
        ("bert-base-uncased", "<mask>éself.", 2, "left", "elf."),
        ("mistral-7b", "}Hellothe", 2, "left", "Hellothe"),
        ("gpt2", "  \xa0é", 2, "right", "  \xa0"),
        ("qwen3", " \t \u2460\u0301", 1, "right", " \t "),
        ("llama2", "한ͷthe", 1, "left", "the"),
    ],
)
@pytest.mark.parametrize("beside", ["", " one two three." * 30])
def test_a_part_may_take_fewer_tokens_than_within_the_whole(
    name: str, text: str, most: int, side: Any, expected: str, beside: str
) -> None:
    tok = TOKENIZERS[name]
    longer, kept = (text + beside, expected + beside) if side == "left" else (beside + text, beside + expected)
    room = most + len(tok.encode(kept)) - len(tok.encode(expected))
    assert tok.truncate(longer, room, side) == kept


@pytest.mark.parametrize("name", TOKENIZERS)
def test_truncating_encodes_the_text_and_the_part_and_little_more(name: str) -> None:
    tok, text = TOKENIZERS[name], "Words of 4 kinds, “and” naïve ones. 你好世界!\n  " * 300
    size, encoded = len(tok.encode(text)), []

    class Counting(type(tok)):  # type: ignore[misc]
        def tokenize(self, text: str, *args: Any, **options: Any) -> Any:
            encoded.append(len(text))
            return super().tokenize(text, *args, **options)

        def _encode_column(self, text: str, allowed: frozenset[str]) -> Any:
            encoded.append(len(text))
            return super()._encode_column(text, allowed)

    counting = copy(tok)
    object.__setattr__(counting, "__class__", Counting)
    for most in (size // 3, size - 40):
        for side in ("right", "left"):
            encoded.clear()
            part = counting.truncate(text, most, side)
            known = 0 if name in SURELY_CUT else len(part)
            assert len(text) + known <= sum(encoded) <= len(text) + known + 2_000
    if name in SURELY_CUT:
        encoded.clear()
        counting.windows(text, 64)
        assert sum(encoded) < 2 * len(text)


def ids_before(tok: Any, text: str, place: int) -> list[int]:
    """Return the ids of the whole text's tokens that end at or before a place."""
    ends = tok.tokenize(text).byte_offsets[1:]
    before = len(text[:place].encode())
    return [token for token, end in zip(tok.encode(text), ends, strict=True) if end <= before]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_windows_cover_the_text_and_overlap_as_asked(name: str) -> None:
    tok = TOKENIZERS[name]

    @examples(25, name)
    @given(TEXTS, st.integers(26, 40), st.integers(0, 25))
    def check(text: str, size: int, overlap: int) -> None:
        text = tok.tokenize(text).text
        if any(len(tok.encode(part)) > size for part in clusters(text)):
            return
        windows = tok.windows(text, size, overlap)
        allowed = borders(tok, text)
        assert (
            "".join(
                text[max(a.end, b.start) : b.end]
                for a, b in zip([windows[0], *windows], windows, strict=False)
                if b is not windows[0]
            )
            == text[windows[0].end :]
            if windows
            else text == ""
        )
        for window in windows:
            assert window.part == text[window.start : window.end] != ""
            assert window.tokens == len(tok.encode(window.part)) <= size
            assert {window.start, window.end} <= allowed.keys()
            most = allowed[window.start] + size + FURTHER
            longer = [end for end in allowed if end > window.end and allowed[end] <= most]
            assert all(len(tok.encode(text[window.start : end])) > size for end in longer)
        for one, next_one in zip(windows, windows[1:], strict=False):
            assert one.start < next_one.start <= one.end < next_one.end
            shared = len(ids_before(tok, text, one.end)) - len(ids_before(tok, text, next_one.start))
            assert shared <= overlap
        assert [window.start for window in windows[:1]] == [0] * bool(text)
        assert [window.end for window in windows[-1:]] == [len(text)] * bool(text)

    check()


def clusters(text: str) -> list[str]:
    places = grapheme_borders(text)
    return [text[start:end] for start, end in zip(places, places[1:], strict=False)]


def test_by_hand() -> None:
    gpt2 = tokviz.load("gpt2")
    text = "I love 🍕!"  # 🍕 takes three tokens, the first of which holds the space, too
    assert len(gpt2.encode(text)) == 6
    assert [gpt2.truncate(text, most) for most in range(7)] == ["", "I", *["I love"] * 3, "I love 🍕", text]
    assert [gpt2.truncate(text, most, "left") for most in range(4)] == ["", "!", "!", "!"]
    assert [window.part for window in gpt2.windows(text, 4)] == ["I love", " 🍕!"]
    assert [tuple(window) for window in gpt2.windows("a b c d", 3, 1)] == [("a b c", 0, 5, 3), (" c d", 3, 7, 2)]
    assert gpt2.windows("", 3) == []


@examples(30)
@given(texts_of_words(), st.integers(1, 9))
def test_end_marks(text: str, most: int) -> None:
    tok = tokviz.train(text + "ab", alphabet="characters", end_of_word="</w>", num_merges=9)
    assert len(tok.encode(tok.truncate(text, most))) <= most


def test_an_overlap_that_takes_more_by_itself_is_shorter() -> None:
    """A token for each letter; `b` takes four where a text begins with it."""

    def tokenize(text: str) -> tokenization.Tokenization:
        offsets = [*[0] * 3 * text.startswith("b"), *range(len(text) + 1)]
        columns = np.zeros(len(offsets) - 1, np.int32), np.array(offsets, np.int32)
        return tokenization.Tokenization(text, *columns, pretokens=columns[0])

    def windows(text: str) -> list[str]:
        cutter = Cutter(text, tokenize, lambda part: len(tokenize(part)))
        return [window.part for window in cutter.windows(3, 2)]

    assert windows("abcde") == ["abc", "cde"]
    with pytest.raises(ValueError, match="'b', at position 0 of the text, takes 4"):
        windows("bc")


def test_a_text_whose_splits_are_counted_from_its_beginning() -> None:
    """Seven characters are a pre-token from wherever a part begins, and no cut is sure."""
    words = "the lower, the lowest: naïve newer things; "
    tok = tokviz.train(words * 2, split_pattern=r"(?s:.{1,7})", num_merges=30)
    text = words * 9
    places, total = borders(tok, text), len(tok.encode(text))
    for most in range(total - 50, total - 20):
        considered = [place for place, tokens in places.items() if total - tokens <= most + FURTHER]
        fitting = [place for place in considered if len(tok.encode(text[place:])) <= most]
        assert tok.truncate(text, most, side="left") == text[min(fitting) :]


TOKENLESS = {
    "bert": (tokviz.load("bert"), ["\n", "   ", " \r\n\t", "\x00"]),
    "unigram": (
        tokviz.train_sentencepiece("a cat and a hat\n" * 9, vocab_size=12, normalization_rule_name="identity"),
        ["  ", " "],
    ),
}


@pytest.mark.parametrize("name", TOKENLESS)
def test_a_text_of_no_tokens_fits(name: str) -> None:
    tok, blank = TOKENLESS[name]
    for text in blank:
        assert tok.encode(text) == []
        for most in (0, 5):
            assert tok.truncate(text, most) == tok.truncate(text, most, "left") == text
        assert [tuple(window) for window in tok.windows(text, 5, 2)] == [(text, 0, len(text), 0)]
    assert tok.windows("", 5) == []
    assert tok.truncate("a" + blank[0], 0) == tok.truncate("a", 0, "left") == ""


# What joins the character before or after it in all the ways that UAX #29 has, and what joins nothing.
JOINING = [*EMOJI, "🇫" * 7, "ᄀ", "ᅡ", "ᆨ", "각", "क", "\u094d", "\u0915\u094d\u0937", "\u0600", "\u0d4e", "\u0301", "\r"]
JOINING += ["\n", "\u200b", "a", "中", " ", "🍕", "\u200d🍕", "\U00011a3a", "\u1cf5", "\u1cf5\u094dक"]


@examples(150)
@given(glued(JOINING, max_size=40), st.integers(1, 9), st.randoms())
def test_borders_are_those_of_the_whole_text_in_any_order(text: str, around: int, random: Random) -> None:
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(positions, "_AROUND", around)
        found = positions.GraphemeBorders(text)
        places = random.choices(range(len(text) + 1), k=20)
        expected = set(grapheme_borders(text)) | {0}
        assert [place in found for place in places] == [place in expected for place in places]


@pytest.mark.parametrize(
    ("character", "limit"),
    [
        ("word ", 0),  # the characters beside a place tell
        ("中", 0),
        ("ᄀa", 10_000),
        ("🇫", 200_000),  # whether two indicators are a flag depends on all that are before them
    ],
)
def test_only_clusters_near_a_cut_are_looked_for(character: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    find = positions.grapheme_offsets

    def counted(text: str) -> Any:
        read.append(len(text))
        return find(text)

    for module in (positions, tokenization):
        monkeypatch.setattr(module, "grapheme_offsets", counted)
    text = character * (100_000 // len(character))
    tok = tokviz.ByteTokenizer()
    for side in ("right", "left"):
        read.clear()
        part = tok.truncate(text, 50_000, side)
        assert len(part.encode()) in range(49_990, 50_001)
        assert bool(limit) <= sum(read) <= limit
    read.clear()
    assert "".join(window.part for window in tok.windows(text, 500)) == text
    assert sum(read) <= 3 * len(text)


def test_special_tokens_are_not_cut() -> None:
    tok = tokviz.train("ab", special_tokens=["<s>"])
    assert [window.part for window in tok.windows("a<s>b", 1, 0, "all")] == ["a", "<s>", "b"]
    assert tok.truncate("a<s>b", 2, "right", {"<s>"}) == "a<s>"
    assert tok.truncate("a<s>b", 2) == "a<"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda tok: tok.truncate("a", -1), ValueError, "max_tokens must be 0 or more, not -1"),
        (lambda tok: tok.truncate("a", 2.5), TypeError, "max_tokens must be a whole number of tokens"),
        (lambda tok: tok.truncate("a", 1, "end"), ValueError, 'side must be "right", to cut the end off, or "left"'),
        (lambda tok: tok.windows("a", 0), ValueError, "size must be 1 or more"),
        (lambda tok: tok.windows("a", 3, 3), ValueError, "overlap must be less than size, which is 3, not 3"),
        (lambda tok: tok.windows("a", 3, -1), ValueError, "overlap must be 0 or more"),
        (lambda tok: tok.windows("ab🍕", 2), ValueError, "'🍕', at position 2 of the text, takes 3"),
    ],
)
def test_what_is_refused(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call(tokviz.load("gpt2"))
