r"""Reachability by the rules of an engine's tokenizer: why no text gives a token, and texts that may.

All of it is about the text after normalization, which the model sees. Proofs hold for any text around a token:

- A byte stands for characters that are no piece, so that it is never needed if all of those that begin with it are.
- A character that normalization makes of no character is in no normalized text. The Unicode forms change each part of a
  text as they change it alone, so a piece that its form changes is in none either.
- BERT's rules cut between two characters by what these two are. So a piece that they cut, or cut off from what a piece
  inside a word needs before it, is always cut.
- Merging makes of a piece's symbols what it makes of them alone (see `BPETokenizer.rank`).

Byte-level BPE is the package's own algorithm: `merging_of` gives it as a tokenizer over normalized text, of which
`reach` proves more.
"""

import unicodedata
from collections.abc import Iterator
from functools import cached_property

from tokviz.analysis.availability import text_bytes
from tokviz.analysis.known_patterns import patterns_of
from tokviz.display import token_text
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.stages import SPACE, describe_normalizer

_FORMS = frozenset(["NFC", "NFD", "NFKC", "NFKD"])
_BY_CHARACTER = _FORMS | {"Lowercase", "StripAccents", "BertNormalizer"}
"""Steps of normalizers that make the same characters of a character everywhere, or compose it with its neighbors."""

_CUTTING_BETWEEN_CHARACTERS = frozenset(["BertPreTokenizer", "Whitespace", "WhitespaceSplit"])
"""Pre-tokenizers that cut between two characters, or don't, whatever is around these."""

_OF_EACH_KIND = ("a", "1", "!", "中")  # a character of each kind that these tell apart, white space aside
_NO_PIECES = ("\ue000", "\U00013000", "\ua66e", "\U0010fffd")
"""Characters that hardly any vocabulary has: they are unknown, or bytes, and are joined with nothing."""

_MAX_FIRSTS = 1_000  # maximum beginnings of words that are tried before a piece for the inside of words
_LONGEST = 100  # maximum characters of a word that is looked through for longer pieces, as in BERT's files
_AT_ONCE = 50_000  # characters normalized at a time: the library takes much memory for each
_BESIDE = ("\n", "1", "a", "(", *_NO_PIECES)
"""Contexts before and after a piece, those first that are least likely to be joined with it."""


def merging_of(tokenizer: Tokenizer) -> BPETokenizer | None:
    """Return what merges bytes as tokviz does, as a tokenizer over normalized text; None for other algorithms.

    That of a file has no added tokens, and no split pattern if the file's is not known.
    """
    if isinstance(tokenizer, BPETokenizer):
        return tokenizer
    if not isinstance(tokenizer, HuggingFaceTokenizer) or tokenizer.algorithm != "bpe":
        return None
    if tokenizer.units != "bytes" or any(tokenizer.marks):
        return None
    return BPETokenizer(
        tokenizer.name,
        {token: data for token, data in tokenizer.vocab.items() if token not in tokenizer.added_tokens},
        tokenizer.merges,
        ignore_merges=tokenizer.model.ignore_merges,
    ).with_split_patterns(patterns_of(tokenizer) or ())


def rules_of(tokenizer: Tokenizer) -> "EngineRules | None":
    """Return the rules of a tokenizer of another library; None for others."""
    return EngineRules(tokenizer) if isinstance(tokenizer, EngineTokenizer) else None


