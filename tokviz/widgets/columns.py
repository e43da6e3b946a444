"""The columns of each answer and page: everything the browser needs to draw it; it runs no tokenizer.

    tokens
    ids, byte_lengths, special  n tokens. Lengths are sent, as they compress to a sixth of what offsets take
    ranks                       the rank of the merge that makes each, or -1

    pre-tokens
    byte_lengths, branches      their lengths, and the branches of the pattern that matched them
    tokens                      how many tokens each has, if the text is rewritten before it is split

    a comparison, where `_0` is a tokenizer's index
    ids_0, byte_lengths_0, special_0    the tokens
    own_tokens_0, own_lengths_0, own_bytes_0    vocabulary bytes of some tokens (see `Comparison.own_pieces`)
    boundaries                  the byte offsets where all tokenizers cut (see `Comparison`)
    differing, classes          the segments that are cut differently, and their text classes
    reasons_1                   the reasons for each of these, as a sum of `Reason`s; not for the reference
    explanations_1              the explanation of each: an index into a list of reasons, -1 if there is none
    pretokens_0                 1 for each token that begins a pre-token, and for the text's end

    a replay
    symbols                     the ids before the first merge
    removed_at                  the step that removes the boundary before each symbol (see `Replay`)
    pretoken_symbols, branches  for each pre-token, its number of symbols and the branch of the pattern that matched it
    cut_out_lengths, cut_out_bytes          what each added token covers, which may be more than its own bytes
    ranks, lefts, rights, new_ids, places   the steps
    counts, tied                for each step, if it was learned from this text
    pair_lefts, pair_rights, pair_ranks     every pair that is ever adjacent and has a rank
    token_ids, token_lengths, token_bytes   every id that occurs, and the bytes of each, concatenated
    tower_, block_ and character_ columns   its tower, for all but long texts (see `tower_layout.Tower`)

    a text under any number of merges (`seeks.py`)
    symbols, removed_at, ranks, new_ids     as those of a replay
    symbol_lengths, special                 the bytes of each symbol, and whether it is a special token
    known                                   for each step, how many merges a tokenizer knows at least that takes it

The text of a replay is the concatenated bytes of `symbols`, where an added token counts as the bytes it covers. The
browser's types of these columns are in `shared/net/columns.js`; a test compares them.
"""

from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from tokviz.analysis.branches import branch_columns, cutting_of, labels, pretoken_branches
from tokviz.analysis.classes import CLASSES
from tokviz.analysis.comparison.compare import Comparison
from tokviz.arrays import Int32Array
from tokviz.bpe.merge_replay import Order
from tokviz.tokenization import Tokenization
from tokviz.tokenizer_colors import color_numbers
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.replay import Replay
from tokviz.widgets import engine_replays
from tokviz.widgets.tower_layout import tower_columns
from tokviz.widgets.wire import Columns

# Tokens and pre-tokens


def token_columns(tokenization: Tokenization) -> Columns:
    """Return the columns of a text's tokens, without their ranks."""
    return {
        "ids": tokenization.ids,
        "byte_lengths": np.diff(tokenization.byte_offsets),
        "special": tokenization.special.astype(np.uint8),
    }


def rank_columns(tokenizer: Tokenizer, ids: Int32Array) -> Columns:
    """Return the column `ranks`: each token's merge rank, or -1 for none. None for tokenizers without merges."""
    if not tokenizer.merges_pieces:
        return {}
    unique_ids, inverse = np.unique(ids, return_inverse=True)
    ranks = [tokenizer.rank(token) for token in unique_ids.tolist()]
    return {"ranks": np.array([-1 if rank is None else rank for rank in ranks], np.int32)[inverse]}


