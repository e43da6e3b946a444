"""subword-nmt's codes: merges of characters, by rank, as pairs of texts in which `</w>` marks the end of a word.

In version 0.1 the mark is a symbol of its own, in version 0.2 it is glued to the last character of each word. The file
has neither ids nor an alphabet: characters take the first ids, by code point, and merges those that follow, by rank.
Unless the alphabet is given, it is what the merges join, with space and line end, and in version 0.1 a tab. Words of
version 0.2 are cut at spaces and line ends, as subword-nmt does, those of version 0.1 at all white space. It lets a
character that it never saw pass as it is.
"""

import re
from collections.abc import Mapping

import regex

from tokviz.bpe.alphabet import Alphabet
from tokviz.bpe.merging import Pair
from tokviz.display import quote
from tokviz.formats import checks
from tokviz.formats.format import Format, Given, LeftOut, Written
from tokviz.pretokens.words import ANY_SPACE, SPACES_AND_LINES
from tokviz.tokenizers.bpe import BPETokenizer

MARK = "</w>"
_BLANKS = {False: " \t\n\r", True: " \n\r"}
_VERSIONS = {False: "#version: 0.1", True: "#version: 0.2"}


def write(tok: BPETokenizer, name: str) -> Written:
    """Write the merges. Raises ValueError if reading them would give other ids."""
    if tok.alphabet.units != "characters" or tok.end_of_word != MARK or tok.split_patterns:
        raise ValueError(
            f"{tok.name} can't be written for subword-nmt, which merges characters of words that end in {MARK}, with "
            "no other split pattern"
        )

    def spelled(token: int) -> str:
        return tok.vocab[token].decode() + (MARK if tok.ends_word(token) else "")

    lines = [_VERSIONS[tok.alphabet.mark is None], *(" ".join(map(spelled, pair)) for pair in tok.merges), ""]
    files = {name: "\n".join(lines).encode()}
    left_out: LeftOut = {"alphabet": "".join(map(chr, tok.alphabet.ids))}
    if tok.special_tokens:
        left_out["special_tokens"] = dict(tok.special_tokens)
    again = read(files, tok.name, Given(None, tok.special_tokens, None, left_out["alphabet"]))
    if (again.vocab, again.merges) != (tok.vocab, tok.merges):
        raise ValueError(
            f"{tok.name} can't be written for subword-nmt, where characters have the first ids and merges the next, by "
            "rank: ids would change"
        )
    return Written(files, left_out)


def read(files: Mapping[str, bytes], title: str, given: Given) -> BPETokenizer:
    """Read the merges, and number them and their characters."""
    [(name, data)] = files.items()
    first, *lines = checks.as_text(name, data).split("\n")
    glued = first.rstrip() == _VERSIONS[True]
    if first.startswith("#version") and first.rstrip() not in _VERSIONS.values():
        raise ValueError(f"{name} is of another version than 0.1 and 0.2: it begins with {quote(first)}")
    start = 2 if first.startswith("#version") else 1
    pairs = [
        _pair(name, number, line.removesuffix("\r"), SPACES_AND_LINES if glued else ANY_SPACE)
        for number, line in enumerate(lines if start == 2 else [first, *lines], start)
        if line
    ]
    found = {character for pair in pairs for symbol in pair for character in _characters(symbol)}
    characters = found | set(_BLANKS[glued]) if given.alphabet is None else set(given.alphabet)
    if found - characters:
        raise ValueError(f"{name} has the character {min(found - characters)!r}, which the alphabet given lacks")
    alphabet = Alphabet.of_characters(characters, has_mark=True, glued=glued)
    vocab, merges = _build(name, alphabet, pairs, start)
    for text, token in given.special_tokens.items():
        if token in vocab:
            raise ValueError(f"the special token {quote(text)} has the id {token}, which {name} gives to another")
    return BPETokenizer(
        title,
        vocab,
        merges,
        special_tokens=given.special_tokens,
        units="characters",
        end_of_word=MARK,
        unapplied=given.unapplied,
    )


def _characters(symbol: str) -> str:
    return symbol.removesuffix(MARK)


def _pair(name: str, number: int, line: str, blanks: str) -> tuple[str, str]:
    left, space, right = line.partition(" ")
    if not (left and space and right) or regex.search(f"[{blanks}]", left + right):
        raise ValueError(f"{name}: line {number} should be two symbols with a space between; it is {quote(line)}")
    if left.endswith(MARK):
        raise ValueError(f"{name}: line {number} joins {quote(left)}, which ends a word, with something after it")
    return left, right


def _build(
    name: str, alphabet: Alphabet, pairs: list[tuple[str, str]], start: int
) -> tuple[dict[int, bytes], dict[Pair, int]]:
    """Number the merges. If a pair is listed twice, its first place counts."""
    vocab = dict(zip(alphabet.symbols, alphabet.tokens, strict=True))
    ends = alphabet.endings
    ids = {data.decode() + (MARK if token in ends else ""): token for token, data in vocab.items()}
    merges: dict[Pair, int] = {}
    for number, pair in enumerate(pairs, start):
        unknown = next((symbol for symbol in pair if symbol not in ids), None)
        if unknown is not None:
            raise ValueError(f"{name}: merge {number - start + 1} joins {quote(unknown)}, which no earlier merge makes")
        left, right = (ids[symbol] for symbol in pair)
        if (left, right) not in merges:
            new = len(vocab)
            merges[left, right] = ids["".join(pair)] = new
            vocab[new] = vocab[left] + vocab[right]
    return vocab, merges


FORMAT = Format(
    label="subword-nmt's codes",
    names=("*.codes",),
    begins=re.compile(rb"(#version: 0\.[12]|[^\s#]+ \S+)\r?\n"),
    read=read,
    write=write,
    lacks=frozenset({"special_tokens", "unapplied", "alphabet"}),
)
