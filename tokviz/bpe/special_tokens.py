"""Finding special tokens in a text: the leftmost, then the longest, whatever they are.

Most special tokens are like `<|endoftext|>`: the character that each begins with stands nowhere else in them. Those are
found in one pass, by a pattern that shares what they begin with. Others may take as long as a split pattern, since they
can overlap in the text at every character, and so are treated as one: within the time limit, and in a server by the
matcher for what strangers wrote (see `splitting.set_matcher`).
"""

import re
from array import array
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby, pairwise

from tokviz.bpe import splitting
from tokviz.bpe.splitting import Spans, TooSlow

# What tokens that are found in one pass may have: characters in all, continuations after the same beginning, and
# tokens that begin with one another in a row.
_MAX_LENGTH = 100_000
_MAX_BRANCHES = 64
_MAX_DEPTH = 50


class SpecialsTooSlow(TooSlow):
    """A stranger's special tokens take longer than the time limit."""

    def __init__(self) -> None:
        ValueError.__init__(self, "looking for these special tokens in this text takes too long")


def cut_out(text: str, special_tokens: Iterable[str]) -> list[str]:
    """Cut `text` at special tokens: these stand at the odd places, and what is between them at the even ones.

    >>> cut_out("a<s><s>>b", ["<s>", "<s>>"])
    ['a', '<s>', '', '<s>>', 'b']
    """
    return [text[start:end] for start, end in pairwise([0, *find(text, special_tokens), len(text)])]


def find(text: str, special_tokens: Iterable[str]) -> Spans:
    """Where the special tokens in `text` begin and end, in code points. Raises ValueError where that takes too long."""
    tokens = frozenset(filter(None, special_tokens))
    if not tokens or not text:
        return []
    simple = _simple_pattern(tokens)
    if simple is not None:
        return array("i", (place for match in simple.finditer(text) for place in match.span()))
    longest_first = sorted(tokens, key=lambda token: (-len(token), token))
    try:
        return splitting.match_spans([text], "|".join(map(re.escape, longest_first)))[0]
    except TooSlow:
        raise SpecialsTooSlow from None
    except ValueError:
        raise ValueError("these special tokens are too many, or too long, to look for them in a text") from None


class _NotSimpleError(Exception):
    """These tokens can't be told to be found in one pass."""


@lru_cache(maxsize=32)
def _simple_pattern(tokens: frozenset[str]) -> re.Pattern[str] | None:
    """A pattern that finds the longest of some tokens in one pass over a text, None if there is none."""
    firsts = {token[0] for token in tokens}
    if sum(map(len, tokens)) > _MAX_LENGTH or any(not firsts.isdisjoint(token[1:]) for token in tokens):
        return None
    try:
        return re.compile(_sharing_beginnings(sorted(tokens)))
    except _NotSimpleError:
        return None


def _sharing_beginnings(tokens: list[str], depth: int = 0) -> str:
    """A pattern for the longest of some sorted tokens, in which each beginning stands once."""
    groups = [list(group) for _, group in groupby(tokens, key=lambda token: token[0])]
    if len(groups) > _MAX_BRANCHES or depth > _MAX_DEPTH:
        raise _NotSimpleError
    branches = []
    for group in groups:
        beginning = _shared_beginning(group[0], group[-1])
        rests = [token[len(beginning) :] for token in group if token != beginning]
        rest = f"(?:{_sharing_beginnings(rests, depth + 1)})" if rests else ""
        branches.append(re.escape(beginning) + rest + ("?" if rests and len(rests) < len(group) else ""))
    return "|".join(branches)


def _shared_beginning(one: str, other: str) -> str:
    """What two texts begin with, of which the first comes first in alphabetical order."""
    differs = (place for place, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return one[: next(differs, len(one))]
