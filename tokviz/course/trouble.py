"""Figures of the chapter "trouble": where it goes wrong to cut a text into tokens, and which tokenizers still do it.

Each answer has a row for each of the well-known tokenizers inside the package, whose `does` says whether it still does.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from tokviz.course.figure import MAX_LONG, Figure, Options, Part, below, chips, field, says, section, sections, who
from tokviz.course.inside import row, tokens_of, well_known
from tokviz.course.pieces import corpus
from tokviz.display import counted, enumerated, hex_bytes, shown, visible
from tokviz.positions import grapheme_offsets
from tokviz.pretokens.splitting import BRANCHES
from tokviz.pretrained import load
from tokviz.samples import sample
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import ByteTokenizer
from tokviz.tokenizers.train import train

MAX_WORD = 40
"""Maximum code points of a word whose letters are counted."""

MAX_DIGITS = 12
"""Maximum digits of a number that is added."""

MAX_CHARACTERS = 1_000
"""Maximum code points of a text that is compared with another."""

MAX_TOKENS = 400
"""Maximum tokens of such a text that are shown."""

MAX_LEARNED_FROM = 20_000
"""Maximum code points of a text that a vocabulary is learned from to be counted elsewhere."""

MERGES = 200
"""Maximum merges of that vocabulary."""

MAX_LISTED = 24
"""Maximum tokens that are listed as never seen."""

MAX_MET = 3
"""Maximum tokens that are named as seen."""

# Letters


def spelling(word: str, letter: str) -> dict[str, Any]:
    """Count a letter in each token of a word, and compare the tokens with those of the word reversed.

    A tokenizer does it if a token holds the letter together with other characters. Reversing does it if the reversed
    word takes other tokens.
    """
    word = repair(word)[0][:MAX_WORD]
    characters = [word[start:end] for start, end in pairwise(grapheme_offsets(word).tolist())]
    reverse = "".join(reversed(characters))
    tokenizers = well_known() | {"bytes": ByteTokenizer()}
    rows = [_spelling_row(label, tokenizer, word, reverse, letter) for label, tokenizer in tokenizers.items()]
    return {"count": word.count(letter) if letter else 0, "reverse": reverse, "rows": rows}


def _spelling_row(label: str, tokenizer: Tokenizer, word: str, reverse: str, letter: str) -> dict[str, Any]:
    parts = [part.decode("utf-8", "ignore") for _, part in tokens_of(tokenizer, word)]
    counts = [part.count(letter) if letter else 0 for part in parts]
    ids, reverse_ids = (Counter(tokenizer.encode(text)) for text in (word, reverse))
    return row(label, tokenizer, word) | {
        "counts": counts,
        "reversed": row(label, tokenizer, reverse) | {"does": ids != reverse_ids},
        "shared": (ids & reverse_ids).total(),
        "does": any(count and len(part) > 1 for part, count in zip(parts, counts, strict=True)),
    }


# Sums


def sums(first: str, second: str) -> dict[str, Any]:
    """Add two numbers, each cut into tokens by itself, and say where carries go.

    A tokenizer does it if it cuts one number at a place, counted from the right, where it doesn't cut a longer one.
    Raises ValueError for what is no whole number.
    """
    numbers = [_number(each) for each in (first, second)]
    numbers.append(str(sum(map(int, numbers))))
    tokenizers = well_known() | {"cl100k cut from the right": from_the_right()}
    rows = []
    for label, tokenizer in tokenizers.items():
        pieces = [[part.decode() for _, part in tokens_of(tokenizer, number) if part] for number in numbers]
        whole = all(len(each) == 1 for each in pieces)
        rows.append({"name": label, "numbers": pieces, "whole": whole, "does": not _line_up(pieces)})
    return {"carries": _carries(numbers[0], numbers[1]), "rows": rows}


def _number(text: str) -> str:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > MAX_DIGITS:
        raise ValueError(f"type two whole numbers of up to {MAX_DIGITS} digits")
    return str(int(digits))


@cache
def from_the_right() -> Tokenizer:
    """Return cl100k, but with digits cut by three from the right, as we write thousands."""
    patterns = [pattern for _, pattern in BRANCHES["cl100k"]]
    patterns[2] = r"\p{N}{1,3}(?=(?:\p{N}{3})*+(?!\p{N}))"
    return load("cl100k_base").with_split_pattern("|".join(patterns))


def _line_up(numbers: Iterable[Sequence[str]]) -> bool:
    """Return whether numbers are cut at the same places, counted from the right, as far as both of two reach."""
    cuts = [{len("".join(pieces[number:])) for number in range(1, len(pieces))} for pieces in numbers]
    lengths = [len("".join(pieces)) for pieces in numbers]
    return all(
        {cut for cut in cuts[left] if cut < lengths[right]} == {cut for cut in cuts[right] if cut < lengths[left]}
        for left, right in combinations(range(len(cuts)), 2)
    )


def _carries(first: str, second: str) -> list[int]:
    """Return the places, from the right, that a carry goes to.

    >>> _carries("95", "7")
    [1, 2]
    """
    places = range(1, max(len(first), len(second)) + 1)
    return [place for place in places if int(first) % 10**place + int(second) % 10**place >= 10**place]


# Two texts


def twice(kind: str, texts: Sequence[str], chosen: str) -> dict[str, Any]:
    """Compare the tokens of two texts, without any those that belong to the kind, and show those of one tokenizer.

    A tokenizer does it if the second takes more tokens; with `indents`, if each indent takes more than one; at an
    `ending`, if the tokens of the first don't begin those of the second. It is None, but at an `ending`, if tokens of
    one mean "unknown": what is lost has no price. Raises ValueError for an unknown kind.
    """
    first, second = (repair(text)[0][:MAX_CHARACTERS] for text in (texts or _texts(kind)))
    indents = sum(line[:1].isspace() for line in second.split("\n")) if kind == "indents" else 0
    rows = []
    tokenizers = well_known()
    for label, tokenizer in tokenizers.items():
        ids, more = tokenizer.encode(first), tokenizer.encode(second)
        unknown = [sum(token == tokenizer.unknown for token in each) for each in (ids, more)]
        does = more[: len(ids)] != ids if kind == "ending" else len(more) > len(ids) + indents
        is_priced = kind == "ending" or not any(unknown)
        counts = [len(ids), len(more)]
        rows.append({"name": label, "counts": counts, "unknown": unknown, "does": does if is_priced else None})
    shown_by = tokenizers.get(chosen) or next(iter(tokenizers.values()))
    return {
        "texts": [first, second],
        "rows": rows,
        "tokens": [row(chosen, shown_by, text, most=MAX_TOKENS) for text in (first, second)],
    }


def _texts(kind: str) -> tuple[str, str]:
    """Return the two texts of a kind; `languages-de` is English and German."""
    if kind == "ending":
        return "Once upon a ", "Once upon a time"
    if kind == "formats":
        return sample("yaml").text, sample("json-pretty").text
    if kind == "indents":
        code = sample("code-python").text
        return "\n".join(line.lstrip() for line in code.split("\n")), code
    return sample("prose-en").text, sample(f"prose-{kind.removeprefix('languages-')}").text


# Control tokens


def commands(text: str) -> dict[str, Any]:
    """Cut a text with the special tokens in it as text, and as control tokens.

    A tokenizer does it if the text has one of its special tokens. `always` are added tokens that it finds in any text.
    """
    text = repair(text)[0][:MAX_CHARACTERS]
    rows = []
    for label, tokenizer in well_known().items():
        as_text, as_control = row(label, tokenizer, text), row(label, tokenizer, text, "all")
        found = [token for token in tokenizer.special_tokens if token in text]
        always = [token for token in tokenizer.added_texts.values() if token in text and token not in found]
        rows.append({"name": label, "sides": [as_text, as_control], "always": always, "does": bool(found)})
    return {"rows": rows}


def commands_rungs(text: str) -> list[Part]:
    """Show a text as each tokenizer reads it: as text, and, if it has its special tokens, as control."""
    rows = commands(text)["rows"]
    does = who("some of this can be a command", "nothing of this can be a command", rows)
    return [says(does), sections("rungs", (section(each["name"], *_sides(**each)) for each in rows))]


def _sides(name: str, sides: Iterable[dict[str, Any]], always: Sequence[str], does: bool) -> Iterator[Part]:
    added = f"{enumerated(always)} is a token, but no special one" if always else "no special token"
    for way, side in zip(("as text", "as control") if does else (added,), sides, strict=False):
        yield below(f"{way}: ", ("b", counted("token", side["count"])))
        pieces = [(piece, True) for piece, _ in side["pieces"]]
        yield chips({**side, "name": f"{name}, {way}" if does else name, "pieces": pieces})


# Tokens never seen


def unseen(text: str, other: str) -> dict[str, Any]:
    """Learn tokens from a text, and count them in it and in another."""
    text, other = (repair(each)[0][:MAX_LEARNED_FROM] for each in (text, other))
    if not text:
        return {"learned": 0, "unseen": 0, "met": [], "listed": []}
    tokenizer = train(text, num_merges=MERGES, split_pattern="gpt2")
    there = Counter(tokenizer.encode(other))
    learned = range(256, tokenizer.vocab_size)
    met, never = ([tokenizer.vocab[each] for each in learned if bool(there[each]) is side] for side in (True, False))
    return {
        "learned": len(learned),
        "unseen": len(never),
        "met": _longest(met, MAX_MET),
        "listed": _longest(never, MAX_LISTED),
    }


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
    tokenizers = well_known()
    return {
        "rows": [_glitch_row(label, tokenizer) for label, tokenizer in tokenizers.items()],
        "reported": [visible(token) for token in REPORTED],
    }


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


# What the figures are asked


def _twice(text: str, options: Options) -> dict[str, Any]:
    return twice(options.get("kind", ""), _both(text) if text else (), options.get("tokenizer", ""))


def _both(text: str) -> tuple[str, str]:
    """Read two texts from the JSON of a list."""
    try:
        first, second = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        first = second = None
    if not (isinstance(first, str) and isinstance(second, str)):
        raise ValueError("this figure takes two texts")
    return first, second


FIGURES = {
    "spelling": Figure(lambda text, options: spelling(text, options.get("letter", "")), takes="loading"),
    "sums": Figure(lambda _, options: sums(options.get("first", ""), options.get("second", "")), takes="loading"),
    "twice": Figure(_twice, MAX_LONG, takes="loading"),
    "commands": Figure(
        lambda text, _: commands_rungs(text), form=field("A text with special tokens", 300, lines=2), takes="loading"
    ),
    "unseen": Figure(lambda text, _: unseen(*_both(text)), MAX_LONG),
    "glitches": Figure(lambda _text, _options: glitches(), takes="searching"),
}
