"""A chat as text and as HTML for notebooks: its tokens, a row for each stretch of the prompt that has one origin."""

import html
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from tokviz.chats.chat import Chat
from tokviz.chats.spans import Origin
from tokviz.display import counted, printable, separated
from tokviz.widgets.notebook import colored_html

MOST_ROWS = 200
"""Rows displayed; longer chats are cut there."""

_MOST_TOKENS = 200  # maximum tokens of a row that are displayed
_CELL = "text-align: left; vertical-align: top; padding: 1px 12px 1px 0"
_MONOSPACED = "font-family: monospace; white-space: pre-wrap"


def chat_text(chat: Chat, most: int = MOST_ROWS, spell: Callable[[Sequence[bytes]], str] = separated) -> str:
    """Return the counts, and the first `most` rows; `spell` spells tokens in a line."""
    rows = [(printable(name), tokens) for name, tokens in _rows(chat, most)]
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join(
        [*summary(chat), "", *(f"{name:{width}}  {spell(tokens)}" for name, tokens in rows), *_rest(chat, most)]
    )


def chat_html(chat: Chat, most: int = MOST_ROWS) -> str:
    """Return the same in HTML with inline styles only, which untrusted notebooks keep."""
    said = "".join(f"<div>{html.escape(line)}</div>" for line in (*summary(chat), *_rest(chat, most)))
    rows = "".join(
        f'<tr><td style="{_CELL}">{html.escape(name)}</td>'
        f'<td dir="auto" style="{_CELL}; {_MONOSPACED}">{colored_html(tokens)}</td></tr>'
        for name, tokens in _rows(chat, most)
    )
    return f"{said}<table>{rows}</table>"


def origin_name(origin: Origin) -> str:
    """Spell an origin: `message 0, content`."""
    return f"message {origin[0]}, {origin[1]}" if isinstance(origin, tuple) else origin


def summary(chat: Chat) -> Iterator[str]:
    """Say how many tokens there are, where they come from, and what may surprise."""
    words = sum(tokens for origin, tokens in chat.counts.items() if isinstance(origin, tuple) and origin[1] != "role")
    yield (
        f"{counted('token', len(chat))} ({chat.tokenizer.name}, template {chat.template.name}): {words:,} of the "
        f"messages' words, {len(chat) - words:,} around them"
    )
    if chat.unread_controls:
        names = ", ".join(map(printable, chat.unread_controls))
        yield f"{chat.tokenizer.name} has no {names}: it reads them as text"
    if len(chat.written_controls):
        verb = "stands" if len(chat.written_controls) == 1 else "stand"
        yield (
            f"{counted('control token', len(chat.written_controls))} {verb} in what messages hold; as text, there are "
            f"{counted('token', len(chat.as_text))}"
        )
    for omission in chat.omissions[:5]:
        yield f"left out of {origin_name(omission.origin)}: {printable(omission.text[:60])!r}"


def _rows(chat: Chat, most: int) -> Iterator[tuple[str, list[bytes]]]:
    spelled = chat.tokenization.spelled_bytes()
    groups = groupby(range(len(chat)), lambda token: int(chat.token_spans[token]))
    for row, (span, tokens) in enumerate(groups):
        if row == most:
            return
        shown = [spelled[token] for token in tokens]
        cut = [*shown[:_MOST_TOKENS], "…".encode()] if len(shown) > _MOST_TOKENS else shown
        yield origin_name(chat.origins[span][2]), cut


def _rest(chat: Chat, most: int) -> list[str]:
    rest = len(set(chat.token_spans.tolist())) - most
    return [f"… and {rest:,} more rows"] if rest > 0 else []
