"""Text positions in bytes, code points, UTF-16 units and grapheme clusters, compared with counting by character."""

import threading
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from graphemes import grapheme_borders
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz.analysis.cost.units import character_count, word_count
from tokviz.positions import grapheme_offsets
from tokviz.texts import distinct, in_pieces, repair

texts_of_all_kinds = st.text(st.sampled_from("ab é你🍕\u0301\u200d\u200b\r\n🇫🇷🇩👍🏽क्ष\ufeff\x00")) | st.text()
check_many = examples(300)


@check_many
@given(texts_of_all_kinds)
def test_offsets_count_completed_characters(text: str) -> None:
    repaired, _ = repair(text)
    tokenization = tokviz.ByteTokenizer().tokenize(text)
    code_points, utf16, inside = [0], [0], [False]
    for char in repaired:
        size = len(char.encode())
        code_points += [code_points[-1]] * (size - 1) + [code_points[-1] + 1]
        utf16 += [utf16[-1]] * (size - 1) + [utf16[-1] + len(char.encode("utf-16-le")) // 2]
        inside += [True] * (size - 1) + [False]
    assert tokenization.code_point_offsets.tolist() == code_points
    assert tokenization.utf16_offsets.tolist() == utf16
    assert tokenization.inside_character.tolist() == inside


@check_many
@given(texts_of_all_kinds)
@example("क्षि क्\u200dष क्\u200cष अ्क 1्क ្ត ស្ត ുക്ക")
@example("\u0301्क क\u0301्\u0301ष")
def test_graphemes_follow_unicode_rules(text: str) -> None:
    repaired, _ = repair(text)
    assert grapheme_offsets(repaired).tolist() == grapheme_borders(repaired)


def test_graphemes_by_hand() -> None:
    text = "e\u0301" + "👨‍👩‍👧" + "🇫🇷🇩🇪🇯" + "\r\n" + "👍🏽" + "क्षि"
    offsets = grapheme_offsets(text).tolist()
    assert [text[a:b] for a, b in zip(offsets, offsets[1:], strict=False)] == [
        "e\u0301", "👨‍👩‍👧", "🇫🇷", "🇩🇪", "🇯", "\r\n", "👍🏽", "क्षि",
    ]  # fmt: skip


def test_many_flags_take_linear_time() -> None:
    """`regex` alone needs more than a minute for 100,000 flags, so this test hangs if it fails."""
    assert len(grapheme_offsets("🇫🇷" * 100_000)) == 100_001


def test_repair_joins_pairs_and_replaces_lone_surrogates() -> None:
    assert repair("plain é 🍕") == ("plain é 🍕", 0)
    assert repair("\ud83c\udf55") == ("🍕", 0)
    assert repair("a\ud83cb\udf55\ufffd\ud83c") == ("a\ufffdb\ufffd\ufffd\ufffd", 3)
    assert repair("\ufeff\ud800") == ("\ufeff\ufffd", 1)


@given(texts_of_all_kinds, st.integers(1, 9))
def test_pieces_join_to_the_text_and_distinct_equals_set(text: str, size: int) -> None:
    pieces = list(in_pieces(text, size))
    assert "".join(pieces) == text
    assert all(len(piece) == size for piece in pieces[:-1])
    assert distinct(text) == set(text)


@pytest.mark.parametrize("count", [distinct, character_count, word_count])
def test_other_threads_run_while_a_long_text_is_processed(count: Callable[[str], object]) -> None:
    """A loop in C would block other threads until it ends."""
    text = "é" + "a" * 5_000_000
    started = time.perf_counter()
    ticks = [started]
    counting = threading.Thread(target=count, args=(text,))
    counting.start()
    while counting.is_alive():
        ticks.append(time.perf_counter())
    assert max(later - earlier for earlier, later in pairwise(ticks)) < (ticks[-1] - started) / 2
