"""Tokenizers by name: those inside the package, and those of models on the Hugging Face hub."""

from functools import cache, partial
from threading import Lock
from typing import overload

from tokviz import formats, pretrained
from tokviz.formats import transformers_files
from tokviz.formats.transformers_settings import settings_of
from tokviz.pretokens import pattern_names as naming
from tokviz.pretrained import hub, open_models
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

_load_lock = Lock()


@overload
def load(name: pretrained.OpenAIName) -> BPETokenizer: ...
@overload
def load(name: pretrained.HuggingFaceName) -> HuggingFaceTokenizer: ...
@overload
def load(name: pretrained.SentencePieceName) -> SentencePieceTokenizer: ...
@overload
def load(name: str) -> BPETokenizer | EngineTokenizer: ...
def load(name: str) -> BPETokenizer | EngineTokenizer:
    """Return the tokenizer called `name`, or the one that the model `name` uses, such as "gpt-4o" or "Qwen3-8B".

    `tokviz.available()` lists the tokenizers. Capitals in these names are read as small letters, spaces and underscores
    as hyphens; "_base" and the hyphen after "gpt" may be left out: "GPT_4o", "gpt4o" and "o200k" are names, too.

    `hf:owner/name` fetches the tokenizer files of a model from the Hugging Face hub, through `huggingface_hub` with its
    cache, token and settings; `hf:owner/name@revision` those of a branch, tag or commit. Other tokenizers are inside
    the package: each is loaded on first use, and the same object is returned from then on.

    Raises ValueError, saying what there is, if there is none of that name or its files can't be used; ConnectionError
    if the hub can't be reached; and RuntimeError if a vocabulary inside the package is damaged.
    """
    if not hub.is_from_hub(name):
        return load_shipped(name)
    return formats.open(hub.fetch(name), name=hub.repository(name).name)


def load_shipped(name: str) -> BPETokenizer | EngineTokenizer:
    """Return a tokenizer inside the package, like `load`, never one from the hub.

    Those of open models run on the library that their files are made for.
    """
    found = naming.open_tokenizer(name) if isinstance(name, str) else None
    if found is not None:
        with _load_lock:
            return _load_open_model(found)
    refusal = open_models.why_not(name) if isinstance(name, str) else None
    if refusal:
        raise ValueError(refusal)
    return pretrained.load(name)


@cache
def _load_open_model(name: str) -> EngineTokenizer:
    data = open_models.read(name)
    load_again = partial(load_shipped, name)
    if open_models.OPEN_MODELS[name].file.endswith(".model"):
        return SentencePieceTokenizer(name, data, add_bos=True, load=load_again)
    if open_models.OPEN_MODELS[name].file.endswith(".txt"):
        data = transformers_files.from_word_pieces(name, data, settings_of({}))
    return HuggingFaceTokenizer(name, data, load=load_again)
