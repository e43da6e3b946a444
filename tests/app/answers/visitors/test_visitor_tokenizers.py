"""Visitors' tokenizers: how long they are kept, the files they come from, and slow split patterns."""

import base64
import json
import math
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from app_test import AppTest
from clients import client as client
from garbage import collect_until
from starlette.testclient import TestClient

import tokviz
from tokviz import export, formats
from tokviz.app.answers import requests
from tokviz.app.answers.visitors import kept_tokenizers, visitor_tokenizers
from tokviz.app.answers.visitors.kept_tokenizers import Registry, registry
from tokviz.app.answers.visitors.text_files import MAX_BYTES, decode, decode_all
from tokviz.app.shields.fairness import lanes
from tokviz.app.shields.fairness.visitors import Visitor
from tokviz.app.shields.processes import opening, sizes
from tokviz.app.shields.processes.sizes import memory_of
from tokviz.tokenizers.simple import ByteTokenizer
from tokviz.widgets import colored_texts, wire

CATS = "the cat in the hat sat on the mat"
AGES = r"(?=(.*a)*c)b|."


# Keeping


def test_unheld_tokenizers_expire(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Registry(patience=3600)
    held, released, both = (kept.register(tokviz.train(CATS, num_merges=1)) for _ in range(3))
    kept.hold(both)
    for name in (released, both):
        kept.release(name)
    assert kept.has(released)
    in_an_hour = time.monotonic() + 3601
    monkeypatch.setattr(time, "monotonic", lambda: in_an_hour)
    kept.register(tokviz.train(CATS, num_merges=1))
    assert (kept.has(held), kept.has(released), kept.has(both)) == (True, False, True)


SMALL, LARGE = tokviz.train(CATS, num_merges=1), tokviz.train(CATS, alphabet="seen-bytes", num_merges=1)
ANNA, BEN = Visitor("10.0.0.1"), Visitor("10.0.0.2")


def test_large_vocabularies_count_for_more() -> None:
    kept = Registry(size=2 * memory_of(SMALL) + memory_of(LARGE))
    first, second, third = (kept.register(each) for each in (SMALL, SMALL, LARGE))
    assert memory_of(LARGE) < memory_of(SMALL)
    assert all(map(kept.has, (first, second, third)))
    fourth = kept.register(LARGE)
    assert list(map(kept.has, (first, second, third, fourth))) == [False, True, True, True]


def test_a_tokenizer_larger_than_the_limit_is_still_kept() -> None:
    kept = Registry(size=10)
    assert kept.has(kept.register(SMALL))


def test_many_tokenizers_of_one_visitor_evict_only_their_own() -> None:
    kept = Registry(limit=20)
    bens = [kept.register(SMALL, visitor=BEN) for _ in range(3)]
    kept.release(bens[2])  # he has left, but may come back
    annas = []
    for _ in range(205):
        annas.append(kept.register(SMALL, visitor=ANNA))
        kept.release(annas[-1])  # like those from links
    assert all(map(kept.has, bens))
    assert sum(map(kept.has, annas)) == 17
    assert kept.has(annas[-1])


def test_large_tokenizers_of_one_visitor_evict_only_their_own() -> None:
    kept = Registry(size=10 * memory_of(SMALL), each=8 * memory_of(SMALL))
    bens = [kept.register(SMALL, visitor=BEN) for _ in range(4)]
    annas = [kept.register(SMALL, visitor=ANNA) for _ in range(20)]
    assert all(map(kept.has, bens))
    assert [kept.has(name) for name in annas] == [False] * 14 + [True] * 6


def test_bytes_per_visitor_are_limited() -> None:
    kept = Registry(each=3 * memory_of(SMALL))
    annas = [kept.register(SMALL, visitor=ANNA) for _ in range(4)]
    kept.release(annas[2])
    bens = [kept.register(SMALL, visitor=BEN) for _ in range(3)]
    annas.append(kept.register(SMALL, visitor=ANNA))
    assert [kept.has(name) for name in annas] == [False, True, False, True, True]  # unheld ones go first
    assert all(map(kept.has, bens))


def test_forged_browsers_share_their_addresss_budget() -> None:
    kept = Registry(size=10 * memory_of(SMALL))
    ben = kept.register(SMALL, visitor=BEN)
    for number in range(30):
        kept.register(SMALL, visitor=Visitor(ANNA.address, str(number)))
    assert kept.has(ben)


def test_one_large_tokenizer_does_not_exceed_the_limit() -> None:
    """Its holder holds the most, but nothing else: then others make room, those with the most first."""
    large = tokviz.train("".join(map(chr, range(0x4E00, 0x5600))), alphabet="characters", num_merges=1)
    small = memory_of(SMALL)
    assert memory_of(large) > 5 * small
    kept = Registry(size=memory_of(large) + 2 * small)
    ben = kept.register(SMALL, visitor=BEN)
    others = [kept.register(SMALL, visitor=Visitor("many", str(number))) for number in range(4)]
    newest = kept.register(large, visitor=ANNA)
    assert kept.has(newest) and kept.has(ben)
    assert [kept.has(each) for each in others].count(True) == 1


def test_tables_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_tokenizers, "MAX_TABLES", 100_000)
    kept = Registry()
    kept.get("bytes")
    kept.table("bytes", "small", lambda: [b"a" * 40_000])
    kept.table("bytes", "other", lambda: {0: "b" * 40_000})
    assert kept.table("bytes", "small", lambda: None)
    kept.table("bytes", "third", lambda: np.zeros(40_000, np.uint8))
    assert kept.table("bytes", "other", lambda: "rebuilt") == "rebuilt"
    kept.table("bytes", "large", lambda: [f"{number:05}" for number in range(2_000)])  # of 60 bytes each
    assert kept.table("bytes", "large", lambda: "not kept") == "not kept"


