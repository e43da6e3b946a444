"""Counting on a cluster of local processes against training in one: equal merges, seconds, and peak memory.

`python tests/benchmarks/scale.py --gigabytes 2` writes documents as JSON lines, made from the text files of this
machine: once as they are, then again with the letters of an eighth of the documents exchanged, so that new words keep
coming as they do in a larger corpus. It then trains on all of them in one process; counts them with `dask.distributed`,
where one worker is killed when a third of the tasks are done; and counts them in several processes without Dask. Each
takes a few minutes for a gigabyte. Ties go to the pair seen first, which depends on the order of all texts.

What a terabyte costs, from figures for 2 GB of November 2026 (two busy cores; the merges were equal in all ways): on
Dask, counting took 190 processor seconds a gigabyte, a killed worker's lost work included (131 in one process), so a
terabyte takes 53 processor hours: 50 minutes on 64 cores. From 0.1 to 2 GB, distinct pre-tokens grew with the size to
the power of 0.6, from 0.27 to 1.56 million, so a terabyte should have some 60 million. Learning 32k merges from 1.56
million took 17 s and 1.4 GB in all, so from 60 million some 11 minutes and 55 GB on one machine. A worker needed 0.8 GB
at most for its part, but the last one that adds up tables holds all of the result.

Where the time goes without Dask, in processor seconds for 100 MB (November 2026, a busy machine): 8.2 for counting in
one process; with two workers, 9.8 in both together, of which 0.8 are their start, and 0.5 in the process that reads the
texts, sends them and adds up the tables. So two cores that have nothing else to do take 0.62 of one core's time.
"""

import argparse
import hashlib
import json
import os
import random
import resource
import signal
import string
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import harness

_SUFFIXES = {".py", ".pyi", ".txt", ".md", ".rst", ".html", ".js", ".css", ".h", ".c", ".json", ".xml"}
_FILE_BYTES = 32_000_000
_DOCUMENT = 100_000  # code points
_VOCABULARY = 32_768
_PATTERN = "gpt2"


def local_documents() -> Iterator[str]:
    """Yield the text files of this machine, in parts."""
    paths = sysconfig.get_paths()
    for root in sorted({paths["stdlib"], paths["purelib"], "/usr/share", "/usr/include"}):
        for file in sorted(Path(root).rglob("*")):
            if file.suffix in _SUFFIXES and file.is_file():
                text = file.read_text("utf-8", "ignore")
                yield from (text[start : start + _DOCUMENT] for start in range(0, len(text), _DOCUMENT))


def documents() -> Iterator[str]:
    """Yield the local documents again and again, from the second time on with letters exchanged in every eighth."""
    for time_round in count():
        letters = string.ascii_lowercase
        exchanged = "".join(random.Random(time_round).sample(letters, len(letters)))
        table = str.maketrans(letters, exchanged)
        for number, text in enumerate(local_documents()):
            yield text.translate(table) if time_round and number % 8 == time_round % 8 else text


def write_corpus(folder: Path, size: int) -> list[str]:
    """Write documents of about `size` bytes, as files of JSON lines. Returns their paths in order."""
    paths: list[str] = []
    lines: list[str] = []
    held = 0
    for text in documents():
        lines.append(json.dumps(text, ensure_ascii=False) + "\n")
        held += len(lines[-1].encode())
        if held >= min(_FILE_BYTES, size):
            path = folder / f"{len(paths):05}.jsonl"
            path.write_text("".join(lines), "utf-8", newline="\n")
            paths.append(str(path))
            size -= held
            lines, held = [], 0
        if size <= 0:
            return paths
    raise AssertionError("there is no end of documents")


def read(paths: list[str]) -> Iterator[str]:
    """Yield the documents of files."""
    for path in paths:
        with Path(path).open(encoding="utf-8") as file:
            yield from map(json.loads, file)


def read_file(path: str) -> list[str]:
    """Return the documents of one file, on a worker."""
    return list(read([path]))


