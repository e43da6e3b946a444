"""tokviz: see how tokenizers cut a text, and learn why.

A small, exact and fast byte pair encoding package:

>>> import tokviz
>>> tokenizer = tokviz.load("gpt2")
>>> tokenizer.encode("Hello, world!")
[15496, 11, 995, 0]
>>> [step.new for step in tokenizer.replay("hello")]
[258, 297, 12758, 31373]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tokviz import export
from tokviz.analysis.audit import Audit, audit
from tokviz.analysis.comparison import Comparison, compare
from tokviz.analysis.curves import CompressionCurve, compression_curve, vocabulary_costs
from tokviz.analysis.difference import Difference, difference
from tokviz.analysis.first_symbols import CodePointsOrBytes, code_points_or_bytes
from tokviz.analysis.frequencies import token_frequencies
from tokviz.analysis.measures import measure
from tokviz.analysis.reach import Reach, token_reach
from tokviz.analysis.reasons import Effect, Reason
from tokviz.analysis.text_comparison import compare_texts
from tokviz.analysis.text_explanations import TextsExplanation, explain_texts
from tokviz.analysis.token_count import count
from tokviz.analysis.vocabulary import vocabulary_table
from tokviz.bpe.replay import ReplayStep
from tokviz.formats import open, save
from tokviz.loading import load
from tokviz.pretokens.splitting import PATTERNS as split_patterns
from tokviz.pretrained import available
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.batch import Batch
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.training import train_sentencepiece, train_word_piece
from tokviz.tokenizers.history import Training, TrainingStep
from tokviz.tokenizers.pretoken_counts import PretokenCounts, count_pretokens, open_counts
from tokviz.tokenizers.replay import Replay
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer, WordTokenizer
from tokviz.tokenizers.train import train
from tokviz.tokenizers.tree import MergeTree
from tokviz.version import __version__

if TYPE_CHECKING:
    from tokviz import figures as figures

__all__ = [
    "Audit",
    "BPETokenizer",
    "Batch",
    "ByteTokenizer",
    "CharacterTokenizer",
    "CodePointsOrBytes",
    "Comparison",
    "CompressionCurve",
    "Difference",
    "Effect",
    "MergeTree",
    "PretokenCounts",
    "Reach",
    "Reason",
    "Replay",
    "ReplayStep",
    "TextsExplanation",
    "Tokenization",
    "Tokenizer",
    "Training",
    "TrainingStep",
    "WordTokenizer",
    "__version__",
    "audit",
    "available",
    "code_points_or_bytes",
    "compare",
    "compare_texts",
    "compression_curve",
    "count",
    "count_pretokens",
    "difference",
    "explain_texts",
    "export",
    "load",
    "measure",
    "open",
    "open_counts",
    "save",
    "split_patterns",
    "token_frequencies",
    "token_reach",
    "train",
    "train_sentencepiece",
    "train_word_piece",
    "vocabulary_costs",
    "vocabulary_table",
]


def __getattr__(name: str) -> Any:
    """Load `tokviz.figures` when it is first used, since it needs Plotly."""
    if name != "figures":
        raise AttributeError(f"module 'tokviz' has no attribute {name!r}")
    return import_module("tokviz.figures")
