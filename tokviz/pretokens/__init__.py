"""Cutting a text before anything is merged: special tokens, then the pieces of a split pattern, the pre-tokens."""
