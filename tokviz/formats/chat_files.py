"""Files beside a tokenizer's that may hold a model's chat template, and the special tokens that it writes."""

from collections.abc import Mapping
from pathlib import Path

from tokviz.formats import checks
from tokviz.formats.transformers_settings import CONFIG, SPECIAL_TOKENS

TEMPLATE, OLD_TEMPLATE = "chat_template.jinja", "chat_template.json"
CHAT_FILES = (TEMPLATE, CONFIG, OLD_TEMPLATE, SPECIAL_TOKENS)
"""Files of a model's folder that may hold its template, or the special tokens that it writes."""

FURTHER = "additional_chat_templates"
"""The folder of further templates, which are called like their files: `tool_use.jinja`."""

_ENDING = ".jinja"


def chat_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder that may hold a template. Raises ValueError if one is too large."""
    further = sorted(f"{FURTHER}/{path.name}" for path in (folder / FURTHER).glob(f"*{_ENDING}"))
    return {name: checks.contents(folder / name) for name in (*CHAT_FILES, *further) if (folder / name).is_file()}


def is_chat_file(name: str) -> bool:
    """Return whether a file, by its path within a model's folder, may hold a template."""
    return name in CHAT_FILES or further_name(name) is not None


def further_name(name: str) -> str | None:
    """Return what the template in a file of the folder `FURTHER` is called; None for any other file."""
    folder, _, file = name.rpartition("/")
    return file.removesuffix(_ENDING) if folder == FURTHER and file.endswith(_ENDING) else None


def hold_template(files: Mapping[str, bytes]) -> bool:
    """Return whether there seems to be a template among files that may hold one."""
    own = any(name in (TEMPLATE, OLD_TEMPLATE) or further_name(name) is not None for name in files)
    return own or b'"chat_template"' in files.get(CONFIG, b"")
