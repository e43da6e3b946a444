"""What visitors bring along and keep: tokenizers, links, files."""
