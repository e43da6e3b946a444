"""Parts of a `tokenizer.json` as JSON, under the library's names: normalizers, pre-tokenizers, decoders."""

import base64
from collections.abc import Iterable
from typing import Any

Json = dict[str, Any]

SPACE = "\N{LOWER ONE EIGHTH BLOCK}"
"""A space in SentencePiece's pieces."""


def _sequence(members: str, steps: Iterable[Json]) -> Json:
    return {"type": "Sequence", members: list(steps)}


# Normalizers


def normalizers(*steps: Json) -> Json:
    """Normalize by several steps."""
    return _sequence("normalizers", steps)


def replace(text: str, replacement: str) -> Json:
    """Replace each occurrence of a text."""
    return {"type": "Replace", "pattern": {"String": text}, "content": replacement}


def replace_matches(pattern: str, replacement: str) -> Json:
    """Replace each match of a regular expression."""
    return {"type": "Replace", "pattern": {"Regex": pattern}, "content": replacement}


def charsmap(data: bytes) -> list[Json]:
    """Replace characters by the table of a SentencePiece model, if it has one."""
    return [{"type": "Precompiled", "precompiled_charsmap": base64.b64encode(data).decode()}] if data else []


def bert_normalizer(
    lowercase: bool, strip_accents: bool | None, *, clean_text: bool = True, handle_chinese_chars: bool = True
) -> Json:
    """Normalize as BERT does. Accents are stripped where case is lowered, unless `strip_accents` says so."""
    options = {"clean_text": clean_text, "handle_chinese_chars": handle_chinese_chars}
    return {"type": "BertNormalizer", **options, "strip_accents": strip_accents, "lowercase": lowercase}


NFC, NFKC, LOWERCASE = {"type": "NFC"}, {"type": "NFKC"}, {"type": "Lowercase"}
STRIP_ACCENTS = ({"type": "NFKD"}, {"type": "StripAccents"})
STRIP_RIGHT = {"type": "Strip", "strip_left": False, "strip_right": True}
QUOTES = (replace("``", '"'), replace("''", '"'))
ONE_SPACE = replace_matches(" {2,}", " ")
ONE_LINE = replace_matches(r"\s{2,}|[\n\r\t]", " ")

# Pre-tokenizers


def steps(*each: Json) -> Json:
    """Cut by several steps."""
    return _sequence("pretokenizers", each)


def split(text: str, behavior: str = "Isolated") -> Json:
    """Cut at a text."""
    return {"type": "Split", "pattern": {"String": text}, "behavior": behavior, "invert": False}


def split_pattern(pattern: str, behavior: str = "Isolated", *, invert: bool = False) -> Json:
    """Cut at the matches of a regular expression."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": invert}


def byte_level(*, add_prefix_space: bool = False, use_regex: bool = True) -> Json:
    """Cut as GPT-2 does, with `use_regex`, and spell each byte as a character. It decodes, too."""
    options = {"add_prefix_space": add_prefix_space, "trim_offsets": True, "use_regex": use_regex}
    return {"type": "ByteLevel", **options}


def metaspace(prepend_scheme: str = "always", *, split: bool = True) -> Json:
    """Write spaces as SentencePiece does, and cut in front of them, with `split`. It decodes, too."""
    return {"type": "Metaspace", "replacement": SPACE, "prepend_scheme": prepend_scheme, "split": split}


def words(prepend_scheme: str = "always") -> Json:
    """Cut at white space, which is left out, and begin each word with a space."""
    return steps({"type": "WhitespaceSplit"}, metaspace(prepend_scheme))


BERT_PRE_TOKENIZER, DIGITS = {"type": "BertPreTokenizer"}, {"type": "Digits", "individual_digits": True}
PUNCTUATION = {"type": "Punctuation", "behavior": "Isolated"}

# Decoders


def decoders(*each: Json) -> Json:
    """Decode by several steps."""
    return _sequence("decoders", each)


def word_piece(prefix: str) -> Json:
    """Decode WordPiece's pieces, of which `prefix` marks those inside a word."""
    return {"type": "WordPiece", "prefix": prefix, "cleanup": True}


SPACES_AND_BYTES = (replace(SPACE, " "), {"type": "ByteFallback"}, {"type": "Fuse"})
STRIP_FIRST_SPACE = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
END_OF_WORD = {"type": "BPEDecoder", "suffix": "</w>"}

# Post-processors


def template(before: list[tuple[str, int]], after: list[tuple[str, int]]) -> Json:
    """Put tokens, given by text and id, before and after a text."""

    def part(text: str) -> Json:
        return {"SpecialToken": {"id": text, "type_id": 0}}

    first, last = ([part(text) for text, _ in tokens] for tokens in (before, after))
    single = [*first, {"Sequence": {"id": "A", "type_id": 0}}, *last]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, {"Sequence": {"id": "B", "type_id": 1}}, *last],
        "special_tokens": {text: {"id": text, "ids": [token], "tokens": [text]} for text, token in (*before, *after)},
    }
