"""Routes of the Train page: try a recipe on a text, start a training, and follow it to its tokenizer."""

import json
from dataclasses import replace
from typing import Annotated, Any, Literal

from starlette.responses import JSONResponse, Response

from tokviz.analysis.training.holdout import NTH, hold_out
from tokviz.app.answers.asked import (
    Named,
    WithId,
    cut_by_sizes,
    matching,
    parameters_of,
    read_query,
    whole_number,
)
from tokviz.app.answers.recipe_preview import (
    MAX_TRIED,
    alphabet_size,
    characters_of,
    fitting_merges,
    fitting_size,
    preview,
)
from tokviz.app.answers.requests import FILE_SECONDS, get, post
from tokviz.app.answers.split_patterns import WithPattern
from tokviz.app.answers.visitors import share_codes
from tokviz.app.answers.visitors.kept_tokenizers import NotKept, registry
from tokviz.app.answers.visitors.share_codes import LONGEST_MARK, Origin, sample_texts
from tokviz.app.answers.visitors.text_files import MAX_BYTES, decode_all
from tokviz.app.answers.visitors.trainings import VisitorTraining, trainings
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.processes.training_queue import LONG
from tokviz.app.shields.processes.training_recipes import (
    ALGORITHMS,
    LARGEST,
    AnyRecipe,
    EngineRecipe,
    Recipe,
    engine_recipe,
)
from tokviz.app.shields.refusals import Refusal, refuse_invalid
from tokviz.bpe.training import TieBreak
from tokviz.samples import KINDS, samples
from tokviz.samples.large import large_samples
from tokviz.tokenizers.train import AlphabetName

MAX_SHOWN = 20_000
"""Maximum code points of a sample that the page shows."""

_OPTIONS = {name: parameters_of(kind, without=("vocab_size",)) for name, kind in ALGORITHMS.items()}
"""Options of other libraries' trainings, which are parameters of the request."""

_MAX_LABEL = 100
_MY_TEXT = "my text"


class Training(WithPattern):
    """How to train, on a sample or on the body's text. Options of another library's `algorithm` are parameters, too.

    The tokenizer is measured on every tenth line, set aside before, on another sample, or on nothing.
    """

    sample: str = ""
    algorithm: str = ""
    alphabet: AlphabetName = "bytes"
    ties: TieBreak = "first-seen"
    mark: str = ""
    specials: str = ""
    measure: Literal["lines", "sample", ""] | None = None
    other: str | None = None


class Started(Training):
    """A training, with the names and sizes of the files in the body."""

    label: str = _MY_TEXT
    lengths: str | None = None
    size: int | None = None
    merges: Annotated[str, matching("fit|[0-9]+", "a whole number, 0 or more")] | None = None
    names_: str = ""
    shared: bool = False


@post("/train", lanes.long_texts, MAX_BYTES, "text", FILE_SECONDS)
def start(asked: Started) -> Response:
    """Start a training on a sample, or on the body's texts, and return its id."""
    with refuse_invalid():
        origin, measured, how = _origin(asked)
        learn = share_codes.learned_texts(origin)
        origin = replace(origin, recipe=_sized(asked, origin.recipe, learn))
        training = trainings.start(asked.visitor, origin, learn, measured, how, shared=asked.shared)
    return JSONResponse({"id": training.id, "code": training.code})


def _origin(asked: Started) -> tuple[Origin, list[str], str]:
    """Return what to train on and how, the texts to measure on, and what these are (see `Trained`)."""
    name = asked.sample
    measure: str = asked.needed("measure")
    texts = sample_texts(name) if name else _texts(asked)
    if not any(texts):
        raise Refusal(422, "There is nothing to learn from yet: type at least two characters.")
    measured: list[str] = []
    if measure == "sample":
        measured = sample_texts(asked.needed("other"))
    elif measure == "lines":
        measure = "lines" if _has_lines_to_spare(texts) else "itself"
        measured = hold_out(texts).held_out if measure == "lines" else []
    label = f"trained on “{_title(name) if name else asked.label[:_MAX_LABEL]}”"
    origin = Origin(label, _recipe(asked), name, () if name else tuple(texts), measure == "lines")
    return origin, measured, measure


def _has_lines_to_spare(texts: list[str]) -> bool:
    """Return whether lines can be set aside to measure on."""
    return sum(len(text.splitlines()) for text in texts) >= NTH


def _texts(asked: Started) -> list[str]:
    """Return the texts in the body."""
    parts = cut_by_sizes(asked.body, (asked.lengths or str(len(asked.body))).split(","))
    names = asked.names_.split("\n")
    names += ["the text"] * (len(parts) - len(names))
    return decode_all([(name or "the text", part) for name, part in zip(names, parts, strict=False)])


def _title(name: str) -> str:
    """Return a sample's title for people."""
    titles = {f"{share_codes.ALL}{kind}": title for kind, title in KINDS.items()}
    titles |= {each.name: each.title for each in samples()} | {each.name: each.title for each in large_samples()}
    return titles[name].split(" · ")[0]


