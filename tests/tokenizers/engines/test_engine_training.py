"""Training through SentencePiece and Hugging Face's library: what each option does, and what is refused."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
import tokenizers
from sentencepiece import SentencePieceProcessor
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

import tokviz
from tokviz.tokenizers.engines.training import BERT_TOKENS, ModelType

TEXT = "The lowest of the low 1234 are newer and wider, the newest 5678.\nÀ la carte, ﬁne  cafés\n" * 20


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_a_model_encodes_as_in_its_library(model_type: ModelType) -> None:
    trained = tokviz.train_sentencepiece(TEXT, model_type=model_type, vocab_size=40)
    assert (trained.vocab_size, trained.algorithm) == (40, model_type)
    library = SentencePieceProcessor(model_proto=trained.data)
    assert trained.encode(TEXT) == library.encode(TEXT)
    assert tokviz.train_sentencepiece(TEXT.splitlines(), model_type=model_type, vocab_size=40).data == trained.data


def pieces(**options: object) -> set[str]:
    trained = tokviz.train_sentencepiece(TEXT, model_type="bpe", hard_vocab_limit=False, **options)  # type: ignore[arg-type]
    return {piece for piece, _ in trained.model.pieces}


def test_what_the_options_do() -> None:
    assert any(len(piece) > 1 and piece.strip("▁").isdigit() for piece in pieces())
    assert not any(len(piece.strip("▁")) > 1 and piece.strip("▁").isdigit() for piece in pieces(split_digits=True))
    assert "<0x00>" in pieces(byte_fallback=True)
    assert not {"<0x00>", "ﬁ"} & pieces()
    assert "ﬁ" in pieces(normalization_rule_name="identity", character_coverage=1.0)
    assert not any(piece.lower() != piece for piece in pieces(normalization_rule_name="nmt_nfkc_cf"))
    assert max(map(len, pieces(max_sentencepiece_length=3) - {"<unk>", "</s>"})) == 3
    single, all_single = ({each for each in pieces(character_coverage=part) if len(each) == 1} for part in (0.98, 1.0))
    assert single < all_single
    with_prefix, without = (
        tokviz.train_sentencepiece(TEXT, vocab_size=40, add_dummy_prefix=is_on) for is_on in (True, False)
    )
    assert with_prefix.decode(with_prefix.encode("the low")) == "the low"
    assert (with_prefix.model.pieces[with_prefix.encode("the")[0]][0][0] == "▁") is True
    assert (without.model.pieces[without.encode("the")[0]][0][0] == "▁") is False


def test_no_line_is_skipped() -> None:
    """SentencePiece skips lines over 4,192 bytes unless told otherwise."""
    line = "only here: zq " * 1000
    trained = tokviz.train_sentencepiece([TEXT, line], model_type="bpe", hard_vocab_limit=False, character_coverage=1.0)
    assert trained.decode(trained.encode("zq")) == "zq"
    with pytest.raises(ValueError, match=r"U\+2585.*replace it"):
        tokviz.train_sentencepiece([TEXT, "a ▅ b"])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"vocab_size": 8000}, r"at most \d+ pieces, and vocab_size is 8,000$"),
        ({"vocab_size": 20}, r"single bytes alone are \d+ pieces, and vocab_size is 20$"),
        ({"vocab_size": 0}, "vocab_size must be a whole number above 0"),
        ({"vocab_size": 1}, "a vocabulary of 1 is too small: it must hold <unk>, <s>, </s> and all characters"),
        ({"vocab_size": 3, "num_threads": 1}, "a vocabulary of 3 is too small"),
        ({"model_type": "word"}, "model_type must be one of 'bpe', 'unigram'"),
        ({"character_coverage": 0.5}, "character_coverage must be from 0.98 to 1"),
        ({"normalization_rule_name": "nfd"}, "normalization_rule_name must be one of nmt_nfkc"),
        ({"max_sentencepiece_length": 0}, "max_sentencepiece_length must be from 1 to 512"),
        ({"input": "file.txt"}, "input can't be given"),
        ({"no_such": 1}, 'unknown field name "no_such"'),
    ],
)
def test_refusals_of_sentencepiece(options: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says) as caught:
        tokviz.train_sentencepiece(TEXT, **options)  # type: ignore[arg-type]
    assert "src/" not in str(caught.value)


def test_nothing_to_learn_from() -> None:
    nothing: list[str | list[str]] = ["", [], " \n \n"]
    for texts in nothing:
        with pytest.raises(ValueError, match="nothing to learn from"):
            tokviz.train_sentencepiece(texts)
        with pytest.raises(ValueError, match="nothing to learn from"):
            tokviz.train_word_piece(texts)
    with pytest.raises(ValueError, match="nothing to learn from: normalization removes all of the text"):
        tokviz.train_sentencepiece("\u200b \u200b")  # the library gives no reason


def test_word_pieces_encode_as_in_their_library() -> None:
    trained = tokviz.train_word_piece(TEXT, vocab_size=60)
    library = tokenizers.Tokenizer.from_buffer(trained.data)
    assert trained.algorithm == "wordpiece"
    for is_around in (False, True):
        ids = library.encode("The lowest ÀXQ", add_special_tokens=is_around).ids
        assert trained.encode("The lowest ÀXQ", add_special=is_around) == ids
    names = [trained.vocab[token].decode() for token in trained.encode("a", add_special=True)]
    assert (names[0], names[-1]) == ("[CLS]", "[SEP]")


def test_word_pieces_of_the_course_of_hugging_face() -> None:
    # "##u ##g" occurs 20 times, "##u ##n" 16, "h ##ug" then 15 and "p ##un" 12: no two pairs are equally frequent.
    words = "hug " * 10 + "pug " * 5 + "pun " * 12 + "bun " * 4 + "hugs " * 5
    trained = tokviz.train_word_piece(words, vocab_size=20)
    pieces = {data.decode() for data in trained.vocab.values()}
    characters = {*"bghnpsu", "##g", "##n", "##s", "##u"}
    assert pieces == {*BERT_TOKENS, *characters, "##ug", "##un", "hug", "pun"}
    special = tokenizers.Tokenizer.from_buffer(trained.data).get_added_tokens_decoder().values()
    assert [token.content for token in special] == list(BERT_TOKENS)


@pytest.mark.parametrize("seed", range(60))
def test_ties_of_word_pieces_fall_as_in_the_library(seed: int) -> None:
    """Of one word, whose characters are met in one order only, all runs of the library are the same."""
    rng = Random(seed)
    word = "".join(rng.choices("abc", k=rng.randint(3, 14)))
    text, size = " ".join([word] * rng.randint(1, 3)), rng.randint(9, 24)
    assert word_pieces(text, size) == word_pieces_of_the_library(text, size)


def word_pieces(text: str, size: int) -> dict[str, int]:
    trained = tokviz.train_word_piece(text, vocab_size=size, min_frequency=1)
    return {data.decode(): token for token, data in trained.vocab.items()}


def word_pieces_of_the_library(text: str, size: int) -> dict[str, int]:
    library = BertWordPieceTokenizer()
    special: list[Any] = [*BERT_TOKENS]
    library.train_from_iterator(
        iter([text]), vocab_size=size, min_frequency=1, special_tokens=special, show_progress=False
    )
    return library.get_vocab()


def test_word_pieces_of_several_words_are_of_a_run_of_the_library() -> None:
    """Two words can be met in two orders; with each the library's ids are others."""
    text = "abcdab dcbadc " * 2
    assert word_pieces(text, 30) in [word_pieces_of_the_library(text, 30) for _ in range(40)]


