"""A text after each step of Hugging Face's library that may change it."""

from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter

from tokviz.positions import byte_starts
from tokviz.tokenizers.engines.hugging_face_library import Library
from tokviz.tokenizers.engines.hugging_face_stages import Json, Pipeline
from tokviz.tokenizers.engines.rewriting import Version, with_marks
from tokviz.tokenizers.engines.stages import describe_change, describe_pre_tokenizer

BytesOf = Callable[[str], bytes]


def versions_of(
    text: str, added: Sequence[tuple[int, int]], library: Library, bytes_of: BytesOf, unspelled: BytesOf
) -> list[Version]:
    """Return a text, and what it is after each step of a library's normalizer and pre-tokenizer.

    `added` are the places of its added tokens. `bytes_of` gives the bytes that a character stands for before each byte
    is spelled as a character, `unspelled` afterwards.
    """
    normalizing, splitting = library.steps("normalizer"), library.steps("pre_tokenizer")
    place = byte_starts(text).tolist()

    def parts(number: int) -> list[tuple[int, bytes]]:
        pipeline = Pipeline(text, added)
        pipeline.apply(normalizing[:number], "normalizer")
        pipeline.apply(splitting[: max(0, number - len(normalizing))], "pre_tokenizer")
        is_spelled = any(step["type"] == "ByteLevel" for step in [*normalizing, *splitting][:number])
        spelled = unspelled if is_spelled else bytes_of
        characters = pipeline.characters()
        starts = characters.starts.tolist()
        found = [(place[start], spelled(text)) for text, start in zip(characters.texts, starts, strict=True)]
        found += [(place[start], text[start:end].encode()) for start, end in added]
        return sorted(found, key=itemgetter(0))

    describing: list[Callable[[str, str], str | None]] = [lambda *_: None]
    describing += [partial(describe_change, step) for step in normalizing]
    describing += [_describing(step) for step in splitting]
    return with_marks(text, [Version(describe, parts(number)) for number, describe in enumerate(describing)])


def _describing(step: Json) -> Callable[[str, str], str | None]:
    return lambda *_: describe_pre_tokenizer(step)
