"""Explanations of what changes between two texts: each statement is checked against the tokens themselves."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped import encoding_of
from strategies import corpora, examples, texts
from tokenizer_files import family, opened

import tokviz
from tokviz.analysis.comparison.explain_texts import TextsExplanation
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

GPT2, CL100K = "gpt2", "cl100k_base"


def said(first: str, second: str, tokenizer: str = GPT2) -> str:
    return str(tokviz.explain_texts(first, second, tokenizer))


def pieces_of(text: str, name: str) -> list[bytes]:
    """The tokens as tiktoken gives them."""
    judge = encoding_of(name)
    return [judge.decode_single_token_bytes(token) for token in judge.encode_ordinary(text)]


@pytest.mark.parametrize("name", [GPT2, CL100K])
def test_a_space_at_the_end(name: str) -> None:
    """The space that a prompt ends with is a token of its own, while in texts it belongs to the next word."""
    assert (pieces_of("Answer: ", name)[-1], pieces_of("Answer: a", name)[-1]) == (b" ", b" a")
    sentence = said("Answer:", "Answer: ", name)
    assert sentence == (
        "The second text has “·” more at the end. The first takes 2 tokens, the second 3. The new token is “·”; the "
        "others stay. The last space is a pre-token of its own, as no word follows: before “a” it would be part of "
        "the pre-token “·a”."
    )
    assert "last space" in said("Answer: ", "Answer:", name) and "The old token is “·”" in said(
        "Answer: ", "Answer:", name
    )


def test_a_space_joins_what_follows() -> None:
    sentence = said("hello", " hello")
    assert "has “·” more at the start. Both take 1 token. “hello” becomes “·hello”." in sentence
    assert "In the second text, the space joins what follows: “·hello” is one pre-token." in sentence


def test_a_merge_across_the_end() -> None:
    """`tokens` is `t`, `ok` and `ens` to GPT-2, though `token` is one token."""
    assert pieces_of("tokens", GPT2) == [b"t", b"ok", b"ens"]
    explained = tokviz.explain_texts("token", "tokens", GPT2)
    [crossing] = explained.crossings
    assert (crossing.left, crossing.right) == (b"en", b"s")
    assert "“token” becomes “t|ok|ens”." in str(explained)
    assert f"merge {crossing.rank + 1} of 50,000 joins “en” + “s”, across the place where the texts begin" in str(
        explained
    )


def test_pre_tokens_cut_otherwise() -> None:
    """cl100k cuts numbers in threes from the left, so a digit in front moves every cut."""
    explained = tokviz.explain_texts("123456", "0123456", CL100K)
    assert pieces_of("0123456", CL100K) == [b"012", b"345", b"6"]
    assert explained.is_cut_differently and explained.crossings == ()
    assert "the first text is cut into “123|456” there, the second into “012|345|6”." in str(explained)


def test_special_tokens_and_rewritten_texts() -> None:
    explained = tokviz.explain_texts("a<|endoftext|", "a<|endoftext|>", GPT2, allowed_special="all")
    assert "In the second text, “<|endoftext|>” is cut out before all else." in str(explained)
    several = tokviz.explain_texts(
        "a<|endoftext", "a<|endoftext|>b<|fim_prefix|>c<|endofprompt|>", CL100K, allowed_special="all"
    )
    names = "“<|endoftext|>”, “<|fim_prefix|>” and “<|endofprompt|>”"
    assert f"In the second text, {names} are cut out before all else." in str(several)
    composing = opened(family("qwen"))
    assert "The tokenizer first converts the text to the Unicode form NFC." in str(
        tokviz.explain_texts("cafe", "cafe\u0301", composing)
    )


@pytest.mark.parametrize(
    ("name", "first", "second", "says"),
    [
        ("qwen3", "e\u0301 x", "\xe9 y", "“·x” becomes “·y”; the others stay."),
        ("qwen3", "cafe\u0301 1", "caf\xe9 12", "The new token is “2”; the others stay."),
        ("bert-base-uncased", "Café z", "cafe y", "“·z” becomes “·y”; the others stay."),
        ("mistral-7b", " hi there", "hi there", "The old token is “[put in: ·]”; the others stay."),
    ],
)
def test_tokens_with_the_same_id_stay_though_their_text_changes(name: str, first: str, second: str, says: str) -> None:
    explained = tokviz.explain_texts(first, second, name)
    ids = [tokviz.load(name).encode(text) for text in (first, second)]
    start, end = explained.kept
    assert ids[0][:start] == ids[1][:start] and ids[0][len(ids[0]) - end :] == ids[1][len(ids[1]) - end :]
    assert [len(each) - start - end for each in ids] == [len(pieces) for pieces in explained.changed]
    assert says in str(explained)


@pytest.mark.parametrize("name", [GPT2, "qwen3", "mistral-7b"])
def test_texts_that_look_alike_are_told_apart_by_code_points(name: str) -> None:
    edit, *_ = tokviz.explain_texts("caf\xe9", "cafe\u0301", name).sentences
    assert edit == "The second text has “U+0065 U+0301” instead of “U+00E9” at the end."


def test_code_points_are_those_of_the_text_and_not_of_its_spelling() -> None:
    one, other = "\xe9 \xe9", "e\u0301 e\u0301"
    tok = tokviz.train([one, other] * 5, split_pattern=r" ?\S+")  # each word is a token
    assert tokviz.explain_texts(one, other, tok).sentences == (
        "The second text has “U+0065 U+0301 U+0020 U+0065 U+0301” instead of “U+00E9 U+0020 U+00E9”.",
        "Both take 2 tokens.",
        "“U+00E9|U+0020 U+00E9” becomes “U+0065 U+0301|U+0020 U+0065 U+0301”.",
    )


def test_equal_texts_and_no_text() -> None:
    assert said("same", "same") == "The two texts are the same. Both take 1 token. All tokens stay."
    assert said("", "x") == (
        "The second text has “x” more. The first takes 0 tokens, the second 1. The new token is “x”."
    )


def cuts(tok: tokviz.BPETokenizer, text: str) -> set[int]:
    return set(accumulate(len(piece.encode()) for piece in tok.pretokens(text)))


def check_statements(tok: tokviz.BPETokenizer, explained: TextsExplanation) -> None:
    edit, (start, end) = explained.edit, explained.kept
    first, second = (each.text for each in explained.tokenizations)
    assert first == edit.before + edit.removed + edit.after
    assert second == edit.before + edit.added + edit.after
    ids = [tok.encode(text) for text in (first, second)]
    assert ids[0][:start] == ids[1][:start]
    assert ids[0][len(ids[0]) - end :] == ids[1][len(ids[1]) - end :]
    pieces = [[tok.vocab[token] for token in each] for each in ids]
    assert [pieces[at][start : len(pieces[at]) - end] for at in (0, 1)] == list(map(list, explained.changed))
    sizes = [len(b"".join(pieces[0][:start])), len(b"".join(pieces[0][len(pieces[0]) - end :]))]
    before, after = len(edit.before.encode()), len(edit.after.encode())
    spills = sizes[0] < before, sizes[1] < after
    assert "taken whole" not in str(explained)
    assert bool(any(spills)) == bool(explained.is_cut_differently or explained.crossings)
    lengths = len(first.encode()), len(second.encode())
    inner = [
        (
            {cut for cut in cuts(tok, text) if sizes[0] < cut < before} if spills[0] else set(),
            {length - cut for cut in cuts(tok, text) if sizes[1] < length - cut < after} if spills[1] else set(),
        )
        for text, length in zip((first, second), lengths, strict=True)
    ]
    assert explained.is_cut_differently == (inner[0] != inner[1])
    merges = list(tok.merges)
    for rank, left, right in explained.crossings:
        assert tuple(tok.vocab[part] for part in merges[rank]) == (left, right)
        assert any(left + right in piece for changed in explained.changed for piece in changed)


@examples(60)
@given(corpora(), texts(), texts(8), texts(8), texts(), st.sampled_from([None, "gpt2", "cl100k"]))
def test_every_statement_holds(
    corpus: list[str], before: str, removed: str, added: str, after: str, pattern: str | None
) -> None:
    tok = tokviz.train([*corpus, before + after], num_merges=12, split_pattern=pattern) if before + after else None
    if tok is not None:
        check_statements(tok, tokviz.explain_texts(before + removed + after, before + added + after, tok))


@pytest.mark.parametrize("name", [GPT2, CL100K, "o200k_base"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The cat", "The  cat"),
        ("I dont know", "I don't know"),
        ("x=1", "x = 1"),
        ("naïve", "nai\u0308ve"),
        ("a\nb", "a\n\nb"),
    ],
)
def test_statements_of_shipped_tokenizers(name: str, first: str, second: str) -> None:
    tok = tokviz.load(name)
    explained = tokviz.explain_texts(first, second, name)
    assert (pieces_of(first, name), pieces_of(second, name)) == tuple(
        each.token_bytes for each in explained.tokenizations
    )
    ids = {data: token for token, data in tok.vocab.items()}
    assert all(tok.rank(ids[left + right]) == rank for rank, left, right in explained.crossings)


@pytest.mark.parametrize(
    ("first", "second", "name", "reason"),
    [
        ("Hello", "hello", "bert-base-uncased", "removes the difference: it makes all letters lower case."),
        ("Answer:", "Answer: ", "bert-base-uncased", "removes the difference."),
        ("the cat", "The Cat", "bert-base-uncased", "removes the difference: it makes all letters lower case."),
        ("CAFÉ", "cafe", "bert-base-uncased", "it removes accents and makes all letters lower case."),
        (" x", "▁x", "mistral-7b", "removes the difference: it reads ▁ as a space."),
        (
            "x 🍕",
            "X 🎉",
            "bert-base-uncased",
            "the tokenizer first makes all letters lower case, and “[UNK]” stands for any unknown text.",
        ),
        ("x e\u0301", "x \xe9", "qwen3", "removes the difference: it converts the text to the Unicode form NFC."),
        ("\U0001f355", "\U0001f354", "bert-base-uncased", "“[UNK]” stands for any unknown text."),
    ],
)
def test_texts_with_the_same_ids_give_the_same_tokens(first: str, second: str, name: str, reason: str) -> None:
    tok = tokviz.load(name)
    assert tok.encode(first) == tok.encode(second)
    *_, sentence = tokviz.explain_texts(first, second, tok).sentences
    assert sentence.startswith("Both give the same tokens") and sentence.endswith(reason)


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [("Hello", "hello", "qwen3"), ("don't", "dont", "qwen3"), ("don't", "dont", "bert-base-uncased")],
)
def test_steps_that_change_nothing_in_the_texts_are_no_reason(first: str, second: str, name: str) -> None:
    tok = tokviz.load(name)
    assert isinstance(tok, HuggingFaceTokenizer)
    assert {tok.library.normalize(text) for text in (first, second)} == {first, second}
    assert "The tokenizer first" not in said(first, second, name)


@pytest.mark.parametrize(
    ("name", "is_said"), [("bert-base-uncased", False), ("mistral-7b", False), ("qwen3", True), ("gpt2", True)]
)
def test_a_space_joins_what_follows_only_in_pre_tokens_that_hold_it(name: str, is_said: bool) -> None:
    tok = tokviz.load(name)
    if isinstance(tok, HuggingFaceTokenizer):
        assert ("\u0120hi" in tok.library.words("x hi")) == is_said
    assert ("“·hi” is one pre-token" in said("x hi", "xhi", name)) == is_said


def test_a_token_without_text_is_spelled_by_what_was_put_in() -> None:
    """Mistral's `▁` in front covers nothing of the text, though it is a token with an id."""
    tok = tokviz.load("mistral-7b")
    ids = tok.encode(" hi")
    assert len(ids) == 2 and tok.tokenize(" hi").token_bytes == [b"", b" hi"] and tok.vocab[ids[0]] == b" "
    explained = tokviz.explain_texts(" hi", "hi", tok)
    assert tok.encode("hi") == ids[1:]
    assert "The old token is “[put in: ·]”; the others stay." in str(explained)
    assert "first" not in str(explained).split("stay.")[1], "a space is put in front of both texts"
    assert explained.changed == ((b"",), ())
    marked = tokviz.train("low lower", num_merges=2, alphabet="characters", end_of_word="</w>")
    assert "The new tokens are “l|[end]”" in str(tokviz.explain_texts("", "l", marked))


@pytest.mark.parametrize(
    ("first", "second", "tokenizer", "reason"),
    [
        ("Hello 🍕", "hello 🍕", "bert-base-uncased", "lower case"),
        ("a 🍕 b", "a 🎩 b", "bert-base-uncased", "“[UNK]” stands for any unknown text"),
        ("x", "x 🍕", "bert-base-uncased", "The new token is “·🍕”; the others stay."),
        ("the", "them", "deepseek", "“the” becomes “them”."),
    ],
)
def test_tokenizers_of_other_libraries_get_no_reason_that_is_not_theirs(
    first: str, second: str, tokenizer: str, reason: str
) -> None:
    """An unknown token is cut out of no text, and explains only what it stands for; DeepSeek's words are merged."""
    sentence = said(first, second, tokenizer)
    assert reason in sentence
    assert "cut out before all else" not in sentence and "without merges" not in sentence
    assert ("[UNK]" in sentence) == ("[UNK]" in reason)
