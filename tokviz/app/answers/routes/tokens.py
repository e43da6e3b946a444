"""Routes of the Tokens page: tokens and pre-tokens of a text, details of a token, search, decoding, and samples."""

from collections import deque
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
from starlette.responses import JSONResponse, Response

from tokviz.analysis.availability import mark_of, text_bytes
from tokviz.analysis.branches import pretoken_labels
from tokviz.analysis.characters import code_points
from tokviz.analysis.comparison.reasons import added
from tokviz.analysis.cost.units import character_count, word_count
from tokviz.app.answers.asked import Named, OfText, OfTokenizer, OfWords
from tokviz.app.answers.requests import by_size, get, packed, post, tokenizer_for, tokenizer_named
from tokviz.app.answers.visitors.kept_tokenizers import WORDS
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.lanes import Lane
from tokviz.app.shields.json_bodies import read_object
from tokviz.app.shields.processes.children import Refused
from tokviz.app.shields.processes.guarded import GuardedTokenizer
from tokviz.app.shields.processes.sizes import MAX_DECODED, TOO_LONG_DECODED
from tokviz.app.shields.refusals import Refusal, refuse_invalid, sentence
from tokviz.arrays import Int32Array
from tokviz.display import hex_bytes
from tokviz.pretokens.splitting import TooSlow
from tokviz.samples import sample
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.simple import CharacterTokenizer, UnitTokenizer, WordTokenizer
from tokviz.tokenizers.tree import MergeTree
from tokviz.widgets import columns, text_stages
from tokviz.widgets.wire import Columns

MAX_IDS, MAX_LISTED = 1_000_000, 200_000
"""Maximum bytes of a list of token ids, and ids in it."""

MAX_SHOWN = 50_000
"""Maximum bytes of a token that is described. One of 8 MB, which a file of 200 bytes can define, takes gigabytes."""

MAX_FOUND = 50
MAX_FOUND_BYTES = 1_000
"""Maximum bytes of a token that a search lists. Longer ones are counted."""

MAX_NODES = 2_000
MAX_DEPTH = 200
MAX_TREE_BYTES = 500_000
"""Maximum bytes of the tokens of a tree, which are sent again at every node."""

MAX_PARTS = 20

MAX_NEAR = 4_000
"""Maximum bytes of a text of which one token's rewriting is asked."""

TAIL_SECONDS = 1.0
"""Maximum processor seconds of the search for what can follow a text and change its tokens."""

MAX_BEFORE = 400_000
"""Maximum bytes of a text of which that is asked."""

MAX_WITNESS = 200
"""Maximum characters of the example of what may follow."""


class Tokenize(OfWords):
    """A text to tokenize, with the ranks of its tokens and counts of the text if they are wanted."""

    counts: bool = False
    ranks: bool = False


def _lane_of_tokens(asked: Tokenize) -> Lane | None:
    """Choose the lane as `by_size` does, but one for `ranks`: finding a vocabulary's merges takes a while at first."""
    return by_size(asked) or (lanes.short_texts if asked.ranks else None)


@post("/tokenize", _lane_of_tokens)
def tokenize(asked: Tokenize) -> Response:
    """Tokenize the body's text: columns over its tokens."""
    known, text = asked.known_and_text()
    tokenizer = tokenizer_for(text, asked.tokenizer, known)
    try:
        tokenization = tokenizer.tokenize(text, asked.allowed)
        ranks = _ranks(tokenizer, tokenization.ids) if asked.ranks else {}
    except ValueError as error:  # the alphabet lacks a character, or the tokenizer's process failed
        raise Refusal(422, sentence(error)) from None  # not `refuse_invalid`, which takes more calls per key press
    meta: dict[str, Any] = {
        "tokenizer": asked.tokenizer,
        "vocab_size": tokenizer.vocab_size,
        "rewriting": list(tokenizer.rewriting),
    }
    if asked.counts:
        meta |= {"characters": character_count(text), "code_points": len(text), "words": word_count(text)}
    return packed(columns.token_columns(tokenization) | ranks, meta, asked.request.headers)


