"""Share codes: how a visitor's tokenizer was made, short enough for a link."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from tokviz.analysis.training.holdout import hold_out
from tokviz.app.shields.processes.training_recipes import LARGEST, AnyRecipe, Recipe, algorithm_of, engine_recipe
from tokviz.app.shields.processes.typed import typed
from tokviz.lesson.links import pack, unpack
from tokviz.pretokens import splitting
from tokviz.samples import sample, samples
from tokviz.samples.large import large_samples, large_texts
from tokviz.texts import holds_more_values, repair
from tokviz.tokenizers.inputs import check_special_tokens

LONGEST_PATTERN = 2_000
"""Maximum code points of a visitor's own split pattern."""

MAX_SPECIALS = 1_000
"""Maximum special tokens of a recipe."""

MAX_SPECIALS_LENGTH = 20_000
"""Maximum code points of a recipe's special tokens together."""

LONGEST_MARK = 100
"""Maximum code points of the label of a recipe's end-of-word mark."""

ALL = "all "
"""Prefix to the name of a kind that stands for all samples of this kind."""

_MAX_CODE = 3_000  # characters, of the about 6,000 that a link may have
_MAX_TEXT = 100_000  # code points; longer texts are not even compressed
_MAX_UNPACKED = 1_000_000  # bytes
MAX_VALUES = 20_000
"""Maximum values and members of the JSON in a share code, counted before it is parsed."""

_NONSENSE = "this link does not say how its tokenizer was made"


@dataclass(frozen=True)
class Origin:
    """The making of a tokenizer: its label, its recipe, and the texts, or the name of a sample, that it was trained on.

    `held_out` is true if every tenth line was set aside before training.
    """

    label: str
    recipe: AnyRecipe
    sample: str = ""
    texts: tuple[str, ...] = ()
    held_out: bool = False


def sample_texts(name: str) -> list[str]:
    """Return the text of a sample, the texts of a large one, or of all samples of a kind.

    Raises ValueError for any other name.
    """
    if any(each.name == name for each in large_samples()):
        return list(large_texts(name))
    return [each.text for each in samples() if f"{ALL}{each.kind}" == name] or [sample(name).text]


def learned_texts(origin: Origin) -> list[str]:
    """Return the texts that a tokenizer of this origin learns from, without the lines that are held out."""
    texts = sample_texts(origin.sample) if origin.sample else list(origin.texts)
    return hold_out(texts).learn if origin.held_out else texts


def write(origin: Origin) -> str:
    """Return the share code of an origin, in characters allowed in a URL; "" if it is too long for a link."""
    if sum(map(len, origin.texts)) > _MAX_TEXT:
        return ""
    fields = asdict(origin)
    if algorithm := algorithm_of(origin.recipe):
        fields["recipe"] = {"algorithm": algorithm} | fields["recipe"]
    data = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    code = pack(repair(data)[0])  # as training repairs its texts
    return code if len(code) <= _MAX_CODE else ""


def read(code: str) -> Origin:
    """Read the origin from a share code. Raises ValueError if it is invalid: anybody may have written it."""
    if len(code) > _MAX_CODE:
        raise ValueError(f"this link describes its tokenizer in {len(code):,} characters; a link may use {_MAX_CODE:,}")
    text = unpack(code, _MAX_UNPACKED)
    try:
        if holds_more_values(text, MAX_VALUES):
            raise ValueError(_NONSENSE)
        fields = json.loads(text)
        json.dumps(fields, ensure_ascii=False).encode()  # raises ValueError: JSON can spell texts that UTF-8 can't
        written: _Written = typed(_Written, fields)
        origin = Origin(**written._asdict() | {"recipe": _recipe(written.recipe)})
    except (ValueError, RecursionError):
        raise ValueError(_NONSENSE) from None
    recipe = origin.recipe
    if not isinstance(recipe, Recipe):
        return origin
    check_specials(recipe.special_tokens)
    pattern = recipe.split_pattern
    if pattern is not None and pattern not in splitting.PATTERNS:
        # Anything else is a regular expression: the recipe may be older than the use of tokenizers' names as patterns.
        pattern = splitting.literal(pattern)
    splitting.resolve(pattern)
    return replace(origin, recipe=replace(recipe, split_pattern=pattern))


class _Written(NamedTuple):
    """An origin in a share code."""

    label: str
    recipe: dict[str, Any]
    texts: tuple[str, ...]
    sample: str = ""
    held_out: bool = False


def _recipe(fields: dict[str, Any]) -> AnyRecipe:
    """Return the recipe in a share code. Raises ValueError for one out of limits."""
    if "algorithm" in fields:
        return engine_recipe(typed(str, fields.pop("algorithm")), fields)
    recipe: Recipe = typed(Recipe, fields)
    lengths = len(recipe.split_pattern or ""), len(recipe.end_of_word or "")
    if not 1 <= recipe.vocab_size <= LARGEST or lengths[0] > LONGEST_PATTERN or lengths[1] > LONGEST_MARK:
        raise ValueError(_NONSENSE)
    return recipe


def check_specials(special_tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the special tokens of a recipe as a tuple. Raises ValueError if they are invalid or too many."""
    if len(special_tokens) > MAX_SPECIALS:
        raise ValueError(f"there are {len(special_tokens):,} special tokens; a recipe may have {MAX_SPECIALS:,}")
    length = sum(len(token) for token in special_tokens if isinstance(token, str))
    if length > MAX_SPECIALS_LENGTH:
        raise ValueError(f"the special tokens have {length:,} characters; a recipe's may have {MAX_SPECIALS_LENGTH:,}")
    return tuple(check_special_tokens(special_tokens))
