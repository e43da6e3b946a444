"""Changes that a tokenizer makes in a part of a text before tokenizing it."""

from collections.abc import Collection

import numpy as np

from tokviz.analysis.comparison.reasons import is_rewritten
from tokviz.analysis.comparison.text_edit import TextEdit, edit_between
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

_CONTEXT = 64
"""Bytes of text on each side of a token that its rewriting may depend on."""


def own_pieces(tokenizer: Tokenizer, tokenization: Tokenization) -> dict[int, bytes]:
    """Return the vocabulary bytes of tokens that share a rewritten character, by index. See `Comparison.own_pieces`."""
    if not tokenizer.rewriting:  # only end-of-word marks cover nothing, and they have no bytes of their own
        return {}
    empty = np.flatnonzero(np.diff(tokenization.byte_offsets) == 0)
    beside = np.unique(np.concatenate((empty - 1, empty, empty + 1)))
    numbers = beside[(beside >= 0) & (beside < len(tokenization))].tolist()
    return {
        number: tokenizer.vocab[token]
        for number, token in zip(numbers, tokenization.ids[numbers].tolist(), strict=True)
    }


def rewriting_of_tokens(
    tokenizer: Tokenizer, tokenization: Tokenization, token_range: slice, allowed_special: Collection[str] = ()
) -> tuple[str, ...]:
    """Describe what changed the text of those tokens in a range that stand for other text than they cover.

    Of a long text, only the surroundings of the tokens are looked at.
    """
    if not tokenizer.rewriting:
        return ()
    ids = tokenization.ids[token_range].tolist()
    offsets = tokenization.byte_offsets[token_range.start : token_range.stop + 1].tolist()
    data = tokenization.data
    places = [
        (start, end)
        for token, start, end in zip(ids, offsets, offsets[1:], strict=False)
        if is_rewritten(tokenizer, token, data[start:end])
    ]
    if not places:
        return ()
    first = _character_start(data, max(0, places[0][0] - _CONTEXT))
    last = _character_start(data, min(len(data), places[-1][1] + _CONTEXT))
    near = [(start - first, end - first) for start, end in places]
    return tokenizer.rewriting_at(data[first:last].decode(), near, allowed_special)


def steps_of_difference(
    tokenizer: Tokenizer, edit: TextEdit, allowed_special: Collection[str] = ()
) -> tuple[frozenset[str], bool]:
    """Describe the steps that change how two texts differ; and say whether they differ after all steps.

    Of long texts, only the surroundings of the edit are looked at.
    """
    before, after = edit.before[-_CONTEXT:], edit.after[:_CONTEXT]
    both = [tokenizer.versions(f"{before}{part}{after}", allowed_special) for part in (edit.removed, edit.added)]
    texts = [[version.whole for version in versions] for versions in both]
    differences = [edit_between(one, other)[1:3] for one, other in zip(*texts, strict=True)]
    steps = set()
    for number in range(1, len(differences)):
        if differences[number] != differences[number - 1]:
            steps |= {
                versions[number].describe(wholes[number - 1], wholes[number])
                for versions, wholes in zip(both, texts, strict=True)
            }
    return frozenset(step for step in steps if step), texts[0][-1] != texts[1][-1]


def _character_start(data: bytes, place: int) -> int:
    while place < len(data) and data[place] & 0xC0 == 0x80:
        place += 1
    return place
