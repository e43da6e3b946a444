"""Stages of a tokenizer: compared as data, and by what each of them makes of a text.

A text passes them in this order: special and added tokens are cut out, the rest is normalized, split into pre-tokens,
and merged; the tokens have ids.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from tokviz.analysis.difference.merge_tables import firing_merges
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.capabilities import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.hugging_face_library import FLAGS
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.tokenizers.engines.stages import SPACE, Model, StageName
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer, WordTokenizer

_PUT_SPACE = {"add_prefix_space": None, "prepend_scheme": None}.keys()
"""Settings of pre-tokenizers that put a space in front of a text."""


class Stage(StrEnum):
    """A stage of a tokenizer.

    `SPECIALS`: special and added tokens, with their ids. `NORMALIZER`: normal forms, and spaces put in front. `SPLIT`:
    the split patterns. `MERGES`: alphabet and merges, and which pre-tokens are taken whole. `IDS`: the tokens' numbers.
    """

    SPECIALS = "special tokens"
    NORMALIZER = "normalizer"
    SPLIT = "split"
    MERGES = "merges"
    IDS = "ids"


def differing_stages(first: Tokenizer, second: Tokenizer) -> tuple[Stage, ...]:
    """Stages that are not the same as data. If there are none, the two encode every text alike.

    Merges that never fire are not compared. A tokenizer of another library is compared with one of the same library, by
    what their files say; all stages of two different kinds of tokenizers count as different.
    """
    if first is second:
        return ()
    return tuple(stage for stage, same in _SAME.items() if not same(first, second))


def _same_specials(first: Tokenizer, second: Tokenizer) -> bool:
    same_literals = not (isinstance(first, EngineTokenizer) and isinstance(second, EngineTokenizer)) or (
        first.model.literal_ids == second.model.literal_ids
    )
    return same_literals and _cut_out_first(first) == _cut_out_first(second)


class _CutOut(NamedTuple):
    """A token that is cut out of a text before it is split, with the rules by which it is found."""

    id: int
    text: str
    is_special: bool = True
    rules: frozenset[str] = frozenset()


def _cut_out_first(tokenizer: Tokenizer) -> frozenset[_CutOut]:
    if not isinstance(tokenizer, HuggingFaceTokenizer):
        return frozenset(_CutOut(token, text) for text, token in tokenizer.special_tokens.items())
    return frozenset(
        _CutOut(number, token.content, token.special, frozenset(flag for flag in FLAGS if getattr(token, flag)))
        for number, token in tokenizer.added_tokens.items()
    )


def always_found(tokenizer: Tokenizer) -> frozenset[str]:
    """Return the texts of tokens that are cut out of every text, unlike special tokens, which must be allowed."""
    return frozenset(token.text for token in _cut_out_first(tokenizer) if not token.is_special)


def _same_in_files(first: Tokenizer, second: Tokenizer, part: Literal["normalizer", "pre_tokenizer"]) -> bool:
    """Return whether a part of two files of other libraries is the same. SentencePiece's don't cut texts."""
    if isinstance(first, HuggingFaceTokenizer) and isinstance(second, HuggingFaceTokenizer):
        return first.library.parts[part] == second.library.parts[part]
    if not isinstance(first, SentencePieceTokenizer) or not isinstance(second, SentencePieceTokenizer):
        return False
    return part == "pre_tokenizer" or first.normalizer_settings == second.normalizer_settings


def _same_normalizer(first: Tokenizer, second: Tokenizer) -> bool:
    if isinstance(first, EngineTokenizer) or isinstance(second, EngineTokenizer):
        return _same_in_files(first, second, "normalizer") and _puts_space(first) == _puts_space(second)
    return first.rewriting == second.rewriting


def _puts_space(tokenizer: Tokenizer) -> list[tuple[object, ...]]:
    """What a file's pre-tokenizers put in front of a text, which is normalizing by another name."""
    steps = tokenizer.cutting_steps if isinstance(tokenizer, HuggingFaceTokenizer) else ()
    return [(step["type"], *(step.get(name) for name in _PUT_SPACE)) for step in steps if _PUT_SPACE & step.keys()]


def _same_split(first: Tokenizer, second: Tokenizer) -> bool:
    if isinstance(first, EngineTokenizer) or isinstance(second, EngineTokenizer):
        return _same_in_files(first, second, "pre_tokenizer")
    return first.split_patterns == second.split_patterns


def _same_merges(first: Tokenizer, second: Tokenizer) -> bool:
    if isinstance(first, BPETokenizer) and isinstance(second, BPETokenizer):
        return _merging_alike(first, second)
    if isinstance(first, EngineTokenizer) and isinstance(second, EngineTokenizer):
        return type(first) is type(second) and _without_ids(first.model) == _without_ids(second.model)
    simple = ByteTokenizer | CharacterTokenizer | WordTokenizer
    if not isinstance(first, simple) or type(first) is not type(second):
        return False
    return not isinstance(first, WordTokenizer) or set(first.vocab.values()) == set(second.vocab.values())


