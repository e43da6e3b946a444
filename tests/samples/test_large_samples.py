"""The large samples are what this Python has, bounded in size."""

import pydoc_data.topics
import sysconfig
from pathlib import Path

import pytest

from tokviz.samples import large


def test_the_documentation_is_that_of_pydoc() -> None:
    (text,) = large.large_texts("python-docs")
    assert 200_000 < len(text) <= large.MAX_SIZE
    for topic in ("if", "lambda", "yield"):
        lines = pydoc_data.topics.topics[topic].strip().splitlines()
        assert lines[0] in text and "\n".join(lines[2:]) in text
        assert lines[1].strip("*=-") == ""  # underlines the heading, and is left out
    assert "\n****" not in text


def test_the_sources_are_whole_files_but_the_last() -> None:
    texts = large.large_texts("python-sources")
    assert sum(map(len, texts)) == large.MAX_SIZE
    files = {path.read_text("utf-8") for path in Path(sysconfig.get_path("stdlib")).glob("*.py")}
    assert set(texts[:-1]) <= files
    assert any(file.startswith(texts[-1]) for file in files)


def test_what_python_lacks_is_not_offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setitem(__import__("sys").modules, "pydoc_data.topics", None)
    read = large.large_texts.__wrapped__
    assert read("python-docs") == read("python-sources") == ()
    monkeypatch.setattr(large, "large_texts", read)
    assert large.large_samples.__wrapped__() == ()


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="python-docs, python-sources"):
        large.large_texts("python")
