"""The route of the Chat page: it matches the package, and refuses what no template or message may be."""

import json
import random
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import random_chats
from clients import client as client
from model_files import TEMPLATE, model, model_files
from starlette.testclient import TestClient

import tokviz
from tokviz.app.answers.routes import chat as chat_route
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.fairness.visitors import Visitor, serving
from tokviz.app.shields.processes import answering, chat_templates, chat_templates_child, children, exchange, pool
from tokviz.app.shields.processes.chat_templates import MAX_PROMPT, MAX_SPANS, Rendering
from tokviz.app.shields.processes.kept_child import KeptChild, Task
from tokviz.chats import rendering
from tokviz.chats.environment import ChatEnvironment
from tokviz.chats.spans import Rendered
from tokviz.chats.templates import MAX_TEMPLATE, shipped
from tokviz.tokenizer_colors import color_numbers
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.widgets.wire import unpack

HI = [{"role": "user", "content": "Hi 🍕<|im_end|>"}, {"role": "assistant", "content": "é"}]


def ask(client: TestClient, template: Any, messages: Any = HI, tokenizer: str = "qwen3", **values: Any) -> Any:
    asked = {"messages": messages, "template": template, "values": values}
    return client.post("/_tokviz/chat", params={"tokenizer": tokenizer}, content=json.dumps(asked))


@pytest.mark.parametrize("name", ["qwen3", "chatml", "qwen2.5"])
def test_a_chat_matches_the_package(client: TestClient, name: str) -> None:
    columns, meta = unpack(ask(client, {"name": name}, add_generation_prompt=True).content)
    expected = tokviz.chat(HI, "qwen3", name, add_generation_prompt=True)
    assert meta["prompt"] == expected.prompt
    assert columns["ids"].tolist() == expected.ids
    units = expected.prompt.encode("utf-16-le")
    ends = columns["span_ends"].tolist()
    stretches = [units[2 * start : 2 * end].decode("utf-16-le") for start, end in zip([0, *ends], ends, strict=False)]
    assert stretches == [expected.prompt[span.start : span.end] for span in expected.spans]
    origins = [meta["origins"][number] for number in columns["span_origins"]]
    assert origins == [list(span.origin) if isinstance(span.origin, tuple) else span.origin for span in expected.spans]
    assert sum(meta["counts"]) == len(expected)
    assert meta["added"] == list(expected.ordinary_added)
    assert columns["written"].tolist() == expected.written_controls.tolist()
    assert columns["ids_as_text"].tolist() == expected.as_text.ids.tolist()
    assert columns["byte_lengths_as_text"].tolist() == np.diff(expected.as_text.byte_offsets).tolist()


def test_a_message_that_goes_on_ends_the_prompt(client: TestClient) -> None:
    _, meta = unpack(ask(client, {"name": "qwen3"}, continue_final_message=True).content)
    assert meta["prompt"] == tokviz.chat(HI, "qwen3", continue_final_message=True).prompt
    assert meta["prompt"].endswith("é")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"tools": ["f"]}, "Each of the tools must be a JSON schema or a Python function"),
        ({"tools": 5}, "Tools must be a list, not int."),
        ({"documents": ["x"]}, "Each of the documents must be a dict"),
        ({"continue_final_message": True, "add_generation_prompt": True}, "begins another: give one."),
        ({"continue_final_message": "name"}, "Continue_final_message needs a last message with “name”"),
        ({"tokenize": False}, "“tokenize” is no value for the template"),
    ],
)
def test_values_that_are_refused(client: TestClient, values: dict[str, Any], said: str) -> None:
    """As in the package."""
    answer = ask(client, {"name": "qwen3"}, **values)
    assert answer.status_code == 422
    assert said in answer.text


