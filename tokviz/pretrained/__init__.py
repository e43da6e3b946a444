"""OpenAI's published tokenizers by name, from vocabularies inside the package: no network is needed.

The vocabularies are the files that OpenAI publishes, compressed. What these files don't contain (split patterns,
special tokens, model names) is taken from tiktoken's source, `tiktoken_ext/openai_public.py` and `tiktoken/model.py`.
"""

import binascii
import gzip
import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import resources
from threading import Lock
from typing import Literal

from tokviz.pretokens import pattern_names as naming
from tokviz.pretokens.splitting import PATTERNS
from tokviz.pretrained.open_models import OPEN_MODELS
from tokviz.tokenizers.bpe import BPETokenizer

OpenAIName = Literal["gpt2", "r50k_base", "p50k_base", "p50k_edit", "cl100k_base", "o200k_base", "o200k_harmony"]
HuggingFaceName = Literal["qwen3", "deepseek", "bert-base-uncased"]
SentencePieceName = Literal["mistral-7b", "mistral-7b-v0.1"]

_SHA256 = {
    "r50k_base": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    "p50k_base": "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}

_GPT2_SPECIALS = {"<|endoftext|>": 50256}
_FIM_50K = {"<|fim_prefix|>": 50281, "<|fim_middle|>": 50282, "<|fim_suffix|>": 50283}
_FIM_100K = {"<|fim_prefix|>": 100258, "<|fim_middle|>": 100259, "<|fim_suffix|>": 100260}
_O200K_SPECIALS = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
_HARMONY_NAMED = {
    "<|startoftext|>": 199998,
    "<|return|>": 200002,
    "<|constrain|>": 200003,
    "<|channel|>": 200005,
    "<|start|>": 200006,
    "<|end|>": 200007,
    "<|message|>": 200008,
    "<|call|>": 200012,
}
# The other ids up to 201087 are reserved. 200018 is both reserved and <|endofprompt|>, so it has two texts.
_HARMONY_RESERVED = {
    f"<|reserved_{token}|>": token for token in range(200000, 201088) if token not in _HARMONY_NAMED.values()
}


@dataclass(frozen=True)
class _Definition:
    vocabulary: str
    special_tokens: Mapping[str, int] = field(repr=False)


_DEFINITIONS = {
    "gpt2": _Definition("r50k_base", _GPT2_SPECIALS),
    "r50k_base": _Definition("r50k_base", _GPT2_SPECIALS),
    "p50k_base": _Definition("p50k_base", _GPT2_SPECIALS),
    "p50k_edit": _Definition("p50k_base", _GPT2_SPECIALS | _FIM_50K),
    "cl100k_base": _Definition("cl100k_base", {"<|endoftext|>": 100257} | _FIM_100K | {"<|endofprompt|>": 100276}),
    "o200k_base": _Definition("o200k_base", _O200K_SPECIALS),
    "o200k_harmony": _Definition("o200k_base", _O200K_SPECIALS | _HARMONY_NAMED | _HARMONY_RESERVED),
}

_load_lock = Lock()


def available() -> tuple[str, ...]:
    """Return the names of the shipped tokenizers: OpenAI's, then those of open models.

    `tokviz.load` also takes the names of models that use them.
    """
    return (*_DEFINITIONS, *OPEN_MODELS)


def load(name: str) -> BPETokenizer:
    """Return OpenAI's tokenizer called `name`, or the one that the model `name` uses, such as "gpt-4o".

    It is loaded on first use, and the same object is returned from then on. Raises ValueError naming the choices if
    there is none of that name, and RuntimeError if its vocabulary file is damaged.
    """
    if not isinstance(name, str):
        raise TypeError(f"a tokenizer's name must be a str, not {type(name).__name__}")
    with _load_lock:
        found = naming.openai_tokenizer(name)
        if found not in _DEFINITIONS:
            raise ValueError(
                f"there is no tokenizer or model called {name!r} here.{naming.nearest(name)} The tokenizers are "
                f"{', '.join(_DEFINITIONS)}; the models are those that tiktoken knows, such as 'gpt-4o', and the open "
                f"models {', '.join(OPEN_MODELS)}. For another open model, open its file: tokviz.open('tokenizer.json')"
            )
        return _load(found)


@cache
def _load(name: str) -> BPETokenizer:
    definition = _DEFINITIONS[name]
    return BPETokenizer(
        name,
        _read(definition.vocabulary),
        split_pattern=PATTERNS[naming.PATTERN_OF[name]],
        special_tokens=definition.special_tokens,
        well_made=True,
        load=partial(load, name),
    )


@cache
def _read(vocabulary: str) -> dict[int, bytes]:
    """Read id -> bytes from a file with a line for each token: its bytes in base64, a space, its id."""
    file = resources.files(__name__) / f"{vocabulary}.tiktoken.gz"
    try:
        data = gzip.decompress(file.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise RuntimeError(_damage_message(str(file))) from error
    if hashlib.sha256(data).hexdigest() != _SHA256[vocabulary]:
        raise RuntimeError(_damage_message(str(file)))
    return {int(token): binascii.a2b_base64(text) for text, token in map(bytes.split, data.splitlines())}


def _damage_message(file: str) -> str:
    return f"the vocabulary file {file} is damaged or missing (its sha256 is not OpenAI's): get it from the repository"
