"""Unstable tokens at the end of a text, against every continuation and tiktoken's own guess."""

from itertools import product
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from shipped import encoding_of
from strategies import SPECIALS, examples, glued, texts

import tokviz
from tokviz import pretrained

LETTERS = ["a", "b", "A", "'", "s", "l", " ", "\n", "1", "é", "中", "!"]
NEXT = ["a", "A", "'", "s", "l", " ", "\n", "1", "é", "!"]
FOLLOWING = ["".join(some) for size in (1, 2) for some in product(NEXT, repeat=size)]
FOLLOWING += ["".join(some) for some in product("'sl \n1", repeat=3)]  # where a pattern looks two characters ahead
WORDS = [*LETTERS, "ab", "aab", "'s", "'ll", "It", " a", "  ", "\n\n", "aé", "é中", "中A", "1a", "!a", "a!"]


def alike(first: list[int], second: list[int]) -> int:
    """Count the ids that two lists begin with alike."""
    number = 0
    while number < min(len(first), len(second)) and first[number] == second[number]:
        number += 1
    return number


def check_tail(tok: Any, text: str, following: list[str], allowed: Any = ()) -> None:
    """Check that none of the given continuations changes a stable token, and that the witness changes the next."""
    ids, tail = tok.encode(text, allowed), tok.unstable_tail(text, allowed)
    stable = len(ids) - tail.tokens
    for each in following:
        assert alike(ids, tok.encode(text + each, allowed)) >= stable, (text, each)
    assert bool(tail.tokens) == bool(tail.witness)
    assert alike(ids, tok.encode(text + tail.witness, allowed)) == stable


@pytest.mark.parametrize("split", [None, "gpt2", "cl100k", "o200k", "words"])
def test_small_vocabularies_and_every_continuation(split: str | None) -> None:
    @examples(25, split)
    @given(glued(WORDS, min_size=8, max_size=40), glued(WORDS, max_size=7))
    def check(corpus: str, text: str) -> None:
        tok = tokviz.train([corpus, corpus], split_pattern=split, num_merges=30)
        check_tail(tok, text, FOLLOWING)

    check()


@examples(15)
@given(glued([*SPECIALS, "<", "s>", ">", "<|", "a", " ", "ab"], max_size=8))
def test_special_tokens(text: str) -> None:
    tok = tokviz.train("ab a<s a< ab", split_pattern="gpt2", special_tokens=SPECIALS, num_merges=8)
    following = ["".join(some) for size in (1, 2, 3) for some in product(["<", "s", ">", "|", "a", " "], repeat=size)]
    for allowed in ("all", {"<s>"}, ()):
        check_tail(tok, text, following, allowed)


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base"])
def test_shipped_tokenizers_and_tiktokens_completions(name: str) -> None:
    """tiktoken names tokens that stay and completions of the rest; those that encoding gives leave ours in place."""
    tok, expected = pretrained.load(name), encoding_of(name)
    short = ["a", " ", "\n", "1", "'s", " a", "é", "!", "  b", "\n\n", "ing", "中", "A", "Ab", "\t", "'ll", "👍"]

    @examples(25, name)
    @given(st.one_of(texts(8), glued(WORDS, max_size=5)))
    def check(text: str) -> None:
        text = tok.tokenize(text).text
        check_tail(tok, text, short)
        ids = tok.encode(text)
        healed = tok.heal(text)
        assert healed.ids == ids[: len(ids) - tok.unstable_tail(text).tokens]
        stay, completions = expected.encode_with_unstable(text, disallowed_special=())
        for some in completions[:300]:
            data = expected.decode_bytes([*stay, *some])
            if is_text(data) and expected.encode_ordinary(data.decode()) == [*stay, *some]:
                assert alike(ids, [*stay, *some]) >= len(healed.ids)

    check()


