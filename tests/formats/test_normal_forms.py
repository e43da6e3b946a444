"""Normal forms agree with Hugging Face's library for every character, alone and among others."""

import random
import unicodedata
from functools import cache

import pytest
import regex
from strategies import every_character
from tokenizers import normalizers

from tokviz.formats.normal_forms import MAX_GROWTH, NormalForm, normalize

FORMS: tuple[NormalForm, ...] = ("NFC", "NFD", "NFKC", "NFKD")


@cache
def affected_characters() -> list[str]:
    """Characters that decompose, compose or are reordered, by the newest tables available."""
    return regex.findall(r"\P{dt=none}|\P{ccc=0}|\P{NFC_QC=Y}|\P{NFKC_QC=Y}", "".join(every_character()))


@pytest.mark.parametrize("form", FORMS)
def test_every_character_alone(form: NormalForm) -> None:
    theirs = getattr(normalizers, form)()
    lines = "\n".join(every_character())  # nothing composes with a line break
    ours, expected = normalize(form, lines).split("\n"), theirs.normalize_str(lines).split("\n")
    assert len(ours) == len(expected) > 300_000
    assert [pair for pair in zip(ours, expected, strict=True) if pair[0] != pair[1]] == []


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


MARKS = ["\u0301", "\u0316", "\u0308", "\u0323", "\u0344", "\u0f71", "\u0f73", "\u0f81", "\u3099", "\uff9e", "\u05b0"]


@pytest.mark.parametrize("form", FORMS)
def test_long_runs_of_marks(form: NormalForm) -> None:
    theirs, rng = getattr(normalizers, form)(), random.Random(1)
    texts = [
        "".join(f"{first}{''.join(rng.choices(MARKS, k=length))}" for first in "auéậ\u30ab\uff8a\u1100")
        for length in (49, 50, 51, 99, 100, 101, 1_000, 3_000)
    ]
    texts += [
        "".join(rng.choice("aéậ1") + rng.choice(MARKS) * rng.randint(40, 60) for _ in range(20)) for _ in range(50)
    ]
    assert [text for text in texts if normalize(form, text) != theirs.normalize_str(text)] == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "unit", ["e\u0301", "한\u1100\u1161\u11a8", "\u3131\u3163", "\uffa1\uffc2\uffaa", "ｶ\uff9e", "㋿é"]
)
def test_long_texts_are_normalized_in_pieces(form: NormalForm, unit: str) -> None:
    text = unit * 30_000
    assert normalize(form, text) == getattr(normalizers, form)().normalize_str(text)


@pytest.fixture
def lengths_given(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Lengths of the texts that `unicodedata` normalizes, as they come."""
    lengths: list[int] = []
    theirs = unicodedata.normalize

    def counting(form: NormalForm, text: str) -> str:
        lengths.append(len(text))
        return theirs(form, text)

    monkeypatch.setattr(unicodedata, "normalize", counting)
    return lengths


@pytest.mark.parametrize("form", FORMS)
def test_the_time_for_marks_is_linear(form: NormalForm, lengths_given: list[int]) -> None:
    normalize(form, "e" + "\u0316\u0301" * 100_000)
    assert max(lengths_given) <= 200  # its time is quadratic in the length of a run of marks
    assert sum(lengths_given) <= 201_000


def test_long_texts_reach_unicodedata_in_pieces(lengths_given: list[int]) -> None:
    normalize("NFD", "한국어" * 100_000)
    assert sum(lengths_given) == 300_000
    assert max(lengths_given) <= 21_000


def test_a_text_that_grows_too_much_is_refused() -> None:
    assert len(normalize("NFKC", "\ufdfa" * 1_000)) == 18_000
    with pytest.raises(ValueError, match=f"in the form NFKC, this text becomes more than {MAX_GROWTH} times as long"):
        normalize("NFKC", "\ufdfa" * 30_000)
    longest = "\u1f82" * 30_000  # four code points each: no character has more in NFD
    assert len(normalize("NFD", longest)) == MAX_GROWTH * len(longest)
