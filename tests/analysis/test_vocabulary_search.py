"""Searching a vocabulary: each way against a plain scan of the tokens' bytes."""

import re
from collections.abc import Sequence
from functools import cache

import pytest

import tokviz
from tokviz.analysis.training.report import TokenRow, report, token_rows
from tokviz.analysis.vocabulary.audit import Audit
from tokviz.analysis.vocabulary.contents import VocabularySize, vocabulary_size
from tokviz.analysis.vocabulary.search import FILTERS, Filter, Order, in_order, passing, search
from tokviz.pretokens import splitting

TEXT = "the cat in the hat\n\nthe naïve cat sat\n\n" * 9
TOK = tokviz.train(TEXT, num_merges=16, split_pattern="gpt2", special_tokens=["<s>"])


@cache
def all_rows() -> Sequence[TokenRow]:
    return token_rows(TOK, report(TOK, [TEXT]).counts)


def ids(rows: Sequence[TokenRow]) -> set[int]:
    return {row.id for row in rows}


def test_an_empty_search_finds_all() -> None:
    assert search(all_rows(), "") == all_rows()


@pytest.mark.parametrize("query", ["at", " th", "\n\n", "ï", "<s>", "zz"])
def test_a_text_is_found_in_the_tokens_that_contain_it(query: str) -> None:
    assert ids(search(all_rows(), query)) == {id for id, token in TOK.vocab.items() if query.encode() in token}


@pytest.mark.parametrize("pattern", ["^ ?[a-z]at$", "the|ï", r"\s\w", "(?i)THE"])
def test_a_regular_expression_is_found_in_tokens_that_are_text(pattern: str) -> None:
    def text(token: bytes) -> str:
        return token.decode("utf-8", "ignore") if token.decode("utf-8", "ignore").encode() == token else ""

    expected = {id for id, token in TOK.vocab.items() if re.search(pattern, text(token))}
    assert expected and ids(search(all_rows(), pattern, "regex")) == expected


@pytest.mark.parametrize("spelled", ["c3", "C3 AF", "0xc3,0xaf", "20 74"])
def test_bytes_are_found_in_hex(spelled: str) -> None:
    wanted = bytes.fromhex(re.sub("0x|,", "", spelled))
    found = ids(search(all_rows(), spelled, "hex"))
    assert found and found == {id for id, token in TOK.vocab.items() if wanted in token}


def test_an_id_is_found() -> None:
    assert ids(search(all_rows(), " 260 ", "id")) == {260}
    assert ids(search(all_rows(), "99999999999999999999", "id")) == set()


@pytest.mark.parametrize(
    ("query", "by", "says"), [("(", "regex", "regular expression '\\('"), ("4", "hex", "hex"), ("x", "id", "id")]
)
def test_searches_that_cannot_be_read_are_explained(query: str, by: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        search(all_rows(), query, by)  # type: ignore[arg-type]


def test_a_stranger_s_expression_is_matched_where_patterns_are() -> None:
    """Never in the server: see `patterns_apart`."""
    asked = []

    def matcher(pattern: str, texts: Sequence[str], budget: object) -> list[splitting.Spans]:
        asked.append(pattern)
        return [[] for _ in texts]

    before = splitting.set_matcher(matcher)
    try:
        assert search(all_rows(), "(a+)+$", "regex") == []
    finally:
        splitting.set_matcher(before)
    assert asked == ["(a+)+$"]


@pytest.mark.parametrize("order", ["rank", "length", "count", "id"])
def test_orders(order: Order) -> None:
    rows = in_order(all_rows(), order)
    assert ids(rows) == ids(all_rows())
    ranks = [row.rank for row in rows if row.rank is not None]
    lengths, counts = [row.length for row in rows], [row.times or 0 for row in rows]
    assert {
        "rank": ranks == sorted(ranks) and rows[0].rank == 0,
        "length": lengths == sorted(lengths, reverse=True),
        "count": counts == sorted(counts, reverse=True),
        "id": [row.id for row in rows] == sorted(TOK.vocab),
    }[order]


def test_the_size_of_a_vocabulary() -> None:
    assert vocabulary_size(TOK) == VocabularySize(273, 16, 1, 256, 273)
    assert vocabulary_size("cl100k_base") == VocabularySize(100_261, 100_000, 5, 256, 100_277)  # tiktoken's n_vocab


def test_a_token_that_several_merges_make_is_counted_once() -> None:
    """As in files of Hugging Face: `abc` of `a` + `bc` and of `ab` + `c`."""
    vocab = {0: b"a", 1: b"b", 2: b"c", 3: b"ab", 4: b"bc", 5: b"abc"}
    tok = tokviz.BPETokenizer("x", vocab, {(0, 1): 3, (1, 2): 4, (3, 2): 5, (0, 4): 5})
    size = vocabulary_size(tok)
    assert (size.tokens, size.merged, size.alphabet, tok.num_merges) == (6, 3, 3, 4)


@cache
def audited_once() -> Audit:
    return tokviz.audit(TOK, ["the cat"])


@pytest.mark.parametrize("chosen", FILTERS)
def test_filters_agree_with_the_audit(chosen: Filter) -> None:
    audited = audited_once()
    tables = {
        "all": audited.rows,
        "in context": audited.in_context,
        "unreachable": audited.unreachable,
        "undecided": audited.undecided,
        "across words": audited.across_words,
        "unused": audited.unused,
        "glitches": audited.glitch_candidates,
    }
    assert passing(audited.rows, chosen) == {row.id for row in tables[chosen]}
