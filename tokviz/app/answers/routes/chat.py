"""Routes of the Chat page: what a model reads of messages, and how many tokens they take under two models."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from starlette.responses import JSONResponse, Response

from tokviz.app.answers.asked import Named, OfTokenizer
from tokviz.app.answers.requests import Further, get, packed, post, tokenizer_named
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.answers.visitors.visitor_tokenizers import labels_of
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.json_bodies import read_object
from tokviz.app.shields.processes.chat_templates import Rendering, render
from tokviz.app.shields.refusals import Refusal, refuse_invalid, sentence
from tokviz.arrays import Int32Array
from tokviz.chats.chat import Chat, shares
from tokviz.chats.messages import check_messages, check_values
from tokviz.chats.spans import Origin, Rendered
from tokviz.chats.templates import MAX_TEMPLATE, NAMED_TOKENS, TITLES, ChatTemplate, shipped
from tokviz.positions import utf16_offsets
from tokviz.tokenizer_colors import color_numbers
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets import columns

MAX_CHAT = 1_000_000
"""Maximum bytes of a chat: its messages, its template, and what else the template gets."""

MAX_MESSAGES = 1_000

_NO_CHAT = 'A chat must be sent as {"messages": [...], "template": {...}}.'
_MAX_OMISSIONS, _MAX_OMITTED = 50, 300

_COST_OF_SPAN = 20
"""Time of a span of a prompt, relative to that of a byte."""


class SentTemplate(NamedTuple):
    """A template as a body holds it: its name, or the reader's own text and special tokens."""

    name: str | None = None
    text: str | None = None
    special_tokens: dict[str, Any] = {}  # noqa: RUF012 - never changed


class SentChat(NamedTuple):
    """A chat as a body holds it."""

    messages: list[Any]
    template: SentTemplate
    values: dict[str, Any] = {}  # noqa: RUF012 - never changed


class Conversation(NamedTuple):
    """Messages to render, and the template."""

    template: ChatTemplate
    is_published: bool
    messages: list[dict[str, Any]]
    values: dict[str, Any]


@post("/chat", lanes.chats, MAX_CHAT, "chat")
def chat(asked: OfTokenizer) -> Further:
    """Render the body's messages, and send the prompt with its tokens and their origins."""
    tokenizer, conversation = tokenizer_named(asked.tokenizer), _conversation(asked.body)
    rendered = _rendered(conversation, len(asked.body))
    return Further(_size(rendered), lambda: _described(asked, tokenizer, conversation.template, rendered))


def _described(asked: OfTokenizer, tokenizer: Tokenizer, template: ChatTemplate, rendered: Rendered) -> Response:
    with refuse_invalid():
        found = Chat(tokenizer, template, rendered)
        named = columns.token_columns(found.tokenization)
        listed = list(dict.fromkeys(span.origin for span in found.spans))
        number_of = {origin: number for number, origin in enumerate(listed)}
        named |= {
            "span_ends": _utf16(found.prompt, [span.end for span in found.spans]),
            "span_origins": np.array([number_of[span.origin] for span in found.spans], np.int32),
            "span_changed": np.array([span.was is not None for span in found.spans], np.uint8),
            "written": found.written_controls,
        }
        if len(found.written_controls):
            named |= {f"{name}_as_text": column for name, column in columns.token_columns(found.as_text).items()}
    meta = {
        "prompt": found.prompt,
        "tokenizer": asked.tokenizer,
        "vocab_size": tokenizer.vocab_size,
        "rewriting": list(tokenizer.rewriting),
        "origins": listed,
        "counts": [found.counts.get(origin, 0) for origin in listed],
        "unread": list(found.unread_controls),
        "added": list(found.ordinary_added),
        "omissions": [
            [*_pair(each.origin), each.text[:_MAX_OMITTED], len(each.text)] for each in found.omissions[:_MAX_OMISSIONS]
        ],
    }
    return packed(named, meta, asked.request.headers)


class Against(OfTokenizer):
    """A chat, and the same `against` it under another tokenizer, `by` its template."""

    against: str
    by: str


