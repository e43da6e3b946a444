"""A text's tokens as a file to keep: JSON, CSV, or a web page that shows them in color. And a comparison as a page.

JSON and CSV have a row for each token, in the order of the text, with these columns:

    index              the token's number, from 0
    id                 its token id
    start_byte         where it begins in the text's UTF-8, in bytes from 0
    end_byte           where it ends: one beyond its last byte
    start_code_point   the same two places in code points, as Python strings are indexed; a place inside a character
    end_code_point     that is cut counts as where that character begins
    bytes              the bytes of the text that it covers, in hex: "20 f0 9f"
    text               these bytes as text; where the token holds a part of a character, null in JSON and empty in CSV
    special            whether it is a special token: true or false in JSON, 1 or 0 in CSV

CSV is as RFC 4180 has it, in UTF-8, and the text stands in it unchanged. A spreadsheet takes a cell that begins with
=, +, - or @ for a formula, and "007" for a number, unless it is told, on import, that the column is text.
"""

import csv
import io
import json
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Literal

import numpy as np

from tokviz.analysis.branches import labels
from tokviz.analysis.comparison import Comparison
from tokviz.tokenization import Tokenization
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import WordTokenizer
from tokviz.widgets import columns, comparisons
from tokviz.widgets.html import standalone_page

ColorBy = Literal["alternate", "id", "rank", "bytes", "pretoken"]

# So many rows are made at a time: a few milliseconds' work, so that a server can attend to others in between.
_AT_A_TIME = 1_000


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
"""The names of the columns; this module's docstring explains them."""

Row = tuple[int, int, int, int, int, int, str, str | None, bool]


def to_json(tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()) -> Iterator[str]:
    """The tokens of `text` as a JSON object, piece by piece: "tokenizer" (its name), "text", and the rows as "tokens".

    Takes and raises what `Tokenizer.tokenize` does.
    """
    return _json(tokenizer.name, tokenizer.tokenize(text, allowed_special))


def to_csv(tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()) -> Iterator[str]:
    """The tokens of `text` as CSV, piece by piece. Write it with `newline=""`: its line ends are CR LF already.

    Takes and raises what `Tokenizer.tokenize` does.
    """
    return _csv(tokenizer.tokenize(text, allowed_special))


def to_html(
    tokenizer: Tokenizer,
    text: str,
    allowed_special: Collection[str] = (),
    *,
    color_by: ColorBy = "alternate",
    marks: bool = True,
    lang: str = "",
) -> str:
    """The tokens of `text` in color, as a web page that needs no network. Takes and raises what `tokenize` does.

    `color_by` and `marks` (of spaces, line ends and other invisible characters) are what the page begins with; `lang`
    is the text's language, such as "ja", by which browsers choose the shapes of letters.
    """
    tokenization = tokenizer.tokenize(text, allowed_special)
    special = list(tokenizer.special_tokens) if allowed_special == "all" else allowed_special
    data = {
        "text": tokenization.text,
        "tokenizer": tokenizer.name,
        "tokens": columns.pack(
            {
                "ids": tokenization.ids,
                "byte_lengths": np.diff(tokenization.byte_offsets),
                "special": tokenization.special.astype(np.uint8),
                **columns.ranks_column(tokenizer, tokenization.ids),
            },
            # The widgets know a list of words, whose one special token is the unknown word, by this name.
            {
                "tokenizer": "words" if isinstance(tokenizer, WordTokenizer) else tokenizer.name,
                "rewriting": list(tokenizer.rewriting),
            },
        ),
        "pretokens": columns.pack(
            columns.pretoken_columns(tokenizer, tokenization.text, special),
            {"branches": labels(tokenizer)},
        ),
        "view": {"colorBy": color_by, "marks": marks, "lang": lang},
    }
    return standalone_page("colored", data, f"Tokens of {tokenizer.name}")


def comparison_to_html(comparison: Comparison, *, lang: str = "") -> str:
    """Where tokenizers differ on a text, and why, as a web page that needs no network.

    The text stands over one band of tokens per tokenizer; differences are walked through, filtered and listed. Of very
    many, the first 10,000 have a sentence that says why. `lang` is the text's language, such as "ja".
    """
    return comparisons.page(comparison, lang)


def _json(tokenizer: str, tokenization: Tokenization) -> Iterator[str]:
    about = json.dumps({"tokenizer": tokenizer, "text": tokenization.text}, ensure_ascii=False)
    yield about.removesuffix("}") + ', "tokens": ['
    between = "\n"
    for rows in _rows(tokenization):
        # One token a line. Within a string, JSON writes a quote as \", so this stands only between two rows.
        listed = json.dumps([dict(zip(COLUMNS, row, strict=True)) for row in rows], ensure_ascii=False)
        yield between + listed[1:-1].replace('}, {"index": ', '},\n{"index": ')
        between = ",\n"
    yield "\n]}\n"


def _csv(tokenization: Tokenization) -> Iterator[str]:
    yield ",".join(COLUMNS) + "\r\n"
    for rows in _rows(tokenization):
        lines = io.StringIO(newline="")
        csv.writer(lines).writerows((*row[:-1], int(row[-1])) for row in rows)
        yield lines.getvalue()


def _rows(tokenization: Tokenization) -> Iterator[list[Row]]:
    """The rows, some at a time."""
    data, text = tokenization.data, tokenization.text
    for first in range(0, len(tokenization), _AT_A_TIME):
        some = slice(first, first + _AT_A_TIME)
        borders = slice(first, first + _AT_A_TIME + 1)
        octets = list(pairwise(tokenization.byte_offsets[borders].tolist()))
        points = list(pairwise(tokenization.code_point_offsets[borders].tolist()))
        cut = pairwise(tokenization.inside_character[borders].tolist())
        yield list(
            zip(
                range(first, first + len(octets)),
                tokenization.ids[some].tolist(),
                *zip(*octets, strict=True),
                *zip(*points, strict=True),
                [data[start:end].hex(" ") for start, end in octets],
                [None if any(ends) else text[start:end] for (start, end), ends in zip(points, cut, strict=True)],
                tokenization.special[some].tolist(),
                strict=True,
            )
        )