def _ranks(tokenizer: Tokenizer, ids: Int32Array) -> Columns:
    """Return the column `ranks`, with -1 for all if the tokenizer merges nothing."""
    if isinstance(tokenizer, GuardedTokenizer):
        ranks = tokenizer.rank_columns(ids)
    else:
        ranks = columns.rank_columns(tokenizer, ids)
    return ranks or {"ranks": np.full(len(ids), -1, np.int32)}


def _without_words(name: str) -> Tokenizer:
    """Return a tokenizer for what words need not be learned for."""
    return WordTokenizer(()) if name == WORDS else tokenizer_named(name)


@post("/pretokens", by_size)
def pretokens(asked: OfWords) -> Response:
    """Split the body's text: columns over its pre-tokens."""
    _, text = asked.known_and_text()
    tokenizer = _without_words(asked.tokenizer)
    named = columns.pretoken_columns(tokenizer, text, tokenizer.special_tokens if asked.special else ())
    return packed(named, {"pattern": tokenizer.split_pattern, **pretoken_labels(tokenizer)}, asked.request.headers)


@post("/tail", lanes.finding, MAX_BEFORE)
def tail(asked: OfText) -> Response:
    """Find which last tokens of the body's text may change if text follows, with an example: see `unstable_tail`."""
    tokenizer, text = _without_words(asked.tokenizer), asked.text
    allowed = tokenizer.special_tokens if asked.special else ()
    with refuse_invalid():
        if not isinstance(tokenizer, UnitTokenizer | BPETokenizer):
            raise ValueError("not available for this tokenizer: choose another, such as GPT-2's")
        tokens, witness = tokenizer.unstable_tail(text, allowed, max_seconds=TAIL_SECONDS)
        ids = tokenizer.encode(text, allowed)
        stable, witness = len(ids) - tokens, witness if len(witness) <= MAX_WITNESS else ""
        then = tokenizer.encode(text + witness, allowed)[stable:] if witness else []
    return JSONResponse(
        {
            "stable": stable,
            "now": [_token(number, tokenizer.vocab[number]) for number in ids[stable:][:MAX_PARTS]],
            "following": witness,
            "then": [_token(number, tokenizer.vocab[number]) for number in then[:MAX_PARTS]],
        }
    )


@post("/stages", lanes.short_texts)
def stages(asked: OfText) -> Response:
    """Send the stages from the body's text to its tokens."""
    tokenizer, text = tokenizer_named(asked.tokenizer), asked.text
    if len(text) > text_stages.MAX_CHARACTERS:
        raise Refusal(413, f"Stages are shown of texts of up to {text_stages.MAX_CHARACTERS:,} characters.")
    with refuse_invalid():  # the alphabet lacks a character, or the tokenizer's process failed
        if isinstance(tokenizer, GuardedTokenizer):
            data = tokenizer.stages_data(text, asked.allowed)
        else:
            data = text_stages.stages_data(tokenizer, text, asked.allowed)
    return JSONResponse(data)


class Rewriting(OfText):
    """A place of a text, in bytes."""

    start: int
    end: int


@post("/rewriting", lanes.short_texts, MAX_NEAR)
def rewriting(asked: Rewriting) -> Response:
    """Say what the tokenizer changed in the body's text at a place before it became tokens."""
    tokenizer, text = tokenizer_named(asked.tokenizer), asked.text
    with refuse_invalid():  # the alphabet lacks a character, or the tokenizer's process failed
        found = tokenizer.rewriting_at(text, [(asked.start, asked.end)], asked.allowed)
    return JSONResponse({"rewriting": list(found)})


class Token(OfTokenizer):
    """A token of a vocabulary."""

    id: int


