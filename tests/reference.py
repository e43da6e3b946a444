"""Naive reference implementation of BPE, which the optimized code is tested against.

Training recounts every pair at every step, over every pre-token, including repeated ones. Encoding joins
one pair at a time and then scans the whole piece again. Nothing is weighted, indexed, cached or shared
with the package under test, so that the code can be checked by hand.

    units of a piece        its bytes, or its characters as UTF-8, and b"" for an end-of-word mark
    symbol                  an id: at first of a unit, later of a learned token
    sequence                the symbols of one pre-token

`train` returns a `Trained`. `encode`, `state` and `replay` take a `Trained` and a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any
from unittest import mock

import regex
import tiktoken
from tiktoken_ext import openai_public

Pair = tuple[int, int]

MARK = b""  # the end-of-word mark has no bytes
WORDS = r"(?s)\w+|."


@dataclass(frozen=True)
class Piece:
    """One pre-token: its text, and its id if it is a special token."""

    text: str
    special: int | None = None


@dataclass(frozen=True)
class Learned:
    """One merge of the training history."""

    left: int
    right: int
    new: int
    count: int  # occurrences of the pair, including overlaps
    merged: int  # places joined
    tied: int  # number of other pairs with the same count


@dataclass(frozen=True)
class Trained:
    """A trained tokenizer and the history of its training."""

    split_pattern: str | None
    alphabet: str
    marks: bool
    symbols: list[bytes]  # the alphabet, by id; the mark last
    merges: dict[Pair, int]
    specials: dict[str, int]
    history: list[Learned]
    stopped: str

    @property
    def vocab(self) -> dict[int, bytes]:
        """Id -> bytes: the alphabet, then each merge's two parents joined, then the special tokens."""
        vocab = dict(enumerate(self.symbols))
        for (left, right), new in self.merges.items():
            vocab[new] = vocab[left] + vocab[right]
        return vocab | {number: text.encode() for text, number in self.specials.items()}


@dataclass(frozen=True)
class Token:
    """One token of an encoded text: its id, the bytes [start, end) it covers, and its pre-token."""

    id: int
    start: int
    end: int
    pretoken: int
    special: bool


@dataclass(frozen=True)
class Step:
    """One step of a replay."""

    rank: int
    left: int
    right: int
    new: int
    places: int


# ---------------------------------------------------------------- from a text to symbols


def repair(text: str) -> tuple[str, int]:
    """Join surrogate pairs and replace lone surrogates by U+FFFD; also return how many were replaced.

    >>> repair("a\\ud83d\\ude00b\\ude00")
    ('a😀b\ufffd', 1)
    """
    if not regex.search(r"[\ud800-\udfff]", text):
        return text, 0
    repaired: list[str] = []
    lone = 0
    i = 0
    while i < len(text):
        high, low = ord(text[i]), ord(text[i + 1]) if i + 1 < len(text) else 0
        if 0xD800 <= high <= 0xDBFF and 0xDC00 <= low <= 0xDFFF:
            repaired.append(chr(0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00)))
            i += 2
            continue
        if 0xD800 <= high <= 0xDFFF:
            repaired.append("\ufffd")
            lone += 1
        else:
            repaired.append(text[i])
        i += 1
    return "".join(repaired), lone


def cut_at_specials(text: str, specials: Mapping[str, int]) -> Iterator[Piece]:
    """Yield the special tokens (leftmost first, then longest) and the stretches between them.

    >>> [p.text for p in cut_at_specials("x<s><s>>y", {"<s>": 7, "<s>>": 8})]
    ['x', '<s>', '<s>>', 'y']
    """
    start = i = 0
    while i < len(text):
        here = [special for special in specials if text.startswith(special, i)]
        if not here:
            i += 1
            continue
        if start < i:
            yield Piece(text[start:i])
        longest = max(here, key=len)
        yield Piece(longest, specials[longest])
        start = i = i + len(longest)
    if start < len(text):
        yield Piece(text[start:])


def cut(text: str, pattern: str | None) -> list[str]:
    """Split by a pattern: its non-empty matches, and the stretches between them, so nothing is lost.

    >>> cut("to be, or", r"\\w+")
    ['to', ' ', 'be', ', ', 'or']
    """
    if pattern is None:
        return [text] if text else []
    pieces: list[str] = []
    end = 0
    for match in regex.finditer(pattern, text):
        if match.group():
            pieces += [text[end : match.start()], match.group()]
            end = match.end()
    pieces.append(text[end:])
    return [piece for piece in pieces if piece]


