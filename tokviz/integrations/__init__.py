"""Working together with libraries that tokviz does without: each module needs its library, and nothing else does."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tokviz.integrations import dask as dask

else:  # type checkers would take any name

    def __getattr__(name: str) -> ModuleType:
        """Import a module when it is first used (PEP 562). Raises ModuleNotFoundError without its library."""
        if name != "dask":
            raise AttributeError(f"module 'tokviz.integrations' has no attribute {name!r}")
        return import_module("tokviz.integrations.dask")