@get("/token", lanes.short_texts)  # finding the merges of a large vocabulary takes a while the first time
def token(asked: Token) -> Response:
    """Describe a token of a vocabulary."""
    tokenizer, number = tokenizer_named(asked.tokenizer), asked.id
    with refuse_invalid(404):
        data = _own_bytes(tokenizer, number)
    if len(data) > MAX_SHOWN:
        raise Refusal(413, f"This token has {len(data):,} bytes. Only tokens of up to {MAX_SHOWN:,} are shown.")
    is_merged, mark, cut = tokenizer.merges_pieces, mark_of(tokenizer, number), _cut_out_of(tokenizer, data)
    tree = tokenizer.tree(number) if is_merged else MergeTree(number, data)
    details = {
        "special": number in tokenizer.special_tokens.values(),
        "added": number in cut,
        "unknown": number == tokenizer.unknown,
        "byte": number in tokenizer.byte_ids,
        "mark": mark._asdict() if mark else None,
        "algorithm": None if is_merged else tokenizer.algorithm,
        "rank": tree.rank,
        "merges": tokenizer.num_merges if is_merged else 0,
        "units": tokenizer.units if is_merged else "bytes",
        "tree": _nodes(tree),
        "alone": [_token(part, tokenizer.vocab[part]) for part in _merged_alone(tokenizer, number)],
        "read_as": [
            _token(part, tokenizer.vocab[part]) | {"added": part in cut} for part in _read_as(tokenizer, number, data)
        ],
        "code_points": [asdict(point) for point in code_points(_text_of(data) or "")],
    }
    return JSONResponse(_token(number, data) | details)


def _own_bytes(tokenizer: Tokenizer, number: int) -> bytes:
    """Return a token's bytes. Raises ValueError if the id is not in use.

    Decoded alone by another library, a token may lose its space, and a byte become a replacement character.
    """
    return text_bytes(tokenizer, number) if number in tokenizer.vocab else tokenizer.decode_bytes([number])


def _cut_out_of(tokenizer: Tokenizer, data: bytes) -> set[int]:
    """Return the added tokens that are cut out of a token's text: one that is also made by merging may not be."""
    text = _text_of(data)
    if not text or tokenizer.cut_out_ids <= {*tokenizer.special_tokens.values()}:
        return set()
    with refuse_invalid():
        tokenization = tokenizer.tokenize(text)
    return set(tokenization.ids[added(tokenizer, tokenization)].tolist())


def _merged_alone(tokenizer: Tokenizer, number: int) -> tuple[int, ...]:
    """Return the tokens that merging a token's symbols gives, at most MAX_PARTS; none if it gives the token itself."""
    parts = tokenizer.merge_alone(number)
    return () if parts == (number,) else parts[:MAX_PARTS]


def _read_as(tokenizer: Tokenizer, number: int, data: bytes) -> list[int]:
    """Return the tokens that encoding a token's text gives, at most MAX_PARTS.

    Returns none if they include the token itself, if the token is special or unknown, if its bytes are not text, or if
    the tokenizer rewrites that text: then the tokens are not of it.
    """
    text = _text_of(data)
    if not text or number in tokenizer.special_tokens.values() or number == tokenizer.unknown:
        return []
    with refuse_invalid():  # the alphabet lacks a character, or added tokens are too many to look for
        parts = tokenizer.encode(text)
    if number in parts or (tokenizer.rewriting and b"".join(text_bytes(tokenizer, part) for part in parts) != data):
        return []
    return parts[:MAX_PARTS]


def _nodes(tree: MergeTree) -> dict[str, Any]:
    """Return a merge tree as JSON. Where it is too large or deep to send, a node is marked with "more"."""
    root = _node(tree)
    waiting = deque([(tree, root, 1)])
    count, size = 1, len(tree.bytes)
    while waiting:
        parent, node, depth = waiting.popleft()
        if parent.left is None or parent.right is None:
            continue
        size += len(parent.bytes)  # as many as in both children
        if count + 2 > MAX_NODES or depth == MAX_DEPTH or size > MAX_TREE_BYTES:
            node["more"] = True
            continue
        for child in (parent.left, parent.right):
            node["children"].append(_node(child))
            waiting.append((child, node["children"][-1], depth + 1))
            count += 1
    return root


