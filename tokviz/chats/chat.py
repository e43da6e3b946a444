"""A chat as a model reads it: the prompt that a template makes of messages, its tokens, and their origins."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

import numpy as np

from tokviz import renderers
from tokviz.arrays import BoolArray, Int32Array
from tokviz.chats.spans import DATE, ROLE, TEMPLATE, Omission, Origin, Rendered, Span
from tokviz.chats.templates import ChatTemplate
from tokviz.immutable import Immutable
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


_CONTROL = re.compile(r"<\|[^\s|<>]{1,40}\|>|\[/?[A-Z_]{1,40}\]|</?s>")
"""How control tokens are written in the templates that are in use."""


class Chat(Immutable):
    """Messages as a model reads them: what a template makes of them, and the tokens of that.

    `prompt` is the text, and `tokenization` its tokens, control tokens included. `spans` cover the prompt and say where
    each character comes from (see `Span`); `omissions` are the stretches of messages that are not in it.
    """

    def __init__(self, tokenizer: Tokenizer, template: ChatTemplate, rendered: Rendered) -> None:
        self.tokenizer = tokenizer
        self.template = template
        self.spans: Sequence[Span] = rendered.spans
        self.omissions: Sequence[Omission] = rendered.omissions
        self.tokenization: Tokenization = tokenizer.tokenize(rendered.prompt, "all")

    def __repr__(self) -> str:
        return f"<Chat: {len(self)} tokens, by {self.template.name} and {self.tokenizer.name}>"

    def __len__(self) -> int:
        return len(self.tokenization)

    def __str__(self) -> str:
        """Say how many tokens there are, and where they come from, with the prompt below."""
        return renderers.as_text(self)

    def _repr_html_(self) -> str:
        """Render the prompt with its tokens and origins for a notebook."""
        return renderers.as_html(self)

    @property
    def prompt(self) -> str:
        """The text that the model reads."""
        return self.tokenization.text

    @cached_property
    def ids(self) -> list[int]:
        """The token ids that the model reads."""
        ids: list[int] = self.tokenization.ids.tolist()
        return ids

    @cached_property
    def origins(self) -> tuple[tuple[int, int, Origin], ...]:
        """Spans `(start, end, origin)` in code points that cover the prompt.

        An origin is "template", `(message, key)`, or the name of another value that was given, such as "tools".
        """
        groups = (list(group) for _, group in groupby(self.spans, lambda span: span.origin))
        return tuple((group[0].start, group[-1].end, group[0].origin) for group in groups)

    @cached_property
    def token_spans(self) -> Int32Array:
        """For each token, the index in `origins` of its first character's."""
        starts = [start for start, _, _ in self.origins]
        places = self.tokenization.code_point_offsets[:-1]
        return np.maximum(np.searchsorted(starts, places, side="right") - 1, 0).astype(np.int32)

    @cached_property
    def counts(self) -> dict[Origin, int]:
        """The number of tokens by origin. A token with characters of several counts for the first."""
        found = Counter(self.origins[span][2] for span in self.token_spans.tolist())
        return dict(sorted(found.items(), key=lambda item: _order(item[0])))

    @cached_property
    def assistant_mask(self) -> BoolArray:
        """Mask of the tokens with characters that the template marks as the assistant's, by `{% generation %}`.

        Raises ValueError if the template marks none.
        """
        if not self.template.marks_answers:
            raise ValueError(
                f"{self.template.name} doesn't say what the assistant wrote: only a template that puts this between "
                "{% generation %} and {% endgeneration %} does"
            )
        begun = self.tokenization.code_point_offsets[:-1]
        # A token that ends within a character holds some of it.
        ended = self.tokenization.code_point_offsets[1:] + self.tokenization.inside_character[1:]
        mask = np.zeros(len(self), np.bool_)
        for span in self.spans:
            if span.generated:
                mask |= (begun < span.end) & (ended > span.start)
        return mask

    @cached_property
    def written_controls(self) -> Int32Array:
        """The indices of the control tokens that are not the template's: a message or a tool holds their text."""
        return written_controls(self.tokenization, self.spans)

    @cached_property
    def as_text(self) -> Tokenization:
        """The tokens if nothing that messages hold is read as a control token, as a careful program reads them."""
        return read_as_text(self.tokenizer, self.tokenization, self.written_controls)

    @cached_property
    def unread_controls(self) -> tuple[str, ...]:
        """The control tokens that the template writes but the tokenizer doesn't have, and so reads as text."""
        written = (self.prompt[start:end] for start, end, origin in self.origins if origin == TEMPLATE)
        found = dict.fromkeys(name for text in written for name in _CONTROL.findall(text))
        known = {*self.tokenizer.special_tokens, *self.tokenizer.added_texts.values()}
        return tuple(name for name in found if name not in known)

    @cached_property
    def ordinary_added(self) -> tuple[int, ...]:
        """The ids in the prompt of added tokens that aren't control tokens: even a careful program reads these as one.

        Such are `<think>` and `<tool_call>` of Qwen3.
        """
        ids = self.as_text.ids
        if self.tokenizer.is_of_library:
            ids = ids[self.tokenizer.cut_out(self.as_text)]
        special = self.tokenizer.special_tokens.values()
        return tuple(sorted(({*self.tokenizer.added_texts} - {*special}) & {*ids.tolist()}))


def _order(origin: Origin) -> tuple[int, int, str]:
    return (0, origin[0], origin[1]) if isinstance(origin, tuple) else (1, 0, origin)


class Shares(NamedTuple):
    """Tokens of a chat: `around` the words, which are the template's and the roles', tools and date; and of the words.

    `messages` holds the words of each message in the prompt, by its number.
    """

    around: int
    words: int
    messages: dict[int, int]


def shares(chat: Chat) -> Shares:
    """Count a chat's tokens by what they are spent on. The counts add up to all of its tokens.

    >>> import tokviz
    >>> shares(tokviz.chat([{"role": "user", "content": "Hi"}], "qwen3"))
    Shares(around=5, words=1, messages={0: 1})
    """
    messages: Counter[int] = Counter()
    for origin, tokens in chat.counts.items():
        if isinstance(origin, tuple):
            messages[origin[0]] += tokens if origin[1] != ROLE else 0
    words = messages.total()
    return Shares(len(chat) - words, words, dict(sorted(messages.items())))
