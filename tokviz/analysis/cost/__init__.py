"""Cost of texts in tokens, bytes and words, and the benefit of each merge."""