def test_two_models_on_a_chat(client: TestClient) -> None:
    """Each side's tokens are those of its own chat, and its color is the tokenizer's on every page."""
    query = {"tokenizer": "gpt2", "against": "o200k_harmony", "by": "harmony"}
    body = json.dumps({"messages": HI, "template": {"name": "chatml"}, "values": {"add_generation_prompt": True}})
    sides = client.post("/_tokviz/chat/compare", params=query, content=body).json()["sides"]
    for side, name, template in zip(sides, ("gpt2", "o200k_harmony"), ("chatml", "harmony"), strict=True):
        chat = tokviz.chat(HI, name, template, add_generation_prompt=True)
        assert side["around"] + side["words"] == len(chat)
        assert side["words"] == sum(side["messages"].values())
    assert [side["label"] for side in sides] == ["GPT-2", "o200k harmony"]
    assert [side["color"] for side in sides] == list(color_numbers(side["label"] for side in sides).values())
    query["by"] = "mistral-nemo"
    asked = client.post("/_tokviz/chat/compare", params=query, content=body.replace("user", "assistant"))
    assert asked.status_code == 422
    query["by"] = "nobody"
    assert client.post("/_tokviz/chat/compare", params=query, content=body).status_code == 404


def test_ones_own_template(client: TestClient) -> None:
    own = {"text": "{{ bos_token }}{{ messages[0].content }}", "special_tokens": {"bos_token": "<s>", "x": "y"}}
    assert unpack(ask(client, own, tokenizer="gpt2").content)[1]["prompt"] == "<s>Hi 🍕<|im_end|>"
    sent = client.get("/_tokviz/chat/template", params={"name": "mistral-nemo"}).json()
    assert sent["special_tokens"]["bos_token"] == "<s>"


def open_files(client: TestClient, files: dict[str, bytes]) -> Any:
    """Open files as the page does: those beside the tokenizer's are named once more."""
    names = [("name", name) for name in files] + [("size", len(data)) for data in files.values()]
    beside = [("beside", name) for name in files if name != "tokenizer.json"]
    answer = client.post("/_tokviz/tokenizer-file", params=[*names, *beside], content=b"".join(files.values()))
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("apart", [True, False])
def test_the_template_among_ones_own_files(client: TestClient, apart: bool) -> None:
    """Prompt and ids are those of transformers; the template is offered to edit, and goes with its tokenizer."""
    files = model_files(apart=apart)
    assert ("chat_template.jinja" in files) == apart
    described = open_files(client, files)
    name = described["name"]
    assert (described["thinks"], described["problem"]) == (False, "")
    columns, meta = unpack(ask(client, {"name": name}, tokenizer=name, add_generation_prompt=True).content)
    assert meta["prompt"] == model().apply_chat_template(HI, tokenize=False, add_generation_prompt=True)
    expected = model().apply_chat_template(HI, add_generation_prompt=True, return_dict=True)["input_ids"]
    assert columns["ids"].tolist() == expected
    assert meta["added"] == [model().convert_tokens_to_ids("<think>")]
    sent = client.get("/_tokviz/chat/template", params={"name": name}).json()
    assert (sent["text"], sent["special_tokens"]["bos_token"]) == (TEMPLATE, "<s>")
    query = {"tokenizer": "gpt2", "against": name, "by": name}
    body = json.dumps({"messages": HI, "template": {"name": "chatml"}, "values": {"add_generation_prompt": True}})
    sides = client.post("/_tokviz/chat/compare", params=query, content=body).json()["sides"]
    assert sides[1]["around"] + sides[1]["words"] == len(expected)
    query["tokenizer"] = registry.register(registry.get(name), sides[1]["label"])
    sides = client.post("/_tokviz/chat/compare", params=query, content=body).json()["sides"]
    assert sides[1]["label"] == f"{sides[0]['label']}, 2" and sides[0]["color"] != sides[1]["color"]
    registry.forget(name)
    assert client.get("/_tokviz/chat/template", params={"name": name}).status_code == 404


