"""Names for tokenizers from files."""

from pathlib import Path

# Stems of file names that are the same for every tokenizer.
_SHARED = frozenset({"tokenizer", "vocab", "encoder", "model"})


def title(path: Path) -> str:
    """Name of the file, or of its folder if every tokenizer's file has that name.

    A folder in the cache of Hugging Face's hub gets the name of the repository that it is a snapshot of.

    >>> title(Path("files/llama3.json")), title(Path("files/qwen3/tokenizer.json"))
    ('llama3', 'qwen3')
    >>> title(Path("hub/models--Qwen--Qwen3-8B/snapshots/b968826/tokenizer.json"))
    'Qwen/Qwen3-8B'
    """
    stem = path.stem.removesuffix(".model")  # tokenizer.model.v3
    if stem.lower() not in _SHARED:
        return stem
    folder = path.absolute().parent
    if folder.parent.name == "snapshots":
        return folder.parent.parent.name.removeprefix("models--").replace("--", "/")
    return folder.name or stem