def pretoken_columns(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> Columns:
    """Return a text's pre-tokens: `byte_lengths`, and the pattern `branches` that matched (see `analysis.branches`).

    If the tokenizer rewrites the text first, or an engine cuts it, also `tokens`: the number of tokens in each. Some
    may cover no bytes.
    """
    byte_lengths, branches = branch_columns(tokenizer, text, allowed_special)
    columns: Columns = {"byte_lengths": byte_lengths, "branches": branches}
    if tokenizer.rewriting or not tokenizer.takes_split_patterns:
        index = tokenizer.tokenize(text, allowed_special).pretoken_index
        columns["tokens"] = np.bincount(index, minlength=len(branches)).astype(np.int32)
    return columns


def _bytes_columns(name: str, pieces: Collection[bytes]) -> Columns:
    """Return pieces of bytes as their lengths and their concatenation."""
    return {
        f"{name}_lengths": np.array([len(piece) for piece in pieces], np.int32),
        f"{name}_bytes": np.frombuffer(b"".join(pieces), np.uint8),
    }


# Comparisons


def comparison_columns(compared: Comparison) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and metadata of a comparison, without the reasons, which take a few times as long."""
    indices = range(len(compared.tokenizers))
    columns: Columns = {
        "boundaries": compared.boundaries,
        "differing": compared.differing.astype(np.int32),
        "classes": compared.segment_classes[compared.differing],
    }
    for index, tokenization in enumerate(compared.tokenizations):
        own = compared.own_pieces[index]
        of_tokenizer = {
            **token_columns(tokenization),
            "own_tokens": np.array(list(own), np.int32),
            **_bytes_columns("own", own.values()),
        }
        columns |= {f"{name}_{index}": column for name, column in of_tokenizer.items()}
    colors = color_numbers(compared.names)
    meta = {
        "names": compared.names,
        "colors": [colors[name] for name in compared.names],
        "rewriting": [list(tokenizer.rewriting) for tokenizer in compared.tokenizers],
        "cutting": [cutting_of(tokenizer) for tokenizer in compared.tokenizers],
        "unknown": [unknown and unknown.id for unknown in compared.unknown],
        "unknown_says": compared.unknown_sentences,
        "classes": CLASSES,
        "class_counts": [counts.tolist() for counts in compared.class_counts],
        "agreement": [[compared.agreement(one, other)[:2] for other in indices] for one in indices],
    }
    return columns, meta


def reason_columns(compared: Comparison) -> Columns:
    """Return the reasons for each difference, for each tokenizer except the reference."""
    others = range(1, len(compared.tokenizers))
    return {f"reasons_{other}": compared.reasons(other)[compared.differing] for other in others}


# Replays


def apply_columns(replay: Replay, *, distinct: bool = False) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and metadata of a replay of encoding a text. `distinct` draws equal pre-tokens once."""
    tokenizer, columns = replay.tokenizer, _replay_columns(replay, distinct=distinct)
    if isinstance(tokenizer, EngineTokenizer):
        in_order, metadata = replay.is_by_rank, engine_replays.metadata(replay, tokenizer)
    else:
        in_order, metadata = _tokenizer(replay).in_order, _replay_metadata(_tokenizer(replay), columns)
    order: Order = replay.order if in_order else "pretoken"  # the only order its steps have
    return columns, {"story": "apply", "order": order, **metadata}


def learn_columns(replay: Replay) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and metadata of a replay that re-enacts training.

    Its text is the only one that the tokenizer was trained on, and has no special tokens. Raises ValueError for a
    tokenizer that was not trained here.
    """
    tokenizer = _tokenizer(replay)
    training = tokenizer.training
    if training is None:
        raise ValueError(f"{tokenizer.name} was not trained here, so how it was learned is not known")
    columns = _replay_columns(replay, distinct=True)
    columns["counts"] = training.counts.astype(np.int32)
    columns["tied"] = training.tied.astype(np.int32)
    learned = {"ties": training.tie_break, "stopped": training.stopped}
    return columns, {"story": "learn", "order": "rank", **learned, **_replay_metadata(tokenizer, columns)}


def _tokenizer(replay: Replay) -> BPETokenizer:
    assert isinstance(replay.tokenizer, BPETokenizer)  # no other has merges to replay
    return replay.tokenizer


def _replay_columns(replay: Replay, *, distinct: bool) -> Columns:
    """Return the columns of both kinds of replay. `distinct` draws equal pre-tokens once in the tower."""
    branches, added_bytes = _pretokens_of(replay)
    pairs = replay.candidates()
    used_ids = np.unique(np.concatenate((replay.symbols, replay.new_ids, pairs.lefts, pairs.rights)))
    tokens = [replay.tokenizer.vocab[token] for token in used_ids.tolist()]
    return {
        "symbols": replay.symbols,
        "removed_at": replay.removed_at,
        "pretoken_symbols": np.bincount(replay.pretoken_index, minlength=len(branches)).astype(np.int32),
        "branches": branches,
        **_bytes_columns("cut_out", added_bytes),
        "ranks": replay.ranks,
        "lefts": replay.lefts,
        "rights": replay.rights,
        "new_ids": replay.new_ids,
        "places": replay.places.astype(np.int32),
        "pair_lefts": pairs.lefts,
        "pair_rights": pairs.rights,
        "pair_ranks": pairs.ranks,
        "token_ids": used_ids.astype(np.int32),
        **_bytes_columns("token", tokens),
        **tower_columns(replay, distinct=distinct),
    }


def _pretokens_of(replay: Replay) -> tuple[npt.NDArray[np.uint8], list[bytes]]:
    """Return the branch of each pre-token, and the bytes covered by added tokens."""
    tokenizer = replay.tokenizer
    if tokenizer.is_of_library:
        return engine_replays.branches_of(replay, tokenizer), engine_replays.cut_out_bytes(replay, tokenizer)
    pieces = pretoken_branches(tokenizer, replay.text, replay.allowed_special)
    return np.array([branch for _, branch in pieces], np.uint8), []


def _replay_metadata(tokenizer: BPETokenizer, columns: Columns) -> dict[str, Any]:
    used_ids = columns["token_ids"].tolist()
    special = set(used_ids) & set(tokenizer.special_tokens.values())
    return {
        "tokenizer": tokenizer.name,
        "merges": tokenizer.num_merges,
        "alphabet": len(tokenizer.alphabet.tokens),
        "units": tokenizer.alphabet.units,
        "rewriting": list(tokenizer.rewriting),
        "endings": sorted(tokenizer.alphabet.endings.intersection(used_ids)),
        "end_of_word": tokenizer.end_of_word,
        "split": bool(tokenizer.split_patterns),
        "branches": labels(tokenizer),
        "special": sorted(special),
        "added": [],
    }
