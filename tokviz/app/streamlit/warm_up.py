"""Load what visitors will ask for after the server has started, so that nobody waits for it later."""

import time
from collections.abc import Callable
from importlib import import_module

from tokviz.app.answers.visitors.kept_tokenizers import DEFAULT, registry
from tokviz.app.shields.fairness.visitors import shares
from tokviz.app.shields.server_process import freeze_loaded
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets.replay_views import steps_of

FIRST_VISIT = 4.0
"""Seconds after the start that are left to the first visitor; other work that can wait is postponed."""

QUIET_SECONDS = 3.0
"""Seconds without a request after which work is done that lets no other thread run for up to half a second.

tiktoken needs 0.06 s for GPT-2's vocabulary and 0.13 for o200k's, and collecting garbage 0.03.
"""

COMMON = ("gpt2", "o200k_base")
"""Shipped tokenizers that the Compare page starts with, beside the default one."""

LARGE = ("qwen3", "deepseek")
"""Shipped tokenizers whose library holds Python's lock while it reads their large files."""


def warm_up() -> None:
    """Load the tokenizer that pages start with; then, while nobody asks for anything, what else they use."""
    registry.get(DEFAULT)
    time.sleep(FIRST_VISIT)
    for name in COMMON:
        _wait_for_quiet()
        registry.get(name)
    _wait_for_quiet()
    import_module("tokviz.app.answers.compression.answers")  # also imports the charts, which takes a while
    _wait_for_quiet()
    freeze_loaded()
    for name in LARGE:
        _wait_for_quiet()
        use_everywhere(registry.get(name))
        freeze_loaded()


def use_everywhere(tokenizer: Tokenizer) -> None:
    """Build what a tokenizer builds when a page first asks for it, each part when nobody asks for anything."""
    parts: list[Callable[[], object]] = [lambda: tokenizer.vocab]
    if tokenizer.is_of_library:
        parts += [lambda: tokenizer.model, lambda: steps_of(tokenizer, "ready")]
    for part in parts:
        _wait_for_quiet()
        part()


def _wait_for_quiet() -> None:
    while (idle := shares.idle_seconds()) < QUIET_SECONDS:
        time.sleep(QUIET_SECONDS - idle)
