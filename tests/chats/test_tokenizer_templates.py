"""A tokenizer that is opened or fetched brings its chat template along: the one that transformers finds there."""

import json
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hub_server import running_hub
from huggingface_hub import constants
from new_process import output_of

import tokviz
from tokviz import formats
from tokviz.command.main import main
from tokviz.pretrained import hub
from tokviz.tokenizers.base import Tokenizer

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from transformers import PreTrainedTokenizerFast

CHAT: list[dict[str, Any]] = [{"role": "user", "content": "the cat"}]
TOOLS = [{"type": "function", "function": {"name": "look_up"}}]
TOKENIZER = tokviz.train("the cat in the hat", num_merges=5, split_pattern="gpt2").with_special_tokens(["<s>", "</s>"])
FILE = formats.write(TOKENIZER, "tokenizer.json").files["tokenizer.json"]

DEFAULT = "D{{ bos_token }}{{ messages[0].content }}{{ eos_token }}{{ unk_token }}"
NAMED = [
    {"name": "default", "template": DEFAULT},
    {"name": "tool_use", "template": "T"},
    {"name": "rag", "template": "R"},
]
TOKENS = {"bos_token": "<s>", "eos_token": {"content": "</s>", "__type": "AddedToken"}}
DECODER = {"261": {"content": "<s>", "special": True}, "262": {"content": "</s>", "special": True}}
FURTHER = "additional_chat_templates"
CASES: dict[str, dict[str, Any]] = {
    "settings": {"tokenizer_config.json": {"chat_template": DEFAULT, **TOKENS}},
    "several in the settings": {"tokenizer_config.json": {"chat_template": NAMED, **TOKENS}},
    "by name in the settings": {"tokenizer_config.json": {"chat_template": {"default": DEFAULT, "rag": "R"}}},
    "only named in the settings": {"tokenizer_config.json": {"chat_template": NAMED[1:]}},
    "only for other chats": {"tokenizer_config.json": {"chat_template": NAMED[2:]}},
    "a file": {"chat_template.jinja": DEFAULT, "tokenizer_config.json": TOKENS},
    "a file and settings": {"chat_template.jinja": "J", "tokenizer_config.json": {"chat_template": NAMED}},
    "further files": {"chat_template.jinja": DEFAULT, f"{FURTHER}/tool_use.jinja": "T2", f"{FURTHER}/rag.jinja": "R2"},
    "further files and settings": {
        f"{FURTHER}/rag.jinja": "R2",
        "tokenizer_config.json": {"chat_template": DEFAULT},
    },
    "one further default": {f"{FURTHER}/default.jinja": DEFAULT, "tokenizer_config.json": TOKENS},
    "an empty template": {"tokenizer_config.json": {"chat_template": ""}},
    "older special tokens": {
        "tokenizer_config.json": {"chat_template": DEFAULT, "bos_token": "</s>", "unk_token": "</s>"},
        "special_tokens_map.json": {"bos_token": {"content": "<s>"}, "eos_token": "</s>"},
    },
    "special tokens twice": {
        "tokenizer_config.json": {"chat_template": DEFAULT, "bos_token": "<s>", "added_tokens_decoder": DECODER},
        "special_tokens_map.json": {"bos_token": "</s>", "eos_token": "</s>"},
    },
    "none": {"tokenizer_config.json": TOKENS},
    "no settings": {},
}


def folder_of(path: Path, files: dict[str, Any]) -> Path:
    folder = path / "model"
    for name, content in {"tokenizer.json": FILE.decode(), **files}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return folder


def theirs(tokenizer: Any, **values: Any) -> tuple[str, list[int]] | None:
    try:
        prompt = tokenizer.apply_chat_template(CHAT, tokenize=False, **values)
        return prompt, tokenizer.apply_chat_template(CHAT, return_dict=False, **values)
    except ValueError:
        return None


def ours(tokenizer: str | Path | Tokenizer, template: str | None = None, **values: Any) -> tuple[str, list[int]] | None:
    try:
        chat = tokviz.chat(CHAT, tokenizer, template, **values)
    except ValueError as error:
        assert "template" in str(error)
        return None
    return chat.prompt, chat.ids


@pytest.mark.parametrize("case", CASES)
def test_the_template_in_a_folder_is_the_one_of_transformers(case: str, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, CASES[case])
    loaded: Any = PreTrainedTokenizerFast
    judge = loaded.from_pretrained(folder)
    for tokenizer in (tokviz.open(folder), tokviz.open(folder / "tokenizer.json"), folder, folder / "tokenizer.json"):
        assert ours(tokenizer) == theirs(judge)
        assert ours(tokenizer, tools=TOOLS) == theirs(judge, tools=TOOLS)
    opened = tokviz.open(folder)
    for name in ("default", "tool_use", "rag"):
        known = name in (judge.chat_template if isinstance(judge.chat_template, dict) else {"default": 0})
        if known and case not in ("none", "no settings") and isinstance(judge.chat_template, dict):
            assert ours(opened, name) == theirs(judge, chat_template=name)
    own = "{% if true %}{{ bos_token }}|{{ eos_token }}{% endif %}"
    assert ours(opened, own) == theirs(judge, chat_template=own)


