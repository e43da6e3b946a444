r"""The branch that cut each pre-token: letters, numbers, other characters, white space; or a match of another pattern.

Known split patterns are alternatives, or branches, tried one after the other, and each has a name (see
`splitting.BRANCHES`). A name holds for whatever its branch can match; where a branch can take more than its name says,
such as the bracket of `(a`, pieces that have it get a label that says so. A piece cut by any other pattern is labelled
by the alternative that matched it, where that can be told, or as text between two matches. Where several patterns cut a
text one after the other, a piece belongs to the first of them that has it as a match.
"""

from array import array
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise, product
from operator import itemgetter
from typing import Literal

import numpy as np
import numpy.typing as npt
import regex

from tokviz.arrays import Int32Array
from tokviz.formats.hugging_face import PATTERN_OF_SPELLING
from tokviz.pretokens import splitting, unicode_tables
from tokviz.pretokens.special_tokens import cut_out
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.capabilities import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

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
ALL_BUT_LAST = "white space, all but the last"
AT_THE_END = "white space at the end"
"""`ALL_BUT_LAST` at the end of a text, where it takes all of the white space."""
BEFORE_A_CUT = "white space before an earlier cut"
"""The same where the split stretch ends within the text: at a special token, or at a cut of an earlier pattern."""

Piece = tuple[str, int]
"""A pre-token and its branch: an index into `labels`, or `NO_BRANCH`."""

_Branches = tuple[tuple[str, str], ...]

# Maximum characters of an unknown pattern to show in its label.
_MAX_PATTERN_SHOWN = 60

_MAX_ALTERNATIVES = 20  # of a pattern, for the label of the one that matched

# Looking around, anchors, references, conditions, flags, captures, and sets within sets.
_LOOKS_AROUND = regex.compile(r"\\[bBAzZGKmM0-9gkXR]|(?<!\[)\^|\$|\(\?(?!:)|\((?!\?)|\(\*|\[\]|\[[^\]\\]*\[")

_LETTER_BRANCHES = ("letters", "letters, capitals before small ones", "capital letters")
"""Branches that may take a character in front of the letters, marks in place of letters, and an ending such as `'s`."""

_LETTER_PIECE = regex.compile(r"(?P<front>[^\p{L}\p{M}])?(?P<letters>[\p{L}\p{M}]+)(?P<ending>'\p{L}+)?")
_SPACE, _NUMBER, _LETTER = (regex.compile(kind) for kind in (r"\s", r"\p{N}", r"\p{L}"))
_MARKS = "combining marks"
_FRONTS = ("", "number and ", "symbol and ")
_ENDINGS = ("", ", with 's or such")