@post("/chat/compare", lanes.chats, MAX_CHAT, "chat")
def compared(asked: Against) -> Further:
    """Send what the body's messages take under either tokenizer."""
    one, by = _conversation(asked.body), asked.by
    other = one._replace(template=_for_values(_named(by), one.values), is_published=by in TITLES)
    names = asked.tokenizer, asked.against
    tokenizers = [tokenizer_named(name) for name in names]
    rendered = [_rendered(each, len(asked.body)) for each in (one, other)]
    made = list(zip(tokenizers, (one.template, other.template), rendered, strict=True))
    return Further(_size(*rendered), lambda: _sides(asked, names, made))


def _sides(asked: Against, names: tuple[str, str], made: list[tuple[Tokenizer, ChatTemplate, Rendered]]) -> Response:
    with refuse_invalid():
        chats = [Chat(*each) for each in made]
    labels = labels_of(names, asked.request.cookies)
    colors = color_numbers(labels.values())
    sides = [
        {"label": labels[name], "color": colors[labels[name]], **shares(each)._asdict()}
        for name, each in zip(names, chats, strict=True)
    ]
    return JSONResponse({"sides": sides})


def _rendered(one: Conversation, size: int) -> Rendered:
    rendering = Rendering(one.template.text, one.messages, one.values, one.template.special_tokens)
    with refuse_invalid():
        return render(rendering, is_published=one.is_published, size=size)


def _size(*rendered: Rendered) -> int:
    """Return the bytes of text that take as long as what a template made."""
    return sum(len(each.prompt) + _COST_OF_SPAN * len(each.spans) for each in rendered)


def _pair(origin: Origin) -> list[Any]:
    return list(origin) if isinstance(origin, tuple) else [-1, origin]


def _utf16(text: str, places: list[int]) -> Int32Array:
    """Return places in code points as places in UTF-16 units, as browsers count."""
    data = text.encode()
    octets = np.frombuffer(data, np.uint8)
    starts = np.append(np.flatnonzero((octets & 0xC0) != 0x80), len(data)).astype(np.int32)
    return utf16_offsets(data, starts[places])


def _conversation(body: bytes) -> Conversation:
    """Read a request's body, which anybody may have sent."""
    messages, template, values = read_object(SentChat, body, _NO_CHAT)
    if len(messages) > MAX_MESSAGES:
        raise Refusal(413, f"This chat has {len(messages):,} messages. {MAX_MESSAGES:,} are the most that fit.")
    try:
        checked, values = check_messages(messages), check_values(values)
    except (ValueError, TypeError) as error:
        raise Refusal(422, sentence(error)) from None
    if template.name is None:
        return Conversation(_own(template), False, checked, values)
    return Conversation(_for_values(_named(template.name), values), template.name in TITLES, checked, values)


def _named(name: str) -> ChatTemplate:
    """Return a template inside the package, or the one that came with a visitor's tokenizer, by the tokenizer's id."""
    found = shipped(name) if name in TITLES else registry.template(name)
    if found is None:
        raise Refusal(
            404, "This chat template is not here any more. Open the tokenizer’s files again, or choose another."
        )
    return found


def _for_values(template: ChatTemplate, values: Mapping[str, Any]) -> ChatTemplate:
    with refuse_invalid():
        return template.for_values(values)


def _own(sent: SentTemplate) -> ChatTemplate:
    """Return the reader's own template."""
    if sent.text is None:
        raise Refusal(400, "The template must be a text.")
    if len(sent.text) > MAX_TEMPLATE:
        raise Refusal(413, f"This template has {len(sent.text):,} characters. {MAX_TEMPLATE:,} are the most that fit.")
    known = {name: each for name, each in sent.special_tokens.items() if name in NAMED_TOKENS and isinstance(each, str)}
    return ChatTemplate("yours", sent.text, known)


@get("/chat/template", lanes.short_texts)
def template(asked: Named) -> Response:
    """Send a template for the reader to edit."""
    found = _named(asked.name)
    return JSONResponse({"text": found.text, "special_tokens": dict(found.special_tokens)})
