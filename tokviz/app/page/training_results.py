"""The Train page's results for a tokenizer: its figures, vocabulary and files."""

import io
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from tokviz import formats
from tokviz.analysis.training_report import Packed, Report, TokenRow, token_rows, tree_lines, used_tokens
from tokviz.app.http.requests import sentence
from tokviz.app.page import state
from tokviz.app.page.download_button import download_button
from tokviz.app.page.figures import download_cached
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.page.tokenizer_cache import kept_with_tokenizer
from tokviz.app.visitors.downloads import Download
from tokviz.app.visitors.kept_tokenizers import registry
from tokviz.display import shown
from tokviz.pretokens.splitting import PATTERNS
from tokviz.tokenizers.bpe import BPETokenizer

_MAX_ROWS = 1_000
_MAX_PARTS = 20
_MAX_SPELLED = 1_000  # characters of a token
_MAX_SEARCHED = 1_000  # characters
_PEERS = {"gpt2": "GPT-2", "cl100k_base": "cl100k (GPT-4)"}

_SORTINGS: dict[str, Callable[[TokenRow], Any]] = {
    "Rank": lambda row: (row.rank is None, row.rank or 0, row.id),
    "Length": lambda row: (-row.length, row.id),
    "Count": lambda row: (-(row.times or 0), row.id),
    "Id": lambda row: row.id,
}


def bpe_named(name: str) -> BPETokenizer:
    """Return a visitor's tokenizer."""
    tokenizer = registry.get(name)
    assert isinstance(tokenizer, BPETokenizer)
    return tokenizer


def vocabulary_rows(name: str, report: Report | None) -> list[TokenRow]:
    """Return the vocabulary of a visitor's tokenizer, with token counts if there is a report."""
    # Both variants are cached for all sessions, but only the one that trained the tokenizer has the report.
    return _unreported_rows(name) if report is None else _reported_rows(name, report)


@kept_with_tokenizer("Reading the vocabulary")
def _unreported_rows(name: str) -> list[TokenRow]:
    return token_rows(bpe_named(name), None)


@kept_with_tokenizer("Reading the vocabulary")
def _reported_rows(name: str, report: Report) -> list[TokenRow]:
    return token_rows(bpe_named(name), report.counts)


def show_figures(name: str, report: Report | None) -> None:
    """Show a tokenizer's size, and its compression next to that of well-known tokenizers."""
    tokenizer = bpe_named(name)
    training = tokenizer.training
    merged = len(set(tokenizer.merge_results))
    st.text(f"A vocabulary of {tokenizer.vocab_size:,}; {merged:,} of its tokens are merged from others.")
    if training is not None and training.stopped == "min_count":
        within = " within a pre-token" if tokenizer.split_patterns else ""
        st.text(f"Training ended early: no pair of neighbors occurred twice{within} any more.")
    if report is None:
        return
    texts = {"the text it learned from": report.learned_from, "the text it was measured on": report.measured}
    rows = [
        {
            "bytes per token on": f"{title} ({packed[0].bytes:,} bytes)",
            "yours": packed[0].bytes_per_token,
            **{_PEERS[each.tokenizer]: each.bytes_per_token for each in packed[1:]},
        }
        for title, packed in texts.items()
        if packed
    ]
    _show_comparison(rows)
    _show_problem(report.measured)
    if tokenizer.special_tokens:
        st.text("Here each of your special tokens is one token; the others spell out those that they don't have.")
    vocabulary = vocabulary_rows(name, report)
    used = used_tokens(vocabulary)
    st.text(
        f"{used:,} of its {len(vocabulary):,} tokens are used to encode the text it learned from. More bytes per token "
        "is shorter; only a text that it never saw tells what it is worth elsewhere."
    )


def _show_comparison(rows: list[dict[str, Any]]) -> None:
    """Show bytes per token of a tokenizer and its peers as a table, which is large in presenter mode."""
    if state.presenting():
        cells = [
            {column: f"{cell:.2f}" if isinstance(cell, float) else cell for column, cell in row.items()} for row in rows
        ]
        st.table(cells, hide_index=True)
        return
    st.dataframe(
        rows,
        hide_index=True,
        column_config={column: st.column_config.NumberColumn(format="%.2f") for column in ("yours", *_PEERS.values())},
        alt="Bytes per token of yours and of two known tokenizers",
    )


def _show_problem(measured: Sequence[Packed]) -> None:
    problem = measured[0].problem if measured else ""
    if problem:
        st.warning(escape_markdown(f"It can't encode the text it was measured on: {problem}."))


