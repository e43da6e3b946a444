"""The number of tokens, for the time that encoding takes."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeGuard, overload

from tokviz.analysis.corpus import GROUP, as_tokenizer, grouped
from tokviz.chats.chat import Chat
from tokviz.texts import Texts, each_text
from tokviz.tokenizers.base import Tokenizer


@overload
def count(texts: Chat) -> int: ...
@overload
def count(
    texts: Texts | Path | Iterable[str | Path], tokenizer: str | Tokenizer, allowed_special: Collection[str] = ()
) -> int: ...
def count(
    texts: Chat | Texts | Path | Iterable[str | Path],
    tokenizer: str | Tokenizer | None = None,
    allowed_special: Collection[str] = (),
) -> int:
    """Count the tokens of a text, of a file, or of several together. A str is always a text, never a path.

    A `pathlib.Path` is a file in UTF-8, with its line ends as they are; an open file is one text; any other iterable is
    several texts or paths, each encoded by itself; a `Chat` has its tokenizer already. `tokenizer` is a
    tokenizer, or its name or a model's. Files and long texts are encoded in parts where that gives the same tokens.
    Raises ValueError for a file that isn't UTF-8.

    >>> count("hello world!!!", "gpt2"), count(["hello", " world"], "gpt2")
    (3, 2)
    """
    if isinstance(texts, Chat):
        if tokenizer is not None:
            raise ValueError(
                f"this chat is read by {texts.tokenizer.name}: make another with the tokenizer to count by"
            )
        return len(texts)
    if tokenizer is None:
        raise TypeError("count needs a tokenizer, such as 'gpt-4o'")
    encoder = as_tokenizer(tokenizer)
    allowed = encoder._allowed(allowed_special)
    in_parts = encoder.cuts_at_spaces and not any(map(str.isspace, "".join(allowed)))
    return sum(sum(encoder._count_each(group, allowed)) for group in grouped(_each(texts, in_parts), GROUP))


def _each(texts: Texts | Path | Iterable[str | Path], in_parts: bool) -> Iterator[str]:
    """Yield texts and the contents of files one by one, or in parts."""
    if isinstance(texts, Path):
        yield from _in_file(texts, in_parts)
    elif _is_one(texts):
        yield from each_text(texts, cut_at_spaces=in_parts)
    else:
        for each in texts:
            yield from _in_file(each, in_parts) if isinstance(each, Path) else each_text([each], cut_at_spaces=in_parts)


def _is_one(texts: object) -> TypeGuard[Texts]:
    """Return whether this is one text or open file, or nothing that can be counted, which `each_text` refuses."""
    is_one = isinstance(texts, str | bytes | bytearray | Mapping) or hasattr(texts, "read")
    return is_one or not isinstance(texts, Iterable)


def _in_file(path: Path, in_parts: bool) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            yield from each_text(file, cut_at_spaces=in_parts)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not a text in UTF-8: {error.reason}") from None
