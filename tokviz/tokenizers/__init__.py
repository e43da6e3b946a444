"""Tokenizers: turning texts into tokens and back, and training."""
