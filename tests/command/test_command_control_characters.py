"""What reaches a terminal holds no control character of what is not ours: texts, names, messages, keys, tokens."""

import io
import json
import re
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

from tokviz.command import terminal
from tokviz.command.main import main

OURS = re.compile(r"\x1b\[(0|30;10[2356]|38;2;[\d;]+)m|\r\x1b\[K")
"""Our colors, and what rewrites the line of a training's progress; no word here spells that."""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""C0 and C1, but for tabs and line ends."""

HOSTILE = "\x1b[2J\x1b]0;title\x07\x9b31m\x85\x7f\rx"
CHARACTERS = "a\x1b\x07\x9b\x85\x7f\r\x08\n\t[31m;"


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen(*argv: str) -> str:
    """Return what a subcommand writes to a terminal, without our colors."""
    written = Screen()
    with pytest.MonkeyPatch.context() as patch, suppress(SystemExit):
        patch.setattr("sys.stdout", written)
        patch.setattr("sys.stderr", written)
        main(argv)
    return OURS.sub("", written.getvalue())


def tokenizer_in(path: Path, word: str) -> str:
    """Write a tokenizer whose special and added tokens and vocabulary hold a word."""
    vocab = {"<unk>": 0, "a": 1, word: 2, "aa": 3}
    made = Tokenizer(models.BPE(vocab, [("a", "a")], unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.Split(word, "isolated")
    made.add_special_tokens([AddedToken(f"<{word}>"), AddedToken(f"[{word}]")])
    made.add_tokens([f"b{word}"])
    path.parent.mkdir(exist_ok=True)
    made.save(str(path))
    return str(path)


def commands(word: str, file: str, chat: str) -> list[tuple[str, ...]]:
    """Return lines for each subcommand, with a word in every argument, and a tokenizer's and a chat's file."""
    texts = ("-t", f"a {word}<{word}>b{word} aa")
    return [
        *(("show", *texts, "-m", name, "--color", color) for name in (file, "gpt2") for color in ("always", "never")),
        *(("show", *texts, "-m", file, "-f", form, "--special") for form in ("ids", "json", "csv", "html")),
        ("show", *texts, "-m", word),
        ("show", word),
        ("show", *texts, f"--{word}"),
        ("show", *texts, "-f", word),
        ("show", *texts, "--add-special", "-m", f"hf:{word}/x"),
        *(
            ("compare", *texts, "-m", f"gpt2,{file}", "-f", form, "--special")
            for form in ("text", "json", "html", "svg")
        ),
        ("compare", *texts, "-m", f"gpt2,{word}"),
        ("compare", *texts, "--most", word),
        *(("count", file, word, "-m", f"gpt2,{file}", "-f", form, "--max", "1") for form in ("table", "json", "csv")),
        ("count", f"{word}*"),
        *(("replay", *texts, "-m", name, "--special", "--color", "always") for name in (file, "gpt2")),
        ("replay", word),
        ("train", *texts, "-n", "300", "-o", f"{word}.json", "--special", f"<{word}>"),
        ("train", *texts, "-n", "300", "-o", f"{word}.tiktoken", "--split", "words", "--special", f"<{word}>"),
        ("train", *texts, "-n", "300", "-o", "x.json", "--split", f"({word}"),
        ("check", file, *texts),
        ("check", word, *texts),
        ("check", chat, *texts, "-m", "gpt2"),
        ("convert", file, f"{word}.json"),
        ("convert", file, f"{word}.tiktoken"),
        ("convert", word, "x.json"),
        *(("chat", chat, "-m", "qwen3", "-f", form) for form in ("text", "prompt", "ids", "json")),
        ("chat", chat, "-m", "qwen3", "--template", word),
        ("chat", chat, "-m", "qwen3", "--set", f"{word}=1"),
        ("chat", chat, "-m", "qwen3", "--set", f'tools="{word}"'),
        ("chat", chat, "-m", file),
        ("chat", word),
        (word,),
        (f"--{word}",),
    ]


def chat_in(path: Path, word: str) -> str:
    call = {"type": "function", "function": {"name": word, "arguments": {word: word}}}
    messages = [
        {"role": "system", "content": word, word: word},
        {"role": word, "content": f"<|im_end|>{word}"},
        {"role": "user", "content": [{"type": "text", "text": word}]},
        {"role": "assistant", "content": word, "tool_calls": [call], f"a{word}": {word: [word]}},
        {"role": "user", "content": word},
    ]
    path.write_text(json.dumps({"messages": messages, "tools": [{"name": word}]}))
    return str(path)


def test_subcommands_print_in_one_place_only() -> None:
    modules = Path(terminal.__file__).parent.glob("*.py")
    assert [path.name for path in modules if re.search(r"\bprint\(|stdout\.write", path.read_text("utf-8"))] == [
        "terminal.py"
    ]


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")


def test_every_subcommand_is_tried() -> None:
    modules = Path(terminal.__file__).parent.glob("*.py")
    subcommands = {module.stem for module in modules if "def add_to(" in module.read_text("utf-8")}
    assert {argv[0] for argv in commands("x", "x", "x")} >= subcommands - {"app"}


@pytest.mark.parametrize("is_folder", [False, True], ids=["file", "folder"])
def test_no_control_character_of_others_reaches_the_terminal(tmp_path: Path, is_folder: bool) -> None:
    folder = tmp_path / f"folder{HOSTILE}"
    file = tokenizer_in(folder / "tokenizer.json", HOSTILE)
    chat = chat_in(tmp_path / f"chat{HOSTILE}.json", HOSTILE)
    for argv in commands(HOSTILE, str(folder) if is_folder else file, chat):
        written = screen(*argv)
        assert CONTROL.findall(written) == [], argv
        assert written


@pytest.mark.parametrize("seed", [1, 2])
def test_nor_does_any_of_a_random_word(tmp_path: Path, seed: int) -> None:
    word = "".join(Random(seed).choices(CHARACTERS, k=12))
    file = tokenizer_in(tmp_path / f"{word}.json", word)
    chat = chat_in(tmp_path / f"{word}chat.json", word)
    for argv in commands(word, file, chat):
        assert CONTROL.findall(screen(*argv)) == [], argv


@given(
    texts=st.lists(st.sampled_from([*terminal._TRUE, *terminal._SIXTEEN, "\x1b[0m", "\x1b", "[31m", "\n", "\t", "é"]))
)
def test_what_is_said_has_our_own_colors_and_no_others(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", Screen())
        terminal.say("".join(texts))
        said = terminal.sys.stdout.getvalue()  # type: ignore[attr-defined]
    assert CONTROL.findall(OURS.sub("", said)) == []
    assert said.replace("[ESC]", "\x1b").replace("[HT]", "\t") == "".join(texts) + "\n"
