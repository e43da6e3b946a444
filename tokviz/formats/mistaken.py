"""Messages for files opened by mistake: what they are, and which file holds the tokenizer."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SENTENCEPIECE_NAME = re.compile(r"\.(model(\.v\w+)?|spm)$")
"""Names of SentencePiece's models; Mistral's end in their version, and Marian's in `.spm`."""

READ = (
    "they are Hugging Face's tokenizer.json, SentencePiece's *.model, tiktoken's *.tiktoken, BERT's vocab.txt, "
    "vocab.json with merges.txt, encoder.json with vocab.bpe, Mistral's tekken.json, subword-nmt's *.codes and "
    "minbpe's *.model"
)
"""Names of tokenizers' files, for the end of a sentence."""

_REMEDY = "open the tokenizer.json from the same folder"

_VOCABULARY = f"is a vocabulary without merges (like {{}}): open it together with its {{}}, or {_REMEDY}"

_LINES_READ = 4096  # bytes at the beginning of a file

_BY_CONTENT = (
    (
        r"",
        re.compile(rb"version https://git-lfs\.github\.com/spec/"),
        "only says where the file is stored (Git LFS): download the file itself from the model's page",
    ),
    (
        r"(\.(json|model(\.v\w+)?|spm|tiktoken|bpe|codes)|(vocab|merges)\.txt)$",
        re.compile(rb"\s*<(!doctype html|html)[\s>]", re.I),
        "is a web page and not the file: perhaps you have to sign in first; then download it again",
    ),
    (
        r"",
        re.compile(rb"(\d+ b?(['\"]).*\2 \d+\r?\n){3}"),
        "is the vocabulary of RWKV, which takes the longest token that fits and has no merges: tokviz can't read it",
    ),
    (
        r"\.vocab$",
        re.compile(rb"(\S+\t-?\d+(\.\d+)?(e-?\d+)?\r?\n){3}", re.I),
        "lists the pieces of a SentencePiece model, and can't cut a text: open its .model file",
    ),
    (
        r"(^|[._-])dict(\.\w+)?\.txt$|\.vocab$",
        re.compile(rb"(\S+ \d+\r?\n){3}"),
        "lists how often each token occurs (fairseq's dict.txt), and can't cut a text: open the tokenizer's own file, "
        "such as bpe.codes or sentencepiece.bpe.model",
    ),
    (
        r"^bpe_simple_vocab_16e6\.txt(\.gz)?$",
        re.compile(rb"\x1f\x8b|.*#version"),
        "holds CLIP's merges without a vocabulary: open the tokenizer.json of a CLIP model",
    ),
)
"""Files known by their beginning: patterns of the name and of the beginning, and a sentence on what they are."""

_BY_NAME = (
    (
        "merges.txt",
        re.compile(rb"#version"),
        f"holds merges without a vocabulary: open it together with its vocab.json, or {_REMEDY}",
    ),
    (
        "vocab.bpe",
        re.compile(rb"#version"),
        f"holds merges without a vocabulary: open it together with its encoder.json, or {_REMEDY}",
    ),
    (
        "vocab.txt",
        None,
        "is a list of pieces for WordPiece, as BERT has it: without an engine, only BPE models are read",
    ),
    (
        "chat_template.jinja",
        re.compile(rb"(?s).*?\{[%{]"),
        f"says how messages become text, and holds no tokenizer: {_REMEDY}",
    ),
)
"""Files known by their names, which the model's may precede: what one begins with (None: texts do, too), a sentence."""

_BY_ENDING = {
    **dict.fromkeys((".safetensors", ".pt", ".pth", ".onnx", ".ckpt", ".h5"), f"holds a model's weights: {_REMEDY}"),
    ".bin": f"is not a tokenizer's file, and may hold a model's weights: {_REMEDY}",
    ".gguf": "holds a whole model, which tokviz can't read: open the tokenizer.json of the model that it was made from",
    ".gz": "is compressed: unpack it first",
    ".zip": "is compressed: unpack it first",
}


def check_content(name: str, data: bytes) -> None:
    """Raise ValueError for a file whose beginning shows that it is not a tokenizer."""
    description = _by_content(name, data[:_LINES_READ])
    if description:
        raise ValueError(f"{name} {description}")


def _by_content(name: str, head: bytes) -> str | None:
    known = (each for named, begins, each in _BY_CONTENT if re.search(named, Path(name).name) and begins.match(head))
    return next(known, None)


