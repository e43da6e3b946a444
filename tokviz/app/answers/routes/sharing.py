"""Routes of this server's address, for links, and of tokenizers in links."""

import asyncio
import socket
import time
from functools import partial

from starlette.responses import JSONResponse, Response

from tokviz.app.answers.asked import Asked, WithId
from tokviz.app.answers.requests import get, post
from tokviz.app.answers.visitors import share_codes
from tokviz.app.answers.visitors.kept_tokenizers import NotKept, registry
from tokviz.app.answers.visitors.shipped_tokenizers import Description
from tokviz.app.answers.visitors.trainings import VisitorTraining, trainings
from tokviz.app.shields.admission import is_from_this_machine
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.visitors import NOBODY, Visitor
from tokviz.app.shields.processes.training_queue import ABANDONED_SECONDS
from tokviz.app.shields.refusals import Refusal, refuse_invalid

_MAX_LABEL = 100  # code points


async def describe(name: str, code: str, visitor: Visitor = NOBODY) -> Description:
    """Describe a link's tokenizer: the one registered as `name`, or else the one rebuilt from the share code.

    However many people open the link, the tokenizer is rebuilt once, on behalf of the first. If all of them leave, the
    training is ended like any other that nobody asks about. Raises NotKept if the tokenizer is gone and there is no
    share code, ValueError if it can't be rebuilt, and QueueFull.
    """
    if known := registry.described(name):
        return known
    if code:
        name = registry.rebuilt_from(code) or await _rebuilt(code, visitor)
    return registry.describe(name)


async def _rebuilt(code: str, visitor: Visitor) -> str:
    """Return the name of the tokenizer that a share code describes, once it is trained."""
    # Compiling its pattern, reading a sample and holding out lines may take a while.
    training = await lanes.links.wait(visitor, partial(_start, code, visitor))
    job = training.job
    while job and not job.ended:
        await asyncio.wait([asyncio.wrap_future(job.finished)], timeout=ABANDONED_SECONDS / 2)
        training.asked = time.monotonic()
    await asyncio.to_thread(trainings.finish, training)
    if training.problem:
        raise ValueError(training.problem.removesuffix("."))
    return training.name


def _start(code: str, visitor: Visitor) -> VisitorTraining:
    """Start the training that a share code describes, or join it."""
    origin = share_codes.read(code)
    training = trainings.start(visitor, origin, share_codes.learned_texts(origin), [], "", shared=True)
    training.label = training.label[:_MAX_LABEL]
    return training


# Connecting a UDP socket sends nothing, but selects the local address to send from. This destination is reserved for
# documentation (RFC 5737).
_ANY_DESTINATION = ("192.0.2.1", 9)


@get("/address")
def address(asked: Asked) -> Response:
    """Send this computer's address in its network, by which others reach a link that says "localhost", or null.

    Only to the computer itself.
    """
    if not is_from_this_machine(asked.request.scope):
        raise Refusal(403, "Only for the computer that the server runs on.")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANY_DESTINATION)
        except OSError:
            return JSONResponse({"host": None})
        return JSONResponse({"host": probe.getsockname()[0]})


@post("/made")
async def made(asked: WithId) -> Response:
    """Describe a shared tokenizer, rebuilding it from the share code in the body if its id is not registered."""
    described = describe(asked.id, asked.text, asked.visitor)
    try:
        with refuse_invalid():
            description = await lanes.unless_left(asked.request, described)
    except NotKept as error:
        raise Refusal(404, str(error)) from None
    return JSONResponse(description.as_data())