def pretokens(text: str, pattern: str | None, marks: bool, specials: Mapping[str, int]) -> list[Piece]:
    """Return the pre-tokens of an already repaired text; with end-of-word marks, white space is separate."""
    pieces: list[Piece] = []
    for stretch in cut_at_specials(text, specials):
        if stretch.special is not None:
            pieces.append(stretch)
            continue
        for piece in cut(stretch.text, pattern):
            pieces += [Piece(part) for part in (cut(piece, r"\s+") if marks else [piece])]
    return pieces


def units(piece: str, alphabet: str, marks: bool) -> list[bytes]:
    """Return the units of one ordinary pre-token.

    >>> units("é!", "bytes", False), units("é!", "characters", True)
    ([b'\\xc3', b'\\xa9', b'!'], [b'\\xc3\\xa9', b'!', b''])
    """
    if alphabet == "characters":
        found = [character.encode() for character in piece]
    else:
        found = [bytes([byte]) for byte in piece.encode()]
    is_space = regex.fullmatch(r"\s+", piece) is not None
    return [*found, MARK] if marks and not is_space else found


def alphabet_symbols(sequences: Iterable[Sequence[bytes]], alphabet: str, marks: bool) -> list[bytes]:
    """Return the alphabet by id: all 256 bytes, or the units seen, sorted; the mark comes last.

    (UTF-8 sorts as code points do, so one `sorted` serves bytes and characters.)
    """
    if alphabet == "bytes":
        symbols = [bytes([byte]) for byte in range(256)]
    else:
        symbols = sorted({unit for sequence in sequences for unit in sequence} - {MARK})
    return [*symbols, MARK] if marks else symbols


# ---------------------------------------------------------------- counting and joining


def count_pairs(sequences: Iterable[Sequence[int]]) -> dict[Pair, int]:
    """Count each pair, including overlaps; the keys are in the order first seen.

    >>> count_pairs([[1, 1, 1, 2], [1, 2]])
    {(1, 1): 2, (1, 2): 2}
    """
    counts: dict[Pair, int] = {}
    for sequence in sequences:
        for pair in pairwise(sequence):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def join(sequence: Sequence[int], pair: Pair, new: int) -> list[int]:
    """Replace a pair everywhere, from left to right.

    >>> join([1, 1, 1, 2], (1, 1), 9)
    [9, 1, 2]
    """
    left, right = pair
    joined: list[int] = []
    for symbol in sequence:
        if symbol == right and joined and joined[-1] == left:
            joined[-1] = new
        else:
            joined.append(symbol)
    return joined


def choose(tied: Sequence[Pair], vocab: Mapping[int, bytes], tie_break: str) -> Pair:
    """Choose the pair to merge among equally frequent ones, which are given in the order first seen."""
    if tie_break == "first-seen":
        return tied[0]
    if tie_break == "lowest-ids":
        return min(tied)
    assert tie_break == "greatest-bytes"
    greatest = max((vocab[left], vocab[right]) for left, right in tied)
    return min(pair for pair in tied if (vocab[pair[0]], vocab[pair[1]]) == greatest)


# ---------------------------------------------------------------- training


def join_everywhere(sequences: list[list[int]], pair: Pair, new: int) -> tuple[list[list[int]], int]:
    """Join `pair` in all sequences; also return how many symbols fewer they have."""
    joined = [join(sequence, pair, new) for sequence in sequences]
    return joined, sum(map(len, sequences)) - sum(map(len, joined))


def apply_known(known: list[tuple[Pair, int]], sequences: list[list[int]]) -> tuple[list[Learned], list[list[int]]]:
    """Apply merges that were learned elsewhere, frequent here or not."""
    history = []
    for pair, new in known:
        counts = count_pairs(sequences)
        here = counts.get(pair, 0)
        tied_with = sum(count == here for count in counts.values()) - 1 if here else 0
        sequences, merged = join_everywhere(sequences, pair, new)
        history.append(Learned(*pair, new, here, merged, tied_with))
    return history, sequences


