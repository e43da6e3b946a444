"""Figures of the chapter "trouble": tokens that nobody meets, learned from one text, or in well-known vocabularies."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from tokviz.course.figure import MAX_LONG, Figure, Question, as_json, two_texts, who
from tokviz.course.inside import well_known
from tokviz.course.pieces import corpus
from tokviz.display import counted, enumerated, hex_bytes, shown, visible
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.train import train

MAX_LEARNED_FROM = 20_000
"""Maximum code points of a text that a vocabulary is learned from to be counted elsewhere."""

MERGES = 200
"""Maximum merges of that vocabulary."""

MAX_LISTED = 24
"""Maximum tokens that are listed as never seen."""

MAX_MET = 3
"""Maximum tokens that are named as seen."""


def unseen(text: str, other: str) -> dict[str, Any]:
    """Learn tokens from a text, and count them in it and in another."""
    text, other = (repair(each)[0][:MAX_LEARNED_FROM] for each in (text, other))
    if not text:
        return {"learned": 0, "unseen": 0, "met": [], "listed": [], "says": say_unseen(0, 0, [], [])}
    tokenizer = train(text, num_merges=MERGES, split_pattern="gpt2")
    there = Counter(tokenizer.encode(other))
    learned = range(256, tokenizer.vocab_size)
    met, never = ([tokenizer.vocab[each] for each in learned if bool(there[each]) is side] for side in (True, False))
    found: dict[str, Any] = {
        "learned": len(learned),
        "unseen": len(never),
        "met": _longest(met, MAX_MET),
        "listed": _longest(never, MAX_LISTED),
    }
    return found | {"says": say_unseen(**found)}


def say_unseen(learned: int, unseen: int, met: Sequence[str], listed: Sequence[str]) -> str:
    """Say how many of the learned tokens the other text has, of which some are `met`, and how many it lacks."""
    if not learned:
        return "Type a text in which some pair of letters stands twice."
    used = learned - unseen
    which = f"{used:,} of them{', such as' if used > len(met) else ':'} {enumerated(met)}." if used else "none of them."
    longest = f": {unseen:,}, of which the longest are" if len(listed) < unseen else ""
    never = f" {'Not in it' if used else 'Never met'}{longest}:" if unseen else ""
    return f"{counted('token', learned)} learned. The other text has {which}{never}"


def _longest(tokens: Iterable[bytes], most: int) -> list[str]:
    return [shown(token) for token in sorted(tokens, key=len, reverse=True)[:most]]


REPORTED = (" SolidGoldMagikarp", " TheNitromeFan", " RandomRedditorWithNo", "StreamerBot", " attRot", " externalToEVA")
"""Some of the tokens of GPT-2 that the report on SolidGoldMagikarp names (Rumbelow and Watkins, 2023)."""


class NoText(NamedTuple):
    """The tokens of a vocabulary that no text gives: how many there are, the id of one, and why most of them aren't."""

    tokens: int
    example: int
    why: str


_NO_UTF8 = "a byte that is in no character"

NO_TEXT = {
    "GPT-2": NoText(13, 177, _NO_UTF8),
    "cl100k": NoText(13, 177, _NO_UTF8),
    "o200k": NoText(14, 177, _NO_UTF8),
    "Mistral 7B": NoText(141, 807, "the byte of a character, which has a token of its own"),
    "Qwen3": NoText(1_932, 77150, "cut apart by its split pattern"),
    "DeepSeek V3": NoText(13, 180, _NO_UTF8),
    "BERT": NoText(1_331, 521, "a place kept free for later"),
}
"""Results of `token_reach` for each tokenizer, stored because it takes up to half a minute. A test recomputes them."""


@cache
def glitches() -> dict[str, Any]:
    """Look for tokens in each vocabulary that nobody meets.

    A tokenizer does it if no text gives some of its tokens. `unused` are those that Python's documentation never uses,
    though some text gives them, `reported` those of the report among its tokens.
    """
    rows = [_glitch_row(label, tokenizer) for label, tokenizer in well_known().items()]
    return {"rows": rows, "reported": [visible(token) for token in REPORTED], "says": say_glitches(rows)}


def say_glitches(rows: Sequence[dict[str, Any]]) -> str:
    """Say who has tokens that come from no text, and who has those of the report."""
    reported = [{"name": each["name"], "does": each["reported"] > 0} for each in rows]
    never = who("some tokens come from no text, so no model can meet them", "each token comes from some text", rows)
    named = who("there are tokens of the names below, which the report found", "there are none of these", reported)
    others = "Python’s documentation is just one long text. Tokens that are not in it may well be in others."
    return f"{never} {others} {named}"


def _glitch_row(label: str, tokenizer: Tokenizer) -> dict[str, Any]:
    never, ordinary = NO_TEXT[label], tokenizer.vocab.keys() - set(tokenizer.special_tokens.values())
    used = ordinary & set(tokenizer.encode(corpus()))
    spell = hex_bytes if never.example in tokenizer.byte_ids else shown
    return {
        "name": label,
        "tokens": len(tokenizer.vocab),
        "never": never.tokens,
        "example": spell(tokenizer.vocab[never.example]),
        "why": never.why,
        "unused": len(ordinary) - never.tokens - len(used),
        "reported": sum(len(tokenizer.encode(token)) == 1 for token in REPORTED),
        "does": never.tokens > 0,
    }


def _ask(value: str, _: str) -> Iterator[Question]:
    """Ask about the example that stands for the reader's own text, or about well-known vocabularies."""
    if value == "gpt2":
        yield "glitches", "", {}
    else:
        example, _, other = value.removeprefix("own;").partition("|")
        yield "unseen", as_json([example.replace("\\n", "\n"), other]), {}


FIGURES = {
    "unseen": Figure(lambda text: unseen(*two_texts(text)), MAX_LONG, asks=_ask),
    "glitches": Figure(lambda _: glitches(), takes="searching"),
}
