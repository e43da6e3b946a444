"""The analyses behind the charts, of texts and of vocabularies. Results are kept, so callers must not modify them.

Tokenizers are given by their names in the registry, which keeps what is worked out of a vocabulary as long as its
tokenizer, and of a text for two minutes.
"""

import hashlib
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from tokviz.analysis.availability import text_bytes
from tokviz.analysis.cost import curves
from tokviz.analysis.cost.curves import CompressionCurve, compression_curve
from tokviz.analysis.cost.measures import Measurement, measure
from tokviz.analysis.vocabulary.audit import audit_rows
from tokviz.analysis.vocabulary.contents import (
    LengthCount,
    VocabularyEntry,
    count_lengths,
    token_kinds,
    vocabulary_table,
)
from tokviz.analysis.vocabulary.frequencies import TokenFrequency, count_tokens, token_frequencies
from tokviz.analysis.vocabulary.reach import TokenReach, token_reach
from tokviz.analysis.vocabulary.search import passing
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.tokenizers.base import Tokenizer

T = TypeVar("T")

KEPT_SECONDS = 120.0
"""Seconds for which the results of a text are kept, as the session of a page that is gone is."""


class Choice(NamedTuple):
    """A chosen tokenizer: its name in the registry, and its label for people."""

    name: str
    label: str


# Texts


def _of_text(name: str, kind: str, text: object, work: Callable[[], T]) -> T:
    """Return the result of `work`, kept by a digest of the whole text: only who sends it again gets its results."""
    digest = hashlib.sha256(repr(text).encode("utf-8", "surrogatepass")).hexdigest()
    return registry.table(name, f"{kind} {digest}", work, KEPT_SECONDS)


def curve(text: str, name: str) -> CompressionCurve:
    """Return the compression curve of a text."""
    return _of_text(name, "curve", text, lambda: compression_curve(text, registry.get(name)))


def measurements(texts: dict[str, str], choices: list[Choice], reference: str | None = None) -> list[Measurement]:
    """Measure texts, given by title, under the chosen tokenizers, which are named by their labels in the rows."""
    columns = [_measured(texts, choice, reference) for choice in choices]
    return [row for rows in zip(*columns, strict=True) for row in rows]


def _measured(texts: dict[str, str], choice: Choice, reference: str | None) -> list[Measurement]:
    for text in texts.values():
        _check_length(text, choice.name)
    rows = _of_text(
        choice.name,
        "measurements",
        (texts, reference),
        lambda: measure(texts, [registry.get(choice.name)], reference=reference),
    )
    return [row._replace(tokenizer=choice.label) for row in rows]


def frequencies(text: str, name: str) -> list[TokenFrequency]:
    """Return the tokens of a text by frequency."""
    _check_length(text, name)
    return _of_text(name, "frequencies", text, lambda: token_frequencies(text, registry.get(name)))


class UseOfTokens(NamedTuple):
    """Ids of the tokens that a text doesn't use, and of the candidates for glitches among them (see `audit`)."""

    unused: frozenset[int]
    glitches: frozenset[int]


def use_of_tokens(text: str, name: str) -> UseOfTokens:
    """Return which tokens a text doesn't use."""
    _check_length(text, name)
    return _of_text(name, "use", text, lambda: _use_of_tokens(text, name))


def _use_of_tokens(text: str, name: str) -> UseOfTokens:
    tokenizer = registry.get(name)
    _, counts = count_tokens(text, tokenizer)
    rows = audit_rows(tokenizer, vocabulary(name), reach(name), counts)
    return UseOfTokens(frozenset(passing(rows, "unused")), frozenset(passing(rows, "glitches")))


def loses_text(text: str, name: str) -> bool:
    """Return whether decoding a text's tokens gives something else, as of a tokenizer that lowers capitals."""
    tokenizer = registry.get(name)
    if tokenizer.takes_split_patterns:
        return False
    _check_length(text, name)
    return _of_text(name, "loss", text, lambda: _is_lost(text, tokenizer))


def _is_lost(text: str, tokenizer: Tokenizer) -> bool:
    try:
        return tokenizer.decode_bytes(tokenizer.encode(text)) != text.encode("utf-8", "replace")
    except ValueError:  # a file's decoder that makes far more of the tokens
        return True


def _check_length(text: str, name: str) -> None:
    """Raise ValueError for a text that is too long for a tokenizer."""
    why = registry.too_long_for_engines(len(text.encode("utf-8", "surrogatepass")), [name])
    if why:
        raise ValueError(why)


class Cut(NamedTuple):
    """A text, its number of tokens, and their texts."""

    text: str
    tokens: int
    pieces: list[str]


def cut(text: str, name: str) -> Cut:
    """Return how a tokenizer cuts a short ASCII text."""
    pieces = [data.decode() for data in registry.get(name).tokenize(text).token_bytes]
    return Cut(text, len(pieces), pieces)


# Vocabularies


def training_curve(name: str) -> CompressionCurve | None:
    """Return the compression curve of the text that a tokenizer was trained on; None if it wasn't trained here."""
    tokenizer = registry.get(name)
    if tokenizer.training is None:
        return None
    return registry.table(name, "training curve", lambda: compression_curve(None, tokenizer))


def has_merges(name: str) -> bool:
    """Return whether a tokenizer merges, here or by its own library."""
    return merges_here(name) or registry.get(name).num_merges > 0


def merges_here(name: str) -> bool:
    """Return whether tokviz applies a tokenizer's merges itself, and so knows the ranks and reach of its tokens."""
    return registry.get(name).merges_here


def has_pieces(name: str) -> bool:
    """Return whether a tokenizer has a vocabulary of pieces that it learned, rather than all bytes or characters."""
    return merges_here(name) or registry.get(name).is_of_library


def has_curve(name: str) -> bool:
    """Return whether a tokenizer has a compression curve."""
    return curves.has_curve(registry.get(name))


def vocabulary(name: str) -> list[VocabularyEntry]:
    """Return the entries of a vocabulary."""
    return registry.table(name, "vocabulary", lambda: vocabulary_table(registry.get(name)))


def reach(name: str) -> list[TokenReach]:
    """Return whether some text reaches each token of a vocabulary."""
    return registry.table(name, "reach", lambda: token_reach(registry.get(name), vocabulary(name)))


def lengths(name: str) -> list[LengthCount]:
    """Return the tokens of a vocabulary by length, without a file's marks such as ##."""
    tokenizer = registry.get(name)
    return registry.table(
        name, "lengths", lambda: count_lengths(text_bytes(tokenizer, token) for token in tokenizer.vocab)
    )


def kinds(name: str) -> dict[int, str]:
    """Return the kind of each token of a vocabulary, by id."""
    return registry.table(name, "kinds", lambda: token_kinds(registry.get(name)))


class VocabularyRow(NamedTuple):
    """A vocabulary row as shown on the page: see `VocabularyEntry` and `TokenReach`."""

    id: int
    rank: int | None
    bytes: bytes
    text: str | None
    kind: str
    reach: str
    witness: str | None
    reason: str


def vocabulary_rows(name: str) -> list[VocabularyRow]:
    """Return the entries of a vocabulary, with whether some text reaches each token."""
    found = zip(vocabulary(name), reach(name), strict=True)
    return [VocabularyRow(*entry[:5], row.reach.value, row.witness, row.reason) for entry, row in found]
