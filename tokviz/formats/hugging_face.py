"""Hugging Face's `tokenizer.json`, as far as it describes byte pair encoding over bytes or characters.

The file is read into our own tokenizer, not handed to Hugging Face's library: merging, replays and trees need the
merges themselves, the library would be another dependency, and it cannot be stopped once it runs a bad pattern. The
tokenizer encodes as the library does with `add_special_tokens=False`: special tokens added around a text, truncation
and padding are not part of tokenizing and are only kept for `save`. Everything else is refused by its name in the file.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from tokviz.bpe.alphabet import Units
from tokviz.bpe.byte_characters import unspell
from tokviz.bpe.merging import Pair
from tokviz.display import quote
from tokviz.formats import byte_spelling, checks, mistaken
from tokviz.formats.format import Format, Given, Written
from tokviz.formats.normal_forms import NormalForm
from tokviz.formats.oniguruma import UnsureError, from_oniguruma, to_oniguruma
from tokviz.formats.prepared import AddedToken, Preparation, PreparedTokenizer, Split
from tokviz.pretokens.splitting import PATTERNS, TIKTOKEN_PATTERNS, literal
from tokviz.tokenizers.bpe import BPETokenizer

_GPT2_PATTERN = PATTERNS["gpt2"]
_MAX_PREPARATION_STEPS = 50

# Other spellings of tiktoken's patterns: as they are read back from a file, and GPT-2's own.
_PATTERN_OF_SPELLING = {from_oniguruma(to_oniguruma(pattern)): pattern for pattern in TIKTOKEN_PATTERNS}
_PATTERN_OF_SPELLING[r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"] = _GPT2_PATTERN

_UNAPPLIED = ("post_processor", "truncation", "padding", "decoder")

Json = dict[str, Any]


def write(tok: BPETokenizer, name: str) -> Written:
    """Write the file. Raises ValueError if ids would change."""
    file = "tokenizer.json"
    units, spell = byte_spelling.speller(tok, file)
    vocab, merges = byte_spelling.spelled(tok, spell, file)
    preparation = tok.preparation if isinstance(tok, PreparedTokenizer) else _preparation_of(tok)
    added = sorted(preparation.added_tokens, key=lambda token: token.id)
    if any(token.content in vocab or token.id != number for number, token in enumerate(added, start=len(vocab))):
        vocab = _with_added(vocab, added, units, file)
    try:
        steps = _written_steps(preparation, units)
    except UnsureError as error:
        raise ValueError(f"{tok.name} can't be written as {file}: {error}") from None
    forms = [{"type": form} for form in preparation.normal_forms]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    content = {
        "version": "1.0",
        "truncation": tok.unapplied.get("truncation"),
        "padding": tok.unapplied.get("padding"),
        "added_tokens": [vars(token) for token in added],
        "normalizer": _one_or_sequence(forms, "normalizers"),
        "pre_tokenizer": _one_or_sequence(steps, "pretokenizers"),
        "post_processor": tok.unapplied.get("post_processor"),
        "decoder": tok.unapplied.get("decoder", byte_level if units == "bytes" else {"type": "Fuse"}),
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


def _dump(content: Json) -> bytes:
    """Write JSON in lines, except for unapplied parts: indenting what is nested deeply makes it many times as long."""
    members = [
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, indent=None if key in _UNAPPLIED else 1)}"
        for key, value in content.items()
    ]
    return "{{\n{}\n}}".format(",\n".join(members)).encode()


def _with_added(vocab: dict[str, int], added: list[AddedToken], units: Units, file: str) -> dict[str, int]:
    """The vocabulary with the added tokens, needed if their ids differ from those the library would count on to."""
    vocab = dict(vocab)
    for token in added:
        if token.content not in vocab and _is_symbol(token.content, units):
            raise ValueError(
                f"the special token {quote(token.content)} would be a symbol of the alphabet in {file}: ids would "
                "change"
            )
        if vocab.setdefault(token.content, token.id) != token.id:
            raise ValueError(
                f"the special token {quote(token.content)} is spelled like the token {vocab[token.content]} in {file}, "
                "which can hold only one of them: ids would change"
            )
    return vocab


def _is_symbol(text: str, units: Units) -> bool:
    """Whether a token with this spelling is one byte, or one character if characters are merged."""
    return len(text) == 1 and (units == "characters" or unspell(text) is not None)


def _preparation_of(tok: BPETokenizer) -> Preparation:
    added = tuple(AddedToken(token, text, special=True) for text, token in tok.special_tokens.items())
    splits = () if tok.split_pattern is None else (Split(tok.split_pattern),)
    return Preparation(added, splits=splits)


def _written_steps(preparation: Preparation, units: Units) -> list[Json]:
    if preparation.space_first:
        # In the file, a space in front of the whole text is possible with GPT-2's pattern only.
        if preparation.patterns not in ((), (_GPT2_PATTERN,)):
            raise UnsureError("it puts a space in front of the text and then cuts it by another pattern than GPT-2's")
        preparation = replace(preparation, splits=(), last_split=_GPT2_PATTERN if preparation.patterns else None)
    steps = [
        {
            "type": "Split",
            "pattern": {"Regex": to_oniguruma(split.pattern)},
            "behavior": "Removed" if split.whole else "Isolated",
            "invert": split.whole,
        }
        for split in preparation.splits
    ]
    if units == "bytes":
        steps.append(
            {
                "type": "ByteLevel",
                "add_prefix_space": preparation.prefix_space,
                "trim_offsets": True,
                "use_regex": preparation.last_split is not None,
            }
        )
    return steps


def _one_or_sequence(nodes: list[Json], key: str) -> Json | None:
    if len(nodes) > 1:
        return {"type": "Sequence", key: nodes}
    return nodes[0] if nodes else None


def read(files: Mapping[str, bytes], title: str, _: Given) -> BPETokenizer:
    """Read the tokenizer in one file, which lacks nothing. Raises ValueError naming what can't be done exactly."""
    [(name, data)] = files.items()
    return from_json(name, checks.as_json(name, data), title)


