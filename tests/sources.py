"""Parsing of the project's own modules."""

import ast
import gc
from pathlib import Path


def parse(module: Path) -> ast.Module:
    """Return a module's syntax tree."""
    gc.disable()  # Python 3.11 can't parse while finalizers run (python/cpython#106905)
    try:
        return ast.parse(module.read_text("utf-8"))
    finally:
        gc.enable()
