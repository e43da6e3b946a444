"""Chats rendered and encoded by transformers, from files that are here."""

import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tokviz.pretrained import open_models

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from transformers import PreTrainedTokenizerFast


@cache
def qwen3() -> Any:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tokenizer.json"
        file.write_bytes(open_models.read("qwen3"))
        made: Any = PreTrainedTokenizerFast
        return made(tokenizer_file=str(file), bos_token="<|endoftext|>", eos_token="<|im_end|>")


def ids_and_mask(messages: list[dict[str, Any]], template: str, **values: Any) -> tuple[list[int], list[int]]:
    """Return the ids, and the mask of the assistant's tokens."""
    found = qwen3().apply_chat_template(
        messages, chat_template=template, tokenize=True, return_dict=True, return_assistant_tokens_mask=True, **values
    )
    return found["input_ids"], found["assistant_masks"]


def prompt(messages: list[dict[str, Any]], template: str, **values: Any) -> str:
    written: str = qwen3().apply_chat_template(messages, chat_template=template, tokenize=False, **values)
    return written
