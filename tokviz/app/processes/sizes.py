"""How much memory visitors' tokenizers take, as far as it can be told from their vocabulary."""

from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer

MAX_KEPT_EACH = 300_000_000
"""Bytes that the tokenizers of one visitor may take; one of 300,000 tokens takes 270 MB."""

# As measured on a vocabulary of 200,000 tokens that has been used on every page.
_BYTES_PER_TOKEN = 900


def memory_of(tokenizer: Tokenizer) -> int:
    """About how many bytes of memory a tokenizer takes once it has been used on every page."""
    if isinstance(tokenizer, CharacterTokenizer | ByteTokenizer):
        return 0
    return sum(_BYTES_PER_TOKEN + 2 * len(token) for token in tokenizer.vocab.values())


def check_size(tokenizer: BPETokenizer) -> None:
    """Raise ValueError for a tokenizer that takes more memory than a visitor's may."""
    if memory_of(tokenizer) > MAX_KEPT_EACH:
        raise ValueError(
            f"this tokenizer has {len(tokenizer.vocab):,} tokens; with that many, it takes more than the "
            f"{MAX_KEPT_EACH // 1_000_000} MB of memory that this server has for one visitor's tokenizers"
        )