def digest(tokenizer: Any) -> str:
    """Return a hash of the merges, in order, and of their counts."""
    history = [list(tokenizer.merges.items()), tokenizer.training.counts.tolist()]
    return hashlib.sha256(json.dumps(history).encode()).hexdigest()[:16]


def learned(counts: Any) -> dict[str, Any]:
    """Learn from a table, and return what is compared and measured."""
    import tokviz

    started, cpu_before = time.perf_counter(), cpu_seconds()
    tokenizer = tokviz.train(counts, vocab_size=_VOCABULARY)
    figures = {"learning s": time.perf_counter() - started, "learning CPU s": cpu_seconds() - cpu_before}
    return figures | {"distinct": len(counts), "merges": digest(tokenizer)}


def cpu_seconds() -> float:
    """Return the processor seconds of this process so far, and of its children that have ended."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def in_processes(paths: list[str], workers: str) -> dict[str, Any]:
    """Count in this process, or in as many as there are workers, without Dask."""
    import tokviz

    started = time.perf_counter()
    counts = tokviz.count_pretokens(read(paths), _PATTERN, workers=int(workers))
    counting = time.perf_counter() - started
    return {"counting s": counting, "counting CPU s": cpu_seconds()} | learned(counts)


def unfinished(client: Any) -> int:
    """Return the number of tasks that the cluster has still to do; more than there are before it knows them."""
    states: Any = client.run_on_scheduler(lambda dask_scheduler: [t.state for t in dask_scheduler.tasks.values()])
    return sum(state not in ("memory", "released") for state in states) if states else sys.maxsize


def on_a_cluster(paths: list[str], workers: str) -> dict[str, Any]:
    """Count on a local cluster, and kill a worker on the way."""
    import dask.bag
    import distributed

    from tokviz.integrations.dask import count_pretokens

    untyped: Any = distributed
    settings: Any = {"n_workers": int(workers), "threads_per_worker": 1, "dashboard_address": None}
    with untyped.LocalCluster(**settings) as cluster, untyped.Client(cluster) as client:
        started = time.perf_counter()
        from_sequence: Any = dask.bag.from_sequence
        bag = from_sequence(paths, npartitions=len(paths)).map(read_file).flatten()
        counting = client.compute(count_pretokens(bag, _PATTERN))
        while unfinished(client) > len(paths) * 2 / 3:
            time.sleep(0.2)
        process = min(client.run(os.getpid).values())
        os.kill(process, signal.SIGKILL)
        print(f"killed worker process {process} after {time.perf_counter() - started:.0f} s", file=sys.stderr)
        counts = counting.result()
        seconds = time.perf_counter() - started
        peaks = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return {"counting s": seconds, "counting CPU s": cpu_seconds(), "worker MB": max(peaks.values())} | learned(counts)


def main(gigabytes: float, ways: list[tuple[str, str]]) -> None:
    """Run each way in a process of its own and print what it answers."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write_corpus(Path(folder), int(gigabytes * 1e9))
        Path(folder, "paths.json").write_text(json.dumps(paths))
        print(f"{sum(Path(path).stat().st_size for path in paths):,} bytes in {len(paths)} files", flush=True)
        merges = set()
        for way, processes in ways:
            answer, megabytes = harness.run_once(__file__, [way, folder, processes])
            print(f"{way} with {processes}: {json.dumps(answer | {'peak MB': megabytes})}", flush=True)
            merges.add(answer["merges"])
    print("the merges are equal" if len(merges) == 1 else "THE MERGES DIFFER")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", nargs="*", help="a way, a folder and a number of processes, to run just that")
    parser.add_argument("--gigabytes", type=float, default=2)
    parser.add_argument("--workers", default="2", help="processes that count")
    arguments = parser.parse_args()
    if arguments.job:
        way, folder, workers = arguments.job
        run = on_a_cluster if way == "dask" else in_processes
        print(json.dumps(run(json.loads(Path(folder, "paths.json").read_text()), workers)))
    else:
        workers = arguments.workers
        main(arguments.gigabytes, [("processes", "1"), ("dask", workers), ("processes", workers)])
