"""Names for tokenizers from files."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

# Stems of file names that are the same for every tokenizer.
_SHARED = frozenset({"tokenizer", "vocab", "encoder", "model", "merges", "tekken", "spiece", "sentencepiece.bpe"})

# Names of folders that say where files are and not what they are.
_PLACES = frozenset(
    {"model", "models", "tokenizer", "tokenizers", "original", "checkpoint", "checkpoints", "snapshots"}
    | {"files", "data", "downloads", "assets", "resources", "output", "outputs", "src", "tmp", "temp"}
    | {"home", "root", "users"}
)


def title(path: Path) -> str:
    """Name of the file, or of the nearest folder that says something if every tokenizer's file has that name.

    A folder in the cache of Hugging Face's hub gets the name of the repository that it is a snapshot of.

    >>> title(Path("files/llama3.json")), title(Path("files/qwen3/tokenizer.json"))
    ('llama3', 'qwen3')
    >>> title(Path("llama3/models/tokenizer.json")), title(Path("/models/tokenizer.json"))
    ('llama3', 'tokenizer')
    >>> title(Path("hub/models--Qwen--Qwen3-8B/snapshots/b968826/tokenizer.json"))
    'Qwen/Qwen3-8B'
    """
    if not _is_shared(path):
        return _stem(path)
    for folder in path.absolute().parents:
        if folder.parent.name == "snapshots":
            return folder.parent.parent.name.removeprefix("models--").replace("--", "/")
        if folder.name and folder.name.lower() not in _PLACES:
            return folder.name
    return _stem(path)


def titles(paths: Sequence[Path], taken: Collection[str] = ()) -> list[str]:
    """Names of files that are shown together: their titles, or as much of the path's end as tells them apart.

    None of them is in `taken`.

    >>> titles([Path("a/llama3.json"), Path("b/qwen.json")], ["gpt2"])
    ['llama3', 'qwen']
    >>> titles([Path("a/gpt2.json"), Path("b/qwen.json"), Path("c/qwen.json")], ["gpt2"])
    ['gpt2.json', 'b/qwen.json', 'c/qwen.json']
    """
    names = list(map(title, paths))
    for number in range(1, 1 + max((len(path.absolute().parts) for path in paths), default=0)):
        times = Counter([*names, *set(taken)])
        if times.total() == len(times):
            break
        endings = ("/".join(path.absolute().parts[-number:]) for path in paths)
        names = [ending if times[name] > 1 else name for name, ending in zip(names, endings, strict=True)]
    return names


def label(names: Iterable[str], num_tokens: int) -> str:
    """Name for a tokenizer that is only known by its files' names: with its size, if every tokenizer's are named so.

    >>> label(["llama3.json"], 128_256), label(["tokenizer.json"], 128_256)
    ('llama3.json', 'tokenizer.json (128,256 tokens)')
    """
    files = list(names)
    size = f" ({num_tokens:,} tokens)" if all(_is_shared(Path(name)) for name in files) else ""
    return f"{' and '.join(files)}{size}"


def _is_shared(path: Path) -> bool:
    return _stem(path).lower() in _SHARED


def _stem(path: Path) -> str:
    return path.stem.removesuffix(".model")  # tokenizer.model.v3
