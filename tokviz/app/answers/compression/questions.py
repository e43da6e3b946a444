"""The questions of the Compression page: what each is answered with, in a line and in charts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tokviz.analysis.cost.curves import CompressionCurve, vocabulary_costs
from tokviz.analysis.cost.measures import aligned
from tokviz.analysis.vocabulary.contents import count_kinds, count_kinds_by_rank
from tokviz.analysis.vocabulary.unknown_tokens import unknown_of, unknown_sentence
from tokviz.app.answers.compression import analyses
from tokviz.app.answers.compression.analyses import Choice
from tokviz.app.answers.compression.sections import Fields, Section, SectionText, select
from tokviz.app.answers.compression.vocabulary import vocabulary_section
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.charts.data_formats import code_chart, digits_chart, formats_brief, formats_chart
from tokviz.charts.languages import languages_brief, languages_chart
from tokviz.charts.merges import ON_ITS_TEXT, compression_chart, merges_brief
from tokviz.charts.this_text import MEASURES, suits_brief, suits_chart
from tokviz.charts.token_use import frequencies_chart, token_use_brief
from tokviz.charts.vocabulary import kinds_chart, lengths_chart, ranks_chart, vocabulary_brief
from tokviz.charts.vocabulary_size import vocabulary_chart, vocabulary_size_brief
from tokviz.display import enumerated
from tokviz.samples import parallel_passages, sample, samples

Settings = Mapping[str, Any]

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
_TIED = "The table that turns ids into vectors also turns vectors into ids, as in GPT-2. Off: two tables."
_DIMINISHING = (
    " A large mark is the point of diminishing returns, the least number of merges from which on even twice as many "
    "save less than 5 % of the tokens."
)


class Asked(NamedTuple):
    """The subject of a question: a text, tokenizers, the settings, and texts that the reader compares, by name."""

    text: str
    chosen: list[Choice]
    settings: Settings
    texts: Mapping[str, str] = {}


@dataclass(frozen=True)
class Question:
    """A question. `name` is its name in links, and never changes.

    `brief` answers it in a line, `sections` in charts. `notes` say what to know of the answer before it is read. The
    text of the page is asked for if the question `is_about_text`, and hidden if it `ignores_text`.
    """

    name: str
    title: str
    brief: Callable[[Asked], str]
    sections: Callable[[Asked], list[Section]]
    notes: Callable[[Asked], list[str]] = lambda asked: []
    is_about_text: bool = False
    ignores_text: bool = False
    needs_pieces: bool = False
    needs_curve: bool = False


# What does each merge buy?


def _curves(asked: Asked) -> dict[str, CompressionCurve]:
    return {choice.label: analyses.curve(asked.text, choice.name) for choice in asked.chosen}


def _merges(asked: Asked) -> list[Section]:
    curves = {}
    for choice in asked.chosen:
        curves[choice.label] = analyses.curve(asked.text, choice.name)
        learned = analyses.training_curve(choice.name)
        if learned is not None:
            curves[f"{choice.label}{ON_ITS_TEXT}"] = learned
    has_marks = any(curve.diminishing_from() is not None for curve in curves.values())
    explained = (
        "A merge joins a pair of tokens into one, wherever they stand side by side: the text is a token shorter for "
        "each such place. Later merges shorten most texts less and less. Each step to the right after the first is ten "
        "times as many merges: where a line falls evenly, each merge buys less than those before it."
        + (_DIMINISHING if has_marks else "")
    )
    rows = {label: curve.table() for label, curve in curves.items()}
    return [Section("merges", compression_chart(curves), rows, explained)]


# How large should the vocabulary be?


def _size_fields(asked: Asked) -> Fields:
    settings = asked.settings
    model = select("model", "Width of the model", _same([*WIDTHS, OWN_WIDTH]), settings.get("model"))
    width = {"name": "width", "kind": "number", "label": "Width", "value": _width(settings), "bounds": [1, 1_000_000]}
    context = {"name": "context", "kind": "number", "label": "Context window, tokens", "value": _context(settings)}
    return [
        model,
        *([width] if model["value"] == OWN_WIDTH else []),
        context | {"bounds": [1, 100_000_000]},
        {"name": "tied", "kind": "switch", "label": "One shared table", "value": _is_tied(settings), "hint": _TIED},
    ]


def _same(options: list[str]) -> dict[str, str]:
    """Return options that are labels themselves."""
    return {option: option for option in options}


def _width(settings: Settings) -> int:
    model = settings.get("model")
    if model != OWN_WIDTH:
        return WIDTHS.get(str(model), 768)
    return _count(settings.get("width"), 2048, 1_000_000)


def _context(settings: Settings) -> int:
    return _count(settings.get("context"), 1024, 100_000_000)


def _is_tied(settings: Settings) -> bool:
    return settings.get("tied") is not False


def _count(value: Any, otherwise: int, most: int) -> int:
    return int(value) if isinstance(value, int | float) and 1 <= value <= most else otherwise


def _costs(asked: Asked) -> dict[str, list[Any]]:
    width, context, tied = _width(asked.settings), _context(asked.settings), _is_tied(asked.settings)
    return {
        label: vocabulary_costs(curve, width=width, context=context, tied=tied)
        for label, curve in _curves(asked).items()
    }


def _vocabulary_size(asked: Asked) -> list[Section]:
    costs = _costs(asked)
    explained = (
        "A larger vocabulary can make the sequence shorter, but each token in it takes a row of parameters, which are "
        "numbers that a model learns: where ids become *vectors*, and where vectors become ids. From 1 merge on, each "
        "dot has twice as many merges as the one before it, and the last has all. The sentences compare the last two "
        "dots. Attention is counted in pairs: each token with itself and with each one before it. A model reads a text "
        "in *context windows*."
    )
    return [Section("vocabulary-size", vocabulary_chart(costs), costs, explained, fields=_size_fields(asked))]


# Measures


def _unknown_notes(rows: list[Any], asked: Asked) -> list[str]:
    """Say of each tokenizer how many of the tokens of these rows are unknown, and of which texts most are."""
    notes = []
    for choice in asked.chosen:
        own = [row for row in rows if row.tokenizer == choice.label]
        unknown = unknown_of(registry.get(choice.name), sum(row.unknown_tokens for row in own))
        if unknown is None:
            continue
        most = [row.text for row in own if 2 * row.unknown_tokens > row.tokens] if len(own) > 1 else []
        more = f" So are most of the tokens of {enumerated(most)}." if most else ""
        notes.append(unknown_sentence(choice.label, unknown, sum(row.tokens for row in own)) + more)
    return notes


# Which tokenizer suits this text?


def _measured(asked: Asked) -> list[Any]:
    return analyses.measurements({"text": asked.text}, asked.chosen)


def _measure_fields(asked: Asked) -> Fields:
    options = {measure.column: measure.label for measure in MEASURES}
    return [select("measure", "Measured in", options, asked.settings.get("measure")) | {"kind": "segments"}]


def _this_text(asked: Asked) -> list[Section]:
    rows = _measured(asked)
    wanted = asked.settings.get("measure")
    measure = next((measure for measure in MEASURES if measure.column == wanted), MEASURES[0])
    explained = "Tokens per word are also called *fertility*."
    chart = suits_chart(rows, measure, _losing(asked))
    return [Section("this-text", chart, rows, explained, fields=_measure_fields(asked))]


def _losing(asked: Asked) -> list[str]:
    """Return the tokenizers that don't give the whole text back."""
    return [choice.label for choice in asked.chosen if analyses.loses_text(asked.text, choice.name)]


