"""Live figures: the widget and data that a link opens, for another page or a slide.

    replay          merges step by step; a lattice or longest matches for tokenizers that merge nothing
    compare         the same text in the tokens of several tokenizers
    compression     bars: tokens of languages, of formats, or of the link's text
    anything else   the text in the tokens of one tokenizer

`widgets/figure/figure.js` is their counterpart in the browser.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast, get_args
from urllib.parse import parse_qsl, urlsplit

from tokviz.analysis.comparison.compare import Comparison, compare
from tokviz.bpe.merge_replay import ORDERS, Order
from tokviz.bpe.training import TIE_BREAKS, TieBreak
from tokviz.lesson.steps import Link
from tokviz.loading import load_shipped
from tokviz.pretokens.splitting import PATTERNS
from tokviz.samples import Kind, sample, samples
from tokviz.tokenizer_colors import color_numbers, short_label
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.replay import Replay
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer
from tokviz.tokenizers.train import ALPHABETS, AlphabetName, train
from tokviz.widgets import replay_views, replays
from tokviz.widgets.colored_texts import ColorBy, colored_data
from tokviz.widgets.columns import apply_columns, learn_columns
from tokviz.widgets.comparisons import aligned_data
from tokviz.widgets.wire import Columns

Widget = Literal["colored", "aligned", "replay", "lattice", "matches", "bars"]

MAX_BYTES = 10_000
"""Maximum bytes of a figure's text; a page shows more."""

MAX_MERGES = 1_000
"""Maximum merges that are learned for a figure."""

MAX_COMPARED = 5
"""Maximum tokenizers in a figure."""

END_OF_WORD = "</w>"

_SIMPLE: Mapping[str, type[Tokenizer]] = {"code-points": CharacterTokenizer, "bytes": ByteTokenizer}
_COUNTED = "gpt2,cl100k_base,o200k_base"


@dataclass(frozen=True)
class Figure:
    """A widget in `widgets/figure/`, what it draws (see there), and its text alternative."""

    widget: Widget
    data: Mapping[str, Any]
    title: str

    def as_json(self) -> str:
        """Return the figure for a response: bytes are in base64."""
        fields = {"widget": self.widget, "data": self.data, "title": self.title}
        return json.dumps(fields, default=lambda packed: base64.b64encode(packed).decode(), separators=(",", ":"))


def figure(link: Link) -> Figure:
    """Return the live figure of a link, which may come from anybody.

    Raises ValueError for what it can't show: a text that is too long, or a tokenizer that is not inside the package.
    """
    page, fields, text = read_link(link)
    return _FIGURES.get(page, _colored)(fields, text)


def read_link(link: Link) -> tuple[str, dict[str, str], str]:
    """Return a link's page, its fields and those of its address, and its text; ValueError if that is too long."""
    page = urlsplit(link.page)
    fields = {**dict(parse_qsl(page.query)), **link.fields}
    text = sample(fields["sample"]).text if "sample" in fields else link.text or ""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise ValueError(f"a figure shows texts of up to {MAX_BYTES:,} bytes: open the page for this one")
    return page.path, fields, text


# Tokens, and comparisons


def _colored(fields: Mapping[str, str], text: str) -> Figure:
    tokenizer, label = tokenizer_of(fields)
    data = colored_data(
        tokenizer,
        text,
        _allowed(fields),
        color_by=cast(ColorBy, _one_of(fields, "color", get_args(ColorBy))),
        marks=fields.get("marks") != "0",
        ids=fields.get("view") == "all" or fields.get("ids") == "1",  # "ids": in links made before
        lang=_lang(fields),
    )
    return Figure("colored", data | {"tokenizer": label}, f"Tokens of {label}")


def tokenizer_of(fields: Mapping[str, str]) -> tuple[Tokenizer, str]:
    """Return the tokenizer that a link names, and its label."""
    name = fields.get("tokenizer", "cl100k_base")
    return _tokenizer(name), _labels([name])[0]


def _compared(fields: Mapping[str, str], text: str) -> Figure:
    compared = compared_of(fields, text)
    return Figure("aligned", aligned_data(compared, _lang(fields)), f"The tokens of {', '.join(compared.names)}")


def compared_of(fields: Mapping[str, str], text: str) -> Comparison:
    """Return the comparison that a link shows."""
    names = _names(fields, "compare")
    return compare(text, [_tokenizer(name) for name in names], _allowed(fields), names=_labels(names))


def _tokenizer(name: str) -> Tokenizer:
    return _SIMPLE[name]() if name in _SIMPLE else load_shipped(name)


def _names(fields: Mapping[str, str], field: str) -> list[str]:
    names = [name for name in dict.fromkeys(fields.get(field, _COUNTED).split(",")) if name]
    if not 1 <= len(names) <= MAX_COMPARED:
        raise ValueError(f"a figure shows 1 to {MAX_COMPARED} tokenizers, not {len(names)}")
    return names


def _labels(names: Sequence[str]) -> list[str]:
    return [_tokenizer(name).name if name in _SIMPLE else short_label(name) for name in names]


def _allowed(fields: Mapping[str, str]) -> str | tuple[()]:
    return "all" if fields.get("special") == "1" else ()


def _lang(fields: Mapping[str, str]) -> str:
    return sample(fields["sample"]).lang or "" if "sample" in fields else ""


# Replays


