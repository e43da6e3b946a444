"""The chapter "letters": its facts, and the figures it computes."""

import itertools
import struct
import sys
import unicodedata

import pytest
from chapter_facts import Facts, expect_true
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import encoding_of

from tokviz.analysis.characters import script_of
from tokviz.course import letters

PIZZA, FAMILY, E = "🍕", "👨‍👩‍👧‍👦", "ệ"


def spelled(char: str) -> list[str]:
    """All equivalent spellings of a character, by trying every string of up to three characters that it may contain."""
    whole = unicodedata.normalize("NFD", char)
    found = [chr(code) for code in range(0x30000) if set(unicodedata.normalize("NFD", chr(code))) <= set(whole)]
    texts = ["".join(each) for size in (1, 2, 3) for each in itertools.product(found, repeat=size)]
    return [text for text in texts if unicodedata.normalize("NFD", text) == whole]


def counts(name: str) -> list[int]:
    return [len(encoding_of(name).encode(text)) for text in spelled(E)]


FACTS: Facts = {
    "é is number 233": lambda: ord("é") == 233,
    "U+00E9": lambda: f"U+{ord('é'):04X}" == "U+00E9",
    "eight bits each, so numbers up to 255": lambda: 2**8 - 1 == 255,
    "A, ñ, 你 and 🍕: one, two, three and four bytes": lambda: [len(c.encode()) for c in "Añ你🍕"] == [1, 2, 3, 4],
    "units of 16 bits. They are too small for 𠜎 and 🍕": lambda: min(map(ord, "𠜎🍕")) >= 2**16,
    "two units": lambda: {len(c.encode("utf-16-le")) for c in "𠜎🍕"} == {4},
    "UTF-32 takes 32 bits for everything": lambda: {len(c.encode("utf-32-le")) for c in "a你🍕"} == {4},
    "JavaScript counts units of UTF-16, and 🍕 takes two": lambda: len(PIZZA.encode("utf-16-le")) == 2 * 2,
    "Python counts code points: 1": lambda: len(PIZZA) == 1,
    "A file counts bytes: 4": lambda: len(PIZZA.encode()) == 4,
    "124": lambda: True,  # the choices
    "ệ can be spelled in five ways": lambda: len(spelled(E)) == 5,
    "a byte beginning with 10 continues a character": lambda: (
        {f"{byte:08b}"[:2] for char in "Añ你🍕" for byte in char.encode()[1:]} == {"10"}
    ),
    "They hold the number less 65,536": lambda: all(
        ((high & 0x3FF) << 10 | low & 0x3FF) == ord(char) - 65_536
        for char in "𠜎🍕"
        for high, low in [struct.unpack(">HH", char.encode("utf-16-be"))]
    ),
    "ﬁ by fi and ① by 1": lambda: unicodedata.normalize("NFKC", "ﬁ①") == "fi1",
    "from 1 to 5, depending on the spelling": lambda: (
        (min(counts("cl100k_base")), max(counts("cl100k_base"))) == (1, 5)
    ),
    "always 1": lambda: True,  # wrong choices
    "always 3, since it has three bytes": lambda: len(E.encode()) == 3,
    "NFC's spelling is a single token": lambda: len(encoding_of("cl100k_base").encode(E)) == 1,
    "With everything taken apart, it is five": lambda: (
        len(encoding_of("cl100k_base").encode(unicodedata.normalize("NFD", E))) == 5
    ),
    "The first three bytes are a byte order mark, U+FEFF": lambda: "\ufeff".encode() == bytes.fromhex("efbbbf"),
}


def test_every_fact_is_true() -> None:
    expect_true("letters", FACTS)


@settings(deadline=None)  # the machine may be busy
@given(st.characters(exclude_categories=["Cs"]))
def test_bits_are_those_of_the_encodings(char: str) -> None:
    utf8 = letters.utf8_bits(char)
    assert bytes(int(lead + payload, 2) for lead, payload in utf8) == char.encode()
    assert int("".join(payload for _, payload in utf8), 2) == ord(char)
    utf16 = letters.utf16_bits(char)
    assert b"".join(int(lead + payload, 2).to_bytes(2, "big") for lead, payload in utf16) == char.encode("utf-16-be")
    beyond = 0x10000 if len(utf16) == 2 else 0
    assert int("".join(payload for _, payload in utf16), 2) + beyond == ord(char)


@pytest.mark.parametrize("char", [E, "é", "Å", "Ω", "ǻ", "각", "가", "a", "\N{OHM SIGN}"])
def test_equivalent_spellings_are_those_found_by_trying_all(char: str) -> None:
    assert letters.equivalent(char) == set(spelled(char))


