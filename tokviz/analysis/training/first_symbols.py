"""Code points first or bytes first: what a BPE starts from, as SentencePiece and tiktoken do, and what it costs.

SentencePiece starts from code points. The rarest have no piece: they become `<unk>`, and are lost, or with byte
fallback their bytes, one token each. tiktoken starts from bytes: there is nothing that it has no tokens for, and
frequent sequences of bytes are merged, also across a part of a character.
"""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tokviz.analysis.training.piece_report import unknown_parts
from tokviz.display import hex_bytes
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.tokenizers.engines.training import train_sentencepiece
from tokviz.tokenizers.train import train

MAX_RARE = 50
"""Maximum rare characters listed."""

LEAST_MERGES = 44
"""Least merges beyond all characters, all bytes and the control symbols, for numbers of tokens to say anything. A text
of 1,500 characters gives them in each of the 35 languages of Vim's tutor."""

_BYTES = 256
_CONTROL = 3  # <unk>, <s> and </s>


class FirstSymbols(NamedTuple):
    """One of the three ways to begin, with a tokenizer trained so.

    `tokens` is the number of tokens of the text; `unknown` the number of its code points that became `<unk>`; `parts`
    the number of tokens that are only a part of a character. `is_lossless` says whether decoding gives the text again.
    """

    title: str
    tokenizer: Tokenizer
    tokens: int
    unknown: int
    parts: int
    is_lossless: bool


class RareCharacter(NamedTuple):
    """A character without a piece of its own, how many times it occurs, and the tokens that each way makes of it."""

    character: str
    times: int
    spelled: tuple[tuple[str, ...], ...]


class CodePointsOrBytes(NamedTuple):
    """The ways to begin, and the characters that they treat differently, the most frequent first.

    `vocab_size` is the size that all three vocabularies have. It is None if the text is too short for that: then their
    numbers of tokens can't be compared, only what becomes of the rare characters.
    """

    ways: tuple[FirstSymbols, FirstSymbols, FirstSymbols]
    rare: tuple[RareCharacter, ...]
    vocab_size: int | None


def code_points_or_bytes(text: str, *, vocab_size: int = 1000, character_coverage: float = 0.9995) -> CodePointsOrBytes:
    """Train three BPE tokenizers on a text and compare how they cut it: from code points, with and without bytes to
    fall back to, and from bytes.

    The first two are SentencePiece's, which changes nothing in the text; the third is cut like GPT-2's. All three have
    the same size: `vocab_size`, or the largest that the text gives them all. Raises ValueError if it can't be trained
    on.
    """
    repaired, _ = repair(text)

    def from_code_points(size: int, byte_fallback: bool) -> SentencePieceTokenizer:
        return train_sentencepiece(
            repaired,
            model_type="bpe",
            vocab_size=size,
            character_coverage=character_coverage,
            byte_fallback=byte_fallback,
            add_dummy_prefix=False,
            remove_extra_whitespaces=False,
            normalization_rule_name="identity",
            hard_vocab_limit=False,
        )

    without = from_code_points(vocab_size, False)
    from_bytes = train(repaired, vocab_size=max(vocab_size, _BYTES), split_pattern="gpt2")
    common = min(vocab_size, without.vocab_size, from_bytes.vocab_size)
    is_fair = common >= min(vocab_size, least_size(repaired))
    if is_fair and common < vocab_size:
        without = from_code_points(common, False)
        from_bytes = train(repaired, vocab_size=common, split_pattern="gpt2")
    fallback = from_code_points(common if is_fair else vocab_size, True)
    ways = (
        _measure("code points first, the rest unknown", without, repaired),
        _measure("code points first, then bytes", fallback, repaired),
        _measure("bytes first", from_bytes, repaired),
    )
    rare = Counter("".join(unknown_parts(without, repaired))).most_common(MAX_RARE)
    spellers = (_pieces(without), _pieces(fallback), lambda token: hex_bytes(from_bytes.vocab[token]))
    rows = [RareCharacter(character, times, _spelled(character, ways, spellers)) for character, times in rare]
    return CodePointsOrBytes(ways, tuple(rows), common if is_fair else None)


def least_size(text: str) -> int:
    """Return the least size of a vocabulary worth comparing: all characters, all bytes and some merges."""
    return len(set(text)) + _BYTES + _CONTROL + LEAST_MERGES


def _measure(title: str, tokenizer: Tokenizer, text: str) -> FirstSymbols:
    found = tokenizer.tokenize(text)
    inside = found.inside_character
    parts = int(np.count_nonzero(inside[:-1] | inside[1:]))
    unknown = sum(map(len, unknown_parts(tokenizer, text)))
    is_lossless = tokenizer.decode(found.ids.tolist()) == text
    return FirstSymbols(title, tokenizer, len(found), unknown, parts, is_lossless)


def _pieces(tokenizer: SentencePieceTokenizer) -> Callable[[int], str]:
    return lambda token: tokenizer.model.pieces[token][0]


def _spelled(
    character: str, ways: tuple[FirstSymbols, ...], spellers: tuple[Callable[[int], str], ...]
) -> tuple[tuple[str, ...], ...]:
    pairs = zip(ways, spellers, strict=True)
    return tuple(tuple(map(spell, way.tokenizer.encode(character))) for way, spell in pairs)
