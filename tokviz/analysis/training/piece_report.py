"""Report on a tokenizer that another library trained: how well it compresses, and what its pieces do not spell."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokviz.analysis.availability import text_bytes
from tokviz.analysis.training.report import Packed, Peers, peer_compression
from tokviz.arrays import Int64Array
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

MAX_RARE = 30
"""Maximum rare characters or words listed."""

_SNIPPET = 24  # code points on each side of a rare character
_PLAIN_SNIPPET = 60  # code points of a text without rare ones


class PieceReport(NamedTuple):
    """Compression by a trained tokenizer and by known ones, and what has no piece.

    `counts` holds, by token id, how often the token occurs in the training texts; `learned_from` and `measured` are as
    in `Report`. `rare` are the characters (words of a WordPiece tokenizer) that no piece spells, with how often they
    occur, the most frequent first; `num_rare` is the number of all different ones, `rare_times` their total, and
    `num_different` and `total` are those of all characters (0 for words). `unknown` and `from_bytes` are the numbers of
    tokens that are unknown, or one byte of such a character. `snippet` is a part of the texts with one of them, if any.
    """

    counts: Int64Array
    learned_from: list[Packed]
    measured: list[Packed]
    rare: list[tuple[str, int]]
    num_rare: int
    rare_times: int
    num_different: int
    total: int
    unknown: int
    from_bytes: int
    snippet: str


def piece_report(
    tokenizer: EngineTokenizer, texts: Sequence[str], others: Sequence[str] = (), peers: Peers | None = None
) -> PieceReport:
    """Measure a trained tokenizer on its training texts and on `others`. `peers` is as in `report`."""
    by_peers_on_texts, by_peers_on_others = peers or peer_compression(texts, others)
    rare: Counter[str] = Counter()
    for text in texts:
        rare += rare_parts(tokenizer, text)
    counts, on_texts = _counted(tokenizer, texts)
    model = tokenizer.model
    characters = Counter("".join(texts)) if tokenizer.algorithm != "wordpiece" else Counter[str]()
    return PieceReport(
        counts,
        [on_texts, *by_peers_on_texts],
        [_counted(tokenizer, others)[1], *by_peers_on_others] if any(others) else [],
        rare.most_common(MAX_RARE),
        len(rare),
        rare.total(),
        len(characters),
        characters.total(),
        0 if model.unknown is None else int(counts[model.unknown]),
        int(counts[list(model.byte_ids.values())].sum()),
        snippet(texts, rare),
    )


def _counted(tokenizer: EngineTokenizer, texts: Sequence[str]) -> tuple[Int64Array, Packed]:
    """Count how often each token occurs in texts, by id, and the bytes that their tokens stand for.

    A token stands for at most the bytes it covers: repeated spaces that were dropped are covered by a neighbor. Tokens
    that share one character of the text are taken together, as the last covers all of it and the others nothing.
    """
    lengths = np.zeros(tokenizer.vocab_size, np.int64)
    for token in tokenizer.vocab:
        lengths[token] = 0 if token == tokenizer.model.unknown else len(text_bytes(tokenizer, token))
    counts, size, spelled = np.zeros(len(lengths), np.int64), 0, 0
    for text in texts:
        tokenization = tokenizer.tokenize(text)
        counts += np.bincount(tokenization.ids, minlength=len(counts))
        covered = np.diff(tokenization.byte_offsets)
        covers = covered > 0
        groups: Int64Array = np.cumsum(covers) - covers
        of_tokens, of_text = (np.bincount(groups, weights) for weights in (lengths[tokenization.ids], covered))
        spelled += int(np.minimum(of_tokens, of_text).sum())
        size += len(text.encode())
    return counts, Packed(tokenizer.name, size, spelled, int(counts.sum()))


def rare_parts(tokenizer: EngineTokenizer, text: str) -> Counter[str]:
    """Count the characters of a text that no piece spells, whether they become `<unk>` or bytes; or, for WordPiece,
    the words that become unknown."""
    if isinstance(tokenizer, SentencePieceTokenizer):
        without = tokenizer.with_byte_fallback(False)
        characters = "".join(unknown_parts(without, text))
        # A character that the model drops, such as a joiner, counts as part of its neighbor.
        rare = {each for each in set(characters) if without.model.unknown in without.encode(each)}
        return Counter(each for each in characters if each in rare)
    # A space that is dropped counts as part of its neighbor.
    return Counter(part.strip() for part in unknown_parts(tokenizer, text))


def unknown_parts(tokenizer: Tokenizer, text: str) -> list[str]:
    """Return the parts of a text that became unknown tokens, in order."""
    tokenization = tokenizer.tokenize(text)
    offsets = tokenization.code_point_offsets
    places = np.flatnonzero(tokenization.ids == tokenizer.unknown).tolist()
    return [tokenization.text[offsets[place] : offsets[place + 1]] for place in places]


def snippet(texts: Sequence[str], rare: Counter[str]) -> str:
    """Return a short part of the texts, around the most frequent rare character or word that one can see, if any."""
    seen = next((part for part, _ in rare.most_common() if part.strip() and part.isprintable()), "")
    text = next((each for each in texts if seen in each and each.strip()), "")
    place = text.find(seen) if seen else 0
    start, end = max(0, place - _SNIPPET), place + (len(seen) + _SNIPPET if seen else _PLAIN_SNIPPET)
    # Whole words, where there are spaces.
    start = text.find(" ", start, place) + 1 or start if start else 0
    last = text.rfind(" ", place + len(seen), end) if end < len(text) else len(text)
    return " ".join(text[start : last if last > place else end].split())
