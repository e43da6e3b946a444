r"""The expanded size of a regular expression, computed without compiling it.

`regex` compiles `(?:ab|c){1000}` by repeating its body a thousand times, so a few characters can demand more memory
than there is, or overflow the C stack. `expanded_length` bounds the size before anything is compiled.
"""

import re
from math import prod

CEILING = 10**12
"""Upper limit of all lengths: greater ones are reported as this."""

# Verbose mode skips white space and comments, even between the digits of a count.
_SKIPPED = r"(?:[ \t\n\r\f\v]|#[^\n]*\n)*+"
_COUNT = re.compile(rf"\{{{_SKIPPED}((?:[0-9]{_SKIPPED})*+)(?:,{_SKIPPED}(?:[0-9]{_SKIPPED})*+)?\}}")
_ITEM = re.compile(
    r"""
    \\[pP]\{[\w\ ^=:&.-]*+\}            # a property
    | \\.                               # another escape
    | \[\^?\]?(?:[^\]\[\\]|\\.)*+\]     # a set without nested sets
    | .                                 # anything else
    """,
    re.VERBOSE | re.DOTALL,
)
# Comments may contain brackets, and the two versions of `regex`'s syntax read nested sets differently.
_UNCERTAIN = re.compile(r"\(\?(?:#|[\w-]*x)|\[[^\]]*\[", re.DOTALL)
_RECURSIVE = re.compile(r"\(\?(?:R|[-+]?[0-9]|&|P>)")


def expanded_length(pattern: str) -> int:
    """Return the length of `pattern` with each part repeated as often as its count requires, or an upper bound of it.

    For a range of counts, the minimum is taken. Nested counts are multiplied. If the nesting is uncertain, all counts
    are.

    >>> expanded_length("ab{3}"), expanded_length("(?:ab{3}){0100}")
    (4, 800)
    """
    counts = [_parse_count(found[1]) for found in _COUNT.finditer(pattern)]
    unstructured = min(len(pattern) * prod(counts), CEILING)
    return unstructured if _UNCERTAIN.search(pattern) else min(unstructured, _structured_length(pattern))


def is_recursive(pattern: str) -> bool:
    r"""Return whether `pattern` may call itself or one of its groups, as `(?R)`, `(?1)` and `(?&name)` do."""
    return _RECURSIVE.search(pattern) is not None


def _structured_length(pattern: str) -> int:
    open_groups = [0]  # lengths of the groups that are open here, innermost last
    last = place = 0  # `last` is the length of the part that a count would repeat
    while place < len(pattern):
        count = _COUNT.match(pattern, place)
        if count:
            times = _parse_count(count[1])
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


def _parse_count(digits: str) -> int:
    """Return the value of a count, at least 1. There may be any number of leading zeros."""
    significant = re.sub(rf"{_SKIPPED}", "", digits).lstrip("0")
    return max(int(significant[:10] or 0), 1)
