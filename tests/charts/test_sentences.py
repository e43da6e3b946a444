"""Sentences beside charts: each is what tiktoken, or counting by hand, says of the same data."""

import re
from collections import Counter
from functools import cache

import pytest
import reference
import regex
import tiktoken
from every_chart import NAMES
from shipped import vocabulary_table

import tokviz
from tokviz.analysis.vocabulary.contents import count_kinds, count_kinds_by_rank, count_lengths
from tokviz.charts.data_formats import code_chart, digits_chart, formats_brief, formats_chart
from tokviz.charts.languages import languages_brief, languages_chart
from tokviz.charts.merges import compression_chart, merges_brief
from tokviz.charts.this_text import MEASURES, suits_brief, suits_chart
from tokviz.charts.token_use import frequencies_chart, token_use_brief
from tokviz.charts.vocabulary import kinds_chart, lengths_chart, ranks_chart, vocabulary_brief
from tokviz.charts.vocabulary_size import vocabulary_chart, vocabulary_size_brief
from tokviz.samples import parallel_passages, sample, samples

TEXT = "\n\n".join([sample("prose-en").text, *(each.text for each in samples() if each.kind == "code")])
SIZE = len(TEXT.encode())
WORDS = [
    (line.start() + start, line.start() + end)
    for line in re.finditer(".+", TEXT)
    for start, end in reference.words(line[0])
]


@cache
def judge(name: str, merges: int | None = None) -> tiktoken.Encoding:
    """tiktoken with a vocabulary, or with its first merges only."""
    tok = tokviz.load(name)
    specials = set(tok.special_tokens.values())
    ranks = {data: token for token, data in tok.vocab.items() if token not in specials}
    if merges is not None:
        later = set(sorted((data for data in ranks if len(data) > 1), key=ranks.__getitem__)[merges:])
        ranks = {data: token for data, token in ranks.items() if data not in later}
    assert tok.split_pattern is not None
    return tiktoken.Encoding(name, pat_str=tok.split_pattern, mergeable_ranks=ranks, special_tokens={})


@cache
def count(name: str, text: str, merges: int | None = None) -> int:
    return len(judge(name, merges).encode_ordinary(text))


@cache
def curves() -> dict[str, tokviz.CompressionCurve]:
    return {name: tokviz.compression_curve(TEXT, name) for name in NAMES}


