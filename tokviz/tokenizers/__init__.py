"""Tokenizers: texts into tokens and back, and how one is trained."""
