"""Links written in Python, read by the rules of the format."""

import re
import zlib
from base64 import urlsafe_b64decode
from urllib.parse import parse_qs, parse_qsl, urlsplit

from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from tokviz.lesson.links import write_link

NAMES = st.text("abcdefghijklmnopqrs", min_size=1).filter(lambda name: name != "text")
ENCODABLE = st.text(st.characters(exclude_categories=["Cs"]))


@examples(100)
@given(st.dictionaries(NAMES, ENCODABLE), ENCODABLE)
def test_fields_and_text_of_a_link_round_trip(fields: dict[str, str], text: str) -> None:
    link = urlsplit(write_link("replay", fields, text))
    read = dict(parse_qsl(link.fragment, strict_parsing=True))
    packed = read.pop("text")
    assert link.path == "replay"
    assert read == {name: value for name, value in fields.items() if value}
    assert re.fullmatch("[A-Za-z0-9_-]+", packed)
    assert zlib.decompress(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), -zlib.MAX_WBITS).decode() == text


def test_settings_in_a_pages_query_stay_there() -> None:
    link = urlsplit(write_link("compression?chart=Languages", {}, "a text"))
    assert parse_qs(link.query) == {"chart": ["Languages"]}
    assert link.fragment.startswith("text=")


def test_a_link_without_fields_is_the_address() -> None:
    assert write_link("compression?chart=Formats", {"sample": ""}) == "compression?chart=Formats"
