"""Recipes of trainings: what a visitor may ask for, checked, since anybody may have written it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tokviz.app.shields.processes.typed import typed
from tokviz.bpe.training import TieBreak
from tokviz.pretokens.splitting import time_limit
from tokviz.texts import repair
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.tokenizers.engines.training import ModelType, train_sentencepiece, train_word_piece
from tokviz.tokenizers.train import AlphabetName, train

LARGEST = 200_000
"""Maximum vocabulary size of a recipe."""

Rule = Literal["nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"]

_MAX_PREFIX = 20  # characters
_RANGES: Mapping[str, tuple[float, float]] = {
    "vocab_size": (1, LARGEST),
    "character_coverage": (0.98, 1.0),
    "max_sentencepiece_length": (1, 512),
    "min_frequency": (0, 1_000_000),
    "limit_alphabet": (1, 100_000),
}


@dataclass(frozen=True)
class Recipe:
    """The arguments of `tokviz.train`, except the texts."""

    vocab_size: int
    split_pattern: str | None = "cl100k"
    alphabet: AlphabetName = "bytes"
    end_of_word: str | None = None
    tie_break: TieBreak = "first-seen"
    special_tokens: tuple[str, ...] = ()


def merges_given(texts: list[str], wanted: int, seconds: float, recipe: Mapping[str, Any]) -> int:
    """Return how many merges, of so many, texts give by a recipe's fields. Raises ValueError."""
    with time_limit(seconds):
        return train(texts, num_merges=wanted, **{**recipe, "vocab_size": None}).num_merges


@dataclass(frozen=True)
class SentencePieceRecipe:
    """The arguments of `train_sentencepiece`, except the texts. The vocabulary may turn out smaller."""

    vocab_size: int
    model_type: ModelType = "unigram"
    character_coverage: float = 0.9995
    byte_fallback: bool = False
    split_digits: bool = False
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    normalization_rule_name: Rule = "nmt_nfkc"
    max_sentencepiece_length: int = 16

    file = "tokenizer.model"

    def train(self, texts: list[str]) -> SentencePieceTokenizer:
        """Train the tokenizer. Raises ValueError."""
        # One thread: scores are sums in single precision, whose order would change with the number of threads.
        return train_sentencepiece(texts, hard_vocab_limit=False, num_threads=1, **asdict(self))


@dataclass(frozen=True)
class WordPieceRecipe:
    """The arguments of `train_word_piece`, except the texts."""

    vocab_size: int
    min_frequency: int = 2
    limit_alphabet: int = 1000
    wordpieces_prefix: str = "##"
    lowercase: bool = True
    strip_accents: bool | None = None

    file = "tokenizer.json"

    def train(self, texts: list[str]) -> HuggingFaceTokenizer:
        """Train the tokenizer. Raises ValueError."""
        return train_word_piece(texts, **asdict(self))


EngineRecipe = SentencePieceRecipe | WordPieceRecipe
AnyRecipe = Recipe | EngineRecipe

ALGORITHMS: Mapping[str, type[EngineRecipe]] = {"sentencepiece": SentencePieceRecipe, "wordpiece": WordPieceRecipe}
"""Recipes of other libraries, by the name under which links and requests know them."""


def algorithm_of(recipe: AnyRecipe) -> str:
    """Return the name of a recipe in `ALGORITHMS`; "" for tokviz's own."""
    return next((name for name, kind in ALGORITHMS.items() if type(recipe) is kind), "")


def engine_recipe(algorithm: str, given: Mapping[str, Any]) -> EngineRecipe:
    """Return a recipe with these values, each of the right type and within limits. Raises ValueError."""
    kind = ALGORITHMS.get(algorithm)
    if kind is None:
        raise ValueError(f"there is no training named {algorithm[:40]!r}")
    recipe: EngineRecipe = typed(kind, dict(given))
    for name, (least, most) in _RANGES.items():
        if not least <= getattr(recipe, name, least) <= most:
            raise ValueError(f"the option {name} must be from {least:,} to {most:,}")
    prefix = getattr(recipe, "wordpieces_prefix", "##")
    if not 1 <= len(prefix) <= _MAX_PREFIX or repair(prefix)[1]:
        raise ValueError(f"the option wordpieces_prefix must be a text of 1 to {_MAX_PREFIX} characters")
    return recipe
