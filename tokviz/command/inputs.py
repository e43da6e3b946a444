"""Inputs of the command line: texts from files and standard input, tokenizers by name or from files."""

import argparse
import glob
import io
import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tokviz import formats
from tokviz.command.terminal import say
from tokviz.display import printable
from tokviz.formats import tokenizer_names
from tokviz.loading import load
from tokviz.pretokens import pattern_names as naming
from tokviz.pretrained import available, hub, open_models
from tokviz.tokenizers.base import Tokenizer

STDIN = "-"

_STDIN_NAME = "standard input"


def paths(args: argparse.Namespace) -> list[str]:
    """Return the paths of the texts, patterns replaced by the files they match; `STDIN` if there are none.

    Raises ValueError if a pattern matches no file, and for standard input more than once.
    """
    if args.files.count(STDIN) > 1:
        raise ValueError("standard input can be read only once: give one '-'")
    return [path for name in args.files or [STDIN] for path in _matching(name)]


def _matching(name: str) -> list[str]:
    if name == STDIN or not glob.has_magic(name) or Path(name).exists():
        return [name]
    matches = glob.glob(name, recursive=True)  # noqa: PTH207 (Path.glob takes no absolute patterns)
    files = sorted(path for path in matches if Path(path).is_file())
    if not files:
        raise ValueError(f"no file matches {printable(name)}")
    return files


@contextmanager
def opened(path: str) -> Iterator[TextIO]:
    """Open a file of text in UTF-8, or standard input for `STDIN`, with its line ends as they are.

    Raises ValueError with a sentence for a folder, and on reading what is not UTF-8.
    """
    name = _STDIN_NAME if path == STDIN else printable(path)
    if Path(path).is_dir():
        raise ValueError(f"{name} is a folder: give files, or a pattern in quotes, such as '{Path(name) / '**/*.txt'}'")
    try:
        if path == STDIN:
            yield _stdin()
        else:
            with Path(path).open(encoding="utf-8", newline="") as file:
                yield file
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not text in UTF-8: it holds the byte {error.object[error.start]:02x}") from None


def _stdin() -> TextIO:
    if sys.stdin.isatty():
        say("tokviz: reading from the keyboard; end with Ctrl-D (on Windows Ctrl-Z, Enter)", file=sys.stderr)
    return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")


def text_of(args: argparse.Namespace) -> str:
    """Return the one text that `args` names. Raises ValueError if it names more."""
    if args.text is not None:
        if args.files:
            raise ValueError("give --text or a file, not both")
        text: str = args.text
        return text
    with opened(args.files or STDIN) as file:
        return file.read()


def named_tokenizers(args: argparse.Namespace) -> dict[str, Tokenizer]:
    """Return the tokenizers that `args` names, by the names given. Raises ValueError saying what is wrong with one."""
    names = [name for value in args.models or [args.default_models] for name in _names(value)]
    return {name: tokenizer(name, args.split) for name in names}


def column_names(names: Collection[str]) -> list[str]:
    """Return names for people of tokenizers given as in `named_tokenizers`: short ones for files in other folders."""
    files = {name: Path(name) for name in names if Path(name).name != name and Path(name).exists()}
    files |= {name: path / "tokenizer.json" for name, path in files.items() if path.is_dir()}
    short = iter(tokenizer_names.titles(list(files.values()), [name for name in names if name not in files]))
    return [next(short) if name in files else name for name in names]


def one_tokenizer(args: argparse.Namespace) -> Tokenizer:
    """Return the tokenizer that `args` names. Raises ValueError if it names several."""
    tokenizers = named_tokenizers(args)
    if len(tokenizers) != 1:
        raise ValueError(f"'tokviz {args.command}' takes one tokenizer, not {len(tokenizers)}")
    return next(iter(tokenizers.values()))


def _names(value: str) -> Sequence[str]:
    names = [value] if Path(value).is_file() else [name.strip() for name in value.split(",")]
    if not all(names):
        raise ValueError(f"a name is missing in --model {printable(value)}")
    return names


def tokenizer(name: str, split: str | None = None) -> Tokenizer:
    """Return the tokenizer in the file `name`, or else the one that `tokviz.load` knows by this name, or in a folder.

    `split` is the split pattern for a file that holds none, "none" for no splitting.
    """
    path = Path(name)
    if path.is_file():
        if split is None and formats.lacks_split_pattern({path.name: path.read_bytes()}):
            raise ValueError(
                f"{printable(str(path))} doesn't say how a text is cut before it is merged: add --split gpt2 (or "
                "gpt-4o, a regular expression, or none)"
            )
        return formats.open(path, formats.UNSAID if split is None else split_pattern(split))
    if hub.is_from_hub(name) or naming.openai_tokenizer(name) is not None:
        return load(name)
    if path.is_dir():
        return formats.open(path)
    if naming.open_tokenizer(name) is not None or open_models.why_not(name) is not None:
        return load(name)
    if os.sep in name or name.endswith(tuple(f".{ending}" for ending in formats.endings())):
        raise ValueError(f"there is no file {printable(name)}")
    raise ValueError(
        f"there is no tokenizer or model called {name!r} here.{naming.nearest(name)} The tokenizers are "
        f"{', '.join(available())}; the models are those that tiktoken knows, such as gpt-4o. For another open model, "
        "give its file, such as tokenizer.json, or its name on the Hugging Face hub: hf:owner/name"
    )


def split_pattern(text: str) -> str | None:
    """Return the split pattern that an option gives: "none" is no splitting."""
    return None if text == "none" else text
