"""The names by which tiktoken's users know what a tokenizer has and does."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property


class TiktokenNames:
    """Mixin of a tokenizer: attributes and methods of `tiktoken.Encoding`, with the same results.

    What can't be answered is a ValueError, as everywhere in tokviz, where tiktoken raises KeyError.
    """

    name: str
    vocab: Mapping[int, bytes]
    special_tokens: Mapping[str, int]

    @property
    @abstractmethod
    def vocab_size(self) -> int:
        """The highest id + 1."""

    @abstractmethod
    def encode(self, text: str, allowed_special: Collection[str] = ()) -> list[int]:
        """Return the token ids of `text`."""

    @abstractmethod
    def _token_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of each token."""

    @abstractmethod
    def _id_of_bytes(self, data: bytes) -> int | None:
        """Return the id of the last token other than a special one that has exactly these bytes; None without one."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the token ids of `text`, in which nothing is a special token: `encode`'s own default."""
        return self.encode(text)

    def encode_single_token(self, token: str | bytes) -> int:
        """Return the id of the token with this text or these bytes; of a special token, if its text is given.

        Raises ValueError if there is none.
        """
        if isinstance(token, str) and token in self.special_tokens:
            return self.special_tokens[token]
        data = token.encode() if isinstance(token, str) else token
        found = self._id_of_bytes(data)
        if found is None:
            found = self.special_tokens.get(data.decode("utf-8", "surrogateescape"))
        if found is None:
            raise ValueError(f"{self.name} has no token {token!r:.60}")
        return found

    def decode_single_token_bytes(self, token: int) -> bytes:
        """Return the bytes of one token, one entry of `vocab`."""
        return self._token_bytes([token])[0]

    def decode_tokens_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of each token."""
        return self._token_bytes(ids)

    def token_byte_values(self) -> list[bytes]:
        """Return the bytes of all tokens but the special ones, sorted."""
        specials = set(self.special_tokens.values())
        return sorted(data for token, data in self.vocab.items() if token not in specials)

    @property
    def n_vocab(self) -> int:
        """The highest id + 1: `vocab_size`."""
        return self.vocab_size

    @property
    def max_token_value(self) -> int:
        """The highest id."""
        return self.vocab_size - 1

    @property
    def special_tokens_set(self) -> set[str]:
        """The texts of the special tokens."""
        return set(self.special_tokens)

    @property
    def eot_token(self) -> int:
        """The id of `<|endoftext|>`. Raises ValueError if there is no such special token."""
        if "<|endoftext|>" not in self.special_tokens:
            raise ValueError(f"{self.name} has no special token <|endoftext|>")
        return self.special_tokens["<|endoftext|>"]

    def is_special_token(self, token: int) -> bool:
        """Return whether an id is that of a special token."""
        return token in self._special_ids

    @cached_property
    def _special_ids(self) -> frozenset[int]:
        return frozenset(self.special_tokens.values())
