"""Whatever transformers' `apply_chat_template` takes gives its prompt here, or is refused with a sentence.

`TOKVIZ_CHATS=2000 pytest tests/chats/test_values.py` tries more chats.
"""

import enum
import inspect
import os
import random
from collections import OrderedDict, UserDict, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import judge
import numpy as np
import pytest
import random_chats

import tokviz
from tokviz.chats.messages import check_values
from tokviz.chats.templates import TITLES, shipped

CHATS = int(os.environ.get("TOKVIZ_CHATS", "30"))
SPECIALS: dict[str, Any] = {"bos_token": "<|endoftext|>", "eos_token": "<|im_end|>"}
HI: list[dict[str, Any]] = [{"role": "user", "content": "Hi"}]

TEMPLATES = {name: shipped(name).text for name in TITLES} | {
    file.stem: file.read_text("utf-8") for file in sorted((Path(__file__).parent / "nasty").iterdir())
}
# `add_generation_prompt` alone reaches a template as it is given, so that `np.bool_(True)` is not `true` there.
TEMPLATES |= {
    "all as JSON": "{{ [messages, tools, documents, x] | tojson }}{{ messages[-1].content }}",
    "all as Python": "{{ messages }}{{ tools }}{{ documents }}{{ x }}{{ add_generation_prompt }}",
    "tests": "{% for v in [x, tools, documents] %}{{ v is defined }}{{ v is none }}"
    "{{ v is true }}{{ v is false }}{{ v is string }}{{ v is number }}{{ v is mapping }}{{ v is iterable }}"
    "{{ 'yes' if v else 'no' }}{% endfor %}{{ 'yes' if add_generation_prompt else 'no' }}"
    "{{ continue_final_message is defined }}{{ tokenize is defined }}",
    "keys": "{% for m in messages %}{% for k, v in m.items() %}{{ k }}={{ v }};{% endfor %}{% endfor %}",
    "trimmed": "{% for m in messages %}[{{ m.role }}]{{ m.content | trim if m.content is string else m.content }}"
    "[/]{% endfor %}{{ messages[-1].thinking }}",
    "parts": "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for part in m.content %}"
    "{{ part.text if part.text is defined else part }}{% endfor %}{% endif %}{{ m.reasoning_content }}<|im_end|>"
    "{% endfor %}",
    "loud": "{% for m in messages %}{{ (m.content ~ '') | upper }}{% endfor %}",
    "first only": "{{ messages[0].content }}!{{ messages[0].reasoning_content }}",
}


class Color(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Plain(enum.Enum):
    ONE = 1


class Loud(str):
    def __str__(self) -> str:
        return "LOUD"


class Odd(int):
    def __repr__(self) -> str:
        return "odd"


class Listed(list):  # type: ignore[type-arg]
    pass


@dataclass
class Part:
    type: str
    text: str
    more: Any = None


@dataclass(frozen=True, slots=True)
class Turn:
    role: str
    content: Any
    tool_calls: Any = None
    parts: list[Part] = field(default_factory=list)


class Model:
    """What is like a Pydantic model."""

    def __init__(self, **values: Any) -> None:
        self.values = values

    def model_dump(self) -> dict[str, Any]:
        return self.values


Pair = namedtuple("Pair", "left right")

VALUES: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "bool": lambda: True,
    "numpy false": lambda: np.bool_(False),
    "numpy true": lambda: np.bool_(True),
    "huge": lambda: 1 << 70,
    "float": lambda: 0.1,
    "infinite": lambda: float("inf"),
    "numpy int": lambda: np.uint8(200),
    "numpy float": lambda: np.float32(0.1),
    "numpy double": lambda: np.float64(0.1),
    "numpy text": lambda: np.str_("text"),
    "numpy bytes": lambda: np.bytes_(b"bytes"),
    "numpy date": lambda: np.datetime64("2026-01-01"),
    "numpy nanoseconds": lambda: np.datetime64("2026-01-01", "ns"),
    "numpy record": lambda: np.array([(1, 2.5)], "i4,f8")[0],
    "array": lambda: np.arange(3),
    "array of one": lambda: np.array(3),
    "decimal": lambda: Decimal("1.10"),
    "fraction": lambda: Fraction(1, 3),
    "complex": lambda: 1j,
    "bytes": lambda: b"bytes",
    "date": lambda: date(2026, 1, 1),
    "text's enumeration": lambda: Color.RED,
    "number's enumeration": lambda: Level.HIGH,
    "enumeration": lambda: Plain.ONE,
    "text's subclass": lambda: Loud("quiet"),
    "int's subclass": lambda: Odd(7),
    "list's subclass": lambda: Listed([1, Loud("x")]),
    "tuple": lambda: (1, "two", (3,)),
    "named tuple": lambda: Pair(1, "two"),
    "set": lambda: {1},
    "deque": lambda: deque([1]),
    "range": lambda: range(3),
    "ordered dict": lambda: OrderedDict(a=1, b=None),
    "view": lambda: MappingProxyType({"a": np.int64(1)}),
    "user's dict": lambda: UserDict({"a": (1,)}),
    "keys": lambda: {1: "a", None: "b", Color.RED: "c", (1, 2): "d"},
    "dataclass": lambda: Part("text", "some", [Part("text", "inner"), np.bool_(False)]),
    "dataclass with slots": lambda: Turn("user", "x"),
    "class": lambda: Part,
    "model": lambda: Model(a=1, b=Model(c=np.int64(2)), d=None),
    "object": lambda: SimpleNamespace(a=1),
    "function": lambda: len,
    "lambda": lambda: lambda: 1,
    "generator": lambda: (each for each in "ab"),
    "nested": lambda: [{"a": [(), {}, [None, np.bool_(False), Color.RED, Part("t", "{{ x }}")]]}],
    "parts": lambda: [{"type": "image"}, {"type": "text", "text": "one "}, {"type": "text", "text": "two "}],
    "parts without text": lambda: [{"type": "image", "url": "x"}],
}


