"""Routes of the Train page: try a recipe on a text, start a training, and follow it to its tokenizer."""

import json
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from tokviz.analysis.training.holdout import NTH, hold_out
from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import visitor_of
from tokviz.app.http.recipe_preview import (
    MAX_TRIED,
    alphabet_size,
    characters_of,
    fitting_merges,
    fitting_size,
    preview,
)
from tokviz.app.http.refusals import Refusal, refuse_invalid
from tokviz.app.http.requests import (
    FILE_SECONDS,
    cut_by_sizes,
    flag,
    in_lane,
    one_of,
    parameter,
    refusing,
    whole_number,
)
from tokviz.app.http.split_patterns import described_alternatives, split_pattern
from tokviz.app.processes.training_queue import LONG
from tokviz.app.processes.training_recipes import LARGEST, AnyRecipe, EngineRecipe, Recipe, from_words
from tokviz.app.visitors import share_codes
from tokviz.app.visitors.kept_tokenizers import NotKept, registry
from tokviz.app.visitors.share_codes import LONGEST_MARK, Origin, sample_texts
from tokviz.app.visitors.text_files import MAX_BYTES, decode_all
from tokviz.app.visitors.trainings import VisitorTraining, trainings
from tokviz.bpe.training import TIE_BREAKS
from tokviz.samples import KINDS, samples
from tokviz.samples.large import large_samples
from tokviz.tokenizers.train import ALPHABETS

MEASURES = ("lines", "sample", "")
"""Texts that a tokenizer is measured on: every tenth line, set aside before training; another sample; or none."""

MAX_SHOWN = 20_000
"""Maximum code points of a sample that the page shows."""

_MAX_LABEL = 100
_MY_TEXT = "my text"


@in_lane(lanes.long_texts, MAX_BYTES, "text", FILE_SECONDS)
def start(request: Request, body: bytes) -> Response:
    """Start a training on a sample, or on the body's texts, and return its id."""
    with refuse_invalid():
        origin, measured, how = _origin(request, body)
        learn = share_codes.learned_texts(origin)
        origin = replace(origin, recipe=_sized(request, origin.recipe, learn))
        shared = flag(request, "shared")
        training = trainings.start(visitor_of(request), origin, learn, measured, how, shared=shared)
    return JSONResponse({"id": training.id, "code": training.code})


def _origin(request: Request, body: bytes) -> tuple[Origin, list[str], str]:
    """Return what to train on and how, the texts to measure on, and what these are (see `Trained`)."""
    name, measure = request.query_params.get("sample", ""), one_of(request, "measure", MEASURES)
    texts = sample_texts(name) if name else _texts(request, body)
    if not any(texts):
        raise Refusal(422, "There is nothing to learn from yet: type at least two characters.")
    measured: list[str] = []
    if measure == "sample":
        measured = sample_texts(parameter(request, "other"))
    elif measure == "lines":
        measure = "lines" if sum(len(text.splitlines()) for text in texts) >= NTH else "itself"
        measured = hold_out(texts).held_out if measure == "lines" else []
    label = f"trained on “{_title(name) if name else request.query_params.get('label', _MY_TEXT)[:_MAX_LABEL]}”"
    origin = Origin(label, _recipe(request), name, () if name else tuple(texts), measure == "lines")
    return origin, measured, measure


def _texts(request: Request, body: bytes) -> list[str]:
    """Return the texts in a body: their lengths in bytes are in the query, and so are files' names."""
    query = request.query_params
    parts = cut_by_sizes(body, query.get("lengths", str(len(body))).split(","))
    names = query.get("names", "").split("\n")
    names += ["the text"] * (len(parts) - len(names))
    return decode_all([(name or "the text", part) for name, part in zip(names, parts, strict=False)])


def _title(name: str) -> str:
    """Return a sample's title for people."""
    titles = {f"{share_codes.ALL}{kind}": title for kind, title in KINDS.items()}
    titles |= {each.name: each.title for each in samples()} | {each.name: each.title for each in large_samples()}
    return titles[name].split(" · ")[0]


