"""Messages that would take much memory and time when parsed are rejected; the long ones that pages send are not."""

import json

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg

from tokviz.app.shields.messages import MAX_ELEMENTS, SMALL_JSON, Rejected, parse

RERUN, WIDGET_STATES, WIDGETS = 11, 2, 1  # numbers of fields


def field(number: int, data: bytes) -> bytes:
    size, rest = b"", len(data)
    while rest > 127:
        size, rest = size + bytes([rest & 127 | 128]), rest >> 7
    return bytes([number << 3 | 2]) + size + bytes([rest]) + data


def widgets(content: bytes) -> bytes:
    return field(RERUN, field(WIDGET_STATES, content))


def with_json(value: str) -> bytes:
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="tokens", json_value=value)
    return bytes(message.SerializeToString())


def is_accepted(data: bytes) -> bool:
    try:
        message, _ = parse(data)
    except Rejected:
        return False
    assert message == BackMsg.FromString(data)
    return True


def test_lists_of_nothing_are_rejected() -> None:
    assert is_accepted(widgets(field(WIDGETS, b"") * 1_000))
    assert not is_accepted(widgets(field(WIDGETS, b"") * MAX_ELEMENTS))


@pytest.mark.parametrize("name", ["int_array_value", "double_array_value", "string_array_value"])
def test_long_lists_of_values_are_rejected(name: str) -> None:
    for length, accepted in [(100, True), (MAX_ELEMENTS, False)]:
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add(id="1")
        getattr(state, name).data.extend([""] * length if name.startswith("string") else [0] * length)
        assert is_accepted(message.SerializeToString()) is accepted


def test_many_uploaded_files_are_rejected() -> None:
    for files, accepted in [(500, True), (MAX_ELEMENTS, False)]:
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add(id="1")
        for _ in range(files):
            state.file_uploader_state_value.uploaded_file_info.add(name="a", size=1, file_id="b")
        assert is_accepted(message.SerializeToString()) is accepted


@pytest.mark.parametrize(
    "data", [b"\xff", b"\x5a\x05a", b"\x5b\x5c", b"\x80" * 20, b"\x59", field(RERUN, b"\x0a\x01\xff")]
)
def test_malformed_messages_are_rejected(data: bytes) -> None:
    assert not is_accepted(data)


@pytest.mark.parametrize("letter", ['"', "\\", "\n", '\\"', "🍕", "你", "[]"])
def test_texts_of_any_letters_are_accepted(letter: str) -> None:
    value = json.dumps({"text": letter * 1_000_000, "view": {"tokenizer": "gpt2"}}, ensure_ascii=False)
    assert is_accepted(with_json(value))


@pytest.mark.parametrize("part", ["[]", "{}", '""', '"\\\\"', "0", '{"a": 1}'])
def test_long_json_of_many_values_is_rejected(part: str) -> None:
    assert is_accepted(with_json(json.dumps(part * 10)))
    assert not is_accepted(with_json("[" + f"{part}," * (2 * SMALL_JSON) + "0]"))
    assert not is_accepted(
        with_json('{"text": "' + "a" * SMALL_JSON + '", "view": [' + f"{part}," * SMALL_JSON + "0]}")
    )


@pytest.mark.parametrize(
    "value", ["{", "", "x", "[1,]", '{"text":', "[" * 900 + "]" * 900, "[" * 49_000, "[" * 65 + "]" * 65]
)
def test_what_streamlit_would_fail_to_parse_is_rejected(value: str) -> None:
    """It would log a traceback for each message, and for each later one of the page."""
    assert not is_accepted(with_json(value))
    assert is_accepted(with_json(json.dumps({"text": value})))
    long = "a" * SMALL_JSON
    assert not is_accepted(with_json(f'{{"text": "{long}", "view": {value}}}'))
    assert is_accepted(with_json(json.dumps({"text": long, "view": value})))


def test_a_string_with_an_emoji_counts_as_what_it_takes_in_memory() -> None:
    plain, emoji = (with_json(json.dumps({"text": "a" * 1_000_000 + end}, ensure_ascii=False)) for end in ("", "🍕"))
    assert 2_000_000 < parse(plain).size < 2_100_000
    assert 5_000_000 < parse(emoji).size < 5_100_000
