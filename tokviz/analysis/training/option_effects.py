"""The effect of each option of a training by another library, seen on a text.

Options have the library's own names, and sentences are for people.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from tokviz.analysis.training.piece_report import PieceReport
from tokviz.display import shown
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.tokenizers.engines.stages import SPACE

MAX_TEXT = 1_000_000
"""Maximum code points of a text that is searched for what an option changes."""

_LISTED = 5
_LONGEST_LISTED = 3
_NUMBERS_TRIED = 100
_LONGEST_WORD = 12  # code points of an example
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"(?<!\d)\d{2,12}(?!\d)")
_TWO_DIGITS = re.compile(r"\d\d")
_REPEATED = re.compile(r"\S{1,20}[^\S\n]{2,}\S{1,20}")


class OptionEffect(NamedTuple):
    """The effect of an option with a given value."""

    option: str
    value: str
    says: str


def sentencepiece_effects(
    tokenizer: SentencePieceTokenizer, options: Mapping[str, Any], text: str, report: PieceReport
) -> list[OptionEffect]:
    """Describe what each option of `train_sentencepiece` did, on a training text of which `report` is known."""
    text = text[:MAX_TEXT]
    says = {
        "character_coverage": _coverage(report),
        "byte_fallback": _fallback(report, bool(options["byte_fallback"])),
        "split_digits": _digits(tokenizer, text, bool(options["split_digits"])),
        "add_dummy_prefix": _prefix(tokenizer, text, bool(options["add_dummy_prefix"])),
        "remove_extra_whitespaces": _spaces(tokenizer, text),
        "normalization_rule_name": _replaced(tokenizer, text),
        "max_sentencepiece_length": _longest(tokenizer),
    }
    return [OptionEffect(option, str(options[option]), sentence) for option, sentence in says.items()]


def word_piece_effects(
    tokenizer: HuggingFaceTokenizer, options: Mapping[str, Any], text: str, report: PieceReport
) -> list[OptionEffect]:
    """Describe what each option of `train_word_piece` did, on a training text of which `report` is known."""
    text = text[:MAX_TEXT]
    says = {
        "limit_alphabet": _alphabet(tokenizer, report),
        "min_frequency": _frequency(tokenizer, options),
        "wordpieces_prefix": _inside_words(tokenizer),
        "lowercase": _normalized_example(tokenizer, str.lower, text, "The text has no capital letter."),
        "strip_accents": _normalized_example(tokenizer, _without_accents, text, "The text has no accented letter."),
    }
    return [OptionEffect(option, str(options[option]), sentence) for option, sentence in says.items()]


def _pieces(tokenizer: EngineTokenizer, text: str) -> str:
    return " ".join(tokenizer.stages(text)[-2].pieces)


def normalized(tokenizer: EngineTokenizer, text: str) -> str:
    """Return what a tokenizer makes of a text before it cuts it, `▁` for a space included."""
    stages = tokenizer.stages(text)
    return "".join(stages[0].pieces) if stages[0].name == "normalized" else text


# SentencePiece


def _coverage(report: PieceReport) -> str:
    if not report.num_rare:
        return f"All {report.num_different:,} different characters of the text have a piece."
    return (
        f"{report.num_rare:,} of the text’s {report.num_different:,} different characters have no piece: "
        f"{_rare(report)}. They make up {_percent(report.rare_times, report.total)} of the text."
    )


def _fallback(report: PieceReport, is_on: bool) -> str:
    if not report.num_rare:
        return "No character of this text needs byte fallback."
    tokens = int(report.counts.sum())
    if is_on:
        share = _percent(report.from_bytes, tokens)
        return f"Characters without a piece are spelled in bytes: {report.from_bytes:,} tokens, {share} of all."
    unknown = _percent(report.unknown, tokens)
    return f"Characters without a piece are lost: {report.unknown:,} tokens are <unk>, {unknown} of all."


def _digits(tokenizer: EngineTokenizer, text: str, is_on: bool) -> str:
    """Cut a number of the text as an example: where digits may join, one in which some do."""
    numbers = [number for number, _ in Counter(_NUMBER.findall(text)).most_common(_NUMBERS_TRIED)]
    if not numbers:
        return "The text has no number of two digits."
    cuts = [(number, _pieces(tokenizer, number)) for number in numbers]
    number, pieces = next((cut for cut in cuts if is_on or _TWO_DIGITS.search(cut[1])), cuts[0])
    joins = is_on or _TWO_DIGITS.search(pieces)
    return f"{'' if joins else 'Digits may join, but not here: '}“{number}” is cut {pieces}"


def _prefix(tokenizer: EngineTokenizer, text: str, is_on: bool) -> str:
    found = _WORD.search(text)
    if found is None:
        return "The text has no word."
    word = found[0][:_LONGEST_WORD]
    puts = "A space is put in front of a text" if is_on else "Nothing is put in front of a text"
    alone, inside = _pieces(tokenizer, word), _pieces(tokenizer, f"a {word}")
    return f"{puts}: “{word}” becomes {alone}, and “a {word}” becomes {inside}."


def _spaces(tokenizer: EngineTokenizer, text: str) -> str:
    found = _REPEATED.search(text)
    if found is None:
        return "The text has no repeated spaces."
    return f"{shown(found[0].encode())} becomes {normalized(tokenizer, found[0]).lstrip(SPACE)}"


def _replaced(tokenizer: EngineTokenizer, text: str) -> str:
    """List the characters that normalization replaces, by themselves; white space is left out."""
    counted = Counter(each for each in text if not each.isspace() and each != SPACE)
    changed = []
    for character, times in counted.most_common():
        new = normalized(tokenizer, character).replace(SPACE, "")
        if new != character:
            changed.append((f"{character} → {new or 'nothing'}", times))
    if not changed:
        return "It replaces no character of this text."
    return f"It replaces {_listed(changed, len(changed))}."


def _longest(tokenizer: EngineTokenizer) -> str:
    excluded = {*tokenizer.special_tokens.values(), *tokenizer.model.byte_ids.values(), tokenizer.model.unknown}
    pieces = [piece for token, (piece, _) in enumerate(tokenizer.model.pieces) if token not in excluded]
    longest = sorted(pieces, key=len, reverse=True)[:_LONGEST_LISTED]
    return f"The longest pieces are {', '.join(f'{piece} ({len(piece)})' for piece in longest)}."


# WordPiece


def _alphabet(tokenizer: EngineTokenizer, report: PieceReport) -> str:
    prefix = tokenizer.model.continuing_prefix
    letters = {piece.removeprefix(prefix) for piece, _ in tokenizer.model.pieces}
    size = sum(len(each) == 1 for each in letters)
    if not report.num_rare:
        return f"The alphabet has {size:,} characters, and every word of the text can be spelled."
    return (
        f"The alphabet has {size:,} characters. {report.num_rare:,} different words have others and become [UNK]: "
        f"{_rare(report)}."
    )


def _frequency(tokenizer: EngineTokenizer, options: Mapping[str, Any]) -> str:
    if tokenizer.vocab_size >= options["vocab_size"]:
        return f"The vocabulary was full first, at {tokenizer.vocab_size:,} pieces."
    times = options["min_frequency"]
    why = f"no pair occurs {times:,} times any more" if times > 1 else "no pair is left to join"
    return f"Training ended at {tokenizer.vocab_size:,} pieces: {why}."


def _inside_words(tokenizer: EngineTokenizer) -> str:
    prefix = tokenizer.model.continuing_prefix
    inside = [piece for piece, _ in tokenizer.model.pieces if piece.startswith(prefix) and piece != prefix]
    longest = max(inside, key=len, default="")
    example = f", such as {longest}" if longest else ""
    return f"{len(inside):,} pieces continue a word{example}."


def _normalized_example(tokenizer: EngineTokenizer, change: Callable[[str], str], text: str, otherwise: str) -> str:
    words = (word for word in _WORD.findall(text) if change(word) != word)
    word = next(words, "")[:30]
    return f"“{word}” is read as “{normalized(tokenizer, word).strip()}”." if word else otherwise


def _without_accents(word: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))


# Wording


def _rare(report: PieceReport) -> str:
    return _listed([(shown(part.encode()), times) for part, times in report.rare], report.num_rare)


def _listed(counted: Iterable[tuple[str, int]], total: int) -> str:
    """List the first of some strings with how often each occurs."""
    entries = [f"{text} ({times:,}×)" for text, times in counted][:_LISTED]
    more = f" and {total - len(entries):,} more" if total > len(entries) else ""
    return f"{', '.join(entries)}{more}"


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole if whole else 0
    return "less than 0.01 %" if 0 < share < 0.01 else f"{share:.2g} %" if share < 10 else f"{share:.0f} %"