def train(
    texts: str | Iterable[str],
    *,
    num_merges: int | None = None,
    vocab_size: int | None = None,
    split_pattern: str | None = None,
    alphabet: str = "bytes",
    end_of_word: str | None = None,
    tie_break: str = "first-seen",
    min_count: int = 2,
    max_token_length: int | None = None,
    special_tokens: Sequence[str] = (),
    initial: Trained | None = None,
) -> Trained:
    """Learn merges, recounting all pairs at every step. `split_pattern` is the pattern itself, not a name.

    `max_token_length` is in bytes, or in characters if that is the alphabet. The merges of `initial`, from whose
    alphabet all texts must be, come first, frequent or not.
    """
    marks = end_of_word is not None
    cut_here = dict.fromkeys(special_tokens, -1)
    ordinary = [
        piece.text
        for text in ([texts] if isinstance(texts, str) else texts)
        for piece in pretokens(repair(text)[0], split_pattern, marks, cut_here)
        if piece.special is None
    ]
    unit_sequences = [units(piece, alphabet, marks) for piece in ordinary]
    symbols = initial.symbols if initial else alphabet_symbols(unit_sequences, alphabet, marks)
    number = {unit: i for i, unit in enumerate(symbols)}
    sequences = [[number[unit] for unit in sequence] for sequence in unit_sequences]

    vocab = initial.vocab if initial else dict(enumerate(symbols))
    known = list(initial.merges.items()) if initial else []
    wanted = num_merges
    if vocab_size is not None:
        wanted = vocab_size - len(symbols) - len(special_tokens)
    history, sequences = apply_known(known, sequences)
    merges = dict(known)
    while wanted is None or len(merges) < wanted + len(known):
        counts = count_pairs(sequences)
        if max_token_length is not None:
            lengths = {i: len(data.decode() if alphabet == "characters" else data) for i, data in vocab.items()}
            counts = {pair: n for pair, n in counts.items() if sum(map(lengths.__getitem__, pair)) <= max_token_length}
        most = max(counts.values(), default=0)
        if most < min_count or not counts:
            break
        tied = [pair for pair, count in counts.items() if count == most]
        pair = choose(tied, vocab, tie_break)
        new = max(vocab) + 1
        sequences, merged = join_everywhere(sequences, pair, new)
        merges[pair] = new
        vocab[new] = vocab[pair[0]] + vocab[pair[1]]
        history.append(Learned(*pair, new, most, merged, len(tied) - 1))
    stopped = "size" if wanted is not None and len(merges) == wanted + len(known) else "min_count"
    if initial:
        return Trained(split_pattern, alphabet, marks, symbols, merges, initial.specials, history, stopped)
    specials = {text: len(vocab) + i for i, text in enumerate(special_tokens)}  # always the last ids
    return Trained(split_pattern, alphabet, marks, symbols, merges, specials, history, stopped)


# ---------------------------------------------------------------- encoding


def allowed(trained: Trained, allowed_special: str | Iterable[str]) -> dict[str, int]:
    """Return the special tokens in `allowed_special` ("all" or some of their texts)."""
    if allowed_special == "all":
        return trained.specials
    return {text: trained.specials[text] for text in allowed_special}


def sequences_of(
    trained: Trained, text: str, allowed_special: str | Iterable[str] = ()
) -> tuple[list[Piece], list[list[int]]]:
    """Return a text's pre-tokens, and the symbols of each before any merge. A special token is one symbol."""
    repaired, _ = repair(text)
    pieces = pretokens(repaired, trained.split_pattern, trained.marks, allowed(trained, allowed_special))
    number = {unit: i for i, unit in enumerate(trained.symbols)}
    sequences = [
        [piece.special]
        if piece.special is not None
        else [number[unit] for unit in units(piece.text, trained.alphabet, trained.marks)]
        for piece in pieces
    ]
    return pieces, sequences


def encode_sequence(sequence: Sequence[int], merges: Mapping[Pair, int]) -> list[int]:
    """Join the leftmost pair of the lowest rank, one place at a time.

    >>> encode_sequence([1, 1, 1, 2], {(1, 1): 3, (1, 2): 4, (3, 4): 5})
    [5]
    """
    rank = {pair: i for i, pair in enumerate(merges)}
    symbols = list(sequence)
    while True:
        found = [(rank[pair], place) for place, pair in enumerate(pairwise(symbols)) if pair in rank]
        if not found:
            return symbols
        _, place = min(found)
        symbols[place : place + 2] = [merges[symbols[place], symbols[place + 1]]]


