"""Other libraries that encode for a tokenizer of ours, one module for each."""
