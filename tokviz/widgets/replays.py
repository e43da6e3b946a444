"""A replay as columns: all that a browser needs to show merges step by step, without knowing a tokenizer.

The columns:

    symbols                     the ids that the text begins as
    removed_at                  the step that removes the boundary before each symbol (see `Replay`)
    pretoken_symbols, branches  for each pre-token, how many symbols it has, and which branch of the pattern cut it
    cut_out_lengths, cut_out_bytes                  what each added token covers, where that may be more than its bytes
    ranks, lefts, rights, new_ids, places           the steps
    counts, tied                                    of each step, where it was learned from this text
    pair_lefts, pair_rights, pair_ranks             every pair that ever stands together and has a rank
    token_ids, token_lengths, token_bytes           the bytes of every id in play, one after the other

The text itself is the bytes of `symbols`, joined; with what added tokens cover in place of their own.
"""

import html
from collections.abc import Collection
from typing import Any

import numpy as np

from tokviz.analysis.branches import labels, pretoken_branches
from tokviz.analysis.reasons import added_ids
from tokviz.bpe.replay import Order, Replay
from tokviz.formats import PreparedTokenizer
from tokviz.texts import repair
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.widgets.columns import Column, pack
from tokviz.widgets.html import standalone_page

Columns = dict[str, Column]

LIMIT = 100_000
"""The longest text to replay, in bytes. A browser shows any of its steps within a frame."""

WRITINGS = ("text", "hex", "ids", "letters")
"""How symbols may be written."""


def apply_columns(
    tokenizer: BPETokenizer, text: str, allowed_special: Collection[str] = (), order: Order = "rank"
) -> tuple[Columns, dict[str, Any]]:
    """How `tokenizer` reads `text`, as columns and what else there is to say. Errors are those of `replay`."""
    replay = tokenizer.replay(text, allowed_special, order)
    columns = _columns(tokenizer, replay, text, allowed_special)
    shown: Order = order if tokenizer.in_order else "pretoken"  # there is no other order of its steps
    return columns, {"story": "apply", "order": shown, **_about(tokenizer, columns)}


def learn_columns(tokenizer: BPETokenizer, text: str) -> tuple[Columns, dict[str, Any]]:
    """How `tokenizer` was learned from `text`, the one text that it was trained on, without special tokens."""
    training = tokenizer.training
    if training is None:
        raise ValueError(f"{tokenizer.name} was not trained here, so how it was learned is not known")
    columns = _columns(tokenizer, tokenizer.replay(text), text, ())
    columns["counts"] = training.counts.astype(np.int32)
    columns["tied"] = training.tied.astype(np.int32)
    learned = {"ties": training.tie_break, "stopped": training.stopped}
    return columns, {"story": "learn", "order": "rank", **learned, **_about(tokenizer, columns)}


def page(
    columns: Columns, meta: dict[str, Any], step: int = -2, writing: str = "text", *, predict: bool = False
) -> str:
    """The player with this replay as one HTML page that needs no network, at a step: -2 is the text, -1 its pieces.

    With `predict` it stops before each merge and asks which pair comes next.
    """
    start = {"steps": {meta["story"]: step}, "writing": writing, "predict": predict}
    title = "How merges are learned" if meta["story"] == "learn" else f"How {meta['tokenizer']} reads a text"
    return standalone_page("replay", {"replay": pack(columns, meta), "start": start}, title)


def notebook_player(tokenizer: BPETokenizer, text: str, allowed_special: Collection[str], order: Order) -> str:
    """The player in a frame, as a notebook shows it that is trusted; a longer text than `LIMIT` has none."""
    if len(text.encode("utf-8", "surrogatepass")) > LIMIT:
        return f"<p>A text of more than {LIMIT:,} bytes is not shown here, but its states are all there.</p>"
    whole = html.escape(page(*apply_columns(tokenizer, text, allowed_special, order)))
    frame = f'<iframe srcdoc="{whole}" title="Merge replay" style="width: 100%; height: 46rem; border: 0"></iframe>'
    # A notebook that is not trusted leaves out the frame and all in it.
    return f"{frame}<p>If you see no player above, run this cell: it is shown only in notebooks that you trust.</p>"


def _columns(tokenizer: BPETokenizer, replay: Replay, text: str, allowed_special: Collection[str]) -> Columns:
    if isinstance(allowed_special, str):  # "all"
        allowed_special = tokenizer.special_tokens
    pieces = pretoken_branches(tokenizer, repair(text)[0], allowed_special)
    pairs = replay.candidates()
    in_play = np.unique(np.concatenate((replay.symbols, replay.new_ids, pairs.lefts, pairs.rights)))
    tokens = [tokenizer.vocab[token] for token in in_play.tolist()]
    cut_out = _cut_out(tokenizer, text, allowed_special)
    return {
        "symbols": replay.symbols,
        "removed_at": replay.removed_at,
        "pretoken_symbols": np.bincount(replay.pretoken_index, minlength=len(pieces)).astype(np.int32),
        "branches": np.array([branch for _, branch in pieces], np.uint8),
        "cut_out_lengths": np.array([len(part) for part in cut_out], np.int32),
        "cut_out_bytes": np.frombuffer(b"".join(cut_out), np.uint8),
        "ranks": replay.ranks,
        "lefts": replay.lefts,
        "rights": replay.rights,
        "new_ids": replay.new_ids,
        "places": replay.places.astype(np.int32),
        "pair_lefts": pairs.lefts,
        "pair_rights": pairs.rights,
        "pair_ranks": pairs.ranks,
        "token_ids": in_play.astype(np.int32),
        "token_lengths": np.array([len(token) for token in tokens], np.int32),
        "token_bytes": np.frombuffer(b"".join(tokens), np.uint8),
    }


def _cut_out(tokenizer: BPETokenizer, text: str, allowed_special: Collection[str]) -> list[bytes]:
    """What the added tokens cover: their text, and the white space that they take in. Only prepared texts have any."""
    if not isinstance(tokenizer, PreparedTokenizer):
        return []
    return [part.encode() for part, is_added in tokenizer.parts(text, allowed_special) if is_added]


def _about(tokenizer: BPETokenizer, columns: Columns) -> dict[str, Any]:
    in_play = columns["token_ids"].tolist()
    special = set(in_play) & set(tokenizer.special_tokens.values())
    return {
        "tokenizer": tokenizer.name,
        "merges": tokenizer.num_merges,
        "alphabet": len(tokenizer.alphabet.tokens),
        "units": tokenizer.alphabet.units,
        "rewriting": list(tokenizer.rewriting),
        "mark": tokenizer.alphabet.mark,
        "end_of_word": tokenizer.end_of_word,
        "split": bool(tokenizer.split_patterns),
        "branches": labels(tokenizer),
        "special": sorted(special),
        "added": sorted(added_ids(tokenizer) & set(in_play)),
    }