def _replayed(fields: Mapping[str, str], text: str) -> Figure:
    columns, meta = _replay_columns(fields, text)
    step, predict = _whole(fields, "step", 0), fields.get("predict") == "1"
    title = _title(meta, has_learned="split" in fields)
    return replay_figure(columns, meta, step, title, _one_of(fields, "symbols", replays.WRITINGS), predict=predict)


def replay_figure(
    columns: Columns, meta: Mapping[str, Any], step: int, title: str, writing: str = "text", *, predict: bool = False
) -> Figure:
    """Return the figure of what `replay_views.steps_of` returns. For `step`, `writing` and `predict`, see `replays`."""
    view = meta.get("view")
    if view is not None:
        return Figure(view, {view: meta[view], "step": step}, title)
    return Figure("replay", replays.player_data(columns, dict(meta), step, writing, predict=predict), title)


def _title(meta: Mapping[str, Any], *, has_learned: bool) -> str:
    if meta["story"] == "learn":
        return "How merges are learned"
    return "How these merges read a word" if has_learned else f"How {meta['tokenizer']} reads a text"


def _replay_columns(fields: Mapping[str, str], text: str) -> tuple[Columns, dict[str, Any]]:
    if "split" not in fields:
        tokenizer, label = tokenizer_of({"tokenizer": "gpt2", **fields})
        order = cast(Order, _one_of(fields, "order", ORDERS))
        columns, meta = replay_views.steps_of(tokenizer, text, _allowed(fields), order)
        return columns, meta | {"tokenizer": label}
    replay, _, is_learning = replay_of(fields, text)
    return learn_columns(replay) if is_learning else apply_columns(replay)


def replay_of(fields: Mapping[str, str], text: str) -> tuple[Replay, int, bool]:
    """Return the replay that a link shows, the step that it stands at, and whether it shows learning.

    Raises ValueError if its tokenizer merges nothing.
    """
    step = max(0, _whole(fields, "step", 0))
    if "split" not in fields:
        tokenizer, label = tokenizer_of({"tokenizer": "gpt2", **fields})
        if not isinstance(tokenizer, BPETokenizer):
            raise ValueError(f"no merges of {label} are known here: choose another tokenizer, such as GPT-2")
        order = cast(Order, _one_of(fields, "order", ORDERS))
        return tokenizer.replay(text, _allowed(fields), order), step, False
    trained = train(
        text,
        num_merges=min(_whole(fields, "tried" if "tried" in fields else "merges", 20), MAX_MERGES),
        split_pattern=None if fields["split"] == "none" else _one_of(fields, "split", tuple(PATTERNS)),
        alphabet=cast(AlphabetName, _one_of(fields, "alphabet", ALPHABETS)),
        tie_break=cast(TieBreak, _one_of(fields, "ties", TIE_BREAKS)),
        end_of_word=END_OF_WORD if fields.get("ends") == "1" else None,
    )
    is_learning = fields.get("story") == "learn"
    return trained.replay(text if is_learning else fields.get("word", "")), step, is_learning


def _one_of(fields: Mapping[str, str], field: str, choices: Sequence[str]) -> str:
    """Return what a field chooses, the first choice if it is missing."""
    value = fields.get(field) or choices[0]
    if value not in choices:
        raise ValueError(f"“{field}” must be one of: {', '.join(choices)}")
    return value


def _whole(fields: Mapping[str, str], field: str, otherwise: int) -> int:
    value = fields.get(field, "")
    if not value:
        return otherwise
    if not value.removeprefix("-").isdecimal() or len(value) > 9:
        raise ValueError(f"“{field}” must be a whole number")
    return int(value)


# Bars


def _bars(fields: Mapping[str, str], text: str) -> Figure:
    """Draw the tokens of texts under tokenizers: the most first for languages, the least first for formats."""
    names = _names(fields, "tokenizers")
    chart = fields.get("chart", "")
    if chart == "Languages":
        counts = _counts("prose", tuple(names))
        english = next(iter(counts.values()))
        parity = {
            title.split(" · ")[0]: [tokens / of_english for tokens, of_english in zip(row, english, strict=True)]
            for title, row in counts.items()
        }
        return _drawn("Tokens for each token of the English text", names, parity, digits=1, descending=True)
    if chart == "Formats":
        return _drawn("Tokens", names, _counts("data", tuple(names)))
    if chart == "This text":
        return _drawn("Tokens", names, {"this text": [len(_tokenizer(name).encode(text)) for name in names]})
    raise ValueError(f"no figure shows {chart or 'this chart'}: open the page for it")


@lru_cache(maxsize=50)
def _counts(kind: Kind, names: tuple[str, ...]) -> dict[str, list[int]]:
    """Count the tokens of the sample texts of a kind. Callers must not modify the result."""
    tokenizers = [_tokenizer(name) for name in names]
    texts = [each for each in samples() if each.kind == kind]
    return {each.title: [len(tokenizer.encode(each.text)) for tokenizer in tokenizers] for each in texts}


def _drawn(
    caption: str,
    names: Sequence[str],
    values: Mapping[str, Sequence[float]],
    *,
    digits: int = 0,
    descending: bool = False,
) -> Figure:
    labels = _labels(names)
    colors = color_numbers(labels)
    rows = sorted(values.items(), key=lambda each: tuple(each[1]), reverse=descending)
    data = {
        "caption": caption,
        "names": labels,
        "colors": [colors[label] for label in labels],
        "digits": digits,
        "rows": [{"text": title, "values": list(row)} for title, row in rows],
    }
    return Figure("bars", data, f"{caption}, as bars")


_FIGURES = {"replay": _replayed, "compare": _compared, "compression": _bars}
