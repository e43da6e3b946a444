"""Facts stated in both Python and JavaScript agree: names and types of columns, limits of files."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from odd_requests import routes_of, undeclared
from starlette.applications import Starlette
from starlette.testclient import TestClient

import tokviz
from tokviz import formats
from tokviz.app.answers.asked import Asked
from tokviz.app.answers.requests import AnsweringRoute
from tokviz.app.answers.routes import tokenizer_files
from tokviz.app.server import routes
from tokviz.formats.recognition import HEAD
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.widgets import columns, comparisons, seeks, wire
from tokviz.widgets.wire import Column

FOLDER = Path(columns.__file__).parent
SOURCE = (FOLDER / "shared/net/columns.js").read_text("utf-8")
TYPES = {"Int32Array": "int32", "Uint8Array": "uint8"}
TEXT = "It's 5678 words"


def declared_columns(typedef: str) -> tuple[dict[str, str], set[str]]:
    """Return the types of a JSDoc type's columns by name, and the names of the optional ones."""
    block = next(
        block for block in re.findall(r"/\*\*(.*?)\*/", SOURCE, re.S) if re.search(rf" {typedef}$", block, re.M)
    )
    found: dict[str, str] = {}
    optional = set()
    for array, bracket, name in re.findall(r"@property \{(\w+)\} (\[?)(\w+)", block):
        if array in TYPES:
            found[name] = TYPES[array]
            optional |= {name} if bracket else set()
    for name, array in re.findall(r"^ \*   (?:\[\w+: `)?(\w+?)(?:\$\{number\}`\])?: (\w+)", block, re.M):
        if array in TYPES:
            found[name] = TYPES[array]
    return found, optional


def check_columns(sent: Mapping[str, Column], typedef: str) -> None:
    named = {re.sub(r"_\d+$", "_", name): column.dtype.name for name, column in sent.items()}
    found, optional = declared_columns(typedef)
    assert found
    assert {name: kind for name, kind in found.items() if name in named or name not in optional} == named


@pytest.fixture(scope="module")
def gpt2() -> BPETokenizer:
    loaded = tokviz.load("gpt2")
    assert isinstance(loaded, BPETokenizer)
    return loaded


def test_replay_columns(gpt2: BPETokenizer) -> None:
    check_columns(columns.apply_columns(gpt2.replay(TEXT))[0], "ReplayColumns")
    learned = columns.learn_columns(tokviz.train(TEXT, num_merges=2).replay(TEXT))[0]
    assert {"counts", "tied"} <= set(learned)
    check_columns(learned, "ReplayColumns")


def test_seek_columns(gpt2: BPETokenizer) -> None:
    check_columns(seeks.seek_columns(gpt2, TEXT)[0], "SeekColumns")


def test_comparison_columns() -> None:
    compared = tokviz.compare(TEXT, ["gpt2", "cl100k_base", "o200k_base"])
    check_columns(columns.comparison_columns(compared)[0], "ComparisonColumns")
    _, explanations = comparisons._explanations(compared)
    check_columns(columns.reason_columns(compared) | explanations, "ReasonColumns")


@pytest.mark.parametrize(("route", "typedef"), [("tokenize", "TokenColumns"), ("pretokens", "PretokenColumns")])
def test_token_route_columns(route: str, typedef: str) -> None:
    answer = TestClient(Starlette(routes=routes)).post(f"/_tokviz/{route}?tokenizer=gpt2", content=TEXT.encode())
    check_columns(wire.unpack(answer.content)[0], typedef)


CALL = re.compile(r"\b(?:json|text|blob|columns|response)\(\s*\"([\w/-]+)\",\s*\{([^{}]*)\}")
SETTINGS_OF_QUESTION = {"tokenizer", "special"}


def test_routes_declare_the_parameters_that_widgets_name() -> None:
    """Those of queries that are put together elsewhere are held in browser tests (see `widget_pages`)."""
    kinds: dict[str, list[type[Asked]]] = {}
    for route, path in routes_of(routes):
        if isinstance(route, AnsweringRoute):
            kinds.setdefault(path.removeprefix("_tokviz/"), []).append(route.asked)
    sources = [path.read_text("utf-8") for path in FOLDER.rglob("*.js")]
    found = [call for source in sources for call in CALL.findall(source)]
    assert len(found) >= 40
    for route_name, query in found:
        members = [each.strip() for each in query.split(",") if each.strip()]
        names = {re.split(r"\W", each)[0] for each in members if not each.startswith("...")}
        names |= SETTINGS_OF_QUESTION if "...settingsOf(question)" in members else set()
        assert any(not undeclared(kind, names) for kind in kinds[route_name]), (route_name, names)


def constants(file: str) -> dict[str, int]:
    """Return the whole numbers among a module's constants."""
    source = (Path(columns.__file__).parent / file).read_text("utf-8")
    return {name: int(digits.replace("_", "")) for name, digits in re.findall(r"const (\w+) = ([\d_]+);", source)}


def test_limits_and_pieces_of_files() -> None:
    assert constants("shared/ui/reading.js")["MAX_TOKENIZER_FILE"] == formats.MAX_FILE
    assert constants("shared/net/client.js")["HEAD"] == HEAD
    assert constants("shared/ui/chosenfiles.js")["MAX_FILES"] == tokenizer_files._MAX_CHOSEN
