"""An audit of a vocabulary: which tokens no text gives, which these texts never use, and which may be glitches.

Glitch tokens are those that a tokenizer learned but a model hardly saw, such as GPT-2's ` SolidGoldMagikarp` (Land and
Bartolo, 2024). A vocabulary alone can't tell. A candidate here is a token that some text gives, but that these texts
neither use nor explain: it is no part of a token that they use, as ` includ` is of ` include`. It is longer than the
average token, and was learned early: these texts use or explain at least half of the tokens learned before it. The more
texts, and the more like a model's, the more it means.
"""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import regex

from tokviz.analysis.corpus import Texts, as_tokenizer
from tokviz.analysis.vocabulary.contents import SPECIAL, VocabularyEntry, vocabulary_table
from tokviz.analysis.vocabulary.frequencies import count_tokens
from tokviz.analysis.vocabulary.reach import Reach, TokenReach, token_reach
from tokviz.arrays import Int64Array
from tokviz.display import hex_bytes, shown
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.progress import Progress, with_phases

_ACROSS_WORDS = regex.compile(r"\w[^\w\s]*+\s\W*+\w")
_MAX_NAMED = 5  # maximum tokens named in a line of the summary


class AuditRow(NamedTuple):
    """A row of an audit: one token. See `VocabularyEntry` for `rank`, `text` and `kind`, `TokenReach` for the rest.

    `times` is how often the token occurs in the audited texts. `across_words` says whether it holds white space
    between two words (letters or digits), which most split patterns rule out, and `glitch` whether it is a candidate.
    """

    id: int
    rank: int | None
    bytes: bytes
    text: str | None
    kind: str
    reach: Reach
    witness: str | None
    reason: str
    times: int
    across_words: bool
    glitch: bool


class KindAudit(NamedTuple):
    """The tokens of one kind, such as the letters of a script: how many there are, are used, can't be reached, ..."""

    kind: str
    tokens: int
    used: int
    unreachable: int
    glitch_candidates: int


@dataclass(frozen=True)
class Audit:
    """The result of `audit`: a row for each token, by id, and tables of some of them. `str` is a summary.

    `text_bytes` and `text_tokens` are the size of the audited texts. Without texts, the audit says nothing about use.
    `byte_ids` are the tokens for single bytes that spell what no other token does, such as `<0x21>`.
    """

    name: str
    rows: Sequence[AuditRow]
    text_bytes: int
    text_tokens: int
    byte_ids: frozenset[int] = frozenset()

    def reached(self, reach: Reach) -> list[AuditRow]:
        """Tokens that are reached this way."""
        return [row for row in self.rows if row.reach is reach]

    @cached_property
    def unreachable(self) -> list[AuditRow]:
        """Tokens that no text gives, as is proved: `reason` says why."""
        return self.reached(Reach.UNREACHABLE)

    @cached_property
    def in_context(self) -> list[AuditRow]:
        """Tokens that only longer texts than their own give: `witness` is one."""
        return self.reached(Reach.IN_CONTEXT)

    @cached_property
    def undecided(self) -> list[AuditRow]:
        """Tokens for which no text was found, though there may be one. They are not counted as unreachable."""
        return self.reached(Reach.UNDECIDED)

    @cached_property
    def unused(self) -> list[AuditRow]:
        """Tokens that these texts never use, except special and unreachable ones."""
        if not self.text_tokens:
            return []
        return [row for row in self.rows if is_unused(row)]

    @cached_property
    def glitch_candidates(self) -> list[AuditRow]:
        """Candidates for glitches (see the module), the ones learned first at the top."""
        return sorted((row for row in self.rows if row.glitch), key=lambda row: row.rank or 0)

    @cached_property
    def across_words(self) -> list[AuditRow]:
        """Tokens with white space between two words."""
        return [row for row in self.rows if row.across_words]

    @cached_property
    def by_script(self) -> list[KindAudit]:
        """One row per script or other kind of token, the most frequent first."""
        total = Counter(row.kind for row in self.rows)
        used = Counter(row.kind for row in self.rows if row.times)
        unreachable = Counter(row.kind for row in self.unreachable)
        glitches = Counter(row.kind for row in self.glitch_candidates)
        return [
            KindAudit(kind, tokens, used[kind], unreachable[kind], glitches[kind])
            for kind, tokens in total.most_common()
        ]

    def __repr__(self) -> str:
        return f"<Audit of {self.name}: {len(self.rows):,} tokens, {len(self.unreachable):,} unreachable>"

    def __str__(self) -> str:
        lines = [
            f"{self.name}: {len(self.rows):,} tokens",
            f"  given by their own text: {len(self.reached(Reach.OWN_TEXT)):,}",
            f"  only in longer texts: {self._named(self.in_context)}",
            f"  proved unreachable: {self._named(self.unreachable)}",
            f"  undecided, no text found: {self._named(self.undecided)}",
            f"  across words: {self._named(self.across_words)}",
        ]
        if self.text_tokens:
            used = sum(bool(row.times) for row in self.rows)
            lines += [
                f"in these texts, {self.text_bytes:,} bytes in {self.text_tokens:,} tokens",
                f"  used: {used:,}",
                f"  never used, but reachable: {len(self.unused):,}",
                f"  candidates for glitches: {self._named(self.glitch_candidates)}",
            ]
        lines.append("by script")
        lines += [f"  {row.kind}: {row.tokens:,} tokens" + self._used(row) for row in self.by_script]
        return "\n".join(lines)

    def _named(self, rows: Sequence[AuditRow]) -> str:
        """The number of the tokens, and some of them."""
        if not rows:
            return "0"
        some = ", ".join(map(self._name, rows[:_MAX_NAMED]))
        return f"{len(rows):,} ({some}{', …' if len(rows) > _MAX_NAMED else ''})"

    def _name(self, row: AuditRow) -> str:
        if row.id in self.byte_ids:
            return f"byte {hex_bytes(row.bytes)}"
        return f"“{shown(row.bytes, 40)}”" if row.bytes else f"token {row.id}, without bytes"

    def _used(self, row: KindAudit) -> str:
        return f", {row.used:,} used" if self.text_tokens else ""


