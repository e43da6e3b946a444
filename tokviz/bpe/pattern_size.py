r"""How much a regular expression asks for, found without compiling it.

`regex` compiles `(?:ab|c){1000}` by writing its body out a thousand times, so a few characters can ask for more memory
than there is, or overflow the C stack. `expanded_length` bounds the result before anything is compiled.
"""

import re
from math import prod

CEILING = 10**12
"""No length above this is told apart from it."""

# White space and comments are skipped in verbose mode, even between the digits of a count.
_SKIPPED = r"(?:[ \t\n\r\f\v]|#[^\n]*\n)*+"
_COUNT = re.compile(rf"\{{{_SKIPPED}((?:[0-9]{_SKIPPED})*+)(?:,{_SKIPPED}(?:[0-9]{_SKIPPED})*+)?\}}")
_ITEM = re.compile(
    r"""
    \\[pP]\{[\w\ ^=:&.-]*+\}            # a property
    | \\.                               # another escape
    | \[\^?\]?(?:[^\]\[\\]|\\.)*+\]     # a set that holds no other
    | .                                 # anything else
    """,
    re.VERBOSE | re.DOTALL,
)
# Comments may hold brackets, and sets within sets are read differently by the two versions of `regex`'s syntax.
_UNCERTAIN = re.compile(r"\(\?(?:#|[\w-]*x)|\[[^\]]*\[", re.DOTALL)
_RECURSIVE = re.compile(r"\(\?(?:R|[-+]?[0-9]|&|P>)")


def expanded_length(pattern: str) -> int:
    """The length of `pattern` with each part written out as often as its count asks at least; never less than that.

    Counts that are nested are multiplied. Where it isn't certain what is nested in what, all of them are.

    >>> expanded_length("ab{3}"), expanded_length("(?:ab{3}){0100}")
    (4, 800)
    """
    counts = [_number(found[1]) for found in _COUNT.finditer(pattern)]
    unstructured = min(len(pattern) * prod(counts), CEILING)
    return unstructured if _UNCERTAIN.search(pattern) else min(unstructured, _structured_length(pattern))


def is_recursive(pattern: str) -> bool:
    r"""Whether `pattern` may call itself or one of its groups, as `(?R)`, `(?1)` and `(?&name)` do."""
    return _RECURSIVE.search(pattern) is not None


def _structured_length(pattern: str) -> int:
    open_groups = [0]  # the lengths of the groups that are open here, the innermost last
    last = place = 0  # the length of what a count would repeat
    while place < len(pattern):
        count = _COUNT.match(pattern, place)
        if count:
            times = _number(count[1])
            open_groups[-1] = min(open_groups[-1] + last * (times - 1), CEILING)
            last = min(last * times, CEILING)
            place = count.end()
            continue
        item = _ITEM.match(pattern, place)
        assert item
        place = item.end()
        if item[0] == "(":
            open_groups.append(0)
            continue
        last = len(item[0])
        if item[0] == ")" and len(open_groups) > 1:
            last += 1 + open_groups.pop()
        open_groups[-1] = min(open_groups[-1] + last, CEILING)
    return min(sum(open_groups), CEILING)


def _number(digits: str) -> int:
    """A count, at least 1. Any number of leading zeros says nothing."""
    plain = re.sub(rf"{_SKIPPED}", "", digits).lstrip("0")
    return max(int(plain[:10] or 0), 1)
