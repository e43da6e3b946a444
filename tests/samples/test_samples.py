"""The samples are what their names, titles and languages claim."""

import csv
import json
import operator
import re
import sqlite3
import unicodedata
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from new_process import output_of

import tokviz
import tokviz.samples
from tokviz.analysis.comparison.reasons import Reason
from tokviz.samples import KINDS, Sample, parallel_passages, sample, samples

FOLDER = Path(tokviz.samples.__file__).parent

# The script of each passage: a pattern for how the Unicode names of its letters begin.
SCRIPTS = {
    **dict.fromkeys(["en", "es", "fr", "de", "pt-BR", "it", "nl", "pl", "fi", "tr", "sw", "id", "vi"], "LATIN"),
    **dict.fromkeys(["ru", "uk"], "CYRILLIC"),
    **dict.fromkeys(["ar", "fa", "ur"], "ARABIC"),
    **dict.fromkeys(["zh-Hans", "zh-Hant"], "CJK UNIFIED"),
    "el": "GREEK",
    "hy": "ARMENIAN",
    "ka": "GEORGIAN",
    "he": "HEBREW",
    "am": "ETHIOPIC",
    "hi": "DEVANAGARI",
    "bn": "BENGALI",
    "ta": "TAMIL",
    "te": "TELUGU",
    "th": "THAI",
    "ja": "HIRAGANA|KATAKANA|CJK UNIFIED",
    "ko": "HANGUL",
}

# A pattern that only this passage matches among those in the same script, where several share one.
DISTINCTIVE = {
    "en": "The",
    "es": "ñ",
    "fr": "nous",
    "de": " und ",
    "pt-BR": "você",
    "it": "Che cosa",
    "nl": "ij",
    "pl": "ł",
    "fi": "ää",
    "tr": "ğ",
    "sw": "nyumbani",
    "id": "dari",
    "vi": "ườ",
    "ru": "ы",
    "uk": "Що",
    "ar": "ة",
    "fa": "\u200c",
    "ur": "ہے",
    "zh-Hans": "们",
    "zh-Hant": "們",
}


# The common, full-width, Arabic, Greek and Armenian question marks.
QUESTION_MARK = "[?\uff1f\u061f;\u055e]"


def letters(text: str) -> list[str]:
    return [char for char in text if unicodedata.category(char).startswith("L")]


def lines_of(name: str) -> list[str]:
    """Lines of a sample, split at line feeds only."""
    return sample(name).text.split("\n")


# The index


def test_every_file_is_a_sample_and_every_sample_a_file() -> None:
    texts = sorted(file.read_bytes() for file in FOLDER.rglob("*.txt"))
    assert texts == sorted(each.text.encode() for each in samples())


def test_the_folder_holds_only_texts() -> None:
    beside = {file.suffix for file in FOLDER.glob("*/*") if file.parent.name != "__pycache__"}
    assert beside == {".txt"}


def test_names_are_unique_slugs() -> None:
    names = [each.name for each in samples()]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)] == []


def test_texts_and_titles_are_all_different() -> None:
    assert len({each.text for each in samples()}) == len(samples())
    assert len({each.title for each in samples()}) == len(samples())


def test_kinds_come_in_menu_order_and_none_is_empty() -> None:
    kinds = [each.kind for each in samples()]
    assert list(dict.fromkeys(kinds)) == list(KINDS)
    assert kinds == sorted(kinds, key=list(KINDS).index)


def test_samples_are_read_once_and_cannot_be_changed() -> None:
    assert sample("start") is sample("start")
    with pytest.raises(FrozenInstanceError):
        sample("start").text = "other"  # type: ignore[misc]


def test_an_unknown_name_is_refused_with_the_choices() -> None:
    with pytest.raises(ValueError, match=r"'nope'.*start.*prose-ja.*json-compact"):
        sample("nope")


def test_importing_the_samples_loads_no_streamlit() -> None:
    code = "import sys, tokviz.samples; tokviz.samples.samples(); print('streamlit' in sys.modules)"
    assert output_of(code) == "False\n"


@pytest.mark.parametrize("each", samples(), ids=lambda each: each.name)
def test_a_text_is_short_and_has_no_stray_white_space(each: Sample) -> None:
    assert 0 < len(each.text) < 1200
    assert not each.text.endswith(("\n", "\r"))
    if each.kind != "whitespace":
        assert each.text == each.text.rstrip()
        assert each.text == each.text.lstrip() or each.name == "differences-classics"
        assert not re.search(r"[ \t]\n|[\t\r\u00a0\ufeff]", each.text)


