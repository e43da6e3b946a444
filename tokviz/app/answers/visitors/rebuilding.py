"""Rebuilding the tokenizers of links from their share codes."""

import asyncio
import time
from functools import partial

from tokviz.app.answers.visitors import share_codes
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.shipped_tokenizers import Description
from tokviz.app.answers.visitors.trainings import VisitorTraining, trainings
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.visitors import NOBODY, Visitor
from tokviz.app.shields.processes.training_queue import ABANDONED_SECONDS

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
