"""`tokviz train`: learn a byte pair encoding from files."""

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import shtab

from tokviz.bpe.training import TIE_BREAKS
from tokviz.charts.wording import vocabulary_in_words
from tokviz.command.convert import save_as
from tokviz.command.inputs import opened, paths, split_pattern
from tokviz.command.parsers import Subcommands, add_command, whole_number
from tokviz.command.terminal import rewrite_line, say
from tokviz.display import counted, printable
from tokviz.texts import each_text
from tokviz.tokenizers.train import ALPHABETS
from tokviz.tokenizers.train import train as learn

_EXAMPLES = (
    ("Learn 8,000 tokens from files", "tokviz train -n 8000 --split gpt-4o 'docs/**/*.md' -o tokenizer.json"),
    ("Use it", "tokviz show -m tokenizer.json -t 'hello world'"),
)


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    parser = add_command(
        commands,
        "train",
        "Train a byte pair encoding on texts.",
        run,
        _EXAMPLES,
        more="Each file is a text of its own, and no merge crosses from one to the next.",
    )
    parser.add_texts()
    parser.add_argument("-n", "--vocab-size", type=whole_number(1), required=True, help="tokens, special ones included")
    output = parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="tokenizer.json, NAME.tiktoken, NAME.model or vocab.bpe"
    )
    output.complete = shtab.FILE  # type: ignore[attr-defined]
    parser.add_argument(
        "--split",
        default="gpt-4o",
        metavar="PATTERN",
        help="gpt2, gpt-4o, a regular expression, or none; default: gpt-4o",
    )
    parser.add_argument(
        "--special", action="append", default=[], metavar="TOKEN", help="a special token; may be repeated"
    )
    parser.add_argument("--alphabet", choices=ALPHABETS, default="bytes", help="default: bytes")
    parser.add_argument("--tie-break", choices=TIE_BREAKS, default="first-seen", help="default: first-seen")
    parser.add_argument(
        "--min-count", type=whole_number(1), default=2, help="how often a pair must occur to be merged; default: 2"
    )


def run(args: argparse.Namespace) -> int:
    """Train a tokenizer and save it."""
    show_progress = _Progress() if sys.stderr.isatty() else None
    try:
        tokenizer = learn(
            _texts(args),
            vocab_size=args.vocab_size,
            split_pattern=split_pattern(args.split),
            alphabet=args.alphabet,
            tie_break=args.tie_break,
            min_count=args.min_count,
            special_tokens=args.special,
            progress=show_progress,
        )
    finally:
        if show_progress:
            show_progress.end()
    save_as(tokenizer.with_name(Path(args.output).stem), args.output)
    merges = counted("merge", len(tokenizer.merges))
    size = counted("byte", tokenizer.training.text_bytes if tokenizer.training is not None else 0)
    vocabulary = vocabulary_in_words(len(tokenizer.vocab), tokenizer.vocab_size)
    say(f"{printable(args.output)}: {merges} from {size}, {vocabulary} in all")
    return 0


def _texts(args: argparse.Namespace) -> Iterable[str]:
    if args.text is None:
        return _files(paths(args))
    if args.files:
        raise ValueError("give --text or files, not both")
    return [args.text]


def _files(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        with opened(name) as file:
            yield from each_text(file)


class _Progress:
    """A line on standard error that says how far a training is."""

    def __init__(self) -> None:
        self._percent = -1
        self._phase = ""

    def __call__(self, phase: str, done: int, total: int | None) -> None:
        percent = 100 * done // total if total else 0
        if (phase, percent) != (self._phase, self._percent):
            self._phase, self._percent = phase, percent
            rewrite_line(f"{phase} {f'{percent} %' if total else ''}")

    def end(self) -> None:
        """Erase the line."""
        rewrite_line("")
