"""Tokenizer files: tiktoken's, GPT-2's, Hugging Face's and minbpe's.

`save` and `open` work with paths; `write` and `read` do the same with the files' bytes, for uploads and downloads.
A file's name determines its format:

| name | holds | lacks |
| --- | --- | --- |
| `*.tiktoken` | tokens and their ids | split pattern, special tokens |
| `vocab.bpe` and `encoder.json` | tokens, merges, special tokens | split pattern |
| `*.json` | everything (Hugging Face's `tokenizer.json`) | |
| `*.model` | tokens, merges, split pattern, special tokens (minbpe's; tiktoken's of that name are read as well) | |

A `tokenizer.json` can hold more that takes no part in encoding: what is put around a text (`post_processor`),
truncation, padding and decoding. That is kept as the tokenizer's `unapplied`, and written again. No format holds the
training history.

A written file encodes the same ids, or writing is refused. Files are untrusted: they are read within limits of size
and depth, nothing in them is run, and invalid ones raise ValueError with a sentence before a tokenizer is built.
"""

import os
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from threading import get_ident
from typing import Any, Literal, NamedTuple, TypedDict

from tokviz.display import quote
from tokviz.formats import checks, gpt2_files, hugging_face, minbpe, mistaken, tiktoken_file
from tokviz.formats.checks import MAX_FILE
from tokviz.formats.prepared import AddedToken, Preparation, PreparedTokenizer, Split
from tokviz.formats.titles import title
from tokviz.pretokens.splitting import SplitPattern
from tokviz.tokenizers.base import check_special_tokens
from tokviz.tokenizers.bpe import BPETokenizer

__all__ = [
    "MAX_FILE",
    "UNSAID",
    "AddedToken",
    "LeftOut",
    "Preparation",
    "PreparedTokenizer",
    "Split",
    "Unsaid",
    "Written",
    "lacks_split_pattern",
    "open",
    "read",
    "save",
    "write",
]

_GPT2_FILES = (gpt2_files.MERGES, gpt2_files.VOCABULARY)
_NAME_RULE = "a name must end in .tiktoken, .json or .model, or be vocab.bpe or encoder.json"


class Unsaid(Enum):
    """The type of `UNSAID`."""

    UNSAID = "not said"


UNSAID: Literal[Unsaid.UNSAID] = Unsaid.UNSAID
"""Stands for a split pattern that is not given, since None is a pattern: no cut."""


class LeftOut(TypedDict, total=False):
    """Parts of a tokenizer that files do not hold, as arguments of `open` and `read`."""

    split_pattern: str | None
    special_tokens: dict[str, int]
    unapplied: dict[str, Any]


class Written(NamedTuple):
    """Files by name, and what they do not hold of the tokenizer."""

    files: dict[str, bytes]
    left_out: LeftOut


def save(tok: BPETokenizer, path: str | os.PathLike[str]) -> LeftOut:
    """Write `tok` to `path`, whose name determines the format (see `tokviz.formats`).

    `vocab.bpe` and `encoder.json` are written together, whichever is named. Returns what the file does not hold, such
    as the `post_processor` that a tokenizer.json came with: `open(path, **save(tok, path))` encodes as `tok` does.
    Raises ValueError, and writes nothing, if the format can't hold the tokenizer without changing ids. `open` has size
    limits, which very long tokens may exceed.
    """
    target = Path(path)
    files, left_out = write(tok, target.name)
    for name, data in files.items():
        _write_atomically(target.with_name(name), data)
    return left_out


