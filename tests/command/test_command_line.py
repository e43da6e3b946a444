"""Tests of the command line as a whole: help and its examples, exit codes, messages, completion, standard input."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from new_process import output_of

import tokviz
from tokviz import formats
from tokviz.command.main import build_parser, main

ROOT = Path(__file__).parent.parent.parent
COMMANDS = ("show", "count", "chat", "compare", "replay", "train", "check", "convert", "app")
Stdin = Callable[[bytes], None]


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Stdin:
    return lambda data: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the files that the examples of the help name."""
    (tmp_path / "docs" / "more").mkdir(parents=True)
    for name in ("README.md", "prompt.txt", "docs/one.md", "docs/more/two.md"):
        (tmp_path / name).write_text("The cat in the hat, it's 4567.\r\n" * 3, "utf-8", newline="")
    (tmp_path / "messages.json").write_text('[{"role": "user", "content": "Hi"}]')
    tokviz.save(tokviz.train("the cat in the hat", num_merges=5, split_pattern="gpt2"), tmp_path / "tokenizer.json")
    learned = tokviz.train((tmp_path / "README.md").read_bytes().decode(), num_merges=5, split_pattern="gpt2")
    (tmp_path / "my.model").write_bytes(formats.write(learned, "my.model").files["my.model"])
    (tmp_path / "merges.txt").write_text("t h\nth e\n")
    (tmp_path / "ids.json").write_text("[31373, 995]")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def help_of(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    assert stopped.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_in_the_help_run(command: str, folder: Path, stdin: Stdin, capsys: pytest.CaptureFixture[str]) -> None:
    lines = re.findall(r"^  ((?:[\w ]+ \| )?tokviz .*)$", help_of(command, capsys), re.M)
    assert lines
    for line in lines:
        parts = shlex.split(line.partition(" > ")[0])
        stdin(b"hello\n")
        argv = parts[parts.index("tokviz") + 1 :]
        if command == "app":
            build_parser().parse_known_args(argv)
        else:
            assert main(argv) == 0, line
            assert capsys.readouterr().out, line


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"tokviz {tokviz.__version__}\n"


@pytest.mark.parametrize(
    "argv",
    [[], ["nope"], ["show", "--nope", "-t", "x"], ["count", "--max", "-1"], ["convert", "gpt2", "a.json", "b.json"]],
)
def test_wrong_arguments_exit_with_2_and_a_sentence(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    assert stopped.value.code == 2
    assert "tokviz: error:" in capsys.readouterr().err or argv


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["show", "-m", "gtp2", "-t", "x"], "Did you mean 'gpt2'"),
        (["show", "-m", "gpt2,gpt-4o", "-t", "x"], "one tokenizer"),
        (["show", "-m", "gpt2,", "-t", "x"], "a name is missing"),
        (["show", "-m", "other/tokenizer.json", "-t", "x"], "there is no file other/tokenizer.json"),
        (["show", "-m", "my.tiktoken", "-t", "x"], "add --split gpt2"),
        (["show", "README.md", "-t", "x"], "not both"),
        (["show", "missing.txt"], "missing.txt: No such file"),
        (["show", "docs"], "docs is a folder"),
        (["show", "binary"], "not text in UTF-8: it holds the byte ff"),
        (["count", "*.nothing"], "no file matches *.nothing"),
        (["compare", "-m", "gpt2", "-t", "x"], "2 to 8 tokenizers"),
        (["train", "-n", "10", "-o", "x.json", "README.md"], "too small"),
        (["train", "-n", "300", "-o", "x.nothing", "README.md"], "no format"),
        (["train", "-n", "300", "-o", "x.json", "-", "-"], "standard input can be read only once"),
        (["convert", "gpt2", "x.nothing"], "no format"),
        (["convert", "gpt2", "missing/x.json"], "tokviz: missing: No such file"),
        (["convert", "gpt2", "docs/one.tiktoken"], "tokviz: docs/one.tiktoken: "),
        (["convert", "README.md", "x.json"], "not named like a tokenizer's file"),
    ],
)
def test_bad_input_is_refused_in_a_line(
    argv: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "binary").write_bytes(b"ab\xff\xfe")
    (folder / "docs/one.tiktoken").mkdir()
    tokviz.save(tokviz.open("tokenizer.json"), "my.tiktoken")
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert err.count("\n") == 1
    assert not out


def test_messages_draw_control_characters(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "\x1b[31m.txt"]) == 2
    assert capsys.readouterr().err.startswith("tokviz: [ESC][31m.txt: ")


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are Unicode there")
def test_names_that_are_no_utf8_reach_other_programs_as_they_are(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = os.fsdecode(b"n\xff.md")
    (folder / name).write_text("hi")
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    assert main(["count", "-f", "csv", "-m", "gpt2", name]) == 0
    assert written.getvalue() == b"file,bytes,gpt2\r\nn\xff.md,2,1\r\n"


def test_completion_scripts_know_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--print-completion", "bash"])
    script = capsys.readouterr().out
    assert all(command in script for command in COMMANDS)
    bash = shutil.which("bash")
    if bash:
        subprocess.run([bash, "-n"], input=script, text=True, check=True)


def test_the_command_imports_neither_the_app_nor_the_charts_library() -> None:
    unwanted = ("tokviz.app", "streamlit", "plotly", "pandas")
    script = f"import sys, tokviz.command.main; print([name for name in {unwanted} if name in sys.modules])"
    assert output_of(script).strip() == "[]"


def test_as_a_module_in_a_pipe() -> None:
    text = "I love 🍕\n".encode()
    done = subprocess.run(
        [sys.executable, "-m", "tokviz", "count", "-f", "json"], cwd=ROOT, input=text, capture_output=True, check=True
    )
    expected = len(tokviz.load("gpt-4o").encode(text.decode()))
    assert json.loads(done.stdout)["total"] == {"file": "total", "bytes": len(text), "tokens": {"gpt-4o": expected}}


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    script = "import sys; from tokviz.command.main import main; sys.exit(main(['show', '-m', 'gpt2', '-']))"
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write(b"a b c " * 100_000)
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
