"""Visitors' tokenizers, links and files: kept on the server, and shared."""