_LLAMA3: _Branches = (
    ("'s, 't, 're and such", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"),
    ("letters", r"[^\r\n\p{L}\p{N}]?\p{L}+"),
    ("numbers", r"\p{N}{1,3}"),
    ("neither letters nor numbers", r" ?[^\s\p{L}\p{N}]+[\r\n]*"),
    ("line break", r"\s*[\r\n]+"),
    (ALL_BUT_LAST, r"\s+(?!\S)"),
    ("white space", r"\s+"),
)
_QWEN: _Branches = (*_LLAMA3[:2], ("number", r"\p{N}"), *_LLAMA3[3:])
_DEEPSEEK: _Branches = (
    ("symbol and letters", r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"),
    ("letters", r"[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"),
    ("punctuation and symbols", r" ?[\p{P}\p{S}]+[\r\n]*"),
    *_LLAMA3[4:],
)
_SINGLE: tuple[_Branches, ...] = (
    (("numbers", r"\p{N}{1,3}"),),
    (("numbers", r"\p{N}+"),),
    (("number", r"\p{N}"),),
    (("Chinese and Japanese characters", "[一-龥぀-ゟ゠-ヿ]+"),),
)


def _joined(branches: _Branches) -> str:
    return "|".join(branch for _, branch in branches)


_PUBLISHED = (_LLAMA3, _QWEN, _DEEPSEEK, *_SINGLE)
_KNOWN: dict[str, _Branches] = {
    **{splitting.PATTERNS[name]: branches for name, branches in splitting.BRANCHES.items()},
    **{_joined(branches): branches for branches in _PUBLISHED},
}
splitting.trust(_KNOWN)


COMPLETE: dict[str, _Branches] = {
    pattern: branches
    for pattern, branches in _KNOWN.items()
    if branches in (*splitting.BRANCHES.values(), _LLAMA3, _QWEN)
}
"""Known patterns that leave no text unmatched, with their branches: the name and pattern of each."""

_PATTERN_OF_SOURCE = {pattern.replace(r"\"", '"'): pattern for pattern in _KNOWN} | PATTERN_OF_SPELLING


def _known_pattern(source: str) -> str | None:
    """Return the known pattern that a tokenizer.json writes so; None if it is not known."""
    return _PATTERN_OF_SOURCE.get(source.replace("\r", r"\r").replace("\n", r"\n"))


RUNS: dict[str, str] = {
    **{pattern: rf"{pattern}|\P{{N}}*" for pattern in (r"\p{N}", r"\p{N}{1,3}", r"\p{N}+")},
    "[一-龥぀-ゟ゠-ヿ]+": "[一-龥぀-ゟ゠-ヿ]+|[^一-龥぀-ゟ゠-ヿ]*",
}
"""Known patterns that cut runs of such characters out of a text, each with a pattern for what can be in its pieces."""


def patterns_of(tokenizer: Tokenizer) -> tuple[str, ...] | None:
    """Return the split patterns by which a tokenizer cuts texts; None if it cuts otherwise, or they are not known."""
    if isinstance(tokenizer, HuggingFaceTokenizer):
        return _patterns_of_file(tokenizer)
    return tokenizer.split_patterns if tokenizer.takes_split_patterns else None


def cutting_of(tokenizer: Tokenizer) -> Literal["pattern", "rules", ""]:
    """Return what cuts texts before tokens are looked for: a split pattern, before merges; other rules; or nothing."""
    if isinstance(tokenizer, BPETokenizer):
        return "pattern" if tokenizer.split_patterns else ""
    if isinstance(tokenizer, HuggingFaceTokenizer):
        merges = tokenizer.algorithm == "bpe" and patterns_of(tokenizer)
        return "pattern" if merges else "rules" if tokenizer.splits_first else ""
    return "rules" if tokenizer.split_patterns else ""


def _patterns_of_file(tokenizer: HuggingFaceTokenizer) -> tuple[str, ...] | None:
    patterns = []
    for step in tokenizer.cutting_steps:
        if step["type"] == "Split" and step["behavior"] == "Isolated" and not step["invert"]:
            found = _known_pattern(step["pattern"].get("Regex", ""))
            if found is None:
                return None
            patterns.append(found)
        elif step["type"] == "ByteLevel" and not step["add_prefix_space"]:
            patterns += [splitting.PATTERNS["gpt2"]] if step["use_regex"] else []
        else:
            return None
    return tuple(patterns)


def labels(tokenizer: Tokenizer) -> list[str]:
    """Labels of everything that can cut a pre-token of this tokenizer, in plain words."""
    found = [label for pattern in patterns_of(tokenizer) or () for label in _labels_of(pattern)]
    found += [
        f"{front}{letters}{ending}"
        for name in _LETTER_BRANCHES
        if name in found
        for front, letters, ending in product(_FRONTS, (name, _MARKS), _ENDINGS)
    ]
    if ALL_BUT_LAST in found:
        found += [AT_THE_END, BEFORE_A_CUT]
    ends_words = isinstance(tokenizer, BPETokenizer) and tokenizer.end_of_word is not None
    by_rules = [] if tokenizer.takes_split_patterns else [_rules_of(tokenizer)]
    return list(dict.fromkeys([*found, *by_rules, BETWEEN, NOT_CUT, *([APART] if ends_words else [])]))


def pretoken_branches(tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()) -> list[Piece]:
    """Pre-tokens that `tokenizer` cuts `text` into, with their branches. `allowed_special` lists special tokens.

    >>> from tokviz.pretrained import load
    >>> [(piece, labels(load("gpt2"))[branch]) for piece, branch in pretoken_branches(load("gpt2"), "I'll")]
    [('I', 'letters'), ("'ll", "'s, 't, 're and such")]
    """
    pieces, branches = [], bytearray()
    for piece, branch in _numbered_pieces(tokenizer, text, allowed_special):
        pieces.append(piece)
        branches.append(branch)
    lengths = np.fromiter(map(len, pieces), np.int32, len(pieces))
    return list(zip(pieces, _relabel_ends(tokenizer, lengths, branches).tolist(), strict=True))


def branch_columns(
    tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()
) -> tuple[Int32Array, npt.NDArray[np.uint8]]:
    """Byte length and branch of each pre-token: `pretoken_branches` as columns, which take a tenth of the memory.

    A text of 10 MB may have ten million pre-tokens.
    """
    lengths, branches = array("i"), bytearray()
    for piece, branch in _numbered_pieces(tokenizer, text, allowed_special):
        lengths.append(len(piece.encode()))
        branches.append(branch)
    sizes = np.frombuffer(lengths, np.int32)
    return sizes, _relabel_ends(tokenizer, sizes, branches)


_LabelledPiece = tuple[str, str | None]
"""A piece and its label, which is None for a special token."""


def _numbered_pieces(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> Iterator[Piece]:
    """Yield the pieces with their branches. Pieces before the last may be `AT_THE_END`, too."""
    number_of = {label: number for number, label in enumerate(labels(tokenizer))}
    for piece, label in _labelled_pieces(tokenizer, repair(text)[0], allowed_special):
        yield piece, NO_BRANCH if label is None else number_of[label]


def _relabel_ends(tokenizer: Tokenizer, lengths: Int32Array, branches: bytearray) -> npt.NDArray[np.uint8]:
    """Keep `AT_THE_END` for the last piece with any text only; others become `BEFORE_A_CUT`."""
    column = np.frombuffer(branches, np.uint8)
    names = labels(tokenizer)
    if AT_THE_END in names:
        last = np.flatnonzero(lengths)[-1:].max(initial=0)
        before = column[:last]  # a view into `column`
        before[before == names.index(AT_THE_END)] = names.index(BEFORE_A_CUT)
    return column


def _labelled_pieces(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> Iterator[_LabelledPiece]:
    if not tokenizer.takes_split_patterns:
        yield from _pieces_of_engine(tokenizer, text, allowed_special)
        return
    is_marked = isinstance(tokenizer, BPETokenizer) and tokenizer.end_of_word is not None
    for number, segment in enumerate(cut_out(text, allowed_special)):
        found = iter([(segment, None)]) if number % 2 else _cut(segment, tokenizer.split_patterns)
        for piece in found:
            yield from _separate_space(*piece) if is_marked else [piece]


def _pieces_of_engine(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> Iterator[_LabelledPiece]:
    """Yield the pieces that another library cuts a text into, labelled by branches where known patterns cut it so."""
    patterns, rules = patterns_of(tokenizer), _rules_of(tokenizer)
    for is_cut_out, run in groupby(_pretokens_of_engine(tokenizer, text, allowed_special), itemgetter(1)):
        pieces = [piece for piece, _ in run]
        if is_cut_out:
            yield from ((piece, None) for piece in pieces)
            continue
        found = list(_cut("".join(pieces), patterns)) if patterns is not None else []
        # Its patterns see the normalized text, which may be cut elsewhere.
        is_same = [piece for piece, _ in found] == pieces
        yield from found if is_same else ((piece, rules) for piece in pieces)


def _pretokens_of_engine(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> list[tuple[str, bool]]:
    """Return the stretches of a text that its pre-tokens cover, each with whether it was cut out before."""
    tokenization = tokenizer.tokenize(text, allowed_special)
    firsts = np.flatnonzero(np.diff(tokenization.pretoken_index, prepend=-1))
    ids = tokenization.ids[firsts]
    is_cut_out = tokenization.special[firsts] & (ids != getattr(tokenizer, "unknown", None))
    is_cut_out |= np.isin(ids, list(getattr(tokenizer, "cut_out_ids", ())))
    places = [*tokenization.code_point_offsets[firsts].tolist(), len(text)]
    pieces = [text[start:end] for start, end in pairwise(places)]
    return list(zip(pieces, is_cut_out.tolist(), strict=True))


def _rules_of(tokenizer: Tokenizer) -> str:
    """Label of the pieces that an engine cuts by other rules than known patterns, or of an uncut text."""
    if isinstance(tokenizer, EngineTokenizer) and not isinstance(tokenizer, HuggingFaceTokenizer):
        return NOT_CUT
    if not isinstance(tokenizer, HuggingFaceTokenizer):
        return BY_OWN_RULES
    kinds = [str(step["type"]) for step in tokenizer.cutting_steps]
    return _RULES.get(kinds[0], BY_OWN_RULES) if len(kinds) == 1 else BY_OWN_RULES if kinds else NOT_CUT


def _cut(text: str, patterns: Sequence[str]) -> Iterator[_LabelledPiece]:
    """Cut by one pattern after another."""
    pieces: Iterator[_LabelledPiece] = iter([(text, NOT_CUT)] if text else [])
    for pattern in patterns:
        pieces = _cut_further(list(pieces), pattern)
    return pieces


def _cut_further(pieces: list[_LabelledPiece], pattern: str) -> Iterator[_LabelledPiece]:
    match_parts = _match_known if pattern in _KNOWN else _match_unknown
    for (piece, label), cut in zip(pieces, match_parts([piece for piece, _ in pieces], pattern), strict=True):
        first, second = next(cut), next(cut, None)
        if second is not None:
            yield first
            yield second
            yield from cut
        else:
            yield first if label in (BETWEEN, NOT_CUT) else (piece, label)


def _match_known(parts: list[str], pattern: str) -> Iterator[Iterator[_LabelledPiece]]:
    """Cut each part by a known pattern into pieces labelled with the names of their branches."""
    names = [name for name, _ in _KNOWN[pattern]]
    for part in parts:
        seen = unicode_tables.as_tiktoken_sees(part) if pattern in splitting.TIKTOKEN_PATTERNS else part
        yield _tiled(part, (_named_span(match, names) for match in _grouped(pattern).finditer(seen)))


def _named_span(match: "regex.Match[str]", names: Sequence[str]) -> tuple[int, int, str]:
    """Start and end of a match, and the name of its branch."""
    start, end = match.span()
    name = names[(match.lastindex or 1) - 1]
    if name in _LETTER_BRANCHES:
        return start, end, _letter_branch_name(name, match.group())
    return start, end, AT_THE_END if name == ALL_BUT_LAST and end == len(match.string) else name


def _letter_branch_name(name: str, piece: str) -> str:
    """Name of a letter branch, with what else it took in."""
    parts = _LETTER_PIECE.fullmatch(piece)
    assert parts is not None
    front, letters = parts["front"] or " ", parts["letters"]
    before = "" if _SPACE.match(front) else _FRONTS[1 if _NUMBER.match(front) else 2]
    core = name if _LETTER.search(letters) else _MARKS
    return f"{before}{core}{_ENDINGS[bool(parts['ending'])]}"


def _match_unknown(parts: list[str], pattern: str) -> Iterator[Iterator[_LabelledPiece]]:
    found = splitting.match_spans(parts, pattern)
    pieces = {part[start:end] for part, spans in zip(parts, found, strict=True) for start, end in _pairs(spans)}
    label_of = _alternatives_that_match(sorted(pieces), pattern)
    for part, spans in zip(parts, found, strict=True):
        yield _tiled(part, ((start, end, label_of[part[start:end]]) for start, end in _pairs(spans)))


def _pairs(spans: splitting.Spans) -> Iterator[tuple[int, int]]:
    return zip(spans[::2], spans[1::2], strict=True)


def _alternatives_that_match(pieces: list[str], pattern: str) -> dict[str, str]:
    """Return the label of each match of an unknown pattern: the first of its alternatives that matches there.

    No alternative looks at the text around it, so the same ones match a piece by itself.
    """
    found = dict.fromkeys(pieces, _label_of_match(pattern))
    for alternative in reversed(_alternatives(pattern)):
        for piece, spans in zip(pieces, splitting.match_spans(pieces, alternative), strict=True):
            if len(spans) and spans[0] == 0:
                found[piece] = _label_of_match(alternative)
    return found


@lru_cache(maxsize=32)
def _alternatives(pattern: str) -> tuple[str, ...]:
    """Return the alternatives of a pattern; () if it has one, or what makes them depend on the text around them."""
    if _LOOKS_AROUND.search(pattern):
        return ()
    parts = [""]
    depth, in_set = 0, False
    for item in regex.findall(r"\\.|.", pattern, regex.DOTALL):
        in_set = (in_set or item == "[") and item != "]"
        depth += 0 if in_set else (item == "(") - (item == ")")
        if item == "|" and not in_set and depth == 0:
            parts.append("")
        else:
            parts[-1] += item
    return tuple(parts) if 1 < len(parts) <= _MAX_ALTERNATIVES and all(parts) else ()


def _tiled(text: str, spans: Iterator[tuple[int, int, str]]) -> Iterator[_LabelledPiece]:
    """Yield the matches, none of which is empty, and the stretches between them."""
    end = 0
    for start, stop, label in spans:
        if end < start:
            yield text[end:start], BETWEEN
        yield text[start:stop], label
        end = stop
    if end < len(text):
        yield text[end:], BETWEEN


def _separate_space(piece: str, label: str | None) -> list[_LabelledPiece]:
    parts = [piece] if label is None else splitting.apart_from_space([piece])
    return [(part, APART if len(parts) > 1 and part.isspace() else label) for part in parts]


def _labels_of(pattern: str) -> list[str]:
    if pattern in _KNOWN:
        return [label for label, _ in _KNOWN[pattern]]
    return [_label_of_match(part) for part in (pattern, *_alternatives(pattern))]


def _label_of_match(pattern: str) -> str:
    return f"a match of {pattern}" if len(pattern) <= _MAX_PATTERN_SHOWN else "a match of the split pattern"


@lru_cache(maxsize=32)
def _grouped(pattern: str) -> "regex.Pattern[str]":
    """A known pattern with each branch in its own group, so that a match tells which branch it was."""
    # DOTALL replaces the (?s) of "words", which would apply to its own group only. No other pattern has a dot.
    return regex.compile("|".join(f"({branch})" for _, branch in _KNOWN[pattern]), regex.DOTALL)