@pytest.mark.parametrize("each", samples(), ids=lambda each: each.name)
def test_the_direction_is_that_of_the_letters(each: Sample) -> None:
    right_to_left = sum(unicodedata.bidirectional(char) in ("R", "AL") for char in letters(each.text))
    share = right_to_left / max(1, len(letters(each.text)))
    assert share == (1 if each.direction == "rtl" else 0)


# The start


def test_the_start_is_short_and_plain() -> None:
    text = sample("start").text
    assert len(text.split("\n")) == 3 and len(text) < 100
    assert text.isascii()
    assert "supercalifragilistic" in text
    assert "1234567" in text


def test_a_second_look_shows_characters_cut_into_bytes() -> None:
    text = sample("start-bytes").text
    assert len(text.split("\n")) == 2 and len(text) < 100
    assert "🍕" in text
    assert any("DEVANAGARI" in unicodedata.name(char) for char in letters(text))


# Where tokenizers differ


def test_the_classics_show_each_way_to_differ() -> None:
    assert lines_of("differences-classics")[0] == " " * 5 + "hello"
    compared = tokviz.compare(sample("differences-classics").text, ["gpt2", "cl100k_base"])
    assert {Reason(flags) for flags in compared.reasons(1).tolist()} >= {
        Reason(0),
        Reason.SPLIT,
        Reason.VOCABULARY,
        Reason.SPLIT | Reason.VOCABULARY,
        Reason.ORDER,
    }
    assert ((b"ist", b"ice", b"xp"), (b"istic", b"exp")) in [segment.cuts for segment in compared]


# The parallel passages


def test_the_passages_are_all_prose_in_many_scripts_english_first() -> None:
    passages = parallel_passages()
    assert passages[0].lang == "en"
    assert [each.lang for each in passages if each.lang not in SCRIPTS] == []
    assert {each for each in samples() if each.kind == "prose"} == set(passages)
    assert len({each.lang for each in passages}) == len(passages) >= 24
    assert len({SCRIPTS[each.lang or ""] for each in passages}) >= 12


@pytest.mark.parametrize("each", parallel_passages(), ids=lambda each: each.name)
def test_a_passage_is_in_its_script_and_named_by_its_language(each: Sample) -> None:
    assert each.lang and each.name == f"prose-{each.lang.lower().removesuffix('-br')}"
    assert [char for char in letters(each.text) if not re.match(SCRIPTS[each.lang], unicodedata.name(char))] == []


@pytest.mark.parametrize("lang", DISTINCTIVE)
def test_a_passage_is_in_its_language_and_not_a_neighbor(lang: str) -> None:
    neighbors = [each for each in parallel_passages() if SCRIPTS[each.lang or ""] == SCRIPTS[lang]]
    assert [each.lang for each in neighbors if DISTINCTIVE[lang] in each.text] == [lang]


def test_languages_that_share_a_script_are_all_distinguished() -> None:
    shared = [lang for lang, script in SCRIPTS.items() if list(SCRIPTS.values()).count(script) > 1]
    assert sorted(DISTINCTIVE) == sorted(shared)


def test_japanese_mixes_three_scripts() -> None:
    names = {unicodedata.name(char).split()[0] for char in letters(sample("prose-ja").text)}
    assert names == {"HIRAGANA", "KATAKANA", "CJK"}


@pytest.mark.parametrize("each", parallel_passages(), ids=lambda each: each.name)
def test_a_passage_has_the_same_six_lines(each: Sample) -> None:
    lines = each.text.split("\n")
    assert len(lines) == 6 and all(lines)
    numbers = ["".join(str(unicodedata.decimal(char)) for char in line if char.isdecimal()) for line in lines]
    assert numbers == ["", "25", "", "", "", ""]
    asking = [index for index, line in enumerate(lines) if re.search(QUESTION_MARK, line)]
    assert asking == ([] if each.lang == "th" else [4])  # Thai asks in words: อะไร


def test_thai_asks_in_words() -> None:
    assert ["อะไร" in line for line in lines_of("prose-th")] == [False, False, False, False, True, False]


@pytest.mark.parametrize("each", parallel_passages(), ids=lambda each: each.name)
def test_a_passage_is_composed_as_unicode_recommends(each: Sample) -> None:
    assert unicodedata.is_normalized("NFC", each.text)


# Code


@pytest.mark.parametrize("each", [each for each in samples() if each.kind == "code"], ids=lambda each: each.name)
def test_code_is_8_to_20_lines(each: Sample) -> None:
    assert 8 <= len(each.text.split("\n")) <= 20


def test_the_python_sample_is_fizzbuzz_in_nine_lines() -> None:
    code = sample("code-python").text + "\nfizzbuzz(15)\n"
    assert output_of(code).replace("\n", " ") == "1 2 Fizz 4 Buzz Fizz 7 8 Fizz Buzz 11 Fizz 13 14 FizzBuzz "
    assert len(lines_of("code-python")) == 9


