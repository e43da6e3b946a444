r"""Reachability of tokens: whether encoding gives a token for its own text, only within a longer text, or never.

A token that its own text doesn't give may still be reachable. o200k cuts `\n//` before it merges, yet `=\n//` is one
pre-token, in which `\n//` is merged. So a token counts as unreachable only if that is proved:

- no UTF-8 text holds its bytes;
- merging its symbols makes something else (no text merges them differently, see `BPETokenizer.rank`);
- no pre-token can hold its text, because no branch of the split pattern matches a text with it inside;
- it ends or begins within a character, and of the tokens that may be beside it (see `neighbors`) none completes that
  character, or only to texts that no pre-token can hold;
- the rules of an engine's file rule it out (see `engine_reach`).

A token that is neither proved unreachable nor reached by any of the tried texts is undecided. The search tries the
token's text with one of a few short texts before it and one after it, for an engine's token those that its family
suggests first; a split pattern that looks further may need others, so an undecided token may be reachable after all.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache, cached_property
from itertools import chain, islice, product
from typing import NamedTuple

import numpy as np
import regex

from tokviz.analysis.availability import text_bytes
from tokviz.analysis.corpus import as_tokenizer
from tokviz.analysis.known_patterns import COMPLETE, RUNS
from tokviz.analysis.tables import RowList
from tokviz.analysis.vocabulary.character_parts import Parts, assigned_characters, limited, parts_of
from tokviz.analysis.vocabulary.contents import SPECIAL, VocabularyEntry, vocabulary_table
from tokviz.analysis.vocabulary.engine_reach import merging_of, rules_of
from tokviz.analysis.vocabulary.neighbors import Completions, Neighbors
from tokviz.display import quote, token_text
from tokviz.pretokens import splitting
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.progress import PhaseProgress, no_progress


class Reach(StrEnum):
    """Ways in which a token can be reached.

    `OWN_TEXT`: encoding its own text gives it; for a special token, where it is allowed. `IN_CONTEXT`: only encoding a
    longer text does. `UNREACHABLE`: no text does. `UNDECIDED`: no such text was found, but there may be one.
    """

    OWN_TEXT = "own text"
    IN_CONTEXT = "in context"
    UNREACHABLE = "unreachable"
    UNDECIDED = "undecided"


class TokenReach(NamedTuple):
    """A row of `token_reach`: one token.

    `witness` is a text whose encoding holds the token, or None if none is known; `reason` says why there is none, or
    is empty if that isn't proved. Special tokens are text like any other in the witness of an ordinary token. Where
    they are allowed, it holds the token as well, if such a text was found: `the` has none if each `the` is special.
    """

    id: int
    bytes: bytes
    reach: Reach
    witness: str | None
    reason: str = ""


# Contexts to try before and after a token: something for each branch of the usual split patterns.
_BEFORE = ("", " ", "=", "a", "A", "x", "1", "\n", "!", "(", ".", '"', "中", "'", "\t", "  ", "é", "/")
_AFTER = ("", " ", "a", "x", "z", "A", "1", "\n", "!", "=", "/", ".", "中", "s", "m", "d", "ll", "ve", "'", "\r", "é")
_AFTER_APOSTROPHE = ("t", "re", "S", "T", "M", "D", "LL", "RE", "VE", "ſ")  # ſ equals s when case is ignored

_MAX_TRIED = 50_000  # maximum texts encoded to find witnesses, per vocabulary
_REPORTED_EVERY = 20  # tokens between two reports of progress, of those for which many texts may be tried
_FEW = 4  # texts that are tried for each token before any token takes many
_LONGEST = 1_000
"""Maximum bytes of a token of a vocabulary whose tokens are tried as neighbors, which takes their square."""

_MAX_SURVEYED = 200  # maximum tokens, per vocabulary, for which all tokens are tried as neighbors


def token_reach(
    tokenizer: str | Tokenizer,
    entries: Sequence[VocabularyEntry] | None = None,
    *,
    progress: PhaseProgress | None = None,
) -> RowList[TokenReach]:
    """One row per token of a vocabulary, by id. Each witness is verified by encoding it.

    `entries` is the vocabulary's table (see `vocabulary_table`), if already computed. `progress(phase, done, total)`
    is called as `audit` says.

    >>> [(row.bytes, row.reach.value) for row in token_reach("gpt2") if row.id in (0, 177, 8582)]
    [(b'!', 'own text'), (b'\\xf5', 'unreachable'), (b'\\xf0\\x9f', 'in context')]
    """
    tokenizer = as_tokenizer(tokenizer)
    table = vocabulary_table(tokenizer) if entries is None else entries
    return RowList(_Search(tokenizer, progress or no_progress).rows(table))


class _Search:
    """Search for witnesses of the tokens of one vocabulary."""

    def __init__(self, tokenizer: Tokenizer, progress: PhaseProgress) -> None:
        self.tokenizer = tokenizer
        self.progress = progress
        self.cut_out_ids = {*tokenizer.special_tokens.values(), *tokenizer.cut_out_ids}
        self.rules = rules_of(tokenizer)
        self.tries_left = _MAX_TRIED
        self.surveys_left = _MAX_SURVEYED

    @cached_property
    def merging(self) -> BPETokenizer | None:
        """What merges a text as it is after normalization; None for other algorithms."""
        return self.rules.merging if self.rules else merging_of(self.tokenizer)

    def rows(self, entries: Sequence[VocabularyEntry]) -> list[TokenReach]:
        vocab = self.tokenizer.vocab
        found = {entry.id: self._own_text_reach(entry) for entry in entries}
        for token in [token for token, row in found.items() if row is None]:
            reason = self._why_unreachable(token)
            found[token] = TokenReach(token, vocab[token], Reach.UNREACHABLE, None, reason) if reason else None
        for token, witness in self._character_witnesses({token for token, row in found.items() if row is None}).items():
            found[token] = TokenReach(token, vocab[token], Reach.IN_CONTEXT, witness)
        left = [token for token, row in found.items() if row is None]
        found |= self._in_few_contexts(left)
        left += [token for token, row in found.items() if row and row.witness and self._is_cut(row.witness, token)]
        for number, token in enumerate(left):
            if number % _REPORTED_EVERY == 0:
                self.progress("contexts", number, len(left))
            row = found[token]
            if row is None or self._is_cut(row.witness or "", token):
                found[token] = self._uncut(row, self._search_contexts(token))
        self.progress("contexts", len(left), len(left))
        return [row for row in found.values() if row]

    def _encodes_to(self, text: str, token: int, allowed_special: Collection[str] = ()) -> bool:
        try:
            return token in self.tokenizer.encode(text, allowed_special)
        except ValueError:  # the alphabet lacks a character, or a library gives up
            return False

    def _is_cut(self, text: str, token: int) -> bool:
        """Return whether encoding a text holds an ordinary token only if no special tokens are allowed."""
        if token in self.cut_out_ids or not self._may_hold_special(text):
            return False
        return not self._encodes_to(text, token, "all")

    def _may_hold_special(self, text: str) -> bool:
        if self._finds_normalized:
            return True
        if self._special_beginnings.isdisjoint(text):
            return False
        return any(special in text for special in self.tokenizer.special_tokens)

    @cached_property
    def _special_beginnings(self) -> set[str]:
        """First characters of the special tokens: few texts hold one, and there may be a thousand special tokens."""
        return {special[0] for special in self.tokenizer.special_tokens if special}

    @cached_property
    def _finds_normalized(self) -> bool:
        """Whether special tokens are looked for in a text that normalization has changed."""
        return self.rules is not None and self.rules.finds_normalized

    def _uncut(self, known: TokenReach | None, candidate: TokenReach) -> TokenReach:
        """Return the row of a token that was `known`, with the witness of `candidate` unless that is cut as well."""
        if known is None:
            return candidate
        is_better = candidate.witness is not None and not self._is_cut(candidate.witness, candidate.id)
        return known._replace(witness=candidate.witness) if is_better else known

    def _own_text_reach(self, entry: VocabularyEntry) -> TokenReach | None:
        reached = entry.reached
        if entry.kind == SPECIAL and entry.text and entry.text in self.tokenizer.special_tokens:
            reached = self._encodes_to(entry.text, entry.id, "all")
        return TokenReach(entry.id, entry.bytes, Reach.OWN_TEXT, entry.text) if reached else None

    # Proofs

    def _why_unreachable(self, token: int) -> str:
        parts = parts_of(self.tokenizer.vocab[token])
        if token in self.cut_out_ids:
            return ""
        if parts is None:
            return "no UTF-8 text holds these bytes"
        reason = self.rules.why_unreachable(token) if self.rules else ""
        if not reason and self.merging is not None:
            reason = _why_not_merged(self.merging, token, parts) or _why_not_cut(self.merging, parts)
        return reason

    # Witnesses

    def _character_witnesses(self, wanted: set[int]) -> dict[int, str]:
        """Witnesses of tokens that hold a part of a character: single characters, alone, after a space, or doubled."""
        held = {token: text_bytes(self.tokenizer, token) for token in wanted}
        wanted = {token for token, data in held.items() if token_text(data) is None}
        if not wanted:
            return {}
        tokenizer = self.merging or self.tokenizer
        witnesses: dict[int, str] = {}
        # In chunks so small that most hold none of the bytes that are still wanted, and needn't be encoded.
        for start in range(0, len(assigned_characters()), 2_000):
            if not wanted:
                break
            if start % 10_000 == 0:
                self.progress("characters", start, len(assigned_characters()))
            chunk = assigned_characters()[start : start + 2_000]
            lines = [line for char in chunk for line in (char, f" {char}", f"{char}{char}")]
            text = "\n".join(lines)
            data = text.encode()
            if not any(held[token] in data for token in wanted):
                continue
            for number, token in _lines_with(tokenizer, wanted, text):
                if token in wanted and self._encodes_to(lines[number], token):
                    witnesses[token] = lines[number]
                    if not self._is_cut(lines[number], token):
                        wanted.discard(token)
        return witnesses

    def _in_few_contexts(self, tokens: Iterable[int]) -> dict[int, TokenReach]:
        """Rows of the tokens that the first few texts which their family suggests give, so that none uses all tries."""
        rows = {}
        for token in tokens:
            suggested = self.rules.texts(token) if self.rules else ()
            witness = self._first_that_holds(token, islice(suggested, _FEW))
            if witness is not None:
                rows[token] = TokenReach(token, self.tokenizer.vocab[token], Reach.IN_CONTEXT, witness)
        return rows

    def _search_contexts(self, token: int) -> TokenReach:
        data = self.tokenizer.vocab[token]
        parts = parts_of(data)
        if parts is None:
            return TokenReach(token, data, Reach.UNDECIDED, None)
        suggested = self.rules.texts(token) if self.rules else ()
        witness = self._first_that_holds(token, chain(suggested, self._candidates(parts, parts.completed())))
        completed = self._completions(token, parts) if witness is None else None
        if completed is not None:
            if not completed.texts:
                return TokenReach(token, data, Reach.UNREACHABLE, None, _why_not_completed(completed))
            witness = self._first_that_holds(token, chain(completed.beside, self._candidates(parts, completed.texts)))
        return TokenReach(token, data, Reach.UNDECIDED if witness is None else Reach.IN_CONTEXT, witness)

    def _first_that_holds(self, token: int, texts: Iterable[str]) -> str | None:
        """Return the first text whose encoding holds a token, if possible also where special tokens are allowed."""
        cut = None
        for text in texts:
            if self.tries_left <= 0:
                break
            self.tries_left -= 1
            if self._encodes_to(text, token):
                if not self._is_cut(text, token):
                    return text
                cut = cut or text
        return cut

    @cached_property
    def _neighbors(self) -> Neighbors | None:
        is_of_bytes = self.merging is not None and self.merging.alphabet.units == "bytes"
        if self.merging is None or not is_of_bytes or max(map(len, self.merging.vocab.values()), default=0) > _LONGEST:
            return None
        return Neighbors(self.merging)

    def _completions(self, token: int, parts: Parts) -> Completions | None:
        """All texts that may hold a token with a part of a character; None if they are unknown."""
        if parts.is_text or self._neighbors is None or self.surveys_left <= 0:
            return None
        self.surveys_left -= 1
        return self._neighbors.completions(token, parts, self._why_not_held)

    def _why_not_held(self, text: str) -> str:
        """Return why no pre-token holds a text."""
        changed = self.rules.why_changed(text) if self.rules else ""
        return changed or (_why_not_cut(self.merging, Parts(b"", text, b"")) if self.merging else "")

    def _candidates(self, parts: Parts, completed: Iterable[str]) -> Iterator[str]:
        before, after = (dict.fromkeys((*usual, *self._alphabet)) for usual in (_BEFORE, _AFTER))
        if parts.whole.endswith("'"):
            after |= dict.fromkeys(_AFTER_APOSTROPHE)
        if parts.is_text:
            yield from (f"{one}{parts.whole}{other}" for one, other in product(before, after))
            return
        for text in completed:
            yield from (f"{one}{text}{other}" for one, other in product(("", " "), ("", " ")))

    @property
    def _alphabet(self) -> list[str]:
        """Some characters of a small alphabet."""
        if self.rules or self.merging is None or self.merging.alphabet.has_all_bytes:
            return []
        texts = (token_text(symbol) for symbol in self.merging.alphabet.tokens)
        return limited(text for text in texts if text)


def _lines_with(tokenizer: Tokenizer, wanted: set[int], text: str) -> Iterator[tuple[int, int]]:
    """Numbers of the lines in which tokens occur, and these tokens. A line alone may be encoded differently."""
    try:
        tokenization = tokenizer.tokenize(text)
    except ValueError:  # the alphabet lacks some characters
        return
    line_ends = np.flatnonzero(np.frombuffer(text.encode(), np.uint8) == ord("\n"))
    places = np.flatnonzero(np.isin(tokenization.ids, list(wanted)))
    numbers = np.searchsorted(line_ends, tokenization.byte_offsets[places])
    yield from zip(numbers.tolist(), tokenization.ids[places].tolist(), strict=True)


def _why_not_completed(completions: Completions) -> str:
    if not completions.ruled_out:
        return "whatever bytes beside this token complete its characters, its bytes are merged into other tokens"
    some = ", ".join(map(quote, list(completions.ruled_out)[:3])) + (", ..." if len(completions.ruled_out) > 3 else "")
    why = " or ".join(sorted(set(completions.ruled_out.values())))
    return f"only {some} beside this token would complete its characters, and {why}"


def _why_not_merged(tokenizer: BPETokenizer, token: int, parts: Parts) -> str:
    if token in tokenizer.alphabet.symbols or tokenizer.rank(token) is not None:
        return ""
    if tokenizer.ignore_merges and parts.is_text:  # a pre-token of this text would be taken whole
        return ""
    merged = tokenizer.merge_alone(token)
    if merged == (token,):
        return "it is not in the alphabet, and no merge makes it"
    return f"merging its symbols makes the tokens {', '.join(map(str, merged[:20]))} instead"


def _why_not_cut(tokenizer: BPETokenizer, parts: Parts) -> str:
    cuts = "the split pattern always cuts through this text"
    for pattern in tokenizer.split_patterns:
        if pattern in RUNS and not splitting.compile_for(parts.whole, RUNS[pattern]).fullmatch(parts.whole):
            return cuts
    last = tokenizer.split_patterns[-1] if tokenizer.split_patterns else None
    if last not in COMPLETE or not parts.whole:
        return ""
    is_possible = any(splitting.compile_for(parts.whole, inside).fullmatch(parts.whole) for inside in _insides(last))
    return "" if is_possible else cuts


# Texts that can be inside a match of a split pattern

_ATOM = regex.compile(
    r"""
    (?P<dropped> \(\?[=!] [^()]* \) | \$ | \(\?s\) )
    | (?P<open> \(\?i?: )
    | (?P<close> \) )
    | (?P<or> \| )
    | (?P<unit> \[ (?: \\. | [^\]\\] )* \] | \\p\{\w+\} | \\. | [^\\] )
    """,
    regex.VERBOSE | regex.DOTALL,
)
_QUANTIFIER = regex.compile(r"(?P<kind>[*+?]|\{\d*,?(?P<most>\d*)\})[+?]?")


@cache
def _insides(pattern: str) -> list[str]:
    """For each branch, a pattern that matches all that can be inside one of its matches, and some more.

    Every element of the branch becomes optional, and its conditions on the text before and after are dropped.
    """
    return [f"(?s){_optional(branch)}" for _, branch in COMPLETE[pattern]]


def _optional(branch: str) -> str:
    parts, place = [], 0
    while place < len(branch):
        atom = _ATOM.match(branch, place)
        assert atom is not None
        place = atom.end()
        if atom["dropped"]:
            continue
        parts.append(atom.group())
        if atom["unit"] or atom["close"]:
            quantifier = _QUANTIFIER.match(branch, place)
            place = quantifier.end() if quantifier else place
            parts.append(_at_most(quantifier))
    return "".join(parts)


def _at_most(quantifier: "regex.Match[str] | None") -> str:
    if quantifier is None or quantifier["kind"] == "?":
        return "?"
    return "*" if quantifier["kind"] in "*+" else f"{{0,{quantifier['most']}}}"
