"""The questions of the Compression page, each with its charts and their data."""

from collections.abc import Callable
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tokviz.analysis.curves import vocabulary_costs
from tokviz.analysis.reach import Reach
from tokviz.analysis.translations import aligned
from tokviz.analysis.vocabulary import count_kinds, count_kinds_by_rank, count_lengths
from tokviz.app.page import cached_analyses
from tokviz.app.page.cached_analyses import Choice, VocabularyRow
from tokviz.app.page.figures import details, download_cached, draw, show_rows
from tokviz.app.page.inputs import uploaded_texts
from tokviz.charts.data_formats import code_chart, digits_chart, formats_chart
from tokviz.charts.languages import languages_chart
from tokviz.charts.merges import compression_chart
from tokviz.charts.this_text import MEASURES, suits_chart
from tokviz.charts.token_use import frequencies_chart
from tokviz.charts.vocabulary import kinds_chart, lengths_chart, ranks_chart
from tokviz.charts.vocabulary_size import LABELLED_FROM, vocabulary_chart
from tokviz.samples import parallel_passages, sample, samples

Question = Callable[[str, list[Choice], DeltaGenerator], None]
"""A question about a text and the chosen tokenizers; its own controls go into the last argument."""

# Lengths of a token's embedding vector, from the models' papers.
WIDTHS = {
    "GPT-2 small (768)": 768,
    "GPT-2 medium (1,024)": 1024,
    "GPT-2 large (1,280)": 1280,
    "GPT-2 XL (1,600)": 1600,
    "Llama 3 8B (4,096)": 4096,
    "GPT-3 (12,288)": 12288,
}
OWN_WIDTH = "another"
DIMINISHING = (
    " A large mark is the point of diminishing returns: beyond it, doubling the number of merges saves less than 5% of "
    "the tokens."
)
TIED = "The table that turns ids into vectors also turns vectors into ids, as in GPT-2. Without this, there are two."


def merges(text: str, chosen: list[Choice], options: DeltaGenerator) -> None:
    """What does each merge buy?"""
    curves = {}
    for choice in chosen:
        curves[choice.label] = cached_analyses.curve(text, choice.name)
        learned = cached_analyses.training_curve(choice.name)
        if learned is not None:
            curves[f"{choice.label}, on the text it learned from"] = learned
    has_marks = any(curve.diminishing_from() is not None for curve in curves.values())
    draw(
        compression_chart(curves),
        "merges",
        {label: curve.table() for label, curve in curves.items()},
        "A merge adds a token to the vocabulary, unless an earlier one makes the same, and shortens a text if its pair "
        "comes up there; in most texts the later ones shorten less and less. A step to the right is ten times as many "
        "merges." + (DIMINISHING if has_marks else ""),
    )


def vocabulary_size(text: str, chosen: list[Choice], options: DeltaGenerator) -> None:
    """How large should the vocabulary be?"""
    width_column, context_column, tied_column = options.columns(3, vertical_alignment="bottom")
    model = width_column.selectbox("Width of the model", [*WIDTHS, OWN_WIDTH])
    width = WIDTHS.get(model) or width_column.number_input("Width", 1, 1_000_000, 2048)
    context = context_column.number_input("Context window, tokens", 1, 100_000_000, 1024)
    tied = tied_column.checkbox("One shared table", value=True, help=TIED)
    costs = {
        choice.label: vocabulary_costs(
            cached_analyses.curve(text, choice.name), width=int(width), context=int(context), tied=tied
        )
        for choice in chosen
    }
    first = next(iter(costs.values()))
    labels = (
        "The numbers along the first line are sizes of the vocabulary. "
        if first[-1].vocabulary >= LABELLED_FROM
        else ""
    )
    draw(
        vocabulary_chart(costs),
        "vocabulary-size",
        costs,
        "A larger vocabulary can make the sequence shorter, but each token in it takes a row of parameters: where ids "
        f"become vectors, and where vectors become ids. {labels}"
        "Attention is counted in pairs: each token with itself and with each one before it.",
    )


def this_text(text: str, chosen: list[Choice], options: DeltaGenerator) -> None:
    """Which tokenizer suits this text?"""
    labels = {measure.label: measure for measure in MEASURES}
    label = options.pills("Measured in", list(labels), default=MEASURES[0].label, required=True)
    rows = cached_analyses.measurements({"text": text}, chosen)
    draw(suits_chart(rows, labels[label or MEASURES[0].label]), "this-text", rows)


def languages(text: str, chosen: list[Choice], options: DeltaGenerator) -> None:
    """Which languages pay more?"""
    texts = {each.title.split(" · ")[0]: each.text for each in parallel_passages()}
    chart = st.container()
    with details("own texts"), st.expander("Compare texts of your own"):
        uploaded = uploaded_texts(
            "Text files in UTF-8, in which line n means the same. The first is what the others are compared with."
        )
        beside = st.checkbox("Beside the passages (a translation of their six lines)", disabled=not uploaded)
    if uploaded:
        texts = aligned({**texts, **uploaded} if beside else uploaded)
    reference = next(iter(texts))
    rows = cached_analyses.measurements(texts, chosen, reference)
    with chart:
        draw(
            languages_chart(rows, reference),
            "languages",
            rows,
            f"The same text in {len(texts)} languages: how many tokens for each one that {reference} takes?",
        )
        with details("texts"), st.expander("Read the texts"):
            name = st.selectbox("Language", list(texts), index=len(texts) - 1)
            # The isolates let a line in Arabic run from right to left, whatever the direction of the table.
            lines = zip(texts[reference].split("\n"), texts[name].split("\n"), strict=True)
            st.dataframe(
                [{f"line in {reference}": first, f"in {name}": f"\u2068{line}\u2069"} for first, line in lines],
                hide_index=True,
                row_height=48,
                alt=f"The text line by line in {reference} and {name}",
            )


