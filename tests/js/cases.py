"""Test cases for node, as JSON: columns as the server sends them, and the expected results."""

import base64
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import chain, pairwise
from random import Random
from typing import Any

import numpy as np
import reference
import regex
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers

import tokviz
from tokviz.bpe import byte_characters
from tokviz.bpe.merge_replay import Order
from tokviz.display import visible
from tokviz.lesson.steps import lesson
from tokviz.samples import sample
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.widgets.columns import apply_columns, learn_columns, token_columns
from tokviz.widgets.seeks import seek_columns
from tokviz.widgets.svg import label_size
from tokviz.widgets.tower_layout import place
from tokviz.widgets.tower_picture import Shown, TowerPicture, Writing
from tokviz.widgets.wire import Columns, pack

TEXTS = (
    "",
    "x",
    "aaaa aaa",
    "a\n\n\nb",
    "I'll tokenize pizza 🍕! She'd say: déjà vu",
    "مرحبا بالعالم! 你好 안녕 👩‍👩‍👧‍👦 ok",
    "שלום עולם 😀😀😀",
    sample("prose-en").text[:600],
)
WORDS = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)
WRITINGS: tuple[Writing, ...] = ("text", "hex", "ids")
LEARNED = ("aaabdaaabac", "the cat in the hat", "she sells sea shells by the sea shore, she does")


def held(columns: dict[str, Any], meta: dict[str, Any]) -> str:
    return base64.b64encode(pack(columns, meta)).decode()


def applied(name: str, text: str, order: Order) -> dict[str, Any]:
    """Return a replay, with the tokens after each step and the ranks of their pairs."""
    tokenizer = tokviz.load(name)
    assert isinstance(tokenizer, BPETokenizer)
    ranks = {pair: rank for rank, pair in enumerate(tokenizer.merges)}
    replay = tokenizer.replay(text, order=order)
    steps = []
    for k in range(len(replay) + 1):
        starts = (replay.removed_at >= k).nonzero()[0].tolist()
        ids = replay.state(k).tolist()
        steps.append({"tokens": list(zip(starts, ids, strict=True)), "ranks": sorted(_ranks(ids, ranks))})
    return {
        "name": f"{name}, {order}: {text[:20]}",
        "held": held(*apply_columns(tokenizer.replay(text, (), order))),
        "steps": steps,
    }


def _ranks(ids: list[int], ranks: dict[tuple[int, int], int]) -> set[int]:
    return {ranks[pair] for pair in pairwise(ids) if pair in ranks}


def learned(text: str, ties: str, pattern: str | None) -> dict[str, Any]:
    """Return a replay of training, with the expected counts from a recount at each step."""
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
    return {"name": name, "held": held(*learn_columns(tokenizer.replay(text))), "steps": steps}


def sought(tokenizer: BPETokenizer, text: str, numbers: Iterable[int]) -> dict[str, Any]:
    """Return a text under any number of merges, with what it is with the first k merges alone, for each k."""
    cuts, ranks = [], tokenizer.replay(text, "all").ranks.tolist()
    for k in numbers:
        cut = first_merges(tokenizer, k).tokenize(text, "all")
        fired = [rank for rank in ranks if rank < k]
        cuts.append(
            {
                "k": k,
                "ids": cut.ids.tolist(),
                "lengths": np.diff(cut.byte_offsets).tolist(),
                "special": cut.special.astype(int).tolist(),
                "ranks": [-1 if (rank := tokenizer.rank(token)) is None else rank for token in cut.ids.tolist()],
                "newest": [fired[-1] + 1, _joins(tokenizer, text, fired[-1])] if fired else None,
            }
        )
    return {
        "name": f"{tokenizer.name}: {text[:20]}",
        "text": text,
        "full": held(token_columns(tokenizer.tokenize(text, "all")), {}),
        "held": held(*seek_columns(tokenizer, text, "all")),
        "cuts": cuts,
    }


first_merges = cache(BPETokenizer.cut)


def _joins(tokenizer: BPETokenizer, text: str, rank: int) -> int:
    """Return how many tokens a text has fewer with a merge than without it."""
    without, with_it = (len(first_merges(tokenizer, k).encode(text, "all")) for k in (rank, rank + 1))
    return without - with_it


