"""Tokenizers of other libraries through tokviz, compared with the libraries themselves.

Until a tokenizer is ready (opened, and a first text encoded), each time in a new process, and the time that a text of
1, 10 and 100 KB takes while somebody types. `python tests/benchmarks/engines.py` prints both tables; `--rounds N` sets
the number of rounds (default 7).
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import harness
from encoding import time_in_turn

import tokviz
from tokviz.pretrained import open_models
from tokviz.tokenizers.engines.engine import EngineTokenizer

Encode = Callable[[str], object]

FILE = "tokenizer.json"
FIRST_TEXT = "The first text of a session: naïve cafés, 你好, 12345 and 🍕.\n" * 20
TYPED = ("qwen3", "mistral-7b", "bert-base-uncased")
SIZES = (1_000, 10_000, 100_000)


def ready(library: str, folder: str) -> None:
    """Print the seconds until Qwen3 is ready in this process. Importing the libraries is not part of it."""
    from tokenizers import Tokenizer

    _ = tokviz.open
    path = Path(folder) / FILE
    work: dict[str, Callable[[], object]] = {
        "tokenizers": lambda: Tokenizer.from_file(str(path)).encode(FIRST_TEXT).ids,
        "tokviz.open": lambda: tokviz.open(path).encode(FIRST_TEXT),
        "tokviz.load": lambda: tokviz.load("qwen3").encode(FIRST_TEXT),
    }
    print(json.dumps(harness.seconds(work[library])))


def ready_rows(rounds: int) -> list[list[str]]:
    names = ("tokenizers", "tokviz.open", "tokviz.load")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / FILE).write_bytes(open_models.read("qwen3"))
        figures = harness.run_in_turn(__file__, [["ready", name, folder] for name in names], rounds)
        of_name = {name: figures["ready", name, folder] for name in names}
    rows = []
    for name, found in of_name.items():
        figure = harness.median(found)
        ratio = harness.ratio(found, of_name["tokenizers"])
        rows.append([name, f"{figure.seconds:.2f}", f"{ratio:.2f}", f"{figure.megabytes:.0f}"])
    return rows


def own_library(name: str) -> Encode:
    """Return the library's own encoding of a shipped tokenizer, without special tokens put around a text."""
    from sentencepiece import SentencePieceProcessor
    from tokenizers import Tokenizer

    tok = tokviz.load(name)
    assert isinstance(tok, EngineTokenizer)
    data = tok.data
    if open_models.OPEN_MODELS[name].file.endswith(".model"):
        return partial(SentencePieceProcessor(model_proto=data).encode)
    engine = Tokenizer.from_buffer(data)
    return lambda text: engine.encode(text, add_special_tokens=False).ids


def typing_rows(rounds: int) -> list[list[str]]:
    rows = []
    for name in TYPED:
        ours, theirs = tokviz.load(name), own_library(name)
        for size in SIZES:
            text = harness.corpus(size)
            work: dict[str, Callable[[], object]] = {"theirs": partial(theirs, text), "ids": partial(ours.encode, text)}
            taken = time_in_turn({**work, "columns": partial(ours.tokenize, text)}, rounds)
            ratio = statistics.median(a / b for a, b in zip(taken["ids"], taken["theirs"], strict=True))
            times = [f"{statistics.median(taken[each]) * 1000:.1f}" for each in ("theirs", "ids", "columns")]
            rows.append([name, f"{size // 1000} KB", *times, f"{ratio:.2f}"])
    return rows


def main(rounds: int) -> None:
    heads = ["Qwen3 ready by", "s", "of the library's", "MB"]
    print(*harness.table(heads, ready_rows(rounds)), sep="\n")
    print()
    heads = ["tokenizer", "text", "library, ms", "tokviz encode, ms", "tokviz tokenize, ms", "encode, of the library's"]
    print(*harness.table(heads, typing_rows(rounds)), sep="\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["ready"]:
        ready(*sys.argv[2:])
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("--rounds", type=int, default=7)
        main(parser.parse_args().rounds)
