r"""The branch that cut each pre-token: letters, numbers, other characters, white space; or a match of another pattern.

Known split patterns are alternatives, or branches, tried one after the other, and each has a name (see
`splitting.BRANCHES`). A name holds for whatever its branch can match; where a branch can take more than its name says,
such as the bracket of `(a`, pieces that have it get a label that says so. A piece cut by any other pattern is labelled
by the alternative that matched it, where that can be told, or as text between two matches. Where several patterns cut a
text one after the other, a piece belongs to the first of them that has it as a match.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import groupby, pairwise, product, takewhile
from operator import itemgetter
from typing import Literal

import numpy as np
import numpy.typing as npt
import regex

from tokviz.analysis.known_patterns import ALL_BUT_LAST, KNOWN, patterns_of
from tokviz.arrays import Int32Array
from tokviz.bpe.alphabet import Alphabet
from tokviz.positions import byte_starts
from tokviz.pretokens import splitting
from tokviz.pretokens.alternatives import alternatives
from tokviz.pretokens.special_tokens import cut_out
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer

NO_BRANCH = 255
"""Branch of a special token, which no pattern cuts out."""

BETWEEN = "what the split pattern does not match"
NOT_CUT = "not cut: this tokenizer has no split pattern"
BY_OWN_RULES = "the rules of the tokenizer's own file"
_RULES = {
    "BertPreTokenizer": "a word, or one punctuation mark; white space around it is dropped",
    "Metaspace": "a word with the space in front of it",
    "WhitespaceSplit": "what is between white space",
}
"""Labels of the pieces of Hugging Face's pre-tokenizers that have no pattern."""

APART = "white space, which words that end in a mark leave out"
AT_THE_END = "white space at the end"
"""`ALL_BUT_LAST` at the end of a text, where it takes all of the white space."""
BEFORE_A_CUT = "white space before an earlier cut"
"""The same where the split stretch ends within the text: at a special token, or at a cut of an earlier pattern."""

Piece = tuple[str, int]
"""A pre-token and its branch: an index into `labels`, or `NO_BRANCH`."""

_Span = tuple[int, int, int]  # start and end of a match, in code points, and its branch

# Maximum characters of an unknown pattern to show in its label.
_MAX_PATTERN_SHOWN = 60

_MAX_ALTERNATIVES = 20  # of a pattern, for the label of the one that matched

# Maximum pieces of letters whose branches are remembered while a text is cut.
_MAX_NAMED = 10_000

# Looking around, and anchors; graphemes, since one may go on.
_LOOKS_AROUND = regex.compile(r"\\[bBAzZmMXR]|(?<!\[)\^|\$|\(\?(?!:|[aimsu]+:)")

_LETTER_BRANCHES = ("letters", "letters, capitals before small ones", "capital letters")
"""Branches that may take a character in front of the letters, marks in place of letters, and an ending such as `'s`."""

_LETTER_PIECE = (
    r"(?:\s|(?P<number>\p{N})|(?P<symbol>[^\p{L}\p{M}]))?"
    r"(?:(?=\p{M}*+(?P<letter>\p{L})))?[\p{L}\p{M}]+(?P<ending>'\p{L}+)?"
)
_MARKS = "combining marks"
_FRONTS = ("", "number and ", "symbol and ")
_ENDINGS = ("", ", with 's or such")


def cutting_of(tokenizer: Tokenizer) -> Literal["pattern", "rules", ""]:
    """Return how texts are cut into pre-tokens: by a split pattern, by other rules, or not at all."""
    if tokenizer.algorithm == "bpe" and patterns_of(tokenizer):
        return "pattern"
    return "rules" if tokenizer.split_patterns or tokenizer.cutting_steps else ""


def pretoken_labels(tokenizer: Tokenizer) -> dict[str, object]:
    """Return the names for the pre-tokens of `branch_columns`: `labels`, and `drops_spaces`."""
    return {"branches": labels(tokenizer), "drops_spaces": tokenizer.drops_spaces}


