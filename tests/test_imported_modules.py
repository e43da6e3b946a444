"""How many modules are imported before they are needed: each makes the start slower, by 0.2 ms and more."""

import json

from new_process import output_of

IMPORTED = (
    "import json, sys; {first}; before = set(sys.modules); {then}; print(json.dumps([*set(sys.modules) - before]))"
)


def imported(first: str, then: str) -> list[str]:
    """Return the names of the modules that one import adds to those of another."""
    names: list[str] = json.loads(output_of(IMPORTED.format(first=first, then=then)))
    return names


def test_importing_tokviz() -> None:
    """Two of ours are needed, the package and its version; everything else is imported when a name is first used."""
    names = imported("import sys", "import tokviz")
    assert len([name for name in names if name.startswith("tokviz")]) <= 2
    assert len(names) <= 12  # with what the standard library's typing and collections need


def test_importing_the_app() -> None:
    """Modules that `streamlit run` imports before the first page, besides Streamlit itself.

    Needed are 278 of ours (routes, pages' state, the engine of the tokenizer that is shown first), 86 of numpy, 40 of
    the server, and 50 of the standard library. Charts, other libraries' tokenizers, dask and the command line wait.
    """
    names = imported("import streamlit; streamlit.App", "import app")
    assert len([name for name in names if name.startswith("tokviz")]) <= 288
    assert len(names) <= 446
    late = ("plotly", "pandas", "tokenizers", "sentencepiece", "google.protobuf", "huggingface_hub", "dask", "shtab")
    assert [name for name in names if name.startswith((*late, "tokviz.charts", "tokviz.command"))] == []