def test_a_template_for_chats_with_tools_only(client: TestClient) -> None:
    settings = {"chat_template": [{"name": "tool_use", "template": "T"}, {"name": "rag", "template": "R"}]}
    files = {"tokenizer.json": model_files()["tokenizer.json"], "tokenizer_config.json": json.dumps(settings).encode()}
    described = open_files(client, files)
    template = {"name": described["name"]}
    assert described["problem"] == ""
    assert unpack(ask(client, template, tools=[]).content)[1]["prompt"] == "T"
    refused = ask(client, template)
    assert refused.status_code == 422
    assert "'tool_use', 'rag'. 'tool_use' is taken for chats with tools" in refused.json()["error"]
    registry.forget(described["name"])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"chat_template.jinja": b"\xff"}, "chat_template.jinja is not UTF-8"),
        ({"tokenizer_config.json": b"{"}, "tokenizer_config.json is incomplete or damaged"),
        ({"tokenizer_config.json": b'{"a":' * 9000}, "nests lists and objects too deeply"),
        ({"chat_template.json": b"[" * 9_000_000}, "more than 3,000,000 lists and objects"),
        ({"chat_template.jinja": b"x" * (MAX_TEMPLATE + 1)}, "200,000 are the most that fit"),
        ({"chat_template.jinja": b"x" * 5_000_000}, "2,400,000 bytes"),
        ({"tokenizer_config.json": b"{}"}, ""),
        ({"tokenizer_config.json": b'{"chat_template": [{"name": [], "template": {}}]}'}, ""),
    ],
)
def test_files_whose_template_is_not_read(client: TestClient, files: dict[str, bytes], said: str) -> None:
    """The tokenizer is open all the same."""
    described = open_files(client, {"tokenizer.json": model_files()["tokenizer.json"], **files})
    assert said in described["problem"] if said else not described["problem"]
    assert not said or described["problem"].startswith("“tokenizer.json")
    assert described["thinks"] is None
    assert ask(client, {"name": "chatml"}, tokenizer=described["name"]).status_code == 200
    registry.forget(described["name"])


@pytest.mark.parametrize(
    ("template", "said"),
    [
        ("{% for i in range(9) %}\n{{ x.y }}{% endfor %}", "Line 2 of the template: 'x' is undefined."),
        ("{{ raise_exception('9!') }}", "Line 1 of the template: 9!"),
        ("hello\n{% if x", "Line 2 of the template: unexpected end of template, expected 'end of statement block'."),
        ("{% if x %}hello", "Line 1 of the template: Unexpected end of template."),
        ("{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}", "MB"),
        ("{{ 'a' * 99999999999 }}", "MB"),
        ("{{ 'a' * 3000000 }}", "The prompt is too long"),
        ("{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}", "longer than 2 s"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
    ],
)
def test_templates_that_are_refused(client: TestClient, template: str, said: str) -> None:
    answer = ask(client, {"text": template})
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert "!." not in answer.json()["error"]
    for after in ({"name": "chatml"}, {"text": "{{ messages[0].content }}"}):  # each process still renders
        assert ask(client, after).status_code == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("[", 400),
        ("[]", 400),
        ('{"messages": [], "template": {"name": "chatml"}}', 422),
        ('{"messages": {}, "template": {"name": "chatml"}}', 400),
        ('{"messages": [5], "template": {"name": "chatml"}}', 422),
        ('{"messages": [{"role": "user"}], "template": {"name": "nope"}}', 404),
        ('{"messages": [{"role": "user"}], "template": {"text": 5}}', 400),
        ('{"messages": [{"role": "user"}], "template": {}}', 400),
        ('{"messages": [{"role": "user"}], "template": 5}', 400),
        ('{"messages": [{"role": "user"}], "template": {"name": []}}', 400),
        ('{"messages": [{"role": "user"}], "template": {"name": "chatml"}, "values": 5}', 400),
        ("[" * 5000, 400),
        (json.dumps({"messages": [{"role": "user"}] * 1001, "template": {"name": "chatml"}}), 413),
        (json.dumps({"messages": [{"role": "user"}], "template": {"text": "x" * 200_001}}), 413),
    ],
)
def test_what_is_no_chat(client: TestClient, body: str, status: int) -> None:
    answer = client.post("/_tokviz/chat", params={"tokenizer": "gpt2"}, content=body)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")


