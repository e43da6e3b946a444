"""Are two tokenizers the same? If not, a shortest text that shows it, and the stage at fault."""

import random
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain, islice, product

from tokviz.analysis.comparison.cuts import barred
from tokviz.analysis.corpus import as_tokenizer, distinct
from tokviz.analysis.difference.changes import Changes
from tokviz.analysis.difference.stages import Stage, always_found, differing_stages, results, stage_at_fault
from tokviz.display import enumerated, hex_bytes, shown, token_text
from tokviz.samples import samples
from tokviz.texts import Texts, each_text
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.progress import Progress, with_phases

_MAX_SHOWN = 60  # maximum characters of a token, and tokens of a list, that are quoted in a sentence
_REPORTED_EVERY = 100  # texts between two reports of progress

# Something for each branch of the usual split patterns and for each normal form.
_ATOMS = (
    "a", "B", "Ab", "é", "e\u0301", "ß", "ſ", "ﬁ", "ǅ", "中", "あ", "가", "\u1100\u1161", "ا", "ก", "1", "234", "١",
    "½", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "'", "’", "'s", "'T", "'ll", "_", "/", "//", "-", "...",
    "+", "<", "(", "$", "，", "🍕", "\u200d", "\ufe0f", "\u0327", "\0", "\ufffd", "\ue000",
)  # fmt: skip
_FEW_ATOMS = ("a", "B", "e\u0301", "中", "1", "234", " ", "\n", "\t", "'s", "'", "/", "-", "，", "🍕")
_MAX_TOKENS = 6_000  # maximum tokens whose texts are tried
_RANDOM_TEXTS = 2_000


class Verdict(StrEnum):
    """Result of comparing two tokenizers.

    `SAME`: all stages are the same as data, so every text gets the same ids. `DIFFERENT`: some text doesn't.
    `NONE_FOUND`: some stages differ as data, but no text that was tried shows it.
    """

    SAME = "same"
    DIFFERENT = "different"
    NONE_FOUND = "none found"


@dataclass(frozen=True)
class Witness:
    """A text that gets other ids from the second tokenizer than from the first.

    No single character can be left out of `text`. `ids` are what the two make of it, None for one that refuses it, with
    all special tokens allowed, or with none if not `allows_special`, as `encode` reads a text by default. `stage` is
    the first one whose results differ, and `because` names these results in words.
    """

    text: str
    ids: tuple[tuple[int, ...] | None, tuple[int, ...] | None]
    stage: Stage
    because: str
    allows_special: bool = True


@dataclass(frozen=True)
class Difference:
    """The result of `difference`, true if a difference was found. `str` says it in words.

    `stages` are those that differ as data; `tried` is the number of texts tried. `unapplied` names settings that also
    differ, but that encoding doesn't apply, such as what a `post_processor` puts around a text. `merges` names some of
    the merges that differ, where both tables can be read.
    """

    names: tuple[str, str]
    verdict: Verdict
    stages: tuple[Stage, ...]
    witness: Witness | None
    tried: int
    unapplied: tuple[str, ...] = ()
    merges: str = ""

    def __bool__(self) -> bool:
        return self.witness is not None

    def __str__(self) -> str:
        first, second = self.names
        differing = enumerated([str(stage) for stage in self.stages])
        if self.verdict is Verdict.SAME:
            sentence = f"{first} and {second} are the same: all stages are equal as data, so all texts get equal ids."
        elif self.witness is None:
            sentence = (
                f"No difference between {first} and {second} was found in {self.tried:,} texts. As data, they differ "
                f"in the {differing}{f' ({self.merges})' if self.merges else ''}, so some text may still get other ids."
            )
        else:
            sentence = f"{first} and {second} differ in the {self.witness.stage}: {self.witness.because}"
        if not self.unapplied:
            return sentence
        return (
            f"{sentence} Not compared, as encode leaves it out by default, but different: {', '.join(self.unapplied)}."
        )


