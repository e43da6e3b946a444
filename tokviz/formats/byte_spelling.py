"""Vocabularies and merges as GPT-2's files and most of Hugging Face's spell them: token -> id, and pairs of tokens."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from tokviz.bpe.alphabet import Units
from tokviz.bpe.byte_characters import spell
from tokviz.bpe.merging import Pair
from tokviz.display import quote
from tokviz.formats import checks
from tokviz.tokenizers.bpe import BPETokenizer

Spelled = tuple[dict[str, int], list[tuple[str, str]]]


def speller(tok: BPETokenizer, file: str) -> tuple[Units, Callable[[bytes], str]]:
    """Units that `tok` merges, and the function that spells its tokens. ASCII characters are bytes as well."""
    if tok.alphabet.ends_words:
        raise ValueError(f"{tok.name} ends words with a mark of its own, which {file} can't say: ids would change")
    if tok.alphabet.units == "bytes" or all(len(symbol) == 1 for symbol in tok.alphabet.tokens):
        return "bytes", spell
    return "characters", bytes.decode


def spelled(tok: BPETokenizer, spelling: Callable[[bytes], str], file: str) -> Spelled:
    """Vocabulary without special tokens, by id, and merges. Raises ValueError if two tokens are spelled alike."""
    symbols = {*tok.alphabet.ids.values(), *tok.merges.values(), *chain.from_iterable(tok.merges)}
    if tok.ignore_merges:
        symbols |= tok.ordinary_ids
    of_id = {token: spelling(tok.vocab[token]) for token in sorted(symbols)}
    vocab = {text: token for token, text in of_id.items()}
    if len(vocab) < len(of_id):
        token = next(token for token, text in of_id.items() if vocab[text] != token)
        raise ValueError(
            f"{tok.name} has several tokens of the same bytes, such as {quote(tok.vocab[token])} (ids {token} and "
            f"{vocab[of_id[token]]}), and {file} can hold only one of them: ids would change"
        )
    return vocab, [(of_id[left], of_id[right]) for left, right in tok.merges]


def never_made(tok: BPETokenizer) -> set[int]:
    """Return the ids of the tokens that are neither symbols nor made by a merge, special tokens aside."""
    return tok.ordinary_ids - {*tok.alphabet.ids.values(), *tok.merges.values()}


def read_merges(name: str, vocab: Mapping[str, int], merges: Sequence[tuple[str, str]]) -> dict[Pair, int]:
    """Pair -> new id, by rank. If a pair is listed twice, its last place counts."""
    found: dict[Pair, int] = {}
    for rank, (left, right) in enumerate(merges):
        pieces = (left, right, left + right)
        for piece in pieces:
            if piece not in vocab:
                raise ValueError(
                    f"{name}: merge {rank} is {quote(left)} + {quote(right)}, but the vocabulary lacks {quote(piece)}"
                )
        pair = (vocab[left], vocab[right])
        found.pop(pair, None)
        found[pair] = vocab[left + right]
    return found


def check_vocab(name: str, vocab: Mapping[str, object]) -> dict[str, int]:
    """Check a vocabulary from a file: text -> id."""
    ids = {checks.check_text(name, text): checks.check_id(name, repr(text), token) for text, token in vocab.items()}
    if "" in ids:
        raise ValueError(f"{name} has a token that is empty")
    checks.check_lengths(name, map(len, ids))
    return ids