def test_a_tokenizer_that_is_too_large_for_a_visitor_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes.check_size(SMALL)
    monkeypatch.setattr(sizes, "MAX_KEPT_EACH", memory_of(SMALL) - 1)
    with pytest.raises(ValueError, match=r"this tokenizer has 257 tokens, with ids up to"):
        sizes.check_size(SMALL)


def test_tables_are_dropped_with_their_tokenizer() -> None:
    kept = Registry()
    name = kept.register(SMALL)
    assert kept.table(name, "rows", lambda: [1]) == kept.table(name, "rows", lambda: [2]) == [1]
    assert kept.table(name, "files", lambda: [3]) == [3]
    gone = weakref.ref(kept.table(name, "more rows", _Table))
    assert gone() is not None
    kept.forget(name)
    assert gone() is None
    kept.table(name, "rows", lambda: [4])  # the tokenizer was dropped while the table was computed
    assert kept.table(name, "rows", lambda: [5]) == [5]


def test_tables_of_texts_are_dropped_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr("tokviz.app.answers.visitors.kept_tokenizers.time.monotonic", lambda: now)
    kept = Registry()
    name = kept.register(tokviz.train("abab", num_merges=1))
    for kind, seconds in (("of a text", 120), ("of the vocabulary", math.inf)):
        kept.table(name, kind, lambda: ["first"], seconds)
    now += 119
    kept.tidy()
    assert kept.table(name, "of a text", lambda: ["again"], 120) == ["first"]
    now += 2
    kept.tidy()
    assert kept.table(name, "of a text", lambda: ["again"], 120) == ["again"]
    assert kept.table(name, "of the vocabulary", lambda: ["again"]) == ["first"]


def test_the_most_recently_used_tables_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_tokenizers, "MAX_TABLES", 8 * sys.getsizeof("old"))
    kept = Registry()
    kept.get("bytes")
    for number in range(8):
        kept.table("bytes", str(number), lambda: "old")
    kept.table("bytes", "0", lambda: "new")  # now recently used, so it is not evicted
    kept.table("bytes", "another", lambda: "old")
    assert [kept.table("bytes", kind, lambda: "new") for kind in ("0", "2", "another", "1")] == ["old"] * 3 + ["new"]


class _Table(list[int]):
    """A list that can be weakly referenced."""


