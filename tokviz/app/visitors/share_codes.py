"""How a visitor's tokenizer was made, in letters few enough for a link: whoever opens that makes it again."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial

from tokviz.analysis.holdout import hold_out
from tokviz.app.fairness import lanes
from tokviz.app.fairness.visitors import NOBODY, Visitor
from tokviz.app.processes.training import ABANDONED_SECONDS, Job, Recipe, jobs
from tokviz.app.visitors.links import pack, unpack
from tokviz.app.visitors.registry import Description, registry
from tokviz.bpe import splitting
from tokviz.bpe.training import TIE_BREAKS
from tokviz.samples import sample, samples
from tokviz.texts import repair
from tokviz.tokenizers.base import check_special_tokens
from tokviz.tokenizers.train import ALPHABETS

LARGEST = 200_000
"""The largest vocabulary that can be asked for."""

LONGEST_PATTERN = 2_000
"""The longest split pattern of one's own, in code points."""

MAX_SPECIALS = 1_000
"""Special tokens of a recipe."""

ALL = "all "
"""What stands before the name of a kind where all its samples are meant."""

_LETTERS = 3_000  # of the about 6,000 that a link may have
_TEXT = 100_000  # code points; longer ones are not even packed
_UNPACKED = 1_000_000  # bytes
_LABEL = 100  # code points
_LOOK_EVERY = 0.05  # seconds

_NONSENSE = "this link does not say how its tokenizer was made"


@dataclass(frozen=True)
class Origin:
    """Texts, in their own words or by the name of a sample, and what was made of them.

    `held_out` says whether every tenth line was set aside before.
    """

    label: str
    recipe: Recipe
    sample: str = ""
    texts: tuple[str, ...] = ()
    held_out: bool = False


def sample_texts(name: str) -> list[str]:
    """One of our own texts, or all of a kind. Raises ValueError for a name that is neither."""
    return [each.text for each in samples() if f"{ALL}{each.kind}" == name] or [sample(name).text]


def write(origin: Origin) -> str:
    """An origin in letters that an address may hold; "" for one that is too long for a link."""
    if sum(map(len, origin.texts)) > _TEXT:
        return ""
    said = json.dumps(asdict(origin), ensure_ascii=False, separators=(",", ":"))
    letters = pack(repair(said)[0])  # as training repairs it
    return letters if len(letters) <= _LETTERS else ""


def read(letters: str) -> Origin:
    """The origin that letters tell, which anybody may have written. Raises ValueError."""
    if len(letters) > _LETTERS:
        raise ValueError("this link says too much of a tokenizer")
    text = unpack(letters, _UNPACKED)
    try:
        found = json.loads(text)
        recipe = Recipe(**found["recipe"] | {"special_tokens": tuple(found["recipe"]["special_tokens"])})
        origin = Origin(**found | {"recipe": recipe, "texts": tuple(found["texts"])})
    except (TypeError, KeyError, ValueError, RecursionError):
        raise ValueError(_NONSENSE) from None
    if not (_is_text(origin) and _is_possible(recipe)):
        raise ValueError(_NONSENSE)
    check_specials(recipe.special_tokens)
    pattern = recipe.split_pattern
    if pattern is not None and pattern not in splitting.PATTERNS:
        # In a recipe, every other word is a regular expression: it may be older than the names of tokenizers as names.
        pattern = splitting.literal(pattern)
    splitting.resolve(pattern)
    return replace(origin, recipe=replace(recipe, split_pattern=pattern))


def _is_text(origin: Origin) -> bool:
    """Whether what should be text is, and a truth value a truth value. JSON can spell text that has no UTF-8."""
    recipe = origin.recipe
    words = [origin.label, origin.sample, *origin.texts, *recipe.special_tokens]
    words += [word for word in (recipe.split_pattern, recipe.end_of_word) if word is not None]
    return all(isinstance(word, str) and not repair(word)[1] for word in words) and isinstance(origin.held_out, bool)


def _is_possible(recipe: Recipe) -> bool:
    return (
        type(recipe.vocab_size) is int
        and 1 <= recipe.vocab_size <= LARGEST
        and recipe.alphabet in ALPHABETS
        and recipe.tie_break in TIE_BREAKS
        and len(recipe.split_pattern or "") <= LONGEST_PATTERN
    )


def check_specials(special_tokens: Sequence[str]) -> tuple[str, ...]:
    """The special tokens of a recipe. Raises ValueError where they can't be, or are too many."""
    if len(special_tokens) > MAX_SPECIALS:
        raise ValueError(f"there are {len(special_tokens):,} special tokens; a recipe may have {MAX_SPECIALS:,}")
    return tuple(check_special_tokens(special_tokens))


# Made again


@dataclass(eq=False)
class _Making:
    """A tokenizer of a link in the making, and how many people wait for it."""

    task: "asyncio.Task[str]"
    waiting: int = 0


_under_way: dict[str, _Making] = {}


async def brought(name: str, letters: str, visitor: Visitor = NOBODY) -> Description:
    """The tokenizer of a link: the one of that id, if it is still kept; or else what its recipe gives.

    However many people open the link, it is made once, on behalf of the first. If all of them leave, it is given up
    some time later. Raises LookupError where neither is to be had, ValueError where it can't be made, and TooManyJobs.
    """
    known = name if registry.has(name) else letters and registry.made_by(letters)
    if not known and letters:
        making = _under_way.get(letters)
        if making is None:
            making = _under_way[letters] = _Making(asyncio.create_task(_make(letters, visitor)))
            making.task.add_done_callback(partial(_forget, letters))
        known = await _waited_for(making)
    return registry.describe(known or name)


async def _waited_for(making: _Making) -> str:
    making.waiting += 1
    try:
        return await asyncio.shield(making.task)  # who leaves does not end it for the others
    finally:
        making.waiting -= 1
        if not making.waiting:
            asyncio.get_running_loop().call_later(ABANDONED_SECONDS, _give_up, making)


def _give_up(making: _Making) -> None:
    if not making.waiting:
        making.task.cancel()


def _forget(letters: str, made: "asyncio.Task[str]") -> None:
    del _under_way[letters]
    if not made.cancelled():
        made.exception()  # was told to those who still waited


async def _make(letters: str, visitor: Visitor) -> str:
    origin = await lanes.links.wait(visitor, partial(read, letters))  # its pattern may take a while to compile
    texts = sample_texts(origin.sample) if origin.sample else list(origin.texts)
    job = jobs.start(visitor, hold_out(texts).learn if origin.held_out else texts, origin.recipe)
    try:
        while not job.ended:
            await asyncio.sleep(_LOOK_EVERY)
    finally:
        jobs.cancel(job)
    return _kept(job, origin.label[:_LABEL], letters, visitor)


def _kept(job: Job, label: str, letters: str, visitor: Visitor) -> str:
    if job.tokenizer is None:
        raise ValueError(job.problem.removesuffix("."))
    name = registry.register(job.tokenizer, label, letters, visitor)
    registry.release(name)  # it is a session's once that has it in its list
    return name