def encode(trained: Trained, text: str, allowed_special: str | Iterable[str] = ()) -> list[int]:
    """Return the ids of a text."""
    _, sequences = sequences_of(trained, text, allowed_special)
    return [symbol for sequence in sequences for symbol in encode_sequence(sequence, trained.merges)]


def tokenize(trained: Trained, text: str, allowed_special: str | Iterable[str] = ()) -> list[Token]:
    """Return the tokens of a text with the bytes they cover."""
    pieces, sequences = sequences_of(trained, text, allowed_special)
    vocab = trained.vocab
    tokens: list[Token] = []
    start = 0
    for i, (piece, sequence) in enumerate(zip(pieces, sequences, strict=True)):
        for symbol in encode_sequence(sequence, trained.merges):
            end = start + len(vocab[symbol])
            tokens.append(Token(symbol, start, end, i, piece.special is not None))
            start = end
    return tokens


# ---------------------------------------------------------------- replay


def state(trained: Trained, text: str, k: int, allowed_special: str | Iterable[str] = ()) -> list[int]:
    """Return the ids of a text after the first `k` merges of the tokenizer, applied rank by rank."""
    _, sequences = sequences_of(trained, text, allowed_special)
    for pair, new in list(trained.merges.items())[:k]:
        sequences = [join(sequence, pair, new) for sequence in sequences]
    return [symbol for sequence in sequences for symbol in sequence]


def replay(
    trained: Trained, text: str, allowed_special: str | Iterable[str] = (), order: str = "rank"
) -> tuple[list[Step], list[list[int]]]:
    """Return the steps of a replay, and the ids before the first step and after each.

    "rank": one step is all firings of one rank in the whole text. "pretoken": pre-token by pre-token,
    one step is all firings of one rank in that pre-token.
    """
    _, sequences = sequences_of(trained, text, allowed_special)
    steps: list[Step] = []
    states = [[symbol for sequence in sequences for symbol in sequence]]
    everything = range(len(sequences))
    for group in [everything] if order == "rank" else [range(i, i + 1) for i in everything]:
        for rank, (pair, new) in enumerate(trained.merges.items()):
            before = sum(map(len, sequences))
            for i in group:
                sequences[i] = join(sequences[i], pair, new)
            joined = before - sum(map(len, sequences))
            if joined:
                steps.append(Step(rank, *pair, new, joined))
                states.append([symbol for sequence in sequences for symbol in sequence])
    return steps, states


# ---------------------------------------------------------------- vocabularies of bytes and ids, without merges


def encode_bytes(piece: bytes, ranks: Mapping[bytes, int], below: float = float("inf")) -> list[bytes]:
    """Encode one pre-token with a vocabulary bytes -> id, using only tokens with an id under `below`.

    Two neighbors may join if the result is in the vocabulary; the lowest id goes first, and the leftmost
    of equals. This is the meaning of GPT-2's and cl100k's files.

    >>> encode_bytes(b"abab", {b"a": 0, b"b": 1, b"ab": 2, b"abab": 3}, below=3)
    [b'ab', b'ab']
    """
    parts = [bytes([byte]) for byte in piece]
    while True:
        found = [
            (ranks[left + right], place)
            for place, (left, right) in enumerate(pairwise(parts))
            if ranks.get(left + right, below) < below
        ]
        if not found:
            return parts
        _, place = min(found)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]


def parents(token: bytes, ranks: Mapping[bytes, int]) -> list[bytes]:
    """Return the parts of a token: its bytes encoded using only ids below its own."""
    return encode_bytes(token, ranks, below=ranks[token])


# ---------------------------------------------------------------- tiktoken without a network


def tiktoken_arguments(name: str, ranks: Mapping[bytes, int]) -> dict[str, Any]:
    """tiktoken's own definition of an encoding (pattern, special tokens, size) around the given ranks."""

    def given(*_: object, **__: object) -> dict[bytes, int]:
        return dict(ranks)

    with mock.patch.multiple(openai_public, load_tiktoken_bpe=given, data_gym_to_mergeable_bpe_ranks=given):
        arguments: dict[str, Any] = openai_public.ENCODING_CONSTRUCTORS[name]()
        return arguments


