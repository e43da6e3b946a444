"""Names for split patterns: their own, those of shipped tokenizers, and those of models that use them."""

import re
from difflib import get_close_matches

import tiktoken.model

PATTERN_OF = {
    "gpt2": "gpt2",
    "r50k_base": "gpt2",
    "p50k_base": "gpt2",
    "p50k_edit": "gpt2",
    "cl100k_base": "cl100k",
    "o200k_base": "o200k",
    "o200k_harmony": "o200k",
}
"""OpenAI's tokenizer -> name of its split pattern."""

OPEN_MODELS = {
    "qwen3": r"(qwen/)?qwen-?3(-\d+(\.\d+)?b(-a\d+b)?)?",
    "deepseek": r"(deepseek-ai/)?deepseek(-v3(\.\d)?|-r1)?",
    "mistral-7b": r"(mistralai/)?mistral(-7b(-instruct)?(-v0\.3)?)?",
    "mistral-7b-v0.1": r"(mistralai/)?(mistral-7b(-instruct)?-v0\.[12]|mixtral(-8x7b(-instruct)?(-v0\.1)?)?)",
    "bert-base-uncased": r"(google-bert/)?bert(-(base|large)-uncased)?",
}
"""Shipped tokenizer of an open model -> pattern of the names of models that use it, in lower case."""

# A regular expression of this form could match only itself, so it is meant as a name: "gtp2", "Qwen/Qwen3-8B",
# "Llama 3.1".
_PLAIN_WORD = re.compile(r"\w(?:[\w./: -]*\w)?")

_NO_HYPHEN = re.compile(r"^gpt(?=\d)")


def is_plain_word(text: str) -> bool:
    """Return whether a text looks like a name rather than a regular expression."""
    return _PLAIN_WORD.fullmatch(text) is not None


def tokenizer_named(name: str) -> str | None:
    """Return the shipped tokenizer of this name, or the one that the model `name` uses; None if there is neither.

    Capitals are read as small letters, spaces and underscores as hyphens, and "_base" and the hyphen after "gpt" may
    be left out.

    >>> tokenizer_named("GPT_4o"), tokenizer_named("Qwen3 8B"), tokenizer_named("cl100k"), tokenizer_named("gpt")
    ('o200k_base', 'qwen3', 'cl100k_base', None)
    """
    return openai_tokenizer(name) or open_tokenizer(name)


def openai_tokenizer(name: str) -> str | None:
    """Return OpenAI's tokenizer of this name or of the model `name`, as `tokenizer_named` does."""
    wanted = _plain(name)
    found = next((each for each in PATTERN_OF if _plain(each) in (wanted, f"{wanted}-base")), None)
    if found is not None:
        return found
    model = _NO_HYPHEN.sub("gpt-", wanted)
    named = tiktoken.model.MODEL_TO_ENCODING.get(model)
    prefixes = tiktoken.model.MODEL_PREFIX_TO_ENCODING.items()
    return named or next((each for prefix, each in prefixes if _continues(model, prefix)), None)


def _continues(model: str, prefix: str) -> bool:
    """Return whether a name is one of tiktoken's prefixes with more after it, as "gpt-5.1" of "gpt-5", not "gpt-50"."""
    return model.startswith(prefix) and (prefix.endswith("-") or not model[len(prefix) : len(prefix) + 1].isalnum())


def open_tokenizer(name: str) -> str | None:
    """Return the tokenizer of this name or of the open model `name`, as `tokenizer_named` does."""
    wanted = _plain(name)
    return next((each for each, models in OPEN_MODELS.items() if re.fullmatch(models, wanted)), None)


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "-").replace("_", "-")


def nearest(name: str, *more: str) -> str:
    """Return a question for the end of a message, with the tokenizers, models and `more` names closest to `name`.

    Empty if none is close.

    >>> nearest("gtp2")
    " Did you mean 'gpt2' or 'gpt-2'?"
    """
    known = dict.fromkeys((*more, *PATTERN_OF, *OPEN_MODELS, *tiktoken.model.MODEL_TO_ENCODING))
    matches = [repr(match) for match in get_close_matches(_plain(name), known)]
    *others, last = matches or [""]
    return f" Did you mean {', '.join(others)}{' or ' if others else ''}{last}?" if last else ""
