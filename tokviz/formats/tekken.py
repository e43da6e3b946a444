"""Mistral's `tekken.json`: byte pair encoding whose vocabulary follows the special tokens. Files are only read.

The first ids are the special tokens'; a token's id is its rank plus their number. Older files don't list the special
tokens, and newer ones may list only some of them; the rest are fillers, as in Mistral's library.
"""

import binascii
from collections.abc import Mapping
from typing import Any

from tokviz.display import quote
from tokviz.formats import checks
from tokviz.pretokens.splitting import literal
from tokviz.tokenizers.bpe import BPETokenizer

_MAX_SPECIALS = 100_000

_BEFORE_THEY_WERE_LISTED = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]",
    "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
)  # fmt: skip


def is_one(content: Mapping[str, Any]) -> bool:
    """Return whether a JSON file is of this format."""
    return isinstance(content.get("vocab"), list) and isinstance(content.get("config"), dict)


def read(name: str, content: Mapping[str, Any], title: str) -> BPETokenizer:
    """Read the tokenizer in a parsed file."""
    config = content["config"]
    size = _number(name, config, "default_vocab_size")
    number_of_specials = _number(name, config, "default_num_special_tokens")
    if not number_of_specials <= min(size, _MAX_SPECIALS):
        raise ValueError(
            f"{name} gives impossible numbers: {size:,} tokens, of which {number_of_specials:,} are special"
        )
    vocab: dict[int, bytes] = {}
    for rank, entry in enumerate(content["vocab"][: size - number_of_specials]):
        vocab[number_of_specials + rank] = _token_bytes(name, rank, entry)
    checks.check_lengths(name, map(len, vocab.values()), squares=True)
    pattern = checks.check_pattern(name, checks.typed(name, "the pattern", config.get("pattern"), str))
    specials = _special_tokens(name, content.get("special_tokens"), number_of_specials)
    return BPETokenizer(
        title,
        vocab,
        split_pattern=literal(pattern),
        special_tokens=specials,
        ignore_merges=True,
        unapplied={"post_processor": _with_start(specials["<s>"])} if "<s>" in specials else None,
    )


def _with_start(token: int) -> dict[str, Any]:
    """Return the post-processor that puts `<s>` in front of a text, as Mistral's library does, for a tokenizer.json."""
    start, text = {"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}
    return {
        "type": "TemplateProcessing",
        "single": [start, text],
        "pair": [start, text, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [token], "tokens": ["<s>"]}},
    }


def _number(name: str, config: Mapping[str, Any], key: str) -> int:
    return checks.check_id(name, key, checks.typed(name, key, config.get(key), int))


def _token_bytes(name: str, rank: int, entry: object) -> bytes:
    token = checks.typed(name, f"entry {rank} of the vocabulary", entry, dict)
    if token.get("rank") != rank:
        raise ValueError(f"{name}: entry {rank} of the vocabulary should have the rank {rank}")
    try:
        return binascii.a2b_base64(str(token.get("token_bytes")), strict_mode=True)
    except ValueError:
        raise ValueError(f"{name}: the bytes of entry {rank} of the vocabulary are not base64") from None


def _special_tokens(name: str, node: object, count: int) -> dict[str, int]:
    texts = {number: f"<SPECIAL_{number}>" for number in range(count)}
    if node is None:
        texts |= dict(list(enumerate(_BEFORE_THEY_WERE_LISTED))[:count])
    for entry in checks.typed(name, "the list of special tokens", [] if node is None else node, list):
        token = checks.typed(name, "a special token", entry, dict)
        number = checks.check_id(name, "a special token", token.get("rank"))
        if number >= count:
            raise ValueError(f"{name} says that it has {count} special tokens, and gives one the id {number}")
        texts[number] = checks.check_text(name, checks.typed(name, "a special token", token.get("token_str"), str))
    specials = {text: number for number, text in texts.items()}
    if len(specials) < count:
        twice = next(text for number, text in texts.items() if specials[text] != number)
        raise ValueError(f"{name} lists the special token {quote(twice)} twice")
    return specials