class EngineRules:
    """The rules of one engine's tokenizer."""

    def __init__(self, tokenizer: EngineTokenizer) -> None:
        self._tokenizer = tokenizer
        self._pieces = tokenizer.model.pieces
        self._library = tokenizer.library if isinstance(tokenizer, HuggingFaceTokenizer) else None

    @cached_property
    def merging(self) -> BPETokenizer | None:
        """See `merging_of`."""
        return merging_of(self._tokenizer)

    @cached_property
    def finds_normalized(self) -> bool:
        """Whether special tokens are looked for in a text that normalization has changed."""
        if not self._library or not self._steps:
            return False
        return any(token.special and token.normalized for token in self._library.added_tokens.values())

    def why_unreachable(self, token: int) -> str:
        """Return why no text gives a token that is not cut out of texts; empty if that isn't proved."""
        if token in self._tokenizer.byte_ids or token == self._tokenizer.unknown:
            return self._why_not_needed(token)
        text = token_text(text_bytes(self._tokenizer, token))
        if text is None:
            return ""
        return self.why_changed(text) or self._why_cut(token, text) or self._why_not_merged(token)

    def texts(self, token: int) -> Iterator[str]:
        """Yield texts that may hold a token, by the rules of its family, the likeliest first."""
        tokenizer = self._tokenizer
        if token == tokenizer.unknown:
            yield from _NO_PIECES
        text = token_text(text_bytes(tokenizer, token))
        if text is None:
            return
        if tokenizer.algorithm == "wordpiece" and self._is_inside(token):
            yield from (first + text for first in self._firsts if not self._goes_on(first, text))
        yield from (f"{before}{text}" for before in _BESIDE)
        yield from (f"{text}{after}" for after in _BESIDE)
        yield from (f"{beside}{text}{beside}" for beside in _BESIDE)
        # Special tokens that are looked for before normalization don't cut a text that normalization composes.
        if not self._steps.isdisjoint(["NFC", "NFKC"]):
            yield unicodedata.normalize("NFD", text)

    # Proofs

    def _why_not_needed(self, token: int) -> str:
        """Return why a byte's token, or the unknown token, stands for nothing."""
        tokenizer = self._tokenizer
        takes_text_whole = self._library is not None and (
            tokenizer.algorithm != "bpe" or tokenizer.ignore_merges or tokenizer.rank(token) is not None
        )
        if takes_text_whole:  # the text “<0x41>” may be that token
            return ""
        if token == tokenizer.unknown:
            return "each byte has a token, so nothing is unknown" if len(tokenizer.byte_ids) == 256 else ""
        characters = [
            SPACE if character == " " and self._spells_spaces else character
            for character in _characters_that_begin_with(tokenizer.vocab[token][0])
        ]
        are_pieces = bool(characters) and all(character in self._ids for character in characters)
        return "each character that begins with this byte has a token of its own" if are_pieces else ""

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {piece: token for token, (piece, _) in enumerate(self._pieces)}

    @cached_property
    def _spells_spaces(self) -> bool:
        """Whether each space of a text is written as `▁`."""
        if self._library is None:
            return True
        writes = f"writes each space as {SPACE}"
        replaces = any(describe_normalizer(step) == writes for step in self._library.steps("normalizer"))
        return replaces or any(step["type"] == "Metaspace" for step in self._library.steps("pre_tokenizer"))

    def why_changed(self, text: str) -> str:
        """Return why a text is in no normalized text; empty if that isn't proved."""
        changed = "normalization changes this text wherever it stands"
        if not self._library or not self._steps or not self._is_by_character:
            return ""
        if not self._normalized_characters.issuperset(text):
            return changed
        is_form = len(self._steps) == 1 and self._steps <= _FORMS
        return changed if is_form and self._library.normalize(text) != text else ""

    @cached_property
    def _steps(self) -> set[str]:
        """Kinds of the steps that change a text before it is cut."""
        steps = self._library.steps("normalizer") if self._library else ()
        return {str(step["type"]) for step in steps}

    @property
    def _is_by_character(self) -> bool:
        return self._steps <= _BY_CHARACTER

    @cached_property
    def _normalized_characters(self) -> set[str]:
        """All characters that normalization leaves or makes."""
        assert self._library
        every = [*map(chr, range(0xD800)), *map(chr, range(0xE000, 0x110000))]
        found: set[str] = set()
        for start in range(0, len(every), _AT_ONCE):
            found.update(self._library.normalize("\n".join(every[start : start + _AT_ONCE])))
        return found

    def _why_cut(self, token: int, text: str) -> str:
        """Return why BERT's rules cut a piece, or cut it off from the beginning of its word."""
        steps = self._tokenizer.cutting_steps
        if not steps or not _CUTTING_BETWEEN_CHARACTERS.issuperset(step["type"] for step in steps):
            return ""
        if not self._is_by_character:
            return ""
        if len(self._words(text)) > 1:
            return "this text is always cut into several words"
        if self._is_inside(token) and all(len(self._words(before + text)) > 1 for before in _OF_EACH_KIND):
            return "this text is always a word of its own, so it never continues one"
        return ""

    def _words(self, text: str) -> list[str]:
        assert self._library
        return self._library.words(self._library.normalize(text))

    def _why_not_merged(self, token: int) -> str:
        tokenizer, piece = self._tokenizer, self._pieces[token][0]
        prefix, suffix = tokenizer.marks
        if not tokenizer.merges_pieces or tokenizer.ignore_merges or self.merging is not None:
            return ""
        is_symbol = len(piece.removeprefix(prefix).removesuffix(suffix)) == 1
        return "" if is_symbol or tokenizer.rank(token) is not None else "merging its characters makes other tokens"

    # Texts to try

    def _is_inside(self, token: int) -> bool:
        """Return whether a piece is only for the inside of words."""
        prefix = self._tokenizer.marks[0]
        return bool(prefix) and self._pieces[token][0].startswith(prefix)

    @cached_property
    def _firsts(self) -> list[str]:
        """The pieces that begin words and are letters, short ones first."""
        pieces = (piece for token, (piece, _) in enumerate(self._pieces) if piece and not self._is_inside(token))
        return sorted(filter(str.isalpha, pieces), key=len)[:_MAX_FIRSTS]

    def _goes_on(self, first: str, text: str) -> bool:
        """Return whether some piece fits the beginning of a word better than `first` alone, with `text` after it."""
        return any(first + text[:end] in self._ids for end in range(1, min(len(text), _LONGEST) + 1))


def _characters_that_begin_with(byte: int) -> list[str]:
    """Return the characters whose first byte, of one to three, is this one; none for other bytes."""
    if byte < 0x80:
        return [chr(byte)]
    if 0xC2 <= byte < 0xE0:
        return [chr((byte & 0x1F) << 6 | rest) for rest in range(0x40)]
    return [chr((byte & 0x0F) << 12 | rest) for rest in range(0x1000)] if 0xE1 <= byte < 0xED else []
