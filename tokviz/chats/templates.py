"""Chat templates: those inside the package, and those in a model's files."""

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from tokviz.display import quote
from tokviz.formats import checks
from tokviz.formats.chat_files import CHAT_FILES, OLD_TEMPLATE, TEMPLATE, chat_files, further_name
from tokviz.formats.transformers_settings import CONFIG, SPECIAL_TOKENS
from tokviz.pretrained import open_models
from tokviz.tokenizers.base import Tokenizer

MAX_TEMPLATE = 200_000
"""Maximum characters of a template. The longest in common use have 20,000."""

NAMED_TOKENS = tuple(f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
"""The special tokens that a template may write by name."""

THINKS = r"enable_thinking|reasoning_content|message\.thinking"
"""What the templates of models that think before they answer have in them: a regular expression."""

_GENERATION = re.compile(r"\{%[-+]?\s*generation\s*[-+]?%\}")

_DEFAULT, _WITH_TOOLS = "default", "tool_use"


class ChatTemplate(NamedTuple):
    """A template's text, and the special tokens that it may write, by name: `{"bos_token": "<s>"}`.

    `with_tools` is the text for chats with tools, where a model has another one for them. If `text` itself is only for
    these, `no_default` says so.
    """

    name: str
    text: str
    special_tokens: Mapping[str, str] = {}
    with_tools: str | None = None
    no_default: str = ""

    def for_values(self, values: Mapping[str, Any]) -> "ChatTemplate":
        """Return the template to render with these values. Raises ValueError if it is for chats with tools only."""
        if values.get("tools") is None:
            if self.no_default:
                raise ValueError(self.no_default)
            return self
        return self if self.with_tools is None else self._replace(text=self.with_tools, with_tools=None)

    @property
    def marks_answers(self) -> bool:
        """Whether the text marks what the assistant wrote, by `{% generation %}`."""
        return _GENERATION.search(self.text) is not None

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


def of_tokenizer(tokenizer: Tokenizer, which: str | None = None) -> ChatTemplate:
    """Return the template that goes with a tokenizer, or the one that its files call `which`, or that is inside.

    Raises ValueError if there is none.
    """
    found = find(tokenizer.name, tokenizer.chat_files, which)
    if found is not None:
        return found
    if which is not None:
        return shipped(which)
    if tokenizer.name not in TEMPLATE_OF:
        raise ValueError(
            f"no chat template is known for {tokenizer.name}: give one as template, which may be a file, a template's "
            f"text, or one of {', '.join(TITLES)}"
        )
    return shipped(TEMPLATE_OF[tokenizer.name])


def special_tokens_of(tokenizer: Tokenizer) -> Mapping[str, str]:
    """Return the special tokens that a template may write for a tokenizer, by name. Raises ValueError."""
    if tokenizer.chat_files or tokenizer.name not in TEMPLATE_OF:
        return _special_tokens(_settings(tokenizer.chat_files))
    return shipped(TEMPLATE_OF[tokenizer.name]).special_tokens


def open_template(path: Path) -> ChatTemplate:
    """Return the template in a file, `chat_template.jinja` or `tokenizer_config.json`, or in a folder with such files.

    Raises ValueError if there is none.
    """
    if path.is_dir():
        return from_files(path.name, chat_files(path))
    beside = {name: data for name, data in chat_files(path.parent).items() if name in (CONFIG, SPECIAL_TOKENS)}
    return from_files(path.stem, beside | {CONFIG if path.suffix == ".json" else TEMPLATE: checks.contents(path)})


def from_files(name: str, files: Mapping[str, bytes]) -> ChatTemplate:
    """Return the template in a model's files, given by name. Raises ValueError if they hold none."""
    found = find(name, files)
    if found is None:
        raise ValueError(f"{name} has no chat template: {TEMPLATE}, or {CONFIG} with “chat_template”")
    return found


def find(name: str, files: Mapping[str, bytes], which: str | None = None) -> ChatTemplate | None:
    """Return the template in a model's files, or the one called `which`; None if they hold none.

    Files of their own go before the model's settings, and these before the file that older models have. Raises
    ValueError for invalid files, and if none of several templates is the default, nor the one for chats with tools.
    """
    settings = _settings(files)
    texts, tokens = _texts(files, settings), _special_tokens(settings)
    if which is not None:
        return ChatTemplate(which, texts[which], tokens) if which in texts else None
    if not texts or _DEFAULT in texts:
        return ChatTemplate(name, texts[_DEFAULT], tokens, texts.get(_WITH_TOOLS)) if texts else None
    no_default = f"{name} has no default chat template, but some by name: {', '.join(map(quote, texts))}"
    if _WITH_TOOLS not in texts:
        raise ValueError(no_default)
    no_default += f". {quote(_WITH_TOOLS)} is taken for chats with tools"
    return ChatTemplate(name, texts[_WITH_TOOLS], tokens, no_default=no_default)


_parsed = lru_cache(8)(checks.as_json)  # the settings of Gemma 3 take 20 ms, and a chat without them 1


def _settings(files: Mapping[str, bytes]) -> dict[str, Any]:
    return {name: _parsed(name, data) for name, data in files.items() if name in CHAT_FILES[1:]}


def _texts(files: Mapping[str, bytes], settings: Mapping[str, Any]) -> dict[str, str]:
    """Return all templates in a model's files, by name."""
    called = {file: _DEFAULT if file == TEMPLATE else further_name(file) for file in files}
    own = {name: checks.as_text(file, files[file]) for file, name in called.items() if name is not None}
    if own:
        return own
    texts = (settings.get(name, {}).get("chat_template") for name in (CONFIG, OLD_TEMPLATE))
    found: Any = next((text for text in texts if text is not None), {})
    if isinstance(found, list):  # several, by name
        found = {str(each.get("name")): each.get("template") for each in found if isinstance(each, dict)}
    if not isinstance(found, dict):
        found = {_DEFAULT: found}
    return {name: text for name, text in found.items() if isinstance(text, str)}


def _special_tokens(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the special tokens in a model's settings. Those of older models are in a file of their own."""
    config = settings.get(CONFIG, {})
    return _tokens_in(config if "added_tokens_decoder" in config else config | settings.get(SPECIAL_TOKENS, {}))


def _tokens_in(config: Mapping[str, Any]) -> dict[str, str]:
    contents = {name: config.get(name) for name in NAMED_TOKENS}
    texts = {name: each.get("content") if isinstance(each, dict) else each for name, each in contents.items()}
    return {name: text for name, text in texts.items() if isinstance(text, str)}
