"""Routes of the Merge replay page: a text's merges as steps, by a registered tokenizer or one trained for the request.

Tokenizers trained here are not kept. "Try these merges on a new word" sends the training text again, and so depends on
nothing that a restart or another session could remove.
"""

from typing import Annotated, Any

from starlette.responses import HTMLResponse, Response

from tokviz.app.answers.asked import Asked, OfText, as_text, between, cut, matching
from tokviz.app.answers.requests import packed, post, tokenizer_named
from tokviz.app.answers.split_patterns import WithPattern
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.app.shields.processes.sizes import check_token_lengths
from tokviz.app.shields.refusals import Refusal, refuse_invalid, sentence
from tokviz.bpe.merge_replay import Order
from tokviz.bpe.training import TieBreak
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.train import AlphabetName, train
from tokviz.widgets import replay_views
from tokviz.widgets.columns import learn_columns
from tokviz.widgets.lattice_svg import lattice_svg
from tokviz.widgets.replays import LIMIT
from tokviz.widgets.seeks import seek_columns
from tokviz.widgets.tower_picture import NoTower, Shown, Writing
from tokviz.widgets.tower_svg import tower_svg
from tokviz.widgets.wire import Columns

MAX_MERGES = 5_000
MAX_COLUMNS = 1_000
"""Maximum columns of a line in a picture."""

END_OF_WORD = "</w>"

_NO_PICTURE = "No picture can be drawn of this step."


class Saved(Asked):
    """A replay as columns, or as a file to save: a standalone `page` or a `picture`.

    The rest says what they show: `step` and `symbols` of merges; the `way` of a lattice; while tokens are taken apart
    again, the `row` below which they are, and the `end` from which on symbols are left out.
    """

    page: bool = False
    picture: bool = False
    dark: bool = False
    columns: Annotated[int, between(1, MAX_COLUMNS)] | None = None
    step: Annotated[int, matching("-?[0-9]{1,9}", "a whole number", int)] | None = None
    symbols: Writing | None = None
    way: int | None = None
    decoding: bool = False
    row: int | None = None
    end: int | None = None


class Applied(OfText, Saved):
    """A text that a tokenizer reads."""

    order: Order


class Learned(WithPattern, Saved):
    """Merges that are learned from the body's text."""

    merges: int
    alphabet: AlphabetName
    ties: TieBreak
    end_of_word: bool = False


class Tried(Learned):
    """Merges that are learned from the first `known` bytes of the body, to try on the rest of it."""

    known: int
    order: Order


@post("/replay", lanes.replays)
def replay(asked: Applied) -> Response:
    """Show how a tokenizer reads the body's text: how it merges, or what its engine weighs or looks for."""
    return _applied(asked, tokenizer_named(asked.tokenizer), _text(asked.body), asked.allowed)


@post("/replay/learn", lanes.replays)
def learn(asked: Learned) -> Response:
    """Replay how merges are learned from the body's text."""
    text = _text(asked.body)
    with refuse_invalid():
        columns, meta = learn_columns(_trained(asked, text).replay(text))
        meta |= {"alternatives": asked.alternatives()}
    return _answer(asked, columns, meta)


@post("/replay/try", lanes.replays)
def try_learned(asked: Tried) -> Response:
    """Replay merges on a text that they were not learned from."""
    known, text = cut(asked.body, asked.known, "known")
    return _applied(asked, _trained(asked, _text(known)), _text(text))


@post("/replay/seek", lanes.short_texts)  # finding the merges of a large vocabulary takes a while the first time
def seek(asked: OfText) -> Response:
    """Send what the body's text becomes under the first k merges of a tokenizer, for every k."""
    tokenizer, text = tokenizer_named(asked.tokenizer), _text(asked.body)
    with refuse_invalid():
        if isinstance(tokenizer, GuardedTokenizer):
            columns, meta = tokenizer.seek(text, asked.allowed)
        else:
            columns, meta = seek_columns(tokenizer, text, asked.allowed)
    return packed(columns, meta, asked.request.headers)


def _applied(
    asked: Applied | Tried, tokenizer: Tokenizer, text: str, allowed_special: str | tuple[()] = ()
) -> Response:
    if not isinstance(tokenizer, GuardedTokenizer):
        with refuse_invalid():
            steps = replay_views.steps_of(tokenizer, text, allowed_special, asked.order)
        return _answer(asked, *steps)
    with refuse_invalid():
        steps = tokenizer.steps(text, allowed_special, asked.order)
    try:
        return _answer(asked, *steps)
    except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
        raise Refusal(422, _NO_PICTURE) from None  # its process may send anything


def _answer(asked: Saved, columns: Columns, meta: dict[str, Any]) -> Response:
    """Return the columns, or the file that is asked for."""
    file = meta.get("view", "replay")
    if asked.picture:
        headers = {"content-disposition": f'attachment; filename="{file}.svg"'}
        return Response(_picture(asked, columns, meta), media_type="image/svg+xml", headers=headers)
    if asked.page:
        html = replay_views.page(columns, meta, asked.needed("step"), asked.needed("symbols"))
        return HTMLResponse(html, headers={"content-disposition": f'attachment; filename="{file}.html"'})
    return packed(columns, meta, asked.request.headers)


def _picture(asked: Saved, columns: Columns, meta: dict[str, Any]) -> str:
    """Draw what the page shows: a tower after a step or while it is taken apart again, or a way of a lattice."""
    length, dark = asked.needed("columns"), asked.dark
    if "lattice" in meta:
        way = asked.needed("way")
        if way >= len(meta["lattice"]["paths"]):
            raise Refusal(422, _NO_PICTURE)
        return lattice_svg(meta["lattice"], length, way=way, dark=dark)
    if not columns:  # longest matches
        raise Refusal(422, _NO_PICTURE)
    decoding = (asked.needed("row"), asked.needed("end")) if asked.decoding else None
    shown = Shown(asked.needed("step"), asked.needed("symbols"), decoding)
    try:
        return tower_svg(columns, meta, shown, length, dark=dark)
    except NoTower as error:
        raise Refusal(422, sentence(error)) from None


def _trained(asked: Learned, text: str) -> BPETokenizer:
    if asked.merges > MAX_MERGES:
        raise Refusal(400, f"This page shows {MAX_MERGES:,} merges at most.")
    with refuse_invalid():
        trained = train(
            text,
            num_merges=asked.merges,
            split_pattern=asked.split_pattern(),
            alphabet=asked.alphabet,
            tie_break=asked.ties,
            end_of_word=END_OF_WORD if asked.end_of_word else None,
        )
        check_token_lengths(trained)
        return trained


def _text(body: bytes) -> str:
    if len(body) > LIMIT:
        raise Refusal(413, f"This text has {len(body):,} bytes. A replay shows {LIMIT:,} at most: use its beginning.")
    return as_text(body)
