"""Checking encodings: ids made with a known mistake are explained, and ids of other libraries accepted."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest
import reference
from shipped import encoding_of, ranks_of

import tokviz
from tokviz.analysis.checking.encoding_check import check_encoding
from tokviz.lesson.solution_links import encoding_link
from tokviz.samples import samples

TEXT = "  I'll tokenize supercalifragilistic PIZZA 🍕 in 12345 cafés<|endoftext|>, they're\n\nU.S.-based  e.g.,\n1st "
NAMES = ("gpt2", "cl100k_base")


@cache
def pretokens(name: str) -> list[list[bytes]]:
    """The pre-tokens of the text as single bytes, with the special token as text."""
    pattern = encoding_of(name)._pat_str
    return [
        [bytes([value]) for value in piece.text.encode()] for piece in reference.pretokens(TEXT, pattern, False, {})
    ]


def merged(name: str, choose: Callable[[list[tuple[int, int]]], tuple[int, int]]) -> list[int]:
    """Join, one at a time, the place that `choose` takes from all (id of the joined token, place)."""
    ranks, ids = ranks_of(name), []
    for piece in pretokens(name):
        parts = list(piece)
        while places := [(ranks[a + b], at) for at, (a, b) in enumerate(pairwise(parts)) if a + b in ranks]:
            _, place = choose(places)
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        ids += [ranks[part] for part in parts]
    return ids


def in_one_pass(name: str) -> list[int]:
    ranks, ids = ranks_of(name), []
    for piece in pretokens(name):
        parts = list(piece)
        place = 0
        while place < len(parts):
            if place + 1 < len(parts) and parts[place] + parts[place + 1] in ranks:
                parts[place : place + 2] = [parts[place] + parts[place + 1]]
            place += 1
        ids += [ranks[part] for part in parts]
    return ids


def longest_matches(name: str) -> list[int]:
    ranks, ids = ranks_of(name), []
    for piece in map(b"".join, pretokens(name)):
        rest = piece
        while rest:
            longest = max((token for end in range(1, len(rest) + 1) if (token := rest[:end]) in ranks), key=len)
            ids.append(ranks[longest])
            rest = rest[len(longest) :]
    return ids


def in_one_piece(name: str) -> list[int]:
    ranks = ranks_of(name)
    return [ranks[part] for part in reference.encode_bytes(TEXT.encode(), ranks)]


@cache
def loaded(name: str) -> tokviz.BPETokenizer:
    tok = tokviz.load(name)
    assert isinstance(tok, tokviz.BPETokenizer)
    return tok


def right(name: str) -> list[int]:
    return encoding_of(name).encode_ordinary(TEXT)


MISTAKES: dict[str, Callable[[str], list[int]]] = {
    "text-order": lambda name: merged(name, lambda places: min(places, key=lambda each: each[1])),
    "highest-rank": lambda name: merged(name, lambda places: max(places, key=lambda each: (each[0], -each[1]))),
    "one-pass": in_one_pass,
    "longest-match": longest_matches,
    "not-split": in_one_piece,
    "special-tokens-read": lambda name: encoding_of(name).encode(TEXT, allowed_special="all"),
    "shifted-ids": lambda name: [token + 256 for token in right(name)],
    "surrounded": lambda name: [50256, *right(name), 50256],
    "stripped": lambda name: encoding_of(name).encode_ordinary(TEXT.strip()),
    "lower-case": lambda name: encoding_of(name).encode_ordinary(TEXT.lower()),
}


@pytest.mark.parametrize(
    ("mistake", "name"),
    [*((mistake, "gpt2") for mistake in MISTAKES), ("highest-rank", "cl100k_base"), ("text-order", "cl100k_base")],
)
def test_a_mistake_is_named_and_its_place_found(mistake: str, name: str) -> None:
    wrong, tok = MISTAKES[mistake](name), loaded(name)
    checked = check_encoding(wrong, TEXT, tok)
    assert checked.mistake is not None, str(checked)
    # In some texts, two mistakes have the same result.
    assert checked.mistake.name in {other for other, encode in MISTAKES.items() if encode(name) == wrong}
    first = next(at for at, (one, other) in enumerate(zip(wrong, right(name), strict=False)) if one != other)
    assert checked.difference is not None
    assert checked.difference.number == first
    assert checked.difference.expected == right(name)[first]
    assert checked.difference.byte == len(encoding_of(name).decode_bytes(right(name)[:first]))
    link = encoding_link(checked, TEXT)
    assert link is not None
    assert (link.fields["tokenizer"], link.text) == (name, TEXT)
    expect_step(name, int(link.fields["step"]), checked.difference.expected, checked.difference.byte)


def expect_step(name: str, step: int, token: int, byte: int) -> None:
    """Expect a step that makes a token at a byte of the text; of a single byte, one in whose result it stands there."""
    replay = loaded(name).replay(TEXT)
    length = len(encoding_of(name).decode_single_token_bytes(token))

    def stands(step: int) -> bool:
        tokens = replay.tokenization(step)
        return (byte, length) in zip(tokens.byte_offsets.tolist(), np.diff(tokens.byte_offsets).tolist(), strict=False)

    assert stands(min(step + 1, len(replay)))
    assert length == 1 or not stands(step)


def test_special_tokens_read_as_text_are_named() -> None:
    checked = check_encoding(right("gpt2"), TEXT, tokviz.load("gpt2"), "all")
    assert checked.mistake is not None
    assert checked.mistake.name == "special-tokens-as-text"


@pytest.mark.parametrize("name", NAMES)
def test_ids_of_tiktoken_are_right(name: str) -> None:
    tok = loaded(name)
    for sample in samples():
        text = sample.text[:2_000]
        checked = check_encoding(encoding_of(name).encode_ordinary(text), text, tok)
        assert (checked.right, checked.difference) == (True, None)


def test_ids_that_end_too_early_or_too_late_are_told() -> None:
    tok, ids = tokviz.load("gpt2"), right("gpt2")
    assert "You stop after" in str(check_encoding(ids[:-3], TEXT, tok))
    assert "you go on with" in str(check_encoding([*ids, *ids], TEXT, tok))
    assert "no token" in str(check_encoding([999_999], TEXT, tok))
    assert str(check_encoding([], "", tok)) == "Right: 0 tokens."
    assert "you go on with 5 (&)" in str(check_encoding([5], "", tok))
    with pytest.raises(ValueError, match="100,000"):
        check_encoding(ids, "a" * 100_001, tok)


def test_one_wrong_id_is_not_shifted_ids() -> None:
    tok = tokviz.load("gpt2")
    [the] = tok.encode(" the")
    assert check_encoding([the + 1], " the", tok).mistake is None
    shifted = check_encoding([the + 1, the + 1], " the the", tok).mistake
    assert shifted is not None
    assert shifted.name == "shifted-ids"


def test_a_long_pretoken_is_checked_in_bounded_time() -> None:
    text = "".join(Random(0).choices("abcdefghijklmnop", k=30_000))
    checked = check_encoding([0], text, tokviz.load("gpt2"))
    assert not checked.right
    assert checked.mistake is None
