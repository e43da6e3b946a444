"""Kinds of files, known by their names, beginnings and ends, before any of them is read whole."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from tokviz.formats import FORMATS, checks, gpt2_files, js_tiktoken, mistaken, tekken, transformers_files
from tokviz.formats.chat_files import CHAT_FILES
from tokviz.formats.engine_files import FOLDER
from tokviz.formats.format import Part
from tokviz.formats.transformers_files import WORD_PIECES
from tokviz.formats.transformers_settings import SETTINGS

HEAD = 4096
"""Bytes of a file's beginning that are looked at, and of its end."""

_WORD_PIECE = re.compile(rb"^(##\S+|\[(UNK|CLS|SEP|MASK|PAD)\])\r?$", re.M)
_IN_JSON = ("tokenizer.json", "tekken.json", "vocab.json", "encoder.json")

# Files that hold a tokenizer only together. The names of transformers' two may begin with the model's.
_PAIRS = (
    (transformers_files.VOCABULARY, transformers_files.MERGES),
    (gpt2_files.VOCABULARY, gpt2_files.MERGES),
)


class Found(NamedTuple):
    """What chosen files are.

    `names` are the files that hold a tokenizer together (none: they hold none, or several), `lacks` what `open` has to
    be given beside them, and `beside` those among them that may hold its chat template. Of a single file without a
    tokenizer, `says` is why it can't be opened as one, "" for an ordinary file; `is_half` tells whether another file is
    missing, and `is_text` whether it can be read as a text.
    """

    names: tuple[str, ...] = ()
    lacks: frozenset[Part] = frozenset()
    says: str = ""
    is_half: bool = False
    is_text: bool = True
    beside: tuple[str, ...] = ()


def recognize(pieces: Mapping[str, bytes]) -> Found:
    """Recognize files by their names and pieces: of each, the first and last `HEAD` bytes, or all of a short one."""
    if len(pieces) == 1:
        [(name, piece)] = pieces.items()
        return _recognize_one(name, piece)
    found = _recognize_together(pieces)
    beside = tuple(name for name in pieces if name in CHAT_FILES and name not in found.names)
    return found._replace(beside=beside) if found.names else found


def _recognize_together(pieces: Mapping[str, bytes]) -> Found:
    lacking = {name: _lacks(name, piece[:HEAD]) for name, piece in pieces.items()}
    whole = {name: lacks for name, lacks in lacking.items() if lacks is not None}
    best = next((names[0] for names in FOLDER if names[0] in whole), None)
    if best or len(whole) == 1:
        name = best or next(iter(whole))
        has_settings = not whole[name] and not name.endswith(".json")
        return Found((name, *_settings(pieces)) if has_settings else (name,), whole[name])
    return _pair(pieces) if not whole else Found()


def _recognize_one(name: str, piece: bytes) -> Found:
    head, lacks = piece[:HEAD], _lacks(name, piece[:HEAD])
    members = checks.first_members(head) if name.endswith(".json") else {}
    is_tokenizers = lacks is not None or any(mistaken.is_named(name, known) for known in _IN_JSON)
    if members and is_tokenizers and not piece.rstrip().endswith(b"}"):
        return Found(says=f"{name} is incomplete or damaged: download it again")
    if lacks is not None:
        return Found((name,), lacks)
    says = mistaken.by_beginning(name, head, members) or ""
    return Found((), frozenset(), says, _half(name, head) is not None, b"\0" not in head)


def _lacks(name: str, head: bytes) -> frozenset[Part] | None:
    """Return what a file lacks that holds a tokenizer alone; None for any other file."""
    if name.endswith(".json"):
        return frozenset() if _holds_tokenizer(checks.first_members(head)) else None
    if mistaken.is_sentencepiece_model(name, head) and b"\0" in head:
        return frozenset()
    if mistaken.is_named(name, WORD_PIECES) and _WORD_PIECE.search(head):
        return frozenset()
    forms = (form for form in FORMATS if not form.files_together and form.reads(name, head))
    return next((form.lacks for form in forms if form.begins is None or form.begins.match(head)), None)


def _holds_tokenizer(members: Mapping[str, Any]) -> bool:
    """Return whether a JSON file that begins with these members holds a tokenizer. A vocabulary may come much later."""
    model = members.get("model")
    has_model = isinstance(model, dict) and ("vocab" in model or not model)
    return has_model or "added_tokens" in members or tekken.is_one(members) or js_tiktoken.is_one(members)


def _half(name: str, head: bytes) -> tuple[str, str] | None:
    """Return the names of the two files that belong together if a file is one of them; None for any other file."""
    for names in _PAIRS:
        for known in names:
            is_known = name == known or (names == _PAIRS[0] and mistaken.is_named(name, known))
            if is_known and (_lists_ids(head) if known.endswith(".json") else head.startswith(b"#version")):
                before = name.removesuffix(known)
                return before + names[0], before + names[1]
    return None


def _lists_ids(head: bytes) -> bool:
    return mistaken.lists_ids(checks.first_members(head))


def _pair(pieces: Mapping[str, bytes]) -> Found:
    """Find two files that belong together, and the settings beside them."""
    halves = {name: _half(name, piece[:HEAD]) for name, piece in pieces.items()}
    for names in filter(None, halves.values()):
        if all(halves.get(name) == names for name in names):
            form = next((form for form in FORMATS if set(form.files_together) == set(names)), None)
            return Found((*names, *_settings(pieces)), frozenset()) if form is None else Found(names, form.lacks)
    return Found()


def _settings(pieces: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the names of the files among these that say what a tokenizer's files mean."""
    return tuple(name for name in SETTINGS if name in pieces)
