"""Methods named as in tiktoken, and offsets, against tiktoken's results."""

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
