"""`tokviz check`: whether merges or ids that somebody's own code made are right, and if not, where and why not."""

import argparse
from pathlib import Path

import shtab

from tokviz.analysis.checking.encoding_check import EncodingCheck, check_encoding
from tokviz.analysis.checking.solutions import ids_of, parse, read_solution
from tokviz.analysis.checking.task import Task
from tokviz.analysis.checking.training_check import TrainingCheck, check
from tokviz.bpe.training import TIE_BREAKS
from tokviz.command.inputs import one_tokenizer, split_pattern, text_of
from tokviz.command.parsers import Subcommands, add_command, whole_number
from tokviz.command.terminal import say
from tokviz.display import printable
from tokviz.formats.checks import as_text
from tokviz.lesson.links import write_link
from tokviz.lesson.solution_links import encoding_link, training_link
from tokviz.lesson.steps import Link
from tokviz.pretokens.splitting import resolve
from tokviz.tokenizers.inputs import check_special_tokens

_RIGHT, _WRONG = 0, 1
_APP = "http://localhost:8501/"

_EXAMPLES = (
    ("Check merges that were learned from a text", "tokviz check merges.txt -t 'the cat in the hat' -n 2"),
    ("Say how the text is split, and which ties win", "tokviz check my.model README.md --split gpt2 --ties first-seen"),
    ("Check the ids of a text", "tokviz check ids.json -m gpt2 -t 'hello world'"),
)
_MORE = (
    "The solution is a tokenizer's file (minbpe's .model, tokenizer.json, merges.txt), or a list in Python or JSON: of "
    "merges as pairs of ids or of bytes, a vocabulary, or, with --model, of ids. The exit code is 1 if it is not right."
)


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    parser = add_command(commands, "check", "Check merges or ids that your own code made.", run, _EXAMPLES, more=_MORE)
    solution = parser.add_argument("solution", metavar="SOLUTION", help="file with your merges, vocabulary or ids")
    solution.complete = shtab.FILE  # type: ignore[attr-defined]
    parser.add_texts(several=False)
    parser.add_tokenizers("none, and merges are checked", several=False)
    parser.add_special()
    parser.add_argument("-n", "--merges", type=whole_number(0), help="merges to learn; default: as many as there are")
    parser.add_argument("--ties", choices=TIE_BREAKS, help="rule for equally frequent pairs; default: any is right")
    parser.add_argument(
        "--special-token", action="append", default=[], metavar="TOKEN", help="cut the text here before learning"
    )


def run(args: argparse.Namespace) -> int:
    """Check a solution, and print the verdict, the first difference, the mistake, and a link to that step."""
    path = Path(args.solution)
    if path.is_dir():
        raise ValueError(f"{printable(args.solution)} is a folder: give the file with your merges or ids")
    data = path.read_bytes()
    checked, link = _encoding(args, data) if args.models else _training(args, {path.name: data})
    say(str(checked))
    if link is not None:
        say(f"{link.label} (while 'tokviz app' runs): {write_link(_APP + link.page, link.fields, link.text)}")
    return _RIGHT if checked.right else _WRONG


def _encoding(args: argparse.Namespace, data: bytes) -> tuple[EncodingCheck, Link | None]:
    tokenizer, text = one_tokenizer(args), text_of(args)
    ids = ids_of(parse(as_text(args.solution, data)))
    checked = check_encoding(ids, text, tokenizer, "all" if args.special else ())
    return checked, encoding_link(checked, text, special=args.special)


def _training(args: argparse.Namespace, files: dict[str, bytes]) -> tuple[TrainingCheck, Link | None]:
    pattern = resolve(split_pattern(args.split or "none"))
    specials = tuple(check_special_tokens(args.special_token))
    task = Task((text_of(args),), pattern, specials, args.merges, args.ties)
    checked = check(read_solution(files), task)
    return checked, training_link(checked, task)
