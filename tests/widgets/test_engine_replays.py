"""Columns of replays by engines' tokenizers: the page rebuilds the normalized text and the engine's ids from them."""

from __future__ import annotations

import numpy as np
import pytest
import regex
from engine_files import family, nasty_texts, sentencepiece_model
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.widgets.columns import apply_columns
from tokviz.widgets.engine_replays import CUT_OUT

NAMES = ("llama2", "gemma", "llama3", "roberta", "modernbert")


@pytest.fixture(params=[*NAMES, "sentencepiece", "sentencepiece with bytes"])
def tok(request: pytest.FixtureRequest) -> EngineTokenizer:
    if request.param in NAMES:
        return HuggingFaceTokenizer(request.param, family(request.param))
    options = {"byte_fallback": True, "vocab_size": 800} if "bytes" in request.param else {}
    return SentencePieceTokenizer(request.param, sentencepiece_model(model_type="bpe", **options))


def test_columns_hold_the_text_and_end_with_its_tokens(tok: EngineTokenizer) -> None:
    for text in nasty_texts(80):
        replay = tok.replay(text, "all")
        columns, meta = apply_columns(replay)
        vocab = dict(
            zip(
                columns["token_ids"].tolist(),
                np.split(columns["token_bytes"], columns["token_lengths"].cumsum()[:-1]),
                strict=True,
            )
            if len(columns["token_ids"])
            else ()
        )
        assert {token: data.tobytes() for token, data in vocab.items()} == {token: tok.vocab[token] for token in vocab}
        assert columns["pretoken_symbols"].sum() == len(columns["symbols"])
        ends = columns["removed_at"] == len(columns["ranks"])
        assert ends.sum() == len(tok.encode(text, "all"))
        specials = set(meta["special"]) | set(meta["added"])
        first = np.cumsum([0, *columns["pretoken_symbols"]])[:-1]
        cut_out = columns["branches"] == CUT_OUT
        assert set(columns["symbols"][first[cut_out]].tolist()) <= specials
        assert len(columns["cut_out_lengths"]) == cut_out.sum()


def test_what_cuts_a_text_is_said() -> None:
    metas = {}
    for name in ("llama2", "llama3"):
        metas[name] = apply_columns(HuggingFaceTokenizer(name, family(name)).replay("the lowest of the low"))[1]
    model = SentencePieceTokenizer("m", sentencepiece_model(model_type="bpe"))
    metas["model"] = apply_columns(model.replay("the lowest of the low"))[1]
    assert {name: (meta["split"], meta["words"], meta["units"]) for name, meta in metas.items()} == {
        "llama2": (False, False, "characters"),
        "llama3": (True, False, "bytes"),
        "model": (False, True, "characters"),
    }
    assert (
        metas["model"]["merges"]
        == model.num_merges
        == sum(
            len(piece) > 1 and score <= 0 and piece not in ("<unk>", "<s>", "</s>")
            for piece, score in model.model.pieces
        )
    )


def test_what_is_done_to_this_text_is_said_and_no_more() -> None:
    model = SentencePieceTokenizer("m", sentencepiece_model(model_type="bpe", byte_fallback=True, vocab_size=800))
    said = {text: apply_columns(model.replay(text))[1] for text in ("the", "the  low", "ﬁne 🍕")}
    steps = {text: " and ".join(meta["rewriting"]) for text, meta in said.items()}
    assert steps["the"] == "puts a space in front"
    assert steps["the  low"] == "removes extra spaces and puts a space in front"
    assert steps["ﬁne 🍕"].startswith("replaces characters using the table")
    in_bytes = [[model.model.pieces[number][0] for number in meta["byte_ids"]] for meta in said.values()]
    assert in_bytes == [[], [], ["<0x8D>", "<0x95>", "<0x9F>", "<0xF0>"]]  # the bytes of 🍕


def test_a_replay_is_shown_in_notebooks() -> None:
    assert HuggingFaceTokenizer("llama2", family("llama2")).replay("the low")._repr_html_().startswith("<iframe")


def test_the_size_of_the_text_counts_neither_unknown_tokens_nor_marks() -> None:
    """A file like GPT-1's: what no piece spells is `<unk>`, and pieces that end a word are spelled with `</w>`."""
    library = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    library.normalizer = normalizers.BertNormalizer(lowercase=True)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.BpeTrainer(special_tokens=["<unk>"], end_of_word_suffix="</w>", show_progress=False)
    library.train_from_iterator(["low lower lowest new newest"], trainer)
    tok = HuggingFaceTokenizer("gpt1", library.to_str().encode())
    for text in ("I say hello", "low lowest", "a 🍕", " é"):
        normalized = library.normalizer.normalize_str(text).replace(" ", "")
        meta = apply_columns(tok.replay(text))[1]
        assert meta["size"] == [len(normalized), len(normalized.encode())]  # no character has two code points


def test_the_size_is_that_of_the_symbols_if_they_spell_the_text(tok: EngineTokenizer) -> None:
    for text in nasty_texts(40):
        columns, meta = apply_columns(tok.replay(text))
        spelled = {token: tok.vocab[token] for token in columns["token_ids"].tolist()}
        if tok.unknown not in spelled:
            data = b"".join(spelled[token] for token in columns["symbols"].tolist())
            assert meta["size"] == [len(regex.findall(r"\X", data.decode())), len(data)]
