"""A preview of training: how a recipe cuts a text, and how many merges or pieces the text has room for.

How many merges, only a training can tell. It takes place in a child of a `Pool`, on the beginning of the text.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict

from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.answering import LEAST
from tokviz.app.shields.processes.kept_child import Task
from tokviz.app.shields.processes.limited_child import as_json
from tokviz.app.shields.processes.pool import Limits, Pool
from tokviz.app.shields.processes.training_recipes import (
    LARGEST,
    EngineRecipe,
    Recipe,
    SentencePieceRecipe,
    merges_given,
)
from tokviz.app.shields.processes.typed import typed
from tokviz.display import shorten, shown
from tokviz.pretokens import splitting
from tokviz.pretokens.special_tokens import cut_out
from tokviz.pretokens.splitting import TimeBudget
from tokviz.pretokens.words import apart_from_space
from tokviz.texts import distinct
from tokviz.tokenizers.engines.training import BERT_TOKENS

MAX_TRIED = 20_000
"""Maximum code points of a text that a recipe is tried on."""

SECONDS = 1.0
"""Maximum seconds for cutting a text to show how, and for trying how many merges fit."""

MAX_WAIT = 10.0
"""Maximum seconds that a request waits until it can be tried how many merges fit."""

QUICK = Limits(288 * 1024**2, seconds=1.0, size=MAX_TRIED)
SLOW = QUICK._replace(seconds=5.0)

MAX_FITTING = 1_000
"""Maximum merges that are proposed unasked."""

_CONTROL_SYMBOLS = 3  # <unk>, <s> and </s> of a SentencePiece model
_MIN_FITTING = 20
_SYMBOLS_PER_MERGE = 20  # bytes or characters of a long text, so that a merge joins many places
_SHORT = 800  # bytes or characters of a text whose words would not grow with so few merges
_SYMBOLS_PER_MERGE_OF_SHORT = 4
_PREVIEWED = 10_000  # code points that are split for the preview
_MAX_PIECES = 60

_pool = Pool("limited_child", QUICK, SLOW, things="recipes", wait=MAX_WAIT)


def preview(text: str, recipe: Recipe) -> tuple[list[str], bool]:
    """Return how special tokens, the split pattern and the ends of words cut the beginning of a text, spelled.

    Also returns whether there is more of it. Raises ValueError if the split pattern takes longer than SECONDS.
    """
    pieces: list[str] = []
    with splitting.time_limit(SECONDS):
        parts = cut_out(text[:_PREVIEWED], recipe.special_tokens)
        for number, part in enumerate(parts):  # parts with odd numbers are special tokens
            cut = [part] if number % 2 else splitting.split(part, splitting.resolve(recipe.split_pattern))
            pieces += apart_from_space(cut) if recipe.end_of_word and number % 2 == 0 else cut
    has_more = len(pieces) > _MAX_PIECES or len(text) > _PREVIEWED
    return [shorten(shown(piece.encode("utf-8", "replace"))) for piece in pieces[:_MAX_PIECES]], has_more


def alphabet_size(texts: Sequence[str], recipe: Recipe) -> int:
    """Return the number of symbols that training on these texts starts from."""
    if recipe.alphabet == "bytes":
        return 256
    characters: set[str] = set()
    for text in texts:
        characters.update(*map(distinct, cut_out(text, recipe.special_tokens)[::2]))
    if recipe.alphabet == "characters":
        return len(characters) + (recipe.end_of_word is not None)
    return len(set("".join(characters).encode("utf-8", "replace")))


def fitting_merges(texts: Sequence[str], recipe: Recipe, length: int | None = None) -> int:
    """Return a number of merges that suits texts of `length` code points in all, and that they can give.

    Only the beginning is tried; longer texts give more merges.
    """
    length = sum(map(len, texts)) if length is None else length
    beginning = _beginning(texts)
    if not any(beginning):
        return _wanted(length)
    if recipe.alphabet != "characters":  # a word of bytes takes more merges in most scripts than in Latin
        length = length * len("".join(beginning).encode("utf-8", "replace")) // sum(map(len, beginning))
    wanted = _wanted(length)
    message = exchange.pack_call(as_json, exchange.name_of(merges_given), beginning, wanted, SECONDS, asdict(recipe))
    task = Task(message, "trying this", LEAST, TimeBudget(SLOW.seconds, SLOW.seconds))
    pattern = recipe.split_pattern
    data = _pool.ask(task, pattern, sum(map(len, beginning)), is_trusted=pattern in (None, *splitting.PATTERNS))
    found: int = typed(int, json.loads(data))
    return min(wanted, found)


def fitting_size(texts: Sequence[str], recipe: EngineRecipe, length: int | None = None) -> int:
    """Return a vocabulary size for another library's training on texts of `length` code points in all.

    It has room for every character, and for what is not learned: special tokens and bytes.
    """
    characters = len(characters_of(texts))
    if isinstance(recipe, SentencePieceRecipe):
        fixed = characters + _CONTROL_SYMBOLS + 256 * recipe.byte_fallback
    else:
        fixed = 2 * min(characters, recipe.limit_alphabet) + len(BERT_TOKENS)  # inside words they are other pieces
    return min(LARGEST, fixed + _wanted(sum(map(len, texts)) if length is None else length))


def characters_of(texts: Sequence[str]) -> set[str]:
    """Return the different characters of texts."""
    return set().union(*map(distinct, texts))


def _wanted(length: int) -> int:
    """Return a number of merges, or of longer pieces, that suits a text of so many symbols."""
    short, rest = min(length, _SHORT), max(0, length - _SHORT)
    wanted = short // _SYMBOLS_PER_MERGE_OF_SHORT + rest // _SYMBOLS_PER_MERGE
    return max(_MIN_FITTING, min(MAX_FITTING, _rounded(wanted)))


def _beginning(texts: Sequence[str]) -> list[str]:
    parts, left = [], MAX_TRIED
    for text in texts:
        if left > 0:
            parts.append(text[:left])
        left -= len(text)
    return parts


def _rounded(number: int) -> int:
    """Round down to two digits at most, the second a 0 or a 5: 58 to 55, 1,234 to 1,000."""
    unit: int = 10 ** max(0, len(str(number)) - 2)
    digits = number // unit
    return (digits - digits % 5 if digits >= 10 else digits) * unit
