"""Notebook display of a tokenization: byte-exact, bounded in size, and nothing that sanitizers remove."""

import json
import pickle
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.display import char_name, shown
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import ByteTokenizer, WordTokenizer
from tokviz.widgets import FOLDER

# Kept both by JupyterLab's sanitizer for untrusted notebooks and by the allowlists of bleach (nbconvert).
KEPT_TAGS = {"div", "b", "pre", "span", "mark", "small"}
KEPT_ATTRIBUTES = {"style", "title", "dir"}
KEPT_STYLES = {
    "background-color": r"#[0-9a-f]{6}",
    "color": r"#[0-9a-f]{6}",
    "white-space": r"pre-wrap",
    "line-height": r"[0-9.]+",
    "font-family": r"monospace",
}

TEXTS = [
    "",
    "hello world",
    "I love 🍕!\n\n",
    "नमस्ते दुनिया",
    "e\u0301e\u0301 🇪🇺🇩🇪 👩‍👩‍👧",
    "a\r\nb\tc\x00\ufeff\u202e\xa0",
    "</pre><script>alert(1)</script>&amp;\"'",
    "مرحبا ١٢",
    "z" + "\u0301" * 500,
]
plain = st.characters(exclude_categories=["Cs"], exclude_characters="[]↵→…()")
texts = st.text(plain | st.sampled_from("🍕é\u0301\u200d\r\n 🇪👩"), max_size=20)
NAMED = {char_name(char): char for char in map(chr, (*range(0x2100), *range(0xFE00, 0xFF00), *range(0xE0000, 0xE0200)))}
"""Characters by name, those with a name of their own among them; others have their code point."""


