"""Tokenizer files: tiktoken's, GPT-2's, Hugging Face's, SentencePiece's, Mistral's, BERT's, minbpe's and subword-nmt's.

`save` and `open` work with paths; `write` and `read` do the same with the files' bytes, for uploads and downloads.
A file's name determines its format:

| name | holds | lacks |
| --- | --- | --- |
| `*.tiktoken` | tokens and their ids | split pattern, special tokens |
| `vocab.bpe` and `encoder.json` | tokens, merges, special tokens | split pattern |
| `*.json` | everything (Hugging Face's `tokenizer.json`) | |
| `*.model` | tokens, merges, split pattern, special tokens (minbpe's; tiktoken's of that name are read as well) | |
| `*.codes` | merges (subword-nmt's, versions 0.1 and 0.2) | alphabet, special tokens |

`open` also reads SentencePiece's `*.model`, `*.model.v3` and `*.spm`, BERT's `vocab.txt`, `vocab.json` with
`merges.txt`, Mistral's `tekken.json`, js-tiktoken's JSON (Claude's `claude.json`) and folders that hold such files. In
a folder, the settings beside them say which class of transformers saved them (see `transformers_classes`).

A `tokenizer.json` can hold more that takes no part in encoding: what is put around a text (`post_processor`),
truncation and padding. That is kept as the tokenizer's `unapplied`, and written again. Files of chat templates beside a
tokenizer's are kept as its `chat_files`. No format holds these or the training history.

A written file encodes the same ids, or writing is refused. Files are untrusted: they are read within limits of size
and depth, nothing in them is run, and invalid ones raise ValueError with a sentence before a tokenizer is built.
"""

import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import get_ident
from typing import Any, Literal

from tokviz.display import quote
from tokviz.formats import (
    checks,
    engine_files,
    gpt2_files,
    hugging_face,
    minbpe,
    mistaken,
    subword_nmt,
    tiktoken_file,
    transformers_files,
)
from tokviz.formats.chat_files import chat_files as chat_files_of
from tokviz.formats.chat_files import hold_template
from tokviz.formats.checks import MAX_FILE
from tokviz.formats.format import UNSAID, Format, Given, LeftOut, Unsaid, Written
from tokviz.formats.tokenizer_names import title
from tokviz.formats.transformers_settings import SETTINGS, settings_of
from tokviz.pretokens.splitting import SplitPattern
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.inputs import check_special_tokens

__all__ = [
    "FORMATS",
    "MAX_FILE",
    "UNSAID",
    "LeftOut",
    "Unsaid",
    "Written",
    "endings",
    "folder_files",
    "lacks_split_pattern",
    "open",
    "read",
    "read_any",
    "save",
    "write",
]

FORMATS: tuple[Format, ...] = (
    hugging_face.FORMAT,
    tiktoken_file.FORMAT,
    gpt2_files.FORMAT,
    minbpe.FORMAT,
    subword_nmt.FORMAT,
)
"""All formats, in the order in which they are offered."""


def save(tok: Tokenizer, path: str | os.PathLike[str]) -> LeftOut:
    """Write `tok` to `path`, whose name determines the format (see `tokviz.formats`).

    `vocab.bpe` and `encoder.json` are written together, whichever is named. Returns what the file does not hold, such
    as the `post_processor` that a tokenizer.json came with: `open(path, **save(tok, path))` encodes as `tok` does.
    Raises ValueError, and writes nothing, if the format can't hold the tokenizer without changing ids. Warns if other
    readers of the file may cut some characters differently (see `caution`). `open` has size limits, which very long
    tokens may exceed.
    """
    target = Path(path)
    files, left_out = write(tok, target.name)
    for name, data in files.items():
        _write_atomically(target.with_name(name), data)
    if says := caution(tok, target.name):
        warnings.warn(f"{target.name}: {says}", stacklevel=2)
    return left_out


