"""Surgery on vocabularies: what adding special tokens and removing tokens takes, before a tokenizer is built."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tokviz.bpe.merging import Pair
from tokviz.display import counted, quote
from tokviz.tokenizers.capabilities import Vocabulary
from tokviz.tokenizers.inputs import check_special_ids, check_special_tokens, listed

_MAX_NAMED = 5  # maximum tokens named in a message


def new_special_tokens(
    vocab: Vocabulary, before: Mapping[str, int], added: Mapping[str, int] | Iterable[str]
) -> dict[str, int]:
    """Return the special tokens `before` and the `added` ones, as text -> id.

    Texts without ids take the ids after the highest in use. A token that is there already is allowed to be named again.
    Raises TypeError or ValueError for what is not a special token, and for a text or id that is in use already.
    """
    if not isinstance(added, Mapping):
        texts = [text for text in check_special_tokens(added) if text not in before]
        return {**before, **dict(zip(texts, range(max(vocab, default=-1) + 1, 2**31), strict=False))}
    tokens = dict(before)
    used = set(vocab)
    for text, token in check_special_ids(added).items():
        if tokens.get(text) == token:
            continue
        if text in tokens:
            raise ValueError(f"{quote(text)} is a special token already, with the id {tokens[text]}")
        if token in used:
            name = next((quote(one) for one, other in tokens.items() if other == token), None)
            raise ValueError(
                f"the id {token} of {quote(text)} is in use, for {name or quote(vocab[token])}: the ids from "
                f"{max(used) + 1} on are free"
            )
        tokens[text] = token
        used.add(token)
    return tokens


@dataclass(frozen=True)
class Removal:
    """The removal of tokens from a vocabulary.

    `removed` are the ids that were asked for, `unmade` those that go with them because no merge that is left makes
    them, `merges` the merges that go because they make or join a removed token. `str` says it in a sentence.
    """

    vocab: Vocabulary
    removed: frozenset[int]
    unmade: frozenset[int]
    merges: frozenset[Pair]

    def __str__(self) -> str:
        sentence = f"{counted('token', len(self.removed))} and {counted('merge', len(self.merges))} removed"
        if not self.unmade:
            return f"{sentence}."
        named = [f"{quote(self.vocab[token])} ({token})" for token in sorted(self.unmade)[:_MAX_NAMED]]
        more = len(self.unmade) - len(named)
        names = ", ".join(named) + (f" and {more:,} more" if more else "")
        return (
            f"{sentence}. With them {'goes' if len(self.unmade) == 1 else 'go'} "
            f"{counted('other token', len(self.unmade))} that only these merges make: {names}."
        )


def plan_removal(
    vocab: Vocabulary,
    merges: Mapping[Pair, int],
    alphabet: Collection[int],
    ids: Iterable[int],
    kept: Collection[int] = (),
) -> Removal:
    """Find what goes with the tokens `ids`: merges that make or join them, then tokens that only these make, and so on.

    Tokens in `kept` stay without merges, as what else can give them does. Raises ValueError for an id that is not in
    use, and for a symbol of the alphabet, without which some texts could not be encoded.
    """
    removed = frozenset(listed(ids, "ids", "token ids"))
    unknown = [token for token in removed if token not in vocab]
    if unknown:
        raise ValueError(f"token id {unknown[0]!r} is not in use, so it can't be removed")
    symbols = sorted(removed.intersection(alphabet))
    if symbols:
        raise ValueError(
            f"token {symbols[0]} ({quote(vocab[symbols[0]])}) can't be removed: it belongs to the alphabet, which "
            "merging starts from, and texts that hold it could not be encoded"
        )
    gone = set(removed)
    while True:
        lost = {pair for pair, new in merges.items() if new in gone or not gone.isdisjoint(pair)}
        left = {new for pair, new in merges.items() if pair not in lost}
        unmade = {merges[pair] for pair in lost} - left - gone - set(kept)
        if not unmade:
            return Removal(vocab, removed, frozenset(gone - removed), frozenset(lost))
        gone |= unmade
