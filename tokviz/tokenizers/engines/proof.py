"""The proof that another engine gives a tokenizer's ids, by probes; kept on disk, once for each tokenizer and version.

First, characters: each that may be treated unlike its neighbors is probed beside all kinds of others. These are all of
Unicode's, but for long runs of one category, such as ideographs, of which some stand for the rest. Ids rarely show
where a text was cut beside a rare character, so they are those of a tokenizer that cuts alike, and whose vocabulary
(`VISIBLE`) shows every cut. Characters on which the two differ are found one by one.

Then texts that have broken tokenizers before: 3,000 at random from hostile pieces, the tokenizer's special tokens as
text and as themselves, thousands of its tokens, and long runs. Those without such characters must all be equal.
"""

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

import numpy as np
import regex

from tokviz.arrays import Int32Array, Int64Array
from tokviz.display import shorten
from tokviz.pretokens.unicode_tables import CATEGORIES
from tokviz.version import __version__

_EDITION = 1
"""Edition of these probes."""

_NUM_HOSTILE = 3_000
_MAX_TOKENS = 20_000  # tokens of the vocabulary that are probed
_MAX_SPECIALS = 200
_MAX_DIFFERING = 20_000
_AT_ONCE = 64  # characters in one text

_LIBRARIES = ("gigatoken", "tiktoken", "tokenizers", "sentencepiece", "regex")

_PIECES = (
    *("a", "b", "ab", "A", "Ab", "aB", "AB", "low", "lower", "Lowest", "I'll", "'s", "'S", "'ll", "'LL", "'", "''ve"),
    *("1", "12", "123", "1234", "12345", "3.14", "½", "Ⅷ", "٣", "!", "...", "#!/", "//", "-", "_", "__x__", "¡¿", "🍕"),
    *(" ", "  ", "   ", "\t", "\n", "\r", "\r\n", "\n\n", " \n", "\n ", "\v", "\f", "\x1c", "\x85", "\xa0", "\u2028"),
    *("\u2003", "\u3000", "\u200b", "\ufeff", "\0", "\ufffd", "\uffff", "\U0010ffff", "\u0378", "\ue000", "\u202e"),
    *("é", "e\u0301", "\u0301", "ß", "ſ", "'ſ", "İ", "ı", "K", "Ǆ", "ª", "ʼ", "ﬁ", "Å", "\u1100\u1161\u11a8", "각"),
    *("你好", "日本", "カタ", "한국", "ไทย", "हिन्दी", "क्ष", "שלום", "مرحبا", "Привет", "Ω", "ა", "Ა", "𝒜", "𐐀", "𐐨"),
    *(
        "😀",
        "👍🏽",
        "👩‍👩‍👧‍👦",
        "🏳️‍🌈",
        "🇫🇷",
        "🇫",
        "\u200d",
        "\ufe0f",
        "<",
        "<|",
        "|>",
        "s>",
        "</",
        "▁",
        "Ġ",
        "Ċ",
        "<0x41>",
    ),
)

_LONG_RUN = 64  # code points of one category above which only every 16th is probed, and the ends
_STEP = 16
_PLACES = " {0} {0}'s a{0}a A{0}A'{0}'ll 1{0}12345 .{0}.{0}/\n{0}\n \n{0}{0}  {0}\ta {0}A{0}a{0}\n\n"

_BESIDE = [bytes([value]) for value in b" '\n\taA1l./"]
_FIRST = [bytes([value]) for value in range(0xC2, 0xF5)]  # of the UTF-8 of a character beyond ASCII
_LAST = [bytes([value]) for value in range(0x80, 0xC0)]

VISIBLE = (
    *(bytes([value]) for value in range(256)),
    *(last + other for last in _LAST for other in (*_BESIDE, *_FIRST)),
    *(other + first for other in _BESIDE for first in _FIRST),
    *(one + other for one in _BESIDE for other in _BESIDE),
)
"""A vocabulary, by id, that merges what stands beside a character with it, before anything else, unless it is cut."""


class Encoder(Protocol):
    """Encodes repaired texts, in which special tokens are recognized or not, into ids and places (see `Batch`)."""

    def __call__(self, texts: Sequence[str], with_specials: bool) -> tuple[Int32Array, Int64Array]:
        """Return the ids of all texts, end to end, and where each text's begin."""


class Verdict(NamedTuple):
    """Whether an engine may serve a tokenizer: why not, or else the characters on which it differs."""

    refusal: str | None = None
    differing: str = ""


def prove(theirs: Encoder, ours: Encoder, tokens: Mapping[int, bytes], specials: Sequence[str]) -> str | None:
    """Compare an engine with a tokenizer whose vocabulary is `tokens`. Returns why it can't serve, or None."""
    for with_specials, probes in ((False, _probes(tokens, specials)), (True, _special_probes(specials))):
        wrong = next(_unequal(list(probes), theirs, ours, with_specials), None)
        if wrong is not None:
            return f"it gives other ids for {shorten(wrong)!a}"
    return None


