"""Two readings of a prompt in which a message holds the text of a control token: as the token, and as text."""

from collections.abc import Sequence

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.chats.spans import DATE, ROLE, TEMPLATE, Origin, Span
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer


def written_controls(tokenization: Tokenization, spans: Sequence[Span]) -> Int32Array:
    """Return the indices of the control tokens that are not the template's alone, with a role's name in between."""
    controls = np.flatnonzero(tokenization.special)
    if not len(controls):
        return controls.astype(np.int32)
    is_trusted = np.array([_is_trusted(span.origin) for span in spans])
    starts = [span.start for span in spans]
    offsets = tokenization.code_point_offsets
    first = np.searchsorted(starts, offsets[controls], side="right") - 1
    last = np.searchsorted(starts, offsets[controls + 1], side="left")
    others = np.concatenate(([0], np.cumsum(~is_trusted)))
    return controls[others[last] > others[first]].astype(np.int32)


def _is_trusted(origin: Origin) -> bool:
    """Return whether a program writes this itself: a user writes neither the template nor a role's name."""
    return origin in (TEMPLATE, DATE) or (isinstance(origin, tuple) and origin[1] == ROLE)


def read_as_text(tokenizer: Tokenizer, whole: Tokenization, written: Int32Array) -> Tokenization:
    """Return the tokens of a prompt if the control tokens `written`, by index, are text like any other.

    The others stay what they are: each is read by itself, and so is the text between two of them.
    """
    if not len(written):
        return whole
    kept = np.setdiff1d(np.flatnonzero(whole.special), written)
    ids: list[Int32Array] = []
    offsets: list[Int32Array] = []
    index: list[Int32Array] = []
    place = words = 0
    for token in [*kept.tolist(), len(whole)]:
        start = int(whole.byte_offsets[token])
        if place < start:
            part = tokenizer.tokenize(whole.data[place:start].decode())
            ids.append(part.ids)
            offsets.append(part.byte_offsets[:-1] + np.int32(place))
            index.append(part.pretoken_index + np.int32(words))
            words += int(part.pretoken_index[-1]) + 1 if len(part) else 0
        if token < len(whole):
            ids.append(whole.ids[token : token + 1])
            offsets.append(whole.byte_offsets[token : token + 1])
            index.append(np.array([words], np.int32))
            words += 1
            place = int(whole.byte_offsets[token + 1])
    return Tokenization(
        whole.text,
        np.concatenate(ids),
        np.concatenate([*offsets, whole.byte_offsets[-1:]]),
        replaced=whole.replaced,
        special_ids=set(whole.ids[kept].tolist()),
        pretokens=np.concatenate(index),
    )
