"""Methods named as in tiktoken, and offsets, against tiktoken's results."""

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped import encoding_of
from strategies import examples, texts

import tokviz


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "p50k_edit"])
def test_attributes_equal_tiktoken(name: str) -> None:
    tok, expected = tokviz.load(name), encoding_of(name)
    for attribute in ("n_vocab", "max_token_value", "eot_token", "special_tokens_set"):
        assert getattr(tok, attribute) == getattr(expected, attribute)
    assert tok.token_byte_values() == expected.token_byte_values()
    ids = [0, 255, 256, 50_000, expected.eot_token]
    assert tok.decode_tokens_bytes(ids) == expected.decode_tokens_bytes(ids)
    assert [tok.decode_single_token_bytes(i) for i in ids] == [expected.decode_single_token_bytes(i) for i in ids]
    assert [tok.is_special_token(i) for i in ids] == [expected.is_special_token(i) for i in ids]
    for token in ("hello", b"\xff", " world", "<|endoftext|>"):
        assert tok.encode_single_token(token) == expected.encode_single_token(token)


@pytest.mark.parametrize("name", ["cl100k_base", "p50k_edit", "o200k_harmony"])
def test_every_token_is_found_by_its_bytes_as_tiktoken_finds_it(name: str) -> None:
    tok, expected = tokviz.load(name), encoding_of(name)
    tokens = [*expected.token_byte_values(), *(text.encode() for text in sorted(expected.special_tokens_set))]
    assert list(map(tok.encode_single_token, tokens)) == list(map(expected.encode_single_token, tokens))


class CountedReads(dict[int, bytes]):
    """A vocabulary that counts how often all of it is read."""

    reads = 0

    def __iter__(self) -> Any:
        self.reads += 1
        return super().__iter__()

    def items(self) -> Any:
        self.reads += 1
        return super().items()


def test_the_vocabulary_is_looked_through_once_and_only_when_asked() -> None:
    class Letters(tokviz.WordTokenizer):
        def __init__(self) -> None:
            super().__init__(["a", "b", "c"])
            self.vocab = counted = CountedReads(self.vocab)
            self.counted = counted

    tok = Letters()
    assert tok.encode("ab") and tok.counted.reads == 0
    for _ in range(3):
        assert tok.encode_single_token("b") == 1 and tok.encode_single_token(b"<unk>") == 3
        assert tok.max_token_value == 3
        assert tok.is_special_token(3) and not tok.is_special_token(1)
    assert tok.counted.reads == 2  # once for the ids, once for the highest of them
    before = len(pickle.dumps(tokviz.train("ab ab", num_merges=1)))
    used = tokviz.train("ab ab", num_merges=1)
    assert used.encode_single_token("ab") == used.max_token_value == 256
    assert len(pickle.dumps(used)) == before


def test_code_points_are_found_without_a_table() -> None:
    tok = tokviz.CharacterTokenizer()
    assert [tok.encode_single_token(one) for one in ("a", "🍕", "é".encode())] == [97, 0x1F355, 233]
    for none in ("ab", "", b"\xff", b"a\xff", b"\xed\xa0\x80"):
        with pytest.raises(ValueError, match=r"^Code points has no token"):
            tok.encode_single_token(none)
    assert tok.max_token_value == 0x10FFFF


def test_of_an_engine_s_tokens_with_the_same_bytes_the_one_of_the_highest_id_is_found() -> None:
    tok = tokviz.load("mistral-7b-v0.1")
    assert [token for token, data in tok.vocab.items() if data == b"A"] == [0x41 + 3, tok.encode_single_token("A")]
    bert = tokviz.load("bert")
    assert list(bert.vocab) == sorted(bert.vocab)
    assert bert.encode_single_token("[SEP]") == bert.encode_single_token(b"[SEP]") == 102