def not_a_format(name: str) -> str | None:
    """Describe a file whose name is not of a format that tokviz reads; None if it is not a known mistake.

    People put the model's name in front of a file's: `bert-base-uncased.vocab.txt`, `gpt2-merges.txt`.
    """
    by_name = (meaning for known, _, meaning in _BY_NAME if is_named(name, known))
    description = next(by_name, None) or _BY_ENDING.get(Path(name).suffix)
    return description and f"{name} {description}"


def is_named(name: str, known: str) -> bool:
    """Return whether a file's name is the known one, alone or after a model's."""
    return re.search(rf"(^|[._-]){re.escape(known)}$", Path(name).name) is not None


def by_beginning(name: str, head: bytes, members: Mapping[str, Any]) -> str | None:
    """Describe a file that comes with tokenizers or models, by its beginning; None if it may be any text.

    `members` are those with which a JSON file begins.
    """
    by_name = (each for known, begins, each in _BY_NAME if is_named(name, known) and begins and begins.match(head))
    description = _by_content(name, head) or next(by_name, None) or _BY_ENDING.get(Path(name).suffix)
    return f"{name} {description}" if description else _companion(name, members)


def not_a_tokenizer(name: str, content: Mapping[str, Any]) -> str | None:
    """Describe a JSON file that lacks the parts of a tokenizer.json; None if it may be one."""
    if isinstance(content.get("model"), dict) or "merges" in content:
        return None
    if isinstance(content.get("vocab"), list) and isinstance(content.get("config"), dict):
        return (
            f"{name} is a vocabulary of Mistral's Tekken, which is not a tokenizer.json: give it its name, tekken.json"
        )
    known = _companion(name, content)
    if known or lists_ids(content):
        return known or f"{name} {_VOCABULARY.format('vocab.json', 'merges.txt')}"
    return None if "model" in content else f"{name} is not a tokenizer.json: there is no “model” in it"


def lists_ids(content: Mapping[str, Any]) -> bool:
    """Return whether a JSON file lists tokens and their ids."""
    return bool(content) and all(isinstance(token, int) and not isinstance(token, bool) for token in content.values())


def _companion(name: str, content: Mapping[str, Any]) -> str | None:
    """Describe a JSON file beside a tokenizer's; None if it is not a known one."""
    if is_named(name, "added_tokens.json"):
        return f"{name} lists only the tokens that were added to a vocabulary: {_REMEDY}"
    if is_named(name, "generation_config.json"):
        return f"{name} holds settings for writing text with a model, not its tokenizer: {_REMEDY}"
    for vocabulary, merges in (("vocab.json", "merges.txt"), ("encoder.json", "vocab.bpe")):
        if is_named(name, vocabulary) and lists_ids(content):
            return f"{name} {_VOCABULARY.format(vocabulary, merges)}"
    if lists_ids(content):
        return None
    if {"tokenizer_class", "added_tokens_decoder", "chat_template", "model_max_length"} & content.keys():
        return f"{name} holds settings of a tokenizer, not the tokenizer (tokenizer_config.json): {_REMEDY}"
    if {"model_type", "architectures", "transformers_version"} & content.keys():
        return f"{name} holds settings of a model, not its tokenizer: {_REMEDY}"
    if {"bos_token", "eos_token", "unk_token", "pad_token", "additional_special_tokens"} & content.keys():
        return f"{name} names a tokenizer's special tokens, and is not the tokenizer: {_REMEDY}"
    if "weight_map" in content:
        return f"{name} says which file holds which of a model's weights: {_REMEDY}"
    return None


def a_folder(path: Path, class_name: str | None) -> str:
    """Describe a folder that holds no tokenizer under a name that is known, but perhaps the settings of a class."""
    if class_name is not None:
        return (
            f"{path} holds the files of a {class_name[:40]}, and tokviz doesn't know what that does with a text: open "
            "a tokenizer.json of the same model"
        )
    return f"{path} is a folder: open the tokenizer's file in it, such as a tokenizer.json"


def a_sentencepiece_model(name: str, data: bytes) -> str | None:
    """Describe a SentencePiece model, whose ending others have as well; None for any other file."""
    if is_sentencepiece_model(name, data):
        return f"{name} looks like a SentencePiece model: without an engine, only minbpe's and tiktoken's are read"
    return None


def is_sentencepiece_model(name: str, data: bytes) -> bool:
    """Return whether a file is named like a SentencePiece model and begins like one: with the number of a field."""
    return SENTENCEPIECE_NAME.search(name) is not None and data[:1] in (b"\x08", b"\x0a", b"\x12")