class DisplayParser(HTMLParser):
    """Collect elements and attributes, and the bytes that the colored elements represent."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, dict[str, str | None]]] = []
        self.data = b""
        self.ids: list[int] = []
        self.text = ""
        self.feed(markup)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append((tag, dict(attrs)))
        self.tags.append(self.open[-1])
        title = dict(attrs).get("title")
        if title:
            self.ids.append(int(title.removeprefix("id ")))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if not any("title" in attributes for _, attributes in self.open):
            return
        if self.open[-1][0] == "small":
            self.data += bytes.fromhex(data)
            return
        text = data.replace("↵\n", "\n").replace("→\t", "\t")
        self.data += re.sub(r"\[(.*?)\]", lambda name: NAMED.get(name[1]) or chr(int(name[1][2:], 16)), text).encode()


def parse_display(tokenization: Tokenization) -> DisplayParser:
    return DisplayParser(tokenization._repr_html_())


@examples(150)
@given(texts, st.sampled_from(["gpt2", "o200k_base", "bytes"]))
def test_colored_elements_reproduce_the_text_byte_for_byte(text: str, name: str) -> None:
    tokenizer: Tokenizer = ByteTokenizer() if name == "bytes" else tokviz.load(name)
    tokenization = tokenizer.tokenize(text)
    parsed = parse_display(tokenization)
    assert parsed.data == text.encode()
    # A token that ends a cut character and continues after it spans two elements.
    assert [i for i, before in zip(parsed.ids, [None, *parsed.ids], strict=False) if i != before] == [
        i for i, before in zip(tokenization.ids, [None, *tokenization.ids], strict=False) if i != before
    ]


def test_cut_character_follows_its_bytes() -> None:
    html = tokviz.load("gpt2").tokenize("🍕!")._repr_html_()
    text = re.sub("<[^>]+>", "|", html)
    assert re.sub(r"\|+", "|", text).endswith("|f0 9f|8d|95|(🍕)|!|")
    assert "�" not in html


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["gpt2", "cl100k_base"])
def test_untrusted_notebooks_keep_all_tags_and_styles(text: str, name: str) -> None:
    for tag, attributes in parse_display(tokviz.load(name).tokenize(text)).tags:
        assert tag in KEPT_TAGS
        assert attributes.keys() <= KEPT_ATTRIBUTES
        for style in (attributes.get("style") or "").split(";"):
            if style:
                style_name, _, value = style.partition(":")
                assert re.fullmatch(KEPT_STYLES[style_name.strip()], value.strip())


def test_adjacent_tokens_use_different_tags() -> None:
    parsed = parse_display(tokviz.load("gpt2").tokenize("hello world and more"))
    tags = [tag for tag, attributes in parsed.tags if "title" in attributes]
    assert tags == ["span", "mark", "span", "mark"]


def test_background_colors_come_with_text_colors() -> None:
    for _, attributes in parse_display(tokviz.load("gpt2").tokenize("hello world")).tags:
        style = attributes.get("style") or ""
        assert ("background-color" in style) == bool(re.search(r"(?<!-)color", style))


def test_tints_match_the_light_palette() -> None:
    palette = (FOLDER / "shared" / "dom" / "palette.css").read_text("utf-8")
    tints = re.findall(r"--tint-\d: light-dark\((#\w+),", palette)
    html = tokviz.load("gpt2").tokenize("one two three four five")._repr_html_()
    assert re.findall(r"background-color: (#\w+)", html) == [*tints, tints[0]]


def test_long_text_is_truncated_with_a_notice() -> None:
    tokenization = ByteTokenizer().tokenize("a" * 1_000_000)
    html = tokenization._repr_html_()
    assert len(parse_display(tokenization).ids) == 1000
    assert "<b>1,000,000</b> tokens, 1,000,000 bytes" in html
    assert "… and 999,000 more tokens, which are not shown." in html
    assert len(html) < 200_000


def test_long_tokens_and_characters_are_truncated() -> None:
    for tokenizer, text in (
        (WordTokenizer.from_text("a" * 100_000), "a" * 100_000),
        (ByteTokenizer(), "e" + "\u0301" * 400),
    ):
        assert len(tokenizer.tokenize(text)._repr_html_()) < 500_000


def test_token_without_bytes_is_shown() -> None:
    tokenizer = tokviz.train("ab ab", num_merges=0, alphabet="characters", end_of_word="</w>")
    assert "[end]" in parse_display(tokenizer.tokenize("ab")).text


@pytest.mark.parametrize(("name", "text", "first"), [("mistral-7b", "你", b" "), ("bert-base-uncased", "a", b"[CLS]")])
def test_token_put_in_front_is_spelled_by_what_it_stands_for(name: str, text: str, first: bytes) -> None:
    """Not as the end of a word: in notebooks and as a text, sent to another process or not."""
    tokenizer: Any = tokviz.load(name)
    tokenization = tokenizer.tokenize(text, add_special=name.startswith("bert"))
    assert tokenization.byte_offsets[1] == 0
    assert tokenizer.vocab[tokenization.ids[0]] == first
    for each in (tokenization, pickle.loads(pickle.dumps(tokenization))):
        assert str(each).startswith(f"{shown(first)}|") and "[end]" not in str(each)
        seen = re.sub("<[^>]+>", "|", each._repr_html_())
        assert f"|{shown(first)}|" in seen and "[end]" not in seen


def test_a_notebook_keeps_little_of_a_replays_player_and_says_which_texts_it_takes() -> None:
    gpt2 = tokviz.load("gpt2")
    assert len(gpt2.replay("hello")._repr_html_()) < 200_000
    assert "The player takes texts of up to 100,000 bytes" in gpt2.replay("a" * 100_001)._repr_html_()


def test_text_is_escaped() -> None:
    parsed = parse_display(tokviz.load("gpt2").tokenize("<img src=x onerror=alert(1)>"))
    assert {tag for tag, _ in parsed.tags} <= KEPT_TAGS
    assert "<img src=x onerror=alert(1)>" in parsed.text


def test_display_can_be_saved_in_a_notebook_file() -> None:
    """Jupyter saves it as JSON in UTF-8, which can't encode a lone surrogate."""
    html = tokviz.load("gpt2").tokenize("lone \ud800 surrogate 🍕")._repr_html_()
    assert json.loads(json.dumps({"text/html": html}).encode())["text/html"] == html
    html.encode()
