"""The split pattern that a request names or spells, and its alternatives, some of which may be switched off."""

from typing import Annotated, Any

from tokviz.analysis.known_patterns import names_of_alternatives
from tokviz.app.answers.asked import Asked, matching, one_of
from tokviz.app.answers.visitors.share_codes import LONGEST_PATTERN
from tokviz.pretokens import splitting
from tokviz.pretokens.alternatives import alternatives, without

_NO_SPLIT = "none"


def _numbers(numbers: str) -> frozenset[int]:
    return frozenset(int(number) for number in numbers.split(",") if number)


_OFF = matching("([0-9]{1,2}(,[0-9]{1,2}){0,99})?", "numbers with commas between", _numbers)


class WithPattern(Asked):
    """A split pattern: a name, or an `own` regular expression, without the alternatives whose numbers are `off`."""

    pattern: Annotated[str, one_of((_NO_SPLIT, *splitting.PATTERNS))] | None = None
    own: str | None = None
    off: Annotated[frozenset[int], _OFF] = frozenset()

    def split_pattern(self) -> str | None:
        """Return the split pattern, as `train` takes it. Raises ValueError if it does not compile."""
        pattern = self._whole_pattern()
        if pattern in splitting.PATTERNS and not self.off:
            return pattern
        spelled = splitting.PATTERNS.get(pattern or "", pattern)
        left = without(spelled, {*self.off}) if spelled else None
        return splitting.resolve(splitting.literal(left)) if left else None

    def alternatives(self) -> list[dict[str, Any]]:
        """Return the pattern's alternatives for people: the `text` of each, and its `name` if it has one."""
        pattern = self._whole_pattern()
        if not pattern:
            return []
        spelled = splitting.PATTERNS.get(pattern, pattern)
        named = zip(alternatives(spelled).parts, names_of_alternatives(spelled), strict=True)
        return [{"text": text, "name": name} for text, name in named]

    def _whole_pattern(self) -> str | None:
        """Return the pattern with all of its alternatives: a name, or a regular expression."""
        if self.own is None:
            name: str = self.needed("pattern")
            return None if name == _NO_SPLIT else name
        if len(self.own) > LONGEST_PATTERN:
            raise ValueError(f"a split pattern may have {LONGEST_PATTERN:,} characters here")
        return splitting.literal(self.own) or None
