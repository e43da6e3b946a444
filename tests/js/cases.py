"""What Python knows, as JSON for the tests in node: columns as the server sends them, and what should come of them."""

import base64
from itertools import pairwise
from typing import Any

import reference

import tokviz
from tokviz.bpe.replay import Order
from tokviz.bpe_tokenizer import BPETokenizer
from tokviz.samples import sample
from tokviz.widgets.columns import pack
from tokviz.widgets.replays import apply_columns, learn_columns

TEXTS = (
    "",
    "x",
    "aaaa aaa",
    "I'll tokenize pizza 🍕! She'd say: déjà vu",
    "مرحبا بالعالم! 你好 안녕 👩‍👩‍👧‍👦 ok",
    "שלום עולם 😀😀😀",
    sample("prose-en").text[:600],
)
LEARNED = ("aaabdaaabac", "the cat in the hat", "she sells sea shells by the sea shore, she does")


def held(columns: dict[str, Any], meta: dict[str, Any]) -> str:
    return base64.b64encode(pack(columns, meta)).decode()


def applied(name: str, text: str, order: Order) -> dict[str, Any]:
    """A replay, the tokens that stand after each step, and the ranks of the pairs that do."""
    tokenizer = tokviz.load(name)
    assert isinstance(tokenizer, BPETokenizer)
    ranks = {pair: rank for rank, pair in enumerate(tokenizer.merges)}
    played = tokenizer.replay(text, order=order)
    steps = []
    for k in range(len(played) + 1):
        starts = (played.removed_at >= k).nonzero()[0].tolist()
        ids = played.state(k).tolist()
        steps.append({"tokens": list(zip(starts, ids, strict=True)), "ranks": sorted(_ranks(ids, ranks))})
    return {
        "name": f"{name}, {order}: {text[:20]}",
        "held": held(*apply_columns(tokenizer, text, (), order)),
        "steps": steps,
    }


def _ranks(ids: list[int], ranks: dict[tuple[int, int], int]) -> set[int]:
    return {ranks[pair] for pair in pairwise(ids) if pair in ranks}


def learned(text: str, ties: str, pattern: str | None) -> dict[str, Any]:
    """How merges are learned, against a recount that starts anew at each step."""
    trained = reference.train(text, num_merges=20, tie_break=ties, split_pattern=pattern)
    sequences = [list(piece.encode()) for piece in reference.cut(text, pattern)]
    steps = []
    for step in trained.history:
        counts = reference.count_pairs(sequences)
        steps.append(
            {
                "counts": sorted(counts.values(), reverse=True),
                "next": [step.left, step.right, step.new],
                "count": step.count,
                "tied": step.tied,
                "tokens": sum(map(len, sequences)),
            }
        )
        sequences = [reference.join(sequence, (step.left, step.right), step.new) for sequence in sequences]
    tokenizer = tokviz.train(text, num_merges=20, tie_break=ties, split_pattern=pattern)  # type: ignore[arg-type]
    name = f"{ties}, {'split' if pattern else 'whole'}: {text[:20]}"
    return {"name": name, "held": held(*learn_columns(tokenizer, text)), "steps": steps}


def cases() -> dict[str, Any]:
    orders: tuple[Order, ...] = ("rank", "pretoken")
    return {
        "applied": [applied("gpt2", text, order) for text in TEXTS for order in orders],
        "learned": [
            learned(text, ties, pattern)
            for text in LEARNED
            for ties in ("first-seen", "lowest-ids", "greatest-bytes")
            for pattern in (None, reference.WORDS)
        ],
    }
