"""Entry point of the command line: parses the arguments, runs a subcommand, and says in a sentence what went wrong.

Exit codes: 0, done; 1, done, and the answer is no (`count --max`, `check`); 2, something could not be done; 130,
interrupted.
"""

import argparse
import os
import sys
from collections.abc import Sequence

import shtab

from tokviz.command import app, chat, check, compare, convert, count, replay, show, train
from tokviz.command.parsers import CommandParser, Subcommands, with_examples
from tokviz.command.terminal import print_error, write_utf8
from tokviz.display import printable
from tokviz.version import __version__

_FAILED, _INTERRUPTED = 2, 130

_EXAMPLES = (
    ("See how a text is cut", "tokviz show -t 'I love 🍕'"),
    ("Count tokens", "tokviz count -m gpt-4o,gpt2 'docs/**/*.md'"),
    ("Open the app", "tokviz app"),
)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line with all subcommands."""
    parser = CommandParser(
        prog="tokviz",
        description="See how tokenizers cut a text, count its tokens, and train tokenizers.",
        **with_examples(
            _EXAMPLES,
            "'tokviz COMMAND --help' has more.\n"
            'Tab completes after: eval "$(tokviz --print-completion bash)" (or zsh, fish, tcsh, powershell).',
        ),
    )
    parser.add_argument("--version", action="version", version=f"tokviz {__version__}")
    shtab.add_argument_to(parser, "--print-completion", help="print a script that completes tokviz in this shell")
    commands: Subcommands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for command in (show, count, chat, compare, replay, train, check, convert, app):
        command.add_to(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line with `argv`, the program's own arguments if None, and return its exit code."""
    write_utf8()
    parser = build_parser()
    arguments, more = parser.parse_known_args(argv)
    if more and arguments.command != app.NAME:
        parser.error(f"'tokviz {arguments.command}' does not take “{printable(more[0])}”; --help says what it takes")
    arguments.more = more
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of the output has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (ValueError, OSError, ImportError) as error:
        print_error(error)
        return _FAILED
    return code
