"""Hugging Face's `tokenizer.json`, as far as it is plain byte pair encoding with a split pattern known here.

Such a file is read into a `BPETokenizer`: OpenAI's vocabularies, and all that tokviz writes. It encodes and decodes as
the library does with `add_special_tokens=False`: special tokens added around a text, truncation and padding are not
part of tokenizing and are only kept for `save`. Any other file needs the library to encode (see `engine_files`).
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tokviz.bpe.alphabet import Units
from tokviz.bpe.byte_characters import unspell
from tokviz.bpe.merging import Pair
from tokviz.display import quote
from tokviz.formats import byte_spelling, checks, mistaken
from tokviz.formats.format import Format, Given, Written
from tokviz.formats.plain_patterns import UnsureError, to_oniguruma
from tokviz.pretokens.splitting import PATTERNS, TIKTOKEN_PATTERNS, literal
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines import hugging_face_library

# The named patterns by their spelling in a file, and GPT-2's by its own.
PATTERN_OF_SPELLING = {to_oniguruma(pattern): pattern for pattern in PATTERNS.values()}
PATTERN_OF_SPELLING[r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"] = PATTERNS["gpt2"]

_OUR_SPELLING = "split_pattern"
"""Key of a Split that tokviz writes, for the pattern as tokviz spells it. The library ignores it."""

_EDITIONS = "Hugging Face's library is installed in a version whose letters, digits and marks are not those of tiktoken"

_UNAPPLIED = ("post_processor", "truncation", "padding")

_BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}

Json = dict[str, Any]

_JOINING_DECODERS: dict[Units, Json] = {"bytes": _BYTE_LEVEL, "characters": {"type": "Fuse"}}
"""Decoders that join the bytes of tokens, as `BPETokenizer` does."""


class NeedsLibraryError(ValueError):
    """Only Hugging Face's library can encode for a file."""


def write(tok: BPETokenizer, name: str) -> Written:
    """Write the file. Raises ValueError if ids would change."""
    file = "tokenizer.json"
    units, spell = byte_spelling.speller(tok, file)
    vocab, merges = byte_spelling.spelled(tok, spell, file)
    specials = dict(sorted(tok.special_tokens.items(), key=lambda item: item[1]))
    if units == "bytes":
        others = {spell(tok.vocab[token]): token for token in byte_spelling.never_made(tok)}
        vocab = {text: token for text, token in others.items() if text not in specials} | vocab
    if any(text in vocab or token != number for number, (text, token) in enumerate(specials.items(), len(vocab))):
        vocab = _with_added(vocab, specials, units, file)
    try:
        steps = _written_steps(tok, units)
    except UnsureError as error:
        raise ValueError(f"{tok.name} can't be written as {file}: {error}") from None
    content = {
        "version": "1.0",
        "truncation": tok.unapplied.get("truncation"),
        "padding": tok.unapplied.get("padding"),
        "added_tokens": [_written_added(token, text) for text, token in specials.items()],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps} if len(steps) > 1 else next(iter(steps), None),
        "post_processor": tok.unapplied.get("post_processor"),
        "decoder": tok.unapplied.get("decoder", _JOINING_DECODERS[units]),
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": tok.ignore_merges,
            "vocab": dict(sorted(vocab.items(), key=lambda item: item[1])),
            "merges": merges,
        },
    }
    return Written({name: _dump(content)}, {})


def _caution(tok: BPETokenizer) -> str:
    if not tok.split_patterns or hugging_face_library.shares_unicode():
        return ""
    return f"new characters of Unicode may get other ids: {_EDITIONS}"


def _dump(content: Json) -> bytes:
    """Write JSON in lines, except for parts that may be nested deeply: indenting makes these many times as long."""
    flat = (*_UNAPPLIED, "decoder")
    members = [
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, indent=None if key in flat else 1)}"
        for key, value in content.items()
    ]
    return "{{\n{}\n}}".format(",\n".join(members)).encode()


def _with_added(vocab: dict[str, int], specials: Mapping[str, int], units: Units, file: str) -> dict[str, int]:
    """The vocabulary with the special tokens, needed if their ids differ from those the library would count on to."""
    vocab = dict(vocab)
    for text, token in specials.items():
        if text not in vocab and _is_symbol(text, units):
            raise ValueError(
                f"the special token {quote(text)} would be a symbol of the alphabet in {file}: ids would change"
            )
        if vocab.setdefault(text, token) != token:
            raise ValueError(
                f"the special token {quote(text)} is spelled like the token {vocab[text]} in {file}, which can hold "
                "only one of them: ids would change"
            )
    return vocab


def _is_symbol(text: str, units: Units) -> bool:
    """Return whether a token with this spelling is one byte, or one character if characters are merged."""
    return len(text) == 1 and (units == "characters" or unspell(text) is not None)


def _written_added(token: int, text: str) -> Json:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": token, "content": text, **flags, "special": True}


