"""Messages for files that are opened by mistake instead of a tokenizer's own: what they are, what to open instead."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SENTENCEPIECE_NAME = re.compile(r"\.(model(\.v\w+)?|spm)$")
"""How SentencePiece's models are named; Mistral's end in their version, and Marian's in `.spm`."""

READ = (
    "they are Hugging Face's tokenizer.json, SentencePiece's *.model, tiktoken's *.tiktoken, BERT's vocab.txt, "
    "vocab.json with merges.txt, encoder.json with vocab.bpe, Mistral's tekken.json, subword-nmt's *.codes and "
    "minbpe's *.model"
)
"""How tokenizers' files are named, to go on a sentence about one that is not."""

_REMEDY = "open the tokenizer.json from the same folder"

_BY_NAME = {
    "merges.txt": f"holds merges without a vocabulary: open it together with its vocab.json, or {_REMEDY}",
    "vocab.txt": "is a list of pieces for WordPiece, as BERT has it: without an engine, only BPE models are read",
    "chat_template.jinja": f"says how messages become text, and holds no tokenizer: {_REMEDY}",
}
_BY_ENDING = {
    ".safetensors": f"holds a model's weights: {_REMEDY}",
    ".bin": f"is not a tokenizer's file, and may hold a model's weights: {_REMEDY}",
    ".gguf": "holds a whole model, which tokviz can't read: open the tokenizer.json of the model that it was made from",
    ".gz": "is compressed: unpack it first",
    ".zip": "is compressed: unpack it first",
}


def not_a_format(name: str) -> str | None:
    """Describe a file whose name is not of a format that tokviz reads; None if it is not a known mistake.

    People put the model's name in front of a file's: `bert-base-uncased.vocab.txt`, `gpt2-merges.txt`.
    """
    base = Path(name).name
    for known, meaning in _BY_NAME.items():
        if base == known or base.endswith((f".{known}", f"-{known}", f"_{known}")):
            return f"{name} {meaning}"
    description = _BY_ENDING.get(Path(name).suffix)
    return description and f"{name} {description}"


def not_a_tokenizer(name: str, content: Mapping[str, Any]) -> str | None:
    """Describe a JSON file that lacks the parts of a tokenizer.json; None if it may be one."""
    if isinstance(content.get("model"), dict) or "merges" in content:
        return None
    if isinstance(content.get("vocab"), list) and isinstance(content.get("config"), dict):
        return (
            f"{name} is a vocabulary of Mistral's Tekken, which is not a tokenizer.json: give it its name, tekken.json"
        )
    if content and all(isinstance(token, int) and not isinstance(token, bool) for token in content.values()):
        return (
            f"{name} is a vocabulary without merges (Hugging Face's vocab.json): open it together with its merges.txt, "
            f"or {_REMEDY}"
        )
    if {"tokenizer_class", "added_tokens_decoder", "chat_template", "model_max_length"} & content.keys():
        return f"{name} holds settings of a tokenizer, not the tokenizer (tokenizer_config.json): {_REMEDY}"
    if {"model_type", "architectures", "transformers_version"} & content.keys():
        return f"{name} holds settings of a model, not its tokenizer: {_REMEDY}"
    if {"bos_token", "eos_token", "unk_token", "pad_token", "additional_special_tokens"} & content.keys():
        return f"{name} names a tokenizer's special tokens, and is not the tokenizer: {_REMEDY}"
    if "model" not in content:
        return f"{name} is not a tokenizer.json: there is no “model” in it"
    return None


def a_folder(path: Path) -> str:
    """Describe a folder that holds no tokenizer under a name that is known."""
    return f"{path} is a folder: open the tokenizer's file in it, such as a tokenizer.json"


def a_sentencepiece_model(name: str, data: bytes) -> str | None:
    """Describe a SentencePiece model, whose ending others have as well; None for any other file."""
    if is_sentencepiece_model(name, data):
        return f"{name} looks like a SentencePiece model: without an engine, only minbpe's and tiktoken's are read"
    return None


def is_sentencepiece_model(name: str, data: bytes) -> bool:
    """Whether a file is named like a SentencePiece model, and begins like one: with the number of one of its fields."""
    return SENTENCEPIECE_NAME.search(name) is not None and data[:1] in (b"\x08", b"\x0a", b"\x12")
