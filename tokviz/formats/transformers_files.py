"""Files of older tokenizers, as Hugging Face's transformers saves them beside each other, as one `tokenizer.json`.

These are BERT's `vocab.txt`, a list of WordPiece's pieces, and GPT-2's `vocab.json` and `merges.txt`. What they don't
hold is as in the models that introduced them, unless the `tokenizer_config.json` beside them says otherwise.
"""

import json
from collections.abc import Mapping
from typing import Any

from tokviz.display import quote
from tokviz.formats import byte_spelling, checks, gpt2_files
from tokviz.tokenizers.engines.hugging_face_library import word_piece_file

CONFIG, SPECIAL_TOKENS = "tokenizer_config.json", "special_tokens_map.json"
TEMPLATE, OLD_TEMPLATE = "chat_template.jinja", "chat_template.json"
CHAT_FILES = (TEMPLATE, CONFIG, OLD_TEMPLATE, SPECIAL_TOKENS)
"""Files beside a tokenizer's that may hold a model's chat template, and the special tokens that it writes."""

WORD_PIECES = "vocab.txt"
VOCABULARY, MERGES = "vocab.json", "merges.txt"

# Classes of transformers whose two files are byte pair encoding with GPT-2's split pattern.
_LIKE_GPT2 = ("GPT2", "Roberta", "Bart", "LED", "Longformer", "CodeGen", "Blenderbot", "Whisper", "Phi", "OPT")

Json = dict[str, Any]


def config_of(files: Mapping[str, bytes]) -> Json:
    """Return what `tokenizer_config.json` says; nothing if it is not among the files."""
    return checks.as_json(CONFIG, files[CONFIG]) if CONFIG in files else {}


def from_word_pieces(name: str, data: bytes, config: Mapping[str, Any]) -> bytes:
    """Return the `tokenizer.json` that the library writes for BERT's list of pieces, whose line numbers are the ids."""
    lines = checks.as_text(name, data).replace("\r\n", "\n").removesuffix("\n").split("\n")
    vocab = {piece: token for token, piece in enumerate(lines)}
    checks.check_lengths(name, map(len, vocab))
    names = {key: _text(config.get(f"{key}_token"), f"[{key.upper()}]") for key in ("unk", "cls", "sep", "pad", "mask")}
    for key in ("unk", "cls", "sep"):
        if names[key] not in vocab:
            raise ValueError(f"{name} is no list of WordPiece's pieces, one a line: it lacks {quote(names[key])}")
    strips = config.get("strip_accents")
    return word_piece_file(
        vocab,
        (names["unk"], names["sep"], names["cls"], names["pad"], names["mask"]),
        handle_chinese_chars=bool(config.get("tokenize_chinese_chars", True)),
        strip_accents=None if strips is None else bool(strips),
        lowercase=bool(config.get("do_lower_case", True)),
    )


def gpt2s_files(files: Mapping[str, bytes]) -> dict[str, bytes] | None:
    """Return the two files under their own names, if there are just these two beside the settings; else None.

    Both names may have the same beginning: `gpt2-vocab.json`, `gpt2-merges.txt`.
    """
    found = {known: name for name in files for known in (VOCABULARY, MERGES) if name.endswith(known)}
    starts = {name.removesuffix(known) for known, name in found.items()}
    if len(found) != 2 or len(starts) != 1 or len(files.keys() - {CONFIG}) != 2:
        return None
    return {known: files[name] for known, name in found.items()}


def from_gpt2s_files(files: Mapping[str, bytes], config: Mapping[str, Any]) -> bytes:
    """Return the `tokenizer.json` for `vocab.json` and `merges.txt`."""
    kind = str(config.get("tokenizer_class", "GPT2Tokenizer"))
    vocab = byte_spelling.check_vocab(VOCABULARY, checks.as_json(VOCABULARY, files[VOCABULARY]))
    pairs = gpt2_files.read_pairs(MERGES, files[MERGES])
    if not kind.startswith(_LIKE_GPT2) or any(right.endswith("</w>") for _, right in pairs):
        raise ValueError(
            f"{VOCABULARY} and {MERGES} don't say how a text is cut, and tokviz doesn't know how a {kind[:40]} cuts "
            "it: open the tokenizer.json from the same folder"
        )
    listed = [text for text in vocab if text.startswith("<") and text.endswith(">") and len(text) > 2]
    byte_level = {"type": "ByteLevel", "add_prefix_space": bool(config.get("add_prefix_space", False))}
    byte_level |= {"trim_offsets": True, "use_regex": True}
    post_processor = byte_level
    if kind.startswith(("Roberta", "Bart", "LED", "Longformer")) and {"<s>", "</s>"} <= vocab.keys():
        ends = {"sep": ["</s>", vocab["</s>"]], "cls": ["<s>", vocab["<s>"]]}
        post_processor = {"type": "RobertaProcessing", **ends, "trim_offsets": True, "add_prefix_space": False}
    merged = {left + right for left, right in pairs}
    added = [_added(vocab[text], text) for text in sorted(listed, key=vocab.__getitem__) if text not in merged]
    file = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": byte_level,
        "post_processor": post_processor,
        "decoder": byte_level,
        "model": {"type": "BPE", "vocab": vocab, "merges": pairs},
    }
    return json.dumps(file).encode()


def _text(value: object, default: str) -> str:
    """Return a token that a tokenizer_config.json names, as a text or as an object with its content."""
    content = value.get("content") if isinstance(value, dict) else value
    return content if isinstance(content, str) else default


def _added(token: int, text: str) -> Json:
    flags = {"single_word": False, "lstrip": text == "<mask>", "rstrip": False, "normalized": False, "special": True}
    return {"id": token, "content": text, **flags}
