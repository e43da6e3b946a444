"""Parts of the shipped tokenizers for tests, built once per process. Not to be changed."""

from functools import cache

import reference
import tiktoken

import tokviz

vocabulary_table = cache(tokviz.vocabulary_table)


@cache
def ranks_of(name: str) -> dict[bytes, int]:
    """Return a shipped bytes -> id table: the vocabulary without its special tokens."""
    tok = tokviz.load(name)
    specials = set(tok.special_tokens.values())
    return {token: number for number, token in tok.vocab.items() if number not in specials}


@cache
def encoding_of(name: str) -> tiktoken.Encoding:
    """Return tiktoken's own definition of an encoding around that table, without a network."""
    return reference.tiktoken_encoding(name, ranks_of(name))
