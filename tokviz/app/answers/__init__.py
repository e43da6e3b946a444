"""Answers to requests: routes, the parameters they take, and the files and tokenizers kept for visitors."""
