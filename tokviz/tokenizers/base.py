"""The base class of all tokenizers. They are immutable and thread-safe."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Self

import numpy as np

from tokviz.display import quote, shorten
from tokviz.pretokens import splitting
from tokviz.texts import read_in_parts, repair
from tokviz.tokenizers.batch import Batch, in_threads
from tokviz.tokenizers.canonical import Canonical, canonical_of, text_of
from tokviz.tokenizers.capabilities import Capabilities
from tokviz.tokenizers.inputs import listed
from tokviz.tokenizers.offsets import Offsets, offsets_of
from tokviz.tokenizers.stream import SafeCut, encoded_parts
from tokviz.tokenizers.windows import Cutter, Side, SureCuts, Window, check_number, check_side


class Tokenizer(Capabilities):
    """Turns texts into token ids and back.

    `name` is a readable name; `vocab` maps the ids in use to their bytes, including special tokens; `split_patterns`
    are the texts of the regular expressions that split a text first, the second one splitting the pieces of the first,
    and so on; `special_tokens` maps the texts of control tokens to their ids. A subclass only has to define how it
    encodes ordinary text, and how many bytes each token covers.
    """

    _CHANGE_HINT = "; with_name and with_split_pattern return a new one"

    chat_files: Mapping[str, bytes] = MappingProxyType({})
    """Files beside those of the tokenizer that may hold its chat template (see `tokviz.chat`), by name."""

    @property
    def split_pattern(self) -> str | None:
        """The split pattern if there is exactly one, else None."""
        return self.split_patterns[0] if len(self.split_patterns) == 1 else None

    @property
    def cuts_at_spaces(self) -> bool:
        """Whether encoding the parts of a text gives its ids, wherever it is cut before a space or tab after a word."""
        return bool(self.split_patterns) and splitting.CUT_AT_SPACES.issuperset(self.split_patterns)

    @property
    def _safe_cut(self) -> SafeCut | None:
        """The rule for cutting ordinary text before all of it is there; None if none is known."""
        return None

    def with_split_pattern(self, split_pattern: splitting.SplitPattern) -> Self:
        """Return a tokenizer with the same tokens and merges but this split pattern, given as in `train`.

        None means no splitting.
        """
        return self._with_split_patterns(splitting.as_patterns(split_pattern))

    def with_split_patterns(self, split_patterns: Iterable[str]) -> Self:
        """Return a tokenizer with the same tokens and merges, but these patterns, each splitting the pieces so far."""
        return self._with_split_patterns(tuple(split_patterns))

    def with_splits_of(self, tokenizer: "Tokenizer") -> Self:
        """Return a tokenizer with the same tokens and merges but the split patterns of another.

        Raises ValueError if either is an engine's, whose own rules cut texts.
        """
        if not tokenizer.takes_split_patterns:
            raise ValueError(
                f"{tokenizer.name} cuts texts by the rules of its own file, which no other tokenizer can take"
            )
        return self._with_split_patterns(tokenizer.split_patterns)

    def with_special_tokens(self, special_tokens: Mapping[str, int] | Iterable[str]) -> "Tokenizer":
        """Return this tokenizer with further special tokens (see `BPETokenizer.with_special_tokens`).

        Raises ValueError if an id is in use already or a text has another, and for a tokenizer that can't have any.
        """
        raise ValueError(
            f"{self.name} can't be given special tokens: byte pair encodings and tokenizers from files can have them"
        )

    def without(self, ids: Iterable[int]) -> "Tokenizer":
        """Return this tokenizer without some tokens (see `BPETokenizer.without`).

        Raises ValueError for all but byte pair encodings that tokviz merges itself.
        """
        raise self._only_merged_here(f"tokens can't be taken out of {self.name}")

    def _with_split_patterns(self, patterns: tuple[str, ...]) -> Self:
        return self._changed(split_patterns=patterns)

    def with_name(self, name: str) -> Self:
        """Return the same tokenizer under another name."""
        return self._changed(name=check_name(name))

    def with_chat_files(self, files: Mapping[str, bytes]) -> Self:
        """Return the same tokenizer with these files for chats, such as `chat_template.jinja`, by name."""
        return self._changed(chat_files=dict(files)) if files else self

    # Everyday work: many texts, long texts, parts of a given size, and positions

    def _unmarked_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of tokens, without the marks of a word's inside and end."""
        return self._token_bytes(ids)

    _cut_is_in_ordinary_text = True
    """Whether `_safe_cut` must be asked about the text between special tokens; else it knows about these itself."""

    _why_uncut = "with its split pattern, or without one,"
    """Why there is no safe place to cut a text."""

    def encode_batch(
        self, texts: Iterable[str], workers: int | None = None, allowed_special: Collection[str] = ()
    ) -> Batch:
        """Encode several texts like `encode`, into one column of ids with offsets (see `Batch`).

        The texts are encoded by `workers` threads; None means one for each processor core. This is faster only for
        tokenizers that tiktoken encodes; for others, `pool.map(tok.encode, texts)` with a pool of processes is.
        """
        allowed = self._allowed(allowed_special)
        repaired = [repair(text)[0] for text in listed(texts, "texts", "texts")]
        return Batch.of(list(in_threads(lambda text: self._encode_column(text, allowed), repaired, workers)))

    def encode_iter(self, text: Iterable[str], allowed_special: Collection[str] = ()) -> Iterator[int]:
        """Yield the ids that `encode` gives for a text that need not fit into memory.

        `text` is an open file, or an iterable of the text's parts, such as lines with their line ends, which are
        encoded as one text. Memory is needed for some parts and for the longest pre-token, whatever the text's length.
        Raises ValueError for a tokenizer that may need the whole text before it can encode any of it.
        """
        cut, allowed = self._safe_cut, self._allowed(allowed_special)
        if cut is None:
            raise ValueError(
                f"{self.name} can't encode a text in parts: {self._why_uncut} what follows may change any token. Read "
                "the whole text, and use encode"
            )
        specials = allowed if self._cut_is_in_ordinary_text else ()
        return encoded_parts(read_in_parts(text), specials, cut, partial(self._encode_stretch, allowed))

    def decode_batch(self, batch: Iterable[Iterable[int]], workers: int | None = None) -> list[str]:
        """Decode the ids of each of several texts like `decode`, in `workers` threads (see `encode_batch`)."""
        several = [each.tolist() if isinstance(each, np.ndarray) else list(each) for each in batch]
        return list(in_threads(self.decode, several, workers))

    def offsets(self, ids: Iterable[int]) -> Offsets:
        """Return where each of the tokens `ids` is in the text they decode to, in bytes and in code points.

        Raises ValueError if that text is not the tokens one after another, as where `decode` puts spaces between words.
        """
        return offsets_of(self._decoded_parts(ids))

    def _decoded_parts(self, ids: Iterable[int]) -> list[bytes]:
        """Return what each token is in the bytes that the tokens decode to. Raises ValueError if that can't be told."""
        return self._token_bytes(ids)

    def truncate(self, text: str, max_tokens: int, side: Side = "right", allowed_special: Collection[str] = ()) -> str:
        """Return the longest part of `text` that takes at most `max_tokens` tokens by itself, without the other end.

        `side` is the side that is cut off: "right", the end, or "left", the beginning. The cut is between two tokens of
        the whole text, and never within a character (a grapheme cluster). A part may take fewer tokens by itself than
        within the whole, where text beside it is split with it: parts of up to `max_tokens` + 8 tokens of the whole are
        considered.
        """
        check_side(side)
        check_number(max_tokens, "max_tokens", 0)
        return self._cutter(text, allowed_special).truncated(max_tokens, side)

    def windows(self, text: str, size: int, overlap: int = 0, allowed_special: Collection[str] = ()) -> list[Window]:
        """Return parts of `text` of at most `size` tokens by themselves, which together are the whole.

        Each part but the first begins with at most `overlap` tokens of the one before. They are cut as `truncate` cuts:
        each is the longest that fits, of those with up to `size` + 8 tokens of the whole. Raises ValueError for a
        character that takes more than `size` tokens.
        """
        check_number(size, "size", 1)
        check_number(overlap, "overlap", 0)
        if overlap >= size:
            raise ValueError(f"overlap must be less than size, which is {size}, not {overlap}")
        return list(self._cutter(text, allowed_special).windows(size, overlap))

    def canonical(self, ids: Iterable[int]) -> Canonical:
        """Return what encoding the text of the tokens `ids` gives, and where `ids` deviate from it (see `Canonical`).

        Special tokens stay as they are; the text between two of them is encoded by itself. Raises ValueError for bytes
        that are not UTF-8, which no text has, and where `decode` changes so much that their text can't be told.
        """
        numbers = [int(token) for token in listed(ids, "ids", "token ids")]
        self._token_bytes(numbers)  # is a ValueError for an id that is not in use
        specials = frozenset(self.special_tokens.values())
        found = canonical_of(numbers, specials, self._encoded_again, self._unmarked_bytes)
        if not found and self.unknown in numbers:
            raise ValueError(
                "these ids don't say what their unknown token stands for, so it can't be told whether encoding gives "
                "these ids"
            )
        return found

    def _encoded_again(self, ids: list[int], place: int) -> list[int]:
        """Return what encoding the text of ordinary ids gives, the first of which is at `place`."""
        return self.encode(text_of(self._token_bytes(ids), place))

    def _cutter(self, text: str, allowed_special: Collection[str]) -> Cutter:
        allowed = self._allowed(allowed_special)
        return Cutter(
            text,
            lambda part: self.tokenize(part, allowed),
            lambda part: len(self._encode_column(part, allowed)),
            self._sure_cuts(allowed),
        )

    def _sure_cuts(self, allowed: frozenset[str]) -> SureCuts | None:
        """Return what finds the places in a stretch where it is cut whatever is around; None if none are known."""
        return None

    # The names by which tiktoken's users know what a tokenizer has and does. What can't be answered is a ValueError, as
    # everywhere here, where tiktoken raises KeyError.

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
        token_id = self._id_of_bytes(data)
        if token_id is None:
            token_id = self.special_tokens.get(data.decode("utf-8", "surrogateescape"))
        if token_id is None:
            raise ValueError(f"{self.name} has no token {token!r:.60}")
        return token_id

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


