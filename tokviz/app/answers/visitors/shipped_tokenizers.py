"""Descriptions of tokenizers as pages list them, and those of the tokenizers inside the package."""

from dataclasses import dataclass
from typing import Any, Literal

from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

from tokviz.display import shorten
from tokviz.tokenizers.engines.stages import Algorithm
from tokviz.tokenizers.surrounding import Surrounding

_MAX_LISTED = 4
"""Maximum special tokens listed on each side of a text."""

_NOTHING = Surrounding()


@dataclass(frozen=True, slots=True)
class Description:
    """A tokenizer's entry in the lists that people choose from.

    `models` are the models that use it, as programs write them; "gpt-4o-*" stands for all names with that prefix.
    `used_by` are the same models, in short, as people write them.
    `vocab_size` and `num_tokens` are None if they depend on the text; the first also counts ids without a token. The
    sizes of shipped tokenizers are written out, so that no vocabulary is loaded just for them.
    `kind` is "simple" for tokenizers that subwords are compared with, and "engine" for those whose merges, if they have
    any, only an engine knows. `algorithm` is what makes its tokens, None if that is not known.
    `recipe` is the share code for rebuilding a visitor's tokenizer, as `share_codes` writes it: "" if it is too long
    for a link or not known, and None for tokenizers available to everyone. `surrounding` holds the special tokens that
    its file puts around a text. `thinks` tells whether the chat template among a visitor's files is of a model that may
    think before it answers, None if there is none.
    """

    name: str
    label: str
    vocab_size: int | None
    num_tokens: int | None
    models: tuple[str, ...]
    kind: Literal["bpe", "simple", "engine"]
    algorithm: str | None
    recipe: str | None = None
    surrounding: Surrounding = _NOTHING
    used_by: tuple[str, ...] = ()
    thinks: bool | None = None

    @property
    def short(self) -> str:
        """The label without the models in parentheses. Labels of visitors' tokenizers are left as they are."""
        return self.label.split(" (")[0] if self.recipe is None else self.label

    def as_data(self) -> dict[str, Any]:
        """Return the description in the form that widgets take."""
        return {
            "name": self.name,
            "label": self.label,
            "vocabSize": self.vocab_size,
            "numTokens": self.num_tokens,
            "models": self.models,
            "usedBy": self.used_by,
            "kind": self.kind,
            "algorithm": self.algorithm,
            "recipe": self.recipe,
            "thinks": self.thinks,
            "before": _listed(self.surrounding.before),
            "after": _listed(self.surrounding.after),
        }


def _listed(texts: tuple[str, ...]) -> dict[str, Any]:
    """Return the first few texts, shortened, and the number of the others; files may hold many and very long ones."""
    return {"texts": [shorten(text) for text in texts[:_MAX_LISTED]], "more": len(texts[_MAX_LISTED:])}


def _of_openai(name: str, label: str, vocab_size: int, *used_by: str, holes: int = 0) -> Description:
    exact = [model for model, encoding in MODEL_TO_ENCODING.items() if encoding == name]
    prefixes = [f"{prefix}*" for prefix, encoding in MODEL_PREFIX_TO_ENCODING.items() if encoding == name]
    return Description(name, label, vocab_size, vocab_size - holes, (*exact, *prefixes), "bpe", "bpe", used_by=used_by)


def _of_engine(
    name: str,
    label: str,
    vocab_size: int,
    *used_by: str,
    models: tuple[str, ...],
    around: Surrounding = _NOTHING,
    algorithm: Algorithm = "bpe",
) -> Description:
    sizes = (vocab_size, vocab_size)
    return Description(name, label, *sizes, models, "engine", algorithm, surrounding=around, used_by=used_by)


SHIPPED = (
    _of_openai("cl100k_base", "cl100k (GPT-4, GPT-3.5)", 100277, "GPT-4", "GPT-3.5", "text-embedding-3", holes=16),
    _of_openai(
        *("o200k_base", "o200k (GPT-5, GPT-4o)", 200019),
        *("GPT-5", "GPT-4.5", "GPT-4.1", "GPT-4o", "o1", "o3", "o4-mini"),
        holes=19,
    ),
    _of_openai("o200k_harmony", "o200k harmony (gpt-oss)", 201088, "gpt-oss"),
    _of_openai("gpt2", "GPT-2", 50257, "GPT-2"),
    _of_openai("r50k_base", "r50k (GPT-3)", 50257, "GPT-3"),
    _of_openai("p50k_base", "p50k (GPT-3.5 text, Codex)", 50281, "GPT-3.5 (text-davinci)", "Codex"),
    _of_openai("p50k_edit", "p50k edit (GPT-3.5 and Codex, editing)", 50284, "GPT-3.5 and Codex for editing"),
    _of_engine("qwen3", "Qwen3", 151669, "Qwen3 of all sizes", models=("qwen3", "qwen/qwen3")),
    _of_engine(
        "deepseek",
        "DeepSeek V3",
        129280,
        *("DeepSeek V3", "DeepSeek R1"),
        models=("deepseek-v3", "deepseek-r1", "deepseek-ai/deepseek-v3", "deepseek-ai/deepseek-r1"),
    ),
    _of_engine(
        "mistral-7b",
        "Mistral 7B",
        32768,
        "Mistral 7B v0.3",
        models=("mistral-7b-v0.3", "mistral-7b-instruct-v0.3", "mistralai/mistral-7b-v0.3"),
        around=Surrounding(before=("<s>",)),
    ),
    _of_engine(
        "mistral-7b-v0.1",
        "Mistral 7B v0.1 (Mixtral)",
        32000,
        *("Mistral 7B v0.1", "Mistral 7B v0.2", "Mixtral 8x7B"),
        models=("mistral-7b-v0.2", "mistral-7b-instruct-v0.1", "mistral-7b-instruct-v0.2", "mixtral-8x7b"),
        around=Surrounding(before=("<s>",)),
    ),
    _of_engine(
        "bert-base-uncased",
        "BERT",
        30522,
        "BERT base and large, uncased",
        models=("bert-large-uncased", "google-bert/bert-base-uncased"),
        around=Surrounding(before=("[CLS]",), after=("[SEP]",)),
        algorithm="wordpiece",
    ),
)
"""The shipped tokenizers in the order in which they are offered; the first is the one that pages start with.

Other libraries' tokenizers take, after use on every page: Qwen3 155 MB of memory, DeepSeek 130, each of Mistral's 30,
BERT 25 (`tests/benchmarks/shipped_memory.py`).
"""

ENGINES = frozenset(each.name for each in SHIPPED if each.kind == "engine")
"""Names of the shipped tokenizers for which another library encodes."""

MAX_BY_ENGINE = 200_000
"""Maximum bytes of a text that engines encode in the server.

They may take 500 times as much memory for it, and SentencePiece lets no other thread of Python run meanwhile.
"""