@settings(deadline=None)  # the machine may be busy
@given(st.text(st.sampled_from("eaAo\u0301\u0302\u0323\u0308ệåÅ한각나ﬁ🍕"), max_size=4))
def test_every_spelling_is_equivalent(text: str) -> None:
    for each in letters.equivalent(text):
        assert unicodedata.normalize("NFD", each) == unicodedata.normalize("NFD", text)


def test_spellings_of_a_character() -> None:
    found = letters.spellings(E + "more")
    assert found["char"] == E
    assert sorted(row["text"] for row in found["rows"]) == sorted(spelled(E))
    assert [row["forms"] for row in found["rows"]] == [
        [form for form in letters.FORMS if unicodedata.normalize(form, row["text"]) == row["text"]]
        for row in found["rows"]
    ]
    assert letters.spellings("ﬁ")["compatible"] == "fi"
    assert letters.spellings("")["rows"] == []


def test_spellings_are_counted_and_what_nfkc_makes_of_them_is_said() -> None:
    says, table = letters.spellings_table("ﬁ")
    assert says["words"] == ("1 spelling of ﬁ. NFKC makes it “fi”.",)
    assert table["rows"][0][:3] == [[("span", "U+FB01", "LATIN SMALL LIGATURE FI")], "NFC, NFD", 3]
    many = "a" + "\u0301\u0323\u0327\u031b\u0345\u0334\u0335" * 3
    assert letters.spellings_table(many)[0]["words"][0].endswith(f" The first {letters.MAX_SPELLINGS} are shown.")
    assert [part["words"] for part in letters.spellings_table("")] == [("Type a character.",)]


def test_many_spellings_end() -> None:
    found = letters.spellings("a" + "\u0301\u0323\u0327\u031b\u0345\u0334\u0335" * 3)
    assert len(found["rows"]) == letters.MAX_SPELLINGS <= found["count"] <= 200


@settings(deadline=None)  # the machine may be busy
@given(st.binary(max_size=40))
def test_pieces_are_what_python_replaces(data: bytes) -> None:
    found = letters.decoded(data)
    ends = [piece["end"] for piece in found["pieces"]]
    assert [piece["start"] for piece in found["pieces"]] == [0, *ends][: len(ends)]
    assert found["text"] == data.decode("utf-8", "replace")
    assert len(found["pieces"]) == len(found["text"])
    assert all(bool(piece["why"]) == (char == "\ufffd" and data[piece["start"] : piece["end"]] != b"\xef\xbf\xbd")
               for piece, char in zip(found["pieces"], found["text"], strict=True))  # fmt: skip


@pytest.mark.parametrize("text", ["", "a", PIZZA, FAMILY, "\ud83c\udf55", "\ud800", "שלום", "e\u0301" * 10])
def test_lengths_of_hostile_texts(text: str) -> None:
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    found = letters.lengths(text)
    assert (found["python"], found["bytes"]) == (len(whole), len(whole.encode()))
    assert found["javascript"] == len(whole.encode("utf-16-le")) // 2
    assert found["reader"] == {"": 0, "a": 1, "שלום": 4, "e\u0301" * 10: 10}.get(text, 1)
    measured = letters.measured(text)
    assert measured["lengths"] == found
    assert measured["replaced"] == (text == "\ud800")


def test_measured_lists_the_characters_that_are_counted_differently() -> None:
    measured = letters.measured(f"a{PIZZA}b{FAMILY}{PIZZA}")
    assert [(row["text"], row["count"]) for row in measured["apart"]] == [(PIZZA, 2), (FAMILY, 1)]


def test_characters_are_described_as_unicode_does() -> None:
    points = letters.characters(FAMILY)["points"]
    assert [point["name"] for point in points] == [unicodedata.name(char) for char in FAMILY]
    assert [point["code"] for point in points] == [f"U+{ord(char):04X}" for char in FAMILY]
    assert len(letters.characters("a" * 1_000)["points"]) == letters.MAX_POINTS


def test_the_script_of_a_letter_begins_its_name() -> None:
    """A letter's name in Unicode begins with its script, but for ideographs and a few others."""
    for char in "éЖλאبअবกกあカ한ሀავἀ":
        first = unicodedata.name(char).split()[0].capitalize()
        assert script_of(char) == first
    assert script_of("你") == "Han"
    assert {script_of(char) for char in "1 .🍕"} == {"Common"}
    assert script_of(chr(sys.maxunicode)) == "another script"
