"""Training seconds and peak memory against Hugging Face `tokenizers`, rustbpe and gigabpe: GPT-2's split.

gigabpe is left out unless it is installed; its merges are Hugging Face's, and it keeps no history.

Each library gets its best form: documents as a list of texts, which its threads or processes share, and which Hugging
Face's needs less memory and time for than for one long text. Up to 20 MB they are the standard library's sources, more
are this machine's text files. `python tests/benchmarks/training.py` prints the table; `--rounds N` sets the number of
rounds (default 5), `--megabytes 1 10 1000` the sizes and `--processes N` the number of threads or processes of each.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path

import harness
import scale

VOCABULARIES = (1024, 8192, 32768)
_STDLIB = 20_000_000


def documents(size: int) -> list[str]:
    """Return documents of about `size` bytes together."""
    if size <= _STDLIB:
        return harness.documents(size)
    left = size

    def fits(text: str) -> bool:
        nonlocal left
        left -= len(text.encode())
        return left > 0

    return list(takewhile(fits, scale.documents()))


def train_tokviz(texts: list[str], vocab_size: int, processes: int) -> None:
    import tokviz

    counts = tokviz.count_pretokens(texts, "gpt2", workers=processes)
    tokviz.train(counts, vocab_size=vocab_size, tie_break="lowest-ids")


def train_tokenizers(texts: list[str], vocab_size: int, processes: int) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator(texts, trainer)


def train_rustbpe(texts: list[str], vocab_size: int, processes: int) -> None:
    import rustbpe

    import tokviz

    rustbpe.Tokenizer().train_from_iterator(iter(texts), vocab_size, pattern=tokviz.split_patterns["gpt2"])


def train_gigabpe(texts: list[str], vocab_size: int, processes: int) -> None:
    """It reads files, and writing one is part of the time: a third of a second for 100 MB."""
    import gigabpe

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts.txt")
        path.write_text("\n".join(texts), "utf-8")
        gigabpe.train_bpe([str(path)], vocab_size=vocab_size, pretokenizer="bytelevel", threads=processes)


PEERS: dict[str, Callable[[list[str], int, int], None]] = {
    "tokviz": train_tokviz,
    "tokenizers": train_tokenizers,
    "rustbpe": train_rustbpe,
    "gigabpe": train_gigabpe,
}


def one_job(peer: str, megabytes: int, vocab_size: int, processes: int) -> None:
    """Train once and print the seconds, which exclude importing the library and starting its threads."""
    os.environ |= {"RAYON_NUM_THREADS": str(processes), "TOKENIZERS_PARALLELISM": str(processes > 1).lower()}
    train = PEERS[peer]
    train(["warm up"], 256, 1)
    texts = documents(megabytes * 1_000_000)
    print(json.dumps(harness.seconds(lambda: train(texts, vocab_size, processes))))


def main(rounds: int, sizes: list[int], vocabularies: list[int], processes: int) -> None:
    peers = list(filter(find_spec, PEERS))
    heads = ["text", "vocabulary", *(f"{peer} s (MB)" for peer in peers), *(f"tokviz / {peer}" for peer in peers[1:])]
    rows = []
    for megabytes in sizes:
        for vocab_size in vocabularies:
            jobs = [[peer, str(megabytes), str(vocab_size), str(processes)] for peer in peers]
            figures = harness.run_in_turn(__file__, jobs, rounds)
            ours, *theirs = (figures[tuple(job)] for job in jobs)
            medians = [harness.median(one) for one in (ours, *theirs)]
            rows.append(
                [f"{megabytes} MB", f"{vocab_size:,}"]
                + [f"{median.seconds:.2f} ({median.megabytes:.0f})" for median in medians]
                + [f"{harness.ratio(ours, figures):.2f}" for figures in theirs]
            )
            print(".", end="", file=sys.stderr, flush=True)
    print(*harness.table(heads, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", nargs="*", help="a peer, megabytes, a vocabulary size and processes, to run just that")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[1, 10])
    parser.add_argument("--vocabularies", type=int, nargs="+", default=VOCABULARIES)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.job:
        peer, *numbers = arguments.job
        one_job(peer, *map(int, numbers))
    else:
        main(arguments.rounds, arguments.megabytes, arguments.vocabularies, arguments.processes)
