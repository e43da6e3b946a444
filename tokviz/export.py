"""Export of a text's tokens as JSON, CSV, a colored page or SVG, of a comparison as a page or SVG, of a replay or a
lattice as SVG.

JSON and CSV have one row per token, in text order, with these columns:

    index              the token's index, from 0
    id                 its token id
    start_byte         byte offset of its start in the text's UTF-8, from 0
    end_byte           byte offset of its end, one past its last byte
    start_code_point   the same two offsets in code points, as Python strings are indexed; an offset inside a cut
    end_code_point     character counts as the start of that character
    bytes              the bytes of the text that it covers, in hex: "20 f0 9f"
    text               these bytes as text; null in JSON and empty in CSV if the token holds part of a character
    special            whether it is a special token: true or false in JSON, 1 or 0 in CSV

CSV follows RFC 4180, in UTF-8, and contains the text unchanged. A spreadsheet reads a cell that begins with =, +, - or
@ as a formula, and "007" as a number, unless the column is imported as text.
"""

import csv
import io
import json
from collections.abc import Collection, Iterator
from itertools import pairwise

from tokviz.analysis.comparison.compare import Comparison
from tokviz.bpe.merge_replay import Order
from tokviz.display import counted, hex_bytes
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import MAX_WAYS, EngineTokenizer
from tokviz.tokenizers.simple import WordTokenizer
from tokviz.widgets import colored_texts, comparisons
from tokviz.widgets.colored_texts import ColorBy, colored_data
from tokviz.widgets.columns import apply_columns
from tokviz.widgets.comparison_svg import comparison_svg
from tokviz.widgets.lattice_svg import lattice_svg
from tokviz.widgets.lattices import lattice_data
from tokviz.widgets.svg import SVG
from tokviz.widgets.tokens_svg import Kind, tokens_svg
from tokviz.widgets.tower_picture import LETTERS, Shown, Writing, has_letters
from tokviz.widgets.tower_svg import tower_svg

# Rows per batch: a few milliseconds of work, so that a server can handle other requests in between.
_BATCH_SIZE = 1_000


COLUMNS = (
    "index",
    "id",
    "start_byte",
    "end_byte",
    "start_code_point",
    "end_code_point",
    "bytes",
    "text",
    "special",
)
"""Column names, described in the module's docstring."""

_INSTEAD = {
    "unigram": ": lattice_to_svg draws how Unigram decides",
    "wordpiece": ": the tokenizer's longest_matches says how WordPiece decides",
}

Row = tuple[int, int, int, int, int, int, str, str | None, bool]


def to_json(
    tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = (), *, add_special: bool = False
) -> Iterator[str]:
    """Return the tokens of `text` as a JSON object, in chunks: "tokenizer" (its name), "text", and "tokens", the rows.

    Arguments and errors are those of `Tokenizer.tokenize`.
    """
    return _json(tokenizer.name, tokenizer.tokenize(text, allowed_special, add_special=add_special))


def to_csv(
    tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = (), *, add_special: bool = False
) -> Iterator[str]:
    """Return the tokens of `text` as CSV, in chunks. Write them with `newline=""`: lines already end in CR LF.

    Arguments and errors are those of `Tokenizer.tokenize`.
    """
    return _csv(tokenizer.tokenize(text, allowed_special, add_special=add_special))


def to_html(
    tokenizer: Tokenizer,
    text: str,
    allowed_special: Collection[str] = (),
    *,
    color_by: ColorBy = "alternate",
    marks: bool = True,
    lang: str = "",
) -> str:
    """Return the tokens of `text` in color, as a web page that needs no network.

    `color_by` and `marks` (for spaces, line ends and other invisible characters) are the page's initial settings;
    `lang` is the text's language, such as "ja", by which browsers choose the shapes of letters. The other arguments
    and the errors are those of `Tokenizer.tokenize`.
    """
    data = colored_data(tokenizer, text, allowed_special, color_by=color_by, marks=marks, lang=lang)
    return colored_texts.page(data)