def test_the_sql_sample_finds_who_borrowed_most() -> None:
    create, select = sample("code-sql").text.split(";\n")
    database = sqlite3.connect(":memory:")
    database.execute(create)
    loans = [("Ada", "2026-01-01")] * 3 + [("Ben", "2026-02-01")] * 4 + [("Cleo", "2025-12-31")] * 5
    database.executemany("INSERT INTO loans VALUES (?, 'a book', ?)", loans)
    assert database.execute(select).fetchall() == [("Ben", 4), ("Ada", 3)]


def test_the_html_sample_closes_what_it_opens() -> None:
    open_tags: list[str] = []
    closed: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag != "meta":
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag
            closed.append(tag)

    Reader().feed(sample("code-html").text)
    assert open_tags == [] and closed.count("li") == 4 and closed[-1] == "html"


# One record in many formats: each reader below returns the record.


def as_text(value: object) -> str:
    """A value as written in a format without types: 12, true, notebook."""
    return value if isinstance(value, str) else json.dumps(value)


def rows(record: dict[str, Any]) -> list[dict[str, str]]:
    """The record as a table: one row per item, with the rest repeated in each."""
    common = {key: as_text(value) for key, value in record.items() if key != "items"}
    return [common | {key: as_text(value) for key, value in item.items()} for item in record["items"]]


def from_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.split("\n")))


def from_markdown(text: str) -> list[dict[str, str]]:
    head, rule, *body = [re.split(r" *\| *", line.strip("| ")) for line in text.split("\n")]
    assert all(re.fullmatch("---:?", cell) for cell in rule) and len(rule) == len(head)
    return [dict(zip(head, cells, strict=True)) for cells in body]


