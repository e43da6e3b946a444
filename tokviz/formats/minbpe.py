"""minbpe's `.model`: a text file with the split pattern, the special tokens and the merges, by rank.

Bytes have their values as ids and merges the ids from 256 on, so only the pairs need to be written. minbpe drops text
that its pattern does not match, and so do its copies; a file written here holds a pattern that matches everything.
It matches with Python's `regex`, which differs from tiktoken on some characters (see `pretokens.unicode_tables`).
"""

import re
from collections.abc import Mapping

from tokviz.bpe.merging import Pair
from tokviz.display import quote
from tokviz.formats import checks
from tokviz.formats.format import Format, Given, Written
from tokviz.formats.plain_patterns import UnsureError, to_oniguruma
from tokviz.pretokens import splitting, unicode_tables
from tokviz.tokenizers.bpe import BPETokenizer

_VERSION = "minbpe v1"
_ANY_VERSION = "minbpe v"
_ANY_TEXT = r"(?s:.+)"
# Joined by the pattern, these match what it matches, and everything between its matches.
_MATCHES_AND_REST = (r"(?:", r")|(?s:(?:(?!", r").)+)")
_COMPLETE_PATTERNS = frozenset(splitting.PATTERNS.values())


def is_one(data: bytes) -> bool:
    """Return whether a file begins like one of minbpe's, of any version."""
    return data.startswith(_ANY_VERSION.encode())


def write(tok: BPETokenizer, name: str) -> Written:
    """Write the file. Raises ValueError if ids would change."""
    symbols = dict(zip(tok.alphabet.ids.values(), tok.alphabet.tokens, strict=False))
    if tok.alphabet.mark is not None or symbols != {value: bytes([value]) for value in range(256)}:
        raise ValueError(
            f"{tok.name} can't be written for minbpe, where the alphabet is the 256 bytes and a byte's value its id: "
            "ids would change. Save it as tokenizer.json"
        )
    if list(tok.merges.values()) != list(range(256, 256 + len(tok.merges))) or tok.takes_tokens_whole:
        raise ValueError(
            f"{tok.name} can't be written for minbpe, where merges have the ids from 256 on, by rank, and make all "
            "tokens: ids would change. Save it as tokenizer.json"
        )
    if any(max(pair) >= new for pair, new in tok.merges.items()):
        raise ValueError(f"{tok.name} can't be written for minbpe: some merges join tokens that later merges make")
    # minbpe takes the first special token that matches, so the longest must come first.
    specials = sorted(tok.special_tokens.items(), key=lambda item: -len(item[0]))
    for text, _ in specials:
        if text.split() != [text]:
            raise ValueError(f"the special token {quote(text)} holds white space, which minbpe's format can't say")
    lines = [_VERSION, _pattern_line(tok), str(len(specials))]
    lines += [f"{text} {token}" for text, token in specials]
    lines += [f"{left} {right}" for left, right in tok.merges]
    return Written({name: "".join(f"{line}\n" for line in lines).encode()}, {})


def _caution(tok: BPETokenizer) -> str:
    pattern = tok.split_pattern
    if pattern is None or unicode_tables.rewritten(pattern, unicode_tables.NEW_IN_EDITIONS) == pattern:
        return ""
    edition = unicode_tables.edition_of_tiktoken()
    return f"characters newer than Unicode {edition} may be cut otherwise by minbpe, which asks Python's regex"


def _pattern_line(tok: BPETokenizer) -> str:
    """The pattern as one line without white space at its ends or captures, and leaving no text unmatched."""
    pattern = tok.split_pattern
    if pattern is None:
        return _ANY_TEXT
    if pattern in _COMPLETE_PATTERNS:
        return pattern
    try:
        to_oniguruma(pattern)
    except UnsureError as error:
        raise ValueError(f"{tok.name} can't be written for minbpe: {error}") from None
    if re.search(r"[\n\r]|(?<!\\)\((?!\?)|^\(\?\w+\)", pattern):
        raise ValueError(
            f"{tok.name} can't be written for minbpe: its split pattern has a line break, a group that captures "
            r"(write it as (?:...)) or flags in front"
        )
    return pattern.join(_MATCHES_AND_REST)


