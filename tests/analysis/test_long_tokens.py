"""Tokens too long to be merged one by one: what their parts tell is what merging their symbols gives."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.analysis.vocabulary import contents as vocabulary
from tokviz.bpe.merging import Merges
from tokviz.tokenizers import bpe


@st.composite
def merges_in_order(draw: st.DrawFn) -> dict[tuple[int, int], int]:
    """Merges of few letters, each of symbols made before: many of them are in each other's way."""
    symbols, merges = [97, 98], {}
    for new in range(256, 256 + draw(st.integers(1, 14))):
        pair = draw(st.sampled_from(symbols)), draw(st.sampled_from(symbols))
        if pair not in merges:
            merges[pair] = new
            symbols.append(new)
    return merges


def tokenizer(merges: dict[tuple[int, int], int], split_pattern: str | None = None) -> tokviz.BPETokenizer:
    vocab = {value: bytes([value]) for value in range(256)}
    for (left, right), new in merges.items():
        vocab[new] = vocab[left] + vocab[right]
    return tokviz.BPETokenizer("random", vocab, merges, split_pattern=split_pattern)


@pytest.mark.parametrize("split_pattern", [None, "gpt2", "a+|b+|aab"])
def test_what_the_parts_of_a_token_tell_is_what_merging_it_gives(split_pattern: str | None) -> None:
    @examples(100, split_pattern)
    @given(merges_in_order())
    def check(merges: dict[tuple[int, int], int]) -> None:
        plain = tokenizer(merges, split_pattern)
        expected = {new: rank for rank, new in enumerate(merges.values()) if plain.merge_alone(new) == (new,)}
        reached = {row.id: row.reached for row in tokviz.vocabulary_table(plain)}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(bpe, "_LONG", 1)
            patch.setattr(vocabulary, "_LONG", 1)
            by_parts = tokenizer(merges, split_pattern)
            assert by_parts.ranks == expected
            assert {row.id: row.reached for row in tokviz.vocabulary_table(by_parts)} == reached

    check()


def test_a_file_whose_tokens_double_is_listed_without_merging_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "doubling.model"
    pairs = [(97, 97), *((new, new) for new in range(256, 272))]
    file.write_text("minbpe v1\n\n0\n" + "".join(f"{left} {right}\n" for left, right in pairs))
    merged: list[int] = []

    def counting(merge: Any) -> Any:
        def counted(symbols: Sequence[int], merges: Merges) -> Any:
            merged.append(len(symbols))
            return merge(symbols, merges)

        return counted

    tok = tokviz.open(file)
    for module, name in ((bpe, "apply_merges"), (bpe, "merge_symbols")):
        monkeypatch.setattr(module, name, counting(getattr(module, name)))
    rows = tokviz.vocabulary_table(tok)
    assert [(len(row.bytes), row.rank, row.reached) for row in rows[256:]] == [
        (2 ** (rank + 1), rank, True) for rank in range(len(pairs))
    ]
    assert sum(merged) < 10_000 < len(rows[-1].bytes)