def browse(name: str, report: Report | None) -> None:
    """Show the vocabulary with search and sorting, and the merge tree of a selected token."""
    rows = vocabulary_rows(name, report)
    search_column, sort_column = st.columns(2, vertical_alignment="bottom")
    wanted = search_column.text_input(
        "Search", key="search", placeholder="th", max_chars=_MAX_SEARCHED, help="Tokens that contain this text"
    )
    sorting = sort_column.segmented_control("Sort by", list(_SORTINGS), default="Rank", required=True, key="sort")
    found = [row for row in rows if wanted.encode() in row.token]
    found.sort(key=_SORTINGS[sorting or "Rank"])
    shortened = f", the first {_MAX_ROWS:,} below" if len(found) > _MAX_ROWS else ""
    st.text(f"{len(found):,} of {len(rows):,} tokens{shortened}")
    tokenizer = bpe_named(name)
    chosen = st.dataframe(
        [_cells(tokenizer, row) for row in found[:_MAX_ROWS]],
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key=f"vocabulary {name} {wanted} {sorting}",
        alt="The vocabulary",
    )
    picked = chosen["selection"]["rows"]
    row = found[picked[0]] if picked else _first_merged(found)
    if row is not None:
        st.text(_tree_caption(tokenizer, row.id))
        st.code("\n".join(tree_lines(tokenizer.tree(row.id), partial(spell, tokenizer))), language=None)
    download_cached(partial(vocabulary_rows, name, report), "vocabulary-and-merges")


def _tree_caption(tokenizer: BPETokenizer, token: int) -> str:
    """Return the caption of a token's merge tree."""
    name = f"“{spell(tokenizer, token)}” (id {token})"
    parts = tokenizer.merge_alone(token)
    if parts != (token,):
        instead = " + ".join(spell(tokenizer, part) for part in parts[:_MAX_PARTS])
        return f"No merge makes {name}: its symbols merge to {instead}. Choose a row above to see another."
    if tokenizer.rank(token) is None:
        return f"{name} is not merged. Choose a row above to see another."
    return f"How {name} is merged. Choose a row above to see another."


def _first_merged(rows: Sequence[TokenRow]) -> TokenRow | None:
    return next((row for row in rows if row.rank is not None), None)


def spell(tokenizer: BPETokenizer, token: int) -> str:
    """Spell a token for people, with the end-of-word mark if it has one."""
    mark = tokenizer.end_of_word if tokenizer.ends_word(token) else None
    return shown(tokenizer.vocab[token], _MAX_SPELLED) + (mark or "")


def _cells(tokenizer: BPETokenizer, row: TokenRow) -> dict[str, Any]:
    parts = [spell(tokenizer, part) for part in (row.left, row.right) if part is not None]
    return {
        "merge": None if row.rank is None else row.rank + 1,
        "token": spell(tokenizer, row.id),
        "joins": " + ".join(parts),
        "bytes": row.length,
        "in the text": row.times,
        "pair's count": row.pair_count,
        "ties": row.tied,
        "id": row.id,
    }


class _File(NamedTuple):
    """A file to download, and what it doesn't contain or why it can't be written."""

    name: str
    data: bytes
    says: str


@kept_with_tokenizer("Writing the files")
def _files(name: str) -> list[_File]:
    return [_file(bpe_named(name), form.example) for form in formats.FORMATS]


def _file(tokenizer: BPETokenizer, file: str) -> _File:
    try:
        # Messages name the tokenizer, which people know by its label only. Files don't hold the name.
        files, left_out = formats.write(tokenizer.with_name("this tokenizer"), file)
    except ValueError as error:
        return _File(file, b"", sentence(error))
    lacks = []
    if "split_pattern" in left_out:
        lacks.append(_pattern_in_words(left_out["split_pattern"]))
    if left_out.get("special_tokens"):
        ids = (f"{text} {token}" for text, token in left_out["special_tokens"].items())
        lacks.append(f"its special tokens with their ids, {', '.join(ids)}")
    says = "Holds all that encoding needs."
    if lacks:
        says = f"Does not hold {' and '.join(lacks)}: say it when you open the file."
    if left_out.get("unapplied"):
        says += f" Leaves out what the file that you opened says besides: {', '.join(left_out['unapplied'])}."
    if len(files) == 1:
        return _File(file, files[file], says)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in files.items():
            archive.writestr(member, data)
    return _File(f"{Path(file).stem}-files.zip", packed.getvalue(), f"In one zip file: unpack it to open them. {says}")


def _pattern_in_words(pattern: str | None) -> str:
    if pattern is None:
        return "its split pattern, which is none"
    name = next((f"{name}'s" for name, text in PATTERNS.items() if text == pattern), f"“{pattern}”")
    return f"its split pattern, {name}"


def offer_files(name: str) -> None:
    """Draw a button for each format, and what its file doesn't contain."""
    for title, file in zip((form.label for form in formats.FORMATS), _files(name), strict=True):
        button, says = st.columns([1, 2], vertical_alignment="center")
        with button:
            if file.data:
                download_button(
                    title, Download(file.name, "application/octet-stream", partial(bytes, file.data)), title
                )
            else:
                st.button(title, key=f"no {title}", disabled=True)
        says.text(file.says)
