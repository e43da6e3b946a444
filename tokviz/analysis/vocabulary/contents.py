"""Contents of a vocabulary: lengths, scripts, parts of characters, tokens that their own text never gives."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tokviz.analysis.availability import text_bytes
from tokviz.analysis.classes import CLASSES, byte_classes, classes_of_ranges
from tokviz.analysis.corpus import as_tokenizer
from tokviz.analysis.tables import RowList
from tokviz.display import token_text
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.progress import PhaseProgress, no_progress

SPECIAL = "special tokens"
NO_TEXT = "parts of characters"
MARK = "end of a word"

_FIRST_BAND = 256  # number of ranks in the first band of `count_kinds_by_rank`
_REPORTED_EVERY = 1_000  # tokens between two reports of progress
_LONG = 1_000  # characters of a token above which its text is not encoded to find out whether that gives it

# Nothing extends white space, so each token gets the class that it has on its own.
_SEPARATOR = "\n"


@dataclass(frozen=True)
class VocabularySize:
    """The size of a vocabulary, as all pages give it, and what it counts.

    `tokens` are all of its tokens: `merged`, those that some merge makes, however many merges make the same one;
    `special` tokens; and `alphabet`, the others, which is what merging starts from, and tokens that no merge makes.
    `ids` is the highest id plus one (tiktoken's `n_vocab`), which is more if some ids have no token.
    """

    tokens: int
    merged: int
    special: int
    alphabet: int
    ids: int


def vocabulary_size(tokenizer: str | Tokenizer) -> VocabularySize:
    """Count the tokens of a vocabulary.

    >>> vocabulary_size("gpt2")
    VocabularySize(tokens=50257, merged=50000, special=1, alphabet=256, ids=50257)
    """
    tokenizer = as_tokenizer(tokenizer)
    vocab = tokenizer.vocab
    special = vocab.keys() & set(tokenizer.special_tokens.values())
    made = set(tokenizer.merge_results)
    merged = len((vocab.keys() & made) - special)
    return VocabularySize(
        len(vocab), merged, len(special), len(vocab) - merged - len(special), max(vocab, default=-1) + 1
    )


class VocabularyEntry(NamedTuple):
    """A row of `vocabulary_table`: one token.

    `rank` is that of the merge that makes the token, None for the alphabet and special tokens. `text` is None if the
    bytes are not valid UTF-8 on their own: a token may hold part of a character. `kind` is the class of the text's
    first non-white-space character (see `analysis.classes`), or `SPECIAL`, `NO_TEXT` for a part of a character, or
    `MARK` for the end-of-word mark. `reached` says whether encoding the token's own text gives it; None for a special
    token or one without text.
    """

    id: int
    rank: int | None
    bytes: bytes
    text: str | None
    kind: str
    reached: bool | None


def vocabulary_table(tokenizer: str | Tokenizer, *, progress: PhaseProgress | None = None) -> RowList[VocabularyEntry]:
    """One row per entry of a tokenizer's vocabulary, by id. `progress` is called as `audit` says.

    >>> table = vocabulary_table("gpt2")
    >>> sum(entry.text is None for entry in table)
    344
    """
    tokenizer = as_tokenizer(tokenizer)
    specials = set(tokenizer.special_tokens.values())
    kinds = token_kinds(tokenizer)
    entries: RowList[VocabularyEntry] = RowList()
    report = progress or no_progress
    for number, (token, data) in enumerate(sorted(tokenizer.vocab.items())):
        if number % _REPORTED_EVERY == 0:
            report("vocabulary", number, len(tokenizer.vocab))
        if token in specials:
            entries.append(VocabularyEntry(token, None, data, data.decode(), SPECIAL, None))
            continue
        text = token_text(data)
        reached = _is_reached(tokenizer, token, text) if text else None
        entries.append(VocabularyEntry(token, tokenizer.ranks.get(token), data, text, kinds[token], reached))
    report("vocabulary", len(entries), len(entries))
    return entries


def _is_reached(tokenizer: Tokenizer, token: int, text: str) -> bool:
    """Return whether encoding the text of an ordinary token gives it."""
    if len(text) <= _LONG or not tokenizer.tokens_are_merged:
        return token in tokenizer.encode(text)
    # A few tokens of megabytes would take minutes to encode.
    return tokenizer.rank(token) is not None and len(tokenizer.pretokens(text)) == 1


def token_kinds(tokenizer: Tokenizer) -> dict[int, str]:
    """The kind of each token of a vocabulary (see `VocabularyEntry`), by id."""
    specials = set(tokenizer.special_tokens.values())
    kinds = {token: NO_TEXT if data else MARK for token, data in tokenizer.vocab.items()}
    # The marks of a file, such as BERT's ##, are no text.
    texts = {token: text for token in tokenizer.vocab if (text := token_text(text_bytes(tokenizer, token)))}
    return kinds | _kinds(texts) | dict.fromkeys(specials, SPECIAL)


def _kinds(texts: dict[int, str]) -> dict[int, str]:
    joined = _SEPARATOR.join(texts.values())
    ends = np.cumsum([len(text.encode()) + len(_SEPARATOR) for text in texts.values()]) - len(_SEPARATOR)
    starts = np.append(0, ends[:-1] + len(_SEPARATOR))
    classes = classes_of_ranges(byte_classes(joined), starts.astype(np.int32), ends.astype(np.int32))
    return {token: CLASSES[number] for token, number in zip(texts, classes.tolist(), strict=True)}


class LengthCount(NamedTuple):
    """Number of tokens with this length in bytes, and their share of the vocabulary (0 to 1)."""

    bytes: int
    tokens: int
    share: float


def count_lengths(tokens: Iterable[bytes]) -> list[LengthCount]:
    """One row per length of these tokens, the shortest first."""
    counts = Counter(map(len, tokens))
    return [LengthCount(length, number, number / counts.total()) for length, number in sorted(counts.items())]


class KindCount(NamedTuple):
    """Number of tokens of this kind, and their share of the vocabulary (0 to 1)."""

    kind: str
    tokens: int
    share: float


def count_kinds(kinds: Iterable[str]) -> list[KindCount]:
    """One row per kind of the tokens of these kinds, the most frequent first."""
    counts = Counter(kinds)
    return [KindCount(kind, tokens, tokens / counts.total()) for kind, tokens in counts.most_common()]


class RankCount(NamedTuple):
    """Number of tokens of this kind among those that the merges of these ranks make, and their share (0 to 1)."""

    first_rank: int
    last_rank: int
    kind: str
    tokens: int
    share: float


def count_kinds_by_rank(entries: Sequence[VocabularyEntry]) -> list[RankCount]:
    """One row per band of ranks and kind. Bands end before the ranks 256, 512, 1,024 and so on."""
    by_rank = sorted((entry.rank, entry.kind) for entry in entries if entry.rank is not None)
    rows = []
    first, stop = 0, _FIRST_BAND
    while first < len(by_rank):
        band = by_rank[first:stop]
        counts = Counter(kind for _, kind in band)
        rows += [
            RankCount(band[0][0], band[-1][0], kind, tokens, tokens / len(band))
            for kind, tokens in counts.most_common()
        ]
        first, stop = stop, 2 * stop
    return rows
