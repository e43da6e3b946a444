"""Tokenizers in files: tiktoken's, GPT-2's, Hugging Face's and minbpe's.

`save` and `open` work with paths; `write` and `read` are the same with the files' bytes, for uploads and downloads.
A file's name says what it is:

| name | holds | lacks |
| --- | --- | --- |
| `*.tiktoken` | tokens and their ids | split pattern, special tokens |
| `vocab.bpe` and `encoder.json` | tokens, merges, special tokens | split pattern |
| `*.json` | everything (Hugging Face's `tokenizer.json`) | |
| `*.model` | everything (minbpe's; tiktoken's files of that name are read as well) | |

What is written encodes the same ids, or is refused. Files may come from anybody: they are read within limits of size
and depth, nothing in them is run, and what is wrong with one is a ValueError with a sentence, before there is a
tokenizer.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from threading import get_ident
from typing import NamedTuple, TypedDict

from tokviz.bpe_tokenizer import BPETokenizer
from tokviz.formats import checks, gpt2_files, hugging_face, minbpe, tiktoken_file
from tokviz.formats.checks import MAX_FILE
from tokviz.formats.prepared import AddedToken, Preparation, PreparedTokenizer, Split
from tokviz.tokenizers import check_special_tokens

__all__ = [
    "MAX_FILE",
    "AddedToken",
    "LeftOut",
    "Preparation",
    "PreparedTokenizer",
    "Split",
    "Written",
    "open",
    "read",
    "save",
    "write",
]

_PAIR = (gpt2_files.MERGES, gpt2_files.VOCABULARY)
_NAMES = "a name must end in .tiktoken, .json or .model, or be vocab.bpe or encoder.json"


class LeftOut(TypedDict, total=False):
    """What files do not hold of a tokenizer, as the arguments that `open` and `read` take."""

    split_pattern: str | None
    special_tokens: dict[str, int]


class Written(NamedTuple):
    """Files by name, and what they do not hold."""

    files: dict[str, bytes]
    left_out: LeftOut


def save(tok: BPETokenizer, path: str | os.PathLike[str]) -> LeftOut:
    """Write `tok` to `path`, whose name says the format (see `tokviz.formats`).

    `vocab.bpe` and `encoder.json` are written together, whichever is named. Returns what the file does not hold:
    `open(path, **save(tok, path))` encodes as `tok` does. Raises ValueError, and writes nothing, if the format can't
    hold the tokenizer so that ids stay the same. `open` has limits of size, which very long tokens may exceed.
    """
    target = Path(path)
    files, left_out = write(tok, target.name)
    for name, data in files.items():
        _replace(target.with_name(name), data)
    return left_out


def _replace(path: Path, data: bytes) -> None:
    """Write a file that is there whole or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write(tok: BPETokenizer, name: str) -> Written:
    """The files that `save` would write for the name `name`, and what they do not hold."""
    if not isinstance(tok, BPETokenizer):
        raise TypeError(f"only byte pair encodings can be saved, not a {type(tok).__name__}")
    if name in _PAIR:
        _check_plain(tok, name)
        files, specials = gpt2_files.write(tok)
        left_out: LeftOut = {"split_pattern": tok.split_pattern}
        return Written(files, left_out | {"special_tokens": specials} if specials else left_out)
    if name.endswith(".json"):
        return Written({name: hugging_face.write(tok)}, {})
    if name.endswith(".tiktoken"):
        _check_plain(tok, name)
        left_out = {"split_pattern": tok.split_pattern, "special_tokens": dict(tok.special_tokens)}
        return Written({name: tiktoken_file.write(tok)}, left_out)
    if name.endswith(".model"):
        _check_plain(tok, name)
        return Written({name: minbpe.write(tok)}, {})
    raise ValueError(f"there is no format for {name!r}: {_NAMES}")


def _check_plain(tok: BPETokenizer, name: str) -> None:
    if isinstance(tok, PreparedTokenizer):
        raise ValueError(
            f"{tok.name} prepares a text in ways that {name} can't hold, so that ids would change: save it as "
            "tokenizer.json"
        )


def open(
    path: str | os.PathLike[str],
    split_pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> BPETokenizer:
    """The tokenizer in the file at `path`, whose name says the format (see `tokviz.formats`).

    Of `vocab.bpe` and `encoder.json`, the other is taken from the same folder. `split_pattern` (a name or a regular
    expression) and `special_tokens` (text -> id) are what the file lacks; ValueError if it doesn't. Raises ValueError
    with what is wrong in the file, or what it asks for that can't be done exactly.
    """
    target = Path(path)
    names = _PAIR if target.name in _PAIR else (target.name,)
    files = {}
    for name in names:
        file = target.with_name(name)
        checks.check_size(name, file.stat().st_size)
        files[name] = file.read_bytes()
    return read(files, split_pattern, special_tokens)


def read(
    files: Mapping[str, bytes],
    split_pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> BPETokenizer:
    """The tokenizer in `files`: name -> bytes, one file or the two of GPT-2. See `open`."""
    names = sorted(files)
    for name in names:
        checks.check_size(name, len(files[name]))
    specials = dict(special_tokens or {})
    check_special_tokens(specials)
    for text, token in specials.items():
        checks.check_id("special_tokens", repr(text), token)
    if names == sorted(_PAIR):
        title = "GPT-2's files"
        return gpt2_files.read(files[_PAIR[0]], files[_PAIR[1]], title, split_pattern, specials)
    if len(names) != 1 or names[0] in _PAIR:
        given = " and ".join(names) or "nothing"
        raise ValueError(f"give one file, or vocab.bpe together with encoder.json; this is {given}")
    return _read_one(names[0], files[names[0]], split_pattern, specials)


def _read_one(name: str, data: bytes, split_pattern: str | None, specials: dict[str, int]) -> BPETokenizer:
    title = Path(name).stem
    if name.endswith(".tiktoken") or (name.endswith(".model") and not minbpe.is_one(data)):
        _check_is_text(name, data)
        return tiktoken_file.read(name, data, title, split_pattern, specials)
    if not name.endswith((".json", ".model")):
        raise ValueError(f"{name!r} is no file of a tokenizer: {_NAMES}")
    if split_pattern is not None or specials:
        raise ValueError(f"{name} holds its split pattern and special tokens itself: leave them out")
    read_file = hugging_face.read if name.endswith(".json") else minbpe.read
    return read_file(name, data, title)


def _check_is_text(name: str, data: bytes) -> None:
    """SentencePiece's models have the same name, and begin with a field number below any letter."""
    if name.endswith(".model") and data[:1] in (b"\x08", b"\x0a", b"\x12"):
        raise ValueError(
            f"{name} looks like a SentencePiece model, which tokviz can't read: only minbpe's and tiktoken's"
        )
