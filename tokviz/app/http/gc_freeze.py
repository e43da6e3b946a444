"""Exclude long-lived objects from garbage collection."""

import gc


def freeze_loaded() -> None:
    """Exclude everything that is in memory now from garbage collection.

    Collecting garbage stops all threads. Without modules and vocabularies to scan, that takes 4 ms instead of 70.
    """
    gc.collect()
    gc.freeze()
