"""Figures of the chapter "trouble": where it goes wrong to cut a text into tokens, and which tokenizers still do it.

Each answer has a row for each of the well-known tokenizers inside the package, whose `does` says whether it still does.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise
from typing import Any

from tokviz.course.figure import (
    MAX_LONG,
    Figure,
    Part,
    Question,
    Words,
    below,
    chips,
    field,
    rung,
    says,
    section,
    sections,
    two_texts,
    who,
)
from tokviz.course.inside import row, tokens_of, well_known
from tokviz.display import counted, enumerated
from tokviz.positions import grapheme_offsets
from tokviz.pretokens.splitting import BRANCHES
from tokviz.pretrained import load
from tokviz.samples import sample
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import ByteTokenizer

MAX_WORD = 40
"""Maximum code points of a word whose letters are counted."""

MAX_DIGITS = 12
"""Maximum digits of a number that is added."""

MAX_CHARACTERS = 1_000
"""Maximum code points of a text that is compared with another."""

MAX_TOKENS = 400
"""Maximum tokens of such a text that are shown."""

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


def spelling_parts(word: str, letter: str = "", mode: str = "") -> list[Part]:
    """Show the letters in each token of a word, or, with the mode `reverse`, the tokens of the word reversed."""
    found = spelling(word, letter)
    if mode == "reverse":
        backwards = [rung(each["reversed"], after=[_say_shared(each)]) for each in found["rows"]]
        return [says(*_say_reverse(found)), sections("rungs", backwards)]
    counts = [rung(each, f"{' + '.join(map(str, each['counts'])) or 0} · ") for each in found["rows"]]
    return [says(*_say_count(found, word, letter)), sections("rungs", counts)]


def _say_count(found: dict[str, Any], word: str, letter: str) -> list[Words]:
    if not word or not letter:
        return ["Type a word, and a letter that is in it."]
    if not found["count"]:
        is_other_case = letter.lower() in word.lower()
        case = "Capital and small letters are different characters." if is_other_case else ""
        return [("b", letter), f" isn’t in this word. {case}"]
    does = who(f"{letter} shares a token with others", f"{letter} shares no token", found["rows"])
    times = counted("time", found["count"])
    return [("b", letter), f" stands here {times}: below is how often in each token. {does}"]


def _say_reverse(found: dict[str, Any]) -> list[Words]:
    if not found["reverse"]:
        return ["Type a word."]
    rows = [each["reversed"] for each in found["rows"]]
    does = who("the reversed word has other tokens", "it has the same ones in another order", rows)
    return ["Reversed: ", ("mono", found["reverse"]), f". {does}"]


def _say_shared(found: dict[str, Any]) -> Part:
    count, shared = found["count"], found["shared"]
    again = f"{shared or 'none'} of them {'are' if shared > 1 else 'is'} here again."
    return below(f"The word itself has {counted('token', count)}: {again}")


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
    carries = _carries(numbers[0], numbers[1])
    carried = f"A carry goes to {len(carries)} of the places. " if carries else ""
    does = who("the numbers are cut at different places, counted from the right", "they are not", rows)
    return {"carries": carries, "rows": rows, "says": carried + does}


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
    if kind.split("-")[0] not in _DOES:
        raise ValueError(f"no kind of two texts is named {kind!r}; choose one of {', '.join(_DOES)}")
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
    goes_on = kind != "ending" or second.startswith(first)
    unfinished = "Write the whole beginning into the second box too, and then what comes after it."
    return {
        "texts": [first, second],
        "rows": rows,
        "says": say_twice(kind, rows) if goes_on else unfinished,
        "tokens": [row(chosen, shown_by, text, most=MAX_TOKENS) for text in (first, second)],
    }


_DOES = {
    "languages": ("the second takes more tokens", "it takes no more"),
    "indents": ("each indent takes more than a token", "an indent takes one token at most"),
    "ending": ("the beginning gets other tokens when more text follows", "it keeps its tokens"),
    "formats": ("JSON takes more tokens", "it takes no more"),
}
"""What a tokenizer does with two texts of a kind, and what others do."""


def say_twice(kind: str, rows: Sequence[dict[str, Any]]) -> str:
    """Say what tokenizers do, apart from those that don't know all words."""
    losses = (
        f" {each['name']} doesn’t know {_lost(**each)}: what they said is lost, so its tokens can’t be compared."
        for each in rows
        if each["does"] is None
    )
    return who(*_DOES[kind.split("-")[0]], rows) + "".join(losses)


def _lost(counts: Sequence[int], unknown: Sequence[int], **_: Any) -> str:
    """Name the tokens of two texts that say only “unknown”."""
    return enumerated(
        [
            f"some words of the {which} text ({lost:,} of its {counted('token', count)} mean{'' if lost > 1 else 's'}"
            " “unknown”)"
            for which, lost, count in zip(("first", "second"), unknown, counts, strict=True)
            if lost
        ]
    )


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


def _twice(text: str, kind: str = "", tokenizer: str = "") -> dict[str, Any]:
    return twice(kind, two_texts(text) if text else (), tokenizer)


def _ask_spelling(value: str, _: str) -> Iterator[Question]:
    _mode, letter, word = value.split(";", 2)
    for mode in ("count", "reverse"):
        yield "spelling", word, {"letter": letter, "mode": mode}


def _ask_sums(value: str, _: str) -> Iterator[Question]:
    first, second = value.split("+")
    yield "sums", "", {"first": first, "second": second}


def _ask_twice(value: str, _: str) -> Iterator[Question]:
    """Ask about two texts under each tokenizer."""
    return (("twice", "", {"kind": value, "tokenizer": label}) for label in well_known())


FIGURES = {
    "spelling": Figure(spelling_parts, takes="loading", asks=_ask_spelling),
    "sums": Figure(lambda _, first="", second="": sums(first, second), takes="loading", asks=_ask_sums),
    "twice": Figure(_twice, MAX_LONG, takes="loading", asks=_ask_twice),
    "commands": Figure(commands_rungs, form=field("A text with special tokens", 300, lines=2), takes="loading"),
}
