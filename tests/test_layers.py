"""The house: which room may know of which. Floors are listed from the ground up; a room imports from floors below."""

import ast
import gc
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FLOORS = (
    ("arrays", "immutable"),
    ("sendable",),
    ("text",),
    ("tokenization",),
    ("bpe",),
    ("tiktoken_engine",),
    ("tokenizers",),
    ("bpe_tokenizer",),
    ("trainer", "pretrained", "samples"),
    ("formats",),
    ("analysis",),
    ("charts", "widgets"),
    ("export",),
    ("lesson",),
    ("app",),
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# The looks upwards: what a notebook shows. These imports are late, so they cost nothing before.
UPWARDS = {
    ("tokenization", "tokviz.widgets.notebook.notebook_html"),
    ("bpe_tokenizer", "tokviz.widgets.replays.notebook_player"),
}

# Libraries that only some rooms may know of. Everything else is the standard library's or named here.
ONLY_IN = {
    "streamlit": {"app"},
    "starlette": {"app"},
    "anyio": {"app"},
    "uvicorn": {"app"},
    "segno": {"app"},
    "plotly": {"charts"},
    "tiktoken": {"bpe", "tiktoken_engine", "pretrained", "app"},
    "regex": {"bpe", "text", "formats", "analysis"},
    "numpy": {
        "arrays", "text", "tokenization", "bpe", "tokenizers", "bpe_tokenizer", "trainer",
        "formats", "analysis", "charts", "widgets", "export", "app",
    },
}  # fmt: skip

MODULES = sorted((ROOT / "tokviz").rglob("*.py"))


def room_of(module: Path) -> str:
    """The file or folder directly under tokviz/ that a module is, or stands in."""
    parts = module.relative_to(ROOT / "tokviz").with_suffix("").parts
    return parts[0]


def imports_of(module: Path) -> list[str]:
    """Dotted names of everything that a module imports, wherever in it."""
    found = []
    gc.disable()  # Python 3.11 can't parse while finalizers run (python/cpython#106905)
    try:
        tree = ast.parse(module.read_text("utf-8"))
    finally:
        gc.enable()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: imports are absolute here"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(ROOT)))
def test_a_room_imports_only_from_floors_below(module: Path) -> None:
    room = room_of(module)
    if room == "__init__":
        return
    for name in imports_of(module):
        top, *rest = name.split(".")
        if (room, name) in UPWARDS:
            continue
        if top == "tokviz":
            assert rest, f"{module} imports the whole package"
            assert rest[0] == room or FLOOR[rest[0]] < FLOOR[room], f"{room} imports {rest[0]}, which isn't below it"
        elif top in ONLY_IN:
            assert room in ONLY_IN[top], f"{room} imports {top}"
        else:
            assert top in sys.stdlib_module_names, f"{room} imports {top}, which no dependency provides"


def test_every_room_has_a_floor() -> None:
    rooms = {room_of(module) for module in MODULES} - {"__init__"}
    assert rooms <= FLOOR.keys()


def test_importing_tokviz_loads_neither_the_app_nor_the_charts() -> None:
    script = (
        "import sys, tokviz; print([m for m in ('streamlit', 'plotly', 'pandas', 'starlette') if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_a_vocabulary_is_loaded_when_first_asked_for() -> None:
    count = "print(p._read.cache_info().currsize)"
    script = f"import tokviz.pretrained as p; {count}; p.load('gpt2'); {count}"
    loaded = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["0", "1"]
