"""Solutions to check: merges, vocabularies or ids, as Python values, pasted text, or files."""

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tokviz.bpe.byte_characters import unspell
from tokviz.bpe.merging import Pair, recover_merges
from tokviz.display import quote
from tokviz.formats import checks, gpt2_files, read
from tokviz.formats.minbpe import is_one as is_minbpes
from tokviz.tokenizers.bpe import BPETokenizer

BytePair = tuple[bytes, bytes]
"""A merge by the bytes of the two tokens that it joins."""

FIRST_NEW_ID = 256
"""The id of the first merge, where the 256 bytes have the ids 0 to 255."""

MAX_MERGES = 10_000
"""Maximum merges that are checked."""

MAX_PASTED = 1_000_000
"""Maximum characters of a pasted Python or JSON value."""

_SPACE_STAND_IN = "Ġ"
_LINES_OF_PAIRS = re.compile(r"(?:#version.*\n)?(?:[^\s\[({]\S* \S+(?:\n|\Z))+")


class Solution(NamedTuple):
    """Merges to check, by rank.

    `id_pairs` are the same merges by ids, if they were given so, and `new_ids` the ids of the tokens that they make, if
    those were given.
    """

    pairs: tuple[BytePair, ...]
    id_pairs: tuple[Pair, ...] = ()
    new_ids: tuple[int, ...] = ()


def solution_of(given: object) -> Solution:
    """Return the merges in a Python value. Raises ValueError saying what is wrong with it.

    `given` is a tokenizer; a list of pairs of bytes, of texts or of ids; a mapping of such pairs to new ids; or a
    vocabulary, as a mapping of ids to bytes or of tokens to ids.
    """
    if isinstance(given, BPETokenizer):
        return _of_tokenizer(given)
    if isinstance(given, Mapping):
        first = next(iter(given), None)
        if isinstance(first, tuple):
            return _of_pairs(list(given), _new_ids(given.values()))
        return _of_vocabulary(given)
    if isinstance(given, Iterable) and not isinstance(given, str | bytes):
        return _of_pairs(list(given))
    raise ValueError(f"merges are a list of pairs, not {type(given).__name__}")


def read_solution(files: Mapping[str, bytes]) -> Solution:
    """Return the merges in files: a tokenizer's, `merges.txt` with or without its vocabulary, or a pasted value."""
    merges = next((name for name in files if name.endswith(("merges.txt", gpt2_files.MERGES))), None)
    if merges is not None:
        return _of_pairs(gpt2_files.read_pairs(merges, files[merges]))
    if len(files) != 1:
        raise ValueError(f"give one file, or vocab.json with merges.txt; this is {' and '.join(files) or 'nothing'}")
    [(name, data)] = files.items()
    if is_minbpes(data):
        return _of_tokenizer(read({"tokenizer.model": data}))
    if data.lstrip().startswith(b"{") and b'"model"' in data:
        return _of_tokenizer(read({"tokenizer.json": data}))
    text = checks.as_text(name, data).removeprefix("\ufeff")
    return _of_pairs(gpt2_files.read_pairs(name, data)) if _LINES_OF_PAIRS.fullmatch(text) else solution_of(parse(text))


def parse(text: str) -> object:
    """Return the Python or JSON value in a text, without running anything. Raises ValueError if it is neither."""
    if len(text) > MAX_PASTED:
        raise ValueError(f"this has {len(text):,} characters; {MAX_PASTED:,} are the most that are read")
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(
            "this is no list of Python's or JSON's: paste what print(merges) or print(ids) writes"
        ) from None


def ids_of(given: object) -> list[int]:
    """Return the ids in a Python value. Raises ValueError naming the first that is none."""
    if not isinstance(given, Iterable) or isinstance(given, str | bytes | Mapping):
        raise ValueError(f"ids are a list of whole numbers, not {type(given).__name__}")
    ids = list(given)
    for place, token in enumerate(ids):
        checks.check_id("the list", f"entry {place}", token)
    return ids


