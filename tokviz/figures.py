"""Charts from Python, for notebooks, slides and papers: what the package measured, as a picture with an answer.

Each function takes what another one of the package returns, and returns a `Picture`: a notebook shows it, `save` writes
it as a file, and its `figure` is a Plotly figure to go on with. They need Plotly, which is loaded with this module.
"""

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any

from tokviz.analysis.cost.curves import CompressionCurve, VocabularyCost
from tokviz.analysis.cost.measures import Measurement
from tokviz.analysis.vocabulary.contents import VocabularyEntry, count_kinds, count_lengths
from tokviz.analysis.vocabulary.frequencies import TokenFrequency

try:
    from tokviz.charts.chart import Chart
    from tokviz.charts.languages import languages_chart
    from tokviz.charts.merges import compression_chart
    from tokviz.charts.pictures import LETTERS, picture
    from tokviz.charts.this_text import MEASURES, suits_chart
    from tokviz.charts.token_use import frequencies_chart
    from tokviz.charts.vocabulary import kinds_chart, lengths_chart
    from tokviz.charts.vocabulary_size import vocabulary_chart
except ModuleNotFoundError as error:
    raise ImportError(f"charts need {error.name}, which is not installed: pip install {error.name}") from error

__all__ = [
    "Picture",
    "compression",
    "languages",
    "measurements",
    "token_kinds",
    "token_lengths",
    "token_use",
    "vocabulary_size",
]

_DRAWN_BY_KALEIDO = (".png", ".svg", ".pdf", ".webp", ".jpg", ".jpeg")
_NOTEBOOK_LETTERS = 75  # in a line above the figure, since a cell may be narrow
_RESPONSIVE = {"responsive": True}
_UNTIL_DRAWN = "<style>.tokviz-picture:has(.js-plotly-plot) > p { display: none }</style>"  # Plotly's class, once drawn
_PNG_SCALE = 2  # pixels of a file per pixel of the layout, for slides and paper


@dataclass(frozen=True, repr=False)
class Picture(Chart):
    """A chart that a notebook shows, with the question it answers and the answer in it."""

    def __repr__(self) -> str:
        return f"<Picture: {self.title} {self.answer}>"

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to a file. Its ending says the format: .html, .png, .svg, .pdf, .webp or .jpg.

        A web page needs no network, and answers to the pointer. The others are drawn by `kaleido`, with Chrome; raises
        ImportError if it is not installed, and ValueError for another ending.
        """
        target = Path(path)
        ending = target.suffix.lower()
        if ending == ".html":
            self._drawn().write_html(target, include_plotlyjs=True, full_html=True)
        elif ending not in _DRAWN_BY_KALEIDO:
            raise ValueError(f"{target.name} must end in .html, {', '.join(_DRAWN_BY_KALEIDO)}")
        elif find_spec("kaleido") is None:
            raise ImportError(
                f"a {ending} is drawn by kaleido, which is not installed: pip install kaleido (it also needs Chrome). "
                "A web page needs neither: end the name in .html"
            )
        else:
            self._drawn().write_image(target, scale=_PNG_SCALE)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **options: Any) -> dict[str, Any]:
        """Render the picture for a notebook: as Plotly's type, as HTML and as text.

        It is as wide as the cell. The HTML fetches Plotly from its public server (a copy in each cell would take
        4 MB), so that without a network, there are only the question and the answer. `save` writes a page that needs
        none.
        """
        figure = self._drawn(_NOTEBOOK_LETTERS).update_layout(width=None, autosize=True)
        drawn = figure.to_html(full_html=False, include_plotlyjs="cdn", config=_RESPONSIVE, default_width="100%")
        return {
            "application/vnd.plotly.v1+json": json.loads(figure.to_json()) | {"config": _RESPONSIVE},
            "text/html": f'{_UNTIL_DRAWN}<div class="tokviz-picture">{drawn}<p>{html.escape(self.alt)}</p></div>',
            "text/plain": repr(self),
        }

    def _drawn(self, letters: int = LETTERS) -> Any:
        """The figure with title and answer, on white, since what is around it may be dark."""
        return picture(self, letters).update_layout(paper_bgcolor="#ffffff", plot_bgcolor="#ffffff")


def compression(curves: Mapping[str, CompressionCurve]) -> Picture:
    """What does each merge buy? Tokens left against merges; `curves` are by name, from `tokviz.compression_curve`."""
    return _picture(compression_chart(curves))


def vocabulary_size(costs: Mapping[str, Sequence[VocabularyCost]]) -> Picture:
    """How large should the vocabulary be? `costs` are by name, from `tokviz.vocabulary_costs`."""
    return _picture(vocabulary_chart(costs))


def measurements(rows: Sequence[Measurement], column: str = "bytes_per_token") -> Picture:
    """Which tokenizer suits these texts? `rows` are from `tokviz.measure`, and `column` is the one to draw.

    Raises ValueError for a column that is not drawn.
    """
    measures = {measure.column: measure for measure in MEASURES}
    if column not in measures:
        raise ValueError(f"the column must be one of {', '.join(measures)}, not {column!r}")
    return _picture(suits_chart(rows, measures[column]))


def languages(rows: Sequence[Measurement], reference: str) -> Picture:
    """Which languages pay more? `rows` are from `tokviz.measure` with a text per language and this `reference`."""
    return _picture(languages_chart(rows, reference))


def token_use(frequencies: Mapping[str, Sequence[TokenFrequency]], vocabulary_sizes: Mapping[str, int]) -> Picture:
    """How much of a vocabulary is used? `frequencies` are by name, from `tokviz.token_frequencies`.

    `vocabulary_sizes` are the numbers of tokens: `len(tok.vocab)`.
    """
    return _picture(frequencies_chart(frequencies, vocabulary_sizes))


def token_lengths(vocabularies: Mapping[str, Sequence[VocabularyEntry]]) -> Picture:
    """How long are tokens? `vocabularies` are by name, from `tokviz.vocabulary_table`."""
    counts = {name: count_lengths(entry.bytes for entry in entries) for name, entries in vocabularies.items()}
    sizes = {name: entries[-1].id + 1 if entries else 0 for name, entries in vocabularies.items()}
    return _picture(lengths_chart(counts, sizes))


def token_kinds(vocabularies: Mapping[str, Sequence[VocabularyEntry]]) -> Picture:
    """What is in a vocabulary? `vocabularies` are by name, from `tokviz.vocabulary_table`."""
    return _picture(
        kinds_chart({name: count_kinds(entry.kind for entry in entries) for name, entries in vocabularies.items()})
    )


def _picture(chart: Chart) -> Picture:
    return Picture(chart.title, chart.answer, chart.describes, chart.figure)
