"""Which library encodes for a tokenizer: for many texts gigatoken, where it is installed and proved (see `bulk`)."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from threading import RLock
from typing import NamedTuple, Protocol
from weakref import WeakKeyDictionary

from tokviz.arrays import Int32Array, Int64Array
from tokviz.tokenizers.engines import proof
from tokviz.tokenizers.engines.bulk import (
    FROM_LENGTH,
    BulkEngine,
    BulkEngineFailed,
    Definition,
    Segments,
    Work,
    encode_all,
    is_on,
)


class Engines(NamedTuple):
    """The libraries that do a tokenizer's work, with their versions: `tokviz` is this package.

    `encode` encodes single texts, and `bulk` many at once: a million characters or more in `encode_batch`,
    `encode_iter`, `tokviz.count` and commands. `why_not_faster` says why these don't use gigatoken, or is None.
    """

    encode: str
    bulk: str
    why_not_faster: str | None


class Encoding(Protocol):
    """What a tokenizer says of how it encodes."""

    name: str
    vocab: Mapping[int, bytes]
    special_tokens: Mapping[str, int]

    @property
    def _library(self) -> str: ...
    def _bulk_definition(self) -> Definition | None: ...
    def _cut_probe(self) -> "Encoding | None": ...
    def _bulk_segments(self, allowed: frozenset[str]) -> Segments | None: ...
    def _encode_column(self, text: str, allowed: frozenset[str]) -> Int32Array: ...


class _Choice(NamedTuple):
    engine: BulkEngine | None
    why_not: str | None


_choices: "WeakKeyDictionary[Encoding, _Choice]" = WeakKeyDictionary()
_lock = RLock()


def engines_of(tok: Encoding) -> Engines:
    """Return which libraries work for a tokenizer. The first time, this takes some seconds for a proof."""
    name = tok._library
    single = name if name == "tokviz" else f"{name} {version(name)}"
    engine, why_not = _choice(tok)
    return Engines(single, single if engine is None else f"gigatoken {version('gigatoken')}", why_not)


def work_for(tok: Encoding, allowed: frozenset[str], length: int) -> Work | None:
    """Return how gigatoken encodes texts of `length` code points together; None if another library should."""
    if tok not in _choices and length < FROM_LENGTH:
        return None
    engine, _ = _choice(tok)
    return None if engine is None else _work(tok, engine, allowed)


def _work(tok: Encoding, engine: BulkEngine, allowed: frozenset[str]) -> Work:
    return Work(engine, tok._bulk_segments(allowed), lambda text: tok._encode_column(text, allowed))


def _choice(tok: Encoding) -> _Choice:
    if not is_on():
        return _Choice(None, "TOKVIZ_FAST is 0")
    if find_spec("gigatoken") is None:
        return _Choice(None, "gigatoken is not installed: pip install '.[fast]'")
    with _lock:  # a proof is made once
        if tok not in _choices:
            _choices[tok] = _choose(tok)
        return _choices[tok]


def _choose(tok: Encoding) -> _Choice:
    definition = tok._bulk_definition()
    if definition is None:
        return _Choice(None, "gigatoken has no code for its way of cutting texts")
    try:
        verdict = proof.kept(definition.digest(tok.special_tokens), lambda: _prove(tok, definition))
        if verdict.refusal is None:
            return _Choice(BulkEngine(definition, verdict.differing), None)
    except BulkEngineFailed as error:
        return _Choice(None, str(error))
    return _Choice(None, f"gigatoken is not exact: {verdict.refusal}")


def _prove(tok: Encoding, definition: Definition) -> proof.Verdict:
    probe = tok._cut_probe() or tok
    cuts = probe._bulk_definition() or definition
    verdict = proof.kept(b"cuts" + cuts.digest({}), lambda: proof.differing(*_encoders(probe, BulkEngine(cuts))))
    if verdict.refusal is not None:
        return verdict
    specials = [*tok.special_tokens, *definition.always, *definition.unread]
    engine = BulkEngine(definition, verdict.differing)
    return verdict._replace(refusal=proof.prove(*_encoders(tok, engine), tok.vocab, specials))


def _encoders(tok: Encoding, engine: BulkEngine) -> tuple[proof.Encoder, proof.Encoder]:
    """Return how gigatoken and the tokenizer itself encode."""
    specials = frozenset(tok.special_tokens)

    def allowed(with_specials: bool) -> frozenset[str]:
        return specials if with_specials else frozenset()

    def theirs(texts: Sequence[str], with_specials: bool) -> tuple[Int32Array, Int64Array]:
        return _work(tok, engine, allowed(with_specials)).encode_all(texts)

    def ours(texts: Sequence[str], with_specials: bool) -> tuple[Int32Array, Int64Array]:
        return encode_all(texts, lambda text: tok._encode_column(text, allowed(with_specials)))

    return theirs, ours
