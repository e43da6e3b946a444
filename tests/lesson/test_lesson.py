"""The lesson: every figure in it is recomputed here, with tiktoken where it ships the tokenizer."""

import re
from collections import Counter
from collections.abc import Callable
from html import unescape
from itertools import pairwise
from typing import get_args
from urllib.parse import parse_qs, urlsplit

import pytest
import reference
import tiktoken
from shipped import encoding_of

import tokviz
from tokviz.bpe.merge_replay import ReplayStep
from tokviz.lesson import sheet
from tokviz.lesson.links import write_link
from tokviz.lesson.steps import (
    CAT,
    DOGS,
    WORDS,
    Link,
    Step,
    lesson,
)
from tokviz.pretrained import OpenAIName
from tokviz.samples import parallel_passages, sample, samples

STEPS = lesson().steps

GPT2, CL100K, O200K = "gpt2", "cl100k_base", "o200k_base"


def count(encoding: str, text: str) -> int:
    return len(encoding_of(encoding).encode_ordinary(text))


def pieces(encoding: str, text: str) -> list[str]:
    tokens = encoding_of(encoding).decode_tokens_bytes(encoding_of(encoding).encode_ordinary(text))
    return [token.decode(errors="replace").replace(" ", "·") for token in tokens]


def cut(encoding: str, text: str) -> str:
    return "|".join(pieces(encoding, text))


def steps(replay: tokviz.Replay) -> list[ReplayStep]:
    return [replay[k] for k in range(len(replay))]


def merges(encoding: str, text: str) -> list[str]:
    """The result of each merge of a text, by this package; the last state is checked with tiktoken."""
    tokenizer = tokviz.load(encoding)
    return [tokenizer.vocab[step.new].decode().replace(" ", "·") for step in steps(tokenizer.replay(text))]


def parts(encoding: str, text: str) -> list[str]:
    """The two tokens that the last merge of a text joins."""
    tokenizer = tokviz.load(encoding)
    last = steps(tokenizer.replay(text))[-1]
    return [tokenizer.vocab[half].decode().replace(" ", "·") for half in (last.left, last.right)]


def pair_counts(words: list[str]) -> Counter[tuple[str, str]]:
    """Number of times two symbols are adjacent, counting overlaps."""
    return Counter(pair for word in words for pair in pairwise(word))


def most(counts: Counter[tuple[str, str]]) -> tuple[int, set[tuple[str, str]]]:
    top = max(counts.values())
    return top, {pair for pair, number in counts.items() if number == top}