def formats(text: str, chosen: list[Choice], options: DeltaGenerator) -> None:
    """Which formats pay more?"""
    data = {each.title: each.text for each in samples() if each.kind == "data"}
    rows = cached_analyses.measurements(data, chosen)
    draw(formats_chart(rows), "formats", rows, "One order of four things, written in six ways.")
    code = {each.title: each.text for each in samples() if each.kind == "code"}
    rows = cached_analyses.measurements({"English prose": sample("prose-en").text, **code}, chosen)
    draw(code_chart(rows), "code", rows)
    numbers = sample("numbers-digits").text.split("\n")
    splits = {choice.label: [cached_analyses.cut(number, choice.name) for number in numbers] for choice in chosen}
    draw(digits_chart({label: [row.pieces for row in rows] for label, rows in splits.items()}), "digits", splits)


def vocabulary(text: str, chosen: list[Choice], options: DeltaGenerator) -> None:
    """What is in the vocabulary?"""
    by_label = {choice.label: choice.name for choice in chosen}
    tables = {label: cached_analyses.vocabulary(name) for label, name in by_label.items()}
    lengths = {label: count_lengths(entries) for label, entries in tables.items()}
    sizes = {choice.label: cached_analyses.vocabulary_size(choice.name) for choice in chosen}
    draw(lengths_chart(lengths, sizes), "lengths", lengths, "A vocabulary's size is its highest id + 1.")
    kinds = {label: count_kinds(entries) for label, entries in tables.items()}
    draw(kinds_chart(kinds), "kinds", kinds)
    with details("look into"):
        label = st.selectbox("Look into", list(tables))
    entries = tables[label]
    by_rank = count_kinds_by_rank(entries)
    draw(ranks_chart(label, by_rank), "ranks", by_rank)
    with details("odd tokens"):
        _odd_tokens(by_label[label])


def _odd_tokens(name: str) -> None:
    """Draw tables of the longest tokens of a vocabulary, and of those that are no text or seldom reached."""
    st.subheader("The longest tokens, and the odd ones", anchor=False)
    rows = cached_analyses.vocabulary_rows(name)
    parts = [row for row in rows if row.text is None and row.bytes]
    reach = {kind: [row for row in rows if row.reach == kind] for kind in Reach}
    st.text(
        f"{len(parts):,} tokens are no text by themselves: they hold a part of a character, or bytes that no text "
        f"has. {reach_in_words(reach)}"
    )
    tabs = {
        "Longest": sorted(rows, key=lambda row: -len(row.bytes))[:50],
        "Parts of characters": parts,
        "Only in longer texts": reach[Reach.IN_CONTEXT],
        "Never reached": reach[Reach.UNREACHABLE],
        **({"Undecided": reach[Reach.UNDECIDED]} if reach[Reach.UNDECIDED] else {}),
    }
    for tab, (title, shown) in zip(st.tabs(list(tabs)), tabs.items(), strict=True):
        with tab:
            show_rows(shown, title)
    download_cached(partial(cached_analyses.vocabulary_rows, name), "vocabulary")


def reach_in_words(reach: dict[Reach, list[VocabularyRow]]) -> str:
    """Say how many tokens are reached by some text."""
    counts = {kind: len(rows) for kind, rows in reach.items()}
    sentences = [f"{counts[Reach.OWN_TEXT]:,} tokens come about where their own text is encoded."]
    sentences.append(f"{counts[Reach.IN_CONTEXT]:,} more come about only within a longer text; one such text is given.")
    never, undecided = counts[Reach.UNREACHABLE], counts[Reach.UNDECIDED]
    sentences.append(
        f"{never:,} are never reached, whatever the text." if never else "No token is known to be unreachable."
    )
    if undecided:
        sentences.append(f"Of {undecided:,} it is undecided: no text was found, but there may be one.")
    return " ".join(sentences)


def token_use(text: str, chosen: list[Choice], options: DeltaGenerator) -> None:
    """Which tokens does this text use?"""
    tables = {choice.label: cached_analyses.frequencies(text, choice.name) for choice in chosen}
    sizes = {choice.label: cached_analyses.vocabulary_size(choice.name) for choice in chosen}
    draw(frequencies_chart(tables, sizes), "token-use", tables)


QUESTIONS = {
    "Merges": merges,
    "Vocabulary size": vocabulary_size,
    "This text": this_text,
    "Languages": languages,
    "Formats": formats,
    "Vocabulary": vocabulary,
    "Token use": token_use,
}
ABOUT_THE_TEXT = {merges, vocabulary_size, this_text, token_use}
NEEDS_MERGES = {merges, vocabulary_size, vocabulary}
NEEDS_CURVE = {merges, vocabulary_size}
NO_CURVE = (
    "its merges don't go by rank, or it takes some pieces whole, so there is no saying what its first merges make of a "
    "text."
)


def tokenizers_for(asked: Question, chosen: list[Choice]) -> list[Choice]:
    """Return the chosen tokenizers that a question applies to. Say on the page which are left out, and why."""
    merging = [choice for choice in chosen if asked not in NEEDS_MERGES or cached_analyses.has_merges(choice.name)]
    drawn = [choice for choice in merging if asked not in NEEDS_CURVE or cached_analyses.has_curve(choice.name)]
    for choice in merging:
        if choice not in drawn:
            st.text(f"{choice.label} is left out: {NO_CURVE}")
    without = [choice.label for choice in chosen if choice not in merging]
    if merging and without:
        st.text(f"Left out, for want of merges: {', '.join(without)}.")
    if not merging:
        st.info("Choose a tokenizer that has merges." if asked in NEEDS_MERGES else "Choose a tokenizer.")
    return drawn
