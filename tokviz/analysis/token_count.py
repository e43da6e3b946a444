"""The number of tokens, for the time that encoding takes."""

from collections.abc import Collection
from pathlib import Path

from tokviz.analysis.corpus import as_tokenizer
from tokviz.texts import Texts, each_text
from tokviz.tokenizers.base import Tokenizer


def count(texts: Texts | Path, tokenizer: str | Tokenizer, allowed_special: Collection[str] = ()) -> int:
    """Count the tokens of one text, of several together, or of a file.

    A str is a text; a `pathlib.Path` is a file in UTF-8, with its line ends as they are; an open file is one text, and
    any other iterable several, which are encoded one by one. `tokenizer` is a tokenizer, or its name or a model's.
    Files and long texts are encoded in parts where that gives the same tokens. Raises ValueError for a file that isn't
    UTF-8.

    >>> count("hello world!!!", "gpt2"), count(["hello", " world"], "gpt2")
    (3, 2)
    """
    encoder = as_tokenizer(tokenizer)
    if not isinstance(texts, Path):
        return _count(texts, encoder, allowed_special)
    try:
        with texts.open(encoding="utf-8", newline="") as file:
            return _count(file, encoder, allowed_special)
    except UnicodeDecodeError as error:
        raise ValueError(f"{texts} is not a text in UTF-8: {error.reason}") from None


def _count(texts: Texts, tokenizer: Tokenizer, allowed_special: Collection[str]) -> int:
    allowed = tokenizer._allowed(allowed_special)
    in_parts = tokenizer.cuts_at_spaces and not any(map(str.isspace, "".join(allowed)))
    return sum(len(tokenizer._encode_column(text, allowed)) for text in each_text(texts, cut_at_spaces=in_parts))