def _written_steps(tok: BPETokenizer, units: Units) -> list[Json]:
    steps: list[Json] = []
    for pattern in tok.split_patterns:
        spelling = to_oniguruma(pattern)
        step = {"type": "Split", "pattern": {"Regex": spelling}, "behavior": "Isolated", "invert": False}
        steps.append(step if PATTERN_OF_SPELLING.get(spelling) == pattern else step | {_OUR_SPELLING: pattern})
    return [*steps, _BYTE_LEVEL] if units == "bytes" else steps


def read(files: Mapping[str, bytes], title: str, _: Given) -> BPETokenizer:
    """Read the tokenizer in one file, which lacks nothing. Raises ValueError naming what can't be done exactly."""
    [(name, data)] = files.items()
    head = checks.members_before(name, data, "model")
    if needs_library(name, head):
        _splitting(name, head)  # raises NeedsLibraryError with the reason
    return from_json(name, checks.as_json(name, data), title)


def from_json(name: str, content: Json, title: str) -> BPETokenizer:
    """Read the tokenizer in a parsed file. Raises ValueError; NeedsLibraryError if the library may read it."""
    mistake = mistaken.not_a_tokenizer(name, content)
    if mistake:
        raise ValueError(mistake)
    model = _model(name, content.get("model"))
    units, split_pattern = _splitting(name, content)
    vocab_texts = byte_spelling.check_vocab(name, checks.typed(name, "the vocabulary", model.get("vocab"), dict))
    merges = byte_spelling.read_merges(name, vocab_texts, _read_pairs(name, model.get("merges")))
    specials = _special_tokens(name, content.get("added_tokens"), vocab_texts)
    tok = BPETokenizer(
        title,
        _vocabulary(name, vocab_texts, merges, units, specials),
        merges,
        split_pattern=split_pattern,
        special_tokens=specials,
        units=units,
        ignore_merges=checks.typed(name, "ignore_merges", model.get("ignore_merges", False), bool),
        unapplied=_unapplied(name, content),
    )
    lossy = model.get("unk_token") is not None or model.get("byte_fallback")
    if lossy and not tok.alphabet.has_all_bytes:
        raise NeedsLibraryError(f"{name} has other tokens for what its alphabet lacks (unk_token, byte_fallback)")
    return tok


def needs_library(name: str, content: Json) -> bool:
    """Return whether a file, of which the model may be missing, prepares texts in ways that only the library knows."""
    if not {"added_tokens", "normalizer", "pre_tokenizer", "decoder"} <= content.keys():
        return False
    try:
        _splitting(name, content)
    except NeedsLibraryError:
        return True
    except ValueError:
        return False
    return False


def _unapplied(name: str, content: Json) -> Json:
    """Parts of the file that affect neither encoding nor decoding."""
    found = {key: checks.typed(name, f"the {key}", content[key], dict) for key in _UNAPPLIED if content.get(key)}
    for key, value in found.items():
        checks.check_unapplied(name, f"the {key}", value)
    return found


# The model


def _model(name: str, node: object) -> Json:
    model = checks.typed(name, "the model", node, dict)
    kind = model.get("type", "BPE" if "merges" in model else "of unknown type")
    if kind != "BPE":
        raise NeedsLibraryError(
            f"{name} holds a {str(kind)[:40]} model: without Hugging Face's library, only BPE models are read"
        )
    for key in ("continuing_subword_prefix", "end_of_word_suffix", "dropout"):
        if model.get(key):
            raise NeedsLibraryError(f"{name} uses {key} in its model, which only Hugging Face's library can follow")
    return model


def _read_pairs(name: str, node: object) -> list[tuple[str, str]]:
    """Read the merges, which are pairs, or in older files texts with a space between the two tokens."""
    pairs = []
    for rank, entry in enumerate(checks.typed(name, "the list of merges", node, list)):
        parts = entry.split(" ") if isinstance(entry, str) else entry
        if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) and part for part in parts):
            raise ValueError(f"{name}: merge {rank} should be two tokens; it is {quote(str(entry))}")
        pairs.append((parts[0], parts[1]))
    return pairs


def _vocabulary(
    name: str, texts: dict[str, int], merges: dict[Pair, int], units: Units, specials: dict[str, int]
) -> dict[int, bytes]:
    """Id -> bytes. A token that spells no bytes is never made by merging and stands for its own text."""
    merged = set(merges.values())
    vocab: dict[int, bytes] = {}
    for text, token in texts.items():
        data = unspell(text) if units == "bytes" else text.encode()
        is_symbol = _is_symbol(text, units)
        if text in specials and not is_symbol and (token not in merged or data == text.encode()):
            continue
        if text in specials:
            raise ValueError(f"{name}: the added token {quote(text)} is spelled like an ordinary one")
        if token in vocab:
            raise ValueError(f"{name} gives the id {token} to two tokens, one of which is {quote(text)}")
        if units == "characters" and not is_symbol and token not in merged:
            raise ValueError(f"{name}: the token {quote(text)} is neither a character nor merged from others")
        vocab[token] = text.encode() if data is None else data
    for text, token in specials.items():
        if token in vocab:
            raise ValueError(f"{name} gives the id {token} to {quote(text)} and to another token")
    return vocab | {token: text.encode() for text, token in reversed(specials.items())}


