"""Adapters for other libraries that encode on behalf of a tokenizer, one module each."""