def _write_atomically(path: Path, data: bytes) -> None:
    """Write a file atomically: completely or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write(tok: BPETokenizer, name: str) -> Written:
    """Return the files that `save` would write under `name`, and what they do not hold."""
    if not isinstance(tok, BPETokenizer):
        raise TypeError(f"only byte pair encodings can be saved, not a {type(tok).__name__}")
    if name.endswith(".json") and name not in _GPT2_FILES:
        return Written({name: hugging_face.write(tok)}, {})
    if name not in _GPT2_FILES and not name.endswith((".tiktoken", ".model")):
        raise ValueError(f"there is no format for {name!r}: {_NAME_RULE}")
    _check_plain(tok, name)
    left_out: LeftOut = {"unapplied": dict(tok.unapplied)} if tok.unapplied else {}
    if name in _GPT2_FILES:
        files, specials = gpt2_files.write(tok)
        left_out |= {"split_pattern": tok.split_pattern}
        return Written(files, left_out | {"special_tokens": specials} if specials else left_out)
    if name.endswith(".tiktoken"):
        left_out |= {"split_pattern": tok.split_pattern, "special_tokens": dict(tok.special_tokens)}
        return Written({name: tiktoken_file.write(tok)}, left_out)
    return Written({name: minbpe.write(tok)}, left_out)


def _check_plain(tok: BPETokenizer, name: str) -> None:
    if isinstance(tok, PreparedTokenizer):
        raise ValueError(
            f"{tok.name} prepares a text in ways that {name} can't hold, so that ids would change: save it as "
            "tokenizer.json"
        )


def open(
    path: str | os.PathLike[str],
    split_pattern: SplitPattern | Literal[Unsaid.UNSAID] = UNSAID,
    special_tokens: Mapping[str, int] | None = None,
    unapplied: Mapping[str, Any] | None = None,
    *,
    name: str | None = None,
) -> BPETokenizer:
    """Open the tokenizer in the file at `path`, whose name determines the format (see `tokviz.formats`).

    The tokenizer is named `name`, or else like the file, or like its folder if the file's name says nothing
    (`tokenizer.json`). Of `vocab.bpe` and `encoder.json`, the other is taken from the same folder. `split_pattern`
    (given as in `train`), `special_tokens` (text -> id) and `unapplied` are what the file lacks, as `save` returns it;
    ValueError if the file holds them itself. If the format holds no split pattern, it must be given: None, if texts are
    not cut. Raises ValueError saying what is wrong in the file, or what it asks for that can't be done exactly.
    """
    target = Path(path)
    if target.is_dir():
        raise ValueError(mistaken.a_folder(target))
    names = _GPT2_FILES if target.name in _GPT2_FILES else (target.name,)
    files = {}
    for file in map(target.with_name, names):
        checks.check_size(file.name, file.stat().st_size)
        files[file.name] = file.read_bytes()
    opened = read(files, split_pattern, special_tokens, unapplied)
    return opened.with_name(title(target) if name is None else name)


def read(
    files: Mapping[str, bytes],
    split_pattern: SplitPattern | Literal[Unsaid.UNSAID] = UNSAID,
    special_tokens: Mapping[str, int] | None = None,
    unapplied: Mapping[str, Any] | None = None,
) -> BPETokenizer:
    """Read the tokenizer in `files`: name -> bytes, one file or the two of GPT-2. See `open`."""
    names = sorted(files)
    for name in names:
        checks.check_size(name, len(files[name]))
    if isinstance(split_pattern, str):
        checks.check_pattern(" and ".join(names), split_pattern)
    specials = dict(special_tokens or {})
    check_special_tokens(specials)
    for text, token in specials.items():
        checks.check_id("special_tokens", quote(text), token)
    if names != sorted(_GPT2_FILES) and (len(names) != 1 or names[0] in _GPT2_FILES):
        given = " and ".join(names) or "nothing"
        raise ValueError(f"give one file, or vocab.bpe together with encoder.json; this is {given}")
    if lacks_split_pattern(files):
        return _read_without_pattern(files, split_pattern, specials, unapplied)
    return _read_with_pattern(names[0], files[names[0]], split_pattern, specials, unapplied)


def lacks_split_pattern(files: Mapping[str, bytes]) -> bool:
    """Whether `files` are in a format that holds no split pattern, so that `read` must be given one."""
    return any(
        name in _GPT2_FILES or name.endswith(".tiktoken") or (name.endswith(".model") and not minbpe.is_one(data))
        for name, data in files.items()
    )


def _read_without_pattern(
    files: Mapping[str, bytes],
    split_pattern: SplitPattern | Literal[Unsaid.UNSAID],
    specials: dict[str, int],
    unapplied: Mapping[str, Any] | None,
) -> BPETokenizer:
    """Read the tokenizer in tiktoken's or GPT-2's files."""
    name, data = next(iter(files.items()))
    if len(files) == 1:
        _refuse_sentencepiece(name, data)
    if split_pattern is UNSAID:
        raise ValueError(
            f"{' and '.join(sorted(files))} can't say how a text is cut before it is merged: give split_pattern, such "
            "as split_pattern='gpt2', or split_pattern=None if it is not cut at all"
        )
    if len(files) == 2:
        merges, vocabulary = (files[name] for name in _GPT2_FILES)
        return gpt2_files.read(merges, vocabulary, "GPT-2's files", split_pattern, specials, unapplied)
    return tiktoken_file.read(name, data, Path(name).stem, split_pattern, specials, unapplied)


def _read_with_pattern(
    name: str,
    data: bytes,
    split_pattern: SplitPattern | Literal[Unsaid.UNSAID],
    specials: dict[str, int],
    unapplied: Mapping[str, Any] | None,
) -> BPETokenizer:
    """Read the tokenizer in Hugging Face's or minbpe's file."""
    if not name.endswith((".json", ".model")):
        raise ValueError(mistaken.not_a_format(name) or f"{name!r} is no file of a tokenizer: {_NAME_RULE}")
    if split_pattern is not UNSAID or specials:
        raise ValueError(f"{name} holds its split pattern and special tokens itself: leave them out")
    if name.endswith(".model"):
        return minbpe.read(name, data, Path(name).stem, unapplied)
    if unapplied:
        raise ValueError(f"{name} holds what is unapplied itself: leave it out")
    return hugging_face.read(name, data, Path(name).stem)


def _refuse_sentencepiece(name: str, data: bytes) -> None:
    """Refuse SentencePiece models: they have the same name, and begin with a field number below any letter."""
    if name.endswith(".model") and data[:1] in (b"\x08", b"\x0a", b"\x12"):
        raise ValueError(
            f"{name} looks like a SentencePiece model, which tokviz can't read: only minbpe's and tiktoken's"
        )
