"""Training seconds and peak memory against Hugging Face `tokenizers` and rustbpe: GPT-2's split, one thread.

`python tests/benchmarks/training.py` prints the table; `--rounds N` sets the number of rounds (default 5).
"""

import argparse
import json
import sys

import harness

SIZES_MB = (1, 10)
VOCABULARIES = (1024, 8192, 32768)
PEERS = ("tokviz", "tokenizers", "rustbpe")


def train_tokviz(text: str, vocab_size: int) -> None:
    import tokviz

    tokviz.train(text, vocab_size=vocab_size, split_pattern="gpt2", tie_break="lowest-ids")


def train_tokenizers(text: str, vocab_size: int) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator([text], trainer)


def train_rustbpe(text: str, vocab_size: int) -> None:
    import rustbpe

    import tokviz

    rustbpe.Tokenizer().train_from_iterator([text], vocab_size, pattern=tokviz.split_patterns["gpt2"])


def one_job(peer: str, megabytes: int, vocab_size: int) -> None:
    """Train once and print the seconds, which exclude importing the library."""
    train = {"tokviz": train_tokviz, "tokenizers": train_tokenizers, "rustbpe": train_rustbpe}[peer]
    train("warm up", 256)
    text = harness.corpus(megabytes * 1_000_000)
    print(json.dumps(harness.seconds(lambda: train(text, vocab_size))))


def main(rounds: int) -> None:
    heads = ["text", "vocabulary", *(f"{peer} s (MB)" for peer in PEERS), "tokviz / tokenizers", "tokviz / rustbpe"]
    rows = []
    for megabytes in SIZES_MB:
        for vocab_size in VOCABULARIES:
            jobs = [[peer, str(megabytes), str(vocab_size)] for peer in PEERS]
            figures = harness.run_in_turn(__file__, jobs, rounds)
            ours, *theirs = (figures[tuple(job)] for job in jobs)
            medians = [harness.median(one) for one in (ours, *theirs)]
            rows.append(
                [f"{megabytes} MB", f"{vocab_size:,}"]
                + [f"{median.seconds:.2f} ({median.megabytes:.0f})" for median in medians]
                + [f"{harness.ratio(ours, peer):.2f}" for peer in theirs]
            )
            print(".", end="", file=sys.stderr, flush=True)
    print(*harness.table(heads, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("job", nargs="*", help="a peer, megabytes and a vocabulary size, to run just that")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.job:
        peer, megabytes, vocab_size = arguments.job
        one_job(peer, int(megabytes), int(vocab_size))
    else:
        main(arguments.rounds)
