"""Texts on which two tokenizers are likely to differ, if they do: tried one after another, the likeliest first."""

import random
import unicodedata
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, product

from tokviz.analysis.difference.changes import Changes
from tokviz.analysis.difference.stages import Stage, always_found
from tokviz.display import token_text
from tokviz.samples import samples
from tokviz.tokenizers.base import Tokenizer

# Something for each branch of the usual split patterns and for each normal form.
_ATOMS = (
    "a", "B", "Ab", "é", "e\u0301", "ß", "ſ", "ﬁ", "ǅ", "中", "あ", "가", "\u1100\u1161", "ا", "ก", "1", "234", "١",
    "½", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "'", "’", "'s", "'T", "'ll", "_", "/", "//", "-", "...",
    "+", "<", "(", "$", "，", "🍕", "\u200d", "\ufe0f", "\u0327", "\0", "\ufffd", "\ue000",
)  # fmt: skip
_FEW_ATOMS = ("a", "B", "e\u0301", "中", "1", "234", " ", "\n", "\t", "'s", "'", "/", "-", "，", "🍕")

_MAX_TOKENS = 6_000
"""Maximum tokens whose texts are tried."""

_RANDOM_TEXTS = 2_000


def trial_texts(first: Tokenizer, second: Tokenizer, stages: Sequence[Stage], changes: Changes) -> Iterator[str]:
    """Yield texts for two tokenizers that differ in `stages`. The same ones each time; some may be repeated."""
    if Stage.SPECIALS in stages:
        yield from _around_specials(first, second)
    yield from _ATOMS
    yield from changes.texts()
    yield from map("".join, product(_ATOMS, repeat=2))
    tokens = _texts_of_tokens(first, second)
    yield from tokens
    yield from changes.witnesses()
    yield from map("".join, product(_FEW_ATOMS, repeat=3))
    for sample in samples():
        yield sample.text
    choose = random.Random(0).choice
    pieces = [*tokens[: _MAX_TOKENS // 2], *_ATOMS]
    for number in range(_RANDOM_TEXTS):
        yield "".join(choose(pieces) for _ in range(2 + number % 7))


def _around_specials(first: Tokenizer, second: Tokenizer) -> Iterator[str]:
    """Special and added tokens, those first that only one has, alone and beside other text."""
    have = [_cut_out_texts(tokenizer) for tokenizer in (first, second)]
    only_one = sorted(have[0] ^ have[1])
    texts = [*only_one, *sorted(have[0] & have[1])]
    for before, after in (("", ""), ("a", "a"), (" ", " "), ("a ", " a"), ("\n", "\n"), ("", "!")):
        yield from (f"{before}{text}{after}" for text in texts[:1_000])
    # A token may be looked for before the text is normalized, or after.
    for change in (str.upper, str.lower, partial(unicodedata.normalize, "NFD"), partial(unicodedata.normalize, "NFKC")):
        yield from (changed for text in texts[:1_000] if (changed := change(text)) != text)


def _cut_out_texts(tokenizer: Tokenizer) -> set[str]:
    return {*tokenizer.special_tokens, *always_found(tokenizer)}


def _texts_of_tokens(first: Tokenizer, second: Tokenizer) -> list[str]:
    """Texts of the tokens: those first that only one has or that have another id, then some of all."""
    vocabularies = [tokenizer.vocab for tokenizer in (first, second) if len(tokenizer.vocab) < 0x100000]
    ids = [{data: token for token, data in vocab.items()} for vocab in vocabularies]
    every = list(dict.fromkeys(chain.from_iterable(ids)))
    differing = {data for data, _ in ids[0].items() ^ ids[-1].items()} if ids else set()
    changed = [data for data in every if data in differing] if differing else []
    step = max(1, 2 * len(every) // _MAX_TOKENS)
    chosen = dict.fromkeys([*changed[: _MAX_TOKENS // 2], *every[::step]])
    return [text for data in chosen if (text := token_text(data))]
