"""Tokenizers by name: those inside the package, and those of models on the Hugging Face hub."""

from typing import Any, overload

from tokviz import formats, pretrained
from tokviz.pretrained import hub
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer


@overload
def load(name: pretrained.OpenAIName) -> BPETokenizer: ...
@overload
def load(name: str) -> Any: ...  # a Tokenizer: of which class depends on the name
def load(name: str) -> Tokenizer:
    """Return the tokenizer called `name`, or the one that the model `name` uses, such as "gpt-4o".

    `hf:owner/name` fetches the tokenizer files of a model from the Hugging Face hub, through `huggingface_hub` with its
    cache, token and settings; `hf:owner/name@revision` those of a branch, tag or commit. Other tokenizers are inside
    the package: each is loaded on first use, and the same object is returned from then on.

    Raises ValueError, saying what there is, if there is none of that name or its files can't be used; ConnectionError
    if the hub can't be reached; and RuntimeError if a vocabulary inside the package is damaged.
    """
    if not hub.is_from_hub(name):
        return pretrained.load(name)
    return formats.open(hub.fetch(name), name=hub.repository(name).name)
