"""Settings beside the files of a tokenizer that transformers saved: its class, its options and its added tokens.

They are read as `from_pretrained` does: `tokenizer_config.json`, and, where that lists no `added_tokens_decoder`, the
older `special_tokens_map.json` and `added_tokens.json`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tokviz.display import quote
from tokviz.formats import checks
from tokviz.formats.tokenizer_parts import Json

CONFIG, SPECIAL_TOKENS, ADDED_TOKENS = "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"
MODEL_CONFIG = "config.json"
SETTINGS = (CONFIG, SPECIAL_TOKENS, ADDED_TOKENS, MODEL_CONFIG)
"""Files that change what a tokenizer's files mean."""

NAMED = tuple(f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask"))
"""Options that name a special token, in the order in which transformers adds them."""


class AddedToken(NamedTuple):
    """A token that is looked for in a text before anything else. It is normalized unless it is special, or said so."""

    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool | None = None
    special: bool = False

    def resolved(self) -> "AddedToken":
        """Return the token with it said whether it is normalized, by which the library compares tokens."""
        return self._replace(normalized=not self.special) if self.normalized is None else self

    def described(self, token: int) -> Json:
        """Return the token as a `tokenizer.json` has it."""
        return {"id": token, **self.resolved()._asdict()}


Token = str | AddedToken


class Settings(NamedTuple):
    """The class of a tokenizer (None: not said), what its options say, and its added tokens by id.

    `named` are special tokens with names that not all classes have, as `image_token`; `extra` are special tokens
    without a name, None if no option lists any.
    """

    class_name: str | None
    options: Json
    named: dict[str, Token]
    extra: list[Token] | None
    added: list[AddedToken]

    def flag(self, key: str, default: bool) -> bool:
        """Return an option that is true or false. One that is null is false."""
        value = self.options.get(key, default)
        return value is not None and checks.typed(CONFIG, key, value, bool)

    def number(self, key: str, default: int, most: int) -> int:
        """Return an option that is a whole number from 0 to `most`."""
        value = checks.typed(CONFIG, key, self.options.get(key, default), int)
        if not 0 <= value <= most:
            raise ValueError(f"{CONFIG}: {key} is {str(value)[:30]}; it must be from 0 to {most:,}")
        return value

    def token(self, key: str, default: Token | None) -> Token | None:
        """Return the token that an option names, or None if it names none."""
        value = self.options.get(key, default)
        return None if value is None else _token(key, value)

    def text(self, key: str, default: str) -> str:
        """Return the text of the token that an option names. Raises ValueError if the option is null."""
        if key in NAMED and self.options.get(key, default) is None:
            raise ValueError(
                f"{CONFIG}: {key} is null, and tokviz doesn't know what {self.class_name} does without one"
            )
        return content(self.token(key, default) or default)

    def unnamed(self) -> list[Token]:
        """Return the special tokens without a name of `special_tokens_map.json`. Raises ValueError for objects."""
        key = "additional_special_tokens"
        listed = checks.typed(SPECIAL_TOKENS, key, self.options.get(key) or [], list)
        return [checks.typed(SPECIAL_TOKENS, f"a token of {key}", each, str) for each in listed]


def resolved(token: Token) -> Token:
    """Return the token as the library compares it with others."""
    return token if isinstance(token, str) else token.resolved()


def content(token: Token) -> str:
    """Return the text of a token."""
    return token if isinstance(token, str) else token.content


def settings_of(files: Mapping[str, bytes]) -> Settings:
    """Read the settings among files. Raises ValueError."""
    config, of_tokens, added_ids = (
        checks.as_json(name, files[name]) if name in files else {} for name in (CONFIG, SPECIAL_TOKENS, ADDED_TOKENS)
    )
    kind, decoder = config.pop("tokenizer_class", None), config.pop("added_tokens_decoder", None)
    extra = _extra(config)
    by_name = {key: config.pop(key) for key in list(config) if _names_another(key) and isinstance(config[key], str)}
    if isinstance(extra, dict):
        by_name, extra = by_name | extra, None
    listed = None if extra is None else _tokens("extra_special_tokens", extra)
    if decoder is None:
        objects = [each for each in listed or () if isinstance(each, AddedToken)]
        listed = _with_older(config, of_tokens, by_name, listed)
        # transformers does not take objects of tokenizer_config.json for the tokens of added_tokens.json.
        named = (config.get(key) for key in NAMED)
        special = {
            *_contents(each for each in named if not isinstance(each, dict)),
            *(content(each) for each in listed or () if each not in objects),
        }
        added = _from_ids(added_ids, special)
    else:
        added = _from_decoder(decoder)
    known = {token.content: token for token in added}
    for key in NAMED:
        if config.get(key) is not None:
            config[key] = known.get(content(_token(key, config[key])), config[key])
    # As in transformers, a text of tokenizer_config.json keeps its value, and the place that an older file gives it.
    by_name = {key: value for key, value in config.items() if _names_another(key) and _is_token(value)} | by_name
    return Settings(
        None if kind is None else checks.typed(CONFIG, "tokenizer_class", kind, str),
        config,
        {key: _token(key, value) for key, value in by_name.items() if isinstance(value, str | dict | AddedToken)},
        listed,
        added,
    )


def _extra(config: Json) -> Any:
    """Take the list of special tokens without a name, or an object of those with one, out of the options."""
    for key in ("extra_special_tokens", "additional_special_tokens"):
        if config.get(key):
            return config.pop(key)
    is_empty = any(config.pop(key, None) is not None for key in ("extra_special_tokens", "additional_special_tokens"))
    return [] if is_empty else None


def _names_another(key: str) -> bool:
    return key.endswith("_token") and key not in NAMED


def _is_token(value: Any) -> bool:
    """Return whether transformers takes the value of an option for a token."""
    return isinstance(value, str | AddedToken) or (isinstance(value, dict) and value.get("__type") == "AddedToken")


def _with_older(config: Json, of_tokens: Json, by_name: Json, listed: list[Token] | None) -> list[Token] | None:
    """Take what `special_tokens_map.json` says into `config` and `by_name`; return special tokens without a name."""
    for key, value in of_tokens.items():
        if key == "extra_special_tokens" and isinstance(value, list):
            new = [_as_special(each) for each in _tokens(key, value)]
            listed = [*(listed or []), *(each for each in new if each not in (listed or []))]
        elif key == "extra_special_tokens" and isinstance(value, dict):
            by_name |= value
            listed = None
        else:
            config[key] = _as_special(_token(key, value)) if isinstance(value, dict) else value
    return listed


def _as_special(token: Token) -> Token:
    return token if isinstance(token, str) else token._replace(special=True)


def _contents(values: Iterable[Any]) -> list[str]:
    return [content(_token("a special token", value)) for value in values if value]


def _from_ids(ids: Json, special: set[str]) -> list[AddedToken]:
    """Read `added_tokens.json`: text -> id."""
    by_id = {checks.check_id(ADDED_TOKENS, quote(text), token): text for text, token in ids.items()}
    tokens = (by_id[token] for token in sorted(by_id))
    return [AddedToken(text, normalized=text not in special, special=text in special) for text in tokens]


def _from_decoder(decoder: Any) -> list[AddedToken]:
    """Read the `added_tokens_decoder` of `tokenizer_config.json`: id -> token."""
    entries = checks.typed(CONFIG, "added_tokens_decoder", decoder, dict)
    if not all(map(str.isdecimal, entries)):
        raise ValueError(f"{CONFIG}: added_tokens_decoder should list tokens by their ids")
    by_id = {int(key): checks.typed(CONFIG, f"the added token {key}", entries[key], dict) for key in entries}
    return [_added(f"the added token {token}", by_id[token]) for token in sorted(by_id)]


def _tokens(key: str, value: Any) -> list[Token]:
    return [_token(key, each) for each in checks.typed(CONFIG, key, value, list)]


def _token(key: str, value: Any) -> Token:
    """Read a token, which is a text or an object with its content."""
    if isinstance(value, AddedToken):
        return value
    return (
        _added(key, value)
        if isinstance(value, dict)
        else checks.check_text(CONFIG, checks.typed(CONFIG, key, value, str))
    )


def _added(key: str, value: Json) -> AddedToken:
    text = checks.check_text(CONFIG, checks.typed(CONFIG, f"the content of {key}", value.get("content"), str))
    flags = {flag: value[flag] for flag in AddedToken._fields[1:] if value.get(flag) is not None}
    for flag, given in flags.items():
        checks.typed(CONFIG, f"{flag} of {quote(text)}", given, bool)
    return AddedToken(text, **flags)
