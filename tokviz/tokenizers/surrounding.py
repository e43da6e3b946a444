"""The special tokens that a `tokenizer.json` puts around a text for a model, such as <|begin_of_text|>.

The file's `post_processor` defines them. Encoding adds them only with `add_special`; this module reads their names.
"""

from typing import Any, NamedTuple

_TEXT = None  # placeholder for the text itself among the names of tokens
_MAX_PROCESSORS = 100
_MAX_NAMES = 1_000

_Names = list[str | None]


class Surrounding(NamedTuple):
    """Special tokens before and after a single text, in order."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def surrounding(post_processor: Any) -> Surrounding:
    """Return the special tokens that a `post_processor`, as parsed from a file, puts around a single text.

    None, one that Hugging Face's library would refuse, and one of over 100 processors or 1,000 tokens put none.
    """
    parts: list[_Names] = [[_TEXT]]
    try:
        processors = _flatten(post_processor)
        if len(processors) > _MAX_PROCESSORS:
            return Surrounding()
        for processor in processors:
            parts = _apply_processor(processor, parts)
            if sum(map(len, parts)) > _MAX_NAMES:
                return Surrounding()
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return Surrounding()
    names = [name for part in parts for name in part]
    if names.count(_TEXT) != 1:
        return Surrounding()
    place = names.index(_TEXT)
    return Surrounding(tuple(filter(None, names[:place])), tuple(filter(None, names[place + 1 :])))


def _flatten(processor: Any) -> list[Any]:
    """Return the processors of a sequence, which may hold sequences, in order."""
    if processor is None or processor["type"] != "Sequence":
        return [processor]
    return [each for inner in processor["processors"] for each in _flatten(inner)]


def _apply_processor(processor: Any, parts: list[_Names]) -> list[_Names]:
    """Apply a post-processor to the parts of an input: one for a text, two for a pair, more after a template."""
    kind = None if processor is None else processor["type"]
    if kind == "TemplateProcessing":
        return _apply_template(processor, parts)
    if kind in ("BertProcessing", "RobertaProcessing"):
        return _add_cls_and_sep(processor, parts)
    if kind in (None, "ByteLevel"):  # ByteLevel only moves offsets
        return parts
    raise ValueError(f"there is no post-processor {kind}")


def _apply_template(processor: Any, parts: list[_Names]) -> list[_Names]:
    pieces = {1: processor["single"], 2: processor["pair"]}[len(parts)]
    filled: list[_Names] = []
    size = 0
    for piece in pieces:
        ((kind, about),) = piece.items()
        if kind == "Sequence":
            filled.append(parts["AB".index(about["id"])])
        else:
            filled.append(list(map(_checked, processor["special_tokens"][about["id"]]["tokens"])))
        size += len(filled[-1])
        if size > _MAX_NAMES:
            raise ValueError("there are too many special tokens")
    return filled


def _add_cls_and_sep(processor: Any, parts: list[_Names]) -> list[_Names]:
    """BERT: [CLS] before the first part, [SEP] after each. RoBERTa: also another [SEP] between parts."""
    first, last = _checked(processor["cls"][0]), _checked(processor["sep"][0])
    between = [last] if processor["type"] == "RobertaProcessing" else []
    return [[first, *part, last] if number == 0 else [*between, *part, last] for number, part in enumerate(parts)]


def _checked(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError("a special token's name must be a text")
    return name
