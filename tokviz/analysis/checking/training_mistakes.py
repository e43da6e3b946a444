"""Usual mistakes in training a byte pair encoding, each told by what it makes of the same task.

Some learn from other pre-tokens: then the solution is what a right training learns from those. The others count or join
pairs in a way of their own (see `mistaken_training`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import regex

from tokviz.analysis.checking.corpus import Corpus
from tokviz.analysis.checking.mistaken_training import WAYS, is_learned_in
from tokviz.analysis.checking.solutions import BytePair, Solution
from tokviz.analysis.checking.task import Mistake, Task
from tokviz.bpe.training import TIE_BREAKS
from tokviz.pretokens.splitting import match_spans
from tokviz.tokenizers.pretoken_counts import count_pretokens

Counts = Mapping[str, int]

_ASCII = {r"\p{L}": "a-zA-Z", r"\p{N}": "0-9"}
_PATTERN_PARTS = regex.compile(r"\\p\{\w+\}|\\.|.", regex.DOTALL)

CHARACTERS = Mistake(
    "characters",
    "You began with characters. Begin with the bytes of the text in UTF-8, of which é has two and 🍕 four.",
)


def find_mistake(solution: Solution, task: Task) -> Mistake | None:
    """Return the mistake that reproduces the merges exactly, under some tie rule; None if no known one does."""
    merges = solution.pairs
    for mistake, count in OTHER_PRETOKENS:
        counts = count(task)
        if counts and counts != task.counts and _is_learned_from(Corpus(counts), merges):
            return mistake
    if not all(map(str.isascii, task.counts)) and _is_learned_from(Corpus.of_characters(task.counts), merges):
        return CHARACTERS
    return next((way.mistake for way in WAYS if is_learned_in(way, solution, task.counts)), None)


def _is_learned_from(corpus: Corpus, merges: Sequence[BytePair]) -> bool:
    return any(corpus.agreement(merges, rule, min_count=1).num_merges == len(merges) for rule in TIE_BREAKS)


def _count(task: Task, texts: Iterable[str]) -> Counts:
    return count_pretokens(texts, task.split_pattern, task.special_tokens).counts


def _count_by(task: Task, change: Callable[[str], str]) -> Counts:
    """Count the pre-tokens of a changed pattern."""
    pattern = task.split_pattern and change(task.split_pattern)
    return count_pretokens(task.texts, pattern, task.special_tokens).counts


def _without_special_tokens(task: Task) -> Counts:
    texts = task.texts
    for special in task.special_tokens:
        texts = tuple(text.replace(special, "") for text in texts)
    return count_pretokens(texts, task.split_pattern).counts


def _matches_only(task: Task) -> Counts:
    """Count the matches of the pattern alone, in texts without special tokens."""
    if task.split_pattern is None or task.special_tokens:
        return {}
    spans = match_spans(task.texts, task.split_pattern)
    return Counter(
        text[start:end]
        for text, places in zip(task.texts, spans, strict=True)
        for start, end in zip(places[::2], places[1::2], strict=True)
    )


def _ascii_only(pattern: str) -> str:
    """Replace the classes of all letters and digits by those of ASCII."""
    parts, in_brackets = [], False
    for part in _PATTERN_PARTS.findall(pattern):
        in_brackets = part == "[" or (in_brackets and part != "]")
        letters = _ASCII.get(part, part)
        parts.append(letters if in_brackets or letters is part else f"[{letters}]")
    return "".join(parts)


OTHER_PRETOKENS: tuple[tuple[Mistake, Callable[[Task], Counts]], ...] = (
    (
        Mistake(
            "not-split",
            "Your merges run across pre-tokens, as if the text were not split. Split it by the pattern first, and "
            "merge within each piece only.",
        ),
        lambda task: count_pretokens(task.texts, None, task.special_tokens).counts,
    ),
    (
        Mistake(
            "special-tokens-merged",
            "You learned from special tokens as if they were ordinary text. Cut the text at them before you split it.",
        ),
        lambda task: count_pretokens(task.texts, task.split_pattern).counts,
    ),
    (
        Mistake(
            "special-tokens-removed",
            "You removed the special tokens, so the texts on their two sides touch. Cut the text there: no merge may "
            "cross.",
        ),
        _without_special_tokens,
    ),
    (
        Mistake(
            "pretokens-once",
            "You counted each different pre-token once. A pair counts as often as its pre-token occurs in the text.",
        ),
        lambda task: dict.fromkeys(task.counts, 1),
    ),
    (
        Mistake(
            "pattern-flags",
            "Your pattern lost its flag (?i:…), so contractions in capitals, such as 'S, are cut differently.",
        ),
        lambda task: _count_by(task, lambda pattern: pattern.replace("(?i:", "(?:")),
    ),
    (
        Mistake(
            "pattern-ascii",
            r"Your pattern knows the letters and digits of ASCII only. Use the library regex, where \p{L} and \p{N} "
            "are those of all scripts.",
        ),
        lambda task: _count_by(task, _ascii_only),
    ),
    (
        Mistake(
            "stripped",
            "You cut white space off the ends of the text, as str.strip does. It is part of the text.",
        ),
        lambda task: _count(task, map(str.strip, task.texts)),
    ),
    (
        Mistake(
            "split-at-spaces",
            "You split at white space and dropped it, as str.split does. The pattern keeps spaces: most begin a word.",
        ),
        lambda task: Counter(word for text in task.texts for word in text.split()),
    ),
    (
        Mistake(
            "unmatched-dropped",
            "You dropped the text between the matches of the pattern. Each such stretch is a pre-token, too.",
        ),
        _matches_only,
    ),
    (
        Mistake(
            "texts-joined",
            "You joined the texts into one. They are separate: no merge may cross from one to the next.",
        ),
        lambda task: _count(task, ["".join(task.texts)]),
    ),
    (
        Mistake(
            "line-ends-dropped",
            "You trained on each line alone, without its line end. Line ends are bytes like others: read the whole "
            "text.",
        ),
        lambda task: _count(task, [line for text in task.texts for line in text.splitlines()]),
    ),
    (
        Mistake(
            "by-lines",
            "You trained on each line alone, so no merge could cross a line end. Read the whole text at once.",
        ),
        lambda task: _count(task, [line for text in task.texts for line in text.splitlines(keepends=True)]),
    ),
    (
        Mistake(
            "lower-case",
            "You made the text lower-case first. Tokens must give back the text as it is.",
        ),
        lambda task: _count(task, map(str.lower, task.texts)),
    ),
)
"""Mistakes by the pre-tokens that they learn from."""