def difference(
    first: str | Tokenizer, second: str | Tokenizer, texts: Texts = (), *, progress: Progress | None = None
) -> Difference:
    """Find out whether two tokenizers, given as names or tokenizers, encode alike.

    If their stages differ as data, texts are tried until one gets different ids, with all special tokens allowed and,
    if these differ, with none, as `encode` reads a text by default: `texts` first, then those made from
    the merges, scores and pieces that differ, and thousands that are likely to show a difference in these stages; the
    text that shows a difference is shortened as far as possible. Without a difference, this can take some seconds.
    `progress(phase, done, total)` is called with the phase "trying", `done` texts and None; an exception in it stops
    the work.

    >>> found = difference("p50k_base", "gpt2")
    >>> found.witness.text, found.witness.stage.value
    ('  ', 'merges')
    """
    one, other = as_tokenizer(first), as_tokenizer(second)
    names, stages = _names(one, other), differing_stages(one, other)
    if not stages:
        return Difference(names, Verdict.SAME, stages, None, 0, _unapplied(one, other))
    report = with_phases(progress, "trying")
    changes = Changes(one, other, names)
    candidates = chain(each_text(texts), trial_texts(one, other, stages, changes))
    ids_differ = Stage.IDS in stages and len(stages) > 1
    pairs = [_Pair(one, other, "all")] + [_Pair(one, other, ())] * (Stage.SPECIALS in stages)
    hit, tried = _search(pairs, candidates, ids_differ, lambda done: report("trying", done, None))
    witness = None if hit is None else _witness(*hit, stages)
    verdict = Verdict.NONE_FOUND if witness is None else Verdict.DIFFERENT
    entries = changes.in_words() if witness is None and Stage.MERGES in stages else ""
    return Difference(names, verdict, stages, witness, tried, _unapplied(one, other), entries)


def _names(first: Tokenizer, second: Tokenizer) -> tuple[str, str]:
    one, other = distinct((first.name, second.name))
    return one, other


@dataclass(frozen=True)
class _Pair:
    """Two tokenizers, and the special tokens that are allowed when both encode a text."""

    first: Tokenizer
    second: Tokenizer
    allowed: Collection[str]

    def ids(self, text: str) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
        """Return the ids of a text, None for a tokenizer that refuses it."""
        return _ids(self.first, text, self.allowed), _ids(self.second, text, self.allowed)

    def ids_differ(self, text: str) -> bool:
        one, other = self.ids(text)
        return one != other

    def tokens_differ(self, text: str) -> bool:
        """Return whether the bytes of the tokens differ."""
        one, other = map(_bytes_of, (self.first, self.second), self.ids(text))
        return one != other


def _search(
    pairs: Sequence[_Pair], texts: Iterable[str], ids_differ: bool, report: Callable[[int], object]
) -> tuple[tuple[_Pair, str] | None, int]:
    """Return a text that gets different ids from a pair, as short as it goes, or None, and the number of texts tried.

    If the ids of tokens differ as data, a text that is cut differently is looked for first, as it says more.
    """
    with_other_ids, tried = None, 0
    for tried, text in enumerate(texts, start=1):
        if tried % _REPORTED_EVERY == 0:
            report(tried)
        for pair in pairs:
            differs = pair.tokens_differ if ids_differ else pair.ids_differ
            if differs(text):
                return (pair, shorten_while(text, differs)), tried
            if ids_differ and with_other_ids is None and pair.ids_differ(text):
                with_other_ids = pair, text
    report(tried)
    if with_other_ids is None:
        return None, tried
    pair, text = with_other_ids
    return (pair, shorten_while(text, pair.ids_differ)), tried


def _bytes_of(tokenizer: Tokenizer, ids: tuple[int, ...] | None) -> tuple[bytes, ...] | None:
    return None if ids is None else tuple(tokenizer.vocab[token] for token in ids)