# Which languages pay more?


def passages() -> dict[str, str]:
    """The passage in many languages, by the English names of the languages; English is the first."""
    return {each.title.split(" · ")[0]: each.text for each in parallel_passages()}


class _Line(NamedTuple):
    """A line of the text of reference, and the same in another language."""

    line: int
    reference: str
    translation: str


def _compared(asked: Asked) -> dict[str, str]:
    """Return the texts to compare, of which the first is the reference. Raises ValueError for lines that differ."""
    if not asked.texts:
        return passages()
    texts = {**(passages() if asked.settings.get("beside") is True else {}), **asked.texts}
    if len(texts) == 1:
        raise ValueError("add a second text, or compare this one with the passages")
    return aligned(texts)


def _language_rows(asked: Asked) -> list[Any]:
    texts = _compared(asked)
    return analyses.measurements(texts, asked.chosen, next(iter(texts)))


def _languages(asked: Asked) -> list[Section]:
    texts = _compared(asked)
    reference, names = next(iter(texts)), list(texts)
    rows = _language_rows(asked)
    what = f"{len(texts)} texts that mean the same" if asked.texts else f"The same text in {len(texts)} languages"
    explained = (
        f"{what}; each row's line goes from the tokenizer that takes least to the one "
        f"that takes most. The dashed line is a *parity* of 1: as many tokens as the first of these texts."
    )
    wanted = asked.settings.get("language")
    read = wanted if wanted in names else names[-1]
    lines = zip(texts[reference].split("\n"), texts[read].split("\n"), strict=True)
    words = SectionText(f"The text in {reference} and {read}", "", "The lines")
    return [
        Section("languages", languages_chart(rows, reference), rows, explained),
        Section(
            "texts",
            words,
            [_Line(number, *pair) for number, pair in enumerate(lines, 1)],
            fields=[select("language", "Read the text in", _same(names), read)],
        ),
    ]


# Which formats pay more?


def _format_rows(asked: Asked) -> list[Any]:
    data = {each.title: each.text for each in samples() if each.kind == "data"}
    return analyses.measurements(data, asked.chosen)


