"""Tests of the charts for notebooks and files."""

import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from every_chart import every_chart
from shipped import vocabulary_table

import tokviz
from tokviz.figures import Picture

TEXT = "It's 4567 naïve cats. " * 5
NAMES = ("gpt2", "cl100k_base")


def pictures() -> dict[str, Picture]:
    curves = {name: tokviz.compression_curve(TEXT, name) for name in NAMES}
    rows = tokviz.measure({"this": TEXT, "that": TEXT[:9]}, NAMES, reference="this")
    vocabularies = {"gpt2": vocabulary_table("gpt2")}
    sizes = {name: len(tokviz.load(name).vocab) for name in NAMES}
    return {
        "merges": tokviz.figures.compression(curves),
        "vocabulary size": tokviz.figures.vocabulary_size(
            {name: tokviz.vocabulary_costs(curve, width=768, context=64) for name, curve in curves.items()}
        ),
        "fertility": tokviz.figures.measurements(rows, "fertility"),
        "languages": tokviz.figures.languages(rows, "this"),
        "frequencies": tokviz.figures.token_use({n: tokviz.token_frequencies(TEXT, n) for n in NAMES}, sizes),
        "lengths": tokviz.figures.token_lengths(vocabularies),
        "kinds": tokviz.figures.token_kinds(vocabularies),
    }


@pytest.fixture
def fertility() -> Picture:
    return tokviz.figures.measurements(tokviz.measure(TEXT, NAMES), "fertility")


def test_pictures_are_the_charts_of_the_app() -> None:
    charts = every_chart(TEXT, NAMES) | {
        kind: chart for kind, chart in every_chart(TEXT, NAMES[:1]).items() if kind in ("lengths", "kinds")
    }
    for kind, shown in pictures().items():
        assert shown.title == charts[kind].title
        assert shown.answer == charts[kind].answer
        assert shown.figure == charts[kind].figure


def test_notebooks_get_question_answer_and_figure(fertility: Picture) -> None:
    drawn = fertility._drawn()
    assert fertility.title in drawn.layout.title.text
    assert fertility.answer.split()[0] in drawn.layout.title.text
    assert isinstance(drawn, go.Figure)
    shown = fertility._repr_mimebundle_()
    assert set(shown) == {"application/vnd.plotly.v1+json", "text/html", "text/plain"}
    assert len(shown["text/plain"]) < 500 and fertility.answer in shown["text/plain"]
    layout = shown["application/vnd.plotly.v1+json"]["layout"]
    assert "width" not in layout and layout["autosize"]
    assert fertility.title in shown["text/html"] and len(shown["text/html"]) < 100_000


def test_web_page_needs_no_network(fertility: Picture, tmp_path: Path) -> None:
    fertility.save(tmp_path / "chart.HTML")
    page = (tmp_path / "chart.HTML").read_text("utf-8")
    assert "Plotly.newPlot" in page
    assert "<script src=" not in page


def test_pictures_are_drawn_by_kaleido(fertility: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[tuple[str, Any]] = []
    monkeypatch.setattr(go.Figure, "write_image", lambda self, path, **options: drawn.append((path.name, options)))
    monkeypatch.setattr("tokviz.figures.find_spec", lambda name: ModuleSpec(name, None))
    for name in ("a.png", "a.svg"):
        fertility.save(tmp_path / name)
    assert [name for name, _ in drawn] == ["a.png", "a.svg"]


def test_what_is_missing_is_said(fertility: Picture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tokviz.figures.find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pip install kaleido"):
        fertility.save(tmp_path / "a.png")
    with pytest.raises(ValueError, match=r"must end in \.html"):
        fertility.save(tmp_path / "a.docx")
    with pytest.raises(ValueError, match="bytes_per_token, fertility"):
        tokviz.figures.measurements([], "size")
    monkeypatch.delitem(sys.modules, "tokviz.figures")
    monkeypatch.setitem(sys.modules, "tokviz.charts.chart", None)
    with pytest.raises(ImportError, match="charts need"):
        tokviz.__getattr__("figures")


def test_other_attributes_are_missing_as_usual() -> None:
    assert not hasattr(tokviz, "figure")
