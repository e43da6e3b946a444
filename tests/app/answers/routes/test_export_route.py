"""The export route: files match the package, and are compressed attachments generated while they are sent."""

import gzip
import itertools
from typing import Any

import pytest
from clients import client as client
from starlette.testclient import TestClient

import tokviz
from tokviz import export
from tokviz.app.answers import requests
from tokviz.app.answers.visitors.kept_tokenizers import registry
from tokviz.tokenizers.simple import WordTokenizer

TEXT = "I love 🍕<|endoftext|>=1,\r\n"


def ask(client: TestClient, text: str, **query: Any) -> Any:
    return client.post("/_tokviz/export", params={"tokenizer": "gpt2", **query}, content=text.encode())


@pytest.mark.parametrize("special", [0, 1])
@pytest.mark.parametrize("kind", ["json", "csv", "html"])
def test_a_file_matches_the_package(client: TestClient, kind: str, special: int) -> None:
    write: Any = {"json": export.to_json, "csv": export.to_csv, "html": export.to_html}[kind]
    kwargs: dict[str, Any] = {"marks": False} if kind == "html" else {}
    expected = "".join(write(tokviz.load("gpt2"), TEXT, "all" if special else (), **kwargs))
    response = ask(client, TEXT, format=kind, special=special)
    assert response.status_code == 200
    assert response.content.decode() == expected
    assert response.headers["content-disposition"] == f'attachment; filename="tokens.{kind}"'


@pytest.mark.parametrize(("kind", "media"), [("json", "application/json"), ("csv", "text/csv"), ("html", "text/html")])
def test_a_file_has_its_media_type_and_is_compressed(client: TestClient, kind: str, media: str) -> None:
    text = TEXT * 1000
    query = {"format": kind, "tokenizer": "gpt2"}
    with client.stream("POST", "/_tokviz/export", params=query, content=text.encode()) as response:
        raw = b"".join(response.iter_raw())
        assert response.headers["content-type"].split(";")[0] == media
        assert response.headers["content-encoding"] == "gzip"
        assert response.headers["vary"] == "Accept-Encoding"
    plain = client.post("/_tokviz/export", params=query, content=text.encode(), headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(raw) == plain.content
    assert len(raw) < len(plain.content) / 2


def test_a_page_has_the_requested_settings(client: TestClient) -> None:
    response = ask(client, "héllo", format="html", color_by="rank", marks=1, lang="fr")
    expected = export.to_html(tokviz.load("gpt2"), "héllo", color_by="rank", marks=True, lang="fr")
    assert response.text == expected


def test_words_are_learned_from_the_known_text(client: TestClient) -> None:
    known, text = "die Katze", "die Maus"
    response = ask(client, known + text, format="csv", tokenizer="words", known=len(known.encode()))
    assert response.text == "".join(export.to_csv(WordTokenizer.from_text(known), text))


def test_invalid_export_requests_are_refused_with_a_reason(client: TestClient) -> None:
    refused = {
        "“format” must be one of: json, csv, html": {"format": "xlsx"},
        "The request lacks “format”": {},
        "“color_by” must be one of": {"format": "html", "color_by": "rainbow"},
        "“lang” must be a language tag": {"format": "html", "lang": "en' onload='"},
        "“special” must be 0 or 1": {"format": "csv", "special": "yes"},
    }
    for sentence, query in refused.items():
        response = ask(client, "text", **query)
        assert response.status_code == 400
        assert sentence in response.json()["error"]
    assert ask(client, "text", format="csv", tokenizer="nobody's").status_code == 404


@pytest.mark.parametrize("kind", ["json", "csv", "html"])
def test_a_character_that_the_alphabet_lacks_is_named(client: TestClient, kind: str) -> None:
    name = registry.register(tokviz.train("abab", num_merges=1, alphabet="characters"))
    response = ask(client, "abé", format=kind, tokenizer=name)
    assert response.status_code == 422
    assert "'é' (U+00E9) at position 2" in response.json()["error"]
    assert name not in "".join(export.to_json(registry.get(name), "abab"))


def test_a_text_that_is_too_long_is_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "MAX_BODY", 100)
    assert ask(client, "x" * 101, format="csv").status_code == 413


def test_rows_are_generated_while_they_are_sent(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """An endless file can be started, so only the part being sent is kept in memory."""
    monkeypatch.setattr(export, "to_csv", lambda *_: itertools.repeat("a row\r\n" * 1000))
    with (
        pytest.raises(RuntimeError, match="enough"),
        client.stream("POST", "/_tokviz/export?format=csv&tokenizer=gpt2", content=b"text") as response,
    ):
        for number, _ in enumerate(response.iter_bytes()):
            if number > 3:
                raise RuntimeError("enough")
