"""Chat templates: those inside the package, and those in a model's files."""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from tokviz.display import quote
from tokviz.formats import checks
from tokviz.formats.transformers_files import CHAT_FILES, CONFIG, OLD_TEMPLATE, SPECIAL_TOKENS, TEMPLATE
from tokviz.pretrained import hub, open_models
from tokviz.tokenizers.base import Tokenizer

MAX_TEMPLATE = 200_000
"""Maximum characters of a template. The longest in common use have 20,000."""

NAMED_TOKENS = tuple(f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
"""The special tokens that a template may write by name."""

THINKS = r"enable_thinking|reasoning_content|message\.thinking"
"""What the templates of models that think before they answer have in them: a regular expression."""

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

    @property
    def thinks(self) -> bool:
        """Whether the model may think before it answers."""
        return re.search(THINKS, self.text) is not None


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


@cache
def shipped(name: str) -> ChatTemplate:
    """Return a template inside the package. Raises ValueError naming them if there is none of that name."""
    published = resources.files(open_models)
    match name:
        case "qwen3":
            return from_files(name, {CONFIG: (published / f"qwen3.{CONFIG}").read_bytes()})
        case "qwen2.5" | "mistral-nemo":
            tokens = json.loads((published / f"{name}.special_tokens.json").read_bytes())
            return ChatTemplate(name, (published / f"{name}.{TEMPLATE}").read_text("utf-8"), _tokens_in(tokens))
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
    files = chat_files(path if path.is_dir() else path.parent)
    if not path.is_dir():
        files.pop(TEMPLATE, None)
        files[CONFIG if path.suffix == ".json" else TEMPLATE] = checks.contents(path)
    return from_files(path.name if path.is_dir() else path.stem, files)


def chat_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder that may hold a template. Raises ValueError if one is too large."""
    return {name: checks.contents(folder / name) for name in CHAT_FILES if (folder / name).is_file()}


def from_files(name: str, files: Mapping[str, bytes]) -> ChatTemplate:
    """Return the template in a model's files, given by name. Raises ValueError if they hold none."""
    found = find(name, files)
    if found is None:
        raise ValueError(f"{name} has no chat template: {TEMPLATE}, or {CONFIG} with “chat_template”")
    return found


def find(name: str, files: Mapping[str, bytes]) -> ChatTemplate | None:
    """Return the template in a model's files, None if they hold none. Raises ValueError for invalid files.

    A file of its own goes before the model's settings, and these before the file that older models have.
    """
    settings = {each: checks.as_json(each, data) for each, data in files.items() if each in CHAT_FILES[1:]}
    config = settings.get(CONFIG, {})
    texts = config.get("chat_template") or settings.get(OLD_TEMPLATE, {}).get("chat_template")
    if isinstance(texts, list):  # several, by name
        texts = {str(each.get("name")): each.get("template") for each in texts if isinstance(each, dict)}
    texts = texts if isinstance(texts, dict) else {_DEFAULT: texts}
    if TEMPLATE in files:
        texts = {_DEFAULT: checks.as_text(TEMPLATE, files[TEMPLATE])}
    if not isinstance(texts.get(_DEFAULT), str):
        return None
    tools = texts.get(_WITH_TOOLS)
    tokens = _tokens_in(settings.get(SPECIAL_TOKENS, {}) | config)
    return ChatTemplate(name, texts[_DEFAULT], tokens, tools if isinstance(tools, str) else None)


def _tokens_in(config: Mapping[str, Any]) -> dict[str, str]:
    contents = {name: config.get(name) for name in NAMED_TOKENS}
    texts = {name: each.get("content") if isinstance(each, dict) else each for name, each in contents.items()}
    return {name: text for name, text in texts.items() if isinstance(text, str)}
