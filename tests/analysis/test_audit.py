"""Audits: every table against a plain scan of the vocabulary and of the encoded texts."""

import re
from base64 import b64encode
from collections import Counter
from functools import cache

import pytest
from engine_files import family

import tokviz
from tokviz import formats
from tokviz.analysis.vocabulary.audit import goes_across_words
from tokviz.analysis.vocabulary.reach import Reach
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

JUNK = " RandomJunkName"
TEXTS = ["the cat sat on the mat, and the cat in the hat sat with the cat that sat", "a cat, a hat, a mat"]
TOK = tokviz.train(
    [*TEXTS * 4, JUNK * 3], num_merges=50, split_pattern="gpt2", special_tokens=["<s>"], tie_break="lowest-ids"
)


@cache
def whole_audit() -> tokviz.Audit:
    return tokviz.audit(TOK, TEXTS)


def test_each_row_agrees_with_the_other_tables() -> None:
    counts = Counter(token for text in TEXTS for token in TOK.encode(text))
    table, reach = tokviz.vocabulary_table(TOK), tokviz.token_reach(TOK)
    assert [row[:5] for row in whole_audit().rows] == [entry[:5] for entry in table]
    assert [(row.reach, row.witness, row.reason) for row in whole_audit().rows] == [row[2:] for row in reach]
    assert {row.id: row.times for row in whole_audit().rows if row.times} == counts
    assert (whole_audit().text_bytes, whole_audit().text_tokens) == (sum(map(len, TEXTS)), counts.total())


def test_tables_by_reach_partition_the_vocabulary() -> None:
    audited = whole_audit()
    parts = [audited.reached(Reach.OWN_TEXT), audited.in_context, audited.unreachable, audited.undecided]
    assert sorted(row.id for part in parts for row in part) == sorted(TOK.vocab)
    assert all(row.reason for row in audited.unreachable) and all(row.witness for row in audited.in_context)


def test_undecided_tokens_are_not_called_unreachable() -> None:
    """`aa` is cut out whole only before a `b` and a space, which the search for witnesses doesn't try."""
    vocab = {0: b"a", 1: b"b", 2: b" ", 3: b"aa"}
    tok = tokviz.BPETokenizer("far", vocab, {(0, 0): 3}, split_pattern="a+b+(?= )|.", units="characters")
    audited = tokviz.audit(tok, ["ab"])
    assert [row.id for row in audited.undecided] == [3] and audited.unreachable == []
    assert "undecided, no text found: 1 (“aa”)" in str(audited)
    assert [row.id for row in audited.unused] == [2, 3]


def test_a_token_that_was_learned_and_is_never_used_is_a_candidate() -> None:
    [junk] = [row for row in whole_audit().rows if row.bytes == JUNK.encode()]
    assert junk in whole_audit().glitch_candidates
    used = {row.id for row in whole_audit().rows if row.times}
    explained = used | {part for token in used for part in parts_of(token)}
    learned = sorted((row for row in whole_audit().rows if row.rank is not None), key=lambda row: row.rank or 0)
    average = sum(len(row.bytes) for row in learned) / len(learned)
    expected = set()
    for place, row in enumerate(learned):
        known = sum(other.id in explained for other in learned[:place])
        if row.id not in explained and len(row.bytes) > average and row.witness is not None and 0 < place <= 2 * known:
            expected.add(row.id)
    assert {row.id for row in whole_audit().rows if row.glitch} == expected
    assert not tokviz.audit(TOK, [*TEXTS, JUNK]).glitch_candidates


def parts_of(token: int) -> set[int]:
    tree = TOK.tree(token)
    if tree.left is None or tree.right is None:
        return set()
    return {tree.left.id, tree.right.id} | parts_of(tree.left.id) | parts_of(tree.right.id)


def test_unused_tokens_are_neither_special_nor_unreachable() -> None:
    used = {token for text in TEXTS for token in TOK.encode(text)}
    excluded = {*TOK.special_tokens.values(), *(row.id for row in whole_audit().unreachable)}
    assert [row.id for row in whole_audit().unused] == sorted(TOK.vocab.keys() - used - excluded)


@pytest.mark.parametrize(
    "text", ["of the", "the. And", "a\nb", " a", "a ", ") {", "a  1", "x", "é è", ", the", "a" + " " * 30_000, None]
)
def test_tokens_across_words(text: str | None) -> None:
    words = [word for word in re.split(r"\s+", text or "") if any(char.isalnum() for char in word)]
    assert goes_across_words(text) == (len(words) > 1)


def test_a_token_without_bytes_is_named_by_its_id() -> None:
    """As the last of Whisper's `multilingual.tiktoken`."""
    lines = [f"{b64encode(bytes([value])).decode()} {value}" for value in range(256)]
    tok = formats.read({"some.tiktoken": "\n".join([*lines, "= 256"]).encode()}, split_pattern="gpt2")
    assert "token 256, without bytes" in str(tokviz.audit(tok))


def test_tokens_across_words_are_listed() -> None:
    tok = tokviz.train("of the cat of the hat", num_merges=8)  # no split pattern
    found = {row.id for row in tokviz.audit(tok).across_words}
    assert found == {token for token, data in tok.vocab.items() if len(data.split()) > 1}
    assert found


def test_kinds_add_up() -> None:
    kinds = whole_audit().by_script
    assert sum(kind.tokens for kind in kinds) == len(whole_audit().rows)
    assert sum(kind.used for kind in kinds) == sum(row.times > 0 for row in whole_audit().rows)
    assert sum(kind.unreachable for kind in kinds) == len(whole_audit().unreachable)
    assert [kind.tokens for kind in kinds] == sorted((kind.tokens for kind in kinds), reverse=True)


def test_an_audit_without_texts_says_nothing_of_use() -> None:
    audited = tokviz.audit(TOK)
    assert (audited.unused, audited.glitch_candidates) == ([], [])
    assert "used" not in str(audited) and "used" in str(whole_audit())


def test_other_tokenizers_are_audited() -> None:
    words = tokviz.audit(tokviz.WordTokenizer(["a", "b"]), ["a c"])
    assert [row.times for row in words.rows] == [1, 0, 2] and words.glitch_candidates == []


def test_pieces_for_bytes_are_not_named_like_characters() -> None:
    tok = HuggingFaceTokenizer("bytes", family("llama2"))
    audited = tokviz.audit(tok)
    byte_ids = {tok.library.opened.token_to_id(f"<0x{value:02X}>"): value for value in range(256)}
    named = re.findall(r"byte ([0-9a-f]{2})\b", str(audited).split("unreachable")[1].splitlines()[0])
    expected = [f"{byte_ids[row.id]:02x}" for row in audited.unreachable[:5] if row.id in byte_ids]
    assert named == expected and named
