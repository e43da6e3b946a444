"""Names that stand for a split pattern: its own, those of shipped tokenizers, and those of models that use them."""

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
"""The shipped tokenizers -> the name of their split pattern."""

# A regular expression of this shape could match only itself, so a name was meant: "gtp2", "Qwen/Qwen3-8B", "Llama 3.1".
_PLAIN_WORD = re.compile(r"\w(?:[\w./: -]*\w)?")


def is_plain_word(text: str) -> bool:
    """Whether a text looks like a name rather than a regular expression."""
    return _PLAIN_WORD.fullmatch(text) is not None


def tokenizer_named(name: str) -> str | None:
    """The shipped tokenizer of that name, or the one that the model `name` uses; None if there is neither."""
    if name in PATTERN_OF:
        return name
    try:
        return tiktoken.encoding_name_for_model(name)
    except KeyError:
        return None


def nearest(name: str, *more: str) -> str:
    """A question to end a message with: the tokenizers, models and `more` names that `name` may be a slip for.

    Empty if nothing is near.

    >>> nearest("gtp2")
    " Did you mean 'gpt2' or 'gpt-2'?"
    """
    known = dict.fromkeys((*more, *PATTERN_OF, *tiktoken.model.MODEL_TO_ENCODING))
    found = [repr(each) for each in get_close_matches(name.lower().replace(" ", "-"), known)]
    *others, last = found or [""]
    return f" Did you mean {', '.join(others)}{' or ' if others else ''}{last}?" if last else ""