def _without_ids(model: Model) -> tuple[object, ...]:
    """The parts of a model, with pieces in place of their ids."""

    def pieces(ids: Iterable[int]) -> frozenset[str]:
        return frozenset(model.pieces[token][0] for token in ids)

    unknown = pieces([] if model.unknown is None else [model.unknown])
    byte_values = {value: model.pieces[token] for value, token in model.byte_ids.items()}
    named = model._replace(pieces=(), unknown=None, byte_ids={}, literal_ids=frozenset(), unused_ids=frozenset())
    of_ids = (unknown, byte_values, pieces(model.literal_ids), pieces(model.unused_ids))
    return (named, frozenset(filter(itemgetter(0), model.pieces)), *of_ids)


def _merging_alike(first: BPETokenizer, second: BPETokenizer) -> bool:
    if first.end_of_word != second.end_of_word or first.alphabet.units != second.alphabet.units:
        return False
    one, other = first.tiktoken_ranks, second.tiktoken_ranks
    if one is not None and other is not None:
        # What tiktoken merges is given by its tokens in the order of their ranks.
        return sorted(one, key=one.__getitem__) == sorted(other, key=other.__getitem__)
    if first.ignore_merges != second.ignore_merges:
        return False
    if first.ignore_merges and not _same_bytes(first, second):
        return False
    one_alphabet, other_alphabet = ((set(tok.alphabet.ids), set(tok.alphabet.finals)) for tok in (first, second))
    return one_alphabet == other_alphabet and firing_merges(first) == firing_merges(second)


def _same_bytes(first: BPETokenizer, second: BPETokenizer) -> bool:
    one, other = ({tokenizer.vocab[token] for token in tokenizer.ordinary_ids} for tokenizer in (first, second))
    return one == other


def _same_ids(first: Tokenizer, second: Tokenizer) -> bool:
    if isinstance(first, CharacterTokenizer) or isinstance(second, CharacterTokenizer):
        return type(first) is type(second)
    return _ordinary(first) == _ordinary(second)


def _ordinary(tokenizer: Tokenizer) -> Mapping[int, bytes]:
    """The vocabulary without tokens that are cut out first."""
    cut_out = {token.id for token in _cut_out_first(tokenizer)}
    return {token: data for token, data in tokenizer.vocab.items() if token not in cut_out}


_SAME: dict[Stage, Callable[[Tokenizer, Tokenizer], bool]] = {
    Stage.SPECIALS: _same_specials,
    Stage.NORMALIZER: _same_normalizer,
    Stage.SPLIT: _same_split,
    Stage.MERGES: _same_merges,
    Stage.IDS: _same_ids,
}


def results(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> dict[Stage, Any]:
    """Return the output of each stage for a text. Raises ValueError if it can't be encoded.

    These are the places and ids of the tokens that are cut out, the normalized text, the pre-tokens, the tokens' bytes,
    and their ids.
    """
    tokenization = tokenizer.tokenize(text, allowed_special)
    ids, offsets = tokenization.ids.tolist(), tokenization.byte_offsets.tolist()
    always = {token.id for token in _cut_out_first(tokenizer) if not token.is_special}
    cut_out = [special or token in always for special, token in zip(tokenization.special.tolist(), ids, strict=True)]
    data = [tokenizer.vocab[token] for token in ids]
    ends_word = isinstance(tokenizer, BPETokenizer) and tokenizer.end_of_word is not None
    return {
        Stage.SPECIALS: [(*offsets[at : at + 2], ids[at]) for at, special in enumerate(cut_out) if special],
        Stage.NORMALIZER: _normalized(tokenizer, text, allowed_special),
        Stage.SPLIT: _pretokens(tokenizer, text, allowed_special),
        Stage.MERGES: [(one, ends_word and not one) for one in data],
        Stage.IDS: ids,
    }


def _normalized(tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> bytes:
    """Return a text as it is split, special tokens included."""
    if not isinstance(tokenizer, EngineTokenizer):
        return repair(text)[0].encode()
    normalized = "".join(_pieces(tokenizer, text, allowed, "normalized"))
    pretokens = "".join(_pieces(tokenizer, text, allowed, "pre-tokens"))
    has_space = pretokens.startswith(" ") and not normalized.startswith(" ")
    return f"{' ' * has_space}{normalized}".encode()


def _pretokens(tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> list[str]:
    """Return the pre-tokens of a text as the model gets them."""
    if isinstance(tokenizer, HuggingFaceTokenizer):
        return _pieces(tokenizer, text, allowed, "pre-tokens")
    return tokenizer.pretokens(text, allowed)


def _pieces(tokenizer: EngineTokenizer, text: str, allowed: Collection[str], name: StageName) -> list[str]:
    """Return the pieces of a text after a stage, with spaces for `▁`; none if the file has no such stage."""
    stages = (stage for stage in tokenizer.stages(text, allowed) if stage.name == name)
    return [piece.replace(SPACE, " ") for stage in stages for piece in stage.pieces]


def stage_at_fault(
    first: Tokenizer, second: Tokenizer, text: str, stages: tuple[Stage, ...], allowed_special: Collection[str]
) -> Stage:
    """The first of `stages`, which differ as data, whose results for a text differ; if none does, of all stages.

    If one of the two refuses the text, these results are unknown: then it is the merges, whose alphabet lacks a
    character, if they differ as data, else the last stage that does.
    """
    try:
        one, other = results(first, text, allowed_special), results(second, text, allowed_special)
    except ValueError:
        return Stage.MERGES if Stage.MERGES in stages else stages[-1]
    return next((stage for stage in (*stages, *Stage) if one[stage] != other[stage]), stages[-1])
