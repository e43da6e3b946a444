"""Languages of the lesson: a second file is read like the first, and what it lacks is said."""

from pathlib import Path

import pytest

from tokviz.lesson import languages
from tokviz.lesson.steps import STEPS, lesson

SIZES = {step.id: (len(step.choices), len(step.links + step.afterwards)) for step in STEPS}
ORIGINAL = (Path(languages.__file__).parent / "en.toml").read_text("utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the original, where another language can be written."""
    (tmp_path / "en.toml").write_text(ORIGINAL, "utf-8")
    monkeypatch.setattr(languages, "_FOLDER", tmp_path)
    return tmp_path


def write(folder: Path, old: str, new: str) -> None:
    assert old in ORIGINAL
    (folder / "fr.toml").write_text(ORIGINAL.replace(old, new, 1), "utf-8")


def test_english_is_there() -> None:
    assert "en" in languages.languages()
    assert lesson("en") == lesson()


def test_a_second_language_is_a_second_file(folder: Path) -> None:
    write(folder, 'title = "What a model sees"', 'title = "Ce que voit un modèle"')
    assert languages.languages() == ("en", "fr")
    assert languages.read("fr", SIZES)["steps"]["strawberry"]["title"] == "Ce que voit un modèle"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[pack]", "[pakc]", r"the file lacks 'pack'"),
        ("[steps.names]", "[steps.noms]", r"\[steps\] lacks 'names'"),
        ('reveal = "Reveal the answer"\n', "", r"\[slides\] lacks 'reveal'"),
        ('answer = "Answer"\n', 'answer = "Answer"\nmore = "x"\n', r"\[sheet\] has 'more', which no page shows"),
        ('step = "Step {number} of {count}"', 'step = "Step {number}"', r"'step' must fill in \{count\}, \{number\}"),
        ('    "10, one for each letter",\n', "", r"\[steps.strawberry\] has 2 choices, not 3"),
        ('labels = ["Open the question", ', "labels = [", r"\[steps.strawberry\] has 1 labels, not 2"),
        ('belief = "YAML beats JSON."', 'belief = ""', "this text is empty"),
        ('belief = "YAML beats JSON."', 'belief = "`YAML"', "lacks a backquote"),
    ],
)
def test_what_a_file_lacks_or_has_too_much_is_said(folder: Path, old: str, new: str, why: str) -> None:
    write(folder, old, new)
    with pytest.raises(ValueError, match=f"^languages/fr.toml: .*{why}"):
        languages.read("fr", SIZES)


def test_a_language_without_a_file_is_refused() -> None:
    with pytest.raises(ValueError, match="the lesson is not in 'xx'; its languages are en"):
        languages.read("xx", SIZES)
