"""`check_training`: are these the merges that training learns, and if not, where and why do they differ?

Usual mistakes are told by what they make of the same task. Some learn from other pre-tokens: then the solution is what
a right training learns from those. Others count or join pairs in a way of their own (see `mistaken_training`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import regex

from tokviz.analysis.checking.corpus import Agreement, Corpus, Learnable
from tokviz.analysis.checking.mistaken_training import NUMBERED, WAYS, is_learned_in
from tokviz.analysis.checking.solutions import BytePair, Solution, resolve, solution_of
from tokviz.analysis.checking.task import Mistake, Task
from tokviz.bpe.training import TIE_BREAKS, TieBreak
from tokviz.display import counted, shown
from tokviz.pretokens import splitting
from tokviz.pretokens.splitting import match_spans
from tokviz.texts import Texts, each_text
from tokviz.tokenizers.inputs import check_special_tokens
from tokviz.tokenizers.pretoken_counts import count_pretokens

RULES: dict[TieBreak, str] = {
    "first-seen": "the one that occurs first in the text",
    "lowest-ids": "the one of the lowest ids",
    "greatest-bytes": "the one of the greatest bytes",
}
"""What each tie rule chooses among equally frequent pairs, in words."""

Pairs = tuple[BytePair, ...]
Counts = Mapping[str, int]

_MAX_SHOWN = 40  # characters of a token

WRONG_RULE = Mistake(
    "tie-rule",
    "Your merges are right by another tie rule. Look up which of equally frequent pairs is to be joined here.",
)
REORDERED = Mistake(
    "reordered",
    "These are the right merges in another order. The order is their rank: keep the one in which they were learned.",
)
_ASCII = {r"\p{L}": "a-zA-Z", r"\p{N}": "0-9"}
_PATTERN_PARTS = regex.compile(r"\\p\{\w+\}|\\.|.", regex.DOTALL)
CHARACTERS = Mistake(
    "characters",
    "You began with characters. Begin with the bytes of the text in UTF-8, of which é has two and 🍕 four.",
)


@dataclass(frozen=True)
class MergeDifference:
    """The first merge that is not as training learns it.

    `rank` counts from 0. `given` is the solution's merge, None if it ends before, and `count` the number of places of
    its pair at that moment. `expected` is what training learns there, None if it ends before.
    """

    rank: int
    given: BytePair | None
    count: int
    expected: Learnable | None

    @property
    def sentence(self) -> str:
        """The difference in a sentence."""
        if self.given is None:
            return f"You stop after {counted('merge', self.rank)}. The next is {_places(self.expected)}."
        yours = f"Merge {self.rank + 1:,}: you join {_pair(self.given)}"
        if self.expected is None:
            return f"{yours}, but training ends before it."
        if not self.count:
            return f"{yours}, which stand side by side nowhere then. Most frequent is {_places(self.expected)}."
        if self.count == self.expected.places:
            return f"{yours}. {_pair(self.expected.pair)} is as frequent ({self.count:,}), and the tie rule chooses it."
        return f"{yours}, in {counted('place', self.count)}. More frequent is {_places(self.expected)}."


@dataclass(frozen=True)
class TrainingCheck:
    """What `check_training` found. Printed, it says so in sentences.

    `num_merges` are the merges of the solution. `tie_break` is the rule by which it chooses among equally frequent
    pairs, as far as it is right; None if it follows none of the three. `difference` is the first wrong merge, and
    `mistake` the known mistake that reproduces the solution exactly; None if there is none.
    """

    right: bool
    num_merges: int
    tie_break: TieBreak | None
    difference: MergeDifference | None = None
    mistake: Mistake | None = None

    @property
    def sentences(self) -> list[str]:
        """The verdict, the first difference, the tie rule and the mistake, in sentences."""
        verdict = f"Right: {counted('merge', self.num_merges)}." if self.right else "Not right yet."
        difference = [self.difference.sentence] if self.difference else []
        mistake = [self.mistake.sentence] if self.mistake else []
        return [verdict, *difference, *mistake, *([] if mistake and self.mistake != WRONG_RULE else self._ties())]

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _ties(self) -> list[str]:
        if self.tie_break is None:
            return (
                ["Of equally frequent pairs, you choose by a rule of your own, as you may here."] if self.right else []
            )
        return [f"Of equally frequent pairs, you choose {RULES[self.tie_break]} ({self.tie_break!r})."]


def check_training(
    solution: object,
    texts: Texts,
    *,
    split_pattern: splitting.SplitPattern = None,
    special_tokens: Iterable[str] = (),
    num_merges: int | None = None,
    tie_break: TieBreak | None = None,
    min_count: int | None = None,
) -> TrainingCheck:
    """Check merges that were learned from texts, starting from the 256 bytes: where do they go wrong, and why?

    `solution` is a tokenizer; a list of merges as pairs of bytes, of texts or of ids; a mapping of such pairs to new
    ids; or a vocabulary, as a mapping of ids to bytes or of tokens to ids. `texts` and the settings are what was to be
    done, as `tokviz.train` takes them. Without `num_merges`, as many were wanted as there are; without `tie_break`, any
    of equally frequent pairs may be joined; without `min_count`, pairs that occur once may be joined, and needn't be.
    Raises ValueError if the solution can't be read, or if there is nothing to learn from.

    >>> print(check_training([("t", "h"), ("c", "a")], "the cat in the hat"))
    Not right yet.
    Merge 2: you join c + a, in 1 place. More frequent is th + e, in 2 places.
    Of equally frequent pairs, you choose the one that occurs first in the text ('first-seen').
    """
    specials = tuple(check_special_tokens(special_tokens))
    pattern = splitting.resolve(split_pattern)
    task = Task(tuple(each_text(texts)), pattern, specials, num_merges, tie_break, min_count)
    return check(solution if isinstance(solution, Solution) else solution_of(solution), task)


def check(solution: Solution, task: Task) -> TrainingCheck:
    """Check a solution of a task (see `check_training`)."""
    if not task.counts:
        raise ValueError("there is nothing to learn from: the text is empty")
    if not solution.pairs:
        raise ValueError("there are no merges in this")
    checked = _check(solution.pairs, task)
    if not checked.right and solution.id_pairs and not solution.new_ids:
        # A special token may have the id 256.
        checked = max(checked, _check(tuple(resolve(solution.id_pairs, 257)), task), key=lambda each: each.right)
    if not checked.right:
        return replace(checked, mistake=_find_mistake(solution, checked, task))
    return replace(checked, right=False, mistake=NUMBERED) if min(solution.new_ids, default=256) < 256 else checked


def _check(pairs: Pairs, task: Task) -> TrainingCheck:
    """Check merges by their bytes, without looking for a mistake."""
    agreements = {rule: task.corpus.agreement(pairs, rule, task.min_count or 1) for rule in TIE_BREAKS}
    nearest = max(TIE_BREAKS, key=lambda rule: agreements[rule].num_merges)
    rule = task.tie_break or nearest
    if agreements[rule].num_merges == len(pairs):
        difference = _wrong_number(pairs, agreements[rule].then, task)
        return TrainingCheck(difference is None, len(pairs), rule, difference)
    rare = task.corpus.first_rare(pairs)
    if rare is None and task.tie_break is None and (task.min_count or 1) == 1:
        difference = _wrong_number(pairs, task.corpus.next_after(pairs, rule), task)
        return TrainingCheck(difference is None, len(pairs), None, difference)
    # Without a tie rule, what differs from all rules but is as frequent is right.
    rank = agreements[rule].num_merges
    if rare is not None and task.tie_break is None:
        rank = max(rank, rare)
    difference = _difference(pairs, rank, rule, agreements[rule], task)
    return TrainingCheck(False, len(pairs), nearest, difference)


def _wrong_number(pairs: Pairs, then: Learnable | None, task: Task) -> MergeDifference | None:
    """Return where right merges end too early or too late; None if they are as many as they should be."""
    wanted = len(pairs) if task.num_merges is None else task.num_merges
    if len(pairs) > wanted:
        return MergeDifference(wanted, pairs[wanted], 0, None)
    least = 2 if task.min_count is None else task.min_count
    if len(pairs) < wanted and then is not None and then.places >= least:
        return MergeDifference(len(pairs), None, 0, then)
    return None


def _difference(pairs: Pairs, rank: int, rule: TieBreak, agreement: Agreement, task: Task) -> MergeDifference:
    then = agreement.then if rank == agreement.num_merges else task.corpus.next_after(pairs[:rank], rule)
    return MergeDifference(rank, pairs[rank], task.corpus.count_of_last(pairs[: rank + 1]), then)


def _find_mistake(solution: Solution, checked: TrainingCheck, task: Task) -> Mistake | None:
    pairs, difference = solution.pairs, checked.difference
    if difference is not None and None in (difference.given, difference.expected):
        return None  # only the number is wrong
    if task.tie_break and _check(pairs, replace(task, tie_break=None)).right:
        return WRONG_RULE
    if any(task.corpus.learned(len(pairs), rule) == set(pairs) for rule in TIE_BREAKS):
        return REORDERED
    return find_mistake(solution, task)


def _pair(pair: BytePair) -> str:
    return " + ".join(shown(part, _MAX_SHOWN) or "an id that nothing has made" for part in pair)


def _places(learned: Learnable | None) -> str:
    assert learned is not None  # a solution can end too early only if there is more to learn
    return f"{_pair(learned.pair)}, in {counted('place', learned.places)}"


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
