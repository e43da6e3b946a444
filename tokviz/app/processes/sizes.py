"""Memory use of visitors' tokenizers, estimated from their vocabulary."""

from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer

MAX_KEPT_EACH = 300_000_000
"""Maximum bytes of memory for the tokenizers of one visitor; one of 300,000 tokens takes 270 MB."""

# Measured with a vocabulary of 200,000 tokens after use on every page.
_BYTES_PER_TOKEN = 900


def memory_of(tokenizer: Tokenizer) -> int:
    """Estimate the bytes of memory that a tokenizer takes once it has been used on every page."""
    if isinstance(tokenizer, CharacterTokenizer | ByteTokenizer):
        return 0
    return sum(_BYTES_PER_TOKEN + 2 * len(token) for token in tokenizer.vocab.values())


def check_size(tokenizer: BPETokenizer) -> None:
    """Raise ValueError if a tokenizer takes more memory than one visitor's tokenizers may."""
    if memory_of(tokenizer) > MAX_KEPT_EACH:
        raise ValueError(
            f"this tokenizer has {len(tokenizer.vocab):,} tokens; with that many, it takes more than the "
            f"{MAX_KEPT_EACH // 1_000_000} MB of memory that this server has for one visitor's tokenizers"
        )
