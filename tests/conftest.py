"""Settings for all tests, and for the processes that they start."""

import gc
import os
import sys

# Otherwise each of more than a hundred processes would compile the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Nor does each need numpy's threads for linear algebra, which takes as long to start as numpy's other imports.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


# Tests of gigatoken turn it on (tests/fast.py). All others pass without it, and wait for no proof.
os.environ["TOKVIZ_FAST"] = "0"


def pytest_collection_finish() -> None:
    """Let garbage collection skip what lasts until the end, modules and the tests themselves, and run less often.

    It took 6 % of the processor time of tests that build millions of objects, nearly none of them in cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
