"""Chats from messages: `tokviz.chat`."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from tokviz import formats, loading
from tokviz.chats import templates
from tokviz.chats.chat import Chat
from tokviz.chats.messages import check_messages, check_values
from tokviz.chats.rendering import render
from tokviz.chats.spans import Message
from tokviz.chats.templates import ChatTemplate
from tokviz.tokenizers.base import Tokenizer


def chat(
    messages: Sequence[Message],
    tokenizer: str | Path | Tokenizer,
    template: str | Path | ChatTemplate | None = None,
    *,
    now: datetime | None = None,
    **values: Any,
) -> Chat:
    """Return a chat as a model reads it, with the origin of every character.

    `messages` are dicts as transformers takes them: `{"role": "user", "content": "Hi"}`. `tokenizer` is a tokenizer,
    its name, as `load` takes it, or a `Path` of its files. `template` is by default the one that goes with the
    tokenizer: one that was opened in a folder, or fetched from the hub, brings it along. Others are those inside
    ("qwen3", "qwen2.5", "mistral-nemo", "chatml", "harmony"), those that the tokenizer's files call by name, a
    template's text, and the `Path` of a file or folder that holds one.

    `values` are what templates get besides, such as `documents`, `add_generation_prompt=True` or
    `enable_thinking=False`. `tools` may be JSON schemas, or functions with type hints and a docstring;
    `continue_final_message=True` leaves the last message open. `now` is the time for templates that ask for it.

    Ids and prompt are those of transformers' `apply_chat_template`. The template is rendered in Jinja's sandbox, with
    no limit on its time and memory. Raises ValueError for what a template refuses, naming its line, and ValueError or
    TypeError for what transformers refuses.

    >>> import tokviz
    >>> chat = tokviz.chat([{"role": "user", "content": "Hi"}], "qwen3")
    >>> chat.prompt, chat.ids
    ('<|im_start|>user\\nHi<|im_end|>\\n', [151644, 872, 198, 13048, 151645, 198])
    >>> [(chat.prompt[start:end], origin) for start, end, origin in chat.origins][:2]
    [('<|im_start|>', 'template'), ('user', (0, 'role'))]
    """
    checked, values = check_messages(messages), check_values(values)
    opened = _opened(tokenizer)
    found = _template(template, opened).for_values(values)
    found = found._replace(special_tokens={**templates.special_tokens_of(opened), **found.special_tokens})
    return Chat(opened, found, render(found.text, checked, values, found.special_tokens, now))


def _template(template: str | Path | ChatTemplate | None, tokenizer: Tokenizer) -> ChatTemplate:
    if isinstance(template, Path):
        return templates.open_template(template)
    if isinstance(template, ChatTemplate):
        return template
    if template is not None and ("{" in template or "\n" in template):
        return ChatTemplate("this template", template)
    return templates.of_tokenizer(tokenizer, template)


def _opened(tokenizer: str | Path | Tokenizer) -> Tokenizer:
    if isinstance(tokenizer, Path):
        return formats.open(tokenizer)
    return loading.load(tokenizer) if isinstance(tokenizer, str) else tokenizer
