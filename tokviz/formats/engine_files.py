"""Files that another library's engine has to encode for, besides those that tokviz reads into its own tokenizers.

The library sees a file only after its size and the number of its lists, objects and added tokens have been checked. It
may still take long, or more memory than there is: what a stranger sends belongs in a process with limits.
"""

import re
from collections.abc import Mapping

from tokviz.display import quote
from tokviz.formats import checks, hugging_face, js_tiktoken, mistaken, tekken, transformers_files
from tokviz.formats.transformers_files import MERGES, VOCABULARY, WORD_PIECES, settings_and_class
from tokviz.formats.transformers_settings import CONFIG, SETTINGS, Settings
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

MAX_ADDED_TOKENS = 100_000
"""Maximum added tokens of a tokenizer.json that an engine reads; Gemma has 6,415."""

MODELS = ("tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "sentencepiece.model", "spm.model")
"""Names of SentencePiece's models in folders saved by transformers."""

_HAS_PREFIX = re.compile(rb'"continuing_subword_prefix"\s*:\s*"[^"]')

FOLDER = (("tokenizer.json",), *((name,) for name in MODELS), ("tekken.json",), (VOCABULARY, MERGES), (WORD_PIECES,))
"""Files of a folder that hold a tokenizer, the best first."""


def read(files: Mapping[str, bytes], title: str) -> BPETokenizer | EngineTokenizer | None:
    """Read a tokenizer that only an engine can encode for, or whose files are known from transformers; else None.

    The settings that transformers saves may be among the files. Raises ValueError.
    """
    names = sorted(files.keys() - set(SETTINGS))
    together = transformers_files.gpt2s_files(files)
    if together:
        whole = transformers_files.from_gpt2s_files(together, settings_and_class(files))
        return read_tokenizer_json(" and ".join(together), whole, title)
    if len(names) != 1:
        return None
    [name] = names
    data = files[name]
    if name.endswith(WORD_PIECES):
        return HuggingFaceTokenizer(title, transformers_files.from_word_pieces(name, data, settings_and_class(files)))
    if mistaken.is_sentencepiece_model(name, data):
        return _sentencepiece(name, data, settings_and_class(files)).with_name(title)
    if name.endswith(".json"):
        return read_tokenizer_json(name, data, title)
    return None


def _sentencepiece(name: str, data: bytes, settings: Settings) -> EngineTokenizer:
    """Open a model as the class does that the settings name; as SentencePiece itself does, if they name none."""
    bos, eos = (settings.options.get(f"add_{end}_token") for end in ("bos", "eos"))
    opened = SentencePieceTokenizer(
        name,
        data,
        add_bos=bos if isinstance(bos, bool) else None,
        add_eos=eos if isinstance(eos, bool) else None,
    )
    _ = opened.model  # reads the pieces, which the library does not check whole
    if settings.class_name is not None:
        whole = transformers_files.from_sentencepiece(name, opened.proto, settings)
        return HuggingFaceTokenizer(name, whole)
    if settings.added or settings.extra or settings.options.get("additional_special_tokens"):
        raise ValueError(
            f"files beside {name} add tokens to it, and how they are looked for in a text depends on the class that "
            f"{CONFIG} names as “tokenizer_class”: it names none"
        )
    return opened


def read_tokenizer_json(name: str, data: bytes, title: str) -> BPETokenizer | EngineTokenizer:
    """Read a file in JSON of any format: into tokviz's own tokenizer if that can be done, else for the library.

    Whether a file needs the library is mostly said before its model, which then need not be parsed here.
    """
    head = checks.members_before(name, data, "model")
    if hugging_face.needs_library(name, head):
        return _for_library(name, data, head["added_tokens"], title)
    content = checks.as_json(name, data)
    if tekken.is_one(content):
        return tekken.read(name, content, title)
    if js_tiktoken.is_one(content):
        return js_tiktoken.read(name, content, title)
    try:
        return hugging_face.from_json(name, content, title)
    except hugging_face.NeedsLibraryError:
        return _for_library(name, data, content.get("added_tokens"), title)
    except ValueError as refusal:
        if not isinstance(content.get("model"), dict) or mistaken.not_a_tokenizer(name, content):
            raise
        try:
            return _for_library(name, data, content.get("added_tokens"), title)
        except ValueError as error:
            raise ValueError(f"{error}. tokviz itself can't read it either: {refusal}") from None


def _for_library(name: str, data: bytes, added: object, title: str) -> HuggingFaceTokenizer:
    if isinstance(added, list) and len(added) > MAX_ADDED_TOKENS:
        raise ValueError(
            f"{name} adds {len(added):,} tokens to its vocabulary; {MAX_ADDED_TOKENS:,} are the most that are read"
        )
    _check_merges_in_words(name, data)
    try:
        return HuggingFaceTokenizer(name, data).with_name(title)
    except ValueError:
        checks.as_json(name, data)  # a file that is cut off is said to be so
        raise


def _check_merges_in_words(name: str, data: bytes) -> None:
    """Refuse merges that the library would cut within a character, which ends the whole process.

    It takes as many bytes off the second token of each as `continuing_subword_prefix` has, without looking at them.
    """
    if not _HAS_PREFIX.search(data):
        return
    model = checks.as_json(name, data).get("model")
    merges, prefix = (model.get(key) for key in ("merges", "continuing_subword_prefix")) if model else ((), "")
    mark = prefix if isinstance(prefix, str) else ""
    length = len(mark.encode())
    for entry in merges if isinstance(merges, list) else ():
        pair = entry.split(" ") if isinstance(entry, str) else entry
        second = pair[-1].encode() if isinstance(pair, list) and pair and isinstance(pair[-1], str) else b""
        if len(second) > length and second[length] & 0xC0 == 0x80:
            raise ValueError(
                f"{name} merges {quote(pair[0])} and {quote(pair[-1])}, and the second should begin with "
                f"{quote(mark)}, its continuing_subword_prefix"
            )
