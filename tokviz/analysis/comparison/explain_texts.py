"""Explain in words what changes between the tokens of two texts, and why.

The two texts are aligned at their common beginning and end; between these lies the edit. Tokens outside the edit stay,
unless a pre-token is cut differently there, or a token reaches across a border of the edit. There is no third way:
merges never join what lies in two pre-tokens, and a part of a pre-token that no merge leaves is merged as if it stood
alone.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from typing import NamedTuple

from tokviz.analysis.availability import text_bytes
from tokviz.analysis.comparison.compare_texts import TextComparison, compare_texts
from tokviz.analysis.comparison.cuts import MAX_PIECES, Crossing, barred, crossings_within, spell
from tokviz.analysis.comparison.reasons import added
from tokviz.analysis.comparison.rewriting import (
    Speller,
    TextEdit,
    edit_between,
    rewriting_of_tokens,
    say_edit,
    steps_of_difference,
    told_apart,
)
from tokviz.analysis.corpus import as_tokenizer
from tokviz.display import END_OF_WORD, counted, enumerated
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.stages import SPACE


@dataclass(frozen=True)
class TextsExplanation:
    """Differences between the tokens of two texts, and their reasons. `str` says it in sentences.

    `tokenizations` are those of the two texts. The first `kept[0]` tokens of both are the same, and the last `kept[1]`;
    `changed` are the bytes of the tokens between these, for each text, and `pretokens` the pre-tokens that these tokens
    are of. `crossings` are the merges that join text of the edit with text beside it, in the second text and in the
    first, as far as they explain a change. `is_cut_differently` says whether the split pattern cuts the text beside the
    edit differently.
    """

    tokenizations: tuple[Tokenization, Tokenization]
    edit: TextEdit
    kept: tuple[int, int]
    changed: tuple[tuple[bytes, ...], tuple[bytes, ...]]
    pretokens: tuple[tuple[str, ...], tuple[str, ...]]
    crossings: tuple[Crossing, ...]
    is_cut_differently: bool
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)


def explain_texts(
    first: str, second: str, tokenizer: str | Tokenizer, *, allowed_special: Collection[str] = ()
) -> TextsExplanation:
    """Explain in words what changes between the tokens of two texts under a tokenizer (a name or a tokenizer).

    `allowed_special` is as for `Tokenizer.tokenize`.

    >>> print(explain_texts("Answer:", "Answer: ", "gpt2"))
    The second text has “·” more at the end. The first takes 2 tokens, the second 3. The new token is “·”; the others \
