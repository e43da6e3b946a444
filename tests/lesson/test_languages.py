"""Languages of the lesson: a second file is read like the first, and what it lacks is said."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokviz.lesson import languages
from tokviz.lesson.exercises import EXERCISES
from tokviz.lesson.steps import lesson

STEPS = lesson().steps

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
        ('sent = "You sent {vote}."', 'sent = "Sent."', r"\[phones\] 'sent' must fill in \{vote\}"),
        ('one = "{count} vote", other = ', "one = ", r"\[slides\] 'some_votes' must be forms for numbers"),
        ('one = "{count} vote"', 'two = "votes"', r"\[slides\] 'some_votes' must fill in \{count\}"),
        ('one = "{count} vote"', 'half = "{count} votes"', r"\[slides\] 'some_votes' must be forms for numbers"),
        ('back = "Back"', 'back = { other = "Back" }', r"\[slides\] 'back' must be a text"),
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


def test_a_language_has_the_forms_of_numbers_that_it_needs(folder: Path) -> None:
    write(folder, 'here = { one = "{count} phone here"', 'here = { one = "{count}", few = "{count}", many = "{count}"')
    assert set(languages.read("fr", SIZES)["slides"]["here"]) == {"one", "few", "many", "other"}


# Where sentences of the lesson could stand besides.

TOKVIZ = Path(languages.__file__).parents[2]
SURFACES = [
    *(TOKVIZ / "lesson" / f"{name}.py" for name in ("exercises", "sheet", "slides")),
    TOKVIZ / "course" / "pack.py",
    TOKVIZ / "app/answers/routes/sheets.py",
    TOKVIZ.parent / "pages/lesson.py",
    *sorted(path for name in ("room", "slides", "exercises") for path in (TOKVIZ / "widgets" / name).glob("*.js")),
]
WORDS = re.compile(r"[A-Za-z]{2,}[’']? +[A-Za-z]{2,}")
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')
NO_TEXT = re.compile(r"class: $|classList\.\w+\($|import\(?$|from $|querySelector\w*\($|matches\($")


def literals_in(path: Path) -> Iterator[str]:
    """Yield the strings of a file that a page could show: no documentation, errors, names of classes, or markup."""
    source = path.read_text("utf-8")
    if path.suffix == ".js":
        code = COMMENT.sub("", source)
        for found in LITERAL.finditer(code):
            if not NO_TEXT.search(code[: found.start()]):
                yield re.sub(r"\$\{[^{}]*\}", "", found[0])
        return
    tree = ast.parse(source)
    bodies = [body for node in ast.walk(tree) if isinstance(body := getattr(node, "body", None), list)]
    documentation = {id(each.value) for body in bodies for each in body if isinstance(each, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield re.sub(r"<[^>]*>?|^[^<]*>|\" \w+ \w+=\"", "", node.value)


@pytest.mark.parametrize("path", SURFACES, ids=lambda path: path.name)
def test_no_sentence_stands_in_code(path: Path) -> None:
    read = {text for exercise in EXERCISES for text in exercise.texts}  # as tokenizers read it
    assert [each for each in literals_in(path) if WORDS.search(each) and each not in read] == []
