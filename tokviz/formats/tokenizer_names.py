"""Names for tokenizers from files."""

from collections.abc import Iterable
from pathlib import Path

# Stems of file names that are the same for every tokenizer.
_SHARED = frozenset({"tokenizer", "vocab", "encoder", "model", "merges", "tekken", "spiece", "sentencepiece.bpe"})


def title(path: Path) -> str:
    """Name of the file, or of its folder if every tokenizer's file has that name.

    A folder in the cache of Hugging Face's hub gets the name of the repository that it is a snapshot of.

    >>> title(Path("files/llama3.json")), title(Path("files/qwen3/tokenizer.json"))
    ('llama3', 'qwen3')
    >>> title(Path("hub/models--Qwen--Qwen3-8B/snapshots/b968826/tokenizer.json"))
    'Qwen/Qwen3-8B'
    """
    if not _is_shared(path):
        return _stem(path)
    folder = path.absolute().parent
    if folder.parent.name == "snapshots":
        return folder.parent.parent.name.removeprefix("models--").replace("--", "/")
    return folder.name or _stem(path)


def label(names: Iterable[str], vocab_size: int) -> str:
    """Name for a tokenizer that is only known by its files' names: with its size, if every tokenizer's are named so.

    >>> label(["llama3.json"], 128_256), label(["tokenizer.json"], 128_256)
    ('llama3.json', 'tokenizer.json (128,256 ids)')
    """
    files = list(names)
    size = f" ({vocab_size:,} ids)" if all(_is_shared(Path(name)) for name in files) else ""
    return f"{' and '.join(files)}{size}"


def _is_shared(path: Path) -> bool:
    return _stem(path).lower() in _SHARED


def _stem(path: Path) -> str:
    return path.stem.removesuffix(".model")  # tokenizer.model.v3
