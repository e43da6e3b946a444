"""Random chats under published and nasty templates: prompt, ids and the assistant's tokens equal transformers'.

`TOKVIZ_CHATS=2000 pytest tests/chats/test_random_chats.py` tries more of them.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import judge
import pytest
from random_chats import TOOLS, chat

import tokviz
from tokviz.chats.chat import Chat
from tokviz.chats.templates import TITLES, shipped

CHATS = int(os.environ.get("TOKVIZ_CHATS", "25"))
PUBLISHED = {name: shipped(name).text for name in TITLES}
NASTY = {file.stem: file.read_text("utf-8") for file in sorted((Path(__file__).parent / "nasty").iterdir())}
SPECIALS: dict[str, Any] = {"bos_token": "<|endoftext|>", "eos_token": "<|im_end|>"}


def cases(name: str, *, with_calls: bool = True) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    chance = random.Random(name)
    for _ in range(CHATS):
        values: dict[str, Any] = {"add_generation_prompt": chance.random() < 0.5, "tools": chance.choice((None, TOOLS))}
        if chance.random() < 0.3:
            values["enable_thinking"] = chance.random() < 0.5
        yield chat(chance, with_calls=with_calls), values


def check(messages: list[dict[str, Any]], template: str, values: dict[str, Any]) -> Chat | None:
    """Compare a chat with transformers'. Returns None if both refuse it."""
    try:
        expected = judge.prompt(messages, template, **values)
    except Exception as error:
        with pytest.raises(ValueError) as refused:
            tokviz.chat(messages, "qwen3", template, **SPECIALS, **values)
        assert str(error).split("'")[0] in str(refused.value)
        return None
    found = tokviz.chat(messages, "qwen3", template, **SPECIALS, **values)
    assert found.prompt == expected
    ids, mask = judge.ids_and_mask(messages, template, **values)
    assert found.ids == ids
    if template.count("generation %}"):
        assert found.assistant_mask.astype(int).tolist() == mask
    else:
        assert not any(mask)  # with a warning
        with pytest.raises(ValueError, match="doesn't say what the assistant wrote"):
            _ = found.assistant_mask
    return found


def check_origins(found: Chat, messages: list[dict[str, Any]]) -> None:
    """Spans cover the prompt, say truly what they stand for, and with what is missing make up the messages."""
    assert [span.start for span in found.spans] == [0, *(span.end for span in found.spans)][: len(found.spans)]
    assert (found.spans[-1].end if found.spans else 0) == len(found.prompt)
    for number, message in enumerate(messages):
        for key, value in message.items():
            if isinstance(value, str) and key == "content":
                rebuilt: list[str | None] = [None] * len(value)
                parts = [
                    (s.at, s.was if s.was is not None else found.prompt[s.start : s.end])
                    for s in found.spans
                    if s.origin == (number, key)
                ]
                parts += [(each.start, each.text) for each in found.omissions if each.origin == (number, key)]
                for at, text in parts:
                    assert value[at : at + len(text)] == text
                    rebuilt[at : at + len(text)] = text
                assert "".join(map(str, rebuilt)) == value


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_templates(name: str) -> None:
    for messages, values in cases(name):
        if name == "mistral-nemo":
            values.pop("enable_thinking", None)
        found = check(messages, PUBLISHED[name], values)
        if found:
            check_origins(found, messages)


@pytest.mark.parametrize("name", NASTY)
def test_nasty_templates(name: str) -> None:
    for messages, values in cases(name):
        found = check(messages, NASTY[name], values)
        if found and name != "html":
            check_origins(found, messages)
