"""Parallel texts: line n means the same in each."""

from collections.abc import Mapping

from tokviz.display import counted, shorten


def aligned(texts: Mapping[str, str]) -> dict[str, str]:
    """Prepare texts, by name, for comparison line by line: line breaks become LF, and those at the end are removed.

    Raises ValueError if a text has a different number of lines than the first, or if the first is empty.
    """
    prepared = {name: text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n") for name, text in texts.items()}
    if not prepared:
        return prepared
    first, *others = prepared
    expected = prepared[first].count("\n") + 1
    if not prepared[first]:
        raise ValueError(f"“{shorten(first)}” is empty, so nothing can be compared with it")
    for name in others:
        lines = prepared[name].count("\n") + 1
        if lines != expected:
            raise ValueError(
                f"“{shorten(name)}” has {counted('line', lines)} and “{shorten(first)}” has {expected:,}: "
                "line n of each text must mean the same, so all texts must have equally many lines"
            )
    return prepared
