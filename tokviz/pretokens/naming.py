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
"""Shipped tokenizer -> name of its split pattern."""

# A regular expression of this form could match only itself, so it is meant as a name: "gtp2", "Qwen/Qwen3-8B",
# "Llama 3.1".
_PLAIN_WORD = re.compile(r"\w(?:[\w./: -]*\w)?")


def is_plain_word(text: str) -> bool:
    """Return whether a text looks like a name rather than a regular expression."""
    return _PLAIN_WORD.fullmatch(text) is not None


def tokenizer_named(name: str) -> str | None:
    """Return the shipped tokenizer of this name, or the one that the model `name` uses; None if there is neither."""
    if name in PATTERN_OF:
        return name
    try:
        return tiktoken.encoding_name_for_model(name)
    except KeyError:
        return None


def nearest(name: str, *more: str) -> str:
    """Return a question for the end of a message, with the tokenizers, models and `more` names closest to `name`.

    Empty if none is close.

    >>> nearest("gtp2")
    " Did you mean 'gpt2' or 'gpt-2'?"
    """
    known = dict.fromkeys((*more, *PATTERN_OF, *tiktoken.model.MODEL_TO_ENCODING))
    matches = [repr(match) for match in get_close_matches(name.lower().replace(" ", "-"), known)]
    *others, last = matches or [""]
    return f" Did you mean {', '.join(others)}{' or ' if others else ''}{last}?" if last else ""
