"""A tokenizer class of transformers as a table describes it, and a folder that such a class saved."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from tokviz.formats.tokenizer_parts import Json
from tokviz.formats.transformers_settings import AddedToken, Settings, Token, content

Files = Literal["vocab.txt", "merges.txt", "unigram", "bpe"]
"""Contents of files: WordPiece's pieces, merges, or a SentencePiece model that is read as Unigram or as BPE."""

Pieces = Sequence[tuple[str, float]]
Around = tuple[list[tuple[str, int]], list[tuple[str, int]]]
"""Tokens before and after a text, by text and id."""

MASK = AddedToken("<mask>", lstrip=True)
"""The mask token of many classes, which mark it as special when they add it."""


class Folder(NamedTuple):
    """Settings, with all special tokens by option, and what the SentencePiece model says, if there is one.

    `token_of` gives a token of this text, or the unknown token, with its id.
    """

    settings: Settings
    tokens: Mapping[str, Token]
    pieces: Pieces = ()
    charsmap: bytes = b""
    unk_id: int = 0
    token_of: Callable[[str], tuple[str, int]] = lambda text: (text, 0)

    @property
    def named(self) -> dict[str, str]:
        """The texts of the special tokens, by option."""
        return {key: content(token) for key, token in self.tokens.items()}

    def flag(self, key: str, default: bool) -> bool:
        """Return an option that is true or false."""
        return self.settings.flag(key, default)

    def text(self, key: str, default: str) -> str:
        """Return the text of the token that an option names."""
        return self.settings.text(key, default)


Part = Callable[[Folder], Json | None]


def by_options(folder: Folder, add_bos: bool = False) -> Around:
    """Put the tokens around a text that the options `add_bos_token` and `add_eos_token` ask for."""

    def tokens(key: str, default: bool) -> list[tuple[str, int]]:
        text = folder.named.get(f"{key}_token") if folder.flag(f"add_{key}_token", default) else None
        return [] if text is None else [folder.token_of(text)]

    return tokens("bos", add_bos), tokens("eos", False)


def ids_of_pieces(folder: Folder) -> dict[str, int]:
    """Return the ids that a SentencePiece model itself gives its pieces."""
    return {text: token for token, (text, _) in enumerate(folder.pieces)}


class TokenizerClass(NamedTuple):
    """A class: its files, its special tokens by option, and the parts of the `tokenizer.json` that it makes.

    `model` gives what the model is besides its vocabulary and merges. Of a SentencePiece model, `reordered` gives the
    pieces in the order of their ids, and `vocab` their ids where it is read as BPE. `extra` gives the special tokens
    without a name, from those that the settings or the model list. A class that adds its tokens `again` changes how
    they are looked for: as all special tokens are, or as they are given.
    """

    files: Files
    tokens: dict[str, Token | None]
    pre_tokenizer: Part
    decoder: Part
    normalizer: Part = lambda _: None
    around: Callable[[Folder], Around] = by_options
    model: Callable[[Folder], Json] = lambda _: {}
    reordered: Callable[[Folder], Pieces] = lambda folder: folder.pieces
    vocab: Callable[[Folder], dict[str, int]] = ids_of_pieces
    extra: Callable[[Folder, list[Token]], list[Token]] = lambda _, tokens: tokens
    again: Literal["", "plain", "as given"] = ""


def tokens_of(listed: str, **others: Token | None) -> dict[str, Token | None]:
    """Return special tokens by option, written as `bos=<s> eos=</s>`."""
    return {f"{key}_token": token for key, token in (_texts(listed) | others).items()}


def as_objects(listed: str) -> dict[str, Token | None]:
    """Return special tokens written as for `tokens_of`, of a class that makes objects of their texts."""
    return {key: AddedToken(text) for key, text in _texts(listed).items()}


def _texts(listed: str) -> dict[str, str]:
    return {key: text for key, _, text in (each.partition("=") for each in listed.split())}


def put(places: str, **languages: str) -> Callable[[Folder], Around]:
    """Put tokens around the text, in the order of `places`, as "cls text sep".

    `languages` are options that name a language, whose token is put, with their defaults.
    """

    def around(folder: Folder) -> Around:
        texts = folder.named | {f"{key}_token": folder.text(key, default) for key, default in languages.items()}
        before, _, after = places.partition("text")
        missing = next((key for key in (before + after).split() if f"{key}_token" not in texts), None)
        if missing is not None:
            raise ValueError(
                f"tokenizer_config.json: {missing}_token is null, and tokviz doesn't know what a "
                f"{folder.settings.class_name} puts around a text without one"
            )
        first, last = ([folder.token_of(texts[f"{key}_token"]) for key in keys.split()] for keys in (before, after))
        return first, last

    return around
