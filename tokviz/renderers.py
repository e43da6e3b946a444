"""Renderers of results, registered from above: a result shows itself without knowing the widgets, which know it.

`tokviz/__init__.py` registers them by name. A renderer is imported when it is first needed.
"""

from collections.abc import Mapping
from importlib import import_module

_html: dict[str, str] = {}
_text: dict[str, str] = {}


def register(html: Mapping[str, str], text: Mapping[str, str]) -> None:
    """Register the functions that render objects of classes; both are named with their modules."""
    _html.update(html)
    _text.update(text)


def as_html(shown: object) -> str:
    """Return HTML for a notebook, by the renderer of the object's class or of a base. Raises TypeError for none."""
    return _rendered(shown, _html)


def as_text(shown: object) -> str:
    """Return a text of several lines, likewise."""
    return _rendered(shown, _text)


def _rendered(shown: object, registered: Mapping[str, str]) -> str:
    names = (f"{each.__module__}.{each.__qualname__}" for each in type(shown).__mro__)
    source = next((registered[name] for name in names if name in registered), None)
    if source is None:
        raise TypeError(f"no renderer is registered for {type(shown).__name__}")
    module, _, function = source.rpartition(".")
    rendered: str = getattr(import_module(module), function)(shown)
    return rendered
