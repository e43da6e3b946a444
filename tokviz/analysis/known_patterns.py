"""Known split patterns: the alternatives of each, with their names, and which of them a tokenizer cuts by."""

from collections.abc import Mapping, Sequence
from typing import Any

from tokviz.formats.hugging_face import PATTERN_OF_SPELLING
from tokviz.pretokens import splitting
from tokviz.pretokens.alternatives import alternatives
from tokviz.tokenizers.base import Tokenizer

ALL_BUT_LAST = "white space, all but the last"

_Branches = tuple[tuple[str, str], ...]

_LLAMA3: _Branches = (
    ("'s, 't, 're and such", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"),
    ("letters", r"[^\r\n\p{L}\p{N}]?\p{L}+"),
    ("numbers", r"\p{N}{1,3}"),
    ("neither letters nor numbers", r" ?[^\s\p{L}\p{N}]+[\r\n]*"),
    ("line break", r"\s*[\r\n]+"),
    (ALL_BUT_LAST, r"\s+(?!\S)"),
    ("white space", r"\s+"),
)
_QWEN: _Branches = (*_LLAMA3[:2], ("number", r"\p{N}"), *_LLAMA3[3:])
_DEEPSEEK: _Branches = (
    ("symbol and letters", r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"),
    ("letters", r"[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"),
    ("punctuation and symbols", r" ?[\p{P}\p{S}]+[\r\n]*"),
    *_LLAMA3[4:],
)
_SINGLE: tuple[_Branches, ...] = (
    (("numbers", r"\p{N}{1,3}"),),
    (("numbers", r"\p{N}+"),),
    (("number", r"\p{N}"),),
    (("Chinese and Japanese characters", "[一-龥぀-ゟ゠-ヿ]+"),),
)


_PUBLISHED = (_LLAMA3, _QWEN, _DEEPSEEK, *_SINGLE)
KNOWN: dict[str, _Branches] = {
    **{splitting.PATTERNS[name]: branches for name, branches in splitting.BRANCHES.items()},
    **{"|".join(branch for _, branch in branches): branches for branches in _PUBLISHED},
}
"""Split pattern -> its alternatives, the name and pattern of each, in the order in which they are tried."""

splitting.trust(KNOWN)

_NAMES = {branch: name for branches in KNOWN.values() for name, branch in branches}


def names_of_alternatives(pattern: str) -> list[str]:
    """Return the names of a pattern's alternatives (given as text), empty for one that no known pattern has."""
    flags, parts = alternatives(pattern)
    return [_NAMES.get(part) or _NAMES.get(flags + part, "") for part in parts]


COMPLETE: dict[str, _Branches] = {
    pattern: branches
    for pattern, branches in KNOWN.items()
    if branches in (*splitting.BRANCHES.values(), _LLAMA3, _QWEN)
}
"""Known patterns that leave no text unmatched, with their branches: the name and pattern of each."""

_PATTERN_OF_SOURCE = {pattern.replace(r"\"", '"'): pattern for pattern in KNOWN} | PATTERN_OF_SPELLING


RUNS: dict[str, str] = {
    **{pattern: rf"{pattern}|\P{{N}}*" for pattern in (r"\p{N}", r"\p{N}{1,3}", r"\p{N}+")},
    "[一-龥぀-ゟ゠-ヿ]+": "[一-龥぀-ゟ゠-ヿ]+|[^一-龥぀-ゟ゠-ヿ]*",
}
"""Known patterns that cut runs of such characters out of a text, each with a pattern for what can be in its pieces."""


def patterns_of(tokenizer: Tokenizer) -> tuple[str, ...] | None:
    """Return the split patterns by which a tokenizer cuts texts; None if it cuts differently, or they are unknown."""
    if tokenizer.takes_split_patterns:
        return tokenizer.split_patterns
    return None if tokenizer.cutting_steps is None else _patterns_of_steps(tokenizer.cutting_steps)


def _patterns_of_steps(steps: Sequence[Mapping[str, Any]]) -> tuple[str, ...] | None:
    patterns = []
    for step in steps:
        if step["type"] == "Split" and step["behavior"] == "Isolated" and not step["invert"]:
            found = _PATTERN_OF_SOURCE.get(step["pattern"].get("Regex", "").replace("\r", r"\r").replace("\n", r"\n"))
            if found is None:
                return None
            patterns.append(found)
        elif step["type"] == "ByteLevel" and not step["add_prefix_space"]:
            patterns += [splitting.PATTERNS["gpt2"]] if step["use_regex"] else []
        else:
            return None
    return tuple(patterns)
