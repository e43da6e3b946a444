"""The models of `subwords`, built from what a file of another library says. `ids` are those of matchable pieces."""

from collections.abc import Mapping

import numpy as np

from tokviz.subwords.ranked_merges import RankedMerges
from tokviz.subwords.scored_merges import ScoredPieces
from tokviz.subwords.unigram import ScoreArray, UnigramModel, user_defined_score
from tokviz.subwords.word_piece import WordPieceModel
from tokviz.tokenizers.engines.stages import Model

_UNK_PENALTY = 10.0
"""An unknown character scores this much less than the lowest piece (sentencepiece's `kUnkPenalty`)."""

_WORD_LIMIT = 100
"""Maximum characters of a word for WordPiece, if a file sets none."""


def unigram_of(model: Model, ids: Mapping[str, int], *, in_single_precision: bool) -> UnigramModel:
    """Return the Unigram model of a file."""
    listed = [score for _, score in model.pieces]
    scores: ScoreArray = np.array(listed, np.float32) if in_single_precision else np.array(listed, np.float64)
    normal = [token for token in ids.values() if token not in model.literal_ids]
    unk_score = float(scores[normal].min(initial=np.inf) - scores.dtype.type(_UNK_PENALTY))
    for token in model.literal_ids:
        scores[token] = user_defined_score(model.pieces[token][0])
    return UnigramModel(ids, scores, unk_score, model.unknown, model.byte_ids)


def scored_pieces_of(model: Model, ids: Mapping[str, int]) -> ScoredPieces:
    """Return the pieces of a file that are merged by their scores."""
    literal = frozenset(model.pieces[token][0] for token in model.literal_ids)
    scores = np.array([score for _, score in model.pieces], np.float32)
    return ScoredPieces(ids, scores, literal, model.unknown, model.byte_ids)


def ranked_merges_of(model: Model, ids: Mapping[str, int]) -> RankedMerges:
    """Return the merges of a file, by rank."""
    return RankedMerges(
        ids,
        model.merges,
        model.unknown,
        model.byte_ids,
        prefix=model.continuing_prefix,
        suffix=model.end_suffix,
        takes_whole=model.ignore_merges,
        fuses_unknown=model.fuse_unknown,
    )


def word_pieces_of(model: Model, unknown: int, ids: Mapping[str, int]) -> WordPieceModel:
    """Return the WordPiece model of a file. `unknown` is the id of its unknown token."""
    limit = _WORD_LIMIT if model.word_limit is None else model.word_limit
    return WordPieceModel(ids, unknown, model.continuing_prefix, limit)