def check_name(name: object) -> str:
    """Return `name`, which must be a str that is not blank. Raises TypeError or ValueError."""
    if not isinstance(name, str):
        raise TypeError(f"a tokenizer's name must be a str, not {type(name).__name__}")
    if not name.strip():
        raise ValueError("a tokenizer's name must not be empty")
    return name


def check_special_tokens(special_tokens: Iterable[str]) -> list[str]:
    """Return `special_tokens` as a list. Raises TypeError or ValueError if they can't be special tokens."""
    if isinstance(special_tokens, str):
        raise TypeError(f"special_tokens must be a list of texts; for one, write [{quote(special_tokens)}]")
    tokens = [_check_special_token(token) for token in special_tokens]
    repeated = sorted(token for token, times in Counter(tokens).items() if times > 1)
    if repeated:
        raise ValueError(f"special tokens are repeated: {shorten(', '.join(repeated))}")
    return tokens


def check_special_ids(special_tokens: Mapping[str, int]) -> dict[str, int]:
    """Return a copy of `special_tokens` (text -> id). Raises TypeError or ValueError if it is not such a mapping."""
    if not isinstance(special_tokens, Mapping):
        raise TypeError(f"special_tokens must map texts to ids, as in {{'<s>': 50257}}, not {special_tokens!r:.60}")
    for text, token in special_tokens.items():
        if not isinstance(token, int) or isinstance(token, bool):
            raise TypeError(f"the id of special token {text!r} must be a whole number, not {token!r:.60}")
        if token < 0:
            raise ValueError(f"the id of special token {text!r} must be 0 or more, not {token}")
    return {_check_special_token(text): token for text, token in special_tokens.items()}


def _check_special_token(token: object) -> str:
    if not isinstance(token, str):
        raise TypeError(f"a special token must be a str, not {type(token).__name__}")
    if not token:
        raise ValueError("a special token must not be empty")
    repaired, replaced = repair(token)  # a surrogate pair becomes one character
    if replaced:
        raise ValueError(f"special token {quote(token)} holds a lone surrogate, which no text can")
    return repaired