def from_xml(text: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(text)
    common = {child.tag: child.text or "" for child in root if child.tag != "items"}
    return [common | {child.tag: child.text or "" for child in item} for item in root.findall("items/item")]


def from_yaml(text: str) -> list[dict[str, str]]:
    """Read the part of YAML that the sample uses: `key: value`, and one list of those."""
    common_text, item_texts = text.split("\nitems:\n  - ")
    common = dict(line.split(": ") for line in common_text.split("\n"))
    items = [item.split("\n    ") for item in item_texts.split("\n  - ")]
    return [common | dict(line.split(": ") for line in item) for item in items]


RECORD: dict[str, Any] = json.loads(sample("json-pretty").text)


def test_json_is_pretty_and_compact_by_the_standard_library() -> None:
    assert sample("json-pretty").text == json.dumps(RECORD, indent=2)
    assert sample("json-compact").text == json.dumps(RECORD, separators=(",", ":"))
    assert len(RECORD["items"]) > 1


@pytest.mark.parametrize(
    ("name", "read"),
    [("csv", from_csv), ("markdown-table", from_markdown), ("xml", from_xml), ("yaml", from_yaml)],
)
def test_every_format_holds_the_same_data(name: str, read: Callable[[str], list[dict[str, str]]]) -> None:
    assert read(sample(name).text) == rows(RECORD)


# Numbers


def test_digits_go_from_1_to_12() -> None:
    assert [len(line) for line in lines_of("numbers-digits")] == list(range(1, 13))
    assert sample("numbers-digits").text.replace("\n", "").isdecimal()


def test_thousands_are_one_number_grouped_in_six_ways() -> None:
    ways = lines_of("numbers-thousands")
    assert {re.sub(r"\D", "", way) for way in ways} == {"1234567"}
    assert len(set(ways)) == len(ways) == 6


def test_years_are_years_and_include_the_present_one() -> None:
    years = [int(year) for year in re.findall(r"\d+", sample("numbers-years").text)]
    assert 2026 in years and len(set(years)) == len(lines_of("numbers-years"))
    assert all(44 <= year <= 2100 for year in years)


def test_decimals_have_a_point_or_an_exponent_and_are_numbers() -> None:
    decimals = [line.removesuffix("%") for line in lines_of("numbers-decimals")]
    assert len({float(decimal) for decimal in decimals}) == 8
    assert [decimal for decimal in decimals if not re.search("[.e]", decimal)] == []


def test_the_first_four_dates_name_one_day_and_phones_are_nobodys() -> None:
    assert lines_of("numbers-dates")[:4] == ["2026-05-04", "04/05/2026", "4.5.2026", "4 May 2026"]
    # 555 and 020 7946 0xxx are reserved and belong to nobody.
    assert all(re.search(r"555\D*0123|020 7946 0\d{3}", line) for line in lines_of("numbers-phones"))


OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


@pytest.mark.parametrize("line", lines_of("numbers-arithmetic"))
def test_arithmetic_is_right(line: str) -> None:
    left, sign, right, equals, result = line.split(" ")
    assert equals == "=" and OPERATIONS[sign](int(left), int(right)) == float(result)


# Emoji

SKIN_TONES = [chr(code_point) for code_point in range(0x1F3FB, 0x1F400)]
JOINER = "\u200d"


def test_faces_are_faces() -> None:
    faces = sample("emoji-faces").text.split()
    assert all("FACE" in unicodedata.name(char) for face in faces for char in face)
    assert len(faces[-1]) == 3  # three without a space between


def test_skin_tones_are_each_hand_plain_and_in_five_tones() -> None:
    for line in lines_of("emoji-skin-tones"):
        assert line.split(" ") == [line[0], *(line[0] + tone for tone in SKIN_TONES)]


def test_joined_emoji_are_all_joined_with_a_family_of_four_among_them() -> None:
    emoji = sample("emoji-joined").text.split()
    assert all(JOINER in each for each in emoji)
    assert max(each.count(JOINER) for each in emoji) == 3


def test_flags_stand_apart_then_together_then_spelled_in_tags() -> None:
    apart, together, tagged = lines_of("emoji-flags")
    assert together == "".join(apart.split(" ")[:3])
    assert all("REGIONAL INDICATOR" in unicodedata.name(char) for char in apart.replace(" ", ""))
    assert "".join(chr(ord(char) - 0xE0000) for char in tagged[1:-1]) == "gbsct"
    assert tagged[-1] == "\U000e007f"


def test_keycaps_enclose_and_styles_differ_by_one_selector() -> None:
    keycaps, *styles = lines_of("emoji-keycaps")
    assert all(each[1:] == "\ufe0f\u20e3" for each in keycaps.split(" "))
    assert [each.split(" ")[0] + "\ufe0f" for each in styles] == [each.split(" ")[1] for each in styles]


# Capitals and quotes


def test_capitals_are_one_word_in_four_spellings() -> None:
    lines = lines_of("words-capitals")
    assert len(set(lines)) == 4 and {line.lower() for line in lines} == {"hello hello"}


def test_contractions_come_in_capitals_small_and_curly() -> None:
    capitals, small, curly, *_ = lines_of("words-contractions")
    assert capitals == "DON'T PANIC, IT'S 2026!"
    assert small == capitals.lower()
    assert curly == small.replace("'", "\u2019")
    endings = set(re.findall(r"'(\w+)", sample("words-contractions").text.lower()))
    assert endings == {"t", "s", "ll", "re", "ve"}


def test_quotes_are_straight_and_curly_double_and_single() -> None:
    marks = [line.split("Yes")[0] + line.split("Yes")[1][0] for line in lines_of("words-quotes")]
    assert marks == ['""', "\u201c\u201d", "''", "\u2018\u2019"]


# White space


def test_spaces_go_from_none_to_five() -> None:
    assert lines_of("whitespace-spaces") == [" " * count + "hello" for count in range(6)]


def test_indents_are_spaces_a_tab_and_both() -> None:
    indents = [line.removesuffix("eat()") for line in lines_of("whitespace-indents")[1::2]]
    assert indents == ["    ", "\t", "  \t"]


def test_the_trailing_space_is_one_space_at_the_very_end() -> None:
    assert re.fullmatch(r".*\S ", sample("whitespace-trailing").text)


def test_four_kinds_of_space_look_like_one() -> None:
    spaces = [line.removeprefix("100").removesuffix("km") for line in lines_of("whitespace-no-break")]
    assert [unicodedata.name(space) for space in spaces] == [
        "SPACE",
        "NO-BREAK SPACE",
        "NARROW NO-BREAK SPACE",
        "IDEOGRAPHIC SPACE",
    ]


def test_characters_of_no_width_hide_in_a_cat() -> None:
    hidden = [line.translate(dict.fromkeys(map(ord, "cat"))) for line in lines_of("whitespace-zero-width")]
    assert hidden == ["", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"]


def test_line_ends_are_the_three_that_there_are() -> None:
    ends = re.findall(r"\r\n|\n|\r", sample("whitespace-line-ends").text)
    assert set(ends) == {"\r\n", "\n", "\r"}
    assert sample("whitespace-line-ends").text.startswith("Windows\r\nUnix\nold Mac\r")


def test_blank_lines_come_in_runs_and_one_of_them_holds_spaces() -> None:
    runs = re.findall(r"\n+", sample("whitespace-blank-lines").text)
    assert [len(run) for run in runs[:3]] == [2, 3, 5]
    assert "   " in lines_of("whitespace-blank-lines")
