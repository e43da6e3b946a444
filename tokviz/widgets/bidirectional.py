"""The order in which a line's letters stand, by the Unicode Bidirectional Algorithm (UAX #9) for text without controls.

Classes of characters are one letter each, so that a rule is a substitution in a string: E and N are European and Arabic
digits, S, T and C the signs in and around numbers, A an Arabic letter, M a mark, O what has no direction of its own.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

_CLASSES = {"L": "L", "R": "R", "AL": "A", "EN": "E", "AN": "N", "ES": "S", "ET": "T", "CS": "C", "NSM": "M"}
_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_SEPARATORS = {"B", "S"}
_MAX_OPEN_BRACKETS = 63  # as the algorithm has it


def has_controls(text: str) -> bool:
    """Return whether a text has controls that embed, override or isolate a direction."""
    return any(unicodedata.bidirectional(char) in _CONTROLS for char in text)


def runs_right_to_left(text: str) -> bool:
    """Return whether a text's first letter is of a script written from right to left."""
    directions = map(unicodedata.bidirectional, text)
    return next((direction != "L" for direction in directions if direction in ("L", "R", "AL")), False)


def levels_of(paragraph: str, base: int) -> list[int]:
    """Return the level of each character of a paragraph whose own is `base`: odd from right to left."""
    found = {at: kind for at, char in enumerate(paragraph) if (kind := unicodedata.bidirectional(char)) != "BN"}
    resolved = _resolve(
        "LR"[base], "".join(_CLASSES.get(kind, "O") for kind in found.values()), [paragraph[at] for at in found]
    )
    raised = {"L": 2 * base, "R": 1, "E": 2, "N": 2}
    of_kept = dict(zip(found, (raised[each] for each in resolved), strict=True))
    levels: list[int] = []
    for at in range(len(paragraph)):
        levels.append(of_kept.get(at, levels[-1] if levels else base))
    return [base if found.get(at) in _SEPARATORS else level for at, level in enumerate(levels)]


def _resolve(base: str, classes: str, chars: Sequence[str]) -> str:
    """Resolve classes to L, R, E and N, by the rules for weak classes, brackets and the rest (W1 to N2)."""
    text = base + classes
    text = re.sub("(.)M+", lambda found: found[1] * len(found[0]), text)
    text = re.sub("A[^LRA]*", lambda found: found[0].replace("E", "N"), text).replace("A", "R")
    text = re.sub("(?<=E)[SC](?=E)", "E", text)
    text = re.sub("(?<=N)C(?=N)", "N", text)
    text = re.sub("T+(?=E)|(?<=E)T+", lambda found: "E" * len(found[0]), text)
    text = re.sub("[STC]", "O", text)
    text = re.sub("L[^LR]*", lambda found: found[0].replace("E", "L"), text)
    text = _directed_brackets(text, chars) + base
    text = re.sub("(?<=L)O+(?=L)", lambda found: "L" * len(found[0]), text)
    text = re.sub("(?<=[REN])O+(?=[REN])", lambda found: "R" * len(found[0]), text)
    return text.replace("O", base)[1:-1]


def _directed_brackets(text: str, chars: Sequence[str]) -> str:
    """Give a pair of brackets the direction of what is in it (N0); `text` begins with the paragraph's."""
    base, other = text[0], "LR".replace(text[0], "")
    for first, last in sorted(_pairs(text[1:], chars)):
        strong = re.sub("[EN]", "R", text)
        inside, before = strong[first + 2 : last + 1], strong[: first + 1].rstrip("O")
        if base in inside or other in inside:
            direction = other if base not in inside and before[-1] == other else base
            for at in (first + 1, last + 1):
                text = text[:at] + direction + text[at + 1 :]
    return text


def _pairs(classes: str, chars: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where brackets open and close."""
    opened: list[tuple[str, int]] = []
    for at, char in enumerate(chars):
        if classes[at] != "O" or not unicodedata.mirrored(char):
            continue
        if unicodedata.category(char) == "Ps":
            if len(opened) == _MAX_OPEN_BRACKETS:
                return
            opened.append((unicodedata.name(char).replace("LEFT", "RIGHT"), at))
        elif unicodedata.category(char) == "Pe":
            name = unicodedata.name(char)
            if any(each == name for each, _ in opened):
                while opened[-1][0] != name:
                    opened.pop()
                yield opened.pop()[1], at


def line_levels(line: str, levels: Sequence[int], base: int) -> list[int]:
    """Return the levels of a line of a paragraph, at whose end white space runs as the paragraph does (L1)."""
    kept = len(line.rstrip())
    return [*levels[:kept], *[base] * (len(line) - kept)]


def visual_order(levels: Sequence[int]) -> list[int]:
    """Return the places of a line's characters from left to right (L2)."""
    order = list(range(len(levels)))
    for level in range(max(levels, default=0), 0, -1):
        runs = [list(run) for _, run in groupby(order, key=lambda at: levels[at] >= level)]
        order = [at for run in runs for at in (reversed(run) if levels[run[0]] >= level else run)]
    return order
