"""js-tiktoken's JSON: tokens in the order of their ranks, split pattern and special tokens. Files are only read.

Anthropic published Claude's first vocabulary as such a file, `claude.json`. `bpe_ranks` has lines of tokens in base64,
divided by spaces; in front of them are a sign that is not read and the rank of the first.
"""

import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from tokviz.display import quote
from tokviz.formats import checks
from tokviz.pretokens.splitting import literal
from tokviz.tokenizers.bpe import BPETokenizer


def is_one(content: Mapping[str, Any]) -> bool:
    """Return whether a JSON file is of this format."""
    return {"pat_str", "bpe_ranks", "special_tokens"} <= content.keys()


def read(name: str, content: Mapping[str, Any], title: str) -> BPETokenizer:
    """Read the tokenizer in a parsed file. Raises ValueError."""
    vocab: dict[int, bytes] = {}
    for line in checks.typed(name, "bpe_ranks", content["bpe_ranks"], str).splitlines():
        for rank, token_bytes in _tokens(name, line):
            if rank in vocab:
                raise ValueError(f"{name} gives the rank {rank} to two tokens")
            vocab[rank] = token_bytes
    checks.check_lengths(name, map(len, vocab.values()), squares=True)
    pattern = checks.check_pattern(name, checks.typed(name, "pat_str", content["pat_str"], str))
    specials = checks.typed(name, "special_tokens", content["special_tokens"], dict)
    for text, token in specials.items():
        checks.check_id(name, quote(checks.check_text(name, text)), token)
        if token in vocab:
            raise ValueError(f"{name} gives the id {token} to {quote(text)} and to {quote(vocab[token])}")
        vocab[token] = text.encode()
    return BPETokenizer(title, vocab, split_pattern=literal(pattern), special_tokens=dict(specials), ignore_merges=True)


def _tokens(name: str, line: str) -> Iterator[tuple[int, bytes]]:
    """Yield the tokens of a line of `bpe_ranks` with their ranks."""
    _, _, numbered = line.partition(" ")
    first, _, tokens = numbered.partition(" ")
    if not (first.isascii() and first.isdecimal() and len(first) < 20):
        raise ValueError(f"{name}: a line of bpe_ranks should begin with a sign and a rank; it is {quote(line)}")
    for rank, token in enumerate(tokens.split(), start=int(first)):
        checks.check_id(name, "a token of bpe_ranks", rank)
        try:
            yield rank, binascii.a2b_base64(token, strict_mode=True)
        except ValueError:
            raise ValueError(f"{name}: the token of rank {rank} is not base64") from None