def is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_healing_by_hand() -> None:
    gpt2 = tokviz.load("gpt2")
    healed = gpt2.heal('The link is <a href="http:')  # the known example: what follows is //, and :// is a token
    assert healed.rest.endswith(b":")
    assert gpt2.encode_single_token("://") in healed.next_ids
    assert [*healed.ids, *gpt2.encode(healed.rest.decode())] == gpt2.encode('The link is <a href="http:')
    assert all(
        gpt2.vocab[token].startswith(healed.rest) or healed.rest.startswith(gpt2.vocab[token])
        for token in healed.next_ids
    )
    cl100k = tokviz.load("cl100k_base")
    assert cl100k.unstable_tail("x = 123") == (0, "")  # it takes three digits at a time
    assert cl100k.unstable_tail("x = 12").tokens == 1
    assert cl100k.heal("x = 123") == (cl100k.encode("x = 123"), b"", cl100k.heal("x = 123").next_ids)


def test_a_special_token_that_the_prompt_ends_within_can_come_next() -> None:
    o200k = tokviz.load("o200k_base")
    assert o200k.heal("hi<|endof", "all").next_ids[-2:] == [199999, 200018]  # <|endoftext|>, <|endofprompt|>
    assert o200k.heal("hi<|endof", {"<|endoftext|>"}).next_ids[-1] == 199999
    assert not {199999, 200018} & {*o200k.heal("hi<|endof").next_ids, *o200k.heal("hi<|endofp").next_ids}
    assert o200k.heal("hi<|endofp", "all").next_ids[-1] == 200018
    assert {199999, 200018} < set(o200k.heal("", "all").next_ids)


def test_a_special_token_that_begins_with_another() -> None:
    tok = tokviz.load("gpt2").with_special_tokens({"<a>": 60_000, "<a>b c": 60_001})
    healed = tok.heal("x<a>b", "all")
    assert healed.rest == b"<a>b" and {60_000, 60_001} < set(healed.next_ids)
    for following, token in ((" c", 60_001), (" d", 60_000)):
        assert tok.encode("x<a>b" + following, "all")[len(healed.ids)] == token


CHAT = ("<|a|>", "<|a b|>", " <|c", "<|end of text|>")
"""Some have white space, before which texts are safe to cut without them."""


def test_every_next_token_is_among_those_that_healing_allows() -> None:
    """The judge is tiktoken, which encodes the prompt with what follows."""
    ranks = {data: token for token, data in tokviz.load("gpt2").vocab.items() if token < 50256}
    ids = dict(zip(CHAT, range(60_000, 60_010), strict=False))
    tok = tokviz.load("gpt2").with_special_tokens(ids)
    pattern = tokviz.split_patterns["gpt2"]
    judge = tiktoken.Encoding("chat", pat_str=pattern, mergeable_ranks=ranks, special_tokens=ids)
    parts = ["a", " ", "b", "hi", "|>", "<|", " c", "of", *CHAT]

    @examples(60)
    @given(glued(parts, max_size=4), st.sampled_from(CHAT), st.integers(0, 15), glued(parts, max_size=4), st.data())
    def check(text: str, special: str, end: int, more: str, data: st.DataObject) -> None:
        allowed = data.draw(st.sampled_from([set(CHAT), {special}]))
        prompt = text + special[:end]
        healed = tok.heal(prompt, allowed)
        for following in (special[end:] + more, more, " ", "!"):
            whole = judge.encode(prompt + following, allowed_special=allowed, disallowed_special=())
            assert whole[: len(healed.ids)] == healed.ids
            assert whole[len(healed.ids) :][:1] == [] or whole[len(healed.ids)] in healed.next_ids

    check()


@pytest.mark.parametrize(
    "tok",
    [
        tokviz.train("abab", split_pattern=r"\w+"),
        tokviz.train("abab", alphabet="characters"),
        tokviz.train("ab ab", alphabet="characters", end_of_word="</w>"),
    ],
)
def test_what_cannot_be_told(tok: Any) -> None:
    with pytest.raises(ValueError, match=r"it can't be told which tokens of .* may change if text follows"):
        tok.unstable_tail("ab")
    with pytest.raises(ValueError, match=r"it can't be told which tokens of .* may change if text follows"):
        tok.heal("ab")


def test_a_search_in_limited_time() -> None:
    gpt2 = tokviz.load("gpt2")
    assert gpt2.unstable_tail("a b", max_seconds=60) == gpt2.unstable_tail("a b")
    for text, seconds in (("a" * 1001, 60.0), ("ab", -1.0)):
        with pytest.raises(ValueError, match="takes too long here"):
            gpt2.unstable_tail(text, max_seconds=seconds)