def labels(tokenizer: Tokenizer) -> list[str]:
    """Labels of everything that can cut a pre-token of this tokenizer, in plain words."""
    named = [label for pattern in patterns_of(tokenizer) or () for label in _labels_of(pattern)]
    named += [
        f"{front}{letters}{ending}"
        for name in _LETTER_BRANCHES
        if name in named
        for front, letters, ending in product(_FRONTS, (name, _MARKS), _ENDINGS)
    ]
    if ALL_BUT_LAST in named:
        named += [AT_THE_END, BEFORE_A_CUT]
    ends_words = tokenizer.end_of_word is not None
    by_rules = [] if tokenizer.takes_split_patterns else [_rules_of(tokenizer)]
    return list(dict.fromkeys([*named, *by_rules, BETWEEN, NOT_CUT, *([APART] if ends_words else [])]))


def pretoken_branches(tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()) -> list[Piece]:
    """Pre-tokens that `tokenizer` cuts `text` into, with their branches. `allowed_special` lists special tokens.

    >>> from tokviz.pretrained import load
    >>> [(piece, labels(load("gpt2"))[branch]) for piece, branch in pretoken_branches(load("gpt2"), "I'll")]
    [('I', 'letters'), ("'ll", "'s, 't, 're and such")]
    """
    text, _ = repair(text)
    cuts = _cut_text(tokenizer, text, allowed_special)
    return list(zip(cuts.pieces(text), _relabel_ends(tokenizer, cuts).tolist(), strict=True))


def branch_columns(
    tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()
) -> tuple[Int32Array, npt.NDArray[np.uint8]]:
    """Byte length and branch of each pre-token: `pretoken_branches` as columns, which take a tenth of the memory.

    A text of 10 MB may have ten million pre-tokens.
    """
    text, _ = repair(text)
    cuts = _cut_text(tokenizer, text, allowed_special)
    byte_ends = byte_starts(text)[np.frombuffer(cuts.ends, np.int32)]
    return np.diff(byte_ends, prepend=np.int32(0)), _relabel_ends(tokenizer, cuts)


class _Cuts:
    """The pieces of a text as columns: where each ends, in code points, and its branch."""

    def __init__(self) -> None:
        self.ends = array("i")
        self.branches = bytearray()

    @property
    def end(self) -> int:
        """Where the last piece ends."""
        return self.ends[-1] if self.ends else 0

    def pieces(self, text: str) -> list[str]:
        """Return the pieces of the text."""
        return [text[start:end] for start, end in pairwise([0, *self.ends])]

    def add(self, length: int, branch: int) -> None:
        """Add a piece."""
        self.ends.append(self.end + length)
        self.branches.append(branch)

    def extend(self, cuts: "_Cuts") -> None:
        """Add the pieces of the text that follows."""
        self.ends.frombytes((np.frombuffer(cuts.ends, np.int32) + np.int32(self.end)).tobytes())
        self.branches += cuts.branches

    def tile(self, length: int, spans: Iterable[_Span], between: int) -> None:
        """Add the next `length` code points: matches, none of which is empty, and the stretches between them."""
        begin, at = self.end, 0
        add_end, add_branch = self.ends.append, self.branches.append
        for start, end, branch in spans:
            if at < start:
                add_end(begin + start)
                add_branch(between)
            add_end(begin + end)
            add_branch(branch)
            at = end
        if at < length:
            self.add(length - at, between)


