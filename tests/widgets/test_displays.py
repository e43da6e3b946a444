"""Tests of comparisons, trees and tokenizations as text and as HTML for notebooks."""

import re
from html import unescape

import pytest

import tokviz
from tokviz.tokenizers.tree import MergeTree
from tokviz.widgets.comparison_display import comparison_html, comparison_text

TEXT = "It's 4567 naïve <b>\x1b[31m 🍕"


@pytest.fixture(scope="module")
def compared() -> tokviz.Comparison:
    return tokviz.compare(TEXT, ["gpt2", "o200k_base"])


def text_of(page: str) -> str:
    return unescape(re.sub(r"<[^>]*>", " ", page))


def used(page: str) -> set[str]:
    return set(re.findall(r"<(\w+)", page)) | set(re.findall(r' (\w+)="', page))


def sentences(compared: tokviz.Comparison) -> list[str]:
    explained = [compared.explain(segment, 1) for segment in compared.differing.tolist()]
    return [each.sentence for each in explained if each]


def test_comparison_says_how_many_tokens_and_why(compared: tokviz.Comparison) -> None:
    for shown in (str(compared), text_of(compared._repr_html_())):
        assert all(sentence in shown for sentence in sentences(compared))
        assert f"{len(compared.differing)} of {len(compared)} segments differ" in shown
        for name, tokens in zip(compared.names, compared.token_counts, strict=True):
            assert re.search(rf"{name}\s+{tokens}\b", shown)
    assert "\x1b" not in str(compared)


def test_comparison_is_cut_after_a_few_differences(compared: tokviz.Comparison) -> None:
    for shown in (comparison_text(compared, 1), text_of(comparison_html(compared, 1))):
        assert sentences(compared)[0] in shown
        assert sentences(compared)[1] not in shown
        assert f"… and {len(compared.differing) - 1} more" in shown


def test_equal_tokenizers_and_empty_texts_can_be_displayed() -> None:
    for text in ("", "the same"):
        same = tokviz.compare(text, ["gpt2", "gpt2"])
        assert "0 of" in str(same)
        assert "0 of" in same._repr_html_()


def test_long_segments_are_cut() -> None:
    uncut = tokviz.CharacterTokenizer(), tokviz.ByteTokenizer()
    compared = tokviz.compare("é" * 5000, uncut)
    assert len(str(compared)) < 20_000
    assert len(compared._repr_html_()) < 2_000_000


def test_html_uses_only_what_untrusted_notebooks_keep(compared: tokviz.Comparison) -> None:
    tree = tokviz.load("gpt2").tree(31373)
    allowed = {"table", "thead", "tbody", "tr", "th", "td", "div", "p", "span", "mark", "br", "small"}
    assert used(compared._repr_html_() + tree._repr_html_()) <= allowed | {"style", "dir", "colspan"}


def nodes(tree: MergeTree) -> list[MergeTree]:
    return [tree, *(nodes(tree.left) if tree.left else []), *(nodes(tree.right) if tree.right else [])]


def test_tree_shows_every_token_once_in_order() -> None:
    tree = tokviz.load("gpt2").tree(31373)
    expected = [node.id for node in nodes(tree)]
    assert [int(number) for number in re.findall(r"id (\d+)", str(tree))] == expected
    assert str(tree).splitlines()[:3] == [
        "hello  (id 31373, merge 31,117)",
        "├─ hell  (id 12758, merge 12,502)",
        "│  ├─ he  (id 258, merge 2)",
    ]
    found = [int(number) for number in re.findall(r"id (\d+)", text_of(tree._repr_html_()))]
    assert found == expected


def test_deep_trees_are_text() -> None:
    tok = tokviz.train(["a" + "b" * 60], num_merges=60, min_count=1)
    deepest = tok.tree(max(tok.vocab))
    assert len(deepest.leaves()) > 32
    assert deepest._repr_html_().startswith("<pre")
    assert len(str(deepest).splitlines()) == len(nodes(deepest))


def test_tokenization_as_text() -> None:
    gpt2 = tokviz.load("gpt2")
    assert str(gpt2.tokenize("I love 🍕")) == "I|·love|· f0 9f|8d|95"
    assert str(gpt2.tokenize("a b " * 1000)).endswith("… and 1,001 more")


def test_two_texts_and_their_tokens_are_displayed_in_color() -> None:
    compared = tokviz.compare_texts('{"a": 1}', "a: <1>", "gpt2")
    counts = [len(tokviz.load("gpt2").encode(text)) for text in ('{"a": 1}', "a: <1>")]
    page = compared._repr_html_()
    for shown in (str(compared), repr(compared), text_of(page)):
        assert f"{counts[0]} and {counts[1]} tokens: {counts[1] - counts[0]:+}" in shown
    assert page.count("background") >= sum(counts)
    assert "<1>" not in page and "a|:" in str(compared)
    assert "inf" not in repr(tokviz.compare_texts("", "a", "gpt2"))


def test_a_curve_is_displayed_as_its_table() -> None:
    curve = tokviz.compression_curve("hello <b>", tokviz.load("gpt2").with_name("<mine>"))
    assert repr(curve.table()) in repr(curve)
    page = curve._repr_html_()
    assert curve.table()._repr_html_() in page and "&lt;mine&gt;, 9 bytes" in page
