"""A tokenizer's work on a text, as the Merge replay page shows it: merges, a lattice, or longest matches."""

from collections.abc import Collection
from typing import Any

from tokviz.bpe.merge_replay import Order
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.widgets import replays
from tokviz.widgets.columns import apply_columns
from tokviz.widgets.html import view_page
from tokviz.widgets.lattices import MAX_CHARACTERS, lattice_data
from tokviz.widgets.longest_matches import matches_data
from tokviz.widgets.wire import Columns

VIEWS = ("lattice", "matches")
"""Views of algorithms that merge nothing, as the metadata's `view` names them. Their data are under that name."""

WAYS = 5
"""Best ways of a lattice that are shown."""

MAX_MATCHED = 5_000
"""Maximum code points of a text whose longest matches are shown."""


def steps_of(
    tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = (), order: Order = "rank"
) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and metadata that show how `tokenizer` reads `text`, by its algorithm.

    Raises ValueError if it has no steps, if they can't be shown exactly, and if there are too many of them.
    """
    if isinstance(tokenizer, BPETokenizer):
        return apply_columns(tokenizer.replay(text, allowed_special, order))
    if not isinstance(tokenizer, EngineTokenizer):
        raise ValueError(
            f"{tokenizer.name} can't be replayed: it merges nothing. Choose another tokenizer, such as GPT-2"
        )
    if tokenizer.algorithm == "unigram":
        _check_length(text, MAX_CHARACTERS)
        return {}, _of_view("lattice", lattice_data(tokenizer.lattice(text, WAYS, allowed_special)))
    if tokenizer.algorithm == "wordpiece":
        _check_length(text, MAX_MATCHED)
        return {}, _of_view("matches", matches_data(tokenizer.longest_matches(text, allowed_special)))
    return apply_columns(tokenizer.replay(text, allowed_special, order))


def page(columns: Columns, meta: dict[str, Any], step: int = -2, writing: str = "text") -> str:
    """Return what `steps_of` returned as a self-contained HTML page. For `step` and `writing`, see `replays.page`."""
    view = meta.get("view")
    if view is None:
        return replays.page(columns, meta, step, writing)
    return view_page(view, meta[view])


def _of_view(view: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"story": "apply", "tokenizer": data["tokenizer"], "view": view, view: data}


def _check_length(text: str, most: int) -> None:
    if len(text) > most:
        raise ValueError(f"this text has {len(text):,} characters; {most:,} are shown at most: use its beginning")
