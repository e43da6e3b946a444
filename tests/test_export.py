"""Export as JSON, CSV and a web page: every row agrees with the text itself."""

import csv
import io
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import tokviz
from tokviz import export
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.simple import ByteTokenizer, CharacterTokenizer, WordTokenizer

NASTY = 'I love 🍕, "नमस्ते"\r\n=1+1\t\x00\ufeff,<|endoftext|>\n\n</script>}, {"index": 3}'
texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('🍕é"\r\n,=\x00 '), max_size=30)


def read_json(pieces: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("".join(pieces))
    return found


def read_csv(pieces: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO("".join(pieces), newline="")))


def expected_rows(tokenizer: Tokenizer, text: str, special: set[int]) -> list[dict[str, Any]]:
    """Build the rows token by token from the bytes of the vocabulary, with offsets counted here."""
    rows = []
    data = text.encode()
    end = 0
    for index, token in enumerate(tokenizer.encode(text, "all" if special else ())):
        part = tokenizer.vocab[token]
        start, end = end, end + len(part)
        assert data[start:end] == part
        try:
            part_text = part.decode()
        except UnicodeDecodeError:
            part_text = None
        rows.append(
            {
                "index": index,
                "id": token,
                "start_byte": start,
                "end_byte": end,
                "start_code_point": code_points_before(data, start),
                "end_code_point": code_points_before(data, end),
                "bytes": " ".join(f"{byte:02x}" for byte in part),
                "text": part_text,
                "special": token in special,
            }
        )
    return rows


def code_points_before(data: bytes, end: int) -> int:
    """Count the whole characters before byte `end`."""
    while end < len(data) and 0x80 <= data[end] < 0xC0:
        end -= 1
    return len(data[:end].decode())


@examples(150)
@given(texts, st.sampled_from(["gpt2", "cl100k_base", "bytes", "code-points"]))
def test_rows_agree_with_the_vocabulary(text: str, name: str) -> None:
    simple: dict[str, Tokenizer] = {"bytes": ByteTokenizer(), "code-points": CharacterTokenizer()}
    tokenizer = simple.get(name) or tokviz.load(name)
    expected = expected_rows(tokenizer, text, set())
    found = read_json(export.to_json(tokenizer, text))
    assert found == {"tokenizer": tokenizer.name, "text": text, "tokens": expected}
    expected_csv = [
        {
            name: "" if value is None else str(int(value) if value in (True, False) else value)
            for name, value in row.items()
        }
        for row in expected
    ]
    assert read_csv(export.to_csv(tokenizer, text)) == expected_csv


def test_allowed_special_tokens_are_marked() -> None:
    tokenizer = tokviz.load("gpt2")
    expected = expected_rows(tokenizer, NASTY, {50256})
    assert any(row["special"] for row in expected)
    assert read_json(export.to_json(tokenizer, NASTY, "all"))["tokens"] == expected
    assert [row["special"] for row in read_csv(export.to_csv(tokenizer, NASTY, "all"))].count("1") == 1
    assert not any(row["special"] for row in read_json(export.to_json(tokenizer, NASTY))["tokens"])


def test_no_token_is_lost_between_batches() -> None:
    text = "ab" * 15_000
    rows = read_json(export.to_json(ByteTokenizer(), text))["tokens"]
    assert [row["index"] for row in rows] == list(range(30_000))
    assert "".join(row["text"] for row in rows) == text
    assert [int(row["end_byte"]) for row in read_csv(export.to_csv(ByteTokenizer(), text))] == list(range(1, 30_001))


def test_json_has_one_line_per_token() -> None:
    tokens = tokviz.load("gpt2").encode(NASTY)
    lines = "".join(export.to_json(tokviz.load("gpt2"), NASTY)).splitlines()
    assert len([line for line in lines if line.startswith('{"index": ')]) == len(tokens)


def test_an_empty_text_has_columns_but_no_rows() -> None:
    assert read_json(export.to_json(ByteTokenizer(), "")) == {"tokenizer": "Bytes", "text": "", "tokens": []}
    assert "".join(export.to_csv(ByteTokenizer(), "")).rstrip("\r\n") == ",".join(export.COLUMNS)


def test_an_empty_token_has_a_row() -> None:
    tokenizer = tokviz.train("ab ab", num_merges=1, alphabet="characters", end_of_word="</w>")
    rows = read_json(export.to_json(tokenizer, "ab b"))["tokens"]
    empty = [row for row in rows if row["start_byte"] == row["end_byte"]]
    assert empty
    assert all((row["bytes"], row["text"]) == ("", "") for row in empty)


def test_an_unknown_word_has_its_own_bytes() -> None:
    words = WordTokenizer.from_text("the cat")
    row = read_json(export.to_json(words, "the dog"))["tokens"][-1]
    assert (row["text"], row["bytes"], row["special"]) == ("dog", "64 6f 67", True)


@pytest.mark.parametrize("write", [export.to_json, export.to_csv, export.to_html])
def test_texts_outside_the_alphabet_raise_before_anything_is_written(write: Any) -> None:
    tokenizer = tokviz.train("abab", num_merges=1, alphabet="characters")
    with pytest.raises(ValueError, match="'é' \\(U\\+00E9\\) at position 2"):
        write(tokenizer, "abé")


def test_the_docstring_names_every_column() -> None:
    assert export.__doc__
    assert tuple(re.findall(r"^ {4}(\w+) {2,}\w", export.__doc__, re.MULTILINE)) == export.COLUMNS