def test_a_description_has_the_label() -> None:
    kept = Registry()
    described = kept.describe(kept.register(tokviz.train(CATS, num_merges=1), "Cats"))
    assert (described.label, described.vocab_size, described.kind) == ("Cats", 257, "bpe")
    with pytest.raises(LookupError, match="make it again"):
        kept.describe("nobody's")


def keeping() -> None:
    import streamlit as st

    import tokviz
    from tokviz.app.answers.visitors import visitor_tokenizers
    from tokviz.app.answers.visitors.kept_tokenizers import registry

    if "made" not in st.session_state:
        st.session_state["made"] = [registry.register(tokviz.train("abab", num_merges=1), "ab") for _ in range(9)]
        for name in st.session_state["made"]:
            registry.release(name)
            visitor_tokenizers.adopt(name)
    st.json([each.label for each in visitor_tokenizers.descriptions()])


def test_a_session_keeps_its_last_tokenizers_under_unique_labels() -> None:
    app = AppTest.from_function(keeping).run()
    assert not app.exception
    assert app.json[0].value.count("ab") == visitor_tokenizers.MOST
    made = app.session_state["made"]
    assert [registry.has(name) for name in made] == [False] + [True] * 8
    labels = json.loads(app.json[0].value)
    assert len(set(labels)) == len(labels)


def adopting() -> None:
    import streamlit as st

    import tokviz
    from tokviz.app.answers.visitors import visitor_tokenizers
    from tokviz.app.answers.visitors.kept_tokenizers import registry

    if "made" not in st.session_state:
        st.session_state["made"] = True
        for label in ("trained on “my text”", "trained on “my text”", "trained on “my text”", "GPT-2", "cl100k"):
            visitor_tokenizers.adopt(registry.register(tokviz.train("abab", num_merges=1), label))
    st.json([each.label for each in visitor_tokenizers.descriptions()])


def test_tokenizers_from_links_get_unique_labels() -> None:
    app = AppTest.from_function(adopting).run()
    assert not app.exception
    labels = json.loads(app.json[0].value)
    assert labels[:3] == ["trained on “my text”", "trained on “my text”, 2", "trained on “my text”, 3"]
    assert labels[3:] == ["GPT-2, 2", "cl100k, 2"]


def test_an_ended_session_releases_its_tokenizers(monkeypatch: pytest.MonkeyPatch) -> None:
    released: list[str] = []
    monkeypatch.setattr(registry, "release", released.append)
    session = visitor_tokenizers._SessionIds(["one"])
    session.names.append("two")
    del session
    collect_until(lambda: "two" in released)
    assert [name for name in released if name in ("one", "two")] == ["one", "two"]  # the others: other tests' sessions


def test_invalid_cookies_are_ignored() -> None:
    name = "a" * 22
    assert visitor_tokenizers._from_cookie(f"{name}.<script>..x.{name}b") == [name, f"{name}b"]
    assert visitor_tokenizers._from_cookie("") == []
    assert len(visitor_tokenizers._from_cookie(".".join([name] * 50))) == visitor_tokenizers.MOST


# Answers


@pytest.mark.parametrize("route", ["tokenize", "pretokens", "export"])
def test_a_slow_pattern_is_refused_by_routes(client: TestClient, route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "CUTTING_SECONDS", 0.2)
    name = registry.register(tokviz.train("ab ab", num_merges=1, split_pattern=AGES, special_tokens=["<s>"]))
    text = "ab" * 50_000 + "<s>"
    answer = client.post(f"/_tokviz/{route}?tokenizer={name}&special=1&format=json", content=text.encode())
    assert answer.status_code == 422
    assert "takes longer than 0.2 s to cut this text" in answer.json()["error"]


@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
def test_ranks_are_sent_where_they_are_asked_for(client: TestClient, alphabet: str) -> None:
    tok = tokviz.train(CATS, num_merges=5, alphabet=alphabet, special_tokens=["<s>"])  # type: ignore[arg-type]
    name = registry.register(tok)
    asked = f"/_tokviz/tokenize?tokenizer={name}&special=1"
    answer, _ = wire.unpack(client.post(f"{asked}&ranks=1", content=f"{CATS}<s>".encode()).content)
    made = list(tok.merges.values())
    assert answer["ranks"].tolist() == [made.index(i) if i in made else -1 for i in answer["ids"].tolist()]
    assert answer["ranks"].max() >= 0
    unasked, _ = wire.unpack(client.post(asked, content=b"the").content)
    assert "ranks" not in unasked


