"""The files of a small chat model, as transformers saves them."""

import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tokenizers import AddedToken, ByteLevelBPETokenizer, Tokenizer

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from transformers import PreTrainedTokenizerFast

TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|turn|>{{ message.role }}\n{{ message.content | trim }}<|end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|turn|>assistant\n<think>{% endif %}"
)


@cache
def model() -> Any:
    """Return the model's tokenizer, with control tokens, and an added token that is none."""
    learner = ByteLevelBPETokenizer()
    learner.train_from_iterator(["who pays for the pizza? user system assistant"], 300)
    learned = Tokenizer.from_str(learner.to_str())
    learned.add_special_tokens(["<s>", "<|turn|>", "<|end|>"])
    learned.add_tokens([AddedToken("<think>", normalized=False)])
    made: Any = PreTrainedTokenizerFast
    return made(tokenizer_object=learned, bos_token="<s>", eos_token="<|end|>", chat_template=TEMPLATE)


def model_files(*, apart: bool = True) -> dict[str, bytes]:
    """Return them by name; the template is in a file `apart`, or among the settings, as older models have it."""
    with TemporaryDirectory() as folder:
        model().save_pretrained(folder, save_jinja_files=apart)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}
