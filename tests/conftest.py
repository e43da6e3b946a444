"""Settings for all tests, and for the processes that they start."""

import gc
import os
import sys

# Otherwise each of more than a hundred processes would compile the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_collection_finish() -> None:
    """Let garbage collection skip what lasts until the end: modules and the tests themselves."""
    gc.collect()
    gc.freeze()
