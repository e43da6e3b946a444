"""`.tiktoken`: one line per token, with its bytes in base64 and its id. No split pattern, no special tokens.

A token without bytes, which is never encoded, is `=`: OpenAI's Whisper has one in `multilingual.tiktoken`.
Any two neighbors whose bytes together are a token are merged, the lowest new id first; a pre-token that is a token is
taken whole. If bytes are listed twice, they are encoded as the last id.
"""

import binascii
import re
from collections.abc import Mapping

from tokviz.display import quote
from tokviz.formats import checks
from tokviz.formats.format import Format, Given, Written
from tokviz.tokenizers.bpe import BPETokenizer

_EMPTY = b"="


def write(tok: BPETokenizer, name: str) -> Written:
    """Write the file. Raises ValueError if ids would change."""
    if tok.tiktoken_ranks is None:
        raise ValueError(
            f"{tok.name} can't be written as a .tiktoken file: ids would change, because with such a file merging "
            "begins with bytes, follows the ids and joins any pair that makes a token. Save it as tokenizer.json"
        )
    both = next((text for text, token in tok.special_tokens.items() if token in tok.ordinary_ids), None)
    if both is not None:
        raise ValueError(
            f"{tok.name} has the id {tok.special_tokens[both]} for the special token {quote(both)} and for an ordinary "
            "one, which can't be said with a .tiktoken file: ids would change. Save it as tokenizer.json"
        )
    lines = [
        b"%s %d\n" % (binascii.b2a_base64(data, newline=False) or _EMPTY, token)
        for data, token in tok.tiktoken_ranks.items()
    ]
    return Written({name: b"".join(lines)}, {"special_tokens": dict(tok.special_tokens)})


def read(files: Mapping[str, bytes], title: str, given: Given) -> BPETokenizer:
    """Read the tokenizer in one file."""
    [(name, data)] = files.items()
    split_pattern, special_tokens, unapplied, _ = given
    vocab: dict[int, bytes] = {}
    for number, line in enumerate(checks.as_text(name, data).splitlines(), start=1):
        if not line:
            continue
        token, token_bytes = _parse(name, number, line)
        if token in vocab:
            raise ValueError(f"{name}: line {number} gives the id {token} to a second token")
        vocab[token] = token_bytes
    if not vocab:
        raise ValueError(f"{name} is empty: it should have a line for each token")
    checks.check_lengths(name, map(len, vocab.values()), squares=True)
    for text, token in special_tokens.items():
        if token in vocab:
            raise ValueError(
                f"the special token {quote(text)} has the id {token}, which {name} gives to {quote(vocab[token])}"
            )
    for text, token in special_tokens.items():
        vocab.setdefault(token, text.encode())
    return BPETokenizer(
        title,
        vocab,
        split_pattern=split_pattern,
        special_tokens=special_tokens,
        ignore_merges=True,
        unapplied=unapplied,
    )


def _parse(name: str, number: int, line: str) -> tuple[int, bytes]:
    try:
        data, token = line.split()
        if not (token.isascii() and token.isdecimal() and len(token) < 20):
            raise ValueError
        token_bytes = b"" if data == _EMPTY.decode() else binascii.a2b_base64(data, strict_mode=True)
    except ValueError:
        raise ValueError(
            f"{name}: line {number} should be a token's bytes in base64, a space, and its id; it is {quote(line)}"
        ) from None
    return checks.check_id(name, f"the token in line {number}", int(token)), token_bytes


FORMAT = Format(
    label="tiktoken's .tiktoken",
    names=("*.tiktoken",),
    also_reads=("*.model",),
    begins=re.compile(rb"[A-Za-z0-9+/]+={0,2} \d+\r?(\n|$)"),
    read=read,
    write=write,
    lacks=frozenset({"split_pattern", "special_tokens", "unapplied"}),
)
