"""Cached results of the analyses behind the charts, for each text and tokenizer.

Tokenizers are given by their names in the registry. What is worked out of a vocabulary is kept as long
as the registry keeps its tokenizer.
"""

from typing import NamedTuple

from tokviz.analysis import curves
from tokviz.analysis.audit import audit_rows
from tokviz.analysis.curves import CompressionCurve, compression_curve
from tokviz.analysis.frequencies import TokenFrequency, count_tokens, token_frequencies
from tokviz.analysis.measures import Measurement, measure
from tokviz.analysis.reach import Reach, TokenReach, token_reach
from tokviz.analysis.vocabulary import VocabularyEntry, token_kinds, vocabulary_table
from tokviz.analysis.vocabulary_search import passing
from tokviz.app.compression.results import kept
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.tokenizers.bpe import BPETokenizer


class Choice(NamedTuple):
    """A chosen tokenizer: its name in the registry, and its label for people."""

    name: str
    label: str


@kept
def curve(text: str, name: str) -> CompressionCurve:
    """Return the compression curve of a text."""
    return compression_curve(text, registry.get(name))


@kept
def training_curve(name: str) -> CompressionCurve | None:
    """Return the compression curve of the text that a tokenizer was trained on; None if it wasn't trained here."""
    tokenizer = registry.get(name)
    if not isinstance(tokenizer, BPETokenizer) or tokenizer.training is None:
        return None
    return compression_curve(None, tokenizer)


def has_merges(name: str) -> bool:
    """Return whether a tokenizer merges."""
    return isinstance(registry.get(name), BPETokenizer)


def has_curve(name: str) -> bool:
    """Return whether a tokenizer has a compression curve."""
    return curves.has_curve(registry.get(name))


def measurements(texts: dict[str, str], choices: list[Choice], reference: str | None = None) -> list[Measurement]:
    """Measure texts, given by title, under the chosen tokenizers, which are named by their labels in the rows."""
    rows = _measurements(texts, [choice.name for choice in choices], reference)
    labels = [choice.label for choice in choices] * len(texts)
    return [row._replace(tokenizer=label) for row, label in zip(rows, labels, strict=True)]


@kept
def _measurements(texts: dict[str, str], names: list[str], reference: str | None) -> list[Measurement]:
    for text in texts.values():
        _check_length(text, *names)
    return measure(texts, [registry.get(name) for name in names], reference=reference)


@kept
def frequencies(text: str, name: str) -> list[TokenFrequency]:
    """Return the tokens of a text by frequency."""
    _check_length(text, name)
    return token_frequencies(text, registry.get(name))


def vocabulary(name: str) -> list[VocabularyEntry]:
    """Return the entries of a vocabulary."""
    return registry.table(name, "vocabulary", lambda: vocabulary_table(registry.get(name)))


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
    return registry.table(name, "vocabulary rows", lambda: _vocabulary_rows(name))


def _vocabulary_rows(name: str) -> list[VocabularyRow]:
    entries = vocabulary(name)
    found = zip(entries, token_reach(registry.get(name), entries), strict=True)
    return [VocabularyRow(*entry[:5], row.reach.value, row.witness, row.reason) for entry, row in found]


def _check_length(text: str, *names: str) -> None:
    """Raise ValueError for a text that is too long for one of these tokenizers."""
    why = registry.too_long_for_engines(len(text.encode("utf-8", "surrogatepass")), names)
    if why:
        raise ValueError(why)


class UseOfTokens(NamedTuple):
    """Ids of the tokens that a text doesn't use, and of the candidates for glitches among them (see `audit`)."""

    unused: frozenset[int]
    glitches: frozenset[int]


@kept
def use_of_tokens(text: str, name: str) -> UseOfTokens:
    """Return which tokens a text doesn't use."""
    _check_length(text, name)
    tokenizer = registry.get(name)
    reach = [TokenReach(row.id, row.bytes, Reach(row.reach), row.witness, row.reason) for row in vocabulary_rows(name)]
    _, counts = count_tokens(text, tokenizer)
    rows = audit_rows(tokenizer, vocabulary(name), reach, counts)
    return UseOfTokens(frozenset(passing(rows, "unused")), frozenset(passing(rows, "glitches")))


class Size(NamedTuple):
    """The size of a vocabulary: its tokens, and its ids up to the highest, some of which may have no token."""

    tokens: int
    ids: int


def vocabulary_size(name: str) -> Size:
    """Return the size of a vocabulary."""
    tokenizer = registry.get(name)
    return Size(len(tokenizer.vocab), tokenizer.vocab_size)


class Cut(NamedTuple):
    """A text, its number of tokens, and their texts."""

    text: str
    tokens: int
    pieces: list[str]


def cut(text: str, name: str) -> Cut:
    """Return how a tokenizer cuts a short ASCII text."""
    pieces = [data.decode() for data in registry.get(name).tokenize(text).token_bytes]
    return Cut(text, len(pieces), pieces)