def from_json(name: str, content: Json, title: str) -> BPETokenizer:
    """Read the tokenizer in a parsed file. Raises ValueError naming what can't be done exactly."""
    mistake = mistaken.not_a_tokenizer(name, content)
    if mistake:
        raise ValueError(mistake)
    model = _model(name, content.get("model"))
    forms = _normal_forms(name, content.get("normalizer"))
    units, preparation = _pre_tokenizer(name, content.get("pre_tokenizer"))
    vocab_texts = byte_spelling.check_vocab(name, checks.typed(name, "the vocabulary", model.get("vocab"), dict))
    merges = byte_spelling.read_merges(name, vocab_texts, _read_pairs(name, model.get("merges")))
    added = _added_tokens(name, content.get("added_tokens"), vocab_texts)
    vocab = _vocabulary(name, vocab_texts, merges, units, added)
    preparation = Preparation(added, forms, preparation.splits, preparation.prefix_space, preparation.last_split)
    ignore_merges = checks.typed(name, "ignore_merges", model.get("ignore_merges", False), bool)
    unapplied = _unapplied(name, content, units)
    tok = _tokenizer(title, vocab, merges, preparation, units, ignore_merges, unapplied)
    lossy = model.get("unk_token") is not None or model.get("byte_fallback")
    if lossy and not tok.alphabet.has_all_bytes:
        raise ValueError(f"{name} stands other tokens in for what its alphabet lacks (unk_token or byte_fallback)")
    return tok


def _tokenizer(
    title: str,
    vocab: dict[int, bytes],
    merges: dict[Pair, int],
    preparation: Preparation,
    units: Units,
    ignore_merges: bool,
    unapplied: Json,
) -> BPETokenizer:
    """Build a plain tokenizer if the preparation is only a split pattern and special tokens, else a prepared one."""
    added = preparation.added_tokens
    is_plain = (
        all(token.special and not (token.single_word or token.lstrip or token.rstrip) for token in added)
        and len({token.normalized for token in added}) <= 1
    )
    patterns = preparation.patterns
    whole = any(split.whole for split in preparation.splits)
    if not is_plain or preparation.normal_forms or preparation.prefix_space or len(patterns) > 1 or whole:
        return PreparedTokenizer(
            title, vocab, merges, preparation, units=units, ignore_merges=ignore_merges, unapplied=unapplied
        )
    return BPETokenizer(
        title,
        vocab,
        merges,
        split_pattern=patterns[0] if patterns else None,
        special_tokens={token.content: token.id for token in added},
        units=units,
        ignore_merges=ignore_merges,
        unapplied=unapplied,
    )


