"""Adding special tokens and removing tokens: ids stay, nothing else changes, and Hugging Face's library agrees."""

import warnings
from itertools import pairwise
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, examples, texts
from tokenizer_files import CORPUS, NASTY, family, opened, with_every_pair
from tokenizers import Tokenizer, processors

import tokviz
from tokviz import formats
from tokviz.texts import repair


def theirs(tok: tokviz.BPETokenizer) -> Any:
    """Hugging Face's tokenizer, from our file."""
    written = formats.write(tok, "tokenizer.json")
    assert written.left_out == {}
    return Tokenizer.from_str(written.files["tokenizer.json"].decode())


def assert_opens_with_equal_ids(tok: tokviz.BPETokenizer, some: list[str]) -> None:
    peer, again = theirs(tok), formats.read(formats.write(tok, "tokenizer.json").files)
    for text in some:
        assert tok.encode(text, "all") == peer.encode(text, add_special_tokens=False).ids
        assert again.encode(text, "all") == tok.encode(text, "all")


def plain_merging(tok: tokviz.BPETokenizer, text: str) -> list[int]:
    """The definition: join the pair of the lowest rank at its leftmost place, until no pair has one."""
    ids_of = {data: token for token, data in tok.vocab.items() if len(data) == 1}
    ranks = {pair: rank for rank, pair in enumerate(tok.merges)}
    ids = []
    for piece in tok.pretokens(text):
        symbols = [ids_of[bytes([byte])] for byte in piece.encode()]
        while pairs := [(ranks[pair], at) for at, pair in enumerate(pairwise(symbols)) if pair in ranks]:
            _, at = min(pairs)
            symbols[at : at + 2] = [tok.merges[symbols[at], symbols[at + 1]]]
        ids += symbols
    return ids


# ---------------------------------------------------------------- special tokens


@examples(25)
@given(corpora(), texts(), st.sampled_from(["gpt2", None]), st.booleans())
def test_added_special_tokens(corpus: list[str], text: str, pattern: str | None, with_ids: bool) -> None:
    tok = tokviz.train(corpus, num_merges=8, split_pattern=pattern, special_tokens=["<s>"])
    size = tok.vocab_size
    more = tok.with_special_tokens({"<pad>": size + 5, "<s>>": size} if with_ids else ["<s>>", "<pad>", "<s>"])
    assert more.special_tokens == {"<s>": size - 1, "<s>>": size, "<pad>": size + 5 if with_ids else size + 1}
    assert more.encode(text) == tok.encode(text)
    assert (more.merges, more.name, more.training) == (tok.merges, tok.name, tok.training)
    assert_opens_with_equal_ids(more, ["<s>>a<pad><pad>b", "a <s><s>>"])


def test_special_tokens_of_a_shipped_tokenizer_match_tiktoken() -> None:
    """As tiktoken's README extends cl100k_base for chats."""
    chat = {"<|im_start|>": 100264, "<|im_end|>": 100265}
    tok = tokviz.load("cl100k_base").with_special_tokens(chat)
    ranks = {data: token for token, data in tok.vocab.items() if token not in tok.special_tokens.values()}
    pattern = tok.split_pattern
    assert pattern is not None
    peer = tiktoken.Encoding("chat", pat_str=pattern, mergeable_ranks=ranks, special_tokens=dict(tok.special_tokens))
    for text in ["<|im_start|>user\nHi 12345<|im_end|>\n", CORPUS]:
        assert tok.encode(text, "all") == peer.encode(text, allowed_special="all")
        assert tok.encode(text) == tokviz.load("cl100k_base").encode(text)
    assert tok.vocab_size == 100277


@pytest.mark.parametrize(
    ("added", "error", "message"),
    [
        ({"<s>": 999}, ValueError, "'<s>' is a special token already, with the id 258"),
        ({"<x>": 97}, ValueError, "the id 97 of '<x>' is in use, for 'a': the ids from 259 on are free"),
        ({"<x>": 258}, ValueError, "in use, for '<s>'"),
        ({"<x>": 300, "<y>": 300}, ValueError, "in use, for '<x>'"),
        ({"<x>": -1}, ValueError, "must be 0 or more"),
        ({"": 300}, ValueError, "must not be empty"),
        ({"<x>": "300"}, TypeError, "must be a whole number"),
        ("<x>", TypeError, "list of texts"),
        (["<x>", "<x>"], ValueError, "repeated"),
    ],
)
def test_refused_special_tokens(added: Any, error: type[Exception], message: str) -> None:
    tok = tokviz.train("aabb aabb", num_merges=2, special_tokens=["<s>"])
    with pytest.raises(error, match=message):
        tok.with_special_tokens(added)


@pytest.mark.parametrize("name", ["gpt2", "qwen3", "mistral-7b", "bert-base-uncased"])
def test_a_special_token_that_is_there_keeps_its_id(name: str) -> None:
    tok = tokviz.load(name)
    [(text, token), *_] = tok.special_tokens.items()
    assert tok.with_special_tokens([text]) is tok.with_special_tokens({text: token}) is tok
    with pytest.raises(ValueError, match="is a special token already, with the id"):
        tok.with_special_tokens({text: tok.vocab_size})


