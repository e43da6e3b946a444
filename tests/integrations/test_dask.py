"""Counting with Dask equals counting here: in threads, and in processes of which one is lost."""

from __future__ import annotations

import argparse
import inspect
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import dask.bag
import dask.dataframe
import pandas
import pytest
import reference

import tokviz
from tokviz.integrations import dask as on_dask

ROOT = Path(__file__).parents[2]
from_sequence: Any = dask.bag.from_sequence  # not annotated, nor is the next
from_pandas: Any = dask.dataframe.from_pandas


def count_pretokens(texts: Any, *settings: Any) -> Any:
    return on_dask.count_pretokens(texts, *settings)


LINES = Path(argparse.__file__).read_text(encoding="utf-8").splitlines(keepends=True)[:300]


@pytest.mark.parametrize("partitions", [1, 2, 7, 9, 70])
@pytest.mark.parametrize("settings", [(), ("gpt2",), (r"\w+", ["self", "def"])], ids=repr)
def test_a_bag(partitions: int, settings: tuple[Any, ...]) -> None:
    """Also with more tables than one task adds up, and in the order of the partitions."""
    bag = from_sequence(LINES, npartitions=partitions)
    counted = count_pretokens(bag, *settings).compute(scheduler="threads")
    expected = tokviz.count_pretokens(LINES, *settings)
    assert counted == expected
    assert list(counted.counts) == list(expected.counts)


def test_training_on_a_bag_equals_the_reference() -> None:
    """The default tie rule depends on the order of the texts."""
    bag = from_sequence(LINES, npartitions=12).map(str.lower)
    tok = tokviz.train(count_pretokens(bag, "gpt2").compute(scheduler="sync"), num_merges=60)
    pattern = reference.pattern_text("gpt2")
    expected = reference.train([line.lower() for line in LINES], split_pattern=pattern, num_merges=60)
    assert list(tok.merges.items()) == list(expected.merges.items())


FRAME = from_pandas(pandas.DataFrame({"text": LINES, "number": range(len(LINES))}), npartitions=9)


def test_a_column_of_a_data_frame() -> None:
    counted = count_pretokens(FRAME["text"], "gpt2").compute(scheduler="threads")
    expected = tokviz.count_pretokens(LINES, "gpt2")
    assert list(counted.counts.items()) == list(expected.counts.items())


@pytest.mark.parametrize("wrong", [["ab"], "ab", FRAME, FRAME[["text"]]], ids=lambda wrong: type(wrong).__name__)
def test_anything_but_texts_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^texts must be a Dask Bag, or one column of a Dask DataFrame"):
        count_pretokens(wrong)


def test_what_is_no_text_is_refused() -> None:
    missing = from_pandas(pandas.DataFrame({"text": ["ab", None]}), npartitions=1)["text"]
    for texts in (from_sequence(["ab", None], npartitions=1), missing, FRAME["number"]):
        with pytest.raises(TypeError, match=r"^a text must be a str, not "):
            count_pretokens(texts).compute(scheduler="sync")


ON_A_CLUSTER = """
import os, signal, sys, time
import dask.bag, tokviz
from dask.distributed import Client, LocalCluster
from tokviz.integrations.dask import count_pretokens

def slowly(line):
    sum(range(20_000))
    return line

def main():
    lines = open(sys.argv[1], encoding="utf-8").read().splitlines(keepends=True)
    bag = dask.bag.from_sequence(lines, npartitions=40).map(slowly)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        counting = client.compute(count_pretokens(bag, "gpt2"))
        while not any(client.has_what().values()):
            time.sleep(0.01)
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
        counted = counting.result()
    expected = tokviz.count_pretokens(lines, "gpt2")
    assert list(counted.counts.items()) == list(expected.counts.items())
    print("equal")

if __name__ == "__main__":
    main()
"""


def test_a_worker_lost_on_a_cluster_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(ON_A_CLUSTER)
    command = [sys.executable, "script.py", str(ROOT / "tests" / "reference.py")]
    environment = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr


def test_without_dask_the_message_says_what_to_install() -> None:
    script = "import sys; sys.modules['dask.delayed'] = None; import tokviz.integrations.dask"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith("this needs Dask: pip install 'dask[distributed]'")


class Rdd:
    """A stand-in for Spark's RDD, for the recipe. Groups and their members come shuffled, as they may in Spark."""

    def __init__(self, partitions: list[list[Any]]) -> None:
        self.partitions = partitions

    def mapPartitionsWithIndex(self, function: Any) -> Rdd:
        return Rdd([list(function(number, iter(part))) for number, part in enumerate(self.partitions)])

    def map(self, function: Any) -> Rdd:
        return Rdd([list(map(function, part)) for part in self.partitions])

    def groupByKey(self) -> Rdd:
        groups: dict[Any, list[Any]] = {}
        for key, value in reversed(self.collect()):
            groups.setdefault(key, []).append(value)
        return Rdd([list(groups.items())])

    def mapValues(self, function: Any) -> Rdd:
        return self.map(lambda pair: (pair[0], function(pair[1])))

    def collect(self) -> list[Any]:
        return [item for part in self.partitions for item in part]


def test_the_recipe_for_spark() -> None:
    """The lines of the documentation, as they are, on more partitions than make one group."""
    recipe = inspect.cleandoc(str(on_dask.__doc__)).rpartition("seen first:\n")[2]
    names: dict[str, Any] = {"tokviz": tokviz, "texts": Rdd([LINES[start : start + 4] for start in range(0, 300, 4)])}
    exec(textwrap.dedent(recipe), names)
    expected = tokviz.count_pretokens(LINES, "cl100k")
    assert list(names["counts"].counts.items()) == list(expected.counts.items())
