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
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tokviz import renderers as _renderers

if TYPE_CHECKING:
    from tokviz import export as export
    from tokviz import figures as figures
    from tokviz import formats as formats
    from tokviz import integrations as integrations
    from tokviz.analysis.checking.encoding_check import EncodingCheck as EncodingCheck
    from tokviz.analysis.checking.encoding_check import check_encoding as check_encoding
    from tokviz.analysis.checking.training_check import TrainingCheck as TrainingCheck
    from tokviz.analysis.checking.training_check import check_training as check_training
    from tokviz.analysis.comparison.compare import Comparison as Comparison
    from tokviz.analysis.comparison.compare import compare as compare
    from tokviz.analysis.comparison.compare_texts import compare_texts as compare_texts
    from tokviz.analysis.comparison.explain_texts import TextsExplanation as TextsExplanation
    from tokviz.analysis.comparison.explain_texts import explain_texts as explain_texts
    from tokviz.analysis.comparison.reasons import Effect as Effect
    from tokviz.analysis.comparison.reasons import Reason as Reason
    from tokviz.analysis.cost.curves import CompressionCurve as CompressionCurve
    from tokviz.analysis.cost.curves import compression_curve as compression_curve
    from tokviz.analysis.cost.curves import vocabulary_costs as vocabulary_costs
    from tokviz.analysis.cost.measures import measure as measure
    from tokviz.analysis.cost.token_count import count as count
    from tokviz.analysis.difference.difference import Difference as Difference
    from tokviz.analysis.difference.difference import difference as difference
    from tokviz.analysis.training.first_symbols import CodePointsOrBytes as CodePointsOrBytes
    from tokviz.analysis.training.first_symbols import code_points_or_bytes as code_points_or_bytes
    from tokviz.analysis.vocabulary.audit import Audit as Audit
    from tokviz.analysis.vocabulary.audit import audit as audit
    from tokviz.analysis.vocabulary.contents import vocabulary_table as vocabulary_table
    from tokviz.analysis.vocabulary.frequencies import token_frequencies as token_frequencies
    from tokviz.analysis.vocabulary.reach import Reach as Reach
    from tokviz.analysis.vocabulary.reach import token_reach as token_reach
    from tokviz.bpe.replay import ReplayStep as ReplayStep
    from tokviz.chats.apply import chat as chat
    from tokviz.chats.chat import Chat as Chat
    from tokviz.formats import open as open
    from tokviz.formats import save as save
    from tokviz.loading import load as load
    from tokviz.pretrained import available as available
    from tokviz.tokenization import Tokenization as Tokenization
    from tokviz.tokenizers.base import Tokenizer as Tokenizer
    from tokviz.tokenizers.batch import Batch as Batch
    from tokviz.tokenizers.bpe import BPETokenizer as BPETokenizer
    from tokviz.tokenizers.engines.training import train_sentencepiece as train_sentencepiece
    from tokviz.tokenizers.engines.training import train_word_piece as train_word_piece
    from tokviz.tokenizers.history import Training as Training
    from tokviz.tokenizers.history import TrainingStep as TrainingStep
    from tokviz.tokenizers.pretoken_counts import PretokenCounts as PretokenCounts
    from tokviz.tokenizers.pretoken_counts import count_pretokens as count_pretokens
    from tokviz.tokenizers.pretoken_counts import open_counts as open_counts
    from tokviz.tokenizers.replay import Replay as Replay
    from tokviz.tokenizers.simple import ByteTokenizer as ByteTokenizer
    from tokviz.tokenizers.simple import CharacterTokenizer as CharacterTokenizer
    from tokviz.tokenizers.simple import WordTokenizer as WordTokenizer
    from tokviz.tokenizers.train import train as train
    from tokviz.tokenizers.tree import MergeTree as MergeTree
    from tokviz.version import __version__ as __version__

    split_patterns: dict[str, str]

