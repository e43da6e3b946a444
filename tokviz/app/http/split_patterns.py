"""The split pattern that a request names or spells, and its alternatives, some of which may be switched off."""

import re
from typing import Any

from starlette.requests import Request

from tokviz.analysis.known_patterns import names_of_alternatives
from tokviz.app.http.refusals import Refusal
from tokviz.app.http.requests import one_of
from tokviz.app.visitors.share_codes import LONGEST_PATTERN
from tokviz.pretokens import splitting
from tokviz.pretokens.alternatives import alternatives, without

_NO_SPLIT = "none"


def split_pattern(request: Request) -> str | None:
    """Return the split pattern of a request, as `train` takes it. Raises ValueError if it does not compile.

    It is that of the name `pattern`, or with the parameter `own` a regular expression, without the alternatives whose
    numbers are in `off`.
    """
    pattern, off = _whole_pattern(request), _off(request)
    if pattern in splitting.PATTERNS and not off:
        return pattern
    spelled = splitting.PATTERNS.get(pattern or "", pattern)
    left = without(spelled, off) if spelled else None
    return splitting.resolve(splitting.literal(left)) if left else None


def described_alternatives(request: Request) -> list[dict[str, Any]]:
    """Return the alternatives of a request's pattern for people: the `text` of each, and its `name` if it has one."""
    pattern = _whole_pattern(request)
    if not pattern:
        return []
    spelled = splitting.PATTERNS.get(pattern, pattern)
    named = zip(alternatives(spelled).parts, names_of_alternatives(spelled), strict=True)
    return [{"text": text, "name": name} for text, name in named]


def _whole_pattern(request: Request) -> str | None:
    """Return the pattern with all of its alternatives: a name, or a regular expression."""
    own = request.query_params.get("own")
    if own is not None:
        if len(own) > LONGEST_PATTERN:
            raise ValueError(f"a split pattern may have {LONGEST_PATTERN:,} characters here")
        return splitting.literal(own) or None
    name = one_of(request, "pattern", (_NO_SPLIT, *splitting.PATTERNS))
    return None if name == _NO_SPLIT else name


def _off(request: Request) -> set[int]:
    numbers = request.query_params.get("off", "")
    if not re.fullmatch(r"([0-9]{1,2}(,[0-9]{1,2}){0,99})?", numbers):
        raise Refusal(400, "“off” must be numbers with commas between.")
    return {int(number) for number in numbers.split(",") if number}
