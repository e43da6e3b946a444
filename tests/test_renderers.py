"""Renderers of results: registered by name, for classes that don't know them."""

from importlib import import_module

import pytest
from new_process import output_of

import tokviz
from tokviz import renderers

REGISTERED = {**renderers._html, **renderers._text}


@pytest.mark.parametrize("name", [*REGISTERED, *REGISTERED.values()])
def test_registered_names_exist(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert callable(getattr(import_module(module), attribute))


def test_results_show_themselves_wherever_they_come_from() -> None:
    """Also a subclass, and a result in a process that has imported its module alone."""

    class Mine(tokviz.Tokenization):
        pass

    shown = tokviz.load("gpt2").tokenize("the cat")
    assert shown._repr_html_().startswith("<div><b>2</b> tokens, 7 bytes</div>")
    mine = Mine(shown.text, shown.ids, shown.byte_offsets, pretokens=shown.pretoken_index)
    assert mine._repr_html_() == shown._repr_html_()
    script = (
        "import sys; from tokviz.tokenization import Tokenization; import numpy as np; "
        "made = Tokenization('ab', np.array([0, 1], np.int32), np.array([0, 1, 2], np.int32), pretokens=lambda: []); "
        "print('tokviz.widgets' in sys.modules, made._repr_html_()[:32])"
    )
    assert output_of(script).strip() == "False <div><b>2</b> tokens, 2 bytes</d"


def test_other_objects_have_no_renderer() -> None:
    with pytest.raises(TypeError, match="no renderer is registered for int"):
        renderers.as_html(3)
