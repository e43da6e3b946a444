"""The chapter "specials": its facts, and the figures it computes."""

import json

import pytest
import tokenizers
import transformers
from chapter_facts import Facts, expect_true
from shipped import encoding_of

from tokviz.chats.templates import TITLES
from tokviz.course import specials
from tokviz.course.chapters import chapter
from tokviz.pretrained import open_models

END = "<|endoftext|>"
CODE = next(block.value for block in chapter("specials").blocks if block.name == "hole")


def pieces(text: str) -> list[str]:
    gpt2 = encoding_of("gpt2")
    return [gpt2.decode([token]) for token in gpt2.encode_ordinary(text)]


def refusal(text: str) -> str:
    with pytest.raises(ValueError, match="disallowed special token") as caught:
        encoding_of("gpt2").encode(text)
    return str(caught.value)


def hugging_face(text: str, **options: bool) -> list[int]:
    """Encode a text by transformers with Qwen3's tokenizer."""
    library = tokenizers.Tokenizer.from_str(open_models.read("qwen3").decode())
    ids: list[int] = transformers.PreTrainedTokenizerFast(tokenizer_object=library, **options)(text)["input_ids"]
    return ids


def qwen3_names() -> list[str]:
    return [each["content"] for each in json.loads(open_models.read("qwen3"))["added_tokens"] if each["special"]]


def bert(text: str) -> list[str]:
    """BERT's tokens of a text, by Hugging Face's own recipe for its vocabulary."""
    words = {word: number for number, word in enumerate(open_models.read("bert-base-uncased").decode().split())}
    tokens: list[str] = tokenizers.BertWordPieceTokenizer(vocab=words).encode(text).tokens
    return tokens


FACTS: Facts = {
    "GPT-2 has only this one: id 50256, the last of its ids": lambda: (
        encoding_of("gpt2")._special_tokens == {END: 50_256} and encoding_of("gpt2").n_vocab == 50_257
    ),
    "1713": lambda: len(END) == 13,  # the choices
    "Seven: <, |, end, of, text, | and >": lambda: pieces(END) == ["<", "|", "end", "of", "text", "|", ">"],
    "Read as control, it is one": lambda: encoding_of("gpt2").encode(END, allowed_special="all") == [50_256],
    "BERT begins each text with [CLS] and ends it with [SEP]": lambda: bert("cats") == ["[CLS]", "cats", "[SEP]"],
    "Qwen3 are for chats and pictures": lambda: {"<|im_start|>", "<|vision_start|>"} <= {*qwen3_names()},
    "o200k_harmony has 1,091, nearly all of them reserved": lambda: (
        (
            len(encoding_of("o200k_harmony")._special_tokens),
            sum("reserved" in text for text in encoding_of("o200k_harmony")._special_tokens) > 1_070,
        )
        == (1_091, True)
    ),
    "cl100k has the tokens for it": lambda: (
        {"<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"} <= encoding_of("cl100k_base").special_tokens_set
    ),
    "tiktoken, refuses a text with a special token in it": lambda: END in refusal(f"A{END}"),
    "reads it as control, unless it is told split_special_tokens=True": lambda: (
        (151_645 in hugging_face("Hi<|im_end|>"), 151_645 in hugging_face("Hi<|im_end|>", split_special_tokens=True))
        == (True, False)
    ),
    "five templates": lambda: len(TITLES) == 5,
}


def test_every_fact_is_true() -> None:
    expect_true("specials", FACTS)


def test_what_special_tokens_are_for() -> None:
    uses = {
        entry["text"]: entry["purpose"] for name in specials.TOKENIZERS for entry in specials.listed(name)["tokens"]
    }
    ends = {END, "<｜end▁of▁sentence｜>", "</s>"}
    assert {text for text, use in uses.items() if use == "a text ends here"} == ends
    assert "hole" in uses["<|fim_middle|>"]
    assert {text for text, use in uses.items() if not use} == {"<|endofprompt|>", "<｜end_of_query｜>"}


