"""Changes that a tokenizer makes in a part of a text before tokenizing it."""

from collections.abc import Callable, Collection
from typing import NamedTuple
from unicodedata import normalize

import numpy as np

from tokviz.analysis.comparison.cuts import spell
from tokviz.analysis.comparison.reasons import is_rewritten
from tokviz.display import code_point, token_text
from tokviz.texts import in_common
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

_MAX_CONTEXT = 20  # maximum characters quoted to say where the texts differ, and spelled by their code points
_CONTEXT = 64  # bytes of text on each side of a token that its rewriting may depend on

Speller = Callable[[str | bytes], str]
"""Spells a piece of a text."""


class TextEdit(NamedTuple):
    """A part of the first text, and its replacement in the second: `removed` and `added`, either of which may be empty.

    `before` and `after` are what both texts have in common at the beginning and at the end.
    """

    before: str
    removed: str
    added: str
    after: str


def edit_between(first: str, second: str) -> TextEdit:
    """Return the shortest edit that turns the first text into the second, between what both begin and end with."""
    start = in_common(first, second)
    rest = first[start:], second[start:]
    end = in_common(rest[0][::-1], rest[1][::-1])
    removed, added = (text[: len(text) - end] for text in rest)
    return TextEdit(first[:start], removed, added, rest[0][len(removed) :])


def say_edit(edit: TextEdit) -> str:
    """Say what the second text has more, lacks, or has instead of something, and where."""
    before, removed, added, after = edit
    if not removed and not added:
        return "The two texts are the same."
    where = "at the end" if not after else "at the start" if not before else f"after “{_context(before)}”"
    where = "" if not before and not after else f" {where}"
    if not removed:
        return f"The second text has “{spell(added)}” more{where}."
    if not added:
        return f"The second text lacks “{spell(removed)}”{where}."
    old, new = told_apart(lambda say: say(removed), lambda say: say(added))
    return f"The second text has “{new}” instead of “{old}”{where}."


def told_apart(one: Callable[[Speller], str], other: Callable[[Speller], str]) -> tuple[str, str]:
    """Spell two texts, by their code points where they would look alike: é as one character and as two."""
    spelled = one(spell), other(spell)
    if not spelled[0] or normalize("NFC", spelled[0]) != normalize("NFC", spelled[1]):
        return spelled
    return one(_by_code), other(_by_code)


def _by_code(piece: str | bytes) -> str:
    text = piece if isinstance(piece, str) else token_text(piece)
    if text is None:
        return spell(piece)
    return " ".join([*map(code_point, text[:_MAX_CONTEXT]), *(["…"] if len(text) > _MAX_CONTEXT else [])])


def _context(before: str) -> str:
    return ("…" if len(before) > _MAX_CONTEXT else "") + spell(before[-_MAX_CONTEXT:])


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
