"""Safe cuts of an incomplete text for Hugging Face's library: the ids of the parts are those of the whole.

A cut is after a letter or digit, before one of a few signs. It is safe if no stage looks across such a place:

- Of the normalizers, those are known that change each character by itself, and Unicode's normal forms, which never join
  one of these signs to what is before it.
- Of the pre-tokenizers, those are known that begin a new pre-token there, whatever is around. What the library's model
  makes of a pre-token depends on nothing else.
- Signs that an added token holds, except as its first character, are left out, so that none reaches across a cut. No
  added token may take the white space after it along, or depend on the characters beside it.
"""

from collections.abc import Iterable
from functools import lru_cache

import regex

from tokviz.bpe.byte_characters import spell
from tokviz.tokenizers.engines.hugging_face_library import Library
from tokviz.tokenizers.engines.hugging_face_stages import Json
from tokviz.tokenizers.stream import SafeCut
from tokviz.tokenizers.windows import SureCuts

_BLANKS = " \t\r\n"
_SIGNS = _BLANKS + ",.;:!?，。；：！？、"

_NORMALIZERS = frozenset(["NFC", "NFD", "NFKC", "NFKD", "Lowercase", "StripAccents", "BertNormalizer"])
_CUT_AT_BLANKS = frozenset(["Whitespace", "WhitespaceSplit", "BertPreTokenizer"])
_CUT_WORDS_ALONE = frozenset([*_CUT_AT_BLANKS, "Punctuation", "Digits"])

_LETTER = r"[\p{L}\p{Nd}]"
_COMPOSED = r"(?:[가-힣]|(?=\p{Decomposition_Type=None})[\p{L}\p{Nd}])"
"""Letters and digits of which normalization makes nothing that ends in a mark: a mark goes with the sign after it."""

_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_ALONE = frozenset(
    [
        r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        *(
            rf"{_CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{digits}{_REST}"
            for digits in ("", "{1,2}", "{1,3}")
        ),
        rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_CONTRACTIONS}?"
        rf"|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_CONTRACTIONS}?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ]
)
_DEEPSEEK = (
    r"\p{N}{1,3}",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"
    "| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
)
_PATTERNS = frozenset([(), _DEEPSEEK, *((pattern,) for pattern in _ALONE)])
"""The patterns of GPT-2, of GPT-4, Llama 3 and Qwen with their numbers of digits, of GPT-4o, and of DeepSeek, which are
applied one after the other: all of them cut before each of the signs, since no branch that takes letters or digits goes
on with one. None stands for GPT-2's in the library's own words."""


def safe_cut(library: Library) -> SafeCut | None:
    """Return the function that finds the last safe place to cut a text; None if none is known."""
    safe = _safe_places(library)
    if safe is None:
        return None
    last = regex.compile(f"(?r){safe}")

    def cut(text: str) -> int:
        return next((found.end() for found in last.finditer(text) if _is_known(found[0])), 0)

    return cut


def sure_cuts(library: Library) -> SureCuts | None:
    """Return the function that finds all safe places to cut a text, whatever is around; None if none are known.

    None are known if a byte has no piece: other tokens stand for it then, and some of them cover nothing of the text.
    """
    safe = _safe_places(library)
    if safe is None or any(library.opened.model.token_to_id(spell(bytes([value]))) is None for value in range(256)):
        return None
    every = regex.compile(safe)
    return lambda text: (found.end() for found in every.finditer(text) if _is_known(found[0]))


def is_plain_bytes(library: Library) -> bool:
    """Return whether texts are cut at added tokens as they are, then composed or not, then cut by a known pattern."""
    normalizers, steps = library.steps("normalizer"), library.steps("pre_tokenizer")
    *cutting, last = [step["type"] for step in steps] or [""]
    added = library.added_tokens.values()
    return (
        [step["type"] for step in normalizers] in ([], ["NFC"])
        and (last == "ByteLevel" and {"Split"}.issuperset(cutting))
        and _cuts_before_signs(steps)
        and not any(token.lstrip or token.rstrip or token.single_word for token in added)
        and not (normalizers and any(token.normalized for token in added))
    )


def overlapping(texts: Iterable[str]) -> frozenset[str]:
    """Return those of some texts without which no two of them could share characters in a text that holds both."""
    whole, begun = set(texts), dict[str, set[str]]()
    for text in whole:
        for end in range(1, len(text)):
            begun.setdefault(text[:end], set()).add(text)

    def reaches_into_another(text: str) -> bool:
        parts = (text[start:end] for start in range(len(text)) for end in range(start + 1, len(text) + 1))
        return any(part in whole and part != text for part in parts) or any(
            begun.get(text[start:], set()) - {text} for start in range(1, len(text))
        )

    return frozenset(filter(reaches_into_another, whole))


def _is_known(letter: str) -> bool:
    return letter.isascii() or _is_letter_there(letter)


@lru_cache(10_000)
def _is_letter_there(letter: str) -> bool:
    """Return whether this is a letter or digit for the library, whose Unicode may be older than that of `regex`."""
    from tokenizers import Regex, pre_tokenizers

    return not pre_tokenizers.Split(Regex(r"[\p{L}\p{N}]"), "removed").pre_tokenize_str(letter)


def _safe_places(library: Library) -> str | None:
    """Return the pattern of what is before a safe place, with what is after it ahead; None if none is known."""
    normalizers, added = library.steps("normalizer"), library.added_tokens.values()
    if not all(step["type"] in _NORMALIZERS for step in normalizers):
        return None
    if any(token.rstrip or token.single_word or (token.normalized and normalizers) for token in added):
        return None
    held = set().union(*(token.content[1:] for token in added))
    signs = "".join(sign for sign in _signs(library.steps("pre_tokenizer")) if sign not in held)
    if not signs:
        return None
    return rf"{_COMPOSED if normalizers else _LETTER}(?=[{regex.escape(signs)}])"


def _signs(steps: list[Json]) -> str:
    """Return the signs before which these steps begin a new pre-token, whatever is around."""
    kinds = [step["type"] for step in steps]
    if _CUT_WORDS_ALONE.issuperset(kinds) and not _CUT_AT_BLANKS.isdisjoint(kinds):
        return _BLANKS
    is_byte_level = kinds[-1:] == ["ByteLevel"] and {"Split"}.issuperset(kinds[:-1])
    return _SIGNS if is_byte_level and _cuts_before_signs(steps) else ""


def _cuts_before_signs(steps: list[Json]) -> bool:
    """Return whether these steps are a known pattern and the spelling of bytes, without a space put in front."""
    *split, byte_level = steps
    if byte_level["add_prefix_space"] or byte_level["use_regex"] == bool(split):
        return False
    if not all(step["behavior"] == "Isolated" and not step["invert"] for step in split):
        return False
    return tuple(step["pattern"].get("Regex") for step in split) in _PATTERNS