@pytest.mark.parametrize("text", [f"A{END}B", "plain", f"{END}{END}", ""])
def test_both_ways_are_tiktokens(text: str) -> None:
    found = specials.both_ways(text, "gpt2")
    assert found["text"]["ids"] == encoding_of("gpt2").encode_ordinary(text)
    assert found["control"]["ids"] == encoding_of("gpt2").encode(text, allowed_special="all")
    assert sum(found["control"]["special"]) == text.count(END)
    assert not any(found["text"]["special"])


@pytest.mark.parametrize("name", ["gpt2", "cl100k_base", "o200k_base", "o200k_harmony"])
def test_all_special_tokens_of_tiktokens_encodings_are_listed(name: str) -> None:
    tokens = encoding_of(name)._special_tokens
    found = specials.listed(name)
    assert found["count"] == len(tokens) == sum(1 + each["more"] for each in found["tokens"])
    for each in found["tokens"]:
        assert tokens[each["text"]] == each["id"]
        assert each["last"] == each["id"] + each["more"]


@pytest.mark.parametrize("name", ["qwen3", "deepseek"])
def test_all_special_tokens_of_other_files_are_listed(name: str) -> None:
    added = json.loads(open_models.read(name))["added_tokens"]
    assert specials.listed(name)["count"] == sum(each["special"] for each in added)


@pytest.mark.parametrize("name", ["mistral-7b", "bert-base-uncased"])
def test_the_lists_of_the_others_are_in_order(name: str) -> None:
    ids = [each["id"] for each in specials.listed(name)["tokens"]]
    assert ids == sorted(set(ids)) and ids


@pytest.mark.parametrize("hole", [(0, 0), (18, 24), (24, 18), (3, 44), (0, 44), (44, 999)])
def test_a_hole_is_filled_in_the_order_of_the_markers(hole: tuple[int, int]) -> None:
    cl100k = encoding_of("cl100k_base")
    start, end = sorted(min(place, len(CODE)) for place in hole)
    before, middle, after = CODE[:start], CODE[start:end], CODE[end:]
    found = specials.filling(CODE, *hole)
    assert found["parts"] == [before, middle, after]
    ids = cl100k._special_tokens
    encode = cl100k.encode_ordinary
    expected = [ids["<|fim_prefix|>"], *encode(before), ids["<|fim_suffix|>"], *encode(after), ids["<|fim_middle|>"]]
    assert found["prompt"]["ids"] == expected
    assert found["answer"]["ids"] == [*encode(middle), ids[END]]
    assert found["whole"] == len(encode(CODE))
    ends = {len(cl100k.decode(encode(CODE)[:count])) for count in range(found["whole"] + 1)}
    assert found["inside"] == [place not in ends for place in (start, end)]


def test_special_tokens_in_the_text_with_the_hole_are_text() -> None:
    text = "<|fim_suffix|> and <|endoftext|>"
    found = specials.filling(text, 3, 10)
    assert sum(found["prompt"]["special"]) == 3
    assert sum(found["answer"]["special"]) == 1
    assert found["prompt"]["text"] == f"<|fim_prefix|>{text[:3]}<|fim_suffix|>{text[10:]}<|fim_middle|>"


@pytest.mark.parametrize("text", ["", "\ud800", "x " * 100_000, "שלום עולם", "👨‍👩‍👧‍👦" * 50])
def test_hostile_texts(text: str) -> None:
    found = specials.filling(text, 5, 9)
    assert found["length"] <= specials.MAX_HOLED
    assert "".join(found["parts"]) == text[: specials.MAX_HOLED].replace("\ud800", "\ufffd")
    assert len(json.dumps(specials.both_ways(text[:500], "gpt2"))) < 50_000


def test_a_tokenizer_that_is_not_here() -> None:
    for work in (specials.listed, lambda name: specials.both_ways("a", name)):
        with pytest.raises(ValueError, match="this figure has gpt2"):
            work("hf:a/b")