def test_a_folder_that_transformers_saved(tmp_path: Path) -> None:
    made: Any = PreTrainedTokenizerFast
    source = folder_of(tmp_path, {})
    for number, template in enumerate((DEFAULT, {"default": DEFAULT, "tool_use": "T", "rag": "R"})):
        for saves_files in (True, False):
            judge = made(tokenizer_file=str(source / "tokenizer.json"), bos_token="<s>", eos_token="</s>")
            judge.chat_template = template
            folder = tmp_path / f"{number}{saves_files}"
            judge.save_pretrained(folder, save_jinja_files=saves_files)
            opened = tokviz.open(folder)
            assert ours(opened) == theirs(judge)
            assert ours(opened, tools=TOOLS) == theirs(judge, tools=TOOLS)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "another name": lambda tok: tok.with_name("other"),
    "another split pattern": lambda tok: tok.with_split_pattern("gpt-4o"),
    "a further token": lambda tok: tok.with_special_tokens(["<pad>"]),
    "fewer tokens": lambda tok: tok.without([260]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_tokenizer_keeps_its_template(change: str, tmp_path: Path) -> None:
    opened = tokviz.open(folder_of(tmp_path, CASES["settings"]))
    changed = CHANGES[change](opened)
    assert tokviz.chat(CHAT, changed).prompt == "D<s>the cat</s>"
    assert pickle.loads(changed._pickled)[1]["chat_files"] == opened.chat_files
    assert not pickle.loads(CHANGES[change](TOKENIZER)._pickled)[1].get("chat_files")


def test_another_process_has_it(tmp_path: Path) -> None:
    pickled = pickle.dumps(tokviz.open(folder_of(tmp_path, CASES["settings"])))
    script = f"import pickle, tokviz; print(tokviz.chat({CHAT!r}, pickle.loads({pickled!r})).prompt)"
    assert output_of(script) == "D<s>the cat</s>\n"


def test_engines_keep_it_too(tmp_path: Path) -> None:
    pieces = tokviz.train_word_piece(["the cat in the hat"], vocab_size=60)
    model = tokviz.train_sentencepiece(["the cat in the hat"] * 9, vocab_size=12)
    for number, (tokenizer, name) in enumerate(((pieces, "tokenizer.json"), (model, "tokenizer.model"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        tokviz.save(tokenizer, folder / name)
        (folder / "chat_template.jinja").write_text("D{{ messages[0].content }}")
        opened = tokviz.open(folder)
        for each in (opened, opened.with_special_tokens(["<new>"]), opened.with_name("x")):
            assert tokviz.chat(CHAT, each).prompt == "Dthe cat"


@pytest.mark.filterwarnings("ignore:saved.model. characters newer")
def test_what_a_file_does_not_hold_is_said_and_brings_it_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path, CASES["further files"])
    opened = tokviz.open(folder)
    for name in ("tokenizer.json", "saved.tiktoken", "saved.model"):
        target = tmp_path / "saved" / name
        target.parent.mkdir(exist_ok=True)
        left_out = tokviz.save(opened, target)
        assert set(left_out["chat_files"]) == set(CASES["further files"])
        again = tokviz.open(target, **left_out)
        assert tokviz.chat(CHAT, again, tools=TOOLS).prompt == "T2"
        assert formats.read({name: target.read_bytes()}, **left_out).chat_files == opened.chat_files
        left_out["chat_files"] = {}
        assert ours(tokviz.open(target, **left_out)) is None
    assert main(["convert", str(folder), str(tmp_path / "saved" / "x.json")]) == 0
    assert "x.json does not hold the chat template\n" in capsys.readouterr().err
    without = tokviz.open(folder_of(tmp_path / "other", CASES["none"]))
    assert tokviz.save(without, tmp_path / "saved" / "y.json") == {}


def test_a_broken_template_does_not_keep_a_tokenizer_from_being_opened(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, {"tokenizer_config.json": '{"chat_template": '})
    opened = tokviz.open(folder)
    assert opened.encode("the cat") == TOKENIZER.encode("the cat")
    with pytest.raises(ValueError, match=r"tokenizer_config\.json"):
        tokviz.chat(CHAT, opened)


def test_the_command_finds_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(tmp_path, CASES["further files"] | {"tokenizer_config.json": TOKENS})
    messages = tmp_path / "messages.json"
    messages.write_text(json.dumps(CHAT))
    for template, prompt in (
        ([], "D<s>the cat</s>"),
        (["--template", "rag"], "R2"),
        (["--template", "chatml"], "<|im_"),
    ):
        assert main(["chat", "-m", str(folder), "-f", "prompt", *template, str(messages)]) == 0
        assert capsys.readouterr().out.startswith(prompt)


def test_a_model_of_the_hub_brings_it_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {name: text.encode() for name, text in CASES["further files"].items()}
    others = {"other/chat_template.jinja": b"no", f"{FURTHER}/more/x.jinja": b"no", f"{FURTHER}/x.py": b"no"}
    with running_hub({"owner/model": {**files, **others, "tokenizer.json": FILE}}) as server:
        template = constants.HUGGINGFACE_CO_URL_TEMPLATE.replace(constants.ENDPOINT, server.url)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "ENDPOINT", server.url)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
        loaded = tokviz.load("hf:owner/model")
        assert sorted(server.fetched) == sorted([*files, "tokenizer.json"])
        assert (hub.fetch("hf:owner/model") / "tokenizer.json").is_file()
    assert tokviz.chat(CHAT, loaded).prompt == "Dthe cat"
    assert tokviz.chat(CHAT, loaded, tools=TOOLS).prompt == "T2"
    assert tokviz.chat(CHAT, loaded, "rag").prompt == "R2"