def _code_rows(asked: Asked) -> list[Any]:
    code = {each.title: each.text for each in samples() if each.kind == "code"}
    return analyses.measurements({"English prose": sample("prose-en").text, **code}, asked.chosen)


def _formats(asked: Asked) -> list[Section]:
    rows, code_rows = _format_rows(asked), _code_rows(asked)
    numbers = sample("numbers-digits").text.split("\n")
    splits = {choice.label: [analyses.cut(number, choice.name) for number in numbers] for choice in asked.chosen}
    formats = len({row.text for row in rows})
    pieces = {label: [row.pieces for row in cuts] for label, cuts in splits.items()}
    return [
        Section("formats", formats_chart(rows), rows, f"The same shopping order, written in {formats} formats."),
        Section("code", code_chart(code_rows), code_rows, "The further left, the more tokens for the same bytes."),
        Section("digits", digits_chart(pieces), splits),
    ]


# What is in the vocabulary?


def _merged_here(asked: Asked) -> list[Choice]:
    return [choice for choice in asked.chosen if analyses.merges_here(choice.name)]


def _vocabulary_notes(asked: Asked) -> list[str]:
    here = _merged_here(asked)
    others = [choice.label for choice in asked.chosen if choice not in here]
    if not others:
        return []
    return [f"Not shown for {enumerated(others)}: what is learned first, and which tokens can be reached."]


def _kinds(asked: Asked) -> dict[str, list[Any]]:
    return {choice.label: count_kinds(analyses.kinds(choice.name).values()) for choice in asked.chosen}


def _vocabulary(asked: Asked) -> list[Section]:
    lengths = {choice.label: analyses.lengths(choice.name) for choice in asked.chosen}
    sizes = {choice.label: registry.get(choice.name).vocab_size for choice in asked.chosen}
    kinds = _kinds(asked)
    sections = [
        Section(
            "lengths",
            lengths_chart(lengths, sizes),
            lengths,
            "A vocabulary may have *token ids* without a token.",
        ),
        Section("kinds", kinds_chart(kinds), kinds),
    ]
    here = _merged_here(asked)
    if not here:
        return sections
    look = select("look", "Look into", {choice.name: choice.label for choice in here}, asked.settings.get("look"))
    looked = next(choice for choice in here if choice.name == look["value"])
    by_rank = count_kinds_by_rank(analyses.vocabulary(looked.name))
    return [
        *sections,
        Section("ranks", ranks_chart(looked.label, by_rank), by_rank, "*Rank* 0 is the first merge.", fields=(look,)),
        vocabulary_section(looked, asked.text, asked.settings),
    ]


# Which tokens does this text use?


def _uses(asked: Asked) -> tuple[dict[str, list[Any]], dict[str, int]]:
    tables = {choice.label: analyses.frequencies(asked.text, choice.name) for choice in asked.chosen}
    return tables, {choice.label: len(registry.get(choice.name).vocab) for choice in asked.chosen}


def _token_use(asked: Asked) -> list[Section]:
    tables, sizes = _uses(asked)
    return [Section("token-use", frequencies_chart(tables, sizes), tables)]


QUESTIONS = (
    Question(
        "Languages",
        "Which languages pay more?",
        lambda asked: languages_brief(_language_rows(asked), next(iter(_compared(asked)))),
        _languages,
        notes=lambda asked: _unknown_notes(_language_rows(asked), asked),
        ignores_text=True,
    ),
    Question(
        "This text",
        "Which tokenizer suits this text?",
        lambda asked: suits_brief(_measured(asked), _losing(asked)),
        _this_text,
        notes=lambda asked: _unknown_notes(_measured(asked), asked),
        is_about_text=True,
    ),
    Question(
        "Merges",
        "What does each merge buy?",
        lambda asked: merges_brief(_curves(asked)),
        _merges,
        is_about_text=True,
        needs_curve=True,
    ),
    Question(
        "Formats",
        "Which formats pay more?",
        lambda asked: formats_brief(_format_rows(asked)),
        _formats,
        notes=lambda asked: _unknown_notes([*_format_rows(asked), *_code_rows(asked)], asked),
        ignores_text=True,
    ),
    Question(
        "Vocabulary size",
        "How large should the vocabulary be?",
        lambda asked: vocabulary_size_brief(_costs(asked)),
        _vocabulary_size,
        is_about_text=True,
        needs_curve=True,
    ),
    Question(
        "Vocabulary",
        "What is in the vocabulary?",
        lambda asked: vocabulary_brief(_kinds(asked)),
        _vocabulary,
        notes=_vocabulary_notes,
        needs_pieces=True,
    ),
    Question(
        "Token use",
        "Which tokens does this text use?",
        lambda asked: token_use_brief(*_uses(asked)),
        _token_use,
        is_about_text=True,
    ),
)
"""The questions, in their order on the page, which opens with the first. The first four are in sight at once."""
