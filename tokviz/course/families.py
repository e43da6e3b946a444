"""Figures of the chapter "families": what no piece spells, three ways to choose pieces, and a text in all families."""

import json
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from tokviz.course.figure import MAX_LONG, OWN_TEXT, Figure, Part, Question, below, note, rung, sections
from tokviz.course.inside import row, tokens_of, well_known
from tokviz.course.pieces import corpus
from tokviz.display import hex_bytes
from tokviz.lesson.figures import replay_figure
from tokviz.loading import load, load_shipped
from tokviz.samples import samples
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.tokenizers.engines.training import train_sentencepiece, train_word_piece
from tokviz.tokenizers.train import train
from tokviz.widgets import replay_views
from tokviz.widgets.longest_matches import MAX_LOOKS

MAX_CHARACTERS = 200
"""Maximum code points of a text whose unknown characters are shown."""

MAX_WORD = 30
"""Maximum code points of a word that is cut by three algorithms."""

MAX_TEXT = 5_000
"""Maximum code points of a text that is cut by all families."""

COVERAGES = ("0.98", "0.99", "0.995", "0.999", "0.9995", "1")
"""Parts of a text that a vocabulary's characters are made to cover."""

SIZE = 2_000
"""Tokens of a vocabulary that is learned for a figure."""

_LEARNED_FROM = 200_000  # code points of the documentation that the three algorithms learn from
_ALGORITHMS = {"bpe": "BPE", "unigram": "Unigram", "wordpiece": "WordPiece"}  # algorithms as chapters write them

# What no piece spells


def strangers(text: str, coverage: str, *, byte_fallback: bool) -> dict[str, Any]:
    """Cut a text by tiktoken and by sentencepiece: a model in use, and a small one with characters for `coverage`.

    Both models are switched to bytes or `<unk>` for what no piece spells. Raises ValueError for another coverage.
    """
    if coverage not in COVERAGES:
        raise ValueError(f"the coverage must be one of {', '.join(COVERAGES)}, not {coverage!r}")
    text = repair(text)[0][:MAX_CHARACTERS]
    small, cl100k = covering(coverage), load_shipped("cl100k_base")
    return {
        "known": sum(len(piece) == 1 for piece, _ in small.model.pieces),
        "all": len(set(_languages()) - {"\n"}),
        "cut": cut_character(cl100k, text),
        "rows": [
            _row("tiktoken: cl100k", cl100k, text),
            _row("sentencepiece: Mistral 7B", _in_use(byte_fallback), text) | {"switched": not byte_fallback},
            _row("sentencepiece: learned here", small.with_byte_fallback(byte_fallback), text),
        ],
    }


def strangers_parts(text: str, coverage: str = "", bytes: str = "") -> dict[str, Any]:
    """Show what each makes of a text, with how many of all characters the small model knows."""
    found = strangers(text, coverage, byte_fallback=bytes == "bytes")
    cuts = [[_say_cut(*found["cut"].values())] if found["cut"] else [], [], []]
    switched = "its byte fallback is switched off here · "
    rows = [
        rung(each, switched if each.get("switched") else "", after=[*_say_back(each), *cut])
        for each, cut in zip(found["rows"], cuts, strict=True)
    ]
    return {"known": found["known"], "all": found["all"], "parts": [sections("rungs", rows)]}


def _say_cut(character: str, data: str) -> Part:
    those = "are only the first bytes" if " " in data else "is only the first byte"
    return below(
        "It cuts ", ("bdi", character), ": its first token ends with ", ("code", data), f", which {those} of it."
    )


def cut_character(tokenizer: Tokenizer, text: str) -> dict[str, str] | None:
    """Find the first character that is cut, and its bytes in the token that it begins in; None if there is none."""
    start = 0
    for _, part in tokens_of(tokenizer, text):
        whole = len(part.decode("utf-8", "ignore").encode())
        if whole < len(part):
            rest = text.encode()[start + whole :].decode("utf-8", "ignore")
            return {"character": rest[0], "bytes": hex_bytes(part[whole:])}
        start += len(part)
    return None


@cache
def _in_use(byte_fallback: bool) -> SentencePieceTokenizer:
    """Load a model in use with byte fallback on or off. Its pieces are not read anew for each key that is pressed."""
    return load("mistral-7b").with_byte_fallback(byte_fallback)


