"""Memory of the shipped tokenizers of open models, as the server uses them (Linux).

    python tests/benchmarks/shipped_memory.py

Each is measured in a process of its own: what it takes once it has been used on every page, and what encoding the
longest text that it takes in the app needs besides, at most.
"""

import gc
import subprocess
import sys
from pathlib import Path

from tokviz.app.answers.visitors.shipped_tokenizers import MAX_BY_ENGINE
from tokviz.app.shields.server_process import give_back_memory, set_large_blocks_apart
from tokviz.loading import load_shipped
from tokviz.pretrained.open_models import OPEN_MODELS
from tokviz.tokenizers.engines.engine import EngineTokenizer

SIZE = MAX_BY_ENGINE
TEXTS = {"prose": "The quick brown fox. ", "signs": "!?.,", "emoji": "🫠🤌🏽", "letters": "x"}
"""Kinds of texts, repeated."""


def measure(name: str) -> None:
    """Print what one tokenizer takes."""
    set_large_blocks_apart()
    before = _megabytes("VmRSS")
    tokenizer = load_shipped(name)
    assert isinstance(tokenizer, EngineTokenizer)
    tokenizer.tokenize("ready")
    _ = tokenizer.vocab, tokenizer.rewriting, tokenizer.model
    if tokenizer.algorithm == "bpe":
        tokenizer.replay("ready")
    else:
        tokenizer.longest_matches("ready")
    held = _megabytes("VmRSS")
    peaks = {}
    for kind, piece in TEXTS.items():
        tokenizer.tokenize(piece * (SIZE // len(piece.encode())))
        peaks[kind] = _megabytes("VmHWM") - held
    grown = ", ".join(f"{kind} {peak:,.0f}" for kind, peak in peaks.items())
    print(f"{name:18} {held - before:4,.0f} MB; peak so far with {grown}", flush=True)


def _megabytes(field: str) -> float:
    gc.collect()
    give_back_memory()
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status[field].split()[0]) / 1000


if __name__ == "__main__":
    if sys.argv[1:]:
        measure(sys.argv[1])
    else:
        for each in OPEN_MODELS:
            subprocess.run([sys.executable, __file__, each], check=True)
