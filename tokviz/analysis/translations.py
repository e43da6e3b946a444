"""Parallel texts: line n means the same in each."""

from collections.abc import Mapping


def aligned(texts: Mapping[str, str]) -> dict[str, str]:
    """Texts by name, ready to be compared: line breaks are LF, and there is none at the end.

    Raises ValueError where one has not as many lines as the first, or where the first is empty.
    """
    found = {name: text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n") for name, text in texts.items()}
    if not found:
        return found
    first, *others = found
    expected = found[first].count("\n") + 1
    if not found[first]:
        raise ValueError(f"{first} is empty, so nothing can be compared with it")
    for name in others:
        lines = found[name].count("\n") + 1
        if lines != expected:
            raise ValueError(
                f"{name} has {lines:,} lines and {first} has {expected:,}: "
                "line by line they must mean the same, so that there are as many in each"
            )
    return found
