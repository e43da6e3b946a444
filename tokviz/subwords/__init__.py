"""Subword algorithms besides byte-level BPE: Unigram, WordPiece, and sentencepiece's BPE by scores."""