def _unapplied(name: str, content: Json, units: Units) -> Json:
    """Parts of the file that don't affect encoding, except the decoder that every such file has."""
    found = {key: checks.typed(name, f"the {key}", content[key], dict) for key in _UNAPPLIED if content.get(key)}
    for key, value in found.items():
        checks.check_unapplied(name, f"the {key}", value)
    if units == "bytes" and _type(found.get("decoder", {})) == "ByteLevel":
        del found["decoder"]
    return found


# The model


def _model(name: str, node: object) -> Json:
    model = checks.typed(name, "the model", node, dict)
    kind = model.get("type", "BPE" if "merges" in model else "of unknown type")
    if kind != "BPE":
        raise ValueError(
            f"{name} holds a {str(kind)[:40]} model: without Hugging Face's library, only BPE models are read"
        )
    for key in ("continuing_subword_prefix", "end_of_word_suffix", "dropout"):
        if model.get(key):
            raise ValueError(f"{name} uses {key} in its model, which tokviz can't follow exactly")
    return model


def _read_pairs(name: str, node: object) -> list[tuple[str, str]]:
    """Read the merges, which are pairs, or in older files texts with a space between the two tokens."""
    pairs = []
    for rank, entry in enumerate(checks.typed(name, "the list of merges", node, list)):
        parts = entry.split(" ") if isinstance(entry, str) else entry
        if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) and part for part in parts):
            raise ValueError(f"{name}: merge {rank} should be two tokens; it is {str(entry)[:60]!r}")
        pairs.append((parts[0], parts[1]))
    return pairs


def _vocabulary(
    name: str, texts: dict[str, int], merges: dict[Pair, int], units: Units, added: tuple[AddedToken, ...]
) -> dict[int, bytes]:
    """Id -> bytes. A token that spells no bytes is never made by merging and stands for its own text."""
    contents = {token.content for token in added}
    merged = set(merges.values())
    vocab: dict[int, bytes] = {}
    for text, token in texts.items():
        data = unspell(text) if units == "bytes" else text.encode()
        is_symbol = _is_symbol(text, units)
        if text in contents and not is_symbol and (token not in merged or data == text.encode()):
            continue
        if text in contents:
            raise ValueError(f"{name}: the added token {quote(text)} is spelled like an ordinary one")
        if token in vocab:
            raise ValueError(f"{name} gives the id {token} to two tokens, one of which is {quote(text)}")
        if units == "characters" and not is_symbol and token not in merged:
            raise ValueError(f"{name}: the token {quote(text)} is neither a character nor merged from others")
        vocab[token] = text.encode() if data is None else data
    for added_token in added:
        if added_token.id in vocab:
            raise ValueError(
                f"{name} gives the id {added_token.id} to {quote(added_token.content)} and to another token"
            )
    return vocab | {added_token.id: added_token.content.encode() for added_token in reversed(added)}


# Added tokens


def _added_tokens(name: str, node: object, vocab: dict[str, int]) -> tuple[AddedToken, ...]:
    added: list[AddedToken] = []
    next_id = len(vocab)
    for entry in checks.typed(name, "the list of added tokens", [] if node is None else node, list):
        token = _added_token(name, checks.typed(name, "an added token", entry, dict))
        # Hugging Face's library assigns ids itself, whatever the file says.
        if token.id != vocab.get(token.content, next_id):
            raise ValueError(
                f"{name} gives the added token {quote(token.content)} the id {token.id}, but to Hugging Face's library "
                f"it would be {vocab.get(token.content, next_id)}"
            )
        next_id = max(next_id, token.id + 1)
        added.append(token)
    if len({token.content for token in added}) < len(added):
        raise ValueError(f"{name} adds a token twice")
    if any(token.rstrip for token in added) and any(token.content[0].isspace() for token in added):
        raise ValueError(
            f"{name} adds a token that takes in white space after it (rstrip), and one that begins with it"
        )
    return tuple(added)


