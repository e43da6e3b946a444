"""`tokviz convert`: write a tokenizer as a file of another format."""

import argparse
import sys
import warnings

import shtab

from tokviz.charts.wording import vocabulary_in_words
from tokviz.command.inputs import tokenizer
from tokviz.command.parsers import Subcommands, add_command
from tokviz.command.terminal import say
from tokviz.display import printable
from tokviz.formats import save
from tokviz.tokenizers.base import Tokenizer

_EXAMPLES = (
    ("Make a Hugging Face file of a shipped tokenizer", "tokviz convert gpt2 tokenizer.json"),
    ("Make a tiktoken file of a Hugging Face file", "tokviz convert tokenizer.json my.tiktoken"),
    ("Make a Hugging Face file of a tiktoken file", "tokviz convert --split gpt2 my.tiktoken tokenizer.json"),
)
_WORDS = {
    "split_pattern": "how a text is cut before it is merged",
    "special_tokens": "the special tokens",
    "alphabet": "the characters that merging starts from",
    "unapplied": "what takes no part in encoding, such as tokens put around a text",
    "chat_files": "the chat template",
}


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    parser = add_command(
        commands,
        "convert",
        "Write a tokenizer as a file of another format. If ids would change, write nothing and say why.",
        run,
        _EXAMPLES,
        more="The name says the format: tokenizer.json, NAME.tiktoken, NAME.model (minbpe), NAME.codes (subword-nmt), "
        "or vocab.bpe, which is written together with encoder.json.",
    )
    source = parser.add_argument("source", metavar="FROM", help="a tokenizer by name or file")
    target = parser.add_argument("target", metavar="TO", help="the file to write")
    source.complete = target.complete = shtab.FILE  # type: ignore[attr-defined]
    parser.add_split()


def run(args: argparse.Namespace) -> int:
    """Convert a tokenizer."""
    source = tokenizer(args.source, args.split)
    save_as(source, args.target)
    say(f"{printable(args.target)}: {vocabulary_in_words(len(source.vocab), source.vocab_size)}")
    return 0


def save_as(source: Tokenizer, target: str) -> None:
    """Save a tokenizer, and say on standard error what the file doesn't hold, and where what reads it may differ."""
    with warnings.catch_warnings(record=True, action="always") as cautions:
        left_out = save(source, target)
    for caution in cautions:
        say(f"tokviz: {printable(str(caution.message))}", file=sys.stderr)
    for part, value in left_out.items():
        details = f": {printable(str(value))}" if part not in ("unapplied", "chat_files") else ""
        say(f"tokviz: {printable(target)} does not hold {_WORDS[part]}{details}", file=sys.stderr)