def _node(tree: MergeTree) -> dict[str, Any]:
    return _token(tree.id, tree.bytes) | {"rank": tree.rank, "children": []}


@post("/find", lanes.finding)
def find(asked: OfTokenizer) -> Response:
    """Find the token with the body's text, and some tokens that contain it."""
    tokenizer, text = tokenizer_named(asked.tokenizer), asked.text
    if not text:
        raise Refusal(400, "There is no text to look for.")
    exact, containing = _tokens_like(text, tokenizer)
    if exact and len(exact[0][1]) > MAX_SHOWN:
        raise Refusal(413, f"This token has {len(exact[0][1]):,} bytes. Only tokens of up to {MAX_SHOWN:,} are shown.")
    listed = [(number, data) for number, data in containing if len(data) <= MAX_FOUND_BYTES]
    try:
        read_as = tokenizer.encode(text) if exact else []
    except (TooSlow, Refused):
        raise
    except ValueError:  # the alphabet lacks a character, such as of a special token
        read_as = []
    result = {
        "tokens": [_token(*found) for found in (*exact[:MAX_FOUND], *listed[:MAX_FOUND])],
        "containing": len(containing),
        "special": text in tokenizer.special_tokens,
        "read_as": len(read_as) or None,
        "one": read_as[0] if len(read_as) == 1 else None,
    }
    return JSONResponse(result)


def _tokens_like(text: str, tokenizer: Tokenizer) -> tuple[list[tuple[int, bytes]], list[tuple[int, bytes]]]:
    """Return the tokens that equal this text, and the others that contain it."""
    wanted = text.encode()
    if isinstance(tokenizer, CharacterTokenizer):  # avoids searching a million code points
        return ([(ord(text), wanted)] if len(text) == 1 else []), []
    containing = [(number, data) for number, data in tokenizer.vocab.items() if wanted in data]
    exact = [(number, data) for number, data in containing if data == wanted]
    return exact, [(number, data) for number, data in containing if data != wanted]


_NO_IDS = 'The ids must be a list of whole numbers, sent as {"ids": [...]}.'

_COST_OF_IDS = 20
"""Time for a byte of a list of ids, relative to a byte of text.

Parsing lets no other thread run: one long list at once.
"""


class Ids(NamedTuple):
    """Token ids, as a body holds them."""

    ids: list[int]


def _lane_of_ids(asked: OfTokenizer) -> Lane:
    return lanes.for_text(min(len(asked.body) * _COST_OF_IDS, lanes.MAX_MIDDLE))


@post("/decode", _lane_of_ids, MAX_IDS, "list of ids")
def decode(asked: OfTokenizer) -> Response:
    """Decode the body's token ids to text."""
    tokenizer, ids = tokenizer_named(asked.tokenizer), read_object(Ids, asked.body, _NO_IDS, MAX_LISTED).ids
    if _byte_count(tokenizer, ids) > MAX_DECODED:
        raise Refusal(413, sentence(ValueError(TOO_LONG_DECODED)))
    with refuse_invalid():
        data = tokenizer.decode_bytes(ids)
    text = _text_of(data)
    return JSONResponse({"text": data.decode(errors="replace"), "hex": hex_bytes(data), "valid": text is not None})


def _byte_count(tokenizer: Tokenizer, ids: list[int]) -> int:
    """Return the total bytes of tokens, which may be many even for few ids. Unused ids count as 0."""
    vocab = tokenizer.vocab
    return sum(len(vocab.get(number, b"")) for number in ids)


@get("/sample")
def sample_text(asked: Named) -> Response:
    """Send a sample text."""
    with refuse_invalid(404):
        found = sample(asked.name)
    shown = ("name", "title", "text", "lang", "direction")
    return JSONResponse({name: getattr(found, name) for name in shown})


def _token(token: int, data: bytes) -> dict[str, Any]:
    return {"id": token, "hex": hex_bytes(data), "text": _text_of(data)}


def _text_of(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