def resolve(id_pairs: Iterable[Pair], first_new_id: int = FIRST_NEW_ID, new_ids: Sequence[int] = ()) -> list[BytePair]:
    """Return merges by bytes, given by ids. New tokens have `new_ids`, or ids that begin at `first_new_id`.

    An id that nothing has made yet has no bytes. Raises ValueError for tokens that are too long together.
    """
    tokens = {value: bytes([value]) for value in range(256)}
    pairs: list[BytePair] = []
    for rank, (left, right) in enumerate(id_pairs):
        pairs.append(pair := (tokens.get(left, b""), tokens.get(right, b"")))
        checks.check_lengths("the list", map(len, pair))
        tokens[new_ids[rank] if new_ids else first_new_id + rank] = b"".join(pair)
    return pairs


def _of_tokenizer(tok: BPETokenizer) -> Solution:
    bytes_ids = [tok.alphabet.ids.get(value) for value in range(256)]
    pairs = tuple((tok.vocab[left], tok.vocab[right]) for left, right in tok.merges)
    _check_number(pairs)
    if tok.alphabet.units == "bytes" and bytes_ids == list(range(256)):
        return Solution(pairs, tuple(tok.merges), tuple(tok.merges.values()))
    return Solution(pairs)


def _new_ids(values: Iterable[object]) -> tuple[int, ...]:
    """The new ids of a mapping of pairs; () if its values are no ids, as the joined texts of some are."""
    listed = list(values)
    return tuple(ids_of(listed)) if all(isinstance(value, int) for value in listed) else ()


def _of_pairs(given: Sequence[object], new_ids: tuple[int, ...] = ()) -> Solution:
    _check_number(given)
    pairs = [_pair(rank, pair) for rank, pair in enumerate(given)]
    kinds = {type(part) for pair in pairs for part in pair}
    if kinds == {int}:
        id_pairs = [(_id(left), _id(right)) for left, right in pairs]
        first = new_ids if len(new_ids) == len(id_pairs) else ()
        resolved = resolve(id_pairs, new_ids=first)
        return Solution(tuple(resolved), tuple(id_pairs), first)
    if kinds == {bytes}:
        return Solution(tuple((_token(left), _token(right)) for left, right in pairs))
    if kinds <= {str}:
        texts = [(str(left), str(right)) for left, right in pairs]
        return Solution(tuple(_unspelled(texts)))
    raise ValueError("merges are pairs of ids, of bytes or of texts: all of them of one kind")


def _pair(rank: int, pair: object) -> tuple[object, object]:
    if isinstance(pair, str) and pair.count(" ") == 1:
        pair = pair.split(" ")  # as tokenizer.json lists them
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        raise ValueError(f"merge {rank + 1} should be a pair; it is {quote(repr(pair))}")
    return pair[0], pair[1]


def _id(value: object) -> int:
    return checks.check_id("the list", "a merge", value)


def _unspelled(texts: list[tuple[str, str]]) -> list[BytePair]:
    """Return pairs of texts as bytes, which GPT-2's stand-ins spell if there are any among them."""
    spelled = any(_SPACE_STAND_IN in part for pair in texts for part in pair)
    parts = [tuple((unspell(part) if spelled else None) or part.encode() for part in pair) for pair in texts]
    return [(left, right) for left, right in parts]


def _of_vocabulary(vocabulary: Mapping[object, object]) -> Solution:
    """Return the merges that make the tokens of a vocabulary, in the order of their ids."""
    entries = list(vocabulary.items())
    if all(isinstance(key, int) for key, _ in entries):
        entries = [(token, key) for key, token in entries]
    tokens = [(_token(token), checks.check_id("the vocabulary", repr(token)[:60], number)) for token, number in entries]
    ranked = dict(sorted(tokens, key=lambda entry: entry[1]))
    checks.check_lengths("the vocabulary", map(len, ranked), squares=True)
    made = [token for token in ranked if len(token) > 1]
    _check_number(made)
    ids = {bytes([value]): value for value in range(256)} | {token: 256 + rank for rank, token in enumerate(made)}
    bytes_of = {number: token for token, number in ids.items()}
    return Solution(tuple((bytes_of[left], bytes_of[right]) for left, right in recover_merges(ids)))


def _token(token: object) -> bytes:
    if isinstance(token, bytes):
        return token
    if not isinstance(token, str):
        raise ValueError(f"a vocabulary holds tokens as bytes or texts, not {quote(repr(token))}")
    return unspell(token) or token.encode()


def _check_number(merges: Sequence[object]) -> None:
    if len(merges) > MAX_MERGES:
        raise ValueError(f"these are {len(merges):,} merges; {MAX_MERGES:,} are the most that are checked")