def _ids(tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> tuple[int, ...] | None:
    """Ids of a text; None if the tokenizer refuses it."""
    try:
        return tuple(tokenizer.encode(text, allowed))
    except ValueError:
        return None


def _unapplied(first: Tokenizer, second: Tokenizer) -> tuple[str, ...]:
    one, other = (first.unapplied, second.unapplied) if type(first) is type(second) else ({}, {})
    names = sorted(key for key in {*one, *other} if one.get(key) != other.get(key))
    if first.around != second.around and "post_processor" not in names:
        names.append("the tokens around a text")
    return tuple(names)


def _witness(pair: _Pair, text: str, stages: tuple[Stage, ...]) -> Witness:
    first, second, allowed = pair.first, pair.second, pair.allowed
    stage = stage_at_fault(first, second, text, stages, allowed)
    clauses = [
        f"{name} {_result_in_words(each, text, stage, allowed)}"
        for name, each in zip(_names(first, second), (first, second), strict=True)
    ]
    reading = "" if allowed else ", with no special tokens allowed"
    because = f"of “{_quoted(text.encode())}”{reading}, {', '.join(clauses)}."
    return Witness(text, pair.ids(text), stage, because, bool(allowed))


def _result_in_words(tokenizer: Tokenizer, text: str, stage: Stage, allowed: Collection[str]) -> str:
    """Say what a stage of a tokenizer makes of a text."""
    try:
        result = results(tokenizer, text, allowed)[stage]
    except ValueError as refusal:
        return f"can't encode it ({refusal})"
    if stage is Stage.SPECIALS:
        data = text.encode()
        named = [f"“{_quoted(data[start:end])}” as token {token}" for start, end, token in result]
        return f"cuts out {enumerated(named)}" if named else "cuts out nothing"
    if stage is Stage.NORMALIZER:
        return f"encodes “{_quoted(result)}” ({hex_bytes(result[:_MAX_SHOWN])})" if result else "encodes nothing"
    if stage is Stage.SPLIT:
        return f"cuts “{_joined(piece.encode() for piece in result)}”" if result else "leaves nothing"
    if stage is Stage.MERGES:
        return f"makes “{_joined(data for data, _ in result)}”"
    return f"gives the ids {', '.join(map(str, result[:_MAX_SHOWN]))}"


def _joined(pieces: Iterable[bytes]) -> str:
    return barred([*map(_quoted, islice(pieces, _MAX_SHOWN + 1))], _MAX_SHOWN)


def _quoted(data: bytes) -> str:
    return shown(data, _MAX_SHOWN)


def shorten_while(text: str, shows: Callable[[str], bool]) -> str:
    """Return a part of `text` that still `shows` it, from which no single character can be left out.

    Larger parts are left out first: halves, then quarters, and so on (delta debugging: Zeller and Hildebrandt, 2002).

    >>> shorten_while("some (text) here", lambda text: "(" in text and ")" in text)
    '()'
    """
    size = max(1, len(text) // 2)
    while True:
        before = len(text)
        start = 0
        while start < len(text):
            rest = text[:start] + text[start + size :]
            if shows(rest):
                text = rest
            else:
                start += size
        if size == 1 and len(text) == before:
            return text
        size = max(1, size // 2)


def trial_texts(first: Tokenizer, second: Tokenizer, stages: Sequence[Stage], changes: Changes) -> Iterator[str]:
    """Yield texts for two tokenizers that differ in `stages`. The same ones each time; some may be repeated."""
    if Stage.SPECIALS in stages:
        yield from _around_specials(first, second)
    yield from _ATOMS
    yield from changes.texts()
    yield from map("".join, product(_ATOMS, repeat=2))
    tokens = _texts_of_tokens(first, second)
    yield from tokens
    yield from changes.witnesses()
    yield from map("".join, product(_FEW_ATOMS, repeat=3))
    for sample in samples():
        yield sample.text
    choose = random.Random(0).choice
    pieces = [*tokens[: _MAX_TOKENS // 2], *_ATOMS]
    for number in range(_RANDOM_TEXTS):
        yield "".join(choose(pieces) for _ in range(2 + number % 7))


def _around_specials(first: Tokenizer, second: Tokenizer) -> Iterator[str]:
    """Special and added tokens, those first that only one has, alone and beside other text."""
    have = [{*tokenizer.special_tokens, *always_found(tokenizer)} for tokenizer in (first, second)]
    only_one = sorted(have[0] ^ have[1])
    texts = [*only_one, *sorted(have[0] & have[1])]
    for before, after in (("", ""), ("a", "a"), (" ", " "), ("a ", " a"), ("\n", "\n"), ("", "!")):
        yield from (f"{before}{text}{after}" for text in texts[:1_000])
    # A token may be looked for before the text is normalized, or after.
    for change in (str.upper, str.lower, partial(unicodedata.normalize, "NFD"), partial(unicodedata.normalize, "NFKC")):
        yield from (changed for text in texts[:1_000] if (changed := change(text)) != text)


def _texts_of_tokens(first: Tokenizer, second: Tokenizer) -> list[str]:
    """Texts of the tokens: those first that only one has or that have another id, then some of all."""
    vocabularies = [tokenizer.vocab for tokenizer in (first, second) if len(tokenizer.vocab) < 0x100000]
    ids = [{data: token for token, data in vocab.items()} for vocab in vocabularies]
    every = list(dict.fromkeys(chain.from_iterable(ids)))
    differing = {data for data, _ in ids[0].items() ^ ids[-1].items()} if ids else set()
    changed = [data for data in every if data in differing] if differing else []
    step = max(1, 2 * len(every) // _MAX_TOKENS)
    chosen = dict.fromkeys([*changed[: _MAX_TOKENS // 2], *every[::step]])
    return [text for data in chosen if (text := token_text(data))]