def get_weather(city: str, unit: Color = Color.RED, days: list[int] | None = None) -> float:
    """
    Tell the weather.

    Args:
        city: Name of the “city”.
        unit: Unit of the temperature.
        days: Days from now.

    Returns:
        The temperature.
    """
    return 21.0


class Tool:
    def look_up(self, q: str) -> str:
        """Look something up.

        Args:
            q: What (choices: ["a", "b"])
        """
        return q


TOOLS: tuple[Callable[[], Any], ...] = (
    lambda: None,
    list,
    lambda: random_chats.TOOLS,
    lambda: tuple(random_chats.TOOLS),
    lambda: [get_weather, *random_chats.TOOLS],
    lambda: [Tool().look_up],
    lambda: [Tool.look_up, get_weather],
    lambda: [len],
    lambda: [Tool],
    lambda: ["get_weather"],
    lambda: "get_weather",
    lambda: get_weather,
    lambda: 5,
)
DOCUMENTS: tuple[Callable[[], Any], ...] = (
    lambda: None,
    list,
    lambda: [{"title": "T", "text": "x"}],
    lambda: ({"title": np.str_("T"), "n": np.int8(1), "p": Part("a", "b")},),
    lambda: ["text"],
    lambda: [Part("a", "b")],
    lambda: "text",
    lambda: 5,
)
CONTINUES: tuple[object, ...] = (
    *(False, None, np.bool_(False), "", True, True, np.bool_(True), 1),
    *("content", "reasoning_content", "thinking", "reasoning", "role", "nothing", Color.RED),
)


def outcome(messages: Any, template: str, values: dict[str, Any]) -> str | None:
    try:
        return judge.prompt(messages, template, **values)
    except Exception:
        return None


def check(messages: Any, template: str, values: dict[str, Any]) -> bool:
    """Compare with transformers. Returns whether there is a prompt: what it refuses is refused."""
    expected = outcome(messages, template, values)
    if expected is None:
        with pytest.raises((ValueError, TypeError)) as refused:
            tokviz.chat(messages, "gpt2", template, **SPECIALS, **values)
        assert len(str(refused.value)) > 10
        return False
    found = tokviz.chat(messages, "gpt2", template, **SPECIALS, **values)
    assert found.prompt == expected
    assert "".join(found.prompt[start:end] for start, end, _ in found.origins) == expected
    return True


@pytest.mark.parametrize("name", TEMPLATES)
def test_random_chats_of_any_values(name: str) -> None:
    chance = random.Random(name)
    written = 0
    for _ in range(CHATS):
        messages: Any = random_chats.chat(chance)
        for _ in range(chance.choice((0, 0, 1, 2))):
            key = chance.choice(("content", "extra", "reasoning", "thinking", "tool_calls", "name", "role"))
            chance.choice(messages)[key] = chance.choice(list(VALUES.values()))()
        if chance.random() < 0.2:
            messages = [Turn(each.get("role"), each.get("content")) for each in messages]
        if chance.random() < 0.2:
            messages = [Model(**each) if isinstance(each, dict) else each for each in messages]
        messages = chance.choice((list, list, tuple, lambda listed: SimpleNamespace(messages=listed)))(messages)
        values: dict[str, Any] = {}
        if chance.random() < 0.5:
            values["add_generation_prompt"] = chance.choice((True, False, np.bool_(False), np.bool_(True), 1, None))
        if chance.random() < 0.4:
            values["tools"] = chance.choice(TOOLS)()
        if chance.random() < 0.3:
            values["documents"] = chance.choice(DOCUMENTS)()
        if chance.random() < 0.4:
            values["continue_final_message"] = chance.choice(CONTINUES)
        if chance.random() < 0.6:
            values[chance.choice(("x", "x", "enable_thinking", "bos"))] = chance.choice(list(VALUES.values()))()
        written += check(messages, TEMPLATES[name], values)
    assert written > CHATS / 10


