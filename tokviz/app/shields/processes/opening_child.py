"""Reading visitors' tokenizer files, in a process of its own (see `opening`), where no native engine runs."""

from typing import Any

from tokviz import formats
from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.sent_tokenizers import values_of
from tokviz.app.shields.processes.sizes import check_size
from tokviz.pretokens.splitting import time_limit


def read(files: dict[str, bytes], given: dict[str, Any]) -> bytes:
    """Return a message with the values of the tokenizer in files. Raises ValueError."""
    with time_limit(1.0):
        tokenizer = formats.read(files, **given)
        check_size(tokenizer)
        return exchange.pack(*values_of(tokenizer))