def _write_atomically(path: Path, data: bytes) -> None:
    """Write a file atomically: completely or not at all."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{get_ident()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        error.filename = str(path if path.parent.is_dir() else path.parent)  # what the caller knows
        raise
    finally:
        part.unlink(missing_ok=True)


def write(tok: Tokenizer, name: str) -> Written:
    """Return the files that `save` would write under `name`, and what they do not hold."""
    files, left_out = _write(tok, name)
    if hold_template(tok.chat_files):
        left_out["chat_files"] = dict(tok.chat_files)
    return Written(files, left_out)


def caution(tok: Tokenizer, name: str) -> str:
    """Say where other readers of the file written under `name` may cut a text differently; "" for nowhere."""
    form = _form_of(name)
    return form.caution(tok) if form is not None and isinstance(tok, BPETokenizer) else ""


def _form_of(name: str) -> Format | None:
    """Return the format that a file of this name is written in."""
    return next((form for form in _best_named(name) if form.writes(name)), None)


def _write(tok: Tokenizer, name: str) -> Written:
    if isinstance(tok, EngineTokenizer):
        if not name.endswith(Path(tok.file_name).suffix):
            raise ValueError(
                f"{tok.name} is a {tok.algorithm} tokenizer, which {name} can't hold: {_beyond_merges(tok)}. Ids would "
                f"change: save it as {tok.file_name}"
            )
        return Written({name: tok.data}, {})
    if not isinstance(tok, BPETokenizer):
        raise TypeError(f"only byte pair encodings and tokenizers from files can be saved, not a {type(tok).__name__}")
    form = _form_of(name)
    if form is None:
        raise ValueError(f"there is no format for {name!r}: {_name_rule()}")
    if len(tok.split_patterns) > 1 and form is not hugging_face.FORMAT:
        raise ValueError(
            f"{tok.name} cuts texts by several split patterns, which only tokenizer.json can say: ids would change"
        )
    files, left_out = form.write(tok, name)
    if "unapplied" in form.lacks and tok.unapplied:
        left_out["unapplied"] = dict(tok.unapplied)
    if "split_pattern" in form.lacks:
        left_out["split_pattern"] = tok.split_pattern
    return Written(files, left_out)


def _beyond_merges(tok: EngineTokenizer) -> str:
    """Describe what an engine does that a file of bytes, ids and merges can't express."""
    if tok.algorithm != "bpe":
        return "it has no merges"
    if tok.cutting_steps is None:
        return "the scores of its pieces decide what is merged first"
    if tok.rewriting:
        return f"it {tok.rewriting[0]} before it merges"
    if tok.units != "bytes":
        return "it merges characters, and puts other tokens for those that it lacks"
    if len(tok.cutting_steps) > 2:
        return f"it cuts a text by {len(tok.cutting_steps) - 1} patterns, one after another"
    if not tok.added_texts.keys() <= {*tok.special_tokens.values()}:
        return "it finds added tokens that are no special ones"
    return "its split pattern is written for Hugging Face's library, and no other is known to cut all texts alike"


def open(
    path: str | os.PathLike[str],
    split_pattern: SplitPattern | Literal[Unsaid.UNSAID] = UNSAID,
    special_tokens: Mapping[str, int] | None = None,
    unapplied: Mapping[str, Any] | None = None,
    alphabet: str | None = None,
    chat_files: Mapping[str, bytes] | None = None,
    *,
    name: str | None = None,
) -> BPETokenizer | EngineTokenizer:
    """Open the tokenizer in the file at `path`, or in a folder as Hugging Face's transformers saves it.

    The file's name determines its format (see `tokviz.formats`). What tokviz can merge itself becomes a `BPETokenizer`;
    for anything else, the library encodes that the file is made for.

    The tokenizer is named `name`, or else like the file, or like its folder if the file's name says nothing
    (`tokenizer.json`). Of two files that belong together, the other is taken from the same folder. `split_pattern`
    (given as in `train`), `special_tokens` (text -> id), `unapplied` and `alphabet` (the characters that merging
    starts from) are what the file lacks, as `save` returns it; ValueError if the file holds them itself. If the format
    holds no split pattern, it must be given: None, if texts are not cut. `chat_files` are what holds its chat template
    (see `Tokenizer.chat_files`), if not the files in the same folder. Raises ValueError saying what is wrong in the
    file, or what it asks for that can't be done exactly.
    """
    target = Path(path)
    files = folder_files(target) if target.is_dir() else _read_file(target)
    beside = chat_files_of(target if target.is_dir() else target.parent) if chat_files is None else chat_files
    opened = read_any(files, split_pattern, special_tokens, unapplied, alphabet, beside)
    return opened.with_name(title(target / next(iter(files)) if target.is_dir() else target) if name is None else name)


