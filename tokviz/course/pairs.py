"""Figures of the chapter "pairs": choosing which pair to join, and what it costs to apply merges."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from tokviz.bpe.training import TIE_BREAKS, TieBreak
from tokviz.course.figure import (
    MAX_LONG,
    OWN_TEXT,
    Figure,
    Part,
    Question,
    bars,
    note,
    numbers_in,
    rounded,
    says,
)
from tokviz.display import counted, shown
from tokviz.pretrained import load
from tokviz.texts import repair
from tokviz.tokenizers.bpe import BPETokenizer

MAX_BYTES = 200
"""Maximum bytes of a text of which pairs are chosen."""

MAX_CHOSEN = 100
"""Maximum pairs that are chosen one after the other."""

MAX_LISTED = 16
"""Maximum pairs that are offered, the most frequent first."""

MAX_COST_BYTES = 2_000
"""Maximum bytes of a text of which the work of applying merges is counted."""

Pair = tuple[int, int]

Symbol = TypeVar("Symbol")


def choosing(text: str, chosen: Sequence[Pair]) -> dict[str, Any]:
    """Join the chosen pairs in a text, one after the other, and list the pairs that can be joined next.

    A pair is two ids: 0 to 255 are bytes, and the pair that was chosen first makes 256. One that is not there is left
    out, with all that come after it. `last` says how the last choice compares with the rule.
    """
    row = list(repair(text)[0].encode()[:MAX_BYTES])
    tokens = [bytes([byte]) for byte in range(256)]
    last = None
    joined: list[Pair] = []
    for pair in chosen[:MAX_CHOSEN]:
        counts = Counter(pairwise(row))
        if pair not in counts:
            break
        last = _verdict(row, tokens, pair)
        row = join(row, pair, len(tokens))
        tokens.append(tokens[pair[0]] + tokens[pair[1]])
        joined.append(pair)
    return {
        "symbols": [{"id": symbol, "text": shown(tokens[symbol])} for symbol in row],
        "chosen": joined,
        "pairs": [_listed(row, tokens, pair, count) for pair, count in Counter(pairwise(row)).most_common(MAX_LISTED)],
        "more": max(0, len(set(pairwise(row))) - MAX_LISTED),
        "last": last,
    }


def join(row: Sequence[Symbol], pair: tuple[Symbol, Symbol], new: Symbol) -> list[Symbol]:
    """Put `new` wherever a pair stands, from left to right.

    >>> join([1, 1, 1, 2], (1, 1), 9)
    [9, 1, 2]
    """
    joined: list[Symbol] = []
    for symbol in row:
        if joined and (joined[-1], symbol) == pair:
            joined[-1] = new
        else:
            joined.append(symbol)
    return joined


def best_pairs(row: Sequence[int], tokens: Sequence[bytes]) -> dict[TieBreak, Pair]:
    """Return the pair that each tie rule joins next: one of the most frequent."""
    counts = Counter(pairwise(row))
    most = max(counts.values())
    tied = [pair for pair, count in counts.items() if count == most]  # in the order in which they are first seen
    greatest = max(tied, key=lambda pair: (tokens[pair[0]], tokens[pair[1]]))
    return dict(zip(TIE_BREAKS, (tied[0], min(tied), greatest), strict=True))


def _listed(row: Sequence[int], tokens: Sequence[bytes], pair: Pair, count: int) -> dict[str, Any]:
    places = len(row) - len(join(row, pair, -1))
    return {
        "pair": pair,
        "left": shown(tokens[pair[0]]),
        "right": shown(tokens[pair[1]]),
        "count": count,
        "joined": places,
    }


def _verdict(row: Sequence[int], tokens: Sequence[bytes], pair: Pair) -> dict[str, Any]:
    """Compare a choice with the rule: how often the pair was there, how often the most frequent, and who is tied."""
    counts = Counter(pairwise(row))
    most = max(counts.values())
    tied = sum(count == most for count in counts.values())
    rules = {rule: [shown(tokens[symbol]) for symbol in best] for rule, best in best_pairs(row, tokens).items()}
    allows = [rule for rule, best in best_pairs(row, tokens).items() if best == pair]
    return {**_listed(row, tokens, pair, counts[pair]), "most": most, "tied": tied, "rules": rules, "allows": allows}


# What it costs


class Cost(NamedTuple):
    """How many pairs of neighbors are looked at while merges are applied, by three ways to the same tokens."""

    all_merges: int
    lowest_first: int
    new_neighbors: int


def cost(text: str, tokenizer: BPETokenizer) -> Cost:
    """Count the pairs that each way looks at in a text, of which the pre-tokens are merged one by one.

    `all_merges` goes through all merges in order, and for each through all pairs; `lowest_first` looks for the pair
    that was learned first, joins it, and looks at all pairs again; `new_neighbors` looks at a pair only once, when its
    two come to stand side by side. All three end in the same tokens.
    """
    ranks = _ranks(tokenizer)
    total = Cost(0, 0, 0)
    for piece, times in Counter(tokenizer.pretokens(repair(text)[0])).items():
        each = _cost_of(piece.encode(), ranks)
        total = Cost(*(so_far + times * looks for so_far, looks in zip(total, each, strict=True)))
    return total


def _cost_of(piece: bytes, ranks: Mapping[tuple[bytes, bytes], int]) -> Cost:
    """Count for one pre-token."""
    row = [bytes([byte]) for byte in piece]
    all_merges, done = 0, 0
    lowest_first = new_neighbors = len(row) - 1
    while len(row) > 1:
        best = min(pairwise(row), key=lambda pair: ranks.get(pair, len(ranks)))
        if best not in ranks:
            break
        all_merges += (ranks[best] + 1 - done) * (len(row) - 1)
        done = ranks[best] + 1
        row, new = _joined(row, best)
        lowest_first += len(row) - 1
        new_neighbors += new
    return Cost(all_merges + (len(ranks) - done) * (len(row) - 1), lowest_first, new_neighbors)


def _joined(row: Sequence[bytes], pair: tuple[bytes, bytes]) -> tuple[list[bytes], int]:
    """Join a pair wherever it stands, and count the pairs that are new then."""
    marked = join([(token, False) for token in row], ((pair[0], False), (pair[1], False)), (b"".join(pair), True))
    new = sum(left[1] or right[1] for left, right in pairwise(marked))
    return [token for token, _ in marked], new


@lru_cache(maxsize=4)
def _ranks(tokenizer: BPETokenizer) -> dict[tuple[bytes, bytes], int]:
    vocab = tokenizer.vocab
    return {(vocab[left], vocab[right]): rank for rank, (left, right) in enumerate(tokenizer.merges)}


def cost_in_gpt2(text: str) -> dict[str, Any]:
    """Count for GPT-2's merges on the beginning of a text."""
    data = repair(text)[0].encode()
    part = data[:MAX_COST_BYTES].decode("utf-8", "ignore")
    tokenizer = load("gpt2")
    return {
        **cost(part, tokenizer)._asdict(),
        "bytes": len(part.encode()),
        "cut": len(data) > len(part.encode()),
        "tokens": len(tokenizer.encode(part)),
    }