def _cut_text(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> _Cuts:
    """Cut a text, which must be repaired. Pieces before the last may be `AT_THE_END`, too."""
    number_of = {label: number for number, label in enumerate(labels(tokenizer))}
    if not tokenizer.takes_split_patterns:
        return _cut_by_engine(tokenizer, text, allowed_special, number_of)
    cuts = _Cuts()
    for number, segment in enumerate(cut_out(text, allowed_special)):
        if number % 2:
            cuts.add(len(segment), NO_BRANCH)
        else:
            cuts.extend(_cut(segment, tokenizer.split_patterns, number_of))
    if tokenizer.alphabet is not None and tokenizer.end_of_word is not None:
        return _separate_space(text, cuts, number_of[APART], tokenizer.alphabet)
    return cuts


def _relabel_ends(tokenizer: Tokenizer, cuts: _Cuts) -> npt.NDArray[np.uint8]:
    """Keep `AT_THE_END` for the last piece with any text only; others become `BEFORE_A_CUT`."""
    column = np.frombuffer(cuts.branches, np.uint8)
    names = labels(tokenizer)
    if AT_THE_END in names:
        last = bisect_left(cuts.ends, cuts.end)
        before = column[:last]  # a view into `column`
        before[before == names.index(AT_THE_END)] = names.index(BEFORE_A_CUT)
    return column


def _cut_by_engine(
    tokenizer: Tokenizer, text: str, allowed_special: Collection[str], number_of: Mapping[str, int]
) -> _Cuts:
    """Cut as another library does, with the branches of known patterns where they cut the text so."""
    patterns, rules = patterns_of(tokenizer), number_of[_rules_of(tokenizer)]
    all_cuts = _Cuts()
    for is_cut_out, run in groupby(_pretokens_of_engine(tokenizer, text, allowed_special), itemgetter(1)):
        pieces = [piece for piece, _ in run]
        cuts = _Cuts()
        for piece in pieces:
            cuts.add(len(piece), NO_BRANCH if is_cut_out else rules)
        if patterns is not None and not is_cut_out:
            by_patterns = _cut("".join(pieces), patterns, number_of)
            # The library's patterns see the normalized text, which may be cut elsewhere.
            cuts = by_patterns if by_patterns.ends == cuts.ends else cuts
        all_cuts.extend(cuts)
    return all_cuts


def _pretokens_of_engine(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> list[tuple[str, bool]]:
    """Return the stretches of a text that its pre-tokens cover, each with whether it was cut out before."""
    tokenization = tokenizer.tokenize(text, allowed_special)
    firsts = np.flatnonzero(np.diff(tokenization.pretoken_index, prepend=-1))
    ids = tokenization.ids[firsts]
    is_cut_out = tokenization.special[firsts] & (ids != tokenizer.unknown)
    if tokenizer.is_of_library:
        is_cut_out |= tokenizer.cut_out(tokenization)[firsts]
    places = [*tokenization.code_point_offsets[firsts].tolist(), len(text)]
    pieces = [text[start:end] for start, end in pairwise(places)]
    return list(zip(pieces, is_cut_out.tolist(), strict=True))


def _rules_of(tokenizer: Tokenizer) -> str:
    """Label of the pieces that an engine cuts by other rules than known patterns, or of an uncut text."""
    if tokenizer.cutting_steps is None:
        return NOT_CUT if tokenizer.is_of_library else BY_OWN_RULES
    kinds = [str(step["type"]) for step in tokenizer.cutting_steps]
    return _RULES.get(kinds[0], BY_OWN_RULES) if len(kinds) == 1 else BY_OWN_RULES if kinds else NOT_CUT


def _cut(text: str, patterns: Sequence[str], number_of: Mapping[str, int]) -> _Cuts:
    """Cut by one pattern after another."""
    cuts = _Cuts()
    if text:
        cuts.add(len(text), number_of[NOT_CUT])
    for pattern in patterns:
        cuts = _cut_further(text, cuts, pattern, number_of)
    return cuts


def _cut_further(text: str, cuts: _Cuts, pattern: str, number_of: Mapping[str, int]) -> _Cuts:
    """Cut the pieces further. A piece that stays whole keeps its branch, if it has one."""
    parts = cuts.pieces(text)
    spans_of = _match_known if pattern in KNOWN else _match_unknown
    between = number_of[BETWEEN]
    further = _Cuts()
    for part, branch, spans in zip(parts, cuts.branches, spans_of(parts, pattern, number_of), strict=True):
        before = len(further.ends)
        further.tile(len(part), spans, between)
        if len(further.ends) == before + 1 and branch not in (between, number_of[NOT_CUT]):
            further.branches[before] = branch
    return further


def _match_known(parts: list[str], pattern: str, number_of: Mapping[str, int]) -> Iterator[Iterator[_Span]]:
    """Match a known pattern in each part."""
    names = [name for name, _ in KNOWN[pattern]]
    # By the number of the group that matched. Groups count from 1.
    branches = [None, *(None if name in _LETTER_BRANCHES else number_of[name] for name in names)]
    all_but_last, at_the_end = number_of.get(ALL_BUT_LAST), number_of.get(AT_THE_END, NO_BRANCH)

    # The same pieces come again and again.
    @lru_cache(_MAX_NAMED)
    def letter_branch(group: int, piece: str) -> int:
        found = letter_piece.fullmatch(piece)
        assert found
        return number_of[_letter_branch_name(names[group - 1], found)]

    text = "".join(parts)
    letter_piece = splitting.compile_for(text, _LETTER_PIECE)
    # What is in front replaces the (?s) of "words", which would apply to its own group only. No other one has a dot.
    compiled = splitting.compile_for(text, f"(?s){_in_groups(pattern)}")
    for_ascii = _grouped_for_ascii(pattern) if pattern in splitting.TIKTOKEN_PATTERNS else compiled

    def spans(part: str) -> Iterator[_Span]:
        for match in (for_ascii if part.isascii() else compiled).finditer(part):
            start, end = match.span()
            group = match.lastindex or 1
            branch = branches[group]
            if branch is None:
                branch = letter_branch(group, match.group())
            elif branch == all_but_last and end == len(part):
                branch = at_the_end
            yield start, end, branch

    return map(spans, parts)


def _letter_branch_name(name: str, found: "regex.Match[str]") -> str:
    """Name of a letter branch, with what else the piece that is `found` took in."""
    front = _FRONTS[1 if found["number"] else 2 if found["symbol"] else 0]
    return f"{front}{name if found['letter'] else _MARKS}{_ENDINGS[bool(found['ending'])]}"


def _match_unknown(parts: list[str], pattern: str, number_of: Mapping[str, int]) -> Iterator[Iterator[_Span]]:
    """Match any other pattern in each part."""
    part_spans = splitting.match_spans(parts, pattern)
    pieces = {part[start:end] for part, spans in zip(parts, part_spans, strict=True) for start, end in _pairs(spans)}
    label_of = _alternatives_that_match(sorted(pieces), pattern)
    for part, spans in zip(parts, part_spans, strict=True):
        yield ((start, end, number_of[label_of[part[start:end]]]) for start, end in _pairs(spans))


def _pairs(spans: splitting.Spans) -> Iterator[tuple[int, int]]:
    return zip(spans[::2], spans[1::2], strict=True)


def _alternatives_that_match(pieces: list[str], pattern: str) -> dict[str, str]:
    """Return the label of each match of an unknown pattern: the first of its alternatives that matches there.

    As far as no alternative looks at the text around it, the same ones match a piece by itself.
    """
    label_of = dict.fromkeys(pieces, _label_of_match(pattern))
    for alternative in reversed(_sure_alternatives(pattern)):
        for piece, spans in zip(pieces, splitting.match_spans(pieces, alternative), strict=True):
            if len(spans) and spans[0] == 0:
                label_of[piece] = _label_of_match(alternative)
    return label_of


def _sure_alternatives(pattern: str) -> tuple[str, ...]:
    """Return the alternatives before the first that depends on the text around it; () if a pattern has just one."""
    flags, parts = alternatives(pattern)
    if len(parts) == 1 or len(parts) > _MAX_ALTERNATIVES:
        return ()
    return tuple(flags + part for part in takewhile(lambda part: not _LOOKS_AROUND.search(part), parts))


def _separate_space(text: str, cuts: _Cuts, apart: int, alphabet: Alphabet) -> _Cuts:
    """Cut white space off words. It gets the branch `apart`."""
    separated = _Cuts()
    for piece, branch in zip(cuts.pieces(text), cuts.branches, strict=True):
        parts = [piece] if branch == NO_BRANCH else alphabet.words([piece])
        for part in parts:
            separated.add(len(part), apart if len(parts) > 1 and alphabet.is_space(part) else branch)
    return separated


def _labels_of(pattern: str) -> list[str]:
    if pattern in KNOWN:
        return [label for label, _ in KNOWN[pattern]]
    return [_label_of_match(part) for part in (pattern, *_sure_alternatives(pattern))]


def _label_of_match(pattern: str) -> str:
    return f"a match of {pattern}" if len(pattern) <= _MAX_PATTERN_SHOWN else "a match of the split pattern"


@cache
def _grouped_for_ascii(pattern: str) -> re.Pattern[str]:
    return splitting.compile_for_ascii(_in_groups(pattern))


@cache
def _in_groups(pattern: str) -> str:
    """A known pattern with each branch in its own group, so that a match tells which branch it was."""
    return "|".join(f"({branch})" for _, branch in KNOWN[pattern])
