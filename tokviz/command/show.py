"""`tokviz show`: the tokens of a text in color, or as data."""

import argparse
import sys
from collections.abc import Iterator

from tokviz import export
from tokviz.command.inputs import one_tokenizer, text_of
from tokviz.command.parsers import Subcommands, add_command
from tokviz.command.terminal import chips, colors_for, say, write
from tokviz.display import counted
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

_EXAMPLES = (
    ("Color the tokens of a text", "tokviz show -t 'I love 🍕'"),
    ("Color a file as GPT-2 reads it", "tokviz show -m gpt2 README.md"),
    ("Read standard input", "echo hello | tokviz show"),
    ("Write the token ids", "tokviz show -f ids -t 'hello world'"),
    ("Write the tokens as a table", "tokviz show -f csv README.md > tokens.csv"),
)
_MORE = (
    "Spaces are drawn as ·, line ends as ↵ and tabs as →; the bytes of a character that is cut across tokens are in "
    "hex. Where there are no colors, | separates the tokens."
)


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    parser = add_command(commands, "show", "Show the tokens of a text in color.", run, _EXAMPLES, more=_MORE)
    parser.add_texts(several=False)
    parser.add_tokenizers("gpt-4o", several=False)
    parser.add_format(("text", "ids", "json", "csv", "html"))
    parser.add_special()
    parser.add_add_special()
    parser.add_color()


def run(args: argparse.Namespace) -> int:
    """Show the tokens of a text."""
    tokenizer, text = one_tokenizer(args), text_of(args)
    allowed, adds = "all" if args.special else (), args.add_special
    if adds and args.format == "html":
        raise ValueError("a page shows the tokens of the text alone: leave out --add-special, or choose another format")
    match args.format:
        case "json":
            write(export.to_json(tokenizer, text, allowed, add_special=adds))
        case "csv":
            write(export.to_csv(tokenizer, text, allowed, add_special=adds))
        case "html":
            write([export.to_html(tokenizer, text, allowed)])
        case "ids":
            say(" ".join(map(str, tokenizer.encode(text, allowed, add_special=adds))))
        case _:
            tokenization = tokenizer.tokenize(text, allowed, add_special=adds)
            for chunk in _colored(tokenizer, tokenization, args.color):
                say(chunk, end="")
    return 0


def _colored(tokenizer: Tokenizer, tokenization: Tokenization, choice: str) -> Iterator[str]:
    yield from chips(tokenization.spelled_bytes(), colors_for(choice, sys.stdout))
    if len(tokenization) and not tokenization.data.endswith(b"\n"):
        yield "\n"
    tokens = counted("token", len(tokenization))
    size = counted("byte", len(tokenization.data))
    yield f"{tokens}, {size} ({tokenizer.name})\n"
