"""Checks of arguments to tokenizers."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from tokviz.display import quote, shorten
from tokviz.pretokens.special_tokens import find
from tokviz.texts import repair

T = TypeVar("T")


def listed(several: Iterable[T], what: str, kind: str) -> list[T]:
    """Return `several` as a list. Raises TypeError for a str, bytes or mapping, iterated over by mistake."""
    if isinstance(several, str | bytes | bytearray | Mapping) or not isinstance(several, Iterable):
        raise TypeError(f"{what} must be a list of {kind}, not {type(several).__name__}")
    return list(several)


def check_whole_number(number: object, name: str) -> int:
    """Return `number`, which must be a whole number of at least 0. Raises TypeError or ValueError."""
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"{name} must be a whole number, not {number!r:.60}")
    if number < 0:
        raise ValueError(f"{name} must be 0 or more, not {number}")
    return number


def check_disallowed(
    text: str, disallowed: Collection[str], special_tokens: Mapping[str, int], allowed: frozenset[str]
) -> None:
    """Raise ValueError if a text holds one of the special tokens `disallowed`; "all" are those that aren't allowed."""
    if not disallowed:  # the usual case, in which a list of a thousand special tokens would take most of the time
        return
    if isinstance(disallowed, str) and disallowed != "all":
        raise TypeError(f'disallowed_special must be several texts, or "all", not {quote(disallowed)}')
    others = special_tokens.keys() - allowed
    spans = find(text, others if isinstance(disallowed, str) else listed(disallowed, "disallowed_special", "texts"))
    if len(spans):
        found, place = text[spans[0] : spans[1]], spans[0]
        raise ValueError(
            f"the text holds the special token {quote(found)} at position {place}, counted from 0: list it in "
            "allowed_special to read it as one, or leave disallowed_special out to read it as text"
        )


def check_name(name: object) -> str:
    """Return `name`, which must be a str that is not blank. Raises TypeError or ValueError."""
    if not isinstance(name, str):
        raise TypeError(f"a tokenizer's name must be a str, not {type(name).__name__}")
    if not name.strip():
        raise ValueError("a tokenizer's name must not be empty")
    return name


def check_special_tokens(special_tokens: Iterable[str]) -> list[str]:
    """Return `special_tokens` as a list. Raises TypeError or ValueError if they can't be special tokens."""
    if isinstance(special_tokens, str):
        raise TypeError(f"special_tokens must be a list of texts; for one, write [{quote(special_tokens)}]")
    tokens = [_check_special_token(token) for token in special_tokens]
    repeated = sorted(token for token, times in Counter(tokens).items() if times > 1)
    if repeated:
        raise ValueError(f"special tokens are repeated: {shorten(', '.join(repeated))}")
    return tokens


def check_special_ids(special_tokens: Mapping[str, int]) -> dict[str, int]:
    """Return a copy of `special_tokens` (text -> id). Raises TypeError or ValueError if it is not such a mapping."""
    if not isinstance(special_tokens, Mapping):
        raise TypeError(f"special_tokens must map texts to ids, as in {{'<s>': 50257}}, not {special_tokens!r:.60}")
    for text, token in special_tokens.items():
        if not isinstance(token, int) or isinstance(token, bool):
            raise TypeError(f"the id of special token {text!r} must be a whole number, not {token!r:.60}")
        if token < 0:
            raise ValueError(f"the id of special token {text!r} must be 0 or more, not {token}")
    return {_check_special_token(text): token for text, token in special_tokens.items()}


def _check_special_token(token: object) -> str:
    if not isinstance(token, str):
        raise TypeError(f"a special token must be a str, not {type(token).__name__}")
    if not token:
        raise ValueError("a special token must not be empty")
    repaired, replaced = repair(token)  # a surrogate pair becomes one character
    if replaced:
        raise ValueError(f"special token {quote(token)} holds a lone surrogate, which no text can")
    return repaired