def _recipe(asked: Training) -> AnyRecipe:
    """Return the recipe, with a vocabulary size still to be found. Raises ValueError."""
    if asked.algorithm:
        options = read_query(_OPTIONS.get(asked.algorithm, {}), asked.request.query_params)
        return engine_recipe(asked.algorithm, options | {"vocab_size": LARGEST})
    if len(asked.mark) > LONGEST_MARK:
        raise Refusal(400, f"“mark” may have {LONGEST_MARK} characters.")
    return Recipe(
        LARGEST,
        asked.split_pattern(),
        asked.alphabet,
        (asked.mark or None) if asked.alphabet == "characters" else None,
        asked.ties,
        share_codes.check_specials(asked.specials.split()),
    )


def _sized(asked: Started, recipe: AnyRecipe, texts: list[str]) -> AnyRecipe:
    """Return the recipe with its vocabulary size: as asked for, from a number of merges, or one that fits the texts."""
    if asked.size is not None:
        size = asked.size
    elif not isinstance(recipe, Recipe):
        size = fitting_size(texts, recipe)
    else:
        alone = alphabet_size(texts, recipe) + len(recipe.special_tokens)
        merges: str = asked.needed("merges")
        size = alone + (fitting_merges(texts, recipe) if merges == "fit" else whole_number(merges))
    if not 1 <= size <= LARGEST:
        raise ValueError(f"the vocabulary may have 1 to {LARGEST:,} tokens, not {size:,}")
    return replace(recipe, vocab_size=size)


class Attempt(Training):
    """A recipe to try on the beginning of a text, of `length` code points in all."""

    length: int | None = None
    size: str = ""  # this and the next tell what the reader has typed so far, which is not tried
    merges: str = ""


@post("/train/try", lanes.replays)
def attempt(asked: Attempt) -> Response:
    """Return how a recipe cuts the beginning of a text, how large its alphabet is, and how many merges would fit."""
    name = asked.sample
    with refuse_invalid():
        texts = sample_texts(name) if name else [asked.body.decode("utf-8", "replace")[:MAX_TRIED]]
        recipe = _recipe(asked)
        length: int = sum(map(len, texts)) if name else asked.needed("length")
        pieces, has_more = preview(texts[0], recipe) if isinstance(recipe, Recipe) else ([], False)
        if asked.measure == "lines" and _has_lines_to_spare(texts):
            whole, texts = sum(map(len, texts)), hold_out(texts).learn
            length = length * sum(map(len, texts)) // whole
        if not isinstance(recipe, Recipe):
            return JSONResponse(_fitting(texts, recipe, length))
        found = {
            "pieces": pieces,
            "alternatives": asked.alternatives(),
            "more": has_more or len(texts) > 1 or length > len(texts[0]),
            "alphabet": alphabet_size(texts, recipe),
            "fitting": fitting_merges(texts, recipe, length),
        }
    return JSONResponse(found)


def _fitting(texts: list[str], recipe: EngineRecipe, length: int) -> dict[str, Any]:
    """Return what another library's recipe would do: it is not known here how it cuts a text."""
    fitting = fitting_size(texts, recipe, length)
    return {"pieces": [], "alternatives": [], "more": False, "alphabet": len(characters_of(texts)), "fitting": fitting}


class State(WithId):
    """A training of which the page has seen so many merges already."""

    merges: int


@get("/train/state")
async def state(asked: State) -> Response:
    """Return how far a training is."""
    training = _training(asked)
    if training.job and training.job.ended:
        await lanes.short_texts.run(asked.request, lambda: trainings.finish(training))
    return JSONResponse(_state(training, asked.merges))


def _state(training: VisitorTraining, seen: int) -> dict[str, Any]:
    if training.name:
        made = registry.described(training.name)
        if made is None:
            raise Refusal(404, "The server no longer has this tokenizer. Train it again.")
        return {"state": "done", "made": made.as_data()}
    job = training.job
    if training.problem or job is None:
        return {"state": "failed", "problem": training.problem}
    looked = job.glimpse
    is_new = looked is not None and looked.curve[-1][0] > seen
    return {
        "state": "running" if job.ended else job.state,
        "place": trainings.place(training),
        "at_a_time": LONG.at_a_time,
        "phase": job.phase,
        "done": job.done,
        "total": job.total,
        "glimpse": looked.as_data() if looked and (is_new or seen == 0) else None,
    }


@post("/train/cancel")
def cancel(asked: WithId) -> Response:
    """Cancel a training."""
    trainings.cancel(_training(asked))
    return JSONResponse({})


def _training(asked: WithId) -> VisitorTraining:
    try:
        return trainings.get(asked.id)
    except NotKept as error:
        raise Refusal(404, str(error)) from None


@get("/train/sample", lanes.short_texts)
def sample_beginning(asked: Named) -> Response:
    """Return the beginning of a sample, or of all samples of a kind, for the page to show, and their size."""
    with refuse_invalid(404):
        texts = sample_texts(asked.name)
    whole = "\n\n".join(texts)
    found = {"text": whole[:MAX_SHOWN], "length": sum(map(len, texts)), "texts": len(texts)}
    return Response(json.dumps(found), media_type="application/json")
