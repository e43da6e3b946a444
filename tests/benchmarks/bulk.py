"""Encoding, counting and training in bulk beside the fastest libraries, in turn: MB a second, seconds, peak memory.

After `pip install '.[test]' quicktok-v1 toktok-rs gigabpe`, `python tests/benchmarks/bulk.py` prints three tables in
some five minutes; libraries that are not installed are left out. The texts are this machine's text files, in documents
of 20,000 code points. Each peer has its best form: a list of texts, and ids in arrays or only their number. Where a
peer finds another number of tokens than tokviz, its figure has a star. `--cores 1 2`, `--rounds 2` and
`--megabytes 100` are the defaults; tiktoken and Hugging Face's library only encode, a twentieth of the texts.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import harness
import scale
import training

_DOCUMENT = 20_000  # code points
_NAMES = ("gpt2", "cl100k_base", "o200k_base", "qwen3")
_QUICKTOK = {"cl100k_base": "cl100k_base", "o200k_base": "o200k_base", "qwen3": "qwen3"}

Count = Callable[[Sequence[str]], int]


class Peer(NamedTuple):
    """A library: the module that it needs, the tokenizers it has, and whether it gets a twentieth of the texts.

    `encoder` and `counter` load a tokenizer and return what encodes or counts texts, and returns the number of tokens.
    """

    module: str
    names: Sequence[str]
    encoder: Callable[[str], Count] | None
    counter: Callable[[str], Count] | None
    is_slow: bool = False


def tokviz_encoder(name: str) -> Count:
    import tokviz

    tok = tokviz.load(name)
    return lambda texts: len(tok.encode_batch(texts).ids)


def tokviz_counter(name: str) -> Count:
    import tokviz

    return lambda texts: tokviz.count(texts, name)


def gigatoken_encoder(name: str) -> Count:
    import gigatoken
    import numpy as np

    import tokviz

    definition: Any = tokviz.load(name)._bulk_definition()
    if definition.kind == "json":
        encoder = gigatoken.Tokenizer.from_json(definition.data)
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "ranks.tiktoken")
            path.write_bytes(definition.data)
            encoder = gigatoken.Tokenizer.from_tiktoken(path, definition.scheme, {})
    return lambda texts: len(np.asarray(encoder.encode_batch(list(texts)).layout.content.data))


def quicktok_encoder(name: str) -> Count:
    import quicktok

    encoding = quicktok.get_encoding(_QUICKTOK[name])
    threads = len(os.sched_getaffinity(0))
    return lambda texts: len(encoding.encode_batch(list(texts), threads, False)[0])


def toktok_counter(name: str) -> Count:
    import toktok

    threads = len(os.sched_getaffinity(0))
    return lambda texts: sum(toktok.batch_count(texts, name, threads))


def tiktoken_encoder(name: str) -> Count:
    import encoding

    theirs = encoding.tiktoken_encoding(name)
    threads = len(os.sched_getaffinity(0))
    return lambda texts: sum(map(len, theirs.encode_ordinary_batch(list(texts), num_threads=threads)))


def tokenizers_encoder(name: str) -> Count:
    from tokenizers import Tokenizer

    import tokviz

    tok: Any = tokviz.load(name)
    library = Tokenizer.from_buffer(tok.data)
    library.encode_special_tokens = True
    return lambda texts: sum(len(each.ids) for each in library.encode_batch_fast(list(texts), add_special_tokens=False))


PEERS = {
    "tokviz": Peer("tokviz", _NAMES, tokviz_encoder, tokviz_counter),
    "gigatoken": Peer("gigatoken", _NAMES, gigatoken_encoder, gigatoken_encoder),
    "quicktok": Peer("quicktok", tuple(_QUICKTOK), quicktok_encoder, quicktok_encoder),
    "toktok": Peer("toktok", ("cl100k_base", "o200k_base"), None, toktok_counter),
    "tiktoken": Peer("tiktoken", _NAMES[:3], tiktoken_encoder, None, True),
    "tokenizers": Peer("tokenizers", ("qwen3",), tokenizers_encoder, None, True),
}


def write_texts(path: Path, megabytes: int) -> None:
    """Write documents of about so many megabytes, one after the other."""
    left = megabytes * 1_000_000
    with path.open("w", encoding="utf-8", newline="") as file:
        for text in scale.documents():
            file.write(text)
            left -= len(text.encode())
            if left <= 0:
                return


def one_job(kind: str, peer: str, name: str, cores: int, path: str) -> None:
    """Encode or count once in this process, and print the seconds, the bytes and the number of tokens."""
    use_cores(cores)
    text = Path(path).read_text("utf-8")
    texts = [text[start : start + _DOCUMENT] for start in range(0, len(text), _DOCUMENT)]
    if PEERS[peer].is_slow:
        texts = texts[: len(texts) // 20]
    load = PEERS[peer].encoder if kind == "encode" else PEERS[peer].counter
    assert load
    work = load(name)
    work(["warm up "] * 130_000)  # loads a library that is loaded for long texts only
    tokens: list[int] = []
    seconds = harness.seconds(lambda: tokens.append(work(texts)))
    print(json.dumps([seconds, sum(len(text.encode()) for text in texts), tokens[0]]))


def use_cores(cores: int) -> None:
    """Let this process use so many processor cores, and libraries as many threads."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    os.environ |= {"RAYON_NUM_THREADS": str(cores), "TOKENIZERS_PARALLELISM": str(cores > 1).lower()}
    os.cpu_count = lambda: cores


