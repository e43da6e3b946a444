"""`tokviz count`: how many tokens texts take, under several tokenizers."""

import argparse
import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TextIO

from tokviz.analysis.corpus import GROUP, grouped
from tokviz.analysis.tables import aligned
from tokviz.command.inputs import STDIN, column_names, named_tokenizers, opened, paths
from tokviz.command.parsers import Subcommands, add_command, whole_number
from tokviz.command.terminal import print_error, say, write
from tokviz.display import counted
from tokviz.texts import each_text
from tokviz.tokenizers.base import Tokenizer

_DONE, _OVER_LIMIT, _FAILED = 0, 1, 2

_EXAMPLES = (
    ("Count the tokens of files under two tokenizers", "tokviz count -m gpt-4o,gpt2 'docs/**/*.md'"),
    ("Check that a prompt fits (exit code 1 if not)", "tokviz count --max 8000 prompt.txt"),
    ("Count standard input, for another program", "git diff | tokviz count -f json"),
)


class Counted(NamedTuple):
    """A text's name, its size in bytes of UTF-8, and its number of tokens under each tokenizer."""

    name: str
    bytes: int
    tokens: list[int]


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    parser = add_command(
        commands, "count", "Count the tokens of texts under one or several tokenizers.", run, _EXAMPLES
    )
    parser.add_texts()
    parser.add_tokenizers("gpt-4o")
    parser.add_format(("table", "json", "csv"))
    parser.add_special()
    parser.add_add_special()
    parser.add_argument(
        "--max",
        type=whole_number(0),
        metavar="N",
        help="exit with code 1 if a text has more than N tokens under any of the tokenizers",
    )


def run(args: argparse.Namespace) -> int:
    """Count tokens. Files that can't be read are named, and the others counted."""
    tokenizers = named_tokenizers(args)
    around = [sum(map(len, tok.around)) if args.add_special else 0 for tok in tokenizers.values()]
    texts, failed = [], False
    if args.text is not None:
        if args.files:
            raise ValueError("give --text or files, not both")
        texts.append(_count("text", [args.text], tokenizers, around, args.special))
    else:
        for path in paths(args):
            try:
                with opened(path) as file:
                    texts.append(_count("-" if path == STDIN else path, file, tokenizers, around, args.special))
            except (ValueError, OSError) as error:
                print_error(error)
                failed = True
    if texts or not failed:
        _print(texts, list(tokenizers), args.format)
    if failed:
        return _FAILED
    return _OVER_LIMIT if args.max is not None and _over(texts, list(tokenizers), args.max) else _DONE


def _count(
    name: str,
    texts: Sequence[str] | TextIO,
    tokenizers: Mapping[str, Tokenizer],
    around: Sequence[int],
    special: bool,
) -> Counted:
    """Count one text, which is read in parts if all tokenizers encode the parts as they encode the whole.

    `around` is how many tokens each puts around it.
    """
    in_parts = not special and all(tokenizer.cuts_at_spaces for tokenizer in tokenizers.values())
    size, tokens = 0, list(around)
    for parts in grouped(each_text(texts, cut_at_spaces=in_parts), GROUP):
        size += sum(len(part.encode()) for part in parts)
        for number, tokenizer in enumerate(tokenizers.values()):
            tokens[number] += sum(tokenizer._count_each(parts, tokenizer._allowed("all" if special else ())))
    return Counted(name, size, tokens)


def _print(texts: Sequence[Counted], names: Sequence[str], form: str) -> None:
    total = Counted(
        "total",
        sum(each.bytes for each in texts),
        [sum(n) for n in zip(*(each.tokens for each in texts), strict=True)],
    )
    columns = ["file", "bytes", *names]
    match form:
        case "json":
            files = [_as_dict(each, names) for each in texts]
            say(json.dumps({"files": files, "total": _as_dict(total, names)}, indent=1))
        case "csv":
            table = io.StringIO(newline="")
            line_end = "\n" if sys.stdout.isatty() else "\r\n"
            csv.writer(table, lineterminator=line_end).writerows([columns, *map(_row, texts)])
            write([table.getvalue()])
        case _:
            rows = [*texts, total] if len(texts) > 1 else texts
            say(aligned(["file", "bytes", *column_names(names)], list(map(_row, rows))))


def _row(text: Counted) -> list[str | int]:
    return [text.name, text.bytes, *text.tokens]


def _as_dict(text: Counted, names: Sequence[str]) -> dict[str, object]:
    return {"file": text.name, "bytes": text.bytes, "tokens": dict(zip(names, text.tokens, strict=True))}


def _over(texts: Sequence[Counted], names: Sequence[str], most: int) -> bool:
    over = [
        f"{each.name} has {counted('token', tokens)} under {name}, more than {most:,}"
        for each in texts
        for name, tokens in zip(column_names(names), each.tokens, strict=True)
        if tokens > most
    ]
    for sentence in over:
        print_error(ValueError(sentence))
    return bool(over)
