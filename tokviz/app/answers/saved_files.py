"""Files of visitors' tokenizers, in all formats, each with what it does not hold."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tokviz import formats
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.app.shields.refusals import sentence
from tokviz.display import as_sentence
from tokviz.formats.transformers_files import WHITE_SPACE
from tokviz.pretokens.splitting import PATTERNS
from tokviz.tokenizers.bpe import BPETokenizer

_WORD_PIECES = "vocab.txt"
_WHOSE = {".model": "SentencePiece's ", "tokenizer.json": "Hugging Face's ", _WORD_PIECES: "BERT's "}
_PIECES_ONLY = "Holds the pieces by id, one a line. Leaves out how a text is prepared: lower case, accents, the prefix."


class SavedFile(NamedTuple):
    """A file to download. `says` is what it doesn't contain, or why it can't be written, in which case it is empty."""

    title: str
    name: str
    data: bytes
    says: str


def saved_files(name: str) -> list[SavedFile]:
    """Return a registered tokenizer's files, one per format. Raises NotKept."""
    tokenizer = registry.get(name)
    if isinstance(tokenizer, GuardedTokenizer):
        return _files_of(tokenizer)
    if not isinstance(tokenizer, BPETokenizer):
        return []
    return registry.table(
        name, "files", lambda: [saved_file(tokenizer, form.label, form.example) for form in formats.FORMATS]
    )


def _files_of(tokenizer: GuardedTokenizer) -> list[SavedFile]:
    """Return the files that a tokenizer of another library came from, and, for WordPiece, its pieces as BERT's."""
    found = [
        SavedFile(_title(name), name, data, "Holds all that encoding needs.") for name, data in tokenizer.files.items()
    ]
    if tokenizer.algorithm == "wordpiece" and not any(name.endswith(_WORD_PIECES) for name in tokenizer.files):
        found.append(SavedFile(_title(_WORD_PIECES), _WORD_PIECES, *word_piece_list(tokenizer.vocab)))
    return found


def word_piece_list(vocab: Mapping[int, bytes]) -> tuple[bytes, str]:
    """Return the list of pieces whose line numbers are the ids, and what it doesn't contain, or why there is none."""
    if len(vocab) != max(vocab, default=-1) + 1:
        return b"", "Its lines would be the ids, but some ids have no piece."
    token_of: dict[bytes, int] = {}
    for token, piece in sorted(vocab.items()):
        if piece in token_of:
            return b"", f"Its lines would be the ids, but pieces {token_of[piece]} and {token} are the same."
        token_of[piece] = token
        if b"\n" in piece or b"\r" in piece:
            return b"", f"It has a line for each piece, but piece {token} has a line break in it."
        try:
            text = piece.decode()
        except UnicodeDecodeError:
            return b"", f"It holds text, but piece {token} is a part of a character."
        if text != text.rstrip(WHITE_SPACE):
            return b"", f"White space at the end of a line is not read, and piece {token} ends in it."
    pieces = b"".join(vocab[token] + b"\n" for token in range(len(vocab)))
    return pieces, _PIECES_ONLY


def _title(name: str) -> str:
    whose = next((whose for ending, whose in _WHOSE.items() if name.endswith(ending)), "")
    return f"{whose}{name}"


def saved_file(tokenizer: BPETokenizer, title: str, file: str) -> SavedFile:
    """Write a tokenizer in the format of a file name. Several files are packed into one."""
    try:
        # Messages name the tokenizer, which people know by its label only. Files don't hold the name.
        files, left_out = formats.write(tokenizer.with_name("this tokenizer"), file)
    except ValueError as error:
        return SavedFile(title, file, b"", sentence(error))
    lacks = []
    if "split_pattern" in left_out:
        lacks.append(_pattern_in_words(left_out["split_pattern"]))
    if left_out.get("special_tokens"):
        ids = (f"{text} {token}" for text, token in left_out["special_tokens"].items())
        lacks.append(f"the special tokens with their ids, {', '.join(ids)}")
    says = "Holds all that encoding needs."
    if lacks:
        them = "them" if len(lacks) > 1 or left_out.get("special_tokens") else "it"
        says = f"Leaves out {' and '.join(lacks)}. tokviz asks for {them} when you open the file."
    if left_out.get("unapplied"):
        says += f" Leaves out other settings of the file that you opened: {', '.join(left_out['unapplied'])}."
    if caution := formats.caution(tokenizer, file):
        says += f" {as_sentence(caution)}"
    if len(files) == 1:
        return SavedFile(title, file, files[file], says)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in files.items():
            archive.writestr(member, data)
    name = f"{Path(file).stem}-files.zip"
    return SavedFile(title, name, packed.getvalue(), f"In one zip file: unpack it to open them. {says}")


def _pattern_in_words(pattern: str | None) -> str:
    if pattern is None:
        return "the split pattern (none)"
    name = next((name for name, text in PATTERNS.items() if text == pattern), f"“{pattern}”")
    return f"the split pattern ({name})"
