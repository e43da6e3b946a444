"""Training on counts equals training on the texts, however they were counted: in parts, in processes, from a file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from strategies import SPECIALS, corpora, examples, texts_of_words

import tokviz

ROOT = Path(__file__).parents[2]
TIES = ["first-seen", "lowest-ids", "greatest-bytes"]


def counted_in_parts(texts: list[str], cuts: list[int], *settings: Any) -> tokviz.PretokenCounts:
    """Count consecutive parts of the texts and add up the tables, the last two first."""
    places = [0, *sorted(min(cut, len(texts)) for cut in cuts), len(texts)]
    parts = [texts[start:end] for start, end in zip(places, places[1:], strict=False)]
    total = tokviz.count_pretokens(parts.pop(), *settings)
    while parts:
        total = tokviz.count_pretokens(parts.pop(), *settings) + total
    return total


@pytest.mark.parametrize("split", [None, "gpt2", "words", r"(a)b|\d"])
@pytest.mark.parametrize("alphabet", ["bytes", "characters"])
def test_training_on_counts_equals_the_reference(alphabet: str, split: str | None) -> None:
    pattern = reference.pattern_text(split)

    @examples(20, alphabet, split)
    @given(corpora(texts_of_words()), st.lists(st.integers(0, 3), max_size=3), st.sampled_from([(), SPECIALS]))
    def check(texts: list[str], cuts: list[int], specials: tuple[str, ...]) -> None:
        table = counted_in_parts(texts, cuts, split, specials)
        for tie_break in TIES:
            options: dict[str, Any] = {"tie_break": tie_break, "alphabet": alphabet, "num_merges": 12}
            options["end_of_word"] = "_" if alphabet == "characters" and specials else None
            expected = reference.train(texts, split_pattern=pattern, special_tokens=specials, **options)
            tok = tokviz.train(table, **options)
            assert list(tok.merges.items()) == list(expected.merges.items())
            assert dict(tok.vocab) == expected.vocab
            assert tok.training is not None
            history = [(step.count, step.merged, step.tied) for step in tok.training]
            assert history == [(step.count, step.merged, step.tied) for step in expected.history]
            assert (tok.split_pattern, dict(tok.special_tokens)) == (pattern, expected.specials)

    check()


def test_the_first_table_comes_first() -> None:
    """Two pairs, equally often: the one that occurs first in the sum is merged first."""
    one, other = tokviz.count_pretokens(["ab"] * 2), tokviz.count_pretokens(["cd"] * 2)
    assert list(tokviz.train(one + other, num_merges=1).merges) == [(97, 98)]
    assert list(tokviz.train(other + one, num_merges=1).merges) == [(99, 100)]
    assert list(tokviz.PretokenCounts.merged([other, one, other]).counts.items()) == [("cd", 4), ("ab", 2)]
    assert (one.counts, other.counts) == ({"ab": 2}, {"cd": 2})


def test_tables_of_texts_that_were_cut_differently() -> None:
    one = tokviz.count_pretokens("ab", "gpt2")
    for other in (tokviz.count_pretokens("ab"), tokviz.count_pretokens("ab", "gpt2", ["<s>"])):
        with pytest.raises(ValueError, match="can't be added up: their texts were cut differently"):
            one + other
    with pytest.raises(TypeError):
        one + {"ab": 1}  # type: ignore[operator]


@pytest.mark.parametrize("option", [{"split_pattern": "words"}, {"special_tokens": ["<t>"]}])
def test_counts_know_how_their_texts_were_cut(option: dict[str, Any]) -> None:
    table = tokviz.count_pretokens("ab ab<s>", "gpt2", ["<s>"])
    assert tokviz.train(table, split_pattern="gpt2", special_tokens=["<s>"]).special_tokens == {"<s>": 257}
    with pytest.raises(ValueError, match=f"^{next(iter(option))} is part of the counts"):
        tokviz.train(table, **option)


def test_nothing_counted() -> None:
    table = tokviz.count_pretokens([], "gpt2")
    assert len(table) == 0
    with pytest.raises(ValueError, match="nothing to learn from"):
        tokviz.train(table)


def test_too_much_counted() -> None:
    half = tokviz.count_pretokens({"abc": 2**59})
    assert tokviz.train(half, num_merges=1).training
    with pytest.raises(ValueError, match="too long together"):
        tokviz.train(half + half + half, num_merges=1)


def test_progress_of_counting() -> None:
    calls: list[Any] = []
    tokviz.count_pretokens(["ab", "abc"], progress=lambda done, total: calls.append((done, total)))
    assert calls == [(0, 5), (2, 5), (5, 5)]
    calls = []
    tokviz.count_pretokens(["ab"], progress=lambda phase, done, total: calls.append((phase, done, total)))
    assert calls == [("cutting", 0, 2), ("cutting", 2, 2)]


@pytest.mark.parametrize(("wrong", "error"), [(0, ValueError), (-1, ValueError), (1.5, TypeError), (True, TypeError)])
def test_invalid_workers(wrong: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"^workers must be"):
        tokviz.count_pretokens("ab", workers=wrong)


# ---------------------------------------------------------------- processes

IN_PROCESSES = """
import sys, tokviz
from pathlib import Path