def _special_tokens(name: str, node: object, vocab: dict[str, int]) -> dict[str, int]:
    """Return the added tokens. Raises NeedsLibraryError unless they are special, and have no rules of their own."""
    specials: dict[str, int] = {}
    next_id = len(vocab)
    passes = set()
    for entry in checks.typed(name, "the list of added tokens", [] if node is None else node, list):
        token, text = _added_token(name, checks.typed(name, "an added token", entry, dict))
        # Hugging Face's library assigns ids itself, whatever the file says.
        if token != vocab.get(text, next_id):
            raise NeedsLibraryError(
                f"{name} gives the added token {quote(text)} the id {token}, but to Hugging Face's library it would be "
                f"{vocab.get(text, next_id)}"
            )
        if text in specials:
            raise NeedsLibraryError(f"{name} adds a token twice")
        passes.add(entry.get("normalized", False))
        next_id = max(next_id, token + 1)
        specials[text] = token
    if len(passes) > 1:
        raise NeedsLibraryError(f"{name} looks for some added tokens before others (normalized)")
    return specials


def _added_token(name: str, entry: Json) -> tuple[int, str]:
    content = checks.check_text(name, checks.typed(name, "an added token's content", entry.get("content"), str))
    if not content:
        raise ValueError(f"{name} adds a token that is empty")
    flags = {
        key: checks.typed(name, f"{key} of {quote(content)}", entry.get(key, False), bool)
        for key in ("single_word", "lstrip", "rstrip", "normalized", "special")
    }
    if not flags["special"] or flags["single_word"] or flags["lstrip"] or flags["rstrip"]:
        raise NeedsLibraryError(f"{name} has rules of its own for the added token {quote(content)}")
    return checks.check_id(name, f"the added token {quote(content)}", entry.get("id")), content


def _splitting(name: str, content: Json) -> tuple[Units, str | None]:
    """Units and split pattern. Raises NeedsLibraryError if texts are prepared in any way but by a known pattern."""
    for part in ("normalizer", "pre_tokenizer"):
        if content.get(part) is not None:
            checks.typed(name, f"the {part}", content[part], dict)
    steps = _steps(name, content.get("pre_tokenizer"))
    byte_level = steps.pop() if steps and steps[-1].get("type") == "ByteLevel" else None
    patterns = [_pattern(step) for step in steps]
    if byte_level is not None and byte_level.get("use_regex", True):
        patterns.append(PATTERNS["gpt2"])
    adds_space = byte_level is not None and byte_level.get("add_prefix_space", True)
    if content.get("normalizer") is not None or adds_space or len(patterns) > 1 or None in patterns:
        raise NeedsLibraryError(f"{name} prepares texts in ways that only Hugging Face's library can follow")
    if patterns and not hugging_face_library.shares_unicode():
        raise NeedsLibraryError(f"{name} is cut by another edition of Unicode, as {_EDITIONS}")
    units: Units = "characters" if byte_level is None else "bytes"
    _check_decoder(name, content.get("decoder"), units)
    return units, next(iter(patterns), None)


def _check_decoder(name: str, node: object, units: Units) -> None:
    """Raise NeedsLibraryError unless decoding joins the bytes of tokens; without a decoder, it puts spaces between."""
    decoder = {} if node is None else checks.typed(name, "the decoder", node, dict)
    if decoder.get("type") != _JOINING_DECODERS[units]["type"]:
        raise NeedsLibraryError(f"{name} decodes tokens in a way that only Hugging Face's library can follow")


def _steps(name: str, node: Json | None) -> list[Json]:
    if node is None:
        return []
    steps = node.get("pretokenizers") if node.get("type") == "Sequence" else [node]
    steps = checks.typed(name, "a sequence in the pre_tokenizer", steps, list)
    return [checks.typed(name, "a step of the pre_tokenizer", step, dict) for step in steps]


def _pattern(step: Json) -> str | None:
    """Return the split pattern of a step; None unless it is a Split by a known pattern, or by one that tokviz wrote."""
    node, ours = step.get("pattern"), step.get(_OUR_SPELLING)
    spelling = node.get("Regex") if isinstance(node, dict) else None
    if step.get("type") != "Split" or not isinstance(spelling, str):
        return None
    pattern = PATTERN_OF_SPELLING.get(spelling)
    how = (step.get("behavior"), step.get("invert", False))
    if pattern in TIKTOKEN_PATTERNS and how == ("Removed", True):  # they match every text whole, so nothing is lost
        return pattern
    if how != ("Isolated", False):
        return None
    if pattern is None and isinstance(ours, str):
        with suppress(UnsureError):
            return literal(ours) if to_oniguruma(ours) == spelling else None
    return pattern


FORMAT = Format("Hugging Face's tokenizer.json", ("*.json",), read, write, caution=_caution)
