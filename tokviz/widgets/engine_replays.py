"""The columns of a replay that differ between an engine's tokenizer and one that merges bytes.

Merges of an engine join the text after normalization, so the pre-tokens are those of the replay itself.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from tokviz.analysis.cost.units import character_count
from tokviz.arrays import BoolArray
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.stages import SPACE
from tokviz.tokenizers.replay import Replay

PRE_TOKEN, CUT_OUT = 0, 255
"""Branches: there is one for all pre-tokens, as no pattern is known; the other is that of special and added tokens."""

_LABELS = {
    False: "the start of a word: no piece goes across it",
    True: "the tokenizer's own rules",
}


def branches_of(replay: Replay, tokenizer: Tokenizer) -> npt.NDArray[np.uint8]:
    """Return the branch of each pre-token."""
    return np.where(_is_cut_out(replay, tokenizer), CUT_OUT, PRE_TOKEN).astype(np.uint8)


def cut_out_bytes(replay: Replay, tokenizer: Tokenizer) -> list[bytes]:
    """Return the bytes of the text that each special or added token covers."""
    data = replay.text.encode()
    edges = [*_first_symbols(replay), len(replay.symbols)]
    offsets = replay.byte_offsets[edges].tolist()
    return [data[offsets[i] : offsets[i + 1]] for i in np.flatnonzero(_is_cut_out(replay, tokenizer)).tolist()]


def metadata(replay: Replay, tokenizer: EngineTokenizer) -> dict[str, Any]:
    """Return what the page says of the tokenizer and its merges."""
    used = {int(token) for token in replay.symbols} | {int(token) for token in replay.new_ids}
    cut_out = replay.symbols[_first_symbols(replay)][_is_cut_out(replay, tokenizer)].tolist()
    splits = bool(tokenizer.cutting_steps)
    return {
        "tokenizer": tokenizer.name,
        "merges": tokenizer.num_merges,
        "alphabet": tokenizer.num_characters,
        "units": tokenizer.units,
        "size": _size(replay, tokenizer),
        "rewriting": _changes(replay, tokenizer),
        "byte_ids": sorted(used & tokenizer.byte_ids),
        "endings": [],
        "end_of_word": None,
        "split": splits,
        "words": not splits and len(_first_symbols(replay)) > 1,
        "branches": [_LABELS[splits]],
        "special": sorted(used & set(tokenizer.special_tokens.values())),
        "added": sorted(set(cut_out).difference(tokenizer.special_tokens.values())),
    }


def _size(replay: Replay, tokenizer: Tokenizer) -> list[int]:
    """Return the characters and bytes of the text that is merged, which an unknown token or a mark doesn't spell."""
    text = tokenizer.versions(replay.text, replay.allowed_special)[-1].whole
    return [character_count(text), len(text.encode())]


def _changes(replay: Replay, tokenizer: Tokenizer) -> list[str]:
    """Describe what changed in this text before it was merged, except that spaces became ▁: the page draws spaces."""
    stages = tokenizer.stages(replay.text, replay.allowed_special)
    before = (change for stage in stages if stage.name in ("normalized", "pre-tokens") for change in stage.changes)
    return [change for change in before if SPACE not in change]


def _first_symbols(replay: Replay) -> list[int]:
    """Return the first symbol of each pre-token."""
    first: list[int] = np.flatnonzero(np.diff(replay.pretoken_index, prepend=-1)).tolist()
    return first


def _is_cut_out(replay: Replay, tokenizer: Tokenizer) -> BoolArray:
    """Return a mask of the pre-tokens that are special or added tokens."""
    first = _first_symbols(replay)
    is_alone = np.diff([*first, len(replay.symbols)]) == 1
    is_cut_out: BoolArray = is_alone & tokenizer.cut_out(replay.tokenization(0))[first]
    return is_cut_out
