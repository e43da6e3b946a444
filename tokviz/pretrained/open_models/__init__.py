"""Tokenizer files and chat templates of open models inside the package. `naming` has the names of models that use them.

They are the published files, compressed; see `LICENSES.md` for where they come from.
"""

import gzip
import hashlib
import re
import zlib
from importlib import resources
from typing import NamedTuple


class OpenModel(NamedTuple):
    """A shipped tokenizer: the name of its file as published, and its sha256."""

    file: str
    sha256: str


OPEN_MODELS = {
    "qwen3": OpenModel(
        "qwen3.tokenizer.json",
        "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4",
    ),
    "deepseek": OpenModel(
        "deepseek.tokenizer.json",
        "8f9f37ca37fdc4f5fd36d5cf4d3b0e8392edb4e894fd10cc0d70b4957c8633cf",
    ),
    "mistral-7b": OpenModel(
        "mistral-7b-v3.model",
        "9addc8bdce5988448ae81b729336f43a81262160ae8da760674badab9d4c7d33",
    ),
    "mistral-7b-v0.1": OpenModel(
        "mistral-7b-v1.model",
        "dadfd56d766715c61d2ef780a525ab43b8e6da4de6865bda3d95fdef5e134055",
    ),
    "bert-base-uncased": OpenModel(
        "bert-base-uncased.vocab.txt",
        "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    ),
}
"""The shipped tokenizers of open models by name."""

_WITHHELD = re.compile(r"(meta-llama/|google/)?(meta-)?(llama|gemma)[-\s\d.]*.*")


def why_not(name: str) -> str | None:
    """Return why a well-known model's tokenizer is not among them, and what to do; None if there is nothing to say."""
    if not _WITHHELD.fullmatch(name.strip().lower()):
        return None
    family = "Gemma" if "gemma" in name.lower() else "Llama"
    return (
        f"{family}'s tokenizers are not included, since their license sets conditions for passing them on: download "
        "tokenizer.json from the model's page, and open it with tokviz.open('tokenizer.json')"
    )


def read(name: str) -> bytes:
    """Return the published file of a shipped tokenizer. Raises RuntimeError if it is damaged."""
    model = OPEN_MODELS[name]
    file = resources.files(__name__) / f"{model.file}.gz"
    try:
        data = gzip.decompress(file.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise RuntimeError(_damage_message(str(file))) from error
    if hashlib.sha256(data).hexdigest() != model.sha256:
        raise RuntimeError(_damage_message(str(file)))
    return data


def _damage_message(file: str) -> str:
    return f"the tokenizer file {file} is damaged or missing (its sha256 is wrong): get it from the repository"