def read(files: Mapping[str, bytes], title: str, given: Given) -> BPETokenizer:
    """Read the tokenizer in one file."""
    [(name, data)] = files.items()
    lines = checks.as_text(name, data).split("\n")
    version = lines[0].strip()
    if version.startswith(_ANY_VERSION) and version != _VERSION:
        raise ValueError(
            f"{name} is of another version of minbpe's format, {quote(version)}: only {_VERSION!r} is known"
        )
    if len(lines) < 4 or version != _VERSION or lines[-1]:
        raise ValueError(f"{name} should begin with {_VERSION!r}, a pattern and a count, and end in a line break")
    specials: dict[str, int] = {}
    rest = 3 + _number(name, 3, lines[2].strip())
    if rest >= len(lines):
        raise ValueError(f"{name} is cut off: it should have {rest - 3} special tokens")
    for number, line in enumerate(lines[3:rest], start=4):
        parts = line.split()
        if len(parts) != 2 or parts[0] in specials:
            raise ValueError(f"{name}: line {number} should be a special token and its id; it is {quote(line)}")
        specials[parts[0]] = checks.check_id(name, quote(parts[0]), _number(name, number, parts[1]))
    _check_order(name, list(specials))
    pairs = [_pair(name, number, line) for number, line in enumerate(lines[rest:-1], start=rest + 1)]
    merges, vocab = _build(name, pairs)
    for text, token in specials.items():
        if token < 256 + len(pairs) and vocab.get(token) != text.encode():
            raise ValueError(f"{name}: the special token {quote(text)} has the id {token}, which another token has")
        vocab.setdefault(token, text.encode())
    pattern = _read_pattern(name, lines[1].strip())
    return BPETokenizer(
        title,
        vocab,
        merges,
        split_pattern=None if pattern is None else splitting.literal(pattern),
        special_tokens=specials,
        unapplied=given.unapplied,
    )


def _check_order(name: str, specials: list[str]) -> None:
    """Refuse a special token after one that it begins with: minbpe takes the first that matches, not the longest."""
    lengths: set[int] = set()
    earlier: set[str] = set()
    for text in specials:
        first = next((text[:length] for length in sorted(lengths) if text[:length] in earlier), None)
        if first is not None:
            raise ValueError(
                f"{name} lists the special token {quote(text)} after {quote(first)}, with which it begins, so that "
                "minbpe never finds it: list it before"
            )
        lengths.add(len(text))
        earlier.add(text)


def _number(name: str, number: int, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ValueError(f"{name}: line {number} should hold a whole number; it holds {quote(text)}")
    return int(text)


def _pair(name: str, number: int, line: str) -> Pair:
    parts = line.split()
    if len(parts) != 2:
        raise ValueError(f"{name}: line {number} should be the two ids that a merge joins; it is {quote(line)}")
    return _number(name, number, parts[0]), _number(name, number, parts[1])


def _build(name: str, pairs: list[Pair]) -> tuple[dict[Pair, int], dict[int, bytes]]:
    """Build the merges and the vocabulary from the pairs. If a pair is listed twice, its last place counts.

    A few dozen lines can double a token until it exceeds any memory, so lengths are added up before anything is built.
    """
    checks.check_id(name, "the last merge", 256 + len(pairs))
    lengths = [1] * 256
    merges: dict[Pair, int] = {}
    for new, pair in enumerate(pairs, start=256):
        if max(pair) >= new:
            raise ValueError(
                f"{name}: merge {new - 256} joins {pair[0]} and {pair[1]}, but a later merge makes one of these"
            )
        lengths.append(lengths[pair[0]] + lengths[pair[1]])
        merges.pop(pair, None)
        merges[pair] = new
    checks.check_lengths(name, lengths)
    vocab = {value: bytes([value]) for value in range(256)}
    for new, (left, right) in enumerate(pairs, start=256):
        vocab[new] = vocab[left] + vocab[right]
    # An id whose pair is listed again later is never made, and would otherwise be taken for a symbol of the alphabet.
    return merges, {token: data for token, data in vocab.items() if token < 256 or pairs[token - 256] in merges}


def _read_pattern(name: str, line: str) -> str | None:
    if not line or line == _ANY_TEXT:
        return None
    before, between, after = _MATCHES_AND_REST
    half = (len(line) - len(before) - len(between) - len(after)) // 2
    inner = line[len(before) : len(before) + half]
    return checks.check_pattern(name, inner if line == inner.join(_MATCHES_AND_REST) else line)


FORMAT = Format(
    label="minbpe's .model",
    names=("*.model",),
    read=read,
    write=write,
    lacks=frozenset({"unapplied"}),
    caution=_caution,
    recognizes=is_one,
)