def all_sought() -> list[dict[str, Any]]:
    small = tokviz.train(sample("prose-en").text, num_merges=80)
    words = tokviz.train(WORDS, num_merges=30, alphabet="characters", end_of_word="</w>")
    gpt2 = tokviz.load("gpt2")
    assert isinstance(gpt2, BPETokenizer)
    random = Random(0)
    numbers = [0, *(round(50_000 ** random.random()) for _ in range(5)), gpt2.num_merges]
    return [
        *(sought(small, text, range(small.num_merges + 1)) for text in (*TEXTS[:5], "aaaa aaa thethe")),
        sought(words, WORDS, range(words.num_merges + 1)),
        *(sought(gpt2, text, numbers) for text in (*TEXTS, "a<|endoftext|>b")),
    ]


def prepared() -> list[dict[str, Any]]:
    """Return replays of texts that are rewritten or have initial tokens of several bytes, with the expected results."""
    alphabet = {character: value for value, character in enumerate(byte_characters.spell(bytes(range(256))))}
    found = []
    texts = [
        (False, False, "ab <s>\n ab"),
        (False, False, "  ab\t<s>"),
        (False, False, " <s> "),
        (True, False, "cafe\u0301 \u212b"),
        (False, True, "ab"),
        (False, False, "a  ab<s>"),
        (False, False, "  "),
        (False, False, "ab a"),
    ]
    for composes, prefix_space, text in texts:
        engine = Tokenizer(models.BPE({**alphabet, "ab": 300}, [("a", "b")]))
        engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space, use_regex=False)
        if composes:
            engine.normalizer = normalizers.NFC()
        engine.add_tokens(
            [AddedToken("  ", normalized=False), AddedToken("<s>", special=True, lstrip=True, rstrip=True)]
        )
        tokenizer = HuggingFaceTokenizer("own", engine.to_str().encode())
        rewritten = unicodedata.normalize("NFC", text) if composes else f" {text}" if prefix_space else text
        found.append(
            {
                "held": held(*apply_columns(tokenizer.replay(text, "all"))),
                "rewritten": rewritten != text,
                "read": rewritten,
                "bytes": len(rewritten.encode()),
                "cut_out": {"added token": text.count("  "), "special token": text.count("<s>")},
                "other_bytes": len(regex.sub(r"  |\s*<s>\s*", "", rewritten).encode()),
            }
        )
    return found


def towers() -> list[dict[str, Any]]:
    """Return replays with the places of their towers' symbols, in lines of several widths."""
    words = tokviz.train(WORDS, alphabet="characters", end_of_word="</w>")
    gpt2 = tokviz.load("gpt2")
    assert isinstance(gpt2, BPETokenizer)
    drawn = [(words.replay(WORDS), True), *((gpt2.replay(text), False) for text in TEXTS)]
    found = []
    for replay, distinct in drawn:
        made = learn_columns(replay) if distinct else apply_columns(replay)
        places = {columns: place(made[0], columns)._asdict() for columns in (1, 7, 20, 1000)}
        labels = {writing: _labels(*made, writing) for writing in WRITINGS}
        found.append({"held": held(*made), "places": places, "labels": labels})
    return found


def _labels(columns: Columns, meta: dict[str, Any], writing: Writing) -> list[tuple[str, float]]:
    """Return the blocks' labels and their sizes, as in a picture."""
    blocks = TowerPicture(columns, meta, Shown(len(columns["ranks"]), writing), 1000).blocks()
    return [(block.label, label_size(block.label, block.span.width)) for block in blocks]


def spelled() -> list[tuple[str, str]]:
    """Return texts with how people see them: each invisible character alone, after a letter, and after an emoji."""
    # Between the planes with characters there are only those that end each plane, which will never be characters.
    ends = (plane << 16 | end for plane in range(4, 14) for end in (0xFFFE, 0xFFFF))
    points = chain(range(0x40000), ends, range(0xE0000, 0xE0200))
    chars = [char for char in map(chr, points) if visible(char) != char]
    return [
        (text, visible(text))
        for text in (*TEXTS, *(f"{before}{char}" for before in ("", "a", "❤", "🏴") for char in chars))
    ]


def cases() -> dict[str, Any]:
    orders: tuple[Order, ...] = ("rank", "pretoken")
    return {
        "applied": [applied("gpt2", text, order) for text in TEXTS for order in orders],
        "prepared": prepared(),
        "sought": all_sought(),
        "spelled": spelled(),
        "towers": towers(),
        "words": {table: lesson().words[table] for table in ("phones", "slides")},
        "learned": [
            learned(text, ties, pattern)
            for text in LEARNED
            for ties in ("first-seen", "lowest-ids", "greatest-bytes")
            for pattern in (None, reference.WORDS)
        ],
    }