def tiktoken_encoding(name: str, ranks: Mapping[bytes, int]) -> tiktoken.Encoding:
    """Return tiktoken's encoding of that name. If it declares a number of ranks, tiktoken checks that."""
    return tiktoken.Encoding(**tiktoken_arguments(name, ranks))


def pattern_text(split: str | None) -> str | None:
    """Resolve a `split_pattern`: the pattern of a name, or the pattern itself."""
    published = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
    if split in published:
        pattern: str = tiktoken_arguments(published[split], {})["pat_str"]
        return pattern
    return WORDS if split == "words" else split


def words(text: str) -> list[tuple[int, int]]:
    """Where words start and end: the segments of UAX #29 that hold a letter or a digit, rule by rule."""
    cuts = [0, *(place for place in range(1, len(text)) if is_word_boundary(text, place)), len(text)]
    return [span for span in pairwise(cuts) if regex.search(r"[\p{L}\p{Nl}\p{Nd}]", text[slice(*span)])]


def is_word_boundary(text: str, place: int) -> bool:
    kinds = list(map(word_break, text))
    left, right = kinds[place - 1], kinds[place]
    if (left, right) == ("CR", "LF"):  # WB3
        return False
    if {left, right} & LINE_ENDS:  # WB3a, WB3b
        return True
    if left == "ZWJ" and regex.match(r"\p{Extended_Pictographic}", text[place]):  # WB3c
        return False
    if left == right == "WSegSpace" or right in IGNORED:  # WB3d, WB4
        return False
    before = [kind for at, kind in enumerate(kinds[:place]) if is_first(kinds, at)]
    after = [kind for kind in kinds[place:] if kind not in IGNORED]  # this one is not
    left, left2 = before[-1], "".join(before[-2:-1])
    right2 = "".join(after[1:2])
    hebrew = "Hebrew_Letter"
    unbroken = (
        left in LETTERS and right in LETTERS,  # WB5
        left in LETTERS and right in BETWEEN_LETTERS and right2 in LETTERS,  # WB6
        left2 in LETTERS and left in BETWEEN_LETTERS and right in LETTERS,  # WB7
        left == hebrew and right == "Single_Quote",  # WB7a
        left == hebrew and right == "Double_Quote" and right2 == hebrew,  # WB7b
        left2 == hebrew and left == "Double_Quote" and right == hebrew,  # WB7c
        left == right == "Numeric",  # WB8
        left in LETTERS and right == "Numeric",  # WB9
        left == "Numeric" and right in LETTERS,  # WB10
        left2 == "Numeric" and left in BETWEEN_DIGITS and right == "Numeric",  # WB11
        left == "Numeric" and right in BETWEEN_DIGITS and right2 == "Numeric",  # WB12
        left == right == "Katakana",  # WB13
        left in CONNECTED | {"ExtendNumLet"} and right == "ExtendNumLet",  # WB13a
        left == "ExtendNumLet" and right in CONNECTED,  # WB13b
    )
    return not any(unbroken)  # WB15 and WB16 are about flags, which hold no letter


def is_first(kinds: Sequence[str], at: int) -> bool:
    """False for what belongs to the character before it (WB4)."""
    return kinds[at] not in IGNORED or at == 0 or kinds[at - 1] in LINE_ENDS


@cache
def word_break(char: str) -> str:
    return next((kind for kind in WORD_BREAKS if regex.match(rf"\p{{WB={kind}}}", char)), "Other")


LINE_ENDS = {"CR", "LF", "Newline"}
IGNORED = {"Extend", "Format", "ZWJ"}
LETTERS = {"ALetter", "Hebrew_Letter"}
BETWEEN_LETTERS = {"MidLetter", "MidNumLet", "Single_Quote"}
BETWEEN_DIGITS = {"MidNum", "MidNumLet", "Single_Quote"}
CONNECTED = {"ALetter", "Hebrew_Letter", "Numeric", "Katakana"}
WORD_BREAKS = (
    LINE_ENDS | IGNORED | BETWEEN_LETTERS | BETWEEN_DIGITS | CONNECTED | {"ExtendNumLet", "Double_Quote", "WSegSpace"}
)
