"""Figures of the chapter "cuts": a split pattern taken apart, and what newer patterns changed in it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from tokviz.analysis.difference.difference import difference
from tokviz.course.figure import Figure, Question, numbers_in
from tokviz.display import shown, visible
from tokviz.pretokens import splitting
from tokviz.pretokens.alternatives import alternatives, without
from tokviz.pretrained import load
from tokviz.samples import samples
from tokviz.texts import repair
from tokviz.tokenizers.bpe import BPETokenizer

MAX_CHARACTERS = 300
"""Maximum code points of a text that is cut by the alternatives of a pattern."""

MAX_PATTERN = 2_000
"""Maximum code points of a pattern that a reader writes."""

BETWEEN = -1
"""Stands for an alternative's number where none matches, or none can be named."""

_PLAIN = ("words", "numbers", "code", "whitespace")
"""Kinds of samples in which differences are looked for first, so that what is found can be read."""

_LABELS = {pattern: label for branches in splitting.BRANCHES.values() for label, pattern in branches}


def cutting(text: str, pattern: str, off: Sequence[int]) -> dict[str, Any]:
    """Cut a text by a pattern, given by name or as text, without some of its alternatives, and say which cut what.

    Raises ValueError for an invalid pattern.
    """
    text = repair(text)[0][:MAX_CHARACTERS]
    pattern = splitting.PATTERNS.get(pattern, pattern)
    flags, parts = alternatives(pattern)
    left = without(pattern, off)
    pieces = splitting.split(text, left) if left is not None and text else [text] * bool(text)
    on = [number for number in range(len(parts)) if number not in off]
    made = _makers(text, pieces, [(number, flags + parts[number]) for number in on])
    counts = Counter(made)
    return {
        "flags": flags,
        "alternatives": [
            {"pattern": part, "label": _LABELS.get(part, ""), "on": number in on, "count": counts[number]}
            for number, part in enumerate(parts)
        ],
        "pieces": [{"text": visible(piece), "by": by} for piece, by in zip(pieces, made, strict=True)],
    }


def _makers(text: str, pieces: Sequence[str], tried: Sequence[tuple[int, str]]) -> list[int]:
    """Return the number of the alternative that matched each piece: the first that matches the same where it begins.

    Each is tried on the rest of the text. So one that looks back at what was before may not be recognized.
    """
    rests, place = [], 0
    for piece in pieces:
        rests.append(text[place:])
        place += len(piece)
    made = [BETWEEN] * len(pieces)
    for number, pattern in reversed(tried):
        for index, spans in enumerate(splitting.match_spans(rests, pattern)):
            if len(spans) and (spans[0], spans[1]) == (0, len(pieces[index])):
                made[index] = number
    return made


# What each alternative is for


class Rule(NamedTuple):
    """A difference between two patterns in one alternative, to be shown on the vocabulary of a tokenizer."""

    tokenizer: str
    newer: str
    older: str


_GPT2, _CL100K, _O200K = ([pattern for _, pattern in splitting.BRANCHES[name]] for name in ("gpt2", "cl100k", "o200k"))
_ANY_CASE = r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"


def _with_older(number: int) -> str:
    return "|".join(_GPT2[number] if place == number else part for place, part in enumerate(_CL100K))


RULES: dict[str, Rule] = {
    "contractions": Rule("cl100k_base", "|".join(_CL100K), _with_older(0)),
    "letters": Rule("cl100k_base", "|".join(_CL100K), _with_older(1)),
    "digits": Rule("cl100k_base", "|".join(_CL100K), _with_older(2)),
    "signs": Rule("cl100k_base", "|".join(_CL100K), _with_older(3)),
    "lines": Rule("cl100k_base", "|".join(_CL100K), "|".join(_CL100K[:5] + _CL100K[6:])),
    "capitals": Rule("cl100k_base", "|".join(_O200K), "|".join([_ANY_CASE, *_O200K[2:]])),
}
"""Rules new in cl100k's pattern since GPT-2's, and in o200k's since cl100k's."""


@lru_cache(maxsize=len(RULES))
def witness(name: str) -> dict[str, Any]:
    """Find a short text whose tokens depend on a rule, with the tokens of each pre-token under both patterns.

    Both cut for the same vocabulary, so that nothing else can make the difference. This takes some seconds. Raises
    ValueError for an unknown rule.
    """
    if name not in RULES:
        raise ValueError(f"no rule is named {name!r}; choose one of {', '.join(RULES)}")
    rule = RULES[name]
    tokenizer = load(rule.tokenizer)
    newer, older = tokenizer.with_split_pattern(rule.newer), tokenizer.with_split_pattern(rule.older)
    found = difference(newer, older, [each.text for each in samples() if each.kind in _PLAIN]).witness
    assert found is not None  # tests/course/test_cuts.py finds one for every rule
    return {
        "text": visible(found.text),
        "sides": [
            {"pieces": _tokens_by_piece(found.text, each), "tokens": len(each.encode(found.text))}
            for each in (newer, older)
        ],
    }


def _tokens_by_piece(text: str, tokenizer: BPETokenizer) -> list[list[str]]:
    """Spell the tokens of each pre-token."""
    tokens = iter(tokenizer.vocab[token] for token in tokenizer.encode(text))
    pieces: list[list[str]] = []
    for piece in tokenizer.pretokens(text):
        left = len(piece.encode())
        pieces.append([])
        while left > 0:
            token = next(tokens)
            left -= len(token)
            pieces[-1].append(shown(token))
    return pieces


def _cut(text: str, pattern: str = "", off: str = "") -> dict[str, Any]:
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"this figure takes patterns of up to {MAX_PATTERN:,} characters")
    return cutting(text, pattern, numbers_in(off))


def _ask(value: str, _: str) -> Iterator[Question]:
    """Ask about a text under each named pattern, and without one of its alternatives."""
    first, _, text = value.partition(";")
    text = text.replace("\\n", "\n")
    for pattern in dict.fromkeys((first, "gpt2", "cl100k", "o200k")):
        yield "alternatives", text, {"pattern": pattern, "off": ""}
        for off in range(len(cutting(text, pattern, ())["alternatives"])):
            yield "alternatives", text, {"pattern": pattern, "off": str(off)}


FIGURES = {
    "alternatives": Figure(_cut, 4 * MAX_CHARACTERS, asks=_ask),
    "changes": Figure(
        lambda _, name="": witness(name),
        takes="searching",
        asks=lambda _value, _first: (("changes", "", {"name": name}) for name in RULES),
    ),
}
