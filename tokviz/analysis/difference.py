"""Are two tokenizers the same? If not, a shortest text that shows it, and the stage at fault."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import Any

from tokviz.analysis.corpus import as_tokenizer, distinct
from tokviz.analysis.shortening import shorten_while
from tokviz.analysis.stages import Stage, differing_stages, results, stage_at_fault
from tokviz.analysis.trial_texts import trial_texts
from tokviz.display import hex_bytes, shown
from tokviz.texts import Texts, each_text
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

_MAX_SHOWN = 60
"""Maximum characters of a token, and tokens of a list, that are quoted in a sentence."""


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
    """A text that gets other ids from the second tokenizer than from the first, all special tokens allowed.

    No single character can be left out of `text`. `ids` are what the two make of it, None for one that refuses it.
    `stage` is the first one whose results differ, and `because` names these results in words.
    """

    text: str
    ids: tuple[tuple[int, ...] | None, tuple[int, ...] | None]
    stage: Stage
    because: str


@dataclass(frozen=True)
class Difference:
    """The result of `difference`, true if a difference was found. `str` says it in words.

    `stages` are those that differ as data; `tried` is the number of texts tried. `unapplied` names settings that also
    differ, but that encoding doesn't apply, such as what a `post_processor` puts around a text.
    """

    names: tuple[str, str]
    verdict: Verdict
    stages: tuple[Stage, ...]
    witness: Witness | None
    tried: int
    unapplied: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.witness is not None

    def __str__(self) -> str:
        first, second = self.names
        differing = _listed([str(stage) for stage in self.stages])
        if self.verdict is Verdict.SAME:
            sentence = f"{first} and {second} are the same: all stages are equal as data, so all texts get equal ids."
        elif self.witness is None:
            sentence = (
                f"No difference between {first} and {second} was found in {self.tried:,} texts. As data, they differ "
                f"in the {differing}, so some text may still get other ids."
            )
        else:
            sentence = f"{first} and {second} differ in the {self.witness.stage}: {self.witness.because}"
        if not self.unapplied:
            return sentence
        return (
            f"{sentence} Not compared, as encode leaves it out by default, but different: {', '.join(self.unapplied)}."
        )


def difference(first: str | Tokenizer, second: str | Tokenizer, texts: Texts = ()) -> Difference:
    """Find out whether two tokenizers, given as names or tokenizers, encode alike.

    If their stages differ as data, texts are tried until one gets different ids, `texts` first, then thousands that
    are likely to show a difference in these stages; the one that shows it is shortened as far as it goes. It can take
    some seconds to find none.

    >>> found = difference("p50k_base", "gpt2")
    >>> found.witness.text, found.witness.stage.value
    ('  ', 'merges')
    """
    one, other = as_tokenizer(first), as_tokenizer(second)
    stages = differing_stages(one, other)
    witness, tried = _search(one, other, stages, texts) if stages else (None, 0)
    verdict = Verdict.DIFFERENT if witness else Verdict.NONE_FOUND if stages else Verdict.SAME
    return Difference(_names(one, other), verdict, stages, witness, tried, _unapplied(one, other))


def _names(first: Tokenizer, second: Tokenizer) -> tuple[str, str]:
    one, other = distinct((first.name, second.name))
    return one, other


def _search(first: Tokenizer, second: Tokenizer, stages: tuple[Stage, ...], texts: Texts) -> tuple[Witness | None, int]:
    """Return a witness, or None, and the number of texts tried.

    A text that is cut differently says more than other ids for the same tokens, so these are looked for last.
    """
    some = list(each_text(texts))
    tried = 0
    for outcome in (_tokens, _ids) if Stage.IDS in stages and len(stages) > 1 else (_ids,):
        differs = partial(_differs, first, second, outcome)
        for tried, text in enumerate(chain(some, trial_texts(first, second, stages)), start=1):
            if differs(text):
                return _witness(first, second, shorten_while(text, differs), stages), tried
    return None, tried


Outcome = Callable[[Tokenizer, str], object]


def _differs(first: Tokenizer, second: Tokenizer, outcome: Outcome, text: str) -> bool:
    return outcome(first, text) != outcome(second, text)


def _tokens(tokenizer: Tokenizer, text: str) -> tuple[bytes, ...] | None:
    """Bytes of the tokens of a text, all special tokens allowed; None if the tokenizer refuses it."""
    ids = _ids(tokenizer, text)
    return None if ids is None else tuple(tokenizer.vocab[token] for token in ids)


def _ids(tokenizer: Tokenizer, text: str) -> tuple[int, ...] | None:
    """Ids of a text, all special tokens allowed; None if the tokenizer refuses it."""
    try:
        return tuple(tokenizer.encode(text, "all"))
    except ValueError:
        return None


def _unapplied(first: Tokenizer, second: Tokenizer) -> tuple[str, ...]:
    one, other = (_kept(first), _kept(second)) if type(first) is type(second) else ({}, {})
    names = sorted(key for key in {*one, *other} if one.get(key) != other.get(key))
    if first.around != second.around and "post_processor" not in names:
        names.append("the tokens around a text")
    return tuple(names)


def _kept(tokenizer: Tokenizer) -> Mapping[str, Any]:
    """Return the parts of a tokenizer's file that play no part in encoding."""
    if isinstance(tokenizer, HuggingFaceTokenizer):
        return {part: tokenizer.parts[part] for part in ("post_processor", "decoder")}
    return tokenizer.unapplied if isinstance(tokenizer, BPETokenizer) else {}


def _witness(first: Tokenizer, second: Tokenizer, text: str, stages: tuple[Stage, ...]) -> Witness:
    stage = stage_at_fault(first, second, text, stages)
    said = [
        f"{name} {_said(each, text, stage)}" for name, each in zip(_names(first, second), (first, second), strict=True)
    ]
    because = f"of “{_quoted(text.encode())}”, {', '.join(said)}."
    return Witness(text, (_ids(first, text), _ids(second, text)), stage, because)


def _said(tokenizer: Tokenizer, text: str, stage: Stage) -> str:
    """Say what a stage of a tokenizer makes of a text."""
    try:
        found = results(tokenizer, text)[stage]
    except ValueError as refusal:
        return f"can't encode it ({refusal})"
    if stage is Stage.SPECIALS:
        data = text.encode()
        named = [f"“{_quoted(data[start:end])}” as token {token}" for start, end, token in found]
        return f"cuts out {_listed(named)}" if named else "cuts out nothing"
    if stage is Stage.NORMALIZER:
        return f"encodes “{_quoted(found)}” ({hex_bytes(found[:_MAX_SHOWN])})"
    if stage is Stage.SPLIT:
        return f"cuts “{_joined(piece.encode() for piece in found)}”"
    if stage is Stage.MERGES:
        return f"makes “{_joined(data for data, _ in found)}”"
    return f"gives the ids {', '.join(map(str, found[:_MAX_SHOWN]))}"


def _joined(pieces: Iterable[bytes]) -> str:
    some = list(pieces)
    more = ["…"] if len(some) > _MAX_SHOWN else []
    return "|".join([*map(_quoted, some[:_MAX_SHOWN]), *more])


def _quoted(data: bytes) -> str:
    return shown(data, _MAX_SHOWN)


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
