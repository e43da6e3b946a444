"""Stages of a tokenizer: compared as data, and by what each of them makes of a text.

A text passes them in this order: special and added tokens are cut out, the rest is normalized, split into pre-tokens,
and merged; the tokens have ids.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from operator import itemgetter
from typing import Any

from tokviz.analysis.difference.merge_tables import firing_merges
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.stages import SPACE, Model, StageName
from tokviz.tokenizers.simple import CharacterTokenizer


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
    if first.cut_out_tokens != second.cut_out_tokens:
        return False
    one, other = first.model, second.model
    return one is None or other is None or one.literal_ids == other.literal_ids


def always_found(tokenizer: Tokenizer) -> frozenset[str]:
    """Return the texts of tokens that are cut out of every text, unlike special tokens, which must be allowed."""
    return frozenset(token.text for token in tokenizer.cut_out_tokens if not token.is_special)


def _same_merges(first: Tokenizer, second: Tokenizer) -> bool:
    if isinstance(first, BPETokenizer) and isinstance(second, BPETokenizer):
        return _merging_alike(first, second)
    if type(first) is not type(second):
        return False
    one, other = first.model, second.model
    if one is not None and other is not None:
        return _without_ids(one) == _without_ids(other)
    return first.units != "words" or set(first.vocab.values()) == set(second.vocab.values())


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
    if CharacterTokenizer in (type(first), type(second)):  # has a token for each of a million code points
        return type(first) is type(second)
    return _ordinary(first) == _ordinary(second)


def _ordinary(tokenizer: Tokenizer) -> Mapping[int, bytes]:
    """The vocabulary without tokens that are cut out first."""
    cut_out = {token.id for token in tokenizer.cut_out_tokens}
    return {token: data for token, data in tokenizer.vocab.items() if token not in cut_out}


_SAME: dict[Stage, Callable[[Tokenizer, Tokenizer], bool]] = {
    Stage.SPECIALS: _same_specials,
    Stage.NORMALIZER: lambda first, second: first.normalizer_settings == second.normalizer_settings,
    Stage.SPLIT: lambda first, second: first.split_settings == second.split_settings,
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
    always = {token.id for token in tokenizer.cut_out_tokens if not token.is_special}
    cut_out = [special or token in always for special, token in zip(tokenization.special.tolist(), ids, strict=True)]
    data = [tokenizer.vocab[token] for token in ids]
    ends_word = tokenizer.end_of_word is not None
    return {
        Stage.SPECIALS: [(*offsets[at : at + 2], ids[at]) for at, special in enumerate(cut_out) if special],
        Stage.NORMALIZER: _normalized(tokenizer, text, allowed_special),
        Stage.SPLIT: _pretokens(tokenizer, text, allowed_special),
        Stage.MERGES: [(one, ends_word and not one) for one in data],
        Stage.IDS: ids,
    }


def _normalized(tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> bytes:
    """Return a text as it is split, special tokens included."""
    if not tokenizer.is_of_library:
        return repair(text)[0].encode()
    normalized = "".join(pieces_after("normalized", tokenizer, text, allowed))
    pretokens = "".join(pieces_after("pre-tokens", tokenizer, text, allowed))
    has_space = pretokens.startswith(" ") and not normalized.startswith(" ")
    return f"{' ' * has_space}{normalized}".encode()


def _pretokens(tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> list[str]:
    """Return the pre-tokens of a text as the model gets them."""
    if tokenizer.cutting_steps is None:
        return tokenizer.pretokens(text, allowed)
    return pieces_after("pre-tokens", tokenizer, text, allowed)


def pieces_after(name: StageName, tokenizer: Tokenizer, text: str, allowed: Collection[str]) -> list[str]:
    """Return the pieces of a text after a stage of a library, with spaces for `▁`; none if it has no such stage."""
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
