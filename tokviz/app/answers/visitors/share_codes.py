"""Share codes: how a visitor's tokenizer was made, short enough for a link."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from tokviz.analysis.training.holdout import hold_out
from tokviz.app.shields.processes.training_recipes import LARGEST, AnyRecipe, Recipe, algorithm_of, engine_recipe
from tokviz.bpe.training import TIE_BREAKS
from tokviz.lesson.links import pack, unpack
from tokviz.pretokens import splitting
from tokviz.samples import sample, samples
from tokviz.samples.large import large_samples, large_texts
from tokviz.texts import holds_more_values, repair
from tokviz.tokenizers.inputs import check_special_tokens
from tokviz.tokenizers.train import ALPHABETS

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
        origin = Origin(**fields | {"recipe": _recipe(fields["recipe"]), "texts": _listed(fields["texts"])})
    except (TypeError, KeyError, ValueError, RecursionError):
        raise ValueError(_NONSENSE) from None
    if not _has_valid_types(origin):
        raise ValueError(_NONSENSE)
    recipe = origin.recipe
    if not isinstance(recipe, Recipe):
        return origin
    if not _is_within_limits(recipe):
        raise ValueError(_NONSENSE)
    check_specials(recipe.special_tokens)
    pattern = recipe.split_pattern
    if pattern is not None and pattern not in splitting.PATTERNS:
        # Anything else is a regular expression: the recipe may be older than the use of tokenizers' names as patterns.
        pattern = splitting.literal(pattern)
    splitting.resolve(pattern)
    return replace(origin, recipe=replace(recipe, split_pattern=pattern))


def _recipe(fields: dict[str, Any]) -> AnyRecipe:
    """Return the recipe in a share code. A recipe of another library is checked."""
    if "algorithm" not in fields:
        return Recipe(**fields | {"special_tokens": _listed(fields["special_tokens"])})
    return engine_recipe(fields["algorithm"], {name: value for name, value in fields.items() if name != "algorithm"})


def _listed(values: object) -> tuple[Any, ...]:
    """Return the elements of a list. Raises TypeError for anything else, such as a string, which has elements, too."""
    if not isinstance(values, list):
        raise TypeError
    return tuple(values)


def _has_valid_types(origin: Origin) -> bool:
    """True if texts are valid strings and `held_out` is a bool. JSON can hold strings that UTF-8 cannot encode."""
    texts = [origin.label, origin.sample, *origin.texts]
    recipe = origin.recipe
    if isinstance(recipe, Recipe):
        texts += recipe.special_tokens
        texts += [text for text in (recipe.split_pattern, recipe.end_of_word) if text is not None]
    return all(isinstance(text, str) and not repair(text)[1] for text in texts) and isinstance(origin.held_out, bool)


def _is_within_limits(recipe: Recipe) -> bool:
    return (
        type(recipe.vocab_size) is int
        and 1 <= recipe.vocab_size <= LARGEST
        and recipe.alphabet in ALPHABETS
        and recipe.tie_break in TIE_BREAKS
        and len(recipe.split_pattern or "") <= LONGEST_PATTERN
        and len(recipe.end_of_word or "") <= LONGEST_MARK
    )


def check_specials(special_tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the special tokens of a recipe as a tuple. Raises ValueError if they are invalid or too many."""
    if len(special_tokens) > MAX_SPECIALS:
        raise ValueError(f"there are {len(special_tokens):,} special tokens; a recipe may have {MAX_SPECIALS:,}")
    length = sum(len(token) for token in special_tokens if isinstance(token, str))
    if length > MAX_SPECIALS_LENGTH:
        raise ValueError(f"the special tokens have {length:,} characters; a recipe's may have {MAX_SPECIALS_LENGTH:,}")
    return tuple(check_special_tokens(special_tokens))