def _added_token(name: str, entry: Json) -> AddedToken:
    content = checks.check_text(name, checks.typed(name, "an added token's content", entry.get("content"), str))
    if not content:
        raise ValueError(f"{name} adds a token that is empty")
    flags = {
        key: checks.typed(name, f"{key} of {quote(content)}", entry.get(key, False), bool)
        for key in ("single_word", "lstrip", "rstrip", "normalized", "special")
    }
    return AddedToken(checks.check_id(name, f"the added token {quote(content)}", entry.get("id")), content, **flags)


# Normalizing and splitting


def _flatten(name: str, node: object, key: str) -> list[Json]:
    """Flatten a normalizer or pre-tokenizer, which may be a sequence of sequences, into its steps."""
    pending, steps = [] if node is None else [node], []
    while pending:
        step = pending.pop()
        checked_step = checks.typed(name, f"a step of the {key}", step, dict)
        if checked_step.get("type") == "Sequence":
            inner = checked_step.get("pretokenizers" if key == "pre_tokenizer" else "normalizers")
            pending += reversed(checks.typed(name, f"a sequence in the {key}", inner, list))
        else:
            steps.append(checked_step)
        if len(steps) + len(pending) > _MAX_PREPARATION_STEPS:
            raise ValueError(f"{name}: the {key} has more than {_MAX_PREPARATION_STEPS} steps")
    return steps


def _normal_forms(name: str, node: object) -> tuple[NormalForm, ...]:
    forms: list[NormalForm] = []
    for step in _flatten(name, node, "normalizer"):
        form = next((form for form in get_args(NormalForm) if form == step.get("type")), None)
        if form is None:
            raise _refused(name, "normalizer", step)
        forms.append(form)
    return tuple(forms)


def _pre_tokenizer(name: str, node: object) -> tuple[Units, Preparation]:
    """Units and preparation of the file's pre-tokenizer, without added tokens and normalization."""
    splits: list[Split] = []
    byte_level = None
    for step in _flatten(name, node, "pre_tokenizer"):
        if byte_level is not None:
            raise ValueError(
                f"{name} has a {_type(step)} after ByteLevel in its pre-tokenizer, which tokviz can't read"
            )
        kind = step.get("type")
        if kind == "ByteLevel":
            byte_level = step
        elif kind == "Split":
            splits.append(_split(name, step))
        elif kind == "Digits":
            each = checks.typed(name, "individual_digits", step.get("individual_digits", False), bool)
            splits.append(Split(r"\p{N}" if each else r"\p{N}+"))
        else:
            raise _refused(name, "pre_tokenizer", step)
    if byte_level is None:
        return "characters", Preparation(splits=tuple(splits))
    prefix = checks.typed(name, "add_prefix_space", byte_level.get("add_prefix_space", True), bool)
    use_regex = checks.typed(name, "use_regex", byte_level.get("use_regex", True), bool)
    return "bytes", Preparation(
        splits=tuple(splits), prefix_space=prefix, last_split=_GPT2_PATTERN if use_regex else None
    )


def _split(name: str, step: Json) -> Split:
    behavior, invert = step.get("behavior"), step.get("invert", False)
    if behavior not in ("Isolated", "Removed") or (behavior == "Removed" and not invert):
        raise ValueError(f"{name} has a Split with behavior {str(behavior)[:40]}, which tokviz can't follow exactly")
    pattern = checks.typed(name, "the pattern of a Split", step.get("pattern"), dict)
    whole = behavior == "Removed"
    if "String" in pattern:
        text = checks.check_text(name, checks.typed(name, "the pattern of a Split", pattern["String"], str))
        if not text:
            raise ValueError(f"{name} has a Split by an empty text")
        return Split(literal(re.escape(text)), whole)
    source = checks.check_text(name, checks.typed(name, "the pattern of a Split", pattern.get("Regex"), str))
    try:
        ours = from_oniguruma(source)
    except UnsureError as error:
        raise ValueError(f"{name}: {error}") from None
    return Split(literal(_PATTERN_OF_SPELLING.get(ours, ours)), whole)


def _refused(name: str, part: str, step: Json) -> ValueError:
    return ValueError(f"{name} has {_type(step)} as its {part}, which tokviz can't follow exactly")


def _type(step: Json) -> str:
    return str(step.get("type"))[:40]


FORMAT = Format("Hugging Face's tokenizer.json", ("*.json",), read, write, holds_preparation=True)