def main():
    from tokviz.tokenizers import pretoken_counts  # not in the other processes, which import this script
    pretoken_counts._BATCH = 2_000  # so that both processes have many tasks
    text = Path(sys.argv[1]).read_text("utf-8")
    calls = []
    report = lambda phase, done, total: calls.append((done, total))
    for texts, pattern, specials in [
        (text.splitlines(keepends=True), "gpt2", ["self"]),
        (dict.fromkeys(text.split(), 3), r"\\w+", []),
    ]:
        here = tokviz.count_pretokens(texts, pattern, specials)
        there = tokviz.count_pretokens(texts, pattern, specials, workers=2, progress=report)
        assert list(there.counts.items()) == list(here.counts.items())
        assert len(calls) > 3 and calls[-1][0] == calls[-1][1]
        calls.clear()
    print("equal")
"""


def run(tmp_path: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script of its own, as multiprocessing imports the main module, which other tests replace."""
    (tmp_path / "script.py").write_text(script)
    command = [sys.executable, "script.py", str(ROOT / "tests" / "reference.py")]
    environment = {"PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)


def test_counting_in_processes(tmp_path: Path) -> None:
    done = run(tmp_path, IN_PROCESSES + "if __name__ == '__main__':\n    main()\n")
    assert done.stdout == "equal\n", done.stderr


def test_processes_that_end_are_reported(tmp_path: Path) -> None:
    done = run(tmp_path, "import tokviz\ntokviz.count_pretokens(['ab'], workers=2)\n")
    assert 'outside of `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]


# ---------------------------------------------------------------- files


@examples(20)
@given(corpora(), st.sampled_from([None, "gpt2", r"\w+"]), st.sampled_from([(), SPECIALS]))
def test_a_saved_table_is_opened_as_it_was(texts: list[str], split: str | None, specials: tuple[str, ...]) -> None:
    path = Path("counts.jsonl")
    table = tokviz.count_pretokens(texts, split, specials)
    table.save(path)
    opened = tokviz.open_counts(path)
    assert opened == table
    assert list(opened.counts.items()) == list(table.counts.items())


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


HEADER = {"format": "tokviz pre-token counts", "version": 1, "split_pattern": None, "special_tokens": [], "entries": 1}
BAD_FILES = {
    "empty": ("", "line 1: this is not a line of JSON"),
    "another format": ('{"format": "x"}', "is not a file of pre-token counts"),
    "a list": ("[]", "is not a file of pre-token counts"),
    "a later version": (json.dumps(HEADER | {"version": 2}), "another version"),
    "no pattern": (json.dumps(HEADER | {"split_pattern": 5}), "line 1: the split pattern"),
    "no number of entries": (json.dumps(HEADER | {"entries": True}), "line 1: .* number of entries"),
    "special tokens": (json.dumps(HEADER | {"special_tokens": [5]}), "line 1: a special token must be a str"),
    "cut off": (json.dumps(HEADER), "should hold 1 entries, but has 0"),
    "too many": (json.dumps(HEADER) + '\n["a", 1]\n["b", 1]', "should hold 1 entries, but has 2"),
    "cut off in a line": (json.dumps(HEADER) + '\n["a', "line 2: this is not a line of JSON"),
    "no Unicode": (json.dumps(HEADER) + '\n["\\ud800", 1]', "line 2: .* is no Unicode text"),
    "twice": (json.dumps(HEADER) + '\n["a", 1]\n["a", 1]', "line 3: 'a' is there twice"),
    "nested": (json.dumps(HEADER) + "\n" + "[" * 100_000, "line 2: this is not a line of JSON"),
    "many digits": (json.dumps(HEADER) + '\n["a", ' + "9" * 10_000 + "]", "line 2: this is not a line of JSON"),
    **{
        f"entry {entry}": (f"{json.dumps(HEADER)}\n{entry}", "line 2: this should be a pre-token and its count")
        for entry in [
            '["a", 0]',
            '["a", 1.5]',
            '["a", true]',
            '["", 1]',
            "[1, 1]",
            '["a"]',
            '["a", 4611686018427387905]',
        ]
    },
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_files_that_are_not_as_they_should_be(case: str) -> None:
    content, message = BAD_FILES[case]
    Path("bad.jsonl").write_text(content)
    with pytest.raises(ValueError, match=f"^bad.jsonl.*{message}"):
        tokviz.open_counts("bad.jsonl")


def test_a_file_that_is_too_large_is_not_read() -> None:
    tokviz.count_pretokens("ab").save("counts.jsonl")
    size = Path("counts.jsonl").stat().st_size
    assert len(tokviz.open_counts("counts.jsonl", max_bytes=size)) == 1
    with pytest.raises(ValueError, match="more than max_bytes allows"):
        tokviz.open_counts("counts.jsonl", max_bytes=size - 1)