def cost_bars(text: str) -> list[Part]:
    """Compare what the three ways look at."""
    found = cost_in_gpt2(text)
    ways = {
        "merge after merge": found["all_merges"],
        "look at all pairs after each merge": found["lowest_first"],
        "look only at the new pairs": found["new_neighbors"],
    }
    title = note("Pairs that are looked at, word by word, until all merges are done:")
    return [title, bars(ways.items()), says(say_cost(found))]


def say_cost(found: Mapping[str, Any]) -> str:
    """Say how many times as many pairs the first way looks at as the last."""
    size = f"{counted('byte', found['bytes'])}, {counted('token', found['tokens'])}."
    text = f"The first {size}" if found["cut"] else size
    if not found["new_neighbors"]:
        return f"{text} No two neighbors, no work."
    times = rounded(found["all_merges"] / found["new_neighbors"])
    return f"{text} The first way looks at {times} times as many pairs as the last."


def _choose(text: str, chosen: str = "") -> dict[str, Any]:
    if len(text.encode()) > MAX_BYTES:
        raise ValueError(f"this figure takes texts of up to {MAX_BYTES} bytes")
    ids = numbers_in(chosen)
    return choosing(text, list(zip(ids[::2], ids[1::2], strict=False)))


def _ask(value: str, _: str) -> Iterator[Question]:
    """Ask about the most frequent pairs to the end, and at each step about all other choices."""
    text, _, chosen = value.rpartition(";")
    while True:
        yield "pairs", text, {"chosen": chosen}
        offered = _choose(text, chosen)["pairs"]
        steps = [",".join(filter(None, (chosen, "-".join(map(str, each["pair"]))))) for each in offered]
        yield from (("pairs", text, {"chosen": step}) for step in steps)
        if not steps or offered[0]["count"] == 1:
            return
        chosen = steps[0]


FIGURES = {
    "pairs": Figure(_choose, asks=_ask),
    "cost": Figure(cost_bars, MAX_LONG, OWN_TEXT),
}
