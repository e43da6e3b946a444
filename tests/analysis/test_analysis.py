"""Tables about texts and tokenizers, checked against counting item by item."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import reference
import regex
import strategies
from hypothesis import given
from hypothesis import strategies as st
from shipped import encoding_of, ranks_of, vocabulary_table
from strategies import examples
from tokenizer_files import family, opened, with_every_pair

import tokviz
from tokviz import pretrained
from tokviz.analysis.corpus import batches
from tokviz.analysis.cost import curves
from tokviz.analysis.cost.curves import doublings
from tokviz.analysis.cost.units import character_count, word_count
from tokviz.analysis.tables import to_csv
from tokviz.analysis.vocabulary.contents import token_kinds
from tokviz.pretokens import splitting
from tokviz.samples import parallel_passages, sample, samples
from tokviz.texts import repair
from tokviz.tokenizers.base import Tokenizer

ANNA = (Path(__file__).parents[2] / "tokviz" / "samples" / "training" / "anna-karenina.txt").read_text("utf-8")
HELLO = "Hello, 🌍! 你好!"
PROSE = "\n".join(each.text for each in parallel_passages())


@cache
def marked() -> tokviz.BPETokenizer:
    return tokviz.train("low low lowest newest widest, new", num_merges=6, alphabet="characters", end_of_word="_")


@cache
def trained() -> tokviz.BPETokenizer:
    return tokviz.train(PROSE, num_merges=300, split_pattern="gpt2")


@cache
def unsplit() -> tokviz.BPETokenizer:
    return tokviz.train(PROSE, num_merges=300)


TRAINED: dict[str, Callable[[], tokviz.BPETokenizer]] = {"split": trained, "no split": unsplit, "marks": marked}
KINDS: dict[str, Callable[[], Tokenizer]] = {
    "gpt2": lambda: tokviz.load("gpt2"),
    "o200k_base": lambda: tokviz.load("o200k_base"),
    "split": trained,
    "no split": unsplit,
    "characters": tokviz.CharacterTokenizer,
    "bytes": tokviz.ByteTokenizer,
    "words": lambda: tokviz.WordTokenizer.from_text("the end of a word"),
}


# ---------------------------------------------------------------- measure


def whole_words(text: str, tokenizer: Tokenizer) -> int:
    """Count the words that no token boundary cuts and no unknown word overlaps, by checking each word."""
    tokenization = tokenizer.tokenize(text)
    offsets = tokenization.byte_offsets.tolist()
    boundaries = set(offsets)
    unknown = [
        span
        for span, data, token in zip(pairwise(offsets), tokenization.token_bytes, tokenization.ids, strict=True)
        if isinstance(tokenizer, tokviz.WordTokenizer) and tokenizer.vocab[int(token)] == b"<unk>" != data.strip()
    ]
    spans = [[len(tokenization.text[:place].encode()) for place in span] for span in reference.words(tokenization.text)]
    return sum(
        boundaries.isdisjoint(range(start + 1, end)) and all(end <= one or other <= start for one, other in unknown)
        for start, end in spans
    )


@pytest.mark.parametrize("kind", KINDS)
def test_measure_agrees_with_counting(kind: str) -> None:
    tokenizer = KINDS[kind]()

    @examples(25, tokenizer.name)
    @given(strategies.texts())
    def check(text: str) -> None:
        (row,) = tokviz.measure(text, [tokenizer])
        repaired, _ = repair(text)
        assert row.tokens == len(tokenizer.encode(text))
        assert row.bytes == len(repaired.encode())
        assert row.characters == character_count(repaired)
        assert row.words == word_count(repaired)
        assert row.whole_words == (None if row.words is None else whole_words(text, tokenizer))
        assert row.bytes_per_token == (row.bytes / row.tokens if row.tokens else None)

    check()


@examples(60)
@given(st.lists(strategies.texts(), max_size=5), st.integers(1, 40))
def test_texts_of_one_name_are_counted_together_but_never_joined(texts: list[str], size: int) -> None:
    gpt2 = tokviz.load("gpt2")
    assert [text for batch in batches(texts, [gpt2], size) for text in batch] == [repair(text)[0] for text in texts]
    (row,) = tokviz.measure({"all": iter(texts)}, [gpt2])
    each = [tokviz.measure(text, [gpt2])[0] for text in texts]
    assert row.tokens == sum(one.tokens for one in each)
    assert row.bytes == sum(one.bytes for one in each)
    assert row.characters == sum(one.characters for one in each)
    if row.whole_words is not None:
        assert row.whole_words == sum(whole_words(text, gpt2) for text in texts)


def test_measuring_reads_an_iterator_once_and_a_batch_at_a_time() -> None:
    waiting = 0

    def texts() -> Iterator[str]:
        nonlocal waiting
        for _ in range(30):
            waiting += 1
            yield "many words " * 10_000

    def progress(done: int) -> None:
        nonlocal waiting
        seen.append(done)
        assert waiting <= 11  # a batch of a million code points, and the text that didn't fit
        waiting = 1

    seen: list[int] = []
    (row,) = tokviz.measure(texts(), ["gpt2"], progress=progress)
    assert row.bytes == 30 * 110_000 == seen[-1]
    assert seen == sorted(seen) and len(seen) > 2


@pytest.mark.parametrize("part", [2, 7, 1000])
def test_an_open_file_is_measured_as_the_whole(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokviz.texts._PART", part)
    resplit = tokviz.load("gpt2").with_split_pattern(r"\S+ ?")
    kinds = [*(make() for make in KINDS.values()), opened(family("roberta")), tokviz.load("cl100k_base"), resplit]

    @examples(25, part)
    @given(strategies.texts(max_size=60))
    def check(text: str) -> None:
        text += "\u0600 " * 9 + "a\tb 'll \n\n  x\r\n y.\n z"  # U+0600 joins the character after it
        for tok in kinds:
            assert tokviz.measure(io.StringIO(text, newline=""), [tok]) == tokviz.measure(text, [tok])
        file, whole = io.StringIO(text, newline=""), tokviz.token_frequencies(text, "o200k_base")
        assert tokviz.token_frequencies(file, "o200k_base") == whole
        for tok in (trained(), unsplit()):
            curve = tokviz.compression_curve(io.StringIO(text, newline=""), tok)
            assert curve.tokens.tolist() == tokviz.compression_curve(text, tok).tokens.tolist()

    check()


@pytest.mark.parametrize("pattern", tokviz.split_patterns)
def test_named_patterns_cut_a_text_as_they_cut_its_parts_before_spaces(pattern: str) -> None:
    @examples(150, pattern)
    @given(strategies.texts(), strategies.texts(), st.sampled_from(" \t"))
    def check(before: str, after: str, space: str) -> None:
        before, after = repair(before)[0], space + repair(after)[0]
        if before and regex.match(r"\S", before[-1]):
            cut = splitting.split(before + after, tokviz.split_patterns[pattern])
            parts = [splitting.split(part, tokviz.split_patterns[pattern]) for part in (before, after)]
            assert cut == parts[0] + parts[1]

    check()


def test_measuring_holds_a_part_of_a_file_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokviz.texts._PART", 100)
    monkeypatch.setattr("tokviz.analysis.corpus._BATCH", 100)

    class Watched(io.StringIO):
        given = 0

        def read(self, size: int | None = -1) -> str:
            assert size == 100
            part = super().read(size)
            self.given += len(part)
            return part

    def progress(done: int) -> None:
        assert file.given <= done + 200  # read but not yet measured

    file = Watched("some words " * 1000)
    (row,) = tokviz.measure(file, ["gpt2"], progress=progress)
    assert row.bytes == file.given == 11_000


def test_an_exception_in_progress_stops_the_work() -> None:
    class Stop(Exception):
        pass

    def stop(done: int) -> None:
        raise Stop

    for work in (tokviz.token_frequencies, tokviz.compression_curve):
        with pytest.raises(Stop):
            work("text", "gpt2", progress=stop)
    with pytest.raises(Stop):
        tokviz.measure("text", ["gpt2"], progress=stop)


def test_parity_is_relative_to_the_reference_under_the_same_tokenizer() -> None:
    texts = {each.name: each.text for each in parallel_passages()}
    names = ["gpt2", "o200k_base"]
    rows = tokviz.measure(texts, names, reference="prose-en")
    assert [(row.text, row.tokenizer) for row in rows] == [(text, name) for text in texts for name in names]
    for row in rows:
        tok = tokviz.load(row.tokenizer)
        assert row.parity == len(tok.encode(texts[row.text])) / len(tok.encode(texts["prose-en"]))


def test_figure_hello() -> None:
    (row,) = tokviz.measure(HELLO, ["gpt2"])
    assert row.bytes_per_token is not None and round(row.bytes_per_token, 3) == 1.667


def test_scripts_without_spaces_between_words_have_no_fertility() -> None:
    (row,) = tokviz.measure(sample("prose-th").text, ["gpt2"])
    assert (row.words, row.whole_words, row.fertility, row.whole_word_share) == (None, None, None, None)


def test_measuring_nothing_gives_no_ratios() -> None:
    (row,) = tokviz.measure({"nothing": ""}, ["gpt2"], reference="nothing")
    assert row == ("nothing", "gpt2", 0, 0, 0, 0, 0, None, None, None, None, None, 0)
    assert tokviz.measure({}, ["gpt2"]) == tokviz.measure("text", []) == []
    assert tokviz.measure([], ["gpt2"])[0].tokens == 0


def test_measure_refuses_invalid_arguments() -> None:
    with pytest.raises(ValueError, match="'en' is none of the texts: 'de'"):
        tokviz.measure({"de": "ja"}, ["gpt2"], reference="en")
    with pytest.raises(ValueError, match="there is no tokenizer or model called 'gtp2'"):
        tokviz.measure("text", ["gtp2"])
    with pytest.raises(TypeError, match="texts must be a str, or several of them, not bytes"):
        tokviz.measure(b"text", ["gpt2"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a text must be a str, not int"):
        tokviz.measure([1], ["gpt2"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="open it without 'b' in its mode"):
        tokviz.measure(io.BytesIO(b"text"), ["gpt2"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="texts must be a str, or several of them, not int"):
        tokviz.measure(Counter(["text"]), ["gpt2"])
    for count in (tokviz.token_frequencies, tokviz.compression_curve):
        with pytest.raises(TypeError, match=r"several of them, not Counter: take its values\(\)"):
            count(Counter(["text"]), "gpt2")


def test_tokenizers_with_the_same_name_are_numbered() -> None:
    tok = trained()
    rows = tokviz.measure({"a": "one", "b": "two"}, [tok, tok.with_split_pattern(None), "gpt2"])
    assert [row.tokenizer for row in rows] == 2 * [f"{tok.name} (1)", f"{tok.name} (2)", "gpt2 (3)"]
    rows = tokviz.measure("one", [tok, tok.with_name("mine")])
    assert [row.tokenizer for row in rows] == [tok.name, "mine"]


# ---------------------------------------------------------------- curves


@pytest.mark.parametrize(
    ("name", "places"), [("gpt2", [0, 1, 1000, 7777, 30_000]), ("cl100k_base", [0]), ("o200k_base", [1000])]
)
def test_the_curve_agrees_with_truncated_tokenizers(name: str, places: list[int]) -> None:
    tok = pretrained.load(name)
    texts = [each.text for each in samples()]
    curve = tokviz.compression_curve(texts, tok)
    assert curve.num_merges == len(ranks_of(name)) - 256
    assert curve.bytes == sum(len(text.encode()) for text in texts)
    assert curve.tokens[-1] == sum(len(encoding_of(name).encode_ordinary(text)) for text in texts)
    num_special = len(encoding_of(name).special_tokens_set)
    assert (curve.vocabulary[0], curve.vocabulary[-1]) == (256 + num_special, len(ranks_of(name)) + num_special)
    for k in places:
        cut = tok.cut(k)
        assert curve.tokens[k] == sum(len(cut.encode(text)) for text in texts), k
        assert curve.vocabulary[k] == len(cut.vocab)


def test_a_curve_needs_no_merges_of_tokens_that_the_text_does_not_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """The merges of a large vocabulary take seconds to recover; a page asks for the curves of three at once."""
    monkeypatch.delattr("tokviz.tokenizers.bpe.recover_merges")
    fresh = pretrained._load.__wrapped__("cl100k_base")  # not the one that all tests share
    assert curves.has_curve(fresh) and not fresh.takes_tokens_whole
    assert tokviz.compression_curve(PROSE, fresh).tokens[-1] == len(encoding_of("cl100k_base").encode_ordinary(PROSE))


@pytest.mark.parametrize("kind", TRAINED)
def test_the_curve_of_a_trained_tokenizer_is_right_at_every_merge(kind: str) -> None:
    tokenizer = TRAINED[kind]()
    text = PROSE[:800] if kind != "marks" else "newest lowest wide, lewd"
    curve = tokviz.compression_curve(text, tokenizer)
    for k in range(tokenizer.num_merges + 1):
        cut = tokenizer.cut(k)
        assert curve.tokens[k] == len(cut.encode(text))
        assert curve.vocabulary[k] == len(cut.vocab)
    saved = [0, *(before - after for before, after in pairwise(curve.tokens.tolist()))]
    assert [point.saved for point in curve.table(range(tokenizer.num_merges + 1))] == saved


@examples(40)
@given(strategies.corpora(), st.sampled_from([None, "gpt2", "words"]), st.booleans(), strategies.texts())
def test_the_curve_agrees_with_the_reference_implementation(
    texts: list[str], pattern: str | None, split: bool, text: str
) -> None:
    learned = reference.train(texts, split_pattern=pattern and tokviz.split_patterns[pattern], num_merges=8)
    tok = tokviz.train(texts, split_pattern=pattern, num_merges=8)
    curve = tokviz.compression_curve([text, *texts] if split else text, tok)
    for k in range(tok.num_merges + 1):
        tokens = sum(len(reference.state(learned, each, k)) for each in ([text, *texts] if split else [text]))
        assert curve.tokens[k] == tokens


@examples(40)
@given(strategies.corpora(), st.sampled_from(["bytes", "seen-bytes", "characters", "marks"]))
def test_the_curve_from_the_history_is_that_of_the_training_text(texts: list[str], kind: str) -> None:
    marks = kind == "marks"
    alphabet = "characters" if marks else kind
    tok = tokviz.train(texts, alphabet=alphabet, end_of_word="_" if marks else None, num_merges=12)  # type: ignore[arg-type]
    from_history, from_text = tokviz.compression_curve(None, tok), tokviz.compression_curve(texts, tok)
    assert from_history.tokens.tolist() == from_text.tokens.tolist()
    assert from_history.bytes == from_text.bytes
    assert from_history.vocabulary.tolist() == from_text.vocabulary.tolist()


def test_a_single_tokenizer_is_refused_where_a_list_is_needed() -> None:
    for single in ("gpt2", tokviz.ByteTokenizer(), {"gpt2": "mine"}, 5):
        with pytest.raises(TypeError, match="a list of names or tokenizers"):
            tokviz.measure("text", single)  # type: ignore[arg-type]


def test_special_tokens_are_not_part_of_the_history() -> None:
    tok = tokviz.train("aaab<s>aab", num_merges=2, special_tokens=["<s>"])
    curve, cut = tokviz.compression_curve(None, tok), tokviz.compression_curve(["aaab", "aab"], tok)
    assert (curve.bytes, curve.tokens.tolist()) == (7, cut.tokens.tolist())


def test_figure_anna_karenina() -> None:
    curve = tokviz.compression_curve(ANNA, tokviz.train(ANNA, num_merges=20))
    assert (curve.tokens[0], curve.tokens[20]) == (1163, 821)
    (point,) = curve.table([20])
    assert point.bytes_per_token is not None and round(point.bytes_per_token, 2) == 1.42
    assert point.saved == curve.tokens[19] - 821
    assert point.saved_by_doubling == (curve.tokens[10] - 821) / curve.tokens[10]


def test_merges_that_make_the_same_token_are_distinguished() -> None:
    vocab = dict(enumerate(b"%c" % byte for byte in b"abc")) | {3: b"ab", 4: b"bc", 5: b"abc"}
    tok = tokviz.BPETokenizer("twice", vocab, {(0, 1): 3, (1, 2): 4, (0, 4): 5, (3, 2): 5})
    texts = ["abc", "abcbc", "ab"]
    curve = tokviz.compression_curve(texts, tok)
    assert curve.tokens.tolist() == [sum(len(tok.cut(k).encode(text)) for text in texts) for k in range(5)]
    assert curve.vocabulary.tolist() == [3, 4, 5, 6, 6]


def test_there_is_no_curve_without_merges_in_order_or_history() -> None:
    with pytest.raises(ValueError, match="Bytes has no merges"):
        tokviz.compression_curve("text", tokviz.ByteTokenizer())
    with pytest.raises(ValueError, match="bert-base-uncased has no merges"):
        tokviz.compression_curve("text", "bert-base-uncased")
    for name in ("qwen3", "mistral-7b"):
        with pytest.raises(ValueError, match=f"^another library applies the merges of {name}: curves need byte pair"):
            tokviz.compression_curve("text", name)
    with pytest.raises(ValueError, match="gpt2 was not trained here"):
        tokviz.compression_curve(None, "gpt2")
    unordered = tokviz.BPETokenizer("odd", {0: b"a", 1: b"b", 2: b"ab", 3: b"abb"}, {(2, 1): 3, (0, 1): 2})
    with pytest.raises(ValueError, match="odd does not apply its merges in rank order"):
        tokviz.compression_curve("abb", unordered)
    with pytest.raises(ValueError, match="there is no point at 21"):
        tokviz.compression_curve(ANNA, tokviz.train(ANNA, num_merges=20)).table([21])


def test_pairs_that_are_never_merged_do_not_affect_the_curve() -> None:
    tok = tokviz.train(PROSE, num_merges=400, split_pattern="gpt2")
    listed = with_every_pair(tok)
    curve = tokviz.compression_curve(PROSE, listed)
    assert curve.num_merges == len(listed.merges) > 400
    for k in range(0, curve.num_merges + 1, 9):
        cut = listed.cut(k)
        assert curve.tokens[k] == len(cut.encode(PROSE))
        assert curve.vocabulary[k] == len(cut.vocab)


BYTES = {value: bytes([value]) for value in range(256)}


def test_there_is_no_curve_where_a_vocabulary_is_out_of_order_or_tokens_are_taken_whole() -> None:
    unordered = tokviz.BPETokenizer("odd", BYTES | {256: b"abc", 257: b"ab"})
    assert unordered.merges == {(257, 99): 256, (97, 98): 257}
    whole = tokviz.BPETokenizer(
        "whole",
        BYTES | {256: b"bc", 257: b"ab", 258: b"abc"},
        {(98, 99): 256, (97, 98): 257, (257, 99): 258},
        ignore_merges=True,
    )
    for tok in (unordered, whole):
        with pytest.raises(ValueError, match="not apply its merges in rank order"):
            tokviz.compression_curve("xabcab", tok)


def test_a_token_that_is_never_merged_has_no_firings() -> None:
    tok = tokviz.BPETokenizer("gap", BYTES | {256: b"ab", 257: b"xyz"})
    assert tok.num_merges == len(tok.merges) == 1
    curve = tokviz.compression_curve("abxyz", tok)
    assert curve.tokens.tolist() == [len(tok.cut(k).encode("abxyz")) for k in range(2)] == [5, 4]
    assert [tok.parents(token) for token in (97, 256, 257)] == [(), (97, 98), ()]
    assert tokviz.load("gpt2").parents(0) == ()


def test_the_curve_of_an_empty_text() -> None:
    curve = tokviz.compression_curve("", "gpt2")
    assert curve.bytes == curve.tokens.sum() == 0
    assert curve.diminishing_from() is None
    found = {(point.tokens, point.bytes_per_token, point.saved_by_doubling) for point in curve.table()}
    assert found == {(0, None, 0.0)}


@examples(60)
@given(st.lists(st.integers(0, 30), max_size=24), st.sampled_from([0.05, 0.2]))
def test_the_point_of_diminishing_returns(places: list[int], share: float) -> None:
    tokens = [sum(places[k:]) + 7 for k in range(len(places) + 1)]
    curve = tokviz.CompressionCurve("made up", 0, np.array(tokens), np.arange(len(tokens)))

    def pays(k: int) -> bool:
        return any(1 - tokens[more] / tokens[k] >= share for more in (2 * k, 2 * k + 1) if more < len(tokens))

    paying = [k for k in range(len(tokens)) if pays(k)]
    point = max(paying, default=0) + 1
    assert curve.diminishing_from(share) == (point if paying and 2 * point < len(tokens) else None)


@examples(50)
@given(st.integers(0, 300_000))
def test_doublings(most: int) -> None:
    found = doublings(most)
    assert found[0] == 0 and found[-1] == most
    assert all(2 * a == b for a, b in zip(found[1:-2], found[2:-1], strict=True))


def test_vocabulary_costs() -> None:
    curve = tokviz.compression_curve("hello" * 1000, "gpt2")
    small, large = tokviz.vocabulary_costs(curve, width=768, context=1024, merges=[0, 50000])
    # GPT-2 small's embedding has 50257 x 768 parameters.
    assert (large.vocabulary, large.parameters) == (50257, 38_597_376)
    assert (small.tokens, small.windows) == (5000, 5)
    assert small.attention == sum(token % 1024 + 1 for token in range(5000))
    assert tokviz.vocabulary_costs(curve, width=768, context=1024, tied=False)[-1].parameters == 2 * large.parameters
    with pytest.raises(ValueError, match="1 or more, not 0"):
        tokviz.vocabulary_costs(curve, width=0, context=1024)


# ---------------------------------------------------------------- token frequencies


@pytest.mark.parametrize("kind", KINDS)
def test_frequencies_are_those_of_the_encoding(kind: str) -> None:
    tokenizer = KINDS[kind]()
    texts = [PROSE, "", ANNA]
    rows = tokviz.token_frequencies(iter(texts), tokenizer)
    counted = Counter(token for text in texts for token in tokenizer.encode(text))
    assert {row.id: row.frequency for row in rows} == counted
    assert [row.place for row in rows] == [*range(1, len(counted) + 1)]
    assert [(-row.frequency, row.id) for row in rows] == sorted((-row.frequency, row.id) for row in rows)
    assert all(row.bytes == tokenizer.vocab[row.id] for row in rows)
    assert all((row.text or "").encode() == row.bytes for row in rows if is_text(row.bytes))
    assert all(row.text is None for row in rows if not is_text(row.bytes))
    assert sum(row.share for row in rows) == pytest.approx(1)


def test_an_empty_text_has_no_frequencies() -> None:
    assert tokviz.token_frequencies("", "gpt2") == tokviz.token_frequencies([], "gpt2") == []


# ---------------------------------------------------------------- vocabulary contents


def is_text(data: bytes) -> bool:
    try:
        return bool(data.decode())
    except UnicodeDecodeError:
        return False


@pytest.mark.parametrize("kind", ["gpt2", *TRAINED])
def test_the_vocabulary_table_lists_every_token(kind: str) -> None:
    tok = TRAINED[kind]() if kind in TRAINED else pretrained.load(kind)
    rows = vocabulary_table(kind) if kind == "gpt2" else tokviz.vocabulary_table(tok)
    kinds = token_kinds(tok)
    assert {row.id: row.bytes for row in rows} == dict(tok.vocab)
    assert {row.rank: row.id for row in rows if row.rank is not None} == dict(enumerate(tok.merges.values()))
    for row in rows:
        special = row.id in tok.special_tokens.values()
        assert row.text == (row.bytes.decode() if is_text(row.bytes) else None)
        assert (row.reached is None) == (special or row.text is None)
        assert row.kind == kinds[row.id]
        assert (row.kind == "special tokens") == special
        assert (row.kind == "parts of characters") == bool(row.text is None and row.bytes)
        assert (row.kind == "end of a word") == (not row.bytes)
        if row.reached is not None:
            assert row.reached == (row.id in tok.encode(row.text or ""))


# Figures from the notes on other tools.
@pytest.mark.parametrize("name, partial", [("gpt2", 344), ("cl100k_base", 773)])
def test_figure_tokens_that_are_not_text(name: str, partial: int) -> None:
    assert sum(row.kind == "parts of characters" for row in vocabulary_table(name)) == partial


def test_kinds_of_tokens() -> None:
    tok = tokviz.load("o200k_base")
    kinds = token_kinds(tok)
    for text, kind in {
        " hello": "Latin letters",
        " мир": "Cyrillic letters",
        "ि": "Devanagari letters",
        "123": "numbers",
        "\n\n": "white space",
        " //": "punctuation and symbols",
        "😊": "emoji",
        "'s": "punctuation and symbols",
    }.items():
        [token] = tok.encode(text)
        assert kinds[token] == kind, text


# ---------------------------------------------------------------- files


def test_a_table_as_csv_reads_back() -> None:
    rows = vocabulary_table("gpt2")
    assert rows[220].text == " "
    read = list(csv.reader(io.StringIO(to_csv(rows), newline="")))
    assert read[0] == ["id", "rank", "bytes", "text", "kind", "reached"]
    found = [(int(row[0]), bytes.fromhex(row[2]), row[3]) for row in read[1:]]
    assert found == [(row.id, row.bytes, row.text or "") for row in rows]
    assert to_csv([]) == ""
