"""The tokenizers inside the package, as pages list them."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from tiktoken.model import MODEL_PREFIX_TO_ENCODING, MODEL_TO_ENCODING

from tokviz.tokenizers.surrounding import Surrounding

_NOTHING = Surrounding()


class Shipped(NamedTuple):
    """A shipped tokenizer: its name for `load`, its label for people, and its vocabulary size.

    The sizes are written out so that no vocabulary is loaded just for its size: the highest id + 1, and how many of
    the ids have no token. `used_by` are the models that use it,
    as people write them, and `models` as programs do; "gpt-4o-*" stands for all names with that prefix. `kind` is
    "engine" if another library encodes for it. `surrounding` are the special tokens that a model gets around a text.
    """

    name: str
    label: str
    vocab_size: int
    used_by: tuple[str, ...]
    models: tuple[str, ...]
    kind: Literal["bpe", "engine"]
    surrounding: Surrounding = _NOTHING
    holes: int = 0

    @property
    def num_tokens(self) -> int:
        """Number of tokens in the vocabulary."""
        return self.vocab_size - self.holes


def _of_openai(name: str, label: str, vocab_size: int, *used_by: str, holes: int = 0) -> Shipped:
    exact = [model for model, encoding in MODEL_TO_ENCODING.items() if encoding == name]
    prefixes = [f"{prefix}*" for prefix, encoding in MODEL_PREFIX_TO_ENCODING.items() if encoding == name]
    return Shipped(name, label, vocab_size, used_by, (*exact, *prefixes), "bpe", holes=holes)


def _of_engine(
    name: str, label: str, vocab_size: int, *used_by: str, models: tuple[str, ...], around: Surrounding = _NOTHING
) -> Shipped:
    return Shipped(name, label, vocab_size, used_by, models, "engine", around)


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
    ),
)
"""The shipped tokenizers in the order in which they are offered; the first is the one that pages start with.

Those of engines take, after use on every page: Qwen3 155 MB of memory, DeepSeek 130, each of Mistral's 30, BERT 25
(`tests/benchmarks/shipped_memory.py`).
"""

_ENGINES = frozenset(each.name for each in SHIPPED if each.kind == "engine")

MAX_BY_ENGINE = 200_000
"""Maximum bytes of a text that engines encode in the server.

They may take 500 times as much memory for it, and SentencePiece lets no other thread of Python run meanwhile.
"""


def are_engines(names: Iterable[str]) -> bool:
    """Return whether another library encodes for one of the shipped tokenizers among these."""
    return not _ENGINES.isdisjoint(names)
