"""The inputs of a comparison, checked: its tokenizers, their names and the special tokens they recognize."""

from collections.abc import Collection, Iterable, Sequence

from tokviz.analysis.corpus import as_tokenizers
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer

MOST_TOKENIZERS = 8


def chosen_tokenizers(tokenizers: Iterable[str | Tokenizer]) -> list[Tokenizer]:
    """Return the tokenizers of a comparison. Raises ValueError if there are too few or too many."""
    chosen = as_tokenizers(tokenizers)
    if not 2 <= len(chosen) <= MOST_TOKENIZERS:
        raise ValueError(f"a comparison takes 2 to {MOST_TOKENIZERS} tokenizers, not {len(chosen)}")
    return chosen


def names_of(tokenizers: Sequence[Tokenizer], names: Sequence[str] | None) -> Sequence[str]:
    """Return the display names of tokenizers. Raises TypeError or ValueError if `names` does not fit them."""
    if names is None:
        return [tokenizer.name for tokenizer in tokenizers]
    if isinstance(names, str):
        raise TypeError(f"names must be a list of names, not the single one {names!r}")
    if len(names) != len(tokenizers):
        raise ValueError(f"there are {len(names)} names for {len(tokenizers)} tokenizers")
    return names


def allowed_by_tokenizer(tokenizers: Sequence[Tokenizer], allowed_special: Collection[str]) -> list[frozenset[str]]:
    """Allowed special tokens that each tokenizer has."""
    if allowed_special == "all":
        return [frozenset(tokenizer.special_tokens) for tokenizer in tokenizers]
    if isinstance(allowed_special, str):
        raise TypeError(
            f'allowed_special must be "all" or a set of special tokens; for one, write {{{allowed_special!r}}}'
        )
    allowed = [frozenset(allowed_special) & tokenizer.special_tokens.keys() for tokenizer in tokenizers]
    unknown = sorted(map(str, frozenset(allowed_special).difference(*allowed)))
    if unknown:
        raise ValueError(f"none of the tokenizers has the special token {', '.join(unknown)}")
    return allowed


def tokenize(tokenizer: Tokenizer, text: str, allowed_special: frozenset[str]) -> Tokenization:
    """Encode a text. Raises ValueError, naming the tokenizer, if its alphabet lacks a character."""
    try:
        return tokenizer.tokenize(text, allowed_special)
    except ValueError as error:
        raise ValueError(f"{tokenizer.name} can't encode this text: {error}") from error