@examples(60)
@given(texts())
def test_ordinary_encoding_and_offsets_equal_tiktoken(text: str) -> None:
    tok, expected = tokviz.load("gpt2"), encoding_of("gpt2")
    ids = tok.encode_ordinary(text)
    assert ids == expected.encode_ordinary(text)
    offsets = tok.offsets(ids)
    tokenization = tok.tokenize(text)
    assert offsets.byte_offsets.tolist() == tokenization.byte_offsets.tolist()
    assert offsets.code_point_offsets.tolist() == tokenization.code_point_offsets.tolist()


DISALLOWED: list[Any] = ["all", (), {"<|endoftext|>"}, ["<|fim_prefix|>", "<|endoftext|>"]]


@pytest.mark.parametrize("disallowed", DISALLOWED, ids=str)
@pytest.mark.parametrize("allowed", ["all", (), {"<|fim_prefix|>"}], ids=str)
@pytest.mark.parametrize("text", ["a<|endoftext|>b", "<|fim_prefix|><|endoftext|>", "<|fim_prefix|>", "plain <|end"])
def test_disallowed_special_tokens_are_refused_where_tiktoken_refuses(disallowed: Any, allowed: Any, text: str) -> None:
    tok, expected = tokviz.load("cl100k_base"), encoding_of("cl100k_base")
    given = allowed if allowed == "all" else set(allowed)
    try:
        ids = expected.encode(text, allowed_special=given, disallowed_special=disallowed)
    except ValueError:
        with pytest.raises(ValueError, match=r"^the text holds the special token '<\|\w+\|>' at position \d+, counted"):
            tok.encode(text, allowed, disallowed_special=disallowed)
    else:
        assert tok.encode(text, allowed, disallowed_special=disallowed) == ids


def test_disallowed_special_tokens_of_an_engine() -> None:
    bert = tokviz.load("bert-base-uncased")
    with pytest.raises(ValueError, match=r"the special token '\[SEP\]' at position 2"):
        bert.encode("a [SEP]", disallowed_special="all")
    assert bert.encode("a [SEP]", "all", disallowed_special="all") == bert.encode("a [SEP]", "all")
    with pytest.raises(TypeError, match='must be several texts, or "all"'):
        bert.encode("a", disallowed_special="[SEP]")


PARTS = [b"a", b" b", b"\xe4", b"\xe4\xbd", b"\xa0", b"\xff", b"\xf0\x9f", b"\xed\xa0", b"\xc3"]


@examples(80)
@given(st.lists(st.sampled_from(PARTS)))
def test_offsets_in_bytes_that_are_not_utf8(tokens: list[bytes]) -> None:
    """At each border, the text before is what its bytes decode to, but for a character that the border may cut."""
    tok = tokviz.BPETokenizer("all", dict(enumerate(PARTS)), {})
    ids = [next(i for i, data in tok.vocab.items() if data == token) for token in tokens]
    text, offsets = tok.decode(ids), tok.offsets(ids)
    assert offsets.byte_offsets[-1] == len(b"".join(tokens))
    assert offsets.code_point_offsets[-1] == len(text)
    for end, place in enumerate(offsets.code_point_offsets.tolist()):
        before = b"".join(tokens[:end]).decode("utf-8", "replace")
        assert text[:place] == before[:place] and len(before) - place <= 3


def test_what_is_not_there() -> None:
    tok = tokviz.train("abab", special_tokens=["<s>"])
    with pytest.raises(ValueError, match=r"has no special token <\|endoftext\|>"):
        _ = tok.eot_token
    with pytest.raises(ValueError, match="has no token 'zz'"):
        tok.encode_single_token("zz")
    for call in (tok.offsets, tok.decode_tokens_bytes):
        with pytest.raises(ValueError, match="token id 9999 is not in use"):
            call([9999])
    with pytest.raises(TypeError, match="ids must be a list of token ids, not str"):
        tok.offsets("ab")  # type: ignore[arg-type]
