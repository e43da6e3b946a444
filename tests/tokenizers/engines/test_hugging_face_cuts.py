"""A text in parts gets the ids that Hugging Face's library gives the whole, or the tokenizer refuses."""

import json
import tracemalloc

import pytest
from engine_files import FAMILIES, family, nasty_texts
from tokenizers import AddedToken, Tokenizer, normalizers, pre_tokenizers, trainers

import tokviz
from tokviz.tokenizers import stream
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

STREAMED = ["llama3", "bert", "bert with accents"]
SHIPPED = ["qwen3", "deepseek", "bert-base-uncased"]
REFUSAL = "can't encode a text in parts: by its rules, what follows may change any token"


def check(tok: HuggingFaceTokenizer, reference: Tokenizer, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Put nasty texts together, and cut them as often as possible."""
    monkeypatch.setattr(stream, "_PART", 1)
    texts = ["".join(some) for some in zip(*[iter(nasty_texts(count))] * 3, strict=False)]
    expected = [encoding.ids for encoding in reference.encode_batch(texts, add_special_tokens=False)]
    cuts = 0
    for text, ids in zip(texts, expected, strict=True):
        parts = [text[start : start + 2] for start in range(0, len(text), 2)]
        assert list(tok.encode_iter(parts, "all")) == ids, text
        assert list(tok.encode_iter(parts)) == tok.encode(text), text
        cut = tok._safe_cut
        cuts += bool(cut and cut(text))
    assert cuts > len(texts) / 10


@pytest.mark.parametrize("name", STREAMED)
def test_families_with_safe_cuts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = family(name)
    check(HuggingFaceTokenizer(name, data), Tokenizer.from_str(data.decode()), monkeypatch, 900)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_models(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tok = tokviz.load(name)
    assert isinstance(tok, HuggingFaceTokenizer)
    check(tok, Tokenizer.from_str(tok.data.decode()), monkeypatch, 450)


@pytest.mark.parametrize("name", [name for name in FAMILIES if name not in STREAMED])
def test_families_without_refuse(name: str) -> None:
    with pytest.raises(ValueError, match=REFUSAL):
        HuggingFaceTokenizer(name, family(name)).encode_iter(["a b"])


def test_sentencepiece_refuses() -> None:
    with pytest.raises(ValueError, match=REFUSAL):
        tokviz.load("mistral-7b").encode_iter(["a b"])


@pytest.mark.parametrize(
    "token",
    [
        AddedToken("x", rstrip=True, normalized=False),
        AddedToken("x", single_word=True, normalized=False),
        AddedToken("x", normalized=True),
    ],
    ids=str,
)
def test_added_tokens_that_look_across_a_cut(token: AddedToken) -> None:
    engine = Tokenizer.from_str(family("bert").decode())
    engine.add_tokens([token])
    with pytest.raises(ValueError, match=REFUSAL):
        HuggingFaceTokenizer("changed", engine.to_str().encode()).encode_iter(["a b"])


def test_added_tokens_that_hold_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Tokenizer.from_str(family("llama3").decode())
    engine.add_tokens([AddedToken(" low", normalized=False), AddedToken("er\n", normalized=False), AddedToken("e ")])
    check(HuggingFaceTokenizer("changed", engine.to_str().encode()), engine, monkeypatch, 900)


@pytest.mark.parametrize(
    ("normalizer", "text"),
    [
        (normalizers.NFD(), "κ\u03ac;"),
        (normalizers.NFD(), "caf\u00e9\n"),
        (normalizers.NFC(), "\u0958;"),
        (normalizers.NFC(), "\ufb2a!"),
        (normalizers.NFKC(), "\ufe70."),
        (normalizers.Lowercase(), "aİ,"),
        (normalizers.NFC(), "\u088f;"),  # of Unicode 17, which the library does not know as a letter
    ],
)
def test_what_is_no_letter_for_the_library_stays_with_the_sign_after_it(
    normalizer: normalizers.Normalizer, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "_PART", 1)
    engine = Tokenizer.from_str(family("llama3").decode())
    engine.normalizer = normalizer
    engine.train_from_iterator([text * 9], trainers.BpeTrainer(vocab_size=400, show_progress=False))
    expected = engine.encode(f"a {text} b", add_special_tokens=False).ids
    tok = HuggingFaceTokenizer("normalized", engine.to_str().encode())
    assert list(tok.encode_iter([*f"a {text} b"])) == expected


@pytest.mark.parametrize("pre_tokenizer", [pre_tokenizers.Punctuation(), pre_tokenizers.Digits()])
def test_steps_that_keep_blanks_within_words(pre_tokenizer: pre_tokenizers.PreTokenizer) -> None:
    engine = Tokenizer.from_str(family("bert").decode())
    engine.pre_tokenizer = pre_tokenizer
    with pytest.raises(ValueError, match=REFUSAL):
        HuggingFaceTokenizer("blanks", engine.to_str().encode()).encode_iter(["a b"])


def test_memory_does_not_grow_with_the_text() -> None:
    tok, part, count = tokviz.load("qwen3"), "some words, and more of them\n没有空格，也没有换行。" * 100, 100
    list(tok.encode_iter([part] * 2, "all"))
    tracemalloc.start()
    try:
        assert sum(1 for _ in tok.encode_iter((part for _ in range(count)), "all")) > count * 100
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 500_000


def test_windows_where_a_byte_has_no_piece() -> None:
    """Two tokens stand for a tab that is spelled `ĉ`, and one of them covers nothing."""
    content = json.loads(family("llama3"))
    vocab = content["model"]["vocab"]
    content["model"] |= {
        "byte_fallback": True,
        "vocab": {text: token for text, token in vocab.items() if "ĉ" not in text}
        | {f"<0x{value:02X}>": len(vocab) + value for value in range(256)},
        "merges": [pair for pair in content["model"]["merges"] if "ĉ" not in "".join(pair)],
    }
    data = json.dumps(content).encode()
    tok, reference = HuggingFaceTokenizer("no tab", data), Tokenizer.from_str(data.decode())
    assert reference.encode("\t", add_special_tokens=False).tokens == ["<0xC4>", "<0x89>"]
    tabs = "hello world\tdef\tf the low\tnew lower\t\tlowest" * 3
    for text, size in ((tabs, 5), (tabs, 6), (tabs, 9), *((text, 60) for text in nasty_texts(60, "tabs"))):
        windows = tok.windows(text, size)
        assert "".join(window.part for window in windows) == text
        assert [window.tokens for window in windows] == [
            len(encoding.ids)
            for encoding in reference.encode_batch([window.part for window in windows], add_special_tokens=False)
        ]
