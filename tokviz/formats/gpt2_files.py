"""GPT-2's two files: `vocab.bpe`, the merges by rank, and `encoder.json`, token -> id. No split pattern.

`encoder.json` lists special tokens by their text: an entry that is neither a byte nor made by a merge is one.
"""

import json
from collections.abc import Mapping
from itertools import chain

from tokviz.bpe.byte_characters import unspell
from tokviz.display import quote
from tokviz.formats import byte_spelling, checks
from tokviz.formats.format import Format, Given, Written
from tokviz.tokenizers.bpe import BPETokenizer

MERGES, VOCABULARY = "vocab.bpe", "encoder.json"
_HEADER = "#version: 0.2"


def write(tok: BPETokenizer, _: str) -> Written:
    """Write the two files, without the special tokens that are spelled like an ordinary token."""
    file = f"{MERGES} with {VOCABULARY}"
    units, spell = byte_spelling.speller(tok, file)
    if units != "bytes":
        raise ValueError(f"{tok.name} merges characters, and {file} can only hold bytes: ids would change")
    if tok.takes_tokens_whole or byte_spelling.never_made(tok).intersection(chain.from_iterable(tok.merges)):
        raise ValueError(f"{tok.name} has tokens that no merge makes, which {file} can't say: ids would change")
    vocab, merges = byte_spelling.spelled(tok, spell, file)
    left_out = {text: token for text, token in tok.special_tokens.items() if text in vocab or _is_symbol(text)}
    vocab |= {text: token for text, token in tok.special_tokens.items() if text not in left_out}
    by_id = dict(sorted(vocab.items(), key=lambda item: item[1]))
    lines = [_HEADER, *(f"{left} {right}" for left, right in merges), ""]
    files = {MERGES: "\n".join(lines).encode(), VOCABULARY: json.dumps(by_id).encode()}
    return Written(files, {"special_tokens": left_out} if left_out else {})


def _is_symbol(text: str) -> bool:
    return len(text) == 1 and unspell(text) is not None


def read(files: Mapping[str, bytes], title: str, given: Given) -> BPETokenizer:
    """Read the tokenizer in the two files. The special tokens given are those that they don't hold."""
    split_pattern, special_tokens, unapplied, _ = given
    ids = byte_spelling.check_vocab(VOCABULARY, checks.as_json(VOCABULARY, files[VOCABULARY]))
    pairs = byte_spelling.read_merges(MERGES, ids, read_pairs(MERGES, files[MERGES]))
    merged = set(pairs.values())
    ordinary = {text: token for text, token in ids.items() if token in merged or _is_symbol(text)}
    specials = {text: token for text, token in ids.items() if text not in ordinary} | dict(special_tokens)
    vocab: dict[int, bytes] = {}
    for text, token in ordinary.items():
        data = unspell(text)
        if data is None:
            raise ValueError(f"{VOCABULARY}: {quote(text)} holds a character that stands for no byte")
        if token in vocab:
            raise ValueError(f"{VOCABULARY}: {quote(text)} has the id {token}, as another token has")
        vocab[token] = data
    used_ids = set(vocab)
    for text, token in specials.items():
        is_given = text in special_tokens
        if token not in used_ids or (is_given and vocab[token] == text.encode()):
            continue
        if is_given:
            raise ValueError(f"the special token {quote(text)} has the id {token}, which {VOCABULARY} gives to another")
        raise ValueError(f"{VOCABULARY}: {quote(text)} has the id {token}, as another token has")
    for text, token in specials.items():
        vocab.setdefault(token, text.encode())
    return BPETokenizer(title, vocab, pairs, split_pattern=split_pattern, special_tokens=specials, unapplied=unapplied)


def read_pairs(name: str, merges: bytes) -> list[tuple[str, str]]:
    """Read the merges: pairs of tokens, by rank."""
    lines = checks.as_text(name, merges).split("\n")
    first = 1 if lines[0].startswith("#version") else 0
    pairs = []
    for number, line in enumerate(lines[first:], start=first + 1):
        left, space, right = line.removesuffix("\r").partition(" ")
        if line and not (left and space and right and " " not in right):
            raise ValueError(f"{name}: line {number} should be two tokens with a space between; it is {quote(line)}")
        if line:
            pairs.append((left, right))
    return pairs


FORMAT = Format(
    label="GPT-2's vocab.bpe and encoder.json",
    names=(MERGES, VOCABULARY),
    read=read,
    write=write,
    lacks=frozenset({"split_pattern", "special_tokens", "unapplied"}),
    title="GPT-2's files",
)