def _recipe(request: Request) -> AnyRecipe:
    """Return the recipe in a request, with a vocabulary size still to be found. Raises ValueError."""
    query = request.query_params
    if algorithm := query.get("algorithm", ""):
        return from_words(algorithm, LARGEST, query)
    alphabet = one_of(request, "alphabet", ALPHABETS, ALPHABETS[0])
    mark, specials = query.get("mark", ""), query.get("specials", "")
    if len(mark) > LONGEST_MARK:
        raise Refusal(400, f"“mark” may have {LONGEST_MARK} characters.")
    return Recipe(
        LARGEST,
        split_pattern(request),
        alphabet,
        (mark or None) if alphabet == "characters" else None,
        one_of(request, "ties", TIE_BREAKS, TIE_BREAKS[0]),
        share_codes.check_specials(specials.split()),
    )


def _sized(request: Request, recipe: AnyRecipe, texts: list[str]) -> AnyRecipe:
    """Return the recipe with its vocabulary size: as asked for, from a number of merges, or one that fits the texts."""
    query = request.query_params
    if "size" in query:
        size = whole_number(request, "size")
    elif not isinstance(recipe, Recipe):
        size = fitting_size(texts, recipe)
    else:
        alone = alphabet_size(texts, recipe) + len(recipe.special_tokens)
        merges = fitting_merges(texts, recipe) if query.get("merges") == "fit" else whole_number(request, "merges")
        size = alone + merges
    if not 1 <= size <= LARGEST:
        raise ValueError(f"the vocabulary may have 1 to {LARGEST:,} tokens, not {size:,}")
    return replace(recipe, vocab_size=size)


@in_lane(lanes.replays)
def attempt(request: Request, body: bytes) -> Response:
    """Return how a recipe cuts the beginning of a text, how large its alphabet is, and how many merges would fit.

    The body is the beginning of the text; `length` the code points of the whole.
    """
    name = request.query_params.get("sample", "")
    with refuse_invalid():
        texts = sample_texts(name) if name else [body.decode("utf-8", "replace")[:MAX_TRIED]]
        recipe = _recipe(request)
        length = sum(map(len, texts)) if name else whole_number(request, "length")
        if not isinstance(recipe, Recipe):
            return JSONResponse(_fitting(texts, recipe, length))
        pieces, has_more = preview(texts[0], recipe)
        found = {
            "pieces": pieces,
            "alternatives": described_alternatives(request),
            "more": has_more or len(texts) > 1 or length > len(texts[0]),
            "alphabet": alphabet_size(texts, recipe),
            "fitting": fitting_merges(texts, recipe, length),
        }
    return JSONResponse(found)


def _fitting(texts: list[str], recipe: EngineRecipe, length: int) -> dict[str, Any]:
    """Return what another library's recipe would do: it is not known here how it cuts a text."""
    fitting = fitting_size(texts, recipe, length)
    return {"pieces": [], "alternatives": [], "more": False, "alphabet": len(characters_of(texts)), "fitting": fitting}


@refusing
async def state(request: Request) -> Response:
    """Return how far a training is. `merges` is the number of merges that the page has seen already."""
    training = _training(request)
    if training.job and training.job.ended:
        await lanes.short_texts.run(request, lambda: trainings.finish(training))
    return JSONResponse(_state(training, whole_number(request, "merges")))


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


@refusing
async def cancel(request: Request) -> Response:
    """Cancel a training."""
    trainings.cancel(_training(request))
    return JSONResponse({})


def _training(request: Request) -> VisitorTraining:
    try:
        return trainings.get(parameter(request, "id"))
    except NotKept as error:
        raise Refusal(404, str(error)) from None


@in_lane(lanes.short_texts)
def sample_beginning(request: Request, _: bytes) -> Response:
    """Return the beginning of a sample, or of all samples of a kind, for the page to show, and their size."""
    with refuse_invalid(404):
        texts = sample_texts(parameter(request, "name"))
    whole = "\n\n".join(texts)
    found = {"text": whole[:MAX_SHOWN], "length": sum(map(len, texts)), "texts": len(texts)}
    return Response(json.dumps(found), media_type="application/json")


routes: list[BaseRoute] = [
    Route("/train", start, methods=["POST"]),
    Route("/train/try", attempt, methods=["POST"]),
    Route("/train/state", state),
    Route("/train/cancel", cancel, methods=["POST"]),
    Route("/train/sample", sample_beginning),
]