def _read_file(path: Path) -> dict[str, bytes]:
    """Read a file, with those beside it that belong to it."""
    together = [names for names in engine_files.FOLDER if path.name in names and names != ("tokenizer.json",)]
    for names in together:
        if all(path.with_name(name).is_file() for name in names):
            return _with_settings(path.parent, names)
    return _contents([path.with_name(name) for name in _files_together(path.name) or (path.name,)])


def folder_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, as transformers saves it, that hold its tokenizer. Raises ValueError for none."""
    for names in engine_files.FOLDER:
        if all((folder / name).is_file() for name in names):
            return _with_settings(folder, names)
    raise ValueError(mistaken.a_folder(folder, settings_of(_with_settings(folder, ())).class_name))


def _with_settings(folder: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Read files of a folder, with the settings beside them that a tokenizer.json holds itself."""
    settings = [] if "tokenizer.json" in names else [name for name in SETTINGS if (folder / name).is_file()]
    return _contents([folder / name for name in (*names, *settings)])


def _contents(paths: Sequence[Path]) -> dict[str, bytes]:
    return {path.name: checks.contents(path) for path in paths}


def read_any(
    files: Mapping[str, bytes],
    split_pattern: SplitPattern | Literal[Unsaid.UNSAID] = UNSAID,
    special_tokens: Mapping[str, int] | None = None,
    unapplied: Mapping[str, Any] | None = None,
    alphabet: str | None = None,
    chat_files: Mapping[str, bytes] | None = None,
) -> BPETokenizer | EngineTokenizer:
    """Read the tokenizer in `files` like `read`, or, if only an engine can encode for it, for that engine.

    An engine is a library in native code: what a stranger sends must be read, and encoded with, in a process with
    limits of time and memory.
    """
    _check_content(files)
    if split_pattern is UNSAID and not special_tokens and not unapplied and alphabet is None:
        *_, first = sorted(files.keys() - set(SETTINGS)) or [""]
        found = engine_files.read(files, Path(first).stem)
        if found is not None:
            return found.with_chat_files(chat_files or {})
    return read(files, split_pattern, special_tokens, unapplied, alphabet, chat_files)


