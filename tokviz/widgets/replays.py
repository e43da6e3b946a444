"""Columns of a replay: everything the browser needs to show merges step by step; it runs no tokenizer.

The columns:

    symbols                     the ids before the first merge
    removed_at                  the step that removes the boundary before each symbol (see `Replay`)
    pretoken_symbols, branches  for each pre-token, its number of symbols and the branch of the pattern that matched it
    cut_out_lengths, cut_out_bytes                  what each added token covers, which may be more than its own bytes
    ranks, lefts, rights, new_ids, places           the steps
    counts, tied                                    for each step, if it was learned from this text
    pair_lefts, pair_rights, pair_ranks             every pair that is ever adjacent and has a rank
    token_ids, token_lengths, token_bytes           every id that occurs, and the bytes of each, concatenated

The text itself is the concatenated bytes of `symbols`, where an added token counts as the bytes it covers.
"""

import html
from typing import Any

import numpy as np

from tokviz.analysis.branches import labels, pretoken_branches
from tokviz.analysis.reasons import added_ids
from tokviz.bpe.replay import Order
from tokviz.formats import PreparedTokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.replay import Replay
from tokviz.widgets.columns import Column, pack
from tokviz.widgets.html import standalone_page

Columns = dict[str, Column]

LIMIT = 100_000
"""Maximum length of a replayed text in bytes; up to this length a browser shows any step within one frame."""

WRITINGS = ("text", "hex", "ids", "letters")
"""Notations for symbols."""


def apply_columns(replay: Replay) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and metadata of a replay of encoding a text."""
    tokenizer, columns = _tokenizer(replay), _columns(replay)
    order: Order = replay.order if tokenizer.in_order else "pretoken"  # the only order its steps have
    return columns, {"story": "apply", "order": order, **_metadata(tokenizer, columns)}


def learn_columns(replay: Replay) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and metadata of a replay that re-enacts training.

    Its text is the only one that the tokenizer was trained on, and has no special tokens. Raises ValueError for a
    tokenizer that was not trained here.
    """
    tokenizer = _tokenizer(replay)
    training = tokenizer.training
    if training is None:
        raise ValueError(f"{tokenizer.name} was not trained here, so how it was learned is not known")
    columns = _columns(replay)
    columns["counts"] = training.counts.astype(np.int32)
    columns["tied"] = training.tied.astype(np.int32)
    learned = {"ties": training.tie_break, "stopped": training.stopped}
    return columns, {"story": "learn", "order": "rank", **learned, **_metadata(tokenizer, columns)}


def page(
    columns: Columns, meta: dict[str, Any], step: int = -2, writing: str = "text", *, predict: bool = False
) -> str:
    """Return the replay player as a self-contained HTML page, opened at `step`: -2 is the text, -1 its pre-tokens.

    With `predict`, the player stops before each merge and asks which pair comes next.
    """
    start = {"steps": {meta["story"]: step}, "writing": writing, "predict": predict}
    title = "How merges are learned" if meta["story"] == "learn" else f"How {meta['tokenizer']} reads a text"
    return standalone_page("replay", {"replay": pack(columns, meta), "start": start}, title)


def notebook_player(replay: Replay) -> str:
    """Return the player in an iframe for trusted notebooks, or a notice if the text is longer than `LIMIT`."""
    if len(replay.text.encode()) > LIMIT:
        return f"<p>A text of more than {LIMIT:,} bytes is not shown here, but its states are all there.</p>"
    player = html.escape(page(*apply_columns(replay)))
    frame = f'<iframe srcdoc="{player}" title="Merge replay" style="width: 100%; height: 46rem; border: 0"></iframe>'
    # Untrusted notebooks drop the iframe but keep the paragraph.
    return f"{frame}<p>If you see no player above, run this cell: it is shown only in notebooks that you trust.</p>"


def _tokenizer(replay: Replay) -> BPETokenizer:
    assert isinstance(replay.tokenizer, BPETokenizer)  # no other has merges to replay
    return replay.tokenizer


def _columns(replay: Replay) -> Columns:
    tokenizer = _tokenizer(replay)
    pieces = pretoken_branches(tokenizer, replay.text, replay.allowed_special)
    pairs = replay.candidates()
    used_ids = np.unique(np.concatenate((replay.symbols, replay.new_ids, pairs.lefts, pairs.rights)))
    tokens = [tokenizer.vocab[token] for token in used_ids.tolist()]
    added_bytes = _added_token_bytes(replay)
    return {
        "symbols": replay.symbols,
        "removed_at": replay.removed_at,
        "pretoken_symbols": np.bincount(replay.pretoken_index, minlength=len(pieces)).astype(np.int32),
        "branches": np.array([branch for _, branch in pieces], np.uint8),
        "cut_out_lengths": np.array([len(part) for part in added_bytes], np.int32),
        "cut_out_bytes": np.frombuffer(b"".join(added_bytes), np.uint8),
        "ranks": replay.ranks,
        "lefts": replay.lefts,
        "rights": replay.rights,
        "new_ids": replay.new_ids,
        "places": replay.places.astype(np.int32),
        "pair_lefts": pairs.lefts,
        "pair_rights": pairs.rights,
        "pair_ranks": pairs.ranks,
        "token_ids": used_ids.astype(np.int32),
        "token_lengths": np.array([len(token) for token in tokens], np.int32),
        "token_bytes": np.frombuffer(b"".join(tokens), np.uint8),
    }


def _added_token_bytes(replay: Replay) -> list[bytes]:
    """Bytes covered by added tokens: their text and the white space they absorb. Only prepared texts have any."""
    if not isinstance(replay.tokenizer, PreparedTokenizer):
        return []
    parts = replay.tokenizer.parts(replay.text, replay.allowed_special)
    return [part.encode() for part, is_added in parts if is_added]


def _metadata(tokenizer: BPETokenizer, columns: Columns) -> dict[str, Any]:
    used_ids = columns["token_ids"].tolist()
    special = set(used_ids) & set(tokenizer.special_tokens.values())
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
        "added": sorted(added_ids(tokenizer) & set(used_ids)),
    }
