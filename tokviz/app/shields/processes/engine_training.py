"""Trainings by other libraries: what a training process makes of a recipe (see `training_child`)."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, NamedTuple

from tokviz.analysis.training.first_symbols import CodePointsOrBytes, code_points_or_bytes, least_size
from tokviz.analysis.training.option_effects import OptionEffect, sentencepiece_effects, word_piece_effects
from tokviz.analysis.training.piece_report import PieceReport, piece_report
from tokviz.analysis.training.report import Peers
from tokviz.app.shields.processes.training_recipes import EngineRecipe, SentencePieceRecipe
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

MAX_TEXT = 3_000_000
"""Maximum code points that another library is trained on: so many take WordPiece 0.7 GB to train on and to encode."""

MAX_COMPARED = 200_000
"""Maximum code points of the text on which code points first and bytes first are compared."""


class FirstSymbolsTable(NamedTuple):
    """The comparison of `code_points_or_bytes` as data: its ways and rare characters, and what it was computed on.

    `characters` is the number of code points compared; `vocab_size` the size of all three vocabularies, None if the
    text is too short; `asked` the recipe's, `least` the least that is worth comparing. `problem` says why there is
    nothing else, if so.
    """

    ways: list[dict[str, Any]]
    rare: list[dict[str, Any]]
    vocab_size: int | None
    characters: int
    asked: int
    least: int
    problem: str = ""


class EngineReport(NamedTuple):
    """Facts about a tokenizer that another library trained.

    `asked` is the vocabulary size asked for, which a text may not give. `first_symbols` is None for WordPiece.
    """

    asked: int
    pieces: PieceReport
    effects: list[OptionEffect]
    first_symbols: FirstSymbolsTable | None


def learn(
    recipe: EngineRecipe,
    texts: list[str],
    measured: list[str],
    peers: Peers | None,
    progress: Callable[[str, int, int | None], None],
) -> tuple[dict[str, bytes], EngineReport]:
    """Train a tokenizer and measure it; return its file, by name, and the report. Raises ValueError."""
    size = sum(map(len, texts))
    if size > MAX_TEXT:
        raise ValueError(f"the text has {size:,} characters; these trainings take {MAX_TEXT:,}: choose a part of it")
    progress("training", 0, None)
    tokenizer = recipe.train(texts)
    progress("measuring", 0, None)
    found = piece_report(tokenizer, texts, measured, peers)
    text, options = "\n".join(texts), asdict(recipe)
    table = None
    if isinstance(tokenizer, SentencePieceTokenizer):
        effects = sentencepiece_effects(tokenizer, options, text, found)
        progress("comparing", 0, None)
        assert isinstance(recipe, SentencePieceRecipe)
        table = first_symbols_table(recipe, text[:MAX_COMPARED])
    else:
        effects = word_piece_effects(tokenizer, options, text, found)
    return {recipe.file: tokenizer.data}, EngineReport(recipe.vocab_size, found, effects, table)


def first_symbols_table(recipe: SentencePieceRecipe, text: str) -> FirstSymbolsTable:
    """Compare code points first and bytes first on a text, with the recipe's size or the least that is worth it."""
    asked, least = recipe.vocab_size, least_size(text)
    try:
        found = code_points_or_bytes(text, vocab_size=max(asked, least), character_coverage=recipe.character_coverage)
    except ValueError as error:
        return FirstSymbolsTable([], [], None, len(text), asked, least, f"{error}")
    return FirstSymbolsTable(*_as_data(found), found.vocab_size, len(text), asked, least)


def _as_data(peers: CodePointsOrBytes) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    ways = [
        {
            "title": way.title,
            "vocabulary": way.tokenizer.vocab_size,
            "tokens": way.tokens,
            "unknown": way.unknown,
            "parts": way.parts,
            "lossless": way.is_lossless,
        }
        for way in peers.ways
    ]
    return ways, [row._asdict() for row in peers.rare]
