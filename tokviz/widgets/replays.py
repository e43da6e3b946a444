"""The player of a replay as a standalone page and in notebooks."""

from typing import Any, get_args

from tokviz.tokenizers.replay import Replay
from tokviz.widgets.columns import apply_columns
from tokviz.widgets.html import notebook_frame, standalone_page
from tokviz.widgets.tower_picture import Writing
from tokviz.widgets.wire import Columns, pack

LIMIT = 100_000
"""Maximum length of a replayed text in bytes; up to this length a browser shows any step within one frame."""

WRITINGS: tuple[Writing, ...] = get_args(Writing)
"""Notations for symbols."""


def page(
    columns: Columns, meta: dict[str, Any], step: int = -2, writing: str = "text", *, predict: bool = False
) -> str:
    """Return the replay player as a self-contained HTML page. For the arguments, see `player_data`."""
    title = "How merges are learned" if meta["story"] == "learn" else f"How {meta['tokenizer']} reads a text"
    return standalone_page("replay", player_data(columns, meta, step, writing, predict=predict), title)


def player_data(
    columns: Columns, meta: dict[str, Any], step: int = -2, writing: str = "text", *, predict: bool = False
) -> dict[str, Any]:
    """Return what the widget `replay` plays, from `step` on: -2 is the text, -1 its pre-tokens.

    With `predict`, the player stops before each merge and asks which of some pairs comes next.
    """
    asks = "choices" if predict else "stage"
    start = {"steps": {meta["story"]: step}, "writing": writing, "predict": predict, "asks": asks}
    return {"replay": pack(columns, meta), "start": start}


def notebook_player(replay: Replay) -> str:
    """Return the player in an iframe for trusted notebooks, or a notice if the text is longer than `LIMIT`."""
    if len(replay.text.encode()) > LIMIT:
        return f"<p>The player takes texts of up to {LIMIT:,} bytes. replay.state(k) works for any text.</p>"
    return notebook_frame(page(*apply_columns(replay)), "Merge replay", "player", "46rem")