def test_a_chat_that_can_not_be_sent_whole_changes_nobody_else_s(client: TestClient) -> None:
    """What is nested fails where it is written to the child, after 70,000 characters."""
    expected = tokviz.chat(HI, "gpt2", "chatml").prompt
    long = [{"content": "a", "role": "b"}, {"role": "user", "content": "x" * 70_000}]
    for depth in (900, 40_000):
        asked = json.dumps({"messages": long, "template": {"name": "chatml"}, "values": {"a": "deep"}})
        body = asked.replace('"deep"', "[" * depth + "]" * depth)
        client.post("/_tokviz/chat", params={"tokenizer": "gpt2"}, content=body)
        _, meta = unpack(ask(client, {"name": "chatml"}, tokenizer="gpt2").content)
        assert meta["prompt"] == expected


@pytest.mark.parametrize(
    ("message", "template"),
    [
        (
            {"k" * 400_000: "ab" * 500},
            "{% for k, v in messages[0].items() %}{% for c in v %}{{ c }}-{% endfor %}{% endfor %}",
        ),
        (
            {"content": "<b>" * 5_000},
            "{% set s = messages[0].content | urlencode %}{% for i in range(200) %}{{ s[i] }}{% endfor %}",
        ),
    ],
    ids=["a long key", "a long text"],
)
def test_a_long_text_is_not_sent_with_each_span(message: dict[str, str], template: str) -> None:
    """The server has no limit for what is in a rendering, but what the chat has, and the prompt."""
    data = chat_templates_child.answer(exchange.pack(template, [message], {}, {}, MAX_PROMPT, MAX_SPANS), 60)
    assert len(chat_templates._checked(data).spans) > 100
    assert len(data) < 2 * len(json.dumps(message))


def test_a_template_inside_that_takes_long_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another's chat, and the next of this address, don't wait for it; the process lives on."""
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    given: list[list[str]] = []
    for lane in (chat_templates.pool.quick, chat_templates.pool.slow):
        given.append([])
        monkeypatch.setattr(lane.child, "ask", partial(_noted, lane.child.ask, given[-1]))
    monkeypatch.setattr(chat_templates.pool, "_past", pool._Past())

    def render(template: str, size: int, address: str = "10.0.0.1") -> str:
        with serving(Visitor(address)):
            return chat_templates.render(Rendering(template, [], {}, {}), is_published=True, size=size).prompt

    assert render("quick", 10) == "quick"
    process = chat_templates.pool.quick.child.process
    with pytest.raises(children.Overdue, match="longer than 2 s"):
        render(loop, 1_000)
    for size, address in ((1_000, "10.0.0.1"), (499, "10.0.0.1"), (1_000, "10.0.0.2")):
        assert render(f"{size} of {address}", size, address) == f"{size} of {address}"
    assert chat_templates.pool.quick.child.process is process
    assert given == [["quick", loop, "499 of 10.0.0.1", "1000 of 10.0.0.2"], [loop, "1000 of 10.0.0.1"]]


def test_a_chat_with_a_template_inside_delays_another_less_than_a_key_press_may_take() -> None:
    """Whoever waits for the process waits for one chat, so that half of 0.1 s is left for all else."""
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    message = exchange.pack(loop, [], {}, {}, MAX_PROMPT, MAX_SPANS)
    rendering.render("", [], {})  # imports what it needs
    started = time.process_time()
    kind, _ = answering.outcome(chat_templates_child.answer, message, chat_templates.QUICK.seconds)
    assert kind == answering.TOO_SLOW
    assert time.process_time() - started < 0.1


def test_compiling_a_template_inside_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine might never get it done otherwise."""
    compile, seconds = ChatEnvironment.compile, 0.02

    def compile_slowly(*given: Any) -> Any:
        end = time.process_time() + 2 * seconds
        while time.process_time() < end:
            pass
        return compile(*given)

    monkeypatch.setattr(ChatEnvironment, "compile", compile_slowly)
    rendering.compiled.cache_clear()
    message = exchange.pack("{{ 'quick' }}", [], {}, {}, MAX_PROMPT, MAX_SPANS)
    kind, _ = answering.outcome(chat_templates_child.answer, message, seconds)
    assert kind == answering.RESULT