def test_special_tokens_of_opened_files() -> None:
    tok = opened(family("gpt2"))
    more = tok.with_special_tokens(["<|tool|>"])
    assert more.special_tokens["<|tool|>"] == tok.vocab_size
    assert more.unapplied == tok.unapplied
    assert_opens_with_equal_ids(more, NASTY)
    assert theirs(more).encode("a<|tool|>b", add_special_tokens=False).ids == more.encode("a<|tool|>b", "all")
    assert all(more.encode(text) == tok.encode(text) for text in NASTY)


# ---------------------------------------------------------------- without


@examples(40)
@given(corpora(), texts(), st.data())
def test_removed_tokens_never_come_and_others_keep_their_ids(corpus: list[str], text: str, data: st.DataObject) -> None:
    tok = tokviz.train(corpus, num_merges=12, split_pattern=data.draw(st.sampled_from(["gpt2", None])))
    if data.draw(st.booleans()):
        tok = with_every_pair(tok)
    if not tok.merges:
        return
    ids = data.draw(st.sets(st.sampled_from(sorted(set(tok.merges.values()))), min_size=1, max_size=3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        less = tok.without(ids)
    assert not ids & less.vocab.keys()
    assert less.vocab.items() <= tok.vocab.items()
    assert set(less.vocab) - set(range(256)) == set(less.merges.values())  # each is still made by a merge
    kept = [(pair, new) for pair, new in tok.merges.items() if {*pair, new} <= less.vocab.keys()]
    assert list(less.merges.items()) == kept
    assert less.encode(text) == plain_merging(less, text)
    assert_opens_with_equal_ids(less, [repair(text)[0], repair("".join(corpus))[0]])


def test_what_goes_with_a_token_is_said_in_words() -> None:
    tok = tokviz.train("the cat in the hat", num_merges=3)  # th, the, the with a space
    with pytest.warns(
        UserWarning, match=r"1 token and 2 merges removed. With them goes 1 other token .* 'the ' \(258\)"
    ):
        less = tok.without([257])
    assert sorted(less.vocab) == list(range(257))
    assert less.merges == {(116, 104): 256}
    assert less.name.endswith("without 2 tokens") and less.training is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tok.without([258]).merges == {(116, 104): 256, (256, 101): 257}
        assert tok.without([258, 257]).name == less.name
        assert tok.without([]).vocab == tok.vocab


def test_tokens_taken_whole_stay_without_a_merge() -> None:
    """With `ignore_merges`, as in Llama 3, a pre-token in the vocabulary needs no merge."""
    vocab = {value: bytes([value]) for value in range(256)} | {256: b"th", 257: b"the"}
    tok = tokviz.BPETokenizer(
        "whole", vocab, {(116, 104): 256, (256, 101): 257}, split_pattern="gpt2", ignore_merges=True
    )
    less = tok.without([256])
    assert (less.encode("the"), less.encode("then")) == ([257], [116, 104, 101, 110])
    assert_opens_with_equal_ids(less, ["the", "then", "th"])


def test_special_tokens_can_be_removed() -> None:
    tok = opened(family("gpt2"))
    special = next(iter(tok.special_tokens))
    less = tok.without([tok.special_tokens[special]])
    assert special not in less.special_tokens
    assert special.encode() not in less.vocab.values()
    assert_opens_with_equal_ids(less, [f"a{special}b", "a b"])


def test_a_shipped_tokenizer_without_a_token() -> None:
    gpt2 = tokviz.load("gpt2")
    less = gpt2.without([43453])  # " SolidGoldMagikarp", which nothing is made of
    assert less.encode("the SolidGoldMagikarp") == plain_merging(less, "the SolidGoldMagikarp")
    assert less.encode(CORPUS) == gpt2.encode(CORPUS)


@pytest.mark.parametrize(
    ("ids", "error", "message"),
    [
        ([97], ValueError, r"token 97 \('a'\) can't be removed: it belongs to the alphabet"),
        ([5000], ValueError, "token id 5000 is not in use"),
        (5, TypeError, "list of token ids"),
        ("ab", TypeError, "list of token ids"),
    ],
)
def test_refused_removals(ids: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tokviz.train("aabb aabb", num_merges=2).without(ids)


def test_characters_and_marks() -> None:
    tok = tokviz.train("low lower lowest", alphabet="characters", end_of_word="</w>", num_merges=3)
    last = tok.merge_results[-1]
    less = tok.without([last])
    assert last not in less.vocab and less.decode(less.encode("lower low")) == "lower low"
    assert tok.alphabet.mark is not None
    with pytest.raises(ValueError, match="belongs to the alphabet"):
        tok.without([tok.alphabet.mark])


def test_what_is_put_around_texts_can_not_be_removed() -> None:
    library = Tokenizer.from_str(family("gpt2").to_str())
    library.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", library.token_to_id("<s>"))]
    )
    tok = opened(library)
    with pytest.raises(ValueError, match=r"'<s>'.* can't be removed: it is put around texts"):
        tok.without([tok.special_tokens["<s>"]])
    more = tok.with_special_tokens(["<|tool|>"])
    assert more.around == tok.around == ((tok.special_tokens["<s>"],), ())
    assert theirs(more).encode("a<|tool|>b").ids == more.encode("a<|tool|>b", "all", add_special=True)
