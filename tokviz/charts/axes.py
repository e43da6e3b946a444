"""Axes of figures, as Plotly takes them. All ticks of an axis are written in the same way."""

from math import ceil, floor, log10
from typing import Any

ZERO = 0.4
"""Place of 0 on an axis of `counts_from_zero`, which is logarithmic."""

Axis = dict[str, Any]


def linear(title: str, high: float, *, unit: str = "") -> Axis:
    """Return an axis from 0 to `high`. Plotly chooses round ticks.

    >>> linear("tokens", 1234)["range"]
    [0, 1234]
    """
    numbers = {"exponentformat": "none", "separatethousands": True, "ticksuffix": unit}
    return {"title": title, "range": [0, high or 1], **numbers}


def counts(title: str, high: int) -> Axis:
    """Return an axis of counts up to `high`, with ticks at each if there are few."""
    few = {"dtick": 1} if high <= 12 else {}
    return linear(title, 1.03 * max(high, 1)) | few


def logarithmic(title: str, low: float, high: float) -> Axis:
    """Return an axis by powers of ten. If it spans few of them, it has ticks between them as well.

    >>> logarithmic("parameters", 2e6, 3e8)["ticktext"]
    ['2M', '5M', '10M', '20M', '50M', '100M', '200M']
    """
    high = max(high, low * 1.0001)
    factors = (1, 2, 5) if log10(high / low) < 3 else (1,)
    powers = range(floor(log10(low)), ceil(log10(high)) + 1)
    values = [factor * 10**power for power in powers for factor in factors]
    inside = [value for value in values if low * 0.999 <= value <= high * 1.001]
    return _by_powers(title, low, high, inside, [_written(value, inside) for value in inside])


def counts_from_zero(title: str, high: int) -> Axis:
    """Return an axis of counts, from 0, which stands at `ZERO`, and then by powers of ten.

    >>> counts_from_zero("merges", 50_000)["ticktext"]
    ['0', '1', '10', '100', '1,000', '10,000']
    """
    powers = [10**power for power in range(floor(log10(max(high, 1))) + 1)]
    return _by_powers(title, ZERO, max(high, 10), [ZERO, *powers], ["0", *(f"{power:,}" for power in powers)])


def _by_powers(title: str, low: float, high: float, values: list[float], labels: list[str]) -> Axis:
    margin = 0.02 * log10(high / low)
    ends = [log10(low) - margin, log10(high) + margin]
    return {"title": title, "type": "log", "range": ends, "tickvals": values, "ticktext": labels}


def share(axis: Axis, value: float) -> float:
    """Return how far along the axis a value is: 0 at its start, 1 at its end."""
    low, high = axis["range"]
    place = log10(value) if axis.get("type") == "log" else value
    return float((place - low) / (high - low))


def _written(value: float, values: list[float]) -> str:
    """Write a tick as all ticks of its axis are written: in thousands, millions or billions if they are large."""
    for unit, letter in ((1e9, "G"), (1e6, "M")):
        if values[0] >= unit or (values[-1] >= 10 * unit and values[0] >= unit / 10):
            return f"{value / unit:g}{letter}"
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
