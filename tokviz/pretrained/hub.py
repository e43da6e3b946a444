"""Tokenizer files of models on the Hugging Face hub, through `huggingface_hub`.

Its cache, token, `HF_ENDPOINT` and offline mode apply. Only files that hold a tokenizer are fetched, by their names,
and none that is too large: never weights or code.
"""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tokviz.display import quote

if TYPE_CHECKING:
    from huggingface_hub import HfApi

PREFIX = "hf:"
"""Prefix of the names of tokenizers from the hub."""

FILES = (
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "config.json"),
    *("vocab.json", "merges.txt", "vocab.txt", "tekken.json", "*.model", "*.tiktoken"),
    *("chat_template.jinja", "chat_template.json", "additional_chat_templates/*.jinja"),
)
"""Names of the files that may be fetched."""

MAX_FILE = 40_000_000
"""Maximum bytes of a file."""

MAX_FILES, MAX_ALL = 20, 100_000_000
"""Maximum files of a tokenizer, and their bytes together."""

# With a tokenizer.json, the others say the same again, except for these.
_WHOLE = "tokenizer.json"
_FOR_CHATS = ("tokenizer_config.json", "special_tokens_map.json", *FILES[-3:])
_BESIDE_WHOLE = (_WHOLE, *_FOR_CHATS)
_SETTINGS = ("added_tokens.json", "config.json", *_FOR_CHATS)

# The library's rules, without what it does not allow within a name (such as two dots).
_REPOSITORY = re.compile(r"(?a:\w[\w-]*(?:\.[\w-]+)*/)?(?a:\w[\w-]*(?:\.[\w-]+)*)")
# Git's rules are wider. The library makes paths of what is asked for, so two dots must not stand beside each other.
_REVISION = re.compile(r"(?a:\w[\w-]*(?:[./][\w-]+)*)")


class Repository(NamedTuple):
    """A model's repository, and its branch, tag or commit; None for the main branch."""

    name: str
    revision: str | None


def is_from_hub(name: object) -> bool:
    """Return whether a tokenizer's name asks for one from the hub, such as `hf:Qwen/Qwen3-8B`."""
    return isinstance(name, str) and name.startswith(PREFIX)


def repository(name: str) -> Repository:
    """Read `hf:owner/name` or `hf:owner/name@revision`. Raises ValueError for anything else."""
    repo, at, revision = name.removeprefix(PREFIX).strip().partition("@")
    if not is_from_hub(name) or not _REPOSITORY.fullmatch(repo) or (at and not _REVISION.fullmatch(revision)):
        raise ValueError(f"{quote(name)} is no model on the hub: write {PREFIX}owner/name, as in {PREFIX}Qwen/Qwen3-8B")
    return Repository(repo, revision or None)


def fetch(name: str) -> Path:
    """Fetch the tokenizer files of the model `name`, and return the folder that holds them, in the hub's cache.

    Without a network, files fetched earlier are used. Raises ValueError if there is no such model or it has no
    tokenizer that can be fetched, and ConnectionError if the hub can't be reached.
    """
    from huggingface_hub import HfApi

    repo = repository(name)
    api = HfApi(library_name="tokviz")
    try:
        files = [api.hf_hub_download(repo.name, file, revision=repo.revision) for file in _listed(api, repo)]
    except ValueError:
        raise
    except Exception as error:  # the classes for a network that fails depend on the version of the library
        refusal = _refusal(repo, error)
        if refusal:
            raise ValueError(refusal) from None
        folder = _cached(repo)
        if folder is None:
            raise ConnectionError(
                f"{repo.name} has not been fetched before, and {api.endpoint} can't be reached. Connect to the "
                "network, or download its tokenizer.json elsewhere and open that file"
            ) from None
        return folder
    return min((Path(file).parent for file in files), key=lambda folder: len(folder.parts))


def _listed(api: "HfApi", repo: Repository) -> list[str]:
    """Return the names of the files to fetch. Raises ValueError if there are none, or one is too large."""
    info = api.model_info(repo.name, revision=repo.revision or "main", files_metadata=True, timeout=10)
    sizes = {file.rfilename: file.size for file in info.siblings or [] if may_be_fetched(file.rfilename)}
    if _WHOLE in sizes:
        sizes = {file: size for file, size in sizes.items() if _is_named(file, _BESIDE_WHOLE)}
    if all(_is_named(file, _SETTINGS) for file in sizes):
        raise ValueError(f"{repo.name} has no tokenizer file on the hub, such as tokenizer.json or tokenizer.model")
    if len(sizes) > MAX_FILES:
        raise ValueError(f"{repo.name} has {len(sizes):,} tokenizer files; {MAX_FILES} are the most that are fetched")
    for file, size in sizes.items():
        if size is None or size > MAX_FILE:
            has = "an unknown size" if size is None else f"{size / 1e6:,.1f} MB"
            raise ValueError(f"{file} of {repo.name} has {has}, and {MAX_FILE / 1e6:g} MB are the most that is fetched")
    if sum(size or 0 for size in sizes.values()) > MAX_ALL:
        raise ValueError(f"the tokenizer files of {repo.name} have more than {MAX_ALL / 1e6:g} MB together")
    return list(sizes)


def may_be_fetched(file: str) -> bool:
    """Return whether a file of a repository may be fetched, by its name: only those that hold a tokenizer."""
    return "\\" not in file and _is_named(file, FILES)


def _is_named(file: str, names: Iterable[str]) -> bool:
    """Return whether a path within a repository is one of these names, or of these patterns in the same folder."""
    return any(file.count("/") == name.count("/") and fnmatchcase(file, name) for name in names)


def _cached(repo: Repository) -> Path | None:
    """Return the folder of files fetched earlier, or None."""
    from huggingface_hub import snapshot_download

    try:
        folder = Path(snapshot_download(repo.name, revision=repo.revision, local_files_only=True))
    except (OSError, ValueError):
        return None
    return folder if any(may_be_fetched(file.name) for file in folder.iterdir()) else None


def _refusal(repo: Repository, error: Any) -> str:
    """Return a sentence for what the hub itself refuses; "" if it could not be reached."""
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError

    if isinstance(error, GatedRepoError):
        return f"{repo.name} is gated: ask for access on its page on the hub, and log in with “hf auth login”"
    if isinstance(error, RepositoryNotFoundError):
        return f"there is no model {repo.name} on the hub, or it is private: then log in with “hf auth login”"
    if isinstance(error, RevisionNotFoundError):
        return f"{repo.name} has no branch, tag or commit {quote(repo.revision or 'main')}"
    return ""