def test_saved_pages_include_the_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[dict[str, Any]] = []
    monkeypatch.setattr(colored_texts, "standalone_page", lambda widget, data, title: saved.append(data))
    tok = tokviz.train(CATS, num_merges=5, alphabet="characters")
    for each in (tok, ByteTokenizer()):
        export.to_html(each, CATS)
    own, plain = (wire.unpack(data["tokens"])[0] for data in saved)
    made = list(tok.merges.values())
    assert own["ranks"].tolist() == [made.index(i) if i in made else -1 for i in tok.encode(CATS)]
    assert "ranks" not in plain


# Text files


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("é🍕".encode(), "é🍕"),
        ("é🍕".encode("utf-8-sig"), "é🍕"),
        ("é🍕".encode("utf-16"), "é🍕"),
        (b"\xfe\xff" + "é🍕".encode("utf-16-be"), "é🍕"),
        ("é🍕".encode("utf-32"), "é🍕"),
        (b"", ""),
    ],
)
def test_text_files_are_decoded(data: bytes, text: str) -> None:
    assert decode("a.txt", data) == text


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("é".encode("latin-1"), "a.txt is no text in UTF-8: byte 0 does not belong there. Save it as UTF-8"),
        (b"\xff\xfea", "a.txt is no text in UTF-16-LE: byte 2"),
        (b"PK\0\0", "a.txt holds null characters"),
    ],
)
def test_files_that_are_not_text_are_refused_by_name(data: bytes, says: str) -> None:
    with pytest.raises(ValueError) as refused:
        decode("a.txt", data)
    assert str(refused.value).startswith(says)


def test_files_may_not_be_too_large_together() -> None:
    half = b"a" * (MAX_BYTES // 2)
    assert len(decode_all([("a", half), ("a", half)])) == 2
    with pytest.raises(ValueError, match=r"50\.0 MB together; 50 MB is the most"):
        decode_all([("a", half), ("a", half), ("a", b"a")])


# Tokenizer files


@pytest.fixture(scope="module")
def trained() -> Iterator[tokviz.BPETokenizer]:
    yield tokviz.train(CATS * 3, num_merges=20, split_pattern="gpt2", special_tokens=["<s>"])


@pytest.mark.parametrize("name", ["t.tiktoken", "vocab.bpe", "tokenizer.json", "t.model"])
def test_a_file_opened_elsewhere_encodes_the_same(trained: tokviz.BPETokenizer, name: str) -> None:
    files, left_out = formats.write(trained, name)
    opened = opening.open_files(files, **left_out)
    text = f"{CATS}<s>, and the rat"
    assert opened.encode(text, "all") == trained.encode(text, "all")
    assert "merges" in vars(opened)  # computed in the child


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"a.json": b"{"}, "a.json is incomplete or damaged"),
        ({"a.txt": b""}, "'a.txt' is not named like a tokenizer's file"),
        ({"vocab.bpe": b""}, "give one file, or vocab.bpe together with encoder.json"),
        ({"a.json": b"[" * 100_000}, "nests lists and objects too deeply"),
    ],
)
def test_errors_in_a_file_are_explained(files: dict[str, bytes], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        opening.open_files(files)


def test_reading_a_file_has_a_time_limit(trained: tokviz.BPETokenizer) -> None:
    files, _ = formats.write(trained, "tokenizer.json")
    with pytest.raises(ValueError, match=r"reading tokenizer\.json took longer than 0\.01 s"):
        opening.open_files(files, opening.SLOW._replace(seconds=0.01))


def test_a_file_with_too_many_tokens_is_refused_in_the_child() -> None:
    tokens = [bytes([number]) for number in range(256)] + [f"{number:06}".encode() for number in range(330_000)]
    data = b"".join(base64.b64encode(token) + b" %d\n" % id for id, token in enumerate(tokens))
    with pytest.raises(ValueError, match=r"this tokenizer has 330,256 tokens, with ids up to"):
        opening.open_files({"t.tiktoken": data}, split_pattern="gpt2")


def test_a_file_whose_tokens_double_is_refused_in_the_child() -> None:
    """Encoding the text of each token, as tables do, would take minutes."""
    lines = ["0 0", *(f"{number} {number}" for number in range(256, 276))]
    data = "\n".join(["minbpe v1", "", "0", *lines, ""]).encode()
    assert len(data) < 240
    with pytest.raises(ValueError, match=r"the tokens of more than 1,000 bytes have 4\.2 MB together"):
        opening.open_files({"t.model": data})


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({}, [lanes.opening_small]),
        ({"size": 10}, [lanes.opening]),
        ({"seconds": 0.01}, [lanes.opening_small, lanes.opening]),
    ],
)
def test_small_files_have_a_lane_of_their_own_for_a_moment(
    trained: tokviz.BPETokenizer,
    client: TestClient,
    monkeypatch: pytest.MonkeyPatch,
    limits: dict[str, Any],
    expected: list[lanes.Lane],
) -> None:
    monkeypatch.setattr(opening, "QUICK", opening.QUICK._replace(**limits))
    files, _ = formats.write(trained, "t.model")
    lanes_taken: list[lanes.Lane] = []
    submit = lanes.Lane.submit

    def noted(self: lanes.Lane, *args: Any) -> Any:
        lanes_taken.append(self)
        return submit(self, *args)

    monkeypatch.setattr(lanes.Lane, "submit", noted)
    answer = client.post("/_tokviz/tokenizer-file?name=t.model", content=files["t.model"])
    assert answer.status_code == 200
    assert lanes_taken == expected


