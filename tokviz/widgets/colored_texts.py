"""A text in the colors of its tokens: the data of its view, and its standalone page."""

from collections.abc import Collection
from typing import Any, Literal

from tokviz.analysis.branches import pretoken_labels
from tokviz.tokenizers.base import Tokenizer
from tokviz.widgets.columns import pretoken_columns, rank_columns, token_columns
from tokviz.widgets.html import standalone_page
from tokviz.widgets.wire import pack

ColorBy = Literal["alternate", "id", "rank", "bytes", "pretoken"]


def colored_data(
    tokenizer: Tokenizer,
    text: str,
    allowed_special: Collection[str] = (),
    *,
    color_by: ColorBy = "alternate",
    marks: bool = True,
    ids: bool = False,
    lang: str = "",
) -> dict[str, Any]:
    """Return what the widget `colored` draws. `ids` puts the tokens' numbers beneath them.

    The other arguments and the errors are those of `export.to_html`.
    """
    tokenization = tokenizer.tokenize(text, allowed_special)
    special = list(tokenizer.special_tokens) if allowed_special == "all" else allowed_special
    meta = {
        # Widgets recognize a word tokenizer, whose only special token is the unknown word, by this name.
        "tokenizer": "words" if tokenizer.units == "words" else tokenizer.name,
        "rewriting": list(tokenizer.rewriting),
    }
    tokens = token_columns(tokenization) | rank_columns(tokenizer, tokenization.ids)
    return {
        "text": tokenization.text,
        "tokenizer": tokenizer.name,
        "tokens": pack(tokens, meta),
        "pretokens": pack(pretoken_columns(tokenizer, tokenization.text, special), pretoken_labels(tokenizer)),
        "view": {"colorBy": color_by, "marks": marks, "view": "both" if ids else "text", "lang": lang},
    }


def page(data: dict[str, Any]) -> str:
    """Return what `colored_data` returned as a self-contained HTML page."""
    return standalone_page("colored", data, f"Tokens of {data['tokenizer']}")
