"""Hugging Face's `tokenizers` library: a tokenizer of its own for each setting, made of one `tokenizer.json`."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

import regex

from tokviz.display import quote
from tokviz.pretokens import unicode_tables
from tokviz.tokenizers.engines.stages import CutOut, flatten

if TYPE_CHECKING:
    from tokenizers import AddedToken, Encoding, Tokenizer

Json = Mapping[str, Any]

Part = Literal["normalizer", "pre_tokenizer", "post_processor", "decoder"]
PARTS: tuple[Part, ...] = ("normalizer", "pre_tokenizer", "post_processor", "decoder")

_ENGINES_FOR_SUBSETS = 2  # tokenizers kept for sets of allowed special tokens that are neither none nor all
_AT_ONCE = 2_000
"""Characters up to which a text is encoded without other threads of Python going on meanwhile, which costs less."""

_WORD = regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")  # as in the library

FLAGS = ("single_word", "lstrip", "rstrip", "normalized")

_PUT_SPACE = ("add_prefix_space", "prepend_scheme")
"""Settings of pre-tokenizers that put a space in front of a text."""


class Library:
    """The library's tokenizers for a file, without truncation, padding and dropout. `name` is for messages.

    The library's objects can be changed, so there is one for each setting; they share the model, which is most of their
    memory. Raises ValueError if the library can't open the file.
    """

    def __init__(self, name: str, data: bytes) -> None:
        self._name = name
        self._data = data
        self.opened = self._open()
        """The tokenizer in which all special tokens are recognized."""
        self.added_tokens = dict(sorted(self.opened.get_added_tokens_decoder().items()))
        """The library's added tokens, special or not, by id."""
        self._check_added()
        self._special = {token.content for token in self.added_tokens.values() if token.special}
        self._recognizing = lru_cache(maxsize=_ENGINES_FOR_SUBSETS)(self._open_for_subset)

    def _check_added(self) -> None:
        """Raise ValueError if two added tokens are looked for as the same text: the library takes either, by chance."""
        if self.opened.normalizer is None:
            return
        known: dict[str, str] = {}
        for content in (token.content for token in self.added_tokens.values() if token.normalized):
            other = known.setdefault(self.opened.normalizer.normalize_str(content), content)
            if other != content:
                raise ValueError(
                    f"{self._name} normalizes the added tokens {quote(other)} and {quote(content)} to the same text, "
                    "and Hugging Face's library takes one of the two by chance, each time it opens the file: take one "
                    "out, or set its “normalized” to false"
                )

    def encode(self, text: str, allowed: frozenset[str], *, add_special: bool = False) -> "Encoding":
        """Encode `text`, in which only `allowed` special tokens are recognized. Raises ValueError."""
        with _refusing(f"{self._name} can't encode this text"):
            if len(text) > _AT_ONCE:
                return self._engine(allowed).encode_batch([text], add_special_tokens=add_special)[0]
            return self._engine(allowed).encode(text, add_special_tokens=add_special)

    def decode(self, ids: list[int]) -> str:
        """Return the text of ids that are in use, special tokens included. Raises ValueError."""
        with _refusing(f"{self._name} can't decode these tokens"):
            text: str = self.opened.decode(ids, skip_special_tokens=False)
            return text

    def put_around(self, token: int) -> list[int]:
        """Return the ids that a text of one token becomes, together with what is put around it."""
        from tokenizers import PreTokenizedString, Token

        text = PreTokenizedString("x")
        text.tokenize(lambda _: [Token(token, "x", (0, 1))])
        return self.opened.post_process(text.to_encoding(), None, True).ids

    def added_in(
        self, text: str, encoding: "Encoding", allowed: frozenset[str]
    ) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield the added tokens in a text, with their places. The model may also make such a token, of other text."""
        for token, place in zip(encoding.ids, encoding.offsets, strict=True):
            added = self.added_tokens.get(token)
            is_found = added is not None and (not added.special or added.content in allowed)
            if is_found and self.is_added(token, text, place):
                yield token, place

    def is_added(self, token: int, text: str, place: tuple[int, int]) -> bool:
        """Return whether this place of a text is an added token, if the library found that token there."""
        added, normalizer = self.added_tokens[token], self.opened.normalizer
        found, content = text[slice(*place)].strip(), added.content.strip()
        if added.normalized and normalizer is not None:
            found, content = normalizer.normalize_str(found), normalizer.normalize_str(content)
        return found == content and not (added.single_word and _is_inside_word(text, *place))

    def decoded(self, piece: str) -> str:
        """Return what a piece is decoded to between others; the piece itself if that can't be told."""
        decoder, found = self.opened.decoder, ""
        with suppress(ValueError), _refusing(f"{self._name} can't decode {quote(piece)}"):
            found = "" if decoder is None else decoder.decode(["a", piece, "a"])
        return found[1:-1] if found[:1] == found[-1:] == "a" and len(found) > 1 else piece

    def _engine(self, allowed: frozenset[str]) -> "Tokenizer":
        if allowed == self._special:
            return self.opened
        return self._recognizing(allowed) if allowed else self._without_specials

    def _open(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        message = (
            f"{self._name} can't be opened: it may be damaged, or of a kind that Hugging Face's library doesn't know. "
            "The library says"
        )
        with _refusing(message):
            engine = Tokenizer.from_buffer(self._data)
        self.left_out = {"truncation": engine.truncation, "padding": engine.padding}
        """Settings of the file that are not applied, None for each that it lacks."""
        engine.no_truncation()
        engine.no_padding()
        if getattr(engine.model, "dropout", None):
            engine.model.dropout = None
        if engine.post_processor is not None:
            engine.post_processor = _untrimmed(engine.post_processor)
        return engine

    @cached_property
    def _without_specials(self) -> "Tokenizer":
        engine = self._copy(self.added_tokens.values())
        if engine.get_added_tokens_decoder() != self.added_tokens:
            engine = self._open()
        engine.encode_special_tokens = True
        return engine

    def _open_for_subset(self, allowed: frozenset[str]) -> "Tokenizer":
        """Return a tokenizer in which the allowed special tokens are not special, and therefore always recognized."""
        from tokenizers import AddedToken

        engine = self._copy(
            AddedToken(
                token.content,
                special=token.special and token.content not in allowed,
                **{flag: getattr(token, flag) for flag in FLAGS},
            )
            for token in self.added_tokens.values()
        )
        if engine.get_added_tokens_decoder().keys() != self.added_tokens.keys():
            raise ValueError(f"{self._name} can recognize all of its special tokens or none, but not only some")
        engine.encode_special_tokens = True
        return engine

    def _copy(self, added: Iterable["AddedToken"]) -> "Tokenizer":
        """Return a tokenizer with the same model and parts. The added tokens get their ids in the order given."""
        from tokenizers import Tokenizer

        engine = Tokenizer(self.opened.model)
        for part in PARTS:
            setattr(engine, part, getattr(self.opened, part))
        engine.add_tokens(list(added))
        return engine

    @cached_property
    def parts(self) -> dict[Part, Json | None]:
        """The parts as in the file; None for each that the file lacks."""
        nodes = {part: getattr(self.opened, part) for part in PARTS}
        return {part: None if node is None else json.loads(node.__getstate__()) for part, node in nodes.items()}

    def steps(self, part: Part) -> list[Json]:
        """Return the steps of a part, in order."""
        return flatten(self.parts[part])

    def normalize(self, text: str) -> str:
        """Return what normalization alone makes of a text, in which nothing is an added token."""
        normalizer = self.opened.normalizer
        return text if normalizer is None else normalizer.normalize_str(text)

    def words(self, text: str) -> list[str]:
        """Return what the file's rules cut a text into that is normalized, spelled as the model gets it."""
        pre_tokenizer = self.opened.pre_tokenizer
        return [text] if pre_tokenizer is None else [word for word, _ in pre_tokenizer.pre_tokenize_str(text)]

    @property
    def unapplied(self) -> dict[str, Any]:
        """The parts and settings of the file that play no part in encoding."""
        return {part: self.parts[part] for part in ("post_processor", "decoder")} | self.left_out

    @property
    def cut_out_tokens(self) -> frozenset[CutOut]:
        """The added tokens, with the rules by which they are found."""
        return frozenset(
            CutOut(number, token.content, token.special, frozenset(flag for flag in FLAGS if getattr(token, flag)))
            for number, token in self.added_tokens.items()
        )

    @property
    def puts_space(self) -> list[tuple[object, ...]]:
        """The settings of the pre-tokenizers that put a space in front of a text."""
        steps = (step for step in self.steps("pre_tokenizer") if not step.keys().isdisjoint(_PUT_SPACE))
        return [(step["type"], *(step.get(name) for name in _PUT_SPACE)) for step in steps]

    def has_step(self, kind: str, *parts: Part) -> bool:
        """Return whether one of the parts has a step of this kind."""
        return any(step["type"] == kind for part in parts for step in self.steps(part))


def _is_inside_word(text: str, start: int, end: int) -> bool:
    """Return whether there is a letter or digit right beside a stretch of text, white space at its ends aside."""
    found = text[start:end]
    first, last = end - len(found.lstrip()), start + len(found.rstrip())
    return _WORD.match(text[max(0, first - 1) : first]) is not None or _WORD.match(text, last) is not None


def with_added_special(name: str, data: bytes, added: Mapping[str, int]) -> bytes:
    """Return a `tokenizer.json` with further special tokens (text -> id), whose texts the library finds as they are.

    Raises ValueError if the library gives other ids.
    """
    from tokenizers import AddedToken, Tokenizer

    engine = Tokenizer.from_buffer(data)
    engine.add_special_tokens(
        [AddedToken(text, special=True, normalized=False) for text in sorted(added, key=added.__getitem__)]
    )
    given = {text: engine.token_to_id(text) for text in added}
    wrong = next((text for text, token in added.items() if given[text] != token), None)
    if wrong is not None:
        raise ValueError(
            f"the library of {name} gives {quote(wrong)} the next free id, {given[wrong]}, and not {added[wrong]}"
        )
    changed: str = engine.to_str()
    return changed.encode()


def _untrimmed(post_processor: Any) -> Any:
    """Return the same post-processor, but without taking white space out of the tokens' spans."""
    from tokenizers.processors import Sequence as Steps

    state: bytes = post_processor.__getstate__()
    made = Steps([])
    made.__setstate__(state.replace(b'"trim_offsets":true', b'"trim_offsets":false'))
    return made


@contextmanager
def _refusing(message: str) -> Iterator[None]:
    """Turn the library's errors, and its panics, which are no Exception, into a ValueError with this message."""
    try:
        yield
    except Exception as error:
        reason = str(error).removeprefix("Cannot instantiate Tokenizer from buffer: ")
        raise ValueError(f"{message}: {reason[:300]}") from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(f"{message}: the library stopped") from None


@cache
def shares_unicode() -> bool:
    """Return whether the library, as installed, has tiktoken's edition of Unicode, by what is new in each."""
    from tokenizers import Regex, pre_tokenizers

    new = unicode_tables.NEW_IN_EDITIONS
    pieces = pre_tokenizers.Split(Regex(r"\p{Cn}"), "removed").pre_tokenize_str(new)
    return "".join(piece for piece, _ in pieces) == unicode_tables.known_to_tiktoken(new)