@cache
def covering(coverage: str) -> SentencePieceTokenizer:
    """Learn pieces from a passage in many languages. One thread, so that each training gives the same."""
    return train_sentencepiece(
        _languages(),
        model_type="bpe",
        vocab_size=SIZE,
        character_coverage=float(coverage),
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        hard_vocab_limit=False,
        num_threads=1,
    )


@cache
def _languages() -> str:
    return "\n".join(each.text for each in samples() if each.kind == "prose")


def _row(label: str, tokenizer: Tokenizer, text: str) -> dict[str, Any]:
    """Describe a text's tokens, and what they decode to."""
    back = tokenizer.decode(tokenizer.encode(text))
    return row(label, tokenizer, text) | {"back": None if back == text else back}


# Three ways to choose


def three_ways(word: str) -> dict[str, Any]:
    """Show how byte pair encoding, Unigram and WordPiece cut a word, all learned from the same text."""
    word = repair(word)[0][:MAX_WORD]
    return {"ways": [_way(label, tokenizer, word) for label, tokenizer in learned().items()] if word else []}


def _way(label: str, tokenizer: Tokenizer, word: str) -> dict[str, Any]:
    columns, meta = replay_views.steps_of(tokenizer, word)
    step = MAX_LOOKS if "matches" in meta else 0  # all looks at once: going through them takes a click each
    figure = replay_figure(columns, meta | {"tokenizer": label}, step, f"How {label} cuts the word")
    return row(label, tokenizer, word) | {"figure": json.loads(figure.as_json())}


@cache
def learned() -> dict[str, Tokenizer]:
    """Learn a vocabulary of one size from one text by the three algorithms."""
    text = corpus()[:_LEARNED_FROM]
    return {
        "BPE": train(text, vocab_size=SIZE, split_pattern="gpt2"),
        "Unigram": train_sentencepiece(text, vocab_size=SIZE, num_threads=1),
        "WordPiece": train_word_piece(text, vocab_size=SIZE, lowercase=False),
    }


# All families


def kinds(text: str) -> dict[str, Any]:
    """Count a text's tokens under the well-known tokenizers inside the package, and say what each gives back."""
    whole, _ = repair(text)
    part = whole[:MAX_TEXT]
    rows = [_row(label, tokenizer, part) | {"family": _family(tokenizer)} for label, tokenizer in well_known().items()]
    return {"cut": len(part) < len(whole), "rows": rows}


def _family(tokenizer: Tokenizer) -> str:
    if isinstance(tokenizer, SentencePieceTokenizer):
        fallback = ", with byte fallback" if tokenizer.model.byte_ids else ""
        return f"{_ALGORITHMS[tokenizer.algorithm]} over characters{fallback}"
    if tokenizer.algorithm in _ALGORITHMS and tokenizer.algorithm != "bpe":
        return _ALGORITHMS[tokenizer.algorithm]
    return "BPE over bytes"


def kinds_rungs(text: str) -> list[Part]:
    """Show a text in all families."""
    found = kinds(text)
    rows = [rung(each, f"{each['family']} · ", after=_say_back(each)) for each in found["rows"]]
    return [sections("rungs", rows), note("This is the beginning of your text." if found["cut"] else "")]


def _say_back(found: dict[str, Any]) -> list[Part]:
    """Say what the tokens of a text decode to."""
    if not found["count"]:
        return []
    if found["back"] is None:
        return [below("Decoded, it is the same text.")]
    return [below("Decoded, it is another text: ", ("code", found["back"]))]


def _ask_strangers(value: str, _: str) -> Iterator[Question]:
    """Ask about a text at each coverage, with and without byte fallback."""
    text = value.split(";", 2)[2]
    for coverage, fallback in product(COVERAGES, ("unk", "bytes")):
        yield "strangers", text, {"coverage": coverage, "bytes": fallback}


FIGURES = {
    "strangers": Figure(strangers_parts, 4 * MAX_CHARACTERS, takes="loading", asks=_ask_strangers),
    "threeways": Figure(three_ways, takes="loading"),
    "kinds": Figure(kinds_rungs, MAX_LONG, OWN_TEXT, "loading"),
}
