"""Tests of the README's tables of tasks: every line in them runs."""

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

import tokviz
from tokviz.command.main import main

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
TEXT = "It's 4567 naïve cats. " * 3
SKIPPED = (
    "hf:",
    "integrations.dask",
    "workers=",
    "tokviz app",
    "--print-completion",
    "figures",
    "lattice",
    "longest_matches",
    "train_sentencepiece",
    "train_word_piece",
)
"""Lines that need a network, other processes, a server or another program. They are tested where they are defined."""


def lines(heading: str) -> list[str]:
    """Return the code in the second column of the table under a heading."""
    section = README.partition(f"{heading}\n")[2].partition("\n##")[0]
    cells = [row.split(" | ", 1)[1] for row in section.splitlines() if row.startswith("| ") and "---" not in row]
    return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell) if "tok" in code]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "docs" / "more").mkdir(parents=True)
    for name in ("README.md", "book.txt", "data.txt", "corpus.txt", "docs/more/a.md"):
        (tmp_path / name).write_text(TEXT, "utf-8")
    (tmp_path / "merges.txt").write_text("I t\nIt '\n")
    (tmp_path / "messages.json").write_text('[{"role": "user", "content": "Hi"}]')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hello")))
    return tmp_path


def test_lines_of_the_task_table_run(folder: Path) -> None:
    tok = tokviz.train(TEXT, num_merges=20, split_pattern="gpt2")
    names = {
        "tokviz": tokviz,
        "Path": Path,
        "tok": tok,
        "text": TEXT,
        "prefix": TEXT[:12],
        "messages": [{"role": "user", "content": TEXT}],
        "texts": [TEXT],
        "file": io.StringIO(TEXT),
        "ids": [tok.vocab_size - 1],
        "merges": tokviz.train(TEXT, num_merges=3, split_pattern="gpt2"),
        "counts": tokviz.count_pretokens(TEXT, "gpt-4o"),
        **dict.fromkeys(("one", "other"), tok),
        "rows": tokviz.measure({"en": TEXT, "de": TEXT}, ["gpt2"], reference="en"),
    }
    checked = 0
    for line in lines("## tokviz for ..."):
        if any(each in line for each in SKIPPED) or line in ("help()", "tok", "texts"):
            continue
        if line.startswith("tokviz "):
            assert main(shlex.split(line)[1:]) == 0, line
        elif line.startswith(("tok.", "tokviz.", "for ")):
            texts = "measure" in line
            code = f"{line}: pass" if line.startswith("for ") else line
            exec(code, names | ({"one": TEXT, "other": TEXT} if texts else {}))
        checked += 1
    assert checked > 20
