"""Special tokens that files put around a text, compared with Hugging Face's library."""

import json
from typing import Any

import pytest
import tokenizers
from tokenizers import processors

import tokviz
from tokviz import formats
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.surrounding import Surrounding, surrounding

FIRST, LAST, MIDDLE = ("<s>", 1), ("</s>", 2), ("<mask>", 3)
BERT = processors.BertProcessing(LAST, FIRST)
ROBERTA = processors.RobertaProcessing(LAST, FIRST)
BYTES = processors.ByteLevel(trim_offsets=True)


def template(single: str) -> Any:
    return processors.TemplateProcessing(
        single=single, pair="$A $B:1", special_tokens=[("<s>", 1), ("</s>", 2), ("<mask>", 3)]
    )


@pytest.mark.parametrize(
    "processor",
    [
        None,
        BYTES,
        template("$A"),
        template("<s> $A"),
        template("$A </s>"),
        template("<s> <mask> $A </s> </s>"),
        BERT,
        ROBERTA,
        processors.Sequence([BYTES, template("<s> $A")]),
        processors.Sequence([template("<s> $A"), ROBERTA]),
        processors.Sequence([BERT, template("<s> $A </s>")]),
        processors.Sequence([BERT, ROBERTA]),
        processors.Sequence([template("<s> $A"), template("<s> $A")]),
    ],
    ids=str,
)
def test_surrounding_tokens_agree_with_hugging_faces_library(processor: Any) -> None:
    vocabulary = {"x": 0, "<s>": 1, "</s>": 2, "<mask>": 3}
    library = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    library.decoder = tokenizers.decoders.Fuse()
    library.add_special_tokens(["<s>", "</s>", "<mask>"])
    if processor is not None:
        library.post_processor = processor
    tok = formats.read({"tokenizer.json": library.to_str().encode()})
    before, after = surrounding(tok.unapplied.get("post_processor"))
    assert library.encode("x").tokens == [*before, "x", *after]
    assert tok.encode("x") == library.encode("x", add_special_tokens=False).ids


@pytest.mark.parametrize(
    "processor",
    [
        {},
        {"type": "Unheard"},
        {"type": "TemplateProcessing", "single": []},
        {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "C"}}], "pair": []},
        {"type": "TemplateProcessing", "single": [7], "pair": []},
        {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A"}}] * 2, "pair": []},
        {"type": "Sequence", "processors": {"type": "ByteLevel"}},
        {"type": "BertProcessing", "cls": [], "sep": None},
    ],
    ids=json.dumps,
)
def test_there_are_none_where_the_library_would_fail(processor: Any) -> None:
    tok = tokviz.train("a cat a cat", num_merges=2)
    tok = BPETokenizer("own", tok.vocab, {}, unapplied={"post_processor": processor})
    assert surrounding(tok.unapplied.get("post_processor")) == Surrounding()


CLS = {"type": "BertProcessing", "cls": ["<s>", 1], "sep": ["</s>", 2]}
LONG_TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "s"}}] * 600 + [{"Sequence": {"id": "A"}}],
    "pair": [],
    "special_tokens": {"s": {"tokens": ["<s>"] * 600}},
}


@pytest.mark.parametrize(
    ("processor", "tokens"),
    [
        ({"type": "Sequence", "processors": [CLS] * 100}, 200),
        ({"type": "Sequence", "processors": [CLS] * 101}, 0),
        ({"type": "Sequence", "processors": [{"type": "Sequence", "processors": [CLS] * 51}] * 2}, 0),
        (LONG_TEMPLATE, 0),
        (LONG_TEMPLATE | {"special_tokens": {"s": {"tokens": ["<s>"]}}}, 600),
        (LONG_TEMPLATE | {"special_tokens": {"s": {"tokens": [["<s>"]]}}}, 0),
    ],
    ids=["100 processors", "too many", "in sequences", "too many names", "many names", "no names"],
)
def test_processors_and_names_are_limited(processor: Any, tokens: int) -> None:
    tok = tokviz.train("a cat a cat", num_merges=2)
    tok = BPETokenizer("own", tok.vocab, {}, unapplied={"post_processor": processor})
    assert sum(map(len, surrounding(tok.unapplied.get("post_processor")))) == tokens
