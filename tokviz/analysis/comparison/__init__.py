"""Comparison of tokenizers, or texts: where they differ, and why."""
