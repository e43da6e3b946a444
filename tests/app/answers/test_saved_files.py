"""Files of tokenizers of other libraries: BERT's list of pieces says what the tokenizer has, or why it can't."""

import json
from io import StringIO

import pytest
from clients import client as client
from starlette.testclient import TestClient

from tokviz.app.answers.saved_files import word_piece_list
from tokviz.formats.transformers_files import from_word_pieces
from tokviz.formats.transformers_settings import settings_of

_BERTS = ["[UNK]", "[CLS]", "[SEP]"]


def test_pieces_are_listed_by_id_and_read_again() -> None:
    pieces = [*_BERTS, "the", "##s", " a", "", "\x85s", "a\x1c", "🍕"]
    data, says = word_piece_list({token: piece.encode() for token, piece in reversed(list(enumerate(pieces)))})
    # As transformers reads it, and as tokviz does.
    assert [line.rstrip("\n") for line in StringIO(data.decode(), newline=None)] == pieces
    assert json.loads(from_word_pieces("vocab.txt", data, settings_of({})))["model"]["vocab"] == {
        piece: token for token, piece in enumerate(pieces)
    }
    assert says.startswith("Holds the pieces")


@pytest.mark.parametrize(
    ("vocab", "says"),
    [
        ({0: b"a", 2: b"b"}, "some ids have no piece"),
        ({0: b"a", 1: b"b\nc"}, "piece 1 has a line break"),
        ({0: b"a\r"}, "piece 0 has a line break"),
        ({0: b"a", 1: "a\u3000".encode()}, "piece 1 ends in it"),
        ({0: b"a", 1: b"\xc3"}, "piece 1 is a part of a character"),
        ({0: b"a", 1: b"b", 2: b"a"}, "pieces 0 and 2 are the same"),
    ],
)
def test_what_lines_can_not_hold_is_refused_with_the_reason(vocab: dict[int, bytes], says: str) -> None:
    data, why = word_piece_list(vocab)
    assert data == b""
    assert says in why


def test_pieces_of_bytes_are_not_made_text(client: TestClient) -> None:
    """Pieces over bytes, as a ByteLevel pre-tokenizer makes them: `Ã` is the first byte of `é`."""
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##"}
    vocab = {piece: token for token, piece in enumerate([*_BERTS, "Ã", "##©"])}
    parts: dict[str, object] = dict.fromkeys(("normalizer", "post_processor", "truncation", "padding"))
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    parts |= {"version": "1.0", "added_tokens": [], "pre_tokenizer": byte_level, "decoder": byte_level}
    whole = parts | {"model": model | {"max_input_chars_per_word": 100, "vocab": vocab}}
    opened = client.post("/_tokviz/tokenizer-file?name=tokenizer.json", content=json.dumps(whole)).json()["name"]
    files = client.get("/_tokviz/trained/files", params={"tokenizer": opened}).json()
    assert [file["name"] for file in files] == ["tokenizer.json", ""]
    assert "part of a character" in files[1]["says"]
    saved = client.get("/_tokviz/trained/file", params={"tokenizer": opened, "file": "tokenizer.json"})
    assert json.loads(saved.content) == whole