def line_of(answer: str, name: str) -> str:
    [found] = [line for line in answer.split("\n") if line.startswith(f"{name}:")]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_what_merges_buy(name: str) -> None:
    line = line_of(compression_chart(curves()).answer, name)
    merges = tokviz.load(name).num_merges
    tokens = count(name, TEXT)
    start = f"{name}: {merges:,} merges turn {SIZE:,} bytes into {tokens:,} tokens, {100 * tokens / SIZE:.1f} %"
    assert line.startswith(start)
    found = re.search(r"from ([\d,]+) merges on \(outlined\), twice as many save less than 5 %", line)
    if found is None:  # the second half of the merges saves that much
        assert count(name, TEXT, merges // 2) - tokens >= 0.05 * count(name, TEXT, merges // 2)
        return
    point = int(found[1].replace(",", ""))
    before, after = point - 1, point

    def saved(k: int, doubled: int) -> float:
        return 1 - count(name, TEXT, doubled) / count(name, TEXT, k)

    assert max(saved(before, 2 * before), saved(before, 2 * before + 1)) >= 0.05
    for k in {after, (after + merges // 2) // 2, merges // 2}:
        assert saved(k, 2 * k) < 0.05


def test_what_merges_buy_in_a_line() -> None:
    best = min(NAMES, key=lambda name: count(name, TEXT))
    merges, tokens = tokviz.load(best).num_merges, count(best, TEXT)
    share = f"{100 * tokens / SIZE:.1f} %"
    assert merges_brief(curves()) == f"{best}: {merges:,} merges turn {SIZE:,} bytes into {tokens:,} tokens, {share}."


@pytest.mark.parametrize("name", NAMES)
def test_what_a_larger_vocabulary_costs(name: str) -> None:
    costs = {each: tokviz.vocabulary_costs(curve, width=768, context=1024) for each, curve in curves().items()}
    line = line_of(vocabulary_chart(costs).answer, name)
    found = re.search(
        r"the last ([\d,]+) of ([\d,]+) tokens take ([\d.]+)M parameters and "
        r"make the text ([\d.]+) % shorter: ([\d,]+) tokens instead of ([\d,]+)\.$",
        line,
    )
    assert found, line
    tok = tokviz.load(name)
    all_merges, last = tok.num_merges, len(tok.vocab)
    merges = min(power for power in (2**k for k in range(20)) if 2 * power >= all_merges)
    assert [found[1], found[2]] == [f"{all_merges - merges:,}", f"{last:,}"]
    assert found[3] == f"{768 * (all_merges - merges) / 1e6:.1f}"
    with_half, with_all = count(name, TEXT, merges), count(name, TEXT)
    assert found[4] == f"{100 * (1 - with_all / with_half):.1f}"
    assert [found[5], found[6]] == [f"{with_all:,}", f"{with_half:,}"]
    brief = vocabulary_size_brief({name: costs[name]})
    assert brief == f"{name}: the last {all_merges - merges:,} of {last:,} tokens make the text {found[4]} % shorter."


def test_a_larger_vocabulary_may_make_no_difference() -> None:
    curve = {"GPT-2": tokviz.compression_curve("It is the end.", "gpt2")}
    costs = {name: tokviz.vocabulary_costs(each, width=768, context=1024) for name, each in curve.items()}
    assert vocabulary_size_brief(costs).endswith(" tokens make no difference to this text.")
    assert vocabulary_chart(costs).answer.endswith("no difference to this text of 5 tokens.")
    # One token of many is less than what one decimal shows.
    before, last = costs["GPT-2"][-2:]
    rows = [*costs["GPT-2"][:-2], before._replace(tokens=10_000), last._replace(tokens=9_999)]
    assert vocabulary_size_brief({"GPT-2": rows}).endswith(" make the text less than 0.1 % shorter.")


def test_what_the_largest_vocabulary_costs_in_a_line() -> None:
    costs = {each: tokviz.vocabulary_costs(curve, width=768, context=1024) for each, curve in curves().items()}
    largest = max(NAMES, key=lambda name: max(tokviz.load(name).vocab))
    assert vocabulary_size_brief(costs) == vocabulary_size_brief({largest: costs[largest]})


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.column)
def test_which_tokenizer_suits(measure: object) -> None:
    rows = tokviz.measure(TEXT, NAMES)
    by_measure = {
        "bytes_per_token": lambda name: SIZE / count(name, TEXT),
        "fertility": lambda name: count(name, TEXT) / len(WORDS),
        "tokens_per_character": lambda name: count(name, TEXT) / len(TEXT),
        "whole_word_share": whole_words,
    }
    value = by_measure[measure.column]  # type: ignore[attr-defined]
    choose = max if measure.more_is_better else min  # type: ignore[attr-defined]
    best = choose(NAMES, key=value)
    assert f": {best} is best with {value(best):.2f}." in suits_chart(rows, measure).answer  # type: ignore[arg-type]


def whole_words(name: str) -> float:
    """Percent of the words with no token border inside."""
    borders, end = set(), 0
    for data in judge(name).decode_tokens_bytes(judge(name).encode_ordinary(TEXT)):
        end += len(data)
        borders.add(end)
    words = [tuple(len(TEXT[:place].encode()) for place in span) for span in WORDS]
    return 100 * sum(not any(start < border < stop for border in borders) for start, stop in words) / len(words)


def test_which_tokenizer_suits_in_a_line() -> None:
    least, most = sorted(NAMES, key=lambda name: count(name, TEXT))
    rows = tokviz.measure(TEXT, NAMES)
    assert suits_brief(rows) == f"{least} takes {count(least, TEXT):,} tokens, {most} {count(most, TEXT):,}."


def passages() -> dict[str, str]:
    return {each.title.split(" · ")[0]: each.text for each in parallel_passages()}


def test_which_languages_pay_more() -> None:
    texts = passages()
    rows = tokviz.measure(texts, NAMES, reference="English")
    dearest = {}
    for name in NAMES:
        times = {language: count(name, text) / count(name, texts["English"]) for language, text in texts.items()}
        language = max(times, key=times.__getitem__)
        dearest[name] = language, times[language]
        expected = f"{name}: {language} takes most, {times[language]:.2f} times as many tokens as English."
        assert line_of(languages_chart(rows, "English").answer, name) == expected
    first, last = sorted(dearest, key=lambda name: -dearest[name][1])
    (language, most), (other, fewer) = dearest[first], dearest[last]
    assert languages_brief(rows, "English") == (
        f"{language} takes {most:.1f} times the tokens of English in {first}; in {last}, "
        f"{'it' if other == language else other} takes most, {fewer:.1f} times."
    )


def test_which_formats_pay_more() -> None:
    data = {each.title: each.text for each in samples() if each.kind == "data"}
    rows = tokviz.measure(data, NAMES)
    apart = {}
    for name in NAMES:
        counts = {title: count(name, text) for title, text in data.items()}
        least, most = min(counts, key=counts.__getitem__), max(counts, key=counts.__getitem__)
        expected = f"{name}: {least} takes least ({counts[least]:,}), {most} most ({counts[most]:,})."
        assert line_of(formats_chart(rows).answer, name) == expected
        brief = f"{name}: {most} takes {counts[most]:,} tokens, the same data as {least} {counts[least]:,}."
        apart[counts[most] / counts[least]] = brief
    assert formats_brief(rows) == apart[max(apart)]


def test_what_code_costs() -> None:
    texts = {
        "English prose": sample("prose-en").text,
        **{each.title: each.text for each in samples() if each.kind == "code"},
    }
    answer = code_chart(tokviz.measure(texts, NAMES)).answer
    for name in NAMES:
        prose, *code = [(len(text.encode()) / count(name, text), title) for title, text in texts.items()]
        (low, dearest), (high, cheapest) = min(code), max(code)
        assert line_of(answer, name) == (
            f"{name}: English prose has {prose[0]:.2f} bytes per token; code has from {low:.2f} ({dearest}) to "
            f"{high:.2f} ({cheapest})."
        )


def test_how_numbers_are_cut() -> None:
    number = sample("numbers-digits").text.split("\n")[-1]
    for name in NAMES:
        pieces = [data.decode() for data in judge(name).decode_tokens_bytes(judge(name).encode_ordinary(number))]
        answer = digits_chart({name: [pieces]}).answer
        assert answer == f"{name}: {len(number)} digits take {len(pieces)} tokens, {' | '.join(pieces)}."


@pytest.mark.parametrize("name", NAMES)
def test_how_long_tokens_are(name: str) -> None:
    vocab = tokviz.load(name).vocab
    lengths = Counter(map(len, vocab.values()))
    [(length, tokens)] = lengths.most_common(1)
    longer = sum(size > 24 for size in map(len, vocab.values()))
    answer = lengths_chart({name: count_lengths(vocab.values())}, {name: max(vocab) + 1}).answer
    ids = max(vocab) + 1
    holes = f" ({ids:,} ids)" if ids > len(vocab) else ""
    assert answer == (
        f"{name}: a vocabulary of {len(vocab):,} tokens{holes}; "
        f"{100 * tokens / len(vocab):.1f} % of the tokens have {length} "
        f"bytes, {100 * longer / len(vocab):.1f} % more than 24, the longest {max(lengths)}."
    )


def is_latin(data: bytes) -> bool:
    """Return whether a token is text whose first character that is no white space is a Latin letter."""
    try:
        return bool(regex.match(r"\s*(?=\p{L})\p{Script=Latin}", data.decode()))
    except UnicodeDecodeError:
        return False


def test_whose_scripts_are_in_a_vocabulary() -> None:
    shares = {}
    for name in NAMES:
        tok = tokviz.load(name)
        ordinary = set(tok.vocab) - set(tok.special_tokens.values())
        shares[name] = sum(is_latin(tok.vocab[token]) for token in ordinary) / len(tok.vocab)
    tables = {name: count_kinds(entry.kind for entry in vocabulary_table(name)) for name in NAMES}
    for name in NAMES:
        expected = f"{name}: {100 * shares[name]:.1f} % of the tokens are Latin letters."
        assert line_of(kinds_chart(tables).answer, name) == expected
    most, least = sorted(NAMES, key=lambda name: -shares[name])
    assert vocabulary_brief(tables) == (
        f"{100 * shares[most]:.0f} % of {most}'s tokens are Latin letters, {100 * shares[least]:.0f} % of {least}'s."
    )


def test_what_is_learned_first() -> None:
    """In GPT-2, the ids of merges follow their ranks, from 256 on."""
    vocab = tokviz.load("gpt2").vocab
    answer = ranks_chart("gpt2", count_kinds_by_rank(vocabulary_table("gpt2"))).answer

    def share(first: int, last: int) -> float:
        return 100 * sum(is_latin(vocab[256 + rank]) for rank in range(first, last + 1)) / (last + 1 - first)

    assert answer == (
        f"gpt2: of the merges of rank 0 to 255, {share(0, 255):.1f} % make Latin letters; of those of rank 32,768 to "
        f"49,999, {share(32_768, 49_999):.1f} %. Early is not the same as common."
    )


def test_which_tokens_a_text_uses() -> None:
    tables = {name: tokviz.token_frequencies(TEXT, name) for name in NAMES}
    sizes = {name: len(tokviz.load(name).vocab) for name in NAMES}
    lines = {}
    for name in NAMES:
        used = len(set(judge(name).encode_ordinary(TEXT)))
        size = len(tokviz.load(name).vocab)
        lines[name] = (
            f"{name}: {used:,} different tokens of the {size:,} in its vocabulary ({100 * used / size:.2f} %)."
        )
        assert line_of(frequencies_chart(tables, sizes).answer, name) == lines[name]
    most = max(NAMES, key=lambda name: len(set(judge(name).encode_ordinary(TEXT))))
    assert token_use_brief(tables, sizes) == lines[most]
