"""JSON that strangers send: counted before it is parsed, however its values are spelled and encoded."""

import json
from typing import Any

import pytest

from tokviz.app.shields.json_bodies import MAX_VALUES, as_object
from tokviz.app.shields.refusals import Refusal

MANY = MAX_VALUES + 1


@pytest.mark.parametrize(
    "body",
    [
        '{"a":[' + "[]," * MANY + "1]}",
        '{"a":[' + "{}," * MANY + "1]}",
        '{"a":[' + "1," * MANY + "1]}",
        '{"a":[' + '"",' * MANY + '""]}',
        '{"a":[' + '"[,{\\"",' * MANY + '""]}',
        "{" + ",".join(f'"{number}":1' for number in range(MANY)) + "}",
        "[" * (2 * MANY),
        '""' * 3 * MANY + "," * MANY,
        "{" + " " * 100_000 + '"a" : [' + " [ ] ,\n" * MANY + " 1 ] }",
    ],
    ids=lambda body: body[:12].strip(),
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32-le", "utf-8-sig"])
def test_many_values_are_refused_before_they_are_parsed(
    body: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json, "loads", lambda _: pytest.fail("it was parsed"))
    with pytest.raises(Refusal, match="more than 50,000 values"):
        as_object(body.encode(encoding), "No object.")


@pytest.mark.parametrize(
    "value",
    [
        {"a": 'a, b, [c] {d}: "\\\n🍕' * 100_000},
        {"a": ["a, b"] * (MAX_VALUES // 2)},
        {"a": [[]] * (MAX_VALUES // 2 - 1)},
        {",[{": {"\\": '"'}},
        {},
    ],
    ids=["a text", "texts", "lists", "signs", "nothing"],
)
@pytest.mark.parametrize("is_ascii", [True, False])
def test_what_texts_hold_is_not_counted(value: dict[str, Any], is_ascii: bool) -> None:
    assert as_object(json.dumps(value, ensure_ascii=is_ascii).encode(), "No object.") == value


def test_what_is_no_json_is_said_to_be_none() -> None:
    for body in ('"' + '\\a"' * MANY, "," * 99 + '{"a', '"' + "," * MANY, b"\xff\xfe,"):
        with pytest.raises(Refusal, match="No object"):
            as_object(body if isinstance(body, bytes) else body.encode(), "No object.")
