"""The size of Streamlit's messages once parsed, counted before parsing.

Two bytes of a message may become an object of seventy, in a list that Streamlit keeps: a message of 32 MB would take a
gigabyte. The JSON inside a message may do the same, and parsing it lets no other thread run. Pages send a few values;
only a text is long, and it is a single string.
"""

from json.decoder import scanstring  # type: ignore[attr-defined]
from sys import getsizeof
from typing import Any, NamedTuple

from streamlit.proto.BackMsg_pb2 import BackMsg

from tokviz.app.shields.json_bodies import parsed
from tokviz.app.shields.refusals import Refusal

MAX_ELEMENTS = 5_000
"""Maximum fields, list elements and nested messages in a message, and strings in its long JSON."""

SMALL_JSON = 100_000
"""Bytes up to which a widget's JSON may hold anything. Longer JSON may have as many characters outside its strings."""

_JSON_FIELDS = frozenset({"json_value", "json_trigger_value"})

# Wire types, and types of fields, of protobuf.
_VARINT, _EIGHT_BYTES, _LENGTH_DELIMITED, _FOUR_BYTES = 0, 1, 2, 5
_STRING, _MESSAGE, _BYTES = 9, 11, 12


class Rejected(Exception):
    """The message is malformed, or holds too much."""


class Parsed(NamedTuple):
    """A message, and roughly the bytes of memory that a session takes to keep it."""

    message: BackMsg
    size: int


def parse(data: bytes) -> Parsed:
    """Parse a message of a page. Raises Rejected."""
    scan = _Scan(data)
    scan.message(0, len(data), BackMsg.DESCRIPTOR)
    try:
        return Parsed(BackMsg.FromString(data), len(data) + scan.strings)
    except Exception:  # Protobuf raises its own types
        raise Rejected from None


class _Scan:
    """Walks through a message without parsing it, and raises Rejected where it holds too much.

    `strings` are the bytes of memory that its long strings will take. With a single emoji, each character takes four.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = MAX_ELEMENTS
        self.strings = 0

    def message(self, start: int, end: int, kind: Any) -> None:
        """Count the elements of the message of a kind between two positions."""
        while start < end:
            self._count(1)
            tag, start = self._varint(start, end)
            wire_type = tag & 7
            if wire_type == _VARINT:
                _, start = self._varint(start, end)
            elif wire_type == _LENGTH_DELIMITED:
                size, start = self._varint(start, end)
                if start + size > end:
                    raise Rejected
                self._field(start, start + size, kind.fields_by_number.get(tag >> 3))
                start += size
            elif wire_type in (_EIGHT_BYTES, _FOUR_BYTES):
                start += 8 if wire_type == _EIGHT_BYTES else 4
            else:
                raise Rejected  # groups, which Streamlit doesn't use
        if start > end:
            raise Rejected

    def _field(self, start: int, end: int, field: Any) -> None:
        if field is None or field.type == _BYTES:
            return
        if field.type == _MESSAGE:
            self.message(start, end, field.message_type)
        elif field.type != _STRING:
            self._count(end - start)  # a packed list of numbers, of one byte or more each
        elif field.name in _JSON_FIELDS or end - start > SMALL_JSON:
            try:
                self._string(self._data[start:end].decode(), field.name in _JSON_FIELDS, end - start > SMALL_JSON)
            except (ValueError, Refusal):  # not UTF-8, or not JSON that anybody parses
                raise Rejected from None

    def _string(self, text: str, is_json: bool, is_long: bool) -> None:
        """Count a long string, or the strings in long JSON, and refuse JSON that Streamlit would fail to parse."""
        if is_json:
            parsed(self._without_strings(text) if is_long else text)
        else:
            self.strings += getsizeof(text)

    def _without_strings(self, text: str) -> str:
        """Return JSON with empty strings, and count its strings. Refuse JSON that has more than a few, or much else."""
        position, parts = 0, []
        while (quote := text.find('"', position)) >= 0:
            self._count(1)
            parts.append(text[position:quote])
            string, position = scanstring(text, quote + 1)
            self.strings += getsizeof(string)
        parts.append(text[position:])
        if sum(map(len, parts)) > SMALL_JSON:
            raise Rejected
        return '""'.join(parts)

    def _count(self, elements: int) -> None:
        self._left -= elements
        if self._left < 0:
            raise Rejected

    def _varint(self, start: int, end: int) -> tuple[int, int]:
        """Return the number that begins at `start`, and its end."""
        number = 0
        for position in range(start, min(start + 10, end)):
            byte = self._data[position]
            number |= (byte & 0x7F) << 7 * (position - start)
            if byte < 0x80:
                return number, position + 1
        raise Rejected