def _noted(ask: Callable[..., bytes], given: list[str], task: Task, *seconds: float) -> bytes:
    given.append(exchange.unpack(task.message)[0])
    return ask(task, *seconds)


@pytest.mark.parametrize(("text", "lane"), [("{{ 'a ' * 500_000 }}", "long"), ("{{ 'a' }}", "short")])
def test_long_prompts_are_cut_in_the_lane_for_long_texts(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, text: str, lane: str
) -> None:
    lanes_of: list[str] = []
    tokenize = BPETokenizer.tokenize

    def tokenize_and_note(*given: Any, **options: Any) -> Any:
        lanes_of.append(threading.current_thread().name)
        return tokenize(*given, **options)

    monkeypatch.setattr(BPETokenizer, "tokenize", tokenize_and_note)
    assert ask(client, {"text": text}, tokenizer="gpt2").status_code == 200
    assert lanes_of
    assert all(name.startswith(f"tokviz-{lane}") for name in lanes_of)


def test_long_chats_are_refused(client: TestClient) -> None:
    messages = [{"role": "user", "content": "x" * chat_route.MAX_CHAT}]
    assert ask(client, {"name": "chatml"}, messages).status_code == 413


def test_impossible_answers_of_a_broken_process_are_refused() -> None:
    def checked(ends: list[int], of_spans: list[int], prompt: object = "Hi", *more: object) -> Rendered:
        columns = [ends, of_spans, [0] * len(ends), [0] * len(ends), [0] * len(ends)]
        data = [np.array(column, np.int32).tobytes() for column in columns]
        return chat_templates._checked(exchange.pack(prompt, [["user", [0, "content"]]], *data, [[1, 0, "b"]], *more))

    found = checked([1, 2], [0, 1])
    assert (found.spans[1].origin, found.omissions[0].origin) == ((0, "content"), (0, "content"))
    for wrong in (([1], [0]), ([2, 1], [0, 1]), ([3, 2], [0, 1]), ([1, 2], [0, 2]), ([1, 2], [0, -1]), ([2], [0, 1])):
        with pytest.raises(children.Failed, match="broke"):
            checked(*wrong)
    for more in ((5,), (b"Hi",), ("Hi", 1)):
        with pytest.raises(children.Failed, match="broke"):
            checked([1, 2], [0, 1], *more)


def test_a_process_that_ended_by_itself_is_not_said_to_have_taken_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    def exchange_nothing(*_: object) -> None:
        raise children.Failed("")

    monkeypatch.setattr(KeptChild, "_exchange", exchange_nothing)
    with pytest.raises(children.Failed, match="perhaps it took more than the 384 MB"):
        chat_templates.render(Rendering("", [], {}, {}), is_published=True, size=0)


@pytest.mark.parametrize("name", ["qwen3", "qwen2.5", "chatml", "harmony"])
def test_random_chats_are_those_of_transformers(client: TestClient, name: str) -> None:
    """The page's prompt, for all that can be said in JSON."""
    chance = random.Random(name)
    for _ in range(15):
        messages = random_chats.chat(chance)
        values: dict[str, Any] = {"tools": chance.choice((None, [], random_chats.TOOLS)), "enable_thinking": False}
        values["documents"] = chance.choice((None, [{"title": "T", "text": random_chats.text(chance)}]))
        values["continue_final_message"] = chance.choice((False, True, "content"))
        values["add_generation_prompt"] = chance.choice((False, True)) and not values["continue_final_message"]
        answer = ask(client, {"name": name}, messages, **values)
        try:
            expected = model().apply_chat_template(messages, chat_template=shipped(name).text, tokenize=False, **values)
        except Exception:
            assert answer.status_code == 422
        else:
            assert unpack(answer.content)[1]["prompt"] == expected
