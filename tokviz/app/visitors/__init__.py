"""What visitors keep on the server and share: tokenizers, links and files."""
