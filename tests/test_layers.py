"""Layering of the package's modules. Layers are listed from the bottom up; a module imports only from layers below."""

import ast
import sys
from graphlib import TopologicalSorter
from pathlib import Path

from new_process import output_of
from sources import parse

ROOT = Path(__file__).parent.parent

LAYERS = (
    ("arrays", "immutable", "renderers", "tokenizer_colors", "version"),
    ("sendable",),
    ("texts", "positions", "display"),
    ("tokenization",),
    ("pretokens",),
    ("bpe",),
    ("subwords",),
    ("tokenizers",),
    ("pretrained", "samples"),
    ("formats", "integrations"),
    ("loading",),
    ("chats",),
    ("analysis",),
    ("charts", "widgets"),
    ("export", "figures"),
    ("lesson",),
    ("course",),
    ("command",),
    ("app",),
    ("__main__",),
)
LAYER_OF = {part: number for number, parts in enumerate(LAYERS) for part in parts}

# Layers within the app.
APP_LAYERS = (
    *("shields.fairness", "shields.processes", "shields"),
    *("answers.rooms", "answers.visitors", "answers.compression", "answers"),
    *("streamlit", "server"),
)

# Parts of the package that may import each library. All other imports are from the standard library.
ALLOWED_IN = {
    "streamlit": {"app"},
    "starlette": {"app"},
    "anyio": {"app"},
    "uvicorn": {"app"},
    "segno": {"app"},
    "awkward": {"tokenizers"},
    "dask": {"integrations"},
    "gigatoken": {"tokenizers"},
    "jinja2": {"chats"},
    "markupsafe": {"chats"},
    "plotly": {"charts"},
    "shtab": {"command"},
    "tiktoken": {"pretokens", "tokenizers", "pretrained", "app"},
    "tokenizers": {"tokenizers"},
    "sentencepiece": {"tokenizers"},
    "google": {"tokenizers"},
    "huggingface_hub": {"pretrained", "app"},
    "regex": {"display", "pretokens", "tokenizers", "bpe", "texts", "positions", "formats", "analysis"},
    "numpy": {
        "arrays", "positions", "tokenization", "bpe", "subwords", "tokenizers", "formats", "chats", "analysis",
        "charts", "widgets", "export", "course", "app",
    },
}  # fmt: skip

MODULES = sorted((ROOT / "tokviz").rglob("*.py"))


def part_of(module: Path) -> str:
    """Return the file or folder directly under tokviz/ that a module belongs to."""
    return module.relative_to(ROOT / "tokviz").with_suffix("").parts[0]


def imports_of(module: Path) -> list[str]:
    """Return the dotted names of all imports in a module, at any level."""
    found = []
    for node in ast.walk(parse(module)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module}: imports are absolute here"
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def test_modules_import_only_from_layers_below() -> None:
    for module in MODULES:
        check_imports(module)


def check_imports(module: Path) -> None:
    part = part_of(module)
    if part == "__init__":
        return
    for name in imports_of(module):
        top, *rest = name.split(".")
        if top == "tokviz":
            assert rest, f"{module} imports the whole package"
            assert rest[0] == part or LAYER_OF[rest[0]] < LAYER_OF[part], (
                f"{module} imports {rest[0]}, which isn't below it"
            )
        elif top in ALLOWED_IN:
            assert part in ALLOWED_IN[top], f"{module} imports {top}"
        else:
            assert top in sys.stdlib_module_names, f"{module} imports {top}, which no dependency provides"


def test_app_modules_import_only_from_layers_below() -> None:
    for module in (ROOT / "tokviz" / "app").rglob("*.py"):
        check_imports_in_app(module)


def check_imports_in_app(module: Path) -> None:
    name = name_of(module)
    if name == "tokviz.app":
        return
    below = APP_LAYERS[: APP_LAYERS.index(layer_in_app(name)) + 1]
    for imported in imports_of(module):
        if imported.startswith("tokviz.app."):
            assert layer_in_app(imported) in below, f"{module} imports {imported}, which isn't below it"


def layer_in_app(name: str) -> str:
    """Return the layer of a module of the app, the smallest if it is in several folders."""
    inside = f"{name.removeprefix('tokviz.app.')}."
    return max((layer for layer in APP_LAYERS if inside.startswith(f"{layer}.")), key=len)


def test_imports_have_no_cycles() -> None:
    """Late imports, and those for types only, count as well."""
    names = {name_of(module): module for module in MODULES}
    assert {"tokviz", "tokviz.formats", "tokviz.formats.minbpe"} <= names.keys()
    needed = {
        name: {imported if imported in names else imported.rpartition(".")[0] for imported in imports_of(module)}
        for name, module in names.items()
    }
    order = list(TopologicalSorter({name: used & names.keys() for name, used in needed.items()}).static_order())
    assert len(order) == len(names)


def name_of(module: Path) -> str:
    """Return the dotted name of a module, or of a package."""
    return ".".join(module.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_every_part_has_a_layer() -> None:
    parts = {part_of(module) for module in MODULES} - {"__init__"}
    assert parts <= LAYER_OF.keys()


def test_importing_tokviz_loads_no_libraries() -> None:
    libraries = [
        *("numpy", "regex", "streamlit", "plotly", "pandas", "starlette"),
        *("tokenizers", "sentencepiece", "google.protobuf", "huggingface_hub", "jinja2", "gigatoken"),
    ]
    script = f"import sys, tokviz; print([name for name in {libraries} if name in sys.modules])"
    assert output_of(script).strip() == "[]"


def test_child_processes_import_nothing_of_the_server() -> None:
    """They are started while people wait."""
    script = (
        "import sys; from tokviz.app.shields.processes import patterns_child; assert 'numpy' not in sys.modules; "
        "from tokviz.app.shields.processes import fetching, guarded_tasks, opening_child, training_child; "
        "unwanted = 'tokviz.app.shields.fairness', 'asyncio', 'tokviz.charts'; "
        "print([name for name in sys.modules if name.startswith(unwanted)])"
    )
    assert output_of(script).strip() == "[]"


def test_vocabularies_are_loaded_on_first_use() -> None:
    count = "print(p._read.cache_info().currsize)"
    script = f"import tokviz.pretrained as p; {count}; p.load('gpt2'); {count}"
    assert output_of(script).split() == ["0", "1"]