def to_svg(
    tokenizer: Tokenizer,
    text: str,
    allowed_special: Collection[str] = (),
    *,
    columns: int = 60,
    dark: bool = False,
) -> SVG:
    """Return a picture of the tokens of `text` in color, as SVG, with their number beneath.

    A line has `columns` columns, one for each character, two for wide ones. A notebook shows the result; write it to a
    file as UTF-8. Raises ValueError for texts of more than 1,000 bytes, and for those with controls of direction, such
    as U+202E. The other errors are those of `Tokenizer.tokenize`.
    """
    if columns < 2:
        raise ValueError(f"a line needs at least two columns, not {columns}")
    tokens = tokenizer.tokenize(text, allowed_special)
    title = f"{tokenizer.name}: {counted('token', len(tokens))}, {counted('byte', len(tokens.data))}"
    offsets, kinds = tokens.byte_offsets.tolist(), _kinds(tokenizer, tokens)
    return tokens_svg(tokens.text, offsets, kinds, title, columns, "use to_html", dark=dark)


def _kinds(tokenizer: Tokenizer, tokens: Tokenization) -> list[int]:
    """Return what each token is in a picture: a word tokenizer's special token stands for any word but itself."""
    unknown = WordTokenizer.UNKNOWN.encode() if tokenizer.units == "words" else None
    return [
        Kind.ORDINARY if not is_special else Kind.SPECIAL if unknown in (None, piece) else Kind.UNKNOWN
        for is_special, piece in zip(tokens.special.tolist(), tokens.token_bytes, strict=True)
    ]


def comparison_to_html(comparison: Comparison, *, lang: str = "") -> str:
    """Return a web page that shows where tokenizers differ on a text, and why. It needs no network.

    The page shows the text above one band of tokens per tokenizer, and lets readers step through, filter and list the
    differences. The first 10,000 differences have a sentence that says why. `lang` is the text's language, such as
    "ja".
    """
    return comparisons.page(comparison, lang)


def comparison_to_svg(comparison: Comparison, *, columns: int = 60, dark: bool = False) -> SVG:
    """Return a picture of where tokenizers differ on a text, as SVG: a row of tokens for each, differences in color.

    A line has `columns` columns, one for each character, two for wide ones. A notebook shows the result; write it to a
    file as UTF-8. Raises ValueError for texts of more than 1,000 bytes, and for those with controls of direction, such
    as U+202E.
    """
    if columns < 2:
        raise ValueError(f"a line needs at least two columns, not {columns}")
    return comparison_svg(comparison, columns, "use comparison_to_html", dark=dark)


def lattice_to_svg(
    tokenizer: Tokenizer,
    text: str,
    way: int = 0,
    allowed_special: Collection[str] = (),
    *,
    columns: int = 24,
    dark: bool = False,
) -> SVG:
    """Return a picture of a Unigram tokenizer's lattice, as SVG: a text's characters, and all pieces that fit them.

    Each piece has its score. The pieces of one way to write the text are colored: `way` is 0 for the best, which the
    tokenizer takes, 1 for the next best, and so on. A line has at most `columns` columns, one for each character of the
    normalized text. A notebook shows the result; write it to a file as UTF-8. Text stays text, in the reader's fonts.

    Raises ValueError for a tokenizer whose algorithm is not Unigram, and for texts of more than 1,000 characters;
    IndexError for a way that there is not. The other errors are those of the tokenizer's `lattice`.
    """
    if not isinstance(tokenizer, EngineTokenizer):
        raise ValueError(f"{tokenizer.name} has no lattice, since its algorithm is not unigram")
    if columns < 1:
        raise ValueError(f"a line needs at least one column, not {columns}")
    if not 0 <= way < MAX_WAYS:
        raise IndexError(f"ways are counted from 0, the best, to {MAX_WAYS - 1}; there is no way {way}")
    lattice = tokenizer.lattice(text, way + 1, allowed_special)
    if way >= len(lattice.ways):
        raise IndexError(f"there are {len(lattice.ways)} ways to write this text; there is no way {way}")
    return lattice_svg(lattice_data(lattice), columns, way=way, dark=dark)


