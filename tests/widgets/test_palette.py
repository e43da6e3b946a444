"""Token colors: neighbors are distinguishable in every color vision, and text and marks on them are legible."""

import re
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

CSS = Path(__file__).parents[2] / "tokviz" / "widgets" / "shared" / "dom" / "palette.css"
THEMES = ("light", "dark")
Color = npt.NDArray[Any]

# Machado, Oliveira and Fernandes (2009), severity 1.0, for linear RGB.
VISIONS: dict[str, Color] = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
SRGB_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


@cache
def palette(theme: str) -> dict[str, Color]:
    """Custom properties that are colors, as sRGB from 0 to 1."""
    colors = re.findall(r"--([\w-]+): light-dark\(#([0-9a-f]{6}), #([0-9a-f]{6})\);", CSS.read_text())
    return {name: rgb(light if theme == "light" else dark) for name, light, dark in colors}


def rgb(digits: str) -> Color:
    return np.array([int(digits[i : i + 2], 16) for i in (0, 2, 4)]) / 255


def linear(color: Color) -> Color:
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)


def lab(color: Color, vision: str = "normal") -> Color:
    """CIE 1976 L*a*b* of a color as seen with that color vision."""
    seen = np.clip(VISIONS[vision] @ linear(color), 0, 1)
    relative = (SRGB_TO_XYZ @ seen) / SRGB_TO_XYZ.sum(axis=1)
    x, y, z = np.where(relative > 216 / 24389, np.cbrt(relative), (24389 / 27 * relative + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: Color, other: Color) -> float:
    """WCAG 2 contrast ratio."""
    darker, lighter = sorted(float((SRGB_TO_XYZ @ linear(color))[1]) for color in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


def blend(color: Color, opacity: float, background: Color) -> Color:
    """Composite a color of this opacity over a background."""
    return opacity * color + (1 - opacity) * background


def ink_opacity(name: str) -> float:
    match = re.search(rf"--{name}: color-mix\(in srgb, var\(--ink\) (\d+)%, transparent\);", CSS.read_text())
    assert match
    return int(match[1]) / 100


def tints(theme: str) -> list[Color]:
    return [color for name, color in palette(theme).items() if name.startswith("tint-")]


def background_colors(theme: str) -> dict[str, Color]:
    """All background colors of token text."""
    return {name: color for name, color in palette(theme).items() if re.match(r"(tint|hue|ramp|own)-", name)}


def test_known_values() -> None:
    assert contrast(rgb("000000"), rgb("ffffff")) == pytest.approx(21)
    assert lab(rgb("ffffff")) == pytest.approx([100, 0, 0], abs=0.01)
    assert lab(rgb("ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_is_complete(theme: str) -> None:
    assert len(tints(theme)) == 4
    assert len(background_colors(theme)) == 4 + 8 + 6 + 8


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", THEMES)
def test_adjacent_tints_differ_in_every_vision(theme: str, vision: str) -> None:
    cycle = tints(theme)
    for one, next_one in zip(cycle, cycle[1:] + cycle[:1], strict=True):
        assert np.linalg.norm(lab(one, vision) - lab(next_one, vision)) >= 22


@pytest.mark.parametrize("theme", THEMES)
def test_adjacent_tints_differ_in_lightness(theme: str) -> None:
    cycle = tints(theme)
    for one, next_one in zip(cycle, cycle[1:] + cycle[:1], strict=True):
        assert abs(lab(one)[0] - lab(next_one)[0]) >= 10


def oklch_chroma(color: Color) -> float:
    """Chroma in OKLCH (Ottosson 2020)."""
    to_cones = [[0.8189330101, 0.3618667424, -0.1288597137], [0.0329845436, 0.9293118715, 0.0361456387]]
    cones = np.array([*to_cones, [0.0482003018, 0.2643662691, 0.6338517070]]) @ SRGB_TO_XYZ @ linear(color)
    to_opponents = np.array([[1.9779984951, -2.4285922050, 0.4505937099], [0.0259040371, 0.7827717662, -0.8086757660]])
    return float(np.hypot(*(to_opponents @ np.cbrt(cones))))


def test_dark_tints_are_of_one_family() -> None:
    """Of one chroma, and of two lightnesses that take turns, since neighbors differ in lightness."""
    cycle = tints("dark")
    chromas, lightness = [oklch_chroma(color) for color in cycle], [lab(color)[0] for color in cycle]
    assert oklch_chroma(rgb("ff0000")) == pytest.approx(0.2577, abs=1e-3)  # Ottosson's value of sRGB red
    assert max(chromas) - min(chromas) <= 0.005
    assert abs(lightness[0] - lightness[2]) <= 1
    assert abs(lightness[1] - lightness[3]) <= 1


@pytest.mark.parametrize("kind", ["tint", "hue"])
def test_tokens_stand_out_from_the_dark_page(kind: str) -> None:
    colors = palette("dark")
    assert min(contrast(color, colors["page"]) for name, color in colors.items() if name.startswith(f"{kind}-")) >= 1.6


@pytest.mark.parametrize("theme", THEMES)
def test_hues_differ(theme: str) -> None:
    hues = [color for name, color in palette(theme).items() if name.startswith("hue-")]
    assert min(np.linalg.norm(lab(one) - lab(other)) for one, other in combinations(hues, 2)) >= 18


@pytest.mark.parametrize("theme", THEMES)
def test_opposite_tints_differ_since_edits_can_make_them_adjacent(theme: str) -> None:
    cycle = tints(theme)
    for one, opposite in ((cycle[0], cycle[2]), (cycle[1], cycle[3])):
        assert all(np.linalg.norm(lab(one, vision) - lab(opposite, vision)) >= 14 for vision in VISIONS)


@pytest.mark.parametrize("theme", THEMES)
def test_no_two_tints_are_of_one_hue(theme: str) -> None:
    """Else two of four would go by one name, as two browns would."""
    for one, other in combinations(tints(theme), 2):
        assert np.linalg.norm((lab(one) - lab(other))[1:]) >= 25


@pytest.mark.parametrize("theme", THEMES)
def test_colors_of_tokenizers_differ_and_stand_out_from_the_page(theme: str) -> None:
    own = [color for name, color in palette(theme).items() if name.startswith("own-")]
    for one, other in combinations(own, 2):
        assert np.linalg.norm(lab(one) - lab(other)) >= 14
    if theme == "dark":
        assert min(contrast(color, palette(theme)["page"]) for color in own) >= 1.6


@pytest.mark.parametrize("theme", THEMES)
def test_ramp_steps_move_away_from_the_page_color(theme: str) -> None:
    steps = [palette(theme)[f"ramp-{step}"] for step in range(6)]
    distances = [abs(lab(step)[0] - lab(palette(theme)["page"])[0]) for step in steps]
    assert distances == sorted(distances)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", THEMES)
def test_adjacent_ramp_steps_differ_in_every_vision(theme: str, vision: str) -> None:
    steps = [palette(theme)[f"ramp-{step}"] for step in range(6)]
    for one, next_one in zip(steps, steps[1:], strict=False):
        assert np.linalg.norm(lab(one, vision) - lab(next_one, vision)) >= 18


@pytest.mark.parametrize("theme", THEMES)
def test_text_contrast_on_every_background(theme: str) -> None:
    ink = palette(theme)["ink"]
    assert {
        name: contrast(ink, background)
        for name, background in background_colors(theme).items()
        if contrast(ink, background) < 7
    } == {}


@pytest.mark.parametrize("theme", THEMES)
def test_mark_and_edge_contrast_on_every_background(theme: str) -> None:
    ink = palette(theme)["ink"]
    for background in [*background_colors(theme).values(), palette(theme)["page"]]:
        assert contrast(blend(ink, ink_opacity("mark"), background), background) >= 4.5
        assert contrast(blend(ink, ink_opacity("edge"), background), background) >= 3


@pytest.mark.parametrize("theme", THEMES)
def test_quiet_text_and_accent_contrast(theme: str) -> None:
    colors = palette(theme)
    for background in (colors["page"], colors["raised"]):
        assert contrast(colors["ink"], background) >= 7
        assert contrast(colors["quiet"], background) >= 4.5
        assert contrast(colors["accent"], background) >= 4.5
