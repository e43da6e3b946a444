"""GPT-2's spelling of bytes, against Hugging Face's."""

import pytest
from tokenizers.pre_tokenizers import ByteLevel

from tokviz.bpe.byte_characters import spell, unspell


@pytest.mark.parametrize("text", ["a b", " \n\t\x00\x7f\xa0\xad", "é中🍕", "".join(map(chr, range(0x800)))])
def test_texts_are_spelled_as_by_hugging_face(text: str) -> None:
    [(spelled, _)] = ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(text)
    assert spell(text.encode()) == spelled
    assert unspell(spelled) == text.encode()


def test_each_character_stands_for_one_byte_or_none() -> None:
    letters = ByteLevel.alphabet()
    assert {unspell(letter) for letter in letters} == {bytes([value]) for value in range(256)}
    others = [chr(code) for code in (*range(0x200), 0x4E2D, 0xD800, 0xFFFF, 0x1F355) if chr(code) not in letters]
    assert len(others) > 256 - 188
    assert not [other for other in others if unspell(other) is not None or unspell(f"a{other}") is not None]