def speed_rows(kind: str, cores: Sequence[int], rounds: int, path: str) -> list[list[str]]:
    """Measure all peers in turn, and return a row for each tokenizer and number of cores."""
    peers = [name for name, peer in PEERS.items() if (peer.encoder if kind == "encode" else peer.counter)]
    rows = []
    for name in _NAMES:
        able = [peer for peer in peers if name in PEERS[peer].names and find_spec(PEERS[peer].module)]
        for number in cores:
            figures: dict[str, list[tuple[list[float], float]]] = {peer: [] for peer in able}
            for _ in range(rounds):
                for peer in able:
                    figures[peer].append(harness.run_once(__file__, [kind, peer, name, str(number), path]))
                    print(".", end="", file=sys.stderr, flush=True)
            rows.append([name, str(number), *(speed(figures.get(peer), figures["tokviz"], peer) for peer in peers)])
    return rows


def speed(found: list[tuple[list[float], float]] | None, ours: list[tuple[list[float], float]], peer: str) -> str:
    """Return the median of MB a second, and of the peak memory; with a star where tokens differ from ours."""
    if found is None:
        return ""
    rates = [size / seconds / 1e6 for (seconds, size, _), _ in found]
    differs = not PEERS[peer].is_slow and found[0][0][2] != ours[0][0][2]
    return f"{statistics.median(rates):.0f}{'*' if differs else ''} ({statistics.median(mb for _, mb in found):.0f} MB)"


def training_rows(cores: Sequence[int], rounds: int) -> list[list[str]]:
    """Train on 10 MB, GPT-2's split, 8,192 tokens."""
    peers = [peer for peer in training.PEERS if find_spec(peer)]
    rows = []
    for number in cores:
        jobs = [[peer, "10", "8192", str(number)] for peer in peers]
        figures = harness.run_in_turn(training.__file__, jobs, rounds)
        medians = (harness.median(figures[tuple(job)]) for job in jobs)
        rows.append([str(number), *(f"{each.seconds:.2f} s ({each.megabytes:.0f} MB)" for each in medians)])
    return [["cores", *peers], *rows]


def main(cores: list[int], rounds: int, megabytes: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts.txt")
        write_texts(path, megabytes)
        for kind in ("encode", "count"):
            peers = [name for name, peer in PEERS.items() if (peer.encoder if kind == "encode" else peer.counter)]
            print(f"\n{kind}, MB/s")
            print(*harness.table(["tokenizer", "cores", *peers], speed_rows(kind, cores, rounds, str(path))), sep="\n")
    heads, *rows = training_rows(cores, rounds)
    print("\ntrain")
    print(*harness.table(heads, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "job", nargs="*", help="encode or count, a peer, a tokenizer, cores and a file, to run just that"
    )
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--megabytes", type=int, default=100)
    arguments = parser.parse_args()
    if arguments.job:
        kind, peer, name, number, path = arguments.job
        one_job(kind, peer, name, int(number), path)
    else:
        main(arguments.cores, arguments.rounds, arguments.megabytes)
