"""The votes of one round: one of each phone at most, and what a projector may know of them."""

from array import array
from collections import Counter
from typing import Any

from tokviz.app.answers.rooms.questions import OTHER_SCRIPT, SCRIPTS, Kind, Vote

_NONE = -1


class Round:
    """Votes by the phone's number in its room. They take 5 bytes a phone."""

    def __init__(self) -> None:
        self._values = array("i")
        self._scripts = array("b")

    def __len__(self) -> int:
        return len(self._values) - self._values.count(_NONE)

    def put(self, phone: int, vote: Vote) -> None:
        """Count a vote, instead of the phone's earlier one."""
        missing = phone + 1 - len(self._values)
        self._values.extend([_NONE] * missing)
        self._scripts.extend([_NONE] * missing)
        self._values[phone], self._scripts[phone] = vote.value, vote.script

    def of(self, phone: int) -> int | None:
        """Return what a phone chose, or the number it sent; None if it didn't vote."""
        value = self._values[phone] if phone < len(self._values) else _NONE
        return None if value == _NONE else value

    def summary(self, kind: Kind) -> dict[str, Any]:
        """Count the votes: for each choice; or for each number, sorted, and again for each script."""
        if kind.choices:
            counts = Counter(self._values)
            return {"counts": [counts[choice] for choice in range(kind.choices)]}
        scripts: dict[str, Counter[int]] = {}
        for value, script in zip(self._values, self._scripts, strict=True):
            if value != _NONE:
                name = OTHER_SCRIPT if script == _NONE else SCRIPTS[script]
                scripts.setdefault(name, Counter())[value] += 1
        every = sum(scripts.values(), Counter[int]())
        by_script = {name: sorted(counts.items()) for name, counts in scripts.items()}
        return {"numbers": sorted(every.items()), "scripts": by_script if kind.has_scripts else {}}
