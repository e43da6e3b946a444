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
from typing import Any

from tokviz import renderers as _renderers

with open(f"{__file__}i", encoding="utf-8") as _stub:  # noqa: PTH123 - pathlib takes longer to load than all of this
    _FOUND = [line.split()[1:4:2] for line in _stub if line.startswith("from ")]
"""Pairs of a module and a public name, read from the stub that type checkers and editors use."""

_MODULES = tuple(name for package, name in _FOUND if package == __name__)
_OBJECTS = {name: f"{module}.{name}" for module, name in _FOUND if module != __name__}
_OBJECTS["split_patterns"] = "tokviz.pretokens.splitting.PATTERNS"

_renderers.register(
    html={
        "tokviz.analysis.comparison.compare.Comparison": "tokviz.widgets.comparison_display.comparison_html",
        "tokviz.chats.chat.Chat": "tokviz.widgets.chat_display.chat_html",
        "tokviz.tokenization.Tokenization": "tokviz.widgets.notebook.notebook_html",
        "tokviz.tokenizers.lattice.TextLattice": "tokviz.widgets.lattices.notebook_lattice",
        "tokviz.tokenizers.matches.TextMatches": "tokviz.widgets.longest_matches.notebook_matches",
        "tokviz.tokenizers.replay.Replay": "tokviz.widgets.replays.notebook_player",
        "tokviz.tokenizers.tree.MergeTree": "tokviz.widgets.notebook.tree_html",
    },
    text={
        "tokviz.analysis.comparison.compare.Comparison": "tokviz.widgets.comparison_display.comparison_text",
        "tokviz.chats.chat.Chat": "tokviz.widgets.chat_display.chat_text",
    },
)

_NEEDED = {"figures": "plotly"}

__all__ = ["export", *_OBJECTS]  # not `figures`, which needs Plotly


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
