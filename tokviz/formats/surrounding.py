"""The special tokens that a `tokenizer.json` puts around a text for a model, such as <|begin_of_text|>.

The file's `post_processor` says so. Its tokens are no part of encoding a text, so nothing else here shows or counts
them: this module reads their names.
"""

from typing import Any, NamedTuple

from tokviz.tokenizers.bpe import BPETokenizer

_TEXT = None
"""Stands for the text itself among the names of tokens."""

_Names = list[str | None]


class Surrounding(NamedTuple):
    """The special tokens that come before and after a single text, in their order."""

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def surrounding(tok: BPETokenizer) -> Surrounding:
    """The special tokens that the file of `tok` puts around a single text.

    There are none if the tokenizer comes from no such file, or if its file says something that Hugging Face's library
    would not do.
    """
    try:
        parts = _processed(tok.unapplied.get("post_processor"), [[_TEXT]])
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        return Surrounding()
    names = [name for part in parts for name in part]
    if names.count(_TEXT) != 1:
        return Surrounding()
    place = names.index(_TEXT)
    return Surrounding(*(tuple(map(str, side)) for side in (names[:place], names[place + 1 :])))


def _processed(processor: Any, parts: list[_Names]) -> list[_Names]:
    """What a post-processor makes of the parts of an input: one for a text, two for a pair, more after a template."""
    kind = None if processor is None else processor["type"]
    if kind == "Sequence":
        for each in processor["processors"]:
            parts = _processed(each, parts)
        return parts
    if kind == "TemplateProcessing":
        return _by_template(processor, parts)
    if kind in ("BertProcessing", "RobertaProcessing"):
        return _with_classifier(processor, parts)
    if kind in (None, "ByteLevel"):  # ByteLevel only moves offsets
        return parts
    raise ValueError(f"there is no post-processor {kind}")


def _by_template(processor: Any, parts: list[_Names]) -> list[_Names]:
    pieces = {1: processor["single"], 2: processor["pair"]}[len(parts)]
    made: list[_Names] = []
    for piece in pieces:
        ((kind, about),) = piece.items()
        if kind == "Sequence":
            made.append(parts["AB".index(about["id"])])
        else:
            made.append([str(token) for token in processor["special_tokens"][about["id"]]["tokens"]])
    return made


def _with_classifier(processor: Any, parts: list[_Names]) -> list[_Names]:
    """BERT's: [CLS] before the first part, [SEP] after each. RoBERTa's separates parts by another token."""
    first, last = str(processor["cls"][0]), str(processor["sep"][0])
    between = [last] if processor["type"] == "RobertaProcessing" else []
    return [[first, *part, last] if number == 0 else [*between, *part, last] for number, part in enumerate(parts)]