def codes(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def times(encoding: str) -> dict[str, float]:
    english = count(encoding, parallel_passages()[0].text)
    return {each.title.split(" · ")[0]: count(encoding, each.text) / english for each in parallel_passages()}


def dearest(encoding: str) -> tuple[str, float]:
    return max(times(encoding).items(), key=lambda each: each[1])


HELLO = "Hello, 🌍! 你好!"
PYTHON = sample("code-python").text
FRANCE = "The capital of France is "


def strawberry() -> list[str]:
    question = "How many r's are in strawberry?"
    assert tiktoken.encoding_name_for_model("gpt-4") == "cl100k_base"
    assert pieces(CL100K, question)[-2:] == ["·strawberry", "?"]
    assert encoding_of(CL100K).encode_single_token(b" strawberry") == encoding_of(CL100K).encode_ordinary(question)[-2]
    return [
        f"{count(CL100K, ' strawberry')} piece:",
        f"the single token {encoding_of(CL100K).encode_single_token(b' strawberry')}",
        f"{count(CL100K, 'strawberry')} pieces: `{cut(CL100K, 'strawberry')}`",
    ]


def name() -> list[str]:
    assert encoding_of(O200K).n_vocab > encoding_of(CL100K).n_vocab > encoding_of(GPT2).n_vocab
    return [
        f"`·Emma` is {count(GPT2, ' Emma')} token in GPT-2",
        f"{count(GPT2, 'Emma')} tokens: `{cut(GPT2, 'Emma')}`",
        f"(`·emma` is {count(GPT2, ' emma')} tokens)",
        f"{count(GPT2, 'Nguyễn')} tokens in GPT-2, {count(CL100K, 'Nguyễn')} in cl100k and "
        f"{count(O200K, 'Nguyễn')} in o200k",
    ]


def lengths() -> list[str]:
    emoji = encoding_of(CL100K).decode_tokens_bytes(encoding_of(CL100K).encode_ordinary(" 🌍"))
    assert emoji[0].startswith(b" \xf0")
    assert pieces(CL100K, HELLO)[2 : 2 + len(emoji)] == pieces(CL100K, " 🌍")
    return [
        f"{len(HELLO.encode())} bytes, {len(HELLO)} code points, {count(GPT2, HELLO)} tokens in GPT-2, "
        f"{count(CL100K, HELLO)} in cl100k, {count(O200K, HELLO)} in o200k",
        f"take {len('🌍你好'.encode())} of the bytes",
        f"over {len(emoji)} tokens",
        "bytes, code points, GPT-2, cl100k, o200k",
    ]


def cat() -> list[str]:
    top, tied = most(pair_counts([CAT]))
    assert tied == {("t", "h"), ("h", "e"), ("e", " "), ("a", "t")}
    learned = reference.train(CAT)
    tokens = [learned.vocab[each.new].decode().replace(" ", "·") for each in learned.history]
    return [
        "Both are right, and so would be `e + ·` and `a + t`",
        f"{len(tied)} pairs occur {top} times each",
        "the one that it sees first, `t + h`",
        f"After {len(tokens)} merges ({codes(tokens)}) the {len(CAT)} bytes have become "
        f"{len(reference.encode(learned, CAT))} tokens",
    ]


def never_seen() -> list[str]:
    words = WORDS.split()
    frequent = Counter(words)
    counted = pair_counts([f"{word}_" for word in words])
    top, tied = most(counted)
    assert tied == {("e", "s"), ("s", "t"), ("t", "_")}
    assert "lowest" not in words
    learned = reference.train(WORDS, alphabet="characters", end_of_word="_")
    tokens = [reference_name(learned, each.new) for each in learned.history[:5]]
    assert tokens == ["es", "est", "est_", "lo", "low"]
    lowest = reference.encode(learned, "lowest")
    assert [reference_name(learned, token) for token in lowest] == ["low", "est_"]
    return [
        f"`low` {frequent['low']} times, `lower` {frequent['lower']} times, `newest` {frequent['newest']} times and "
        f"`widest` {frequent['widest']} times",
        f"`e + s`, {top} times",
        f"But `s + t`, and `t` with the mark, have {top}, so {len(tied)} are tied",
        "`est`, `est` with the mark, `lo` and `low`",
        f"only {len(lowest)} tokens: `low` and `est` with the mark",
    ]


def reference_name(learned: reference.Trained, token: int) -> str:
    """A token's letters, and "_" if it ends in the end-of-word mark."""
    halves = {new: pair for pair, new in learned.merges.items()}
    if token in halves:
        return "".join(reference_name(learned, half) for half in halves[token])
    return learned.symbols[token].decode() or "_"


def dogs() -> list[str]:
    without = reference.train(DOGS)
    split = reference.train(DOGS, split_pattern=reference.pattern_text("gpt2"))
    assert ". dog! dog?" in [token.decode(errors="replace") for token in without.vocab.values()]
    assert b" dog" in split.vocab.values()
    return [
        "`.·dog!·dog?` becomes a token",
        f"{len(reference.encode(without, DOGS))} tokens without the cut and {len(reference.encode(split, DOGS))} with",
    ]


def ranks() -> list[str]:
    first, *rest = merges("gpt2", "hello")
    assert (first, parts("gpt2", "he")) == ("he", ["h", "e"])
    return [
        f"`h + e`; then {codes(rest)}",
        f"in another order: {codes(merges('cl100k_base', 'hello'))}",
        f"takes {len(merges('gpt2', ' strawberry'))} merges in GPT-2",
        "the last one joins `{}` and `{}`".format(*parts("gpt2", " strawberry")),
    ]


def code() -> list[str]:
    ours, theirs = count(GPT2, PYTHON), count(CL100K, PYTHON)
    lone = pieces(GPT2, PYTHON).count("·")
    assert round(ours / theirs) == 2
    assert 0.45 < lone / ours < 0.5
    return [
        f"{len(PYTHON.splitlines())} lines",
        f"twice as many: {ours} against {theirs}",
        f"{lone} tokens, are lone spaces",
        f"`1234567` is `{cut(GPT2, '1234567')}` in GPT-2 and `{cut(CL100K, '1234567')}` in cl100k",
    ]


def data_formats() -> list[str]:
    compact, yaml, pretty, table = (
        count(CL100K, sample(each).text) for each in ("json-compact", "yaml", "json-pretty", "csv")
    )
    assert table < compact < yaml < pretty
    return [
        f"line: {compact} tokens",
        f"YAML with {yaml}",
        f"dearest with {pretty}",
        f"{table} tokens as CSV",
    ]


def who_pays() -> list[str]:
    gpt2, cl100k, o200k = map(dearest, (GPT2, CL100K, O200K))
    assert gpt2[1] > cl100k[1] > o200k[1]
    return [
        f"in {len(parallel_passages())} languages",
        f"About {gpt2[1]:.0f} times: {gpt2[0]}",
        f"it is {cl100k[0]} with {cl100k[1]:.1f} times",
        f"in o200k {o200k[0]} with {o200k[1]:.1f} times",
    ]


def a_space_too_many() -> list[str]:
    space = {encoding_of(encoding).encode_ordinary(FRANCE)[-1] for encoding in (GPT2, CL100K, O200K)}
    assert space == {encoding_of(encoding).encode_single_token(b" ") for encoding in (GPT2, CL100K, O200K)}
    paris = {count(encoding, " Paris") for encoding in (GPT2, CL100K, O200K)}
    magikarp = " SolidGoldMagikarp"
    return [
        f"its own: {space.pop()} in GPT-2, in cl100k and in o200k" if len(space) == 1 else "",
        f"`·Paris` is {paris.pop()} token" if len(paris) == 1 else "",
        f"is {count(GPT2, magikarp)} token in GPT-2 and {count(CL100K, magikarp)} in cl100k",
    ]


@pytest.mark.parametrize(("title", "words"), [("Learning to merge", [CAT]), ("A word never seen", WORDS.split())])
def test_the_right_choices_of_a_pair_are_the_most_frequent(title: str, words: list[str]) -> None:
    step = next(step for step in STEPS if step.title == title)
    counts = pair_counts(words)
    top = max(counts.values())
    offered = [tuple(choice.strip("`").replace("·", " ").split(" + ")) for choice in step.choices]
    assert [index for index, (left, right) in enumerate(offered) if counts[left, right] == top] == list(step.answers)


# Phrases computed for each step, as they appear in it.
FIGURES = (
    strawberry,
    name,
    lengths,
    cat,
    never_seen,
    dogs,
    ranks,
    code,
    data_formats,
    who_pays,
    a_space_too_many,
)
# Digits that are not figures: names, and the texts themselves.
NO_FIGURES = r"GPT-[24]|[co][l12]\d*00k|1234567"


@pytest.mark.parametrize(
    ("step", "figures"), [*zip(STEPS, FIGURES, strict=True)], ids=[each.__name__ for each in FIGURES]
)
def test_every_figure_of_a_step_is_computed(step: Step, figures: Callable[[], list[str]]) -> None:
    shown_text = f"{step.say}\n{step.question}\n{step.reveal}"
    for phrase in figures():
        assert phrase and (phrase in shown_text or phrase in [step.choices[right] for right in step.answers]), phrase
        shown_text = shown_text.replace(phrase, "")
    assert not re.findall(r"\d+", re.sub(NO_FIGURES, "", shown_text)), shown_text


def test_every_figure_of_the_misconceptions_is_computed() -> None:
    shown_text = " ".join(correction for _, correction in lesson().misconceptions)
    gpt2, cl100k = (
        len(each.token_byte_values()) + len(each.special_tokens_set) for each in map(encoding_of, (GPT2, CL100K))
    )
    for phrase in (f"GPT-2's: {gpt2:,}.", f"has {cl100k:,}."):
        assert phrase in shown_text
        shown_text = shown_text.replace(phrase, "")
    assert not re.findall(r"\d+", re.sub(NO_FIGURES, "", shown_text))
    assert not re.findall(r"\d+", re.sub(NO_FIGURES, "", lesson().background + lesson().beforehand))
    for encoding in (GPT2, CL100K, O200K):
        compact, yaml, pretty = (count(encoding, sample(each).text) for each in ("json-compact", "yaml", "json-pretty"))
        assert compact < yaml < pretty


def test_the_steps_fill_45_minutes() -> None:
    assert STEPS[0].minutes[0] == 0
    assert STEPS[-1].minutes[1] == 45
    assert all(before.minutes[1] == after.minutes[0] for before, after in pairwise(STEPS))


@pytest.mark.parametrize("step", STEPS, ids=[step.title for step in STEPS])
def test_a_step_is_two_sentences_and_a_question_with_an_answer(step: Step) -> None:
    assert len(re.findall(r"[.!?](?:\s|$)", step.say)) == 2
    assert step.links
    assert step.answers
    assert set(step.answers) <= set(range(len(step.choices)))
    assert len(set(step.choices)) == len(step.choices) >= 3
    assert all(text.count("`") % 2 == 0 for text in (step.say, step.question, step.reveal, *step.choices))


def all_links() -> list[Link]:
    return [link for step in STEPS for link in (*step.links, *step.afterwards)]


def test_links_name_existing_tokenizers_and_samples() -> None:
    known = {*get_args(OpenAIName), "code-points", "bytes"}
    for link in all_links():
        named = [link.fields.get("tokenizer", ""), *link.fields.get("compare", "").split(",")]
        assert {each for each in named if each} <= known
        assert link.fields.get("sample", "") in {"", *(each.name for each in samples())}
        assert (link.text is None) == ("sample" in link.fields or link.page.startswith("compression"))


def address(link: Link) -> str:
    return write_link("/" + link.page, link.fields, link.text)


def test_the_teachers_sheet_has_every_answer_folded_and_in_print() -> None:
    teachers = unescape(re.sub("<[^>]*>", "", sheet.teachers_sheet(address)))
    for step in STEPS:
        assert teachers.count(f"{sheet.letters(step)}: {step.reveal.replace('`', '')}") == 2
    links = [unescape(found) for found in re.findall('href="([^"]*)"', sheet.teachers_sheet(address))]
    assert links == [address(link) for link in all_links()]
    assert parse_qs(urlsplit(links[0]).fragment)["tokenizer"] == ["cl100k_base"]


def test_a_printed_step_has_the_texts_that_it_asks_about() -> None:
    written = unescape(re.sub("<[^>]*>", "", sheet.teachers_sheet(address)))
    assert sample("code-python").text in written
    for name in ("json-compact", "json-pretty", "yaml", "prose-ta", "prose-en"):
        assert sample(name).text[:40] in written


def test_the_page_begins_with_its_title_as_cl100k_gives_it_to_a_model() -> None:
    written = sheet.title_in_tokens(address)
    title = lesson().words["page"]["title"]
    assert re.findall("<code>(.*?)</code>", written) == pieces(CL100K, title)
    ids = [int(found) for found in re.findall(r"<small>(\d+)</small>", written)]
    assert ids == encoding_of(CL100K).encode_ordinary(title)


def test_tokens_in_an_answer_are_pieces_of_their_own() -> None:
    assert '<code class="cut"><span>str</span><i>|</i><span>aw</span><i>|</i><span>berry</span></code>' in (
        sheet.teachers_sheet(address)
    )


def test_texts_in_a_sheet_are_escaped() -> None:
    hostile = Link("<b>", 'x"><script>', {})
    written = sheet._links([hostile], sheet._anchors(lambda link: link.page))
    assert written == '<div class="tokviz links"><a class="button" href="x&quot;&gt;&lt;script&gt;">&lt;b&gt;</a></div>'


def test_the_class_pack_has_the_whole_lesson_and_nothing_that_needs_the_app() -> None:
    shown_text = unescape(sheet.pack_sheet(lambda link: f"<i>{link.label}</i>"))
    uncut = re.sub(r"</?span[^>]*>", "", shown_text.replace("<i>|</i>", "|"))
    plain = re.sub(r"</?code[^>]*>", "`", re.sub(r"</?button[^>]*>", "*", uncut))
    for step in STEPS:
        assert f"minutes {step.minutes[0]} to {step.minutes[1]}" in plain
        assert all(text in plain for text in (step.say, step.question, *step.choices, step.reveal))
    for text in (
        lesson().background,
        lesson().without_network,
        *(text for pair in lesson().misconceptions for text in pair),
    ):
        assert text in plain
    assert "share button" in lesson().beforehand and lesson().beforehand not in plain


def test_figures_of_answers_do_not_ask_again() -> None:
    for step in STEPS:
        shown = (*step.links, *step.afterwards)[step.answer_figure]
        assert "predict" not in shown.fields, step.id
        if any("predict" in link.fields for link in step.links):
            assert shown.fields["step"] == "1", step.id  # the merge that was asked for


def test_five_lengths_stand_in_the_order_of_the_answer() -> None:
    step = next(step for step in STEPS if step.id == "lengths")
    shown = (*step.links, *step.afterwards)[step.answer_figure]
    text = shown.text or ""
    lengths = {"bytes": len(text.encode()), "code-points": len(text)}
    names = shown.fields["compare"].split(",")
    counts = [lengths[name] if name in lengths else count(name, text) for name in names]
    assert counts == sorted(counts, reverse=True)
    assert (
        counts
        == [int(number) for number in re.findall(r"(?<![-k])\b\d+(?= (?:bytes|code|tokens|in))", step.reveal)][:5]
    )


def test_teachers_are_told_how_phones_vote() -> None:
    words = lesson().words["slides"]
    assert words["open_room"] in lesson().rooms
    assert lesson().rooms in unescape(sheet.teachers_sheet(lambda _: ""))
