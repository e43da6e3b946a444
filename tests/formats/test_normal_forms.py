"""Normal forms agree with Hugging Face's library for every character, alone and among others."""

import random
from functools import cache

import pytest
import regex
from tokenizers import normalizers

from tokviz.formats.normal_forms import NormalForm, normalize

FORMS: tuple[NormalForm, ...] = ("NFC", "NFD", "NFKC", "NFKD")


@cache
def affected_characters() -> list[str]:
    """Characters that decompose, compose or are reordered, by the newest tables available."""
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    return regex.findall(r"\P{dt=none}|\P{ccc=0}|\P{NFC_QC=Y}|\P{NFKC_QC=Y}", everything)


@pytest.mark.parametrize("form", FORMS)
def test_every_character_alone(form: NormalForm) -> None:
    theirs = getattr(normalizers, form)()
    everything = map(chr, [*range(0xD800), *range(0xE000, 0x110000)])
    assert [char for char in everything if normalize(form, char) != theirs.normalize_str(char)] == []


@pytest.mark.parametrize("form", FORMS)
def test_characters_among_others(form: NormalForm) -> None:
    theirs, rng = getattr(normalizers, form)(), random.Random(1)
    assert len(affected_characters()) > 17_000
    texts = [
        frame.format(char)
        for char in affected_characters()
        for frame in ("a\u0301{}\u0323", "{}\u0334", "e\u3099{}\u0327")
    ]
    texts += ["".join(rng.choices(affected_characters(), k=rng.randint(2, 8))) for _ in range(20_000)]
    texts += ["㋿ \U00011935\U00011930", "\U000113c2\U000113b8 \U00016d63\U00016d67", "a\u1df6\u0323"]
    assert [text for text in texts if normalize(form, text) != theirs.normalize_str(text)] == []