stay. The last space is a pre-token of its own, as no word follows: before “a” it would be part of the pre-token “·a”.
    """
    chosen = as_tokenizer(tokenizer)
    return explain_comparison(
        compare_texts(first, second, chosen, allowed_special=allowed_special), chosen, allowed_special
    )


def explain_comparison(
    compared: TextComparison, tokenizer: Tokenizer, allowed_special: Collection[str] = ()
) -> TextsExplanation:
    """Explain two texts that `compare_texts` has compared with the same tokenizer and `allowed_special`."""
    return _Explainer(tokenizer, compared.tokenizations, allowed_special).explain()


class _Side(NamedTuple):
    """Unchanged text whose tokens change, beside the edit: its byte range in both texts, and the border of the edit."""

    ranges: tuple[tuple[int, int], tuple[int, int]]
    borders: tuple[int, int]


class _Explainer:
    """Work on the explanation of two tokenizations by one tokenizer."""

    def __init__(
        self, tokenizer: Tokenizer, tokenizations: tuple[Tokenization, Tokenization], allowed_special: Collection[str]
    ) -> None:
        self.tokenizer = tokenizer
        self.both = tokenizations
        self.allowed_special = allowed_special
        self.edit = edit_between(tokenizations[0].text, tokenizations[1].text)
        self.offsets = [tokenization.byte_offsets.tolist() for tokenization in tokenizations]
        self.lengths = [len(tokenization.data) for tokenization in tokenizations]

    def explain(self) -> TextsExplanation:
        """Find out what changes and why, and say it."""
        if self.edit.removed != self.edit.added and self.both[0].ids.tolist() == self.both[1].ids.tolist():
            return self._explained((), False, [say_edit(self.edit), self._same_sentence()])
        is_cut_differently = any(self._inner_cuts(side, 0) != self._inner_cuts(side, 1) for side in self._sides)
        crossings = {} if is_cut_differently else self._crossings()
        sentences = [say_edit(self.edit), self._counts_sentence(), self._changes_sentence()]
        if is_cut_differently:
            one, other = (barred([*map(spell, pieces)]) for pieces in self._pretokens)
            sentences.append(f"Before merging, the first text is cut into “{one}” there, the second into “{other}”.")
        sentences += [self._crossing_sentence(*place, crossing) for place, crossing in crossings.items()]
        sentences += [self._untold_sentence()] if self._sides and not (is_cut_differently or crossings) else []
        sentences += [*self._special_sentences(), *self._space_sentences(), *self._last_space_sentences()]
        return self._explained(tuple(crossings.values()), is_cut_differently, sentences)

    def _explained(
        self, crossings: tuple[Crossing, ...], is_cut_differently: bool, sentences: list[str]
    ) -> TextsExplanation:
        return TextsExplanation(
            self.both,
            self.edit,
            self._kept,
            (self._changed(0), self._changed(1)),
            self._pretokens,
            crossings,
            is_cut_differently,
            tuple(sentence for sentence in sentences if sentence),
        )

    # What changes

    @cached_property
    def _kept(self) -> tuple[int, int]:
        """Number of tokens at the start, and at the end, that are the same in both texts."""
        start, end = self._kept_in_place
        if self.tokenizer.rewriting:  # a token may stay although the text that it covers changes
            one, other = (tokenization.ids.tolist() for tokenization in self.both)
            most = min(len(one), len(other))
            while start + end < most and one[start] == other[start]:
                start += 1
            while start + end < most and one[-1 - end] == other[-1 - end]:
                end += 1
        return start, end

    @cached_property
    def _kept_in_place(self) -> tuple[int, int]:
        """Number of tokens at the start, and at the end, that cover the same text outside the edit."""
        ids = [tokenization.ids.tolist() for tokenization in self.both]
        before, after = len(self.edit.before.encode()), len(self.edit.after.encode())
        most = min(map(len, ids))
        start = 0
        while start < most and self._is_kept_before(ids, start, before):
            start += 1
        end = 0
        while end < most - start and self._is_kept_after(ids, end, after):
            end += 1
        return start, end

    def _is_kept_before(self, ids: Sequence[list[int]], at: int, size: int) -> bool:
        one, other = (offsets[at + 1] for offsets in self.offsets)
        return ids[0][at] == ids[1][at] and one == other <= size

    def _is_kept_after(self, ids: Sequence[list[int]], at: int, size: int) -> bool:
        places = [length - offsets[-2 - at] for length, offsets in zip(self.lengths, self.offsets, strict=True)]
        return ids[0][-1 - at] == ids[1][-1 - at] and places[0] == places[1] <= size

    def _changed_range(self, which: int) -> tuple[int, int]:
        """Byte range of the changed tokens."""
        offsets = self.offsets[which]
        return offsets[self._kept[0]], offsets[len(offsets) - 1 - self._kept[1]]

    def _changed(self, which: int) -> tuple[bytes, ...]:
        tokens = self.both[which].token_bytes
        return tuple(tokens[self._kept[0] : len(tokens) - self._kept[1]])

    @cached_property
    def _pretoken_ends(self) -> tuple[list[int], list[int]]:
        texts = (self.tokenizer.pretokens(each.text, self.allowed_special) for each in self.both)
        one, other = (list(accumulate(len(piece.encode()) for piece in pieces)) for pieces in texts)
        return one, other

    @cached_property
    def _pretokens(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The pre-tokens that the changed tokens are of."""
        one, other = (self._pretokens_over(which, self._changed_range(which)) for which in (0, 1))
        return one, other

    def _pretokens_over(self, which: int, place: tuple[int, int]) -> tuple[str, ...]:
        ends, data = self._pretoken_ends[which], self.both[which].data
        starts = [0, *ends]
        pretokens = [
            data[start:end].decode()
            for start, end in zip(starts, ends, strict=False)
            if start < place[1] and end > place[0]
        ]
        return tuple(pretokens)

    # Why it changes beside the edit

    @cached_property
    def _sides(self) -> list[_Side]:
        """The unchanged text of changed tokens, as ranges."""
        before, after = len(self.edit.before.encode()), len(self.edit.after.encode())
        (start, end), (other_start, other_end) = self._changed_range(0), self._changed_range(1)
        size, other_size = self.lengths
        sides = []
        if start < before:
            sides.append(_Side(((start, before), (other_start, before)), (before, before)))
        if size - after < end:
            borders = size - after, other_size - after
            sides.append(_Side(((borders[0], end), (borders[1], other_end)), borders))
        return sides

    def _inner_cuts(self, side: _Side, which: int) -> list[int]:
        """The cuts of a side into pre-tokens, from its start."""
        ends, (start, end) = self._pretoken_ends[which], side.ranges[which]
        return [place - start for place in ends[bisect_right(ends, start) : bisect_left(ends, end)]]

    def _crossings(self) -> dict[tuple[int, int], Crossing]:
        """For each border of a side, the merge that joins text across it: by text, from 0, and place."""
        crossings = {}
        for side in self._sides:
            for which in (1, 0):
                crossing = self._crossing(which, side.borders[which])
                if crossing is not None:
                    crossings[which, side.borders[which]] = crossing
        return crossings

    def _crossing(self, which: int, border: int) -> Crossing | None:
        offsets = self.offsets[which]
        token = bisect_right(offsets, border) - 1
        if token >= len(offsets) - 1 or offsets[token] == border or not self.tokenizer.merges_here:
            return None
        number = int(self.both[which].ids[token])
        if self.tokenizer.vocab[number] != self.both[which].token_bytes[token]:  # of a text that was rewritten
            return None
        return min(crossings_within(self.tokenizer, number, offsets[token], frozenset({border})), default=None)

    # Sentences

    def _counts_sentence(self) -> str:
        one, other = map(len, self.both)
        if one == other:
            return f"Both take {counted('token', one)}."
        return f"The first takes {counted('token', one)}, the second {other:,}."

    def _same_sentence(self) -> str:
        """Say why two texts give the same tokens: the tokenizer changes a text first, or can't spell it."""
        if self.tokenizer.unknown is not None and all(map(self._is_edit_unknown, (0, 1))):
            token = spell(self.tokenizer.vocab[self.tokenizer.unknown])
            return f"Both give the same tokens: “{token}” stands for any unknown text."
        if not self.tokenizer.rewriting:
            return "Both give the same tokens."
        done = self._steps()
        if self.tokenizer.is_of_library and self._steps_of_difference[1]:
            return self._same_in_part_sentence(done)
        steps = f": it {' and '.join(done)}" if done else ""
        return (
            f"Both give the same tokens, because what the tokenizer does first to a text removes the difference{steps}."
        )

    def _same_in_part_sentence(self, done: list[str]) -> str:
        """Say why texts that differ after all that is done first still give the same tokens, if that is known."""
        if self.tokenizer.unknown is None or self.tokenizer.unknown not in self.both[0].ids:
            return "Both give the same tokens."
        steps = f" the tokenizer first {' and '.join(done)}, and" if done else ""
        token = spell(self.tokenizer.vocab[self.tokenizer.unknown])
        return f"Both give the same tokens:{steps} “{token}” stands for any unknown text."

    def _is_edit_unknown(self, which: int) -> bool:
        """Return whether the unknown token stands for the text that was edited."""
        edited, ends = (self.edit.removed, self.edit.added)[which], self.offsets[which]
        start, end = len(self.edit.before.encode()), len((self.edit.before + edited).encode())
        first, last = bisect_right(ends, start) - 1, bisect_left(ends, end)
        return bool(edited.strip()) and set(self.both[which].ids[first:last].tolist()) == {self.tokenizer.unknown}

    def _changes_sentence(self) -> str:
        one, other = self._changed(0), self._changed(1)
        if not one and not other:
            return "All tokens stay."
        others = "; the others stay" if any(self._kept) else ""
        before, after = told_apart(partial(self._spelled, 0), partial(self._spelled, 1))
        if not one:
            return f"The new {_noun(other)} “{after}”{others}."
        if not other:
            return f"The old {_noun(one)} “{before}”{others}."
        return f"“{before}” becomes “{after}”{others}."

    def _spelled(self, which: int, say: Speller) -> str:
        """Spell the changed tokens; one that covers nothing of the text by what it stands for."""
        changed = self._changed(which)
        ids = self.both[which].ids[self._kept[0] :].tolist()
        return barred([say(data) or self._put_in(token) for data, token in zip(changed, ids, strict=False)])

    def _put_in(self, token: int) -> str:
        data = text_bytes(self.tokenizer, token)
        return f"[put in: {spell(data)}]" if data else END_OF_WORD

    def _crossing_sentence(self, which: int, border: int, crossing: Crossing) -> str:
        left, right = (spell(data) for data in (crossing.left, crossing.right))
        text = ("first", "second")[which]
        is_start = border == len(self.edit.before.encode())
        return (
            f"In the {text} text, merge {crossing.rank + 1:,} of {self.tokenizer.num_merges:,} joins “{left}” + "
            f"“{right}”, across the place where the texts {'begin to differ' if is_start else 'are the same again'}."
        )

    def _untold_sentence(self) -> str:
        """Return the reason that is left: tokens are not made by merges, or of a text that is rewritten first."""
        if self.tokenizer.rewriting:
            done = self._steps()
            return f"The tokenizer first {' and '.join(done)}." if done else ""
        return "A token there is taken whole, without merges." if self.tokenizer.merges_here else ""

    def _steps(self) -> list[str]:
        """Name the changes that the tokenizer made to the text of the changed tokens, as far as they matter here."""
        done = dict.fromkeys(step for which in (0, 1) for step in self._rewriting(which))
        if self.tokenizer.is_of_library:
            return [step for step in done if step in self._steps_of_difference[0]]
        return list(done)

    @cached_property
    def _steps_of_difference(self) -> tuple[frozenset[str], bool]:
        return steps_of_difference(self.tokenizer, self.edit, self.allowed_special)

    def _rewriting(self, which: int) -> tuple[str, ...]:
        """Name the changes that the tokenizer made to the text of the edited tokens."""
        tokenization = self.both[which]
        start, end = self._kept_in_place
        changed = slice(start, len(tokenization) - end)
        return rewriting_of_tokens(self.tokenizer, tokenization, changed, self.allowed_special)

    def _special_sentences(self) -> list[str]:
        """Name the changed tokens that are special or added, and are cut out before anything else is done."""
        sentences = []
        for which, name in enumerate(("first", "second")):
            tokenization = self.both[which]
            changed = range(self._kept[0], len(tokenization) - self._kept[1])
            special = [int(tokenization.ids[at]) for at in changed if tokenization.special[at]]
            always = added(self.tokenizer, tokenization)
            ids = special + [int(tokenization.ids[at]) for at in changed if always[at]]
            ids = [token for token in ids if token != self.tokenizer.unknown]
            texts = {token: self.tokenizer.added_texts.get(token, self.tokenizer.vocab[token]) for token in ids}
            names = [f"“{spell(text)}”" for text in texts.values()]
            if names:
                said = names if len(names) <= MAX_PIECES else [*names[:MAX_PIECES], f"{len(names) - MAX_PIECES:,} more"]
                are = "is" if len(names) == 1 else "are"
                sentences.append(f"In the {name} text, {enumerated(said)} {are} cut out before all else.")
        return sentences

    def _space_sentences(self) -> list[str]:
        """Say so where a space at the end of the edit joins the text after it in one pre-token."""
        sides = [("first", self.edit.removed), ("second", self.edit.added)]
        sentences = []
        for which, (name, text) in enumerate(sides):
            border = self.lengths[which] - len(self.edit.after.encode())
            if not (text.endswith(" ") and self.edit.after) or border in self._pretoken_ends[which]:
                continue
            pretoken = self._pretokens_over(which, (border - 1, border))
            if len(pretoken) == 1 and pretoken[0].startswith(" ") and self._is_encoded_whole(which, pretoken[0]):
                sentences.append(
                    f"In the {name} text, the space joins what follows: “{spell(pretoken[0])}” is one pre-token."
                )
        return sentences

    def _is_encoded_whole(self, which: int, pretoken: str) -> bool:
        """Return whether the model gets a pre-token with its spaces, and not without, or as a part of a longer one."""
        if not self.tokenizer.is_of_library:
            return True
        stages = self.tokenizer.stages(self.both[which].text, self.allowed_special)
        pieces = (piece for stage in stages if stage.name == "pre-tokens" for piece in stage.pieces)
        return pretoken in (piece.replace(SPACE, " ") for piece in pieces)

    def _last_space_sentences(self) -> list[str]:
        """Say what a space at the end becomes if a word follows, when only one of the texts ends in a space."""
        ends = [each.text.endswith(" ") for each in self.both]
        if ends[0] == ends[1]:
            return []
        text = self.both[ends.index(True)].text
        alone = self.tokenizer.pretokens(text, self.allowed_special)[-1:]
        followed = self.tokenizer.pretokens(f"{text}a", self.allowed_special)[-1:]
        if alone != [" "] or followed != [" a"]:
            return []
        return [
            "The last space is a pre-token of its own, as no word follows: before “a” it would be part of the "
            "pre-token “·a”."
        ]


def _noun(tokens: Sequence[bytes]) -> str:
    return "token is" if len(tokens) == 1 else "tokens are"