def test_word_pieces_are_the_same_in_each_training() -> None:
    # All words are equally frequent, and so are most pairs and, beyond the limit, the characters.
    words = " ".join(f"{first}{second}{third}" for first in "abcdefgh" for second in "ijklmno" for third in "pqrstu")
    trained = [tokviz.train_word_piece(f"{words} vwxyz" * 2, vocab_size=90, limit_alphabet=23) for _ in range(4)]
    assert len({tokenizer.data for tokenizer in trained}) == 1


def test_what_the_options_of_word_pieces_do() -> None:
    def vocabulary(**options: object) -> set[str]:
        trained = tokviz.train_word_piece(TEXT, vocab_size=200, **options)  # type: ignore[arg-type]
        return {data.decode() for data in trained.vocab.values()}

    assert "the" in vocabulary()
    assert "The" in vocabulary(lowercase=False)
    assert "cafes" in vocabulary()
    assert "cafés" in vocabulary(strip_accents=False)
    assert any(piece.startswith("@@") for piece in vocabulary(wordpieces_prefix="@@"))
    assert vocabulary(min_frequency=10_000) < vocabulary()
    with pytest.raises(ValueError, match=r"special_tokens must have \[UNK\], \[CLS\], \[SEP\]"):
        vocabulary(special_tokens=["<s>"])


def test_trained_tokenizers_are_files_of_their_libraries(tmp_path: Path) -> None:
    model = tmp_path / "tokenizer.model"
    model.write_bytes(tokviz.train_sentencepiece(TEXT, vocab_size=40).data)
    assert SentencePieceProcessor(model_file=str(model)).vocab_size() == 40
    file = tmp_path / "tokenizer.json"
    file.write_bytes(tokviz.train_word_piece(TEXT, vocab_size=60).data)
    assert tokenizers.Tokenizer.from_file(str(file)).get_vocab_size() == 60


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
@pytest.mark.parametrize("byte_fallback", [False, True])
def test_the_sizes_that_a_refusal_names_can_be_trained(model_type: ModelType, byte_fallback: bool) -> None:
    """The least and the most; one piece less or more can not."""
    options: dict[str, Any] = {"model_type": model_type, "byte_fallback": byte_fallback, "character_coverage": 1.0}
    for asked, beyond in ((8000, 1), (5, -1)):
        with pytest.raises(ValueError, match="vocab_size is") as refused:
            tokviz.train_sentencepiece(TEXT, vocab_size=asked, **options)
        limit = int(re.findall(r"(\d+) pieces", str(refused.value))[0])
        assert tokviz.train_sentencepiece(TEXT, vocab_size=limit, **options).vocab_size == limit
        with pytest.raises(ValueError, match=f"{limit} pieces, and vocab_size is {limit + beyond}"):
            tokviz.train_sentencepiece(TEXT, vocab_size=limit + beyond, **options)