# Limits of what a tokenizer takes


def test_memory_counts_all_parts_of_a_tokenizer() -> None:
    vocab = {value: bytes([value]) for value in range(256)} | {256: b"abc", 257: b"ab", 258: b"bc"}
    merges = {(97, 98): 257, (98, 99): 258, (257, 99): 256, (97, 258): 256}
    plain = memory_of(tokviz.BPETokenizer("one", vocab, merges))
    further = {(each, other): 256 for each in range(256) for other in (0, 1, 2)}
    assert memory_of(tokviz.BPETokenizer("one", vocab, merges | further)) - plain > 200 * (len(further) - len(vocab))
    kept: dict[str, Any] = {"post_processor": {"type": "x", "about": [[]] * 1_000 + ["a" * 1_000]}}
    assert memory_of(tokviz.BPETokenizer("one", vocab, merges, unapplied=kept)) - plain > 60_000
    high = tokviz.BPETokenizer("one", vocab, merges, special_tokens={"<s>": 3_999_999})
    assert memory_of(high) - plain >= high._byte_lengths.nbytes - 259 * 4
    characters = tokviz.train("the cat \U0010fffd", alphabet="characters", num_merges=1)
    assert memory_of(characters) >= characters.alphabet._table.nbytes == 4 * 0x10FFFE


def test_a_file_is_not_registered_by_the_event_loop(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []
    register = registry.register

    def recording(*args: Any, **kwargs: Any) -> str:
        threads.append(threading.current_thread().name)
        return register(*args, **kwargs)

    monkeypatch.setattr(registry, "register", recording)
    file = b"minbpe v1\n(?s:.)\n0\n116 104\n"
    assert client.post("/_tokviz/tokenizer-file?name=th.model", content=file).status_code == 200
    assert [name.startswith("asyncio") for name in threads] == [True]


def test_what_takes_long_is_found_out_by_the_child() -> None:
    file = formats.write(tokviz.train(CATS, num_merges=9), "tokenizer.json").files
    opened = opening.read_files(file)
    assert {"merges", "ranks", "tiktoken_ranks"} <= vars(opened).keys()
    assert opened.tiktoken_ranks == formats.read(file).tiktoken_ranks
    characters = formats.write(tokviz.train("äöäö", alphabet="characters", num_merges=1), "tokenizer.json").files
    assert opening.read_files(characters).tiktoken_ranks is None
