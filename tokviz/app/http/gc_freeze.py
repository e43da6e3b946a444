"""Exclude long-lived objects from garbage collection."""

import gc


def freeze_loaded() -> None:
    """Exclude everything that is in memory now from garbage collection.

    Streamlit collects garbage after each run of a page. Without modules and vocabularies to scan, a rerun takes 4 ms
    instead of 70.
    """
    gc.collect()
    gc.freeze()
