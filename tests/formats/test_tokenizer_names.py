"""Names of tokenizers from files: the nearest part of the path that says something."""

from pathlib import Path

import pytest

import tokviz
from tokviz.formats.tokenizer_names import title, titles


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/files/models/llama3.json", "llama3"),
        ("/data/cats/models/tokenizer.json", "cats"),
        ("/data/cats/Models/tokenizer/tokenizer.model.v3", "cats"),
        ("/data/llama3/original/tokenizer.model", "llama3"),
        ("/models/tokenizer.json", "tokenizer"),
        ("/hub/models--Qwen--Qwen3-8B/snapshots/b968826/tokenizer.json", "Qwen/Qwen3-8B"),
        ("/hub/models--meta--Llama/snapshots/b968826/original/tokenizer.model", "meta/Llama"),
    ],
)
def test_the_nearest_part_that_says_something(path: str, name: str) -> None:
    assert title(Path(path)) == name


def test_names_shown_together_are_told_apart() -> None:
    same = ["/a/models/tokenizer.json", "/a/models/tokenizer.model", "/b/x/one.json", "/b/y/one.json", "/c/two.json"]
    paths = [Path(path) for path in same]
    assert titles(paths) == ["tokenizer.json", "tokenizer.model", "x/one.json", "y/one.json", "two"]
    assert titles(paths[-1:], ["two"]) == ["two.json"]
    assert titles([]) == []


def test_opened_files_and_folders_are_named_alike(tmp_path: Path) -> None:
    for name in ("cats", "dogs"):
        folder = tmp_path / name / "models"
        folder.mkdir(parents=True)
        tokviz.save(tokviz.train("a cat a cat", num_merges=2), folder / "tokenizer.json")
        assert tokviz.open(folder).name == tokviz.open(folder / "tokenizer.json").name == name
