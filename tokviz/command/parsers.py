"""Shared by the subcommands' parsers: help with examples, and arguments for texts and tokenizers."""

import argparse
import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

import shtab

from tokviz.display import printable

Example = tuple[str, str]
"""An example in the help: its purpose, and the command line."""


class _Help(TypedDict):
    epilog: str
    formatter_class: type[argparse.HelpFormatter]


def with_examples(examples: Sequence[Example], note: str = "") -> _Help:
    """Return the arguments of a parser whose help ends in examples and a note."""
    lines = [f"  {line}\n      {meaning}" for meaning, line in examples]
    epilog = "\n".join(["examples:", *lines, *(["", note] if note else [])])
    return {"epilog": epilog.replace("%", "%%"), "formatter_class": argparse.RawDescriptionHelpFormatter}


class CommandParser(argparse.ArgumentParser):
    """A parser of the command line or of a subcommand, with the arguments that several have."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, which the message may quote, and exit."""
        super().error(printable(message))

    def add_texts(self, *, several: bool = True) -> None:
        """Add the arguments that name texts: files, or a text itself, or standard input."""
        files = self.add_argument(
            "files",
            nargs="*" if several else "?",
            metavar="FILE",
            help="text in UTF-8, or a pattern in quotes such as 'docs/**/*.md'; with '-' or no file, standard input"
            if several
            else "text in UTF-8; with '-' or no file, standard input",
        )
        files.complete = shtab.FILE  # type: ignore[attr-defined]
        self.add_argument("-t", "--text", help="a text instead of files")

    def add_tokenizers(self, default: str, *, several: bool = True) -> None:
        """Add the arguments that name tokenizers, `args.models` and `args.split`."""
        models = self.add_argument(
            "-m",
            "--model",
            dest="models",
            action="append",
            metavar="MODEL[,MODEL]" if several else "MODEL",
            help=f"{'tokenizers or models' if several else 'a tokenizer or a model'} by name (gpt-4o, gpt2, "
            f"cl100k_base) or file (tokenizer.json); default: {default}",
        )
        models.complete = shtab.FILE  # type: ignore[attr-defined]
        self.set_defaults(default_models=default)
        self.add_split()

    def add_split(self) -> None:
        """Add the split pattern of tokenizer files that hold none."""
        self.add_argument(
            "--split",
            metavar="PATTERN",
            help="how text is cut before merging, for files that don't say so (.tiktoken, vocab.bpe): gpt2, gpt-4o, a "
            "regular expression, or none",
        )

    def add_special(self) -> None:
        """Add the option that reads special tokens."""
        self.add_argument(
            "--special", action="store_true", help="read special tokens, such as <|endoftext|>, as tokens"
        )

    def add_add_special(self) -> None:
        """Add the option that puts special tokens around a text."""
        self.add_argument(
            "--add-special",
            action="store_true",
            help="put special tokens, such as <s>, around each text, as the tokenizer's file does for its model",
        )

    def add_color(self) -> None:
        """Add the option that turns colors on and off."""
        self.add_argument(
            "--color",
            choices=("auto", "always", "never"),
            default="auto",
            help="default: auto, where the output is a terminal and NO_COLOR is not set",
        )

    def add_format(self, formats: Sequence[str]) -> None:
        """Add the choice of an output format, the first of which is the default."""
        self.add_argument("-f", "--format", choices=formats, default=formats[0], help=f"default: {formats[0]}")


if TYPE_CHECKING:
    Subcommands = argparse._SubParsersAction[CommandParser]
else:
    Subcommands = Any


def add_command(
    commands: Subcommands,
    name: str,
    summary: str,
    run: Callable[[argparse.Namespace], int],
    examples: Sequence[Example],
    *,
    more: str = "",
) -> CommandParser:
    """Add a subcommand that calls `run`. `summary` is one sentence, and `more` a paragraph for its own help."""
    description = "\n\n".join(map(textwrap.fill, filter(None, (summary, more))))
    parser = commands.add_parser(name, help=summary, description=description, **with_examples(examples))
    parser.set_defaults(run=run)
    return parser


def whole_number(least: int) -> Callable[[str], int]:
    """Return a converter for arguments that are whole numbers from `least` on."""

    def convert(text: str) -> int:
        try:
            number = int(text.replace(",", "").replace("_", ""))
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
        return number

    return convert
