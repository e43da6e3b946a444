"""A section of the Compression page: which tokens of a vocabulary come about, with a table that can be filtered."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from tokviz.analysis.vocabulary.audit import goes_across_words
from tokviz.analysis.vocabulary.contents import count_kinds
from tokviz.analysis.vocabulary.reach import Reach
from tokviz.app.answers.compression import analyses
from tokviz.app.answers.compression.analyses import Choice, VocabularyRow
from tokviz.app.answers.compression.sections import Section, SectionText, select
from tokviz.display import counted, shown

_TABS = {
    Reach.UNREACHABLE: "Never reached",
    Reach.IN_CONTEXT: "Only in longer texts",
    Reach.UNDECIDED: "Undecided",
    "parts": "Parts of characters",
    "across": "Across words",
    "unused": "Not used in the text above",
    "glitches": "Candidates for glitches",
    "longest": "Longest",
}
_ANY_KIND = "any"
_GLITCHES = (
    "A glitch token is one that a tokenizer learned and a model hardly ever saw. Candidates are longer than the "
    "average token; the text above uses them neither alone nor in a longer token, but it uses at least half of the "
    "tokens that were learned before. The longer the text, the more reliable the candidates."
)
_MAX_SHOWN = 100
"""Maximum tokens in the table of the longest."""


class ShownToken(NamedTuple):
    """A row of the table of tokens: its text with white space and bytes made visible."""

    id: int
    token: str
    kind: str
    reach: str
    a_text_with_it: str | None
    why_there_is_none: str


def vocabulary_section(looked: Choice, text: str, settings: Mapping[str, Any]) -> Section:
    """Say which tokens of a vocabulary come about, with a table of some of them. `text` is the text on the page."""
    rows = analyses.vocabulary_rows(looked.name)
    kinds = [count.kind for count in count_kinds(analyses.kinds(looked.name).values())]
    scripts = {_ANY_KIND: "any script"} | {kind: kind for kind in kinds}
    fields = (
        select("tab", "Show", _TABS, settings.get("tab")),
        select("kind", "Script", scripts, settings.get("kind")),
    )
    tab, kind = (field["value"] for field in fields)
    parts = [row for row in rows if row.text is None and row.bytes]
    reach = {kind: [row for row in rows if row.reach == kind] for kind in Reach}
    answer = (
        f"{looked.label}: {reach_in_words(reach)}\n{len(parts):,} tokens are not text on their own: they hold a "
        "part of a character, or bytes that no text has."
    )
    of_kind = [row for row in rows if kind in (_ANY_KIND, row.kind)]
    shown_rows = [_shown_token(row) for row in _in_tab(of_kind, tab, text, looked.name)]
    label = _TABS[tab] + (f", {kind}" if kind != _ANY_KIND else "")
    table = f"{label}: {counted('token', len(shown_rows))}"
    words = SectionText("Can every token be reached?", answer, table)
    find = partial(analyses.vocabulary_rows, looked.name)
    explained = _GLITCHES if tab == "glitches" else ""
    return Section("vocabulary", words, shown_rows, explained, find=find, fields=fields)


def _in_tab(rows: list[VocabularyRow], tab: str, text: str, name: str) -> list[VocabularyRow]:
    if tab == "parts":
        return [row for row in rows if row.text is None and row.bytes]
    if tab == "across":
        return [row for row in rows if goes_across_words(row.text)]
    if tab == "longest":
        return sorted(rows, key=lambda row: -len(row.bytes))[:_MAX_SHOWN]
    if tab not in ("unused", "glitches"):
        return [row for row in rows if row.reach == tab]
    if not text:
        return []
    ids = getattr(analyses.use_of_tokens(text, name), tab)
    return [row for row in rows if row.id in ids]


def _shown_token(row: VocabularyRow) -> ShownToken:
    witness = None if row.witness is None else shown(row.witness.encode())
    return ShownToken(row.id, shown(row.bytes), row.kind, row.reach, witness, row.reason)


def reach_in_words(reach: Mapping[Reach, list[VocabularyRow]]) -> str:
    """Say how many tokens are reached by some text."""
    counts = {kind: len(rows) for kind, rows in reach.items()}
    sentences = [f"{counts[Reach.OWN_TEXT]:,} tokens can be reached by encoding their own text."]
    sentences.append(f"{counts[Reach.IN_CONTEXT]:,} more need a longer text; one such text is given.")
    never, undecided = counts[Reach.UNREACHABLE], counts[Reach.UNDECIDED]
    sentences.append(
        f"{never:,} are never reached, whatever the text." if never else "No token is known to be unreachable."
    )
    if undecided:
        sentences.append(f"{undecided:,} are undecided: no text with them was found, but there may be one.")
    return " ".join(sentences)
