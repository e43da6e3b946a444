"""The route that sends the long text of a session."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from tokviz.app import server
from tokviz.app.answers.visitors.kept_texts import KeptText


def test_a_kept_text_is_sent_to_who_knows_its_id() -> None:
    kept = KeptText("é\ud800 long\r\n")
    with TestClient(Starlette(routes=server.routes)) as client:
        answer = client.get(f"/_tokviz/text?id={kept.id}")
        assert answer.content.decode() == "é\ufffd long\r\n"
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        unknown = client.get("/_tokviz/text?id=unknown")
    assert unknown.status_code == 404
    assert unknown.json() == {"error": "This text is no longer kept."}