def read(
    files: Mapping[str, bytes],
    split_pattern: SplitPattern | Literal[Unsaid.UNSAID] = UNSAID,
    special_tokens: Mapping[str, int] | None = None,
    unapplied: Mapping[str, Any] | None = None,
    alphabet: str | None = None,
    chat_files: Mapping[str, bytes] | None = None,
) -> BPETokenizer:
    """Read the tokenizer in `files`: name -> bytes, one file or two that belong together. See `open`.

    It uses no engine: raises ValueError for a tokenizer that is more than byte pair encoding.
    """
    _check_content(files)
    names = sorted(files)
    if isinstance(split_pattern, str):
        checks.check_pattern(" and ".join(names), split_pattern)
    together = transformers_files.gpt2s_files(files)
    if together:
        settings = transformers_files.settings_and_class(files)
        files = {"tokenizer.json": transformers_files.from_gpt2s_files(together, settings)}
        names = sorted(files)
    specials = dict(special_tokens or {})
    check_special_tokens(specials)
    for text, token in specials.items():
        checks.check_id("special_tokens", quote(text), token)
    form = _format_of_all(files)
    if split_pattern is UNSAID:
        if "split_pattern" in form.lacks:
            raise ValueError(
                f"{' and '.join(names)} can't say how a text is cut before it is merged: give split_pattern, such as "
                "split_pattern='gpt2', or split_pattern=None if it is not cut at all"
            )
        split_pattern = None
    elif "split_pattern" not in form.lacks:
        raise ValueError(f"{names[0]} holds its split pattern and special tokens itself: leave them out")
    if specials and "special_tokens" not in form.lacks:
        raise ValueError(f"{names[0]} holds its split pattern and special tokens itself: leave them out")
    if unapplied and "unapplied" not in form.lacks:
        raise ValueError(f"{names[0]} holds its unapplied settings itself: leave unapplied out")
    if alphabet is not None and "alphabet" not in form.lacks:
        raise ValueError(f"{names[0]} holds its alphabet itself: leave it out")
    given = Given(split_pattern, specials, unapplied, alphabet)
    return form.read(files, form.title or Path(names[0]).stem, given).with_chat_files(chat_files or {})


def _check_content(files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        checks.check_size(name, len(data))
        mistaken.check_content(name, data)


def lacks_split_pattern(files: Mapping[str, bytes]) -> bool:
    """Return whether `files` are in a format that holds no split pattern, so that `read` must be given one."""
    formats = (_format_of(name, data) for name, data in files.items())
    return any(form is not None and "split_pattern" in form.lacks for form in formats)


def _format_of_all(files: Mapping[str, bytes]) -> Format:
    """Return the format of files that are read together. Raises ValueError if they are not one tokenizer."""
    names = sorted(files)
    if len(names) != 1 or _files_together(names[0]):
        for form in FORMATS:
            if names == sorted(form.files_together):
                return form
        pairs = [form.files_together for form in FORMATS if form.files_together]
        pairs.append((transformers_files.VOCABULARY, transformers_files.MERGES))
        together = ", or ".join(map(" together with ".join, pairs))
        raise ValueError(f"give one file, or {together}; this is {' and '.join(names) or 'nothing'}")
    [(name, data)] = files.items()
    refused = mistaken.a_sentencepiece_model(name, data)
    if refused:
        raise ValueError(refused)
    found = _format_of(name, data)
    if found is None:
        known = mistaken.not_a_format(name)
        raise ValueError(known or f"{name!r} is not named like a tokenizer's file: {mistaken.READ}")
    return found


def _format_of(name: str, data: bytes) -> Format | None:
    if mistaken.a_sentencepiece_model(name, data):
        return None
    return next((form for form in _best_named(name) if form.reads(name, data)), None)


def _best_named(name: str) -> list[Format]:
    """Return all formats: those first that have exactly this name, then those that write files named like this."""
    return sorted(FORMATS, key=lambda form: (name not in form.names, not form.writes(name)))


def _files_together(name: str) -> tuple[str, ...]:
    """Return the files that belong together with the file of this name, including it; () if it stands alone."""
    return next((form.files_together for form in FORMATS if name in form.files_together), ())


def _name_rule() -> str:
    patterns = dict.fromkeys(name for form in FORMATS for name in form.names)
    ends = [name.removeprefix("*") for name in patterns if "*" in name]
    whole = [name for name in patterns if "*" not in name]
    return f"a name must end in {', '.join(ends[:-1])} or {ends[-1]}, or be {' or '.join(whole)}"


def endings() -> list[str]:
    """Return the endings that only tokenizers' files have, or that are read by their content, without the dot."""
    named = {name.rpartition(".")[2] for form in FORMATS for name in form.names + form.also_reads}
    return sorted(named | {"spm"})
