"""Rebuilding the tokenizers of links from their share codes."""

import asyncio
from dataclasses import dataclass
from functools import partial

from tokviz.analysis.training.holdout import hold_out
from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import NOBODY, Visitor
from tokviz.app.processes.training_queue import ABANDONED_SECONDS, Job, jobs
from tokviz.app.visitors import share_codes
from tokviz.app.visitors.kept_tokenizers import Description, registry
from tokviz.app.visitors.share_codes import Origin

_MAX_LABEL = 100  # code points


@dataclass(eq=False)
class _Rebuild:
    """The rebuilding of a tokenizer from a link, and the number of requests waiting for it."""

    task: "asyncio.Task[str]"
    waiting: int = 0


_rebuilds: dict[str, _Rebuild] = {}  # by share code


async def describe(name: str, code: str, visitor: Visitor = NOBODY) -> Description:
    """Describe a link's tokenizer: the one registered as `name`, or else the one rebuilt from the share code.

    However many people open the link, the tokenizer is rebuilt once, on behalf of the first. If all of them leave,
    the training is cancelled ABANDONED_SECONDS later. Raises LookupError if the tokenizer is gone and there is no share
    code, ValueError if it can't be rebuilt, and TooManyJobs.
    """
    known = name if registry.has(name) else code and registry.rebuilt_from(code)
    if not known and code:
        rebuild = _rebuilds.get(code)
        if rebuild is None:
            rebuild = _rebuilds[code] = _Rebuild(asyncio.create_task(_rebuild(code, visitor)))
            rebuild.task.add_done_callback(partial(_discard, code))
        known = await _result_of(rebuild)
    return registry.describe(known or name)


async def _result_of(rebuild: _Rebuild) -> str:
    rebuild.waiting += 1
    try:
        return await asyncio.shield(rebuild.task)  # a request that is cancelled must not cancel the task for the others
    finally:
        rebuild.waiting -= 1
        if not rebuild.waiting:
            asyncio.get_running_loop().call_later(ABANDONED_SECONDS, _cancel_if_abandoned, rebuild)


def _cancel_if_abandoned(rebuild: _Rebuild) -> None:
    if not rebuild.waiting:
        rebuild.task.cancel()


def _discard(code: str, task: "asyncio.Task[str]") -> None:
    del _rebuilds[code]
    if not task.cancelled():
        task.exception()  # marks it as retrieved; those who still wait have received it


async def _rebuild(code: str, visitor: Visitor) -> str:
    # Compiling its pattern, reading a sample and holding out lines may take a while.
    origin, texts = await lanes.links.wait(visitor, partial(_read, code))
    job = jobs.start(visitor, texts, origin.recipe)
    try:
        await asyncio.wrap_future(job.finished)
    finally:
        jobs.cancel(job)
    return await asyncio.to_thread(_register, job, origin.label[:_MAX_LABEL], code, visitor)


def _read(code: str) -> tuple[Origin, list[str]]:
    """Return what a share code says, and the texts to train on."""
    origin = share_codes.read(code)
    texts = share_codes.sample_texts(origin.sample) if origin.sample else list(origin.texts)
    return origin, hold_out(texts).learn if origin.held_out else texts


def _register(job: Job, label: str, code: str, visitor: Visitor) -> str:
    if job.tokenizer is None:
        raise ValueError(job.problem.removesuffix("."))
    name = registry.register(job.tokenizer, label, code, visitor, from_link=True)
    registry.release(name)  # the sessions that adopt it will hold it
    return name