def replay_to_svg(
    tokenizer: Tokenizer,
    text: str,
    step: int | None = None,
    allowed_special: Collection[str] = (),
    *,
    order: Order = "rank",
    columns: int = 32,
    symbols: Writing = "text",
    count_words: bool = False,
    dark: bool = False,
) -> SVG:
    """Return a picture of how a text is merged, as SVG: its symbols, and under them a block for each token made so far.

    Symbols are the text's bytes, or the characters of the normalized text for tokenizers that merge those.

    `step` is the number of steps done, from 0 to `len(tokenizer.replay(text))`; None for all of them, which shows the
    ids as well. A line has `columns` columns, one for each symbol. `symbols` is the notation: "text", "hex", "ids", or
    "letters", one for each merge, as in the first description of byte pair encoding. `count_words` draws equal
    pre-tokens once, with their count. A notebook shows the result; write it to a file as UTF-8. Text stays text, in the
    reader's fonts.

    Raises ValueError for a tokenizer without merges, and for texts of more than 1,000 symbols; IndexError for a step
    that the replay doesn't have. The other arguments and errors are those of the tokenizer's `replay`.
    """
    if not isinstance(tokenizer, BPETokenizer | EngineTokenizer):
        raise ValueError(f"{tokenizer.name} merges nothing, so there is nothing to draw")
    if tokenizer.algorithm != "bpe":
        raise ValueError(f"{tokenizer.name} merges nothing{_INSTEAD.get(tokenizer.algorithm, '')}")
    if columns < 1:
        raise ValueError(f"a line needs at least one column, not {columns}")
    if count_words and order == "pretoken":
        raise ValueError(
            'count_words needs order="rank": pre-token by pre-token, equal words are merged at different steps'
        )
    replay = tokenizer.replay(text, allowed_special, order)
    if symbols == "letters" and not has_letters(replay):
        raise ValueError(f"letters name only {len(LETTERS)} merges, in the order of their ranks; use other symbols")
    step = len(replay) if step is None else step
    if not 0 <= step <= len(replay):
        raise IndexError(f"this replay has the steps 0 to {len(replay)}; there is no step {step}")
    data = apply_columns(replay, distinct=count_words and replay.is_by_rank)
    return tower_svg(*data, Shown(step, symbols), columns, dark=dark)


def _json(tokenizer: str, tokenization: Tokenization) -> Iterator[str]:
    header = json.dumps({"tokenizer": tokenizer, "text": tokenization.text}, ensure_ascii=False)
    yield header.removesuffix("}") + ', "tokens": ['
    separator = "\n"
    for batch in _batches(tokenization):
        # One token per line. JSON escapes quotes in strings as \", so the replaced text occurs only between two rows.
        rows = json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in batch], ensure_ascii=False)
        yield separator + rows[1:-1].replace('}, {"index": ', '},\n{"index": ')
        separator = ",\n"
    yield "\n]}\n"


def _csv(tokenization: Tokenization) -> Iterator[str]:
    yield ",".join(COLUMNS) + "\r\n"
    for batch in _batches(tokenization):
        lines = io.StringIO(newline="")
        csv.writer(lines).writerows((*row[:-1], int(row[-1])) for row in batch)
        yield lines.getvalue()


def _batches(tokenization: Tokenization) -> Iterator[list[Row]]:
    """Yield the rows in batches."""
    data, text = tokenization.data, tokenization.text
    for first in range(0, len(tokenization), _BATCH_SIZE):
        tokens = slice(first, first + _BATCH_SIZE)
        boundaries = slice(first, first + _BATCH_SIZE + 1)
        byte_spans = list(pairwise(tokenization.byte_offsets[boundaries].tolist()))
        spans = list(pairwise(tokenization.code_point_offsets[boundaries].tolist()))
        cuts = pairwise(tokenization.inside_character[boundaries].tolist())
        yield list(
            zip(
                range(first, first + len(byte_spans)),
                tokenization.ids[tokens].tolist(),
                *zip(*byte_spans, strict=True),
                *zip(*spans, strict=True),
                [hex_bytes(data[start:end]) for start, end in byte_spans],
                [None if any(is_cut) else text[start:end] for (start, end), is_cut in zip(spans, cuts, strict=True)],
                tokenization.special[tokens].tolist(),
                strict=True,
            )
        )