@pytest.mark.parametrize("kind", VALUES)
def test_each_kind_of_value(kind: str) -> None:
    """Everywhere that a value may stand."""
    make = VALUES[kind]
    for template in ("all as JSON", "all as Python", "tests", "keys", "parts"):
        check([*HI, {"role": "assistant", "content": "", "extra": make()}], TEMPLATES[template], {"x": make()})
        check([{"role": "user", "content": make()}], TEMPLATES[template], {"x": [make()], "documents": [{"a": make()}]})
        check(HI, TEMPLATES[template], {"tools": [{"name": "f", "n": make()}], "add_generation_prompt": False})


TAKEN = {"tools", "documents", "add_generation_prompt", "continue_final_message"}
"""Parameters of transformers that mean the same here. `conversation` and `chat_template` are given by their place."""

RESULTS = {
    *("conversation", "chat_template", "tokenize", "sanitize_control_tokens", "padding", "truncation", "max_length"),
    *("return_tensors", "return_dict", "return_assistant_tokens_mask", "tokenizer_kwargs"),
}
"""Parameters that say what the method returns. A chat has it all, so they are refused, saying where it is."""


def test_each_parameter_is_taken_or_refused() -> None:
    method = type(judge.qwen3()).apply_chat_template
    assert {*inspect.signature(method).parameters} - {"self", "kwargs"} == TAKEN | RESULTS
    for name in TAKEN:
        assert set(check_values({name: None})) == {name}
    for name in RESULTS:
        with pytest.raises(TypeError, match=f"“{name}” is no value for the template: "):
            tokviz.chat(HI, "gpt2", "chatml", **{name: None})


REFUSED: dict[str, tuple[Any, dict[str, Any], str]] = {
    "several chats, for which the method returns several prompts": ([HI, HI], {}, "several chats"),
    "several objects with messages": ([SimpleNamespace(messages=HI)], {}, "several chats"),
    "an iterator of messages, which can be read once": (iter(HI), {}, "must be a list of dicts, not list_iterator"),
    "an array of messages": (np.array(HI), {}, "must be a list of dicts, not ndarray"),
    "keys that are no texts: an origin is a message and a key": ([{**HI[0], 1: 2}], {}, "message 0 must be a dict"),
    "an iterator of tools": (HI, {"tools": iter([get_weather])}, "tools must be a list, not list_iterator"),
    "a dict of no documents": (HI, {"documents": {}}, "documents must be a list, not dict"),
    "a text of no tools": (HI, {"tools": ""}, "tools must be a list, not str"),
}
"""What the method takes and is refused here, with the reason."""


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_refused_here_alone(reason: str) -> None:
    messages, values, said = REFUSED[reason]
    with pytest.raises(TypeError, match=said):
        tokviz.chat(messages, "gpt2", "chatml", **values)
    messages, values, _ = REFUSED[reason]
    assert inspect.signature(tokviz.chat).parameters.keys() == {"messages", "tokenizer", "template", "now", "values"}


def test_what_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    cases: list[tuple[Any, dict[str, Any]]] = [([{"role": "user", "content": endless}], {}), (HI, {"x": endless})]
    for messages, values in cases:
        with pytest.raises(ValueError, match="nested too deeply for a template, or holds itself"):
            tokviz.chat(messages, "gpt2", "chatml", **values)


def test_lone_surrogates_are_replaced_wherever_they_stand() -> None:
    """As in every text here. The method leaves them, and tokenizers then refuse the prompt."""
    values: dict[str, Any] = {"tools": [{"name": "\ud83d\ude42\ud800"}], "documents": [{"\udfff": "\udfff"}]}
    chat = tokviz.chat(
        [{"role": "user", "content": "\ud800", "x": "\ud800"}],
        "gpt2",
        TEMPLATES["keys"] + "{{ tools }}{{ documents }}",
        **values,
    )
    assert chat.prompt == "role=user;content=\ufffd;x=\ufffd;[{'name': '🙂\ufffd'}][{'\ufffd': '\ufffd'}]"
    assert chat.tokenization.replaced == 0


def test_a_continued_message_ends_the_prompt() -> None:
    """The ids are those of the method, and what follows the message in the template is gone."""
    messages = [*HI, {"role": "assistant", "content": "Hello, I "}]
    chat = tokviz.chat(messages, "qwen3", "chatml", continue_final_message=True)
    assert chat.prompt.endswith("<|im_start|>assistant\nHello, I ")
    expected = judge.qwen3().apply_chat_template(
        messages, chat_template=TEMPLATES["chatml"], continue_final_message=True, return_dict=False
    )
    assert chat.ids == expected
    assert chat.origins[-1][2] == (1, "content")
    assert not chat.omissions
