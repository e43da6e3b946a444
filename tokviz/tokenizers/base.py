"""The base class of all tokenizers. They are immutable and thread-safe."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np

from tokviz.arrays import Int32Array
from tokviz.pretokens import splitting
from tokviz.pretokens.special_tokens import cut_out
from tokviz.texts import read_in_parts, repair
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.batch import Batch, check_workers, in_threads
from tokviz.tokenizers.canonical import Canonical, canonical_of, text_of
from tokviz.tokenizers.capabilities import Capabilities
from tokviz.tokenizers.engines.bulk import Definition, Segments
from tokviz.tokenizers.engines.choice import Engines, engines_of, work_for
from tokviz.tokenizers.engines.stages import TextStage
from tokviz.tokenizers.inputs import check_disallowed, check_name, listed
from tokviz.tokenizers.offsets import Offsets, offsets_of
from tokviz.tokenizers.stream import SafeCut, encoded_parts
from tokviz.tokenizers.tree import MergeTree, grow_tree
from tokviz.tokenizers.windows import Cutter, Side, SureCuts, Window, check_number, check_side


class PreTokens(NamedTuple):
    """The pre-tokens of a text, and the ids of those that are special tokens, by pre-token index."""

    pieces: list[str]
    special_ids: dict[int, int]


class Tokenizer(Capabilities):
    """Turns texts into token ids and back.

    `name` is a readable name; `vocab` maps the ids in use to their bytes, including special tokens; `split_patterns`
    are the texts of the regular expressions that split a text first, the second one splitting the pieces of the first,
    and so on; `special_tokens` maps the texts of control tokens to their ids. A subclass only has to define how it
    encodes ordinary text, and how many bytes each token covers.
    """

    _CHANGE_HINT = "; with_name and with_split_pattern return a new one"

    around: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """The ids that `add_special` puts before and after a text for a model, such as `<s>` before it."""

    is_around_known: bool = True
    """False if no file says what a model gets around a text, so that `around` is only a usual choice."""

    chat_files: Mapping[str, bytes] = MappingProxyType({})
    """Files beside those of the tokenizer that may hold its chat template (see `tokviz.chat`), by name."""

    # What a subclass defines

    @abstractmethod
    def _encode_ordinary(self, text: str) -> list[int]:
        """Return the token ids of a repaired text in which nothing is a special token."""

    @abstractmethod
    def _lengths(self, text: str, ids: Int32Array) -> Int32Array:
        """Return how many bytes of such a text each of its tokens covers (int32, one per token)."""

    _library = "tokviz"
    """The library that encodes single texts."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}, vocabulary of {self.vocab_size:,}>"

    @cached_property
    def vocab_size(self) -> int:
        """The highest id + 1. Not every id below it has to be in use."""
        return max(self.vocab, default=-1) + 1

    def encode(
        self,
        text: str,
        allowed_special: Collection[str] = (),
        *,
        add_special: bool = False,
        disallowed_special: Collection[str] = (),
    ) -> list[int]:
        """Return the token ids of `text`; with `add_special`, between those that its file puts around a text.

        Special tokens are recognized only if `allowed_special` lists their texts, or is `"all"`; among those, the
        leftmost, then the longest. Otherwise they are text like any other. Raises ValueError for one that
        `disallowed_special` lists (`"all"`, tiktoken's default: all that are not allowed), for a text in
        `allowed_special` that is no special token, and for a character that the alphabet lacks.
        """
        repaired, _ = repair(text)
        allowed = self._allowed(allowed_special)
        check_disallowed(repaired, disallowed_special, self.special_tokens, allowed)
        return self._encode_with_around(repaired, allowed) if add_special else self._encode(repaired, allowed)

    def _encode_with_around(self, text: str, allowed: frozenset[str]) -> list[int]:
        """Return the token ids of a repaired text, between those that its file puts around it."""
        return [*self.around[0], *self._encode(text, allowed), *self.around[1]]

    def tokenize(self, text: str, allowed_special: Collection[str] = (), *, add_special: bool = False) -> Tokenization:
        """Encode `text` like `encode`, with the position of every token in the text. What is put around covers none."""
        repaired, replaced = repair(text)
        allowed = self._allowed(allowed_special)
        before, after = (np.array(ids, np.int32) for ids in (self.around if add_special else ((), ())))
        ids: list[Int32Array] = [before]
        lengths: list[Int32Array | list[int]] = [np.zeros_like(before)]
        for segment, special, segment_ids in self._encode_segments(self._segments(repaired, allowed)):
            ids.append(np.array(segment_ids, np.int32))
            lengths.append([len(segment.encode())] if special is not None else self._lengths(segment, ids[-1]))
        offsets = np.concatenate(([0], *lengths, np.zeros_like(after))).cumsum(dtype=np.int32)
        return self._tokenization(repaired, replaced, allowed, np.concatenate([*ids, after]), offsets)

    def pretokens(self, text: str, allowed_special: Collection[str] = ()) -> list[str]:
        """Return the pieces that `text` is split into before anything is merged. Each special token is one."""
        return self._cut(repair(text)[0], self._allowed(allowed_special)).pieces

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the joined bytes of the tokens `ids`. Raises ValueError for an id that is not in use."""
        return b"".join(self._token_bytes(ids))

    def _token_bytes(self, ids: Iterable[int]) -> list[bytes]:
        """Return the bytes of each token."""
        vocab = self.vocab
        ids = listed(ids, "ids", "token ids")
        try:
            return [vocab[token] for token in ids]
        except KeyError as error:
            raise ValueError(self._not_in_use(error.args[0])) from None

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the tokens `ids`. Invalid UTF-8 becomes U+FFFD; `decode_bytes` keeps it."""
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def knows(self, token: bytes, ends_word: bool = False) -> bool:
        """Return whether a token other than a special one has exactly these bytes.

        If there is an end-of-word mark, `ends_word` asks for a token that ends in it, otherwise for one without.
        """
        return not ends_word and token in self._ids_of_bytes

    @cached_property
    def _special_ids(self) -> frozenset[int]:
        return frozenset(self.special_tokens.values())

    @cached_property
    def _ids_of_bytes(self) -> dict[bytes, int]:
        return {data: token for token, data in self.vocab.items() if token not in self._special_ids}

    def _id_of_bytes(self, data: bytes) -> int | None:
        """Return the id of the last token other than a special one that has exactly these bytes; None without one."""
        return self._ids_of_bytes.get(data)

    def _not_in_use(self, token: object) -> str:
        holes = self.vocab_size - len(self.vocab)
        ids = f"the ids of {self.name} go from {min(self.vocab, default=0)} to {self.vocab_size - 1}"
        return f"token id {token!r} is not in use: {ids}" + (f", with {holes:,} holes between them" if holes else "")

    def _split(self, text: str) -> list[str]:
        """Split ordinary text into pre-tokens."""
        return self._split_all([text])[0]

    def _split_all(self, segments: list[str]) -> list[list[str]]:
        """Split stretches of ordinary text into pre-tokens, all at once, since each call of a matcher may be costly."""
        cut = [[segment] if segment else [] for segment in segments]
        for pattern in self.split_patterns:
            parts = iter(splitting.split_all([piece for pieces in cut for piece in pieces], pattern))
            cut = [[part for _ in pieces for part in next(parts)] for pieces in cut]
        return cut

    def _encode_all(self, segments: list[str]) -> list[list[int]]:
        """Return the token ids of stretches of ordinary text."""
        return [self._encode_ordinary(segment) for segment in segments]

    def _check(self, text: str, place: int) -> None:
        """Raise ValueError if ordinary text, which begins at `place`, has a character that can't be encoded."""

    def _encode_segments(
        self, segments: Iterable[tuple[str, int | None]]
    ) -> Iterator[tuple[str, int | None, list[int]]]:
        """Yield segments with their token ids."""
        all_segments = list(segments)
        ordinary = iter(self._encode_all([segment for segment, special in all_segments if special is None]))
        for segment, special in all_segments:
            yield segment, special, next(ordinary) if special is None else [special]

    def _allowed(self, allowed_special: Collection[str]) -> frozenset[str]:
        """Check `allowed_special`."""
        if isinstance(allowed_special, str):
            if allowed_special == "all":
                return frozenset(self.special_tokens)
            raise TypeError(
                f'allowed_special must be "all" or a set of special tokens; for one, write {{{allowed_special!r}}}'
            )
        allowed = frozenset(allowed_special)
        unknown = sorted(map(str, allowed - self.special_tokens.keys()))
        if unknown:
            known = ", ".join(list(self.special_tokens)[:20]) or "none"
            raise ValueError(f"{self.name} has no special token {', '.join(unknown)}; it has: {known}")
        return allowed

    def _segments(self, text: str, allowed: frozenset[str], place: int = 0) -> Iterator[tuple[str, int | None]]:
        """Yield the stretches of ordinary text (with None) and the special tokens (with their ids) in `text`.

        `place` is where `text` begins in a longer text.
        """
        for index, segment in enumerate(cut_out(text, allowed) if allowed else [text]):
            special = self.special_tokens[segment] if index % 2 else None
            if special is None:
                self._check(segment, place)
            if segment or not allowed:
                yield segment, special
            place += len(segment)

    def _encode(self, text: str, allowed: frozenset[str]) -> list[int]:
        return self._encode_stretch(allowed, text, 0)

    def _encode_stretch(self, allowed: frozenset[str], text: str, place: int) -> list[int]:
        """Return the ids of a repaired text that begins at `place` in a longer text."""
        ids: list[int] = []
        for _, _, segment_ids in self._encode_segments(self._segments(text, allowed, place)):
            ids += segment_ids
        return ids

    def _encode_column(self, text: str, allowed: frozenset[str]) -> Int32Array:
        """Return the ids of a repaired text as a column."""
        return np.array(self._encode(text, allowed), np.int32)

    def _cut(self, text: str, allowed: frozenset[str]) -> PreTokens:
        pieces: list[str] = []
        special_ids: dict[int, int] = {}
        segments = list(self._segments(text, allowed))
        cut = iter(self._split_all([segment for segment, special in segments if special is None]))
        for segment, special in segments:
            if special is None:
                pieces += next(cut)
            else:
                special_ids[len(pieces)] = special
                pieces.append(segment)
        return PreTokens(pieces, special_ids)

    def _tokenization(
        self,
        text: str,
        replaced: int,
        allowed: frozenset[str],
        ids: Int32Array,
        byte_offsets: Int32Array,
        pretoken_index: Int32Array | None = None,
    ) -> Tokenization:
        """Return a Tokenization. Unless `pretoken_index` is given, byte offsets determine each token's pre-token."""
        return Tokenization(
            text,
            ids,
            byte_offsets,
            replaced=replaced,
            special_ids=frozenset(self.special_tokens.values()),
            pretokens=partial(self.pretokens, text, allowed) if pretoken_index is None else pretoken_index,
            bytes_of=self._text_bytes,
        )

    def _text_bytes(self, token: int) -> bytes:
        """Return the bytes of a text that a token stands for."""
        return self.vocab[token]

    def stages(self, text: str, allowed_special: Collection[str] = ()) -> tuple[TextStage, ...]:
        """Return what `text` is after each stage that this tokenizer has (see `TextStage`)."""
        tokenization = self.tokenize(text, allowed_special)
        tokens = [self.vocab[token] for token in tokenization.ids.tolist()]
        normalized = b"".join(tokens)
        changes = self.rewriting if normalized != tokenization.data else ()
        stages = [TextStage("normalized", _as_texts([normalized]), changes)] if self.rewriting else []
        if self.split_patterns:
            stages.append(TextStage("pre-tokens", tuple(self.pretokens(text, allowed_special)), ()))
        return (*stages, TextStage("tokens", _as_texts(tokens), ()))

    def tree(self, token: int) -> MergeTree:
        """Return the merge tree of the token `token` (see `MergeTree`). Raises ValueError for an id not in use."""
        if token not in self.vocab:
            raise ValueError(self._not_in_use(token))
        return grow_tree(token, self.vocab, self.rank, self.parents)

    # Settings, and copies with others

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

        The texts are encoded by `workers` threads; None means one for each processor core. With gigatoken (see
        `engines`), any number but 1 means all cores. Without it, threads are faster only for tokenizers that tiktoken
        encodes; for others, `pool.map(tok.encode, texts)` with a pool of processes is.
        """
        allowed = self._allowed(allowed_special)
        repaired = [repair(text)[0] for text in listed(texts, "texts", "texts")]
        check_workers(workers)
        if work := work_for(self, allowed, sum(map(len, repaired))):
            return Batch(*work.encode_all(repaired, workers != 1))
        return Batch.of(list(in_threads(lambda text: self._encode_column(text, allowed), repaired, workers)))

    def _count_each(self, texts: Sequence[str], allowed: frozenset[str]) -> list[int]:
        """Return the number of tokens of each of several repaired texts."""
        if work := work_for(self, allowed, sum(map(len, texts))):
            lengths: list[int] = np.diff(work.encode_all(texts)[1]).tolist()
            return lengths
        return [len(self._encode_column(text, allowed)) for text in texts]

    def engines(self) -> Engines:
        """Return which library encodes single texts, and which many at once (see `Engines`).

        With the extra `fast`, gigatoken encodes many texts for tokenizers that it has given the ids of on thousands of
        probes; the first time, this takes some seconds. The environment variable `TOKVIZ_FAST=0` turns it off.
        """
        return engines_of(self)

    def _bulk_definition(self) -> Definition | None:
        """Return what gigatoken needs to encode as this tokenizer does; None if it can't."""
        return None

    def _cut_probe(self) -> "Tokenizer | None":
        """Return a tokenizer that cuts texts as this one does, with the vocabulary `proof.VISIBLE`; None if unknown."""
        return None

    def _bulk_segments(self, allowed: frozenset[str]) -> Segments | None:
        """Return the function that cuts a text into what gigatoken may encode, and tokens; None for no cutting."""
        return partial(self._segments, allowed=allowed) if allowed else None

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

        def encode(part: str, place: int) -> list[int]:
            work = work_for(self, allowed, place)  # once the text is known to be long
            return work.encode_one(part).tolist() if work else self._encode_stretch(allowed, part, place)

        return encoded_parts(read_in_parts(text), specials, cut, encode)

    def decode_batch(self, batch: Iterable[Iterable[int]], workers: int | None = None) -> list[str]:
        """Decode the ids of each of several texts like `decode`, in `workers` threads (see `encode_batch`)."""
        several: list[Any] = [each if isinstance(each, np.ndarray) else list(each) for each in batch]
        return list(in_threads(self._decode_row, several, workers))

    _decodes_token_by_token = True
    """Whether the bytes of tokens, put together, are what they decode to."""

    def _decode_row(self, ids: Any) -> str:
        """Decode a list of ids like `decode`, and a column by a table of all tokens."""
        if not isinstance(ids, np.ndarray):
            return self.decode(ids)
        table = self._token_table
        if table is None or ids.dtype.kind not in "iu" or not ids.size or ids.min() < 0 or ids.max() >= len(table):
            return self.decode(ids.tolist())
        tokens: list[bytes | None] = table[ids].tolist()
        try:
            return b"".join(tokens).decode("utf-8", "replace")  # type: ignore[arg-type]
        except TypeError:  # an id is not in use
            return self.decode(ids.tolist())

    @cached_property
    def _token_table(self) -> "np.ndarray[Any, Any] | None":
        """The bytes of each token by id, None for ids not in use; None if that is not what they decode to."""
        if not self._decodes_token_by_token or not isinstance(self.vocab, dict):
            return None
        table = np.empty(self.vocab_size, object)
        for token, data in self.vocab.items():
            table[token] = data
        return table

    def offsets(self, ids: Iterable[int]) -> Offsets:
        """Return where each of the tokens `ids` is in the text they decode to, in bytes and in code points.

        Raises ValueError if that text is not the tokens one after another, as where `decode` puts spaces between words.
        """
        return offsets_of(self._decoded_parts(ids))

    def _decoded_parts(self, ids: Iterable[int]) -> list[bytes]:
        """Return each token's part of the bytes that the tokens decode to. Raises ValueError if that is unknown."""
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
        """Return the function that finds places where a stretch is cut whatever is around it; None if none is known."""
        return None

    # tiktoken's names for what a tokenizer has and does. Errors are ValueError, as elsewhere here, not KeyError.

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


def _as_texts(pieces: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(piece.decode("utf-8", "surrogateescape") for piece in pieces)
