"""Chat templates: those inside the package, and those in a model's files."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from tokviz.display import quote
from tokviz.formats import checks
from tokviz.formats.transformers_files import CONFIG
from tokviz.pretrained import hub, open_models
from tokviz.tokenizers.base import Tokenizer

TEMPLATE_FILE = "chat_template.jinja"
"""The file in which newer models keep their template; it goes before the one in their settings."""

SPECIAL_TOKENS_FILE = "special_tokens_map.json"

MAX_TEMPLATE = 200_000
"""Maximum characters of a template. The longest in common use have 20,000."""

_SPECIAL_TOKENS = tuple(f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
_DEFAULT, _WITH_TOOLS = "default", "tool_use"


class ChatTemplate(NamedTuple):
    """A template's text, and the special tokens that it may write, by name: `{"bos_token": "<s>"}`.

    `with_tools` is the text for chats with tools, where a model has another one for them.
    """

    name: str
    text: str
    special_tokens: Mapping[str, str] = {}
    with_tools: str | None = None

    def text_for(self, values: Mapping[str, Any]) -> str:
        """Return the text to render with these values."""
        return self.with_tools if self.with_tools is not None and values.get("tools") is not None else self.text


TITLES = {
    "qwen3": "Qwen3",
    "qwen2.5": "Qwen2.5",
    "mistral-nemo": "Mistral Nemo",
    "chatml": "ChatML",
    "harmony": "harmony (gpt-oss)",
}
"""The templates inside the package, with their names for people."""

TEMPLATE_OF = {"qwen3": "qwen3", "o200k_harmony": "harmony"}
"""The templates that go with tokenizers inside the package."""

THINKING = ("qwen3", "harmony")
"""The templates whose models may think before they answer."""


@cache
def shipped(name: str) -> ChatTemplate:
    """Return a template inside the package. Raises ValueError naming them if there is none of that name."""
    published = resources.files(open_models)
    match name:
        case "qwen3":
            return from_files(name, {CONFIG: (published / f"qwen3.{CONFIG}").read_bytes()})
        case "qwen2.5" | "mistral-nemo":
            tokens = json.loads((published / f"{name}.special_tokens.json").read_bytes())
            return ChatTemplate(name, (published / f"{name}.{TEMPLATE_FILE}").read_text("utf-8"), _tokens_in(tokens))
        case "chatml" | "harmony":
            return ChatTemplate(name, (resources.files("tokviz.chats") / f"{name}.jinja").read_text("utf-8"))
        case _:
            raise ValueError(f"there is no template called {quote(name)} here: the templates are {', '.join(TITLES)}")


def of_tokenizer(tokenizer: str | Path | Tokenizer) -> ChatTemplate:
    """Return the template that goes with a tokenizer, given as `chat` takes it. Raises ValueError if none is known."""
    if isinstance(tokenizer, Path) or hub.is_from_hub(tokenizer):
        folder = tokenizer if isinstance(tokenizer, Path) else hub.fetch(str(tokenizer))
        return open_template(folder if folder.is_dir() else folder.parent)
    name = tokenizer if isinstance(tokenizer, str) else tokenizer.name
    if name not in TEMPLATE_OF:
        raise ValueError(
            f"no chat template is known for {name}: give one as template, which may be a file, a template's text, or "
            f"one of {', '.join(TITLES)}"
        )
    return shipped(TEMPLATE_OF[name])


def open_template(path: Path) -> ChatTemplate:
    """Return the template in a file, `chat_template.jinja` or `tokenizer_config.json`, or in a folder with such files.

    Raises ValueError if there is none.
    """
    folder = path if path.is_dir() else path.parent
    names = (TEMPLATE_FILE, CONFIG, SPECIAL_TOKENS_FILE)
    files = {name: folder / name for name in names if (folder / name).is_file()}
    if not path.is_dir():
        files.pop(TEMPLATE_FILE, None)
        files[CONFIG if path.suffix == ".json" else TEMPLATE_FILE] = path
    for name, file in files.items():
        checks.check_size(name, file.stat().st_size)
    return from_files(
        path.stem if path.suffix else path.name, {name: file.read_bytes() for name, file in files.items()}
    )


def from_files(name: str, files: Mapping[str, bytes]) -> ChatTemplate:
    """Return the template in a model's files, given by name. Raises ValueError if they hold none."""
    config = checks.as_json(CONFIG, files[CONFIG]) if CONFIG in files else {}
    texts = config.get("chat_template")
    if isinstance(texts, list):  # several, by name
        texts = {each.get("name"): each.get("template") for each in texts if isinstance(each, dict)}
    texts = texts if isinstance(texts, dict) else {_DEFAULT: texts}
    if TEMPLATE_FILE in files:
        texts = {_DEFAULT: checks.as_text(TEMPLATE_FILE, files[TEMPLATE_FILE])}
    if not isinstance(texts.get(_DEFAULT), str):
        raise ValueError(f"{name} has no chat template: {TEMPLATE_FILE}, or {CONFIG} with “chat_template”")
    if SPECIAL_TOKENS_FILE in files:
        config = checks.as_json(SPECIAL_TOKENS_FILE, files[SPECIAL_TOKENS_FILE]) | config
    tools = texts.get(_WITH_TOOLS)
    return ChatTemplate(name, texts[_DEFAULT], _tokens_in(config), tools if isinstance(tools, str) else None)


def _tokens_in(config: Mapping[str, Any]) -> dict[str, str]:
    contents = {name: config.get(name) for name in _SPECIAL_TOKENS}
    texts = {name: each.get("content") if isinstance(each, dict) else each for name, each in contents.items()}
    return {name: text for name, text in texts.items() if isinstance(text, str)}
