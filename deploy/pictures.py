"""Draw the icon, and the pictures that chats show of links to pages, from tokviz's own drawings.

`python deploy/pictures.py` stores them in `tokviz/app/answers/pictures/`. It needs Chromium, as the browser tests do.
"""

import io
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import tokviz  # noqa: E402
from tokviz import export  # noqa: E402
from tokviz.app.answers.link_cards import CARD_SIZE  # noqa: E402
from tokviz.app.answers.routes.pictures import FOLDER  # noqa: E402
from tokviz.widgets.svg import palette, rect  # noqa: E402

ICON_SIZE = 192
COLORS = 64
"""In a file: enough for tints, and letters whose edges are smooth."""

STYLE = """
body { margin: 0; height: 100vh; display: flex; flex-direction: column; font: 600 36px sans-serif; color: #1b1f24 }
body:has(main) { background: #ffffff }
div, main { flex: 1; min-height: 0 }
main { padding: 56px 64px 24px; font-weight: 400 }
svg { width: 100%; height: 100% }
p { display: flex; align-items: center; gap: 16px; margin: 0 0 40px 64px }
p svg { width: 56px; height: 56px }
"""

PROMPT = """<|im_start|>user
Why is the sky blue?<|im_end|>
<|im_start|>assistant
"""
SENTENCE = "A language model never\nsees letters. It sees\nthese pieces: naïve, 世界,\n1234567."
LANGUAGES = "to be or not to be\nsein oder nicht sein\nêtre ou ne pas être\nбыть или не быть\nरहूँ या न रहूँ"


def drawings() -> Iterator[tuple[str, str]]:
    """Yield the name of each page, and its picture as SVG."""
    gpt2, cl100k, qwen = map(tokviz.load, ("gpt2", "cl100k_base", "qwen3"))
    yield "tokens", export.to_svg(gpt2, SENTENCE, columns=30)
    code = "def add(a, b):\n    return a + b"
    yield "compare", export.comparison_to_svg(tokviz.compare(code, ["gpt2", "cl100k_base"]), columns=24)
    yield "replay", export.replay_to_svg(gpt2, "in the hat", columns=14)
    yield "compression", export.to_svg(cl100k, LANGUAGES, columns=24)
    trained = tokviz.train("low low low low low lower lower newest newest newest newest newest newest", num_merges=12)
    yield "train", export.replay_to_svg(trained, "lowest newer", columns=12)
    yield "chat", export.to_svg(qwen, PROMPT, "all", columns=32)
    yield "course", export.replay_to_svg(gpt2, "strawberry", columns=10)
    yield "lesson", export.to_svg(cl100k, "How a model reads", columns=20)


def icon() -> str:
    """Return two pieces over the one that they become, as SVG."""
    colors = palette(False)
    boxes = {"tint-0": (4, 6, 50, 40), "tint-2": (58, 6, 34, 40), "accent": (4, 50, 88, 40)}
    parts = "".join(rect(box, 10, colors[name]) for name, box in boxes.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">{parts}</svg>'


def render(page: Page, html: str, size: tuple[int, int]) -> Image.Image:
    """Return a picture of HTML."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_content(f"<style>{STYLE}</style>{html}")
    return Image.open(io.BytesIO(page.screenshot(omit_background=True)))


def store(image: Image.Image, name: str) -> None:
    """Write a picture with few colors, which is a third of the size."""
    methods = Image.Quantize
    is_clear = name == "icon"  # only this method keeps what is clear
    few = (
        image.quantize(COLORS, methods.FASTOCTREE)
        if is_clear
        else image.convert("RGB").quantize(COLORS, methods.MEDIANCUT)
    )
    few.save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    chromium = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]).new_page()
        store(render(page, f"<div>{icon()}</div>", (ICON_SIZE, ICON_SIZE)), "icon")
        for name, svg in drawings():
            store(render(page, f"<main>{svg}</main><p>{icon()}tokviz</p>", CARD_SIZE), name)