def differing(theirs: Encoder, ours: Encoder) -> Verdict:
    """Find the characters on which an engine and a tokenizer differ, also those between probed ones."""
    characters = _characters()
    groups = [characters[start : start + _AT_ONCE] for start in range(0, len(characters), _AT_ONCE)]
    text_of = {"".join(map(_PLACES.format, group)): group for group in groups}
    found = {ord(character) for text in _unequal(list(text_of), theirs, ours) for character in text_of[text]}
    near = {place for point in found for place in range(max(0, point - _STEP), min(point + _STEP, sys.maxunicode) + 1)}
    singly = {_PLACES.format(chr(point)): chr(point) for point in sorted(near) if not 0xD800 <= point < 0xE000}
    others = "".join(singly[text] for text in _unequal(list(singly), theirs, ours))
    if len(others) > _MAX_DIFFERING:
        return Verdict(f"it reads {len(others):,} characters in other ways")
    return Verdict(None, others)


def _unequal(texts: Sequence[str], theirs: Encoder, ours: Encoder, with_specials: bool = False) -> Iterator[str]:
    """Yield the texts that the two encode in different ways."""
    (ids, places), (our_ids, our_places) = theirs(texts, with_specials), ours(texts, with_specials)
    if np.array_equal(places, our_places) and np.array_equal(ids, our_ids):
        return
    spans = zip(texts, pairwise(places.tolist()), pairwise(our_places.tolist()), strict=True)
    for text, (start, end), (our_start, our_end) in spans:
        if not np.array_equal(ids[start:end], our_ids[our_start:our_end]):
            yield text


@cache
def _characters() -> str:
    """Return the characters that are probed, by the edition of Unicode that `regex` has."""
    # All planes that have characters, or will.
    points = [*range(0xD800), *range(0xE000, 0x40000), *range(0xE0000, 0xE1000), *range(0x10FF00, 0x110000)]
    everything = "".join(map(chr, points))
    composed = regex.findall(r"(?=\p{Decomposition_Type=Canonical})[^가-힣]", everything)
    runs = regex.findall("|".join(rf"\p{{{category}}}+" for category in CATEGORIES), everything)
    return "".join(composed + [run if len(run) <= _LONG_RUN else run[::_STEP] + run[-1] for run in runs])


def _probes(tokens: Mapping[int, bytes], specials: Sequence[str]) -> Iterator[str]:
    """Yield texts in which nothing is a special token."""
    yield ""
    step = len(tokens) // _MAX_TOKENS + 1
    for data in list(tokens.values())[::step]:
        yield data.decode("utf-8", "ignore")
    for piece in ("a", "ab", "1", "!", " ", "\n", "\t\n", "é", "你", "😀", "aA", " a", ".\n"):
        for times in (2, 3, 7, 40, 300, 5_000):
            yield piece * times
            yield f"x{piece * times}x"
    rng = Random(_EDITION)
    pieces = [*_PIECES, *specials[:_MAX_SPECIALS]]
    for number in range(_NUM_HOSTILE):
        yield "".join(rng.choices(pieces if number % 2 else _PIECES, k=rng.randint(1, 24)))


def _special_probes(specials: Sequence[str]) -> Iterator[str]:
    """Yield texts with special tokens, and with parts of them."""
    if not specials:
        return
    few, rng = specials[:: len(specials) // _MAX_SPECIALS + 1], Random(_EDITION)
    parts = [part for special in few for part in (special, special[:-1], special[1:])]
    for special in few:
        yield from (special, f"a {special} b", special * 2, f"{special}\n{special[:-1]}")
    for _ in range(_NUM_HOSTILE // 3):
        yield "".join(rng.choices([*_PIECES, *parts], k=rng.randint(1, 12)))


# Verdicts on disk


def kept(key: bytes, find: Callable[[], Verdict]) -> Verdict:
    """Return the verdict that was kept for `key`, which names a tokenizer, and these versions; or find and keep it."""
    path = _folder() / f"{_digest(key)}.json"
    with suppress(OSError, ValueError, TypeError):
        refusal, differing = json.loads(path.read_text("utf-8"))
        if isinstance(differing, str) and isinstance(refusal, str | None):
            return Verdict(refusal, differing)
    verdict = find()
    with suppress(OSError):  # where nothing can be written, it is found again in each process
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            json.dump(verdict, file)
        Path(file.name).replace(path)
    return verdict


def _folder() -> Path:
    """Return the folder of verdicts, in the user's folder for caches."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(base or Path.home() / ".cache") / "tokviz" / "proofs"


def _digest(key: bytes) -> str:
    versions = [__version__, str(_EDITION), *(f"{name} {version(name)}" for name in _LIBRARIES)]
    return hashlib.sha256("\n".join(versions).encode() + b"\0" + key).hexdigest()