_SOURCES = {
    "tokviz.analysis.checking.encoding_check": ("EncodingCheck", "check_encoding"),
    "tokviz.analysis.checking.training_check": ("TrainingCheck", "check_training"),
    "tokviz.analysis.comparison.compare": ("Comparison", "compare"),
    "tokviz.analysis.comparison.compare_texts": ("compare_texts",),
    "tokviz.analysis.comparison.explain_texts": ("TextsExplanation", "explain_texts"),
    "tokviz.analysis.comparison.reasons": ("Effect", "Reason"),
    "tokviz.analysis.cost.curves": ("CompressionCurve", "compression_curve", "vocabulary_costs"),
    "tokviz.analysis.cost.measures": ("measure",),
    "tokviz.analysis.cost.token_count": ("count",),
    "tokviz.analysis.difference.difference": ("Difference", "difference"),
    "tokviz.analysis.training.first_symbols": ("CodePointsOrBytes", "code_points_or_bytes"),
    "tokviz.analysis.vocabulary.audit": ("Audit", "audit"),
    "tokviz.analysis.vocabulary.contents": ("vocabulary_table",),
    "tokviz.analysis.vocabulary.frequencies": ("token_frequencies",),
    "tokviz.analysis.vocabulary.reach": ("Reach", "token_reach"),
    "tokviz.bpe.replay": ("ReplayStep",),
    "tokviz.chats.apply": ("chat",),
    "tokviz.chats.chat": ("Chat",),
    "tokviz.formats": ("open", "save"),
    "tokviz.loading": ("load",),
    "tokviz.pretrained": ("available",),
    "tokviz.tokenization": ("Tokenization",),
    "tokviz.tokenizers.base": ("Tokenizer",),
    "tokviz.tokenizers.batch": ("Batch",),
    "tokviz.tokenizers.bpe": ("BPETokenizer",),
    "tokviz.tokenizers.engines.training": ("train_sentencepiece", "train_word_piece"),
    "tokviz.tokenizers.history": ("Training", "TrainingStep"),
    "tokviz.tokenizers.pretoken_counts": ("PretokenCounts", "count_pretokens", "open_counts"),
    "tokviz.tokenizers.replay": ("Replay",),
    "tokviz.tokenizers.simple": ("ByteTokenizer", "CharacterTokenizer", "WordTokenizer"),
    "tokviz.tokenizers.train": ("train",),
    "tokviz.tokenizers.tree": ("MergeTree",),
    "tokviz.version": ("__version__",),
}
"""The modules of public functions and classes. The imports above say the same to type checkers and editors."""

_OBJECTS = {name: f"{module}.{name}" for module, names in _SOURCES.items() for name in names}
_OBJECTS["split_patterns"] = "tokviz.pretokens.splitting.PATTERNS"

_renderers.register(
    html={
        "tokviz.analysis.comparison.compare.Comparison": "tokviz.widgets.comparison_display.comparison_html",
        "tokviz.chats.chat.Chat": "tokviz.widgets.chat_display.chat_html",
        "tokviz.tokenization.Tokenization": "tokviz.widgets.notebook.notebook_html",
        "tokviz.tokenizers.lattice.TextLattice": "tokviz.widgets.lattices.notebook_lattice",
        "tokviz.tokenizers.matches.TextMatches": "tokviz.widgets.longest_matches.notebook_matches",
        "tokviz.tokenizers.replay.Replay": "tokviz.widgets.replays.notebook_player",
        "tokviz.tokenizers.tree.MergeTree": "tokviz.widgets.notebook_tree.tree_html",
    },
    text={
        "tokviz.analysis.comparison.compare.Comparison": "tokviz.widgets.comparison_display.comparison_text",
        "tokviz.chats.chat.Chat": "tokviz.widgets.chat_display.chat_text",
    },
)

_MODULES = ("export", "figures", "formats", "integrations")
_NEEDED = {"figures": "plotly"}

__all__ = ["export", *_OBJECTS]  # not `figures`, which needs Plotly

if not TYPE_CHECKING:  # type checkers would take any name

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used (PEP 562), so that programs load only what they need."""
        if name in _MODULES:
            return import_module(f"tokviz.{name}")
        if name not in _OBJECTS:
            raise AttributeError(f"module 'tokviz' has no attribute {name!r}")
        module, _, attribute = _OBJECTS[name].rpartition(".")
        found = globals()[name] = getattr(import_module(module), attribute)
        return found


def __dir__() -> list[str]:
    """List the public names, loaded or not, without modules whose library is not installed.

    `help` and `inspect.getmembers` ask for each of these names.
    """
    missing = {module for module, library in _NEEDED.items() if not _is_installed(library)}
    return sorted({*globals(), *_OBJECTS, *_MODULES} - missing)


def _is_installed(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except (ImportError, ValueError):  # refused by an import hook, or loaded without a spec
        return False