def audit(tokenizer: str | Tokenizer, texts: Texts = (), *, progress: Progress | None = None) -> Audit:
    """Audit a vocabulary, and the use of it in texts, if any are given.

    Texts are encoded with no special tokens allowed. They may come from an iterator; an open file is one text.
    `progress(phase, done, total)` is called with the phases "vocabulary", "characters", "contexts" and "texts" (see
    `tokenizers.progress`), `progress(done)` after each batch of texts with the bytes read so far; an exception in it
    stops the work.

    >>> audited = audit("gpt2", ["the cat", "the hat"])
    >>> len(audited.unreachable), len(audited.in_context), [row.text for row in audited.rows if row.times == 2]
    (13, 331, ['the'])
    """
    tokenizer = as_tokenizer(tokenizer)
    report = with_phases(progress, "texts")
    size, counts = count_tokens(texts, tokenizer, lambda done: report("texts", done, None))
    entries = vocabulary_table(tokenizer, progress=report)
    rows = audit_rows(tokenizer, entries, token_reach(tokenizer, entries, progress=report), counts)
    return Audit(tokenizer.name, rows, size, int(counts.sum()), tokenizer.byte_ids)


def audit_rows(
    tokenizer: Tokenizer, entries: Sequence[VocabularyEntry], reach: Sequence[TokenReach], counts: Int64Array
) -> list[AuditRow]:
    """Join the tables of a vocabulary, of its tokens' reach and of their counts in some texts, by id."""
    count_of = {entry.id: int(counts[entry.id]) for entry in entries}
    explained = {token for token, count in count_of.items() if count}
    if tokenizer.merges_here:
        explained |= _parts(tokenizer, explained)
    glitches = _glitches(entries, {row.id for row in reach if row.witness is not None}, explained)
    return [
        AuditRow(
            entry.id,
            entry.rank,
            entry.bytes,
            entry.text,
            entry.kind,
            found.reach,
            found.witness,
            found.reason,
            count_of[entry.id],
            goes_across_words(entry.text),
            entry.id in glitches,
        )
        for entry, found in zip(entries, reach, strict=True)
    ]


def is_unused(row: AuditRow) -> bool:
    """Return whether the texts never use a token, which is neither special nor unreachable."""
    return not row.times and row.kind != SPECIAL and row.reach is not Reach.UNREACHABLE


def goes_across_words(text: str | None) -> bool:
    """Return whether a token's text has white space between two words."""
    return text is not None and _ACROSS_WORDS.search(text) is not None


def _glitches(entries: Sequence[VocabularyEntry], reached: Set[int], explained: Set[int]) -> set[int]:
    """Ids of the candidates for glitches. `explained` are the ids of used tokens and of their parts."""
    learned = sorted((entry for entry in entries if entry.rank is not None), key=lambda entry: entry.rank or 0)
    average = sum(len(entry.bytes) for entry in learned) / max(1, len(learned))
    candidates, explained_before = set(), 0
    for before, entry in enumerate(learned):
        if entry.id in explained:
            explained_before += 1
        elif 0 < before <= 2 * explained_before and len(entry.bytes) > average and entry.id in reached:
            candidates.add(entry.id)
    return candidates


def _parts(tokenizer: Tokenizer, ids: Iterable[int]) -> set[int]:
    """The tokens that some tokens are merged from, and those that these are merged from, and so on."""
    parts: set[int] = set()
    pending = list(ids)
    while pending:
        new = set(tokenizer.parents(pending.pop())) - parts
        parts |= new
        pending += new
    return parts
