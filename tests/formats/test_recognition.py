"""Kinds of files, by their names and beginnings: as people drop them on a page."""

import io

import pytest
from sentencepiece import SentencePieceTrainer
from tokenizers import ByteLevelBPETokenizer

import tokviz
from tokviz import formats
from tokviz.formats.recognition import HEAD, Found, recognize

ADDED = '{"content": "<s>"},' * 9000
MODEL = '{"type": "BPE", "vocab": {}, "merges": []}'
HUGGING_FACE = f'{{"version": "1.0", "added_tokens": [{ADDED}{{}}], "model": {MODEL}}}'
BERT = "[PAD]\n[unused0]\n[UNK]\n[CLS]\n[SEP]\nthe\n##ing\n"
GIVEN = {"split_pattern", "special_tokens"}


def found_in(files: dict[str, bytes]) -> Found:
    """Recognize files by what the page sends of them."""
    return recognize(
        {name: data if len(data) <= 2 * HEAD else data[:HEAD] + data[-HEAD:] for name, data in files.items()}
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tokenizer.json", HUGGING_FACE),
        ("llama3.json", HUGGING_FACE + "\n\n"),
        ("old.json", '{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}'),
        ("tekken.json", '{"config": {"pattern": "x"}, "vocab": []}'),
        ("claude.json", '{"explicit_n_vocab": 9, "pat_str": "a", "special_tokens": {}, "bpe_ranks": "! 0 YQ=="}'),
        ("bpe.codes", "#version: 0.2\nt h\nth e</w>\n"),
        ("bpe.codes", "t h\n"),
        ("some.model", "minbpe v1\n\n0\n97 98\n"),
        ("vocab.txt", BERT),
        ("bert-base-uncased-vocab.txt", BERT),
        ("vocab.txt", "the\r\n##s\r\n"),
    ],
)
def test_tokenizers(name: str, text: str) -> None:
    one = found_in({name: text.encode()})
    assert one.names == (name,)
    assert "split_pattern" not in one.lacks


@pytest.mark.parametrize("name", ["some.tiktoken", "tokenizer.model"])
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_tokenizers_without_their_split_pattern(name: str, end: str) -> None:
    one = found_in({name: f"IQ== 0{end}".encode()})
    assert one.names == (name,)
    assert one.lacks >= GIVEN


def test_what_is_written_and_trained_elsewhere_is_recognized() -> None:
    tok = tokviz.train("the cat in the hat" * 9, num_merges=9, split_pattern="gpt2")
    for form in formats.FORMATS:
        if "codes" in form.example:
            continue  # for characters only
        files = formats.write(tok, form.example).files
        assert set(found_in(files).names) == files.keys()
        assert found_in(files).lacks == form.lacks
    library = ByteLevelBPETokenizer()
    library.train_from_iterator(iter(["the cat"] * 99), vocab_size=300, show_progress=False)
    assert found_in({"mine.json": library.to_str().encode()}).names == ("mine.json",)
    model = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat in the hat"] * 9), model_writer=model, vocab_size=12, minloglevel=2
    )
    for name in ("mistral-7b.model", "tokenizer.model.v3", "source.spm"):
        assert found_in({name: model.getvalue()}) == Found((name,))
    assert found_in({"picture.png": model.getvalue()}).names == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("notes.txt", HUGGING_FACE),
        ("data.json", '{"model": "a", "vocab": 3}'),
        ("data.json", '["model", {"added_tokens": []}]'),
        ("data.json", '{"a": 1}'),
        ("notes.json", '{"a": ['),
        ("empty.json", ""),
        ("secret.codes", "the codes of this house\n"),
        ("notes.model", "the model\nof a ship"),
        ("some.model", "\nthe model"),
        ("empty.tiktoken", ""),
        ("vocab.txt", "der Hund\ndie Katze\n## 2\n"),
        ("notes.txt", BERT),
        ("myvocab.txt", BERT),
        ("vocab.json", '["der", "die"]'),
        ("merges.txt", "two rivers\n"),
        ("list.txt", "1 'one' 1\ntwo\nthree\n"),
        ("en.vocab", "dog\tHund\ncat\tKatze\nowl\tEule\n"),
        ("dict.txt", "to be\nor not\nto be\n"),
        ("config.json", '{"theme": "dark"}'),
        ("page.html", "<html>"),
    ],
)
def test_ordinary_files(name: str, text: str) -> None:
    assert found_in({name: text.encode()}) == Found()


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("merges.txt", "#version: 0.2\nĠ t\n", "merges without a vocabulary: open it together with its vocab.json"),
        ("gpt2-merges.txt", "#version: 0.2\nĠ t\n", "merges without a vocabulary"),
        ("vocab.bpe", "#version: 0.2\nĠ t\n", "open it together with its encoder.json"),
        ("vocab.json", '{"!": 0, "\\"": 1}', "open it together with its merges.txt"),
        ("encoder.json", '{"\\"": 1, "!": 0}', "open it together with its vocab.bpe"),
    ],
)
def test_one_of_two_files_waits_for_the_other(name: str, text: str, says: str) -> None:
    one = found_in({name: text.encode()})
    assert says in one.says
    assert (one.names, one.is_half, one.is_text) == ((), True, True)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("special_tokens_map.json", '{"bos_token": "<s>"}', "names a tokenizer's special tokens"),
        ("tokenizer_config.json", '{"added_tokens_decoder": {' + ADDED, "settings of a tokenizer"),
        ("rwkv_vocab_v20230424.txt", "1 '\\x00' 1\n2 '\\x01' 1\n3 \"'\" 1\n", "vocabulary of RWKV"),
        ("words.txt", "128 '\\x7f' 1\r\n129 b'\\x80' 1\r\n130 b'\\x81' 1\r\n", "vocabulary of RWKV"),
        ("m.vocab", "<unk>\t0\n<s>\t0\n\u2581the\t-3.25\n", "pieces of a SentencePiece model"),
        ("dict.en.txt", "13 850314647\n262 800385005\n11 800251374\n", "how often each token occurs"),
        ("bpe_simple_vocab_16e6.txt", '"bpe_simple_vocab_16e6.txt#version: 0.2\ni n\n', "CLIP's merges"),
        ("added_tokens.json", '{"<|im_end|>": 151645}', "tokens that were added"),
        ("generation_config.json", '{"eos_token_id": 2}', "writing text with a model"),
        ("config.json", '{"architectures": ["LlamaForCausalLM"], "model_type": "llama"}', "settings of a model"),
        ("model.safetensors.index.json", '{"metadata": {}, "weight_map": {"a": "' + "x" * 9000, "which of a model's"),
        ("chat_template.jinja", "{%- for message in messages %}", "how messages become text"),
        ("tokenizer.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
        ("tokenizer.model", "<!DOCTYPE html>\n<html>", "web page and not the file"),
        ("tokenizer.json", '{"added_tokens": [', "incomplete or damaged: download it again"),
        ("tokenizer.json", HUGGING_FACE[:-9000], "incomplete or damaged: download it again"),
        ("llama.json", HUGGING_FACE[:-9000], "incomplete or damaged: download it again"),
        ("vocab.json", '{"a": 0, "b', "incomplete or damaged: download it again"),
        ("notes.txt.gz", "\x1f", "is compressed"),
    ],
)
def test_files_that_come_with_models_are_named(name: str, text: str, says: str) -> None:
    one = found_in({name: text.encode()})
    assert says in one.says
    assert (one.names, one.is_half, one.is_text) == ((), False, True)


@pytest.mark.parametrize("name", ["model.safetensors", "llama.Q4.gguf", "pytorch_model-00001-of-2.bin", "a.txt.gz"])
def test_what_is_no_text_is_not_offered_as_one(name: str) -> None:
    one = found_in({name: b"\x1f\x8b\0\0" * 9000})
    assert name in one.says
    assert not one.is_text


VOCABULARY, MERGES = b'{"a": 0, "b": 1, "ab": 2}', b"#version: 0.2\na b\n"
CONFIG = b'{"tokenizer_class": "GPT2Tokenizer"}'
SETTINGS = {"tokenizer_config.json": CONFIG}


def test_two_files_belong_together_in_any_order_with_their_settings() -> None:
    together = {"merges.txt": MERGES, "vocab.json": VOCABULARY}
    assert found_in(together) == Found(("vocab.json", "merges.txt"))
    whole = found_in({"README.md": b"text", **SETTINGS, **together})
    assert whole == Found(("vocab.json", "merges.txt", "tokenizer_config.json"))
    gpt2 = found_in({"vocab.bpe": MERGES, "encoder.json": VOCABULARY, **SETTINGS})
    assert gpt2.names == ("encoder.json", "vocab.bpe")
    assert gpt2.lacks >= GIVEN
    assert found_in({"gpt2-merges.txt": MERGES, "gpt2-vocab.json": VOCABULARY}).names[0] == "gpt2-vocab.json"
    for other in ({"merges.txt": MERGES}, {"gpt2-vocab.json": VOCABULARY}, SETTINGS):
        assert found_in({**other, "vocab.txt": b"text"}) == Found()
    assert found_in({"merges.txt": MERGES, "gpt2-vocab.json": VOCABULARY}) == Found()


def test_the_tokenizer_of_a_folder_is_found() -> None:
    whole = {"tokenizer.json": HUGGING_FACE.encode()}
    folder = {**SETTINGS, "vocab.json": VOCABULARY, **whole, "merges.txt": MERGES, "vocab.txt": BERT.encode()}
    assert found_in(folder) == Found(("tokenizer.json",), beside=("tokenizer_config.json",))
    assert found_in({**SETTINGS, "vocab.txt": BERT.encode()}).names == ("vocab.txt", "tokenizer_config.json")
    assert found_in({**SETTINGS, "tokenizer.model": b"minbpe v1\n"}).names == ("tokenizer.model",)
    beside = {"added_tokens.json": b'{"<x>": 9}', "special_tokens_map.json": b'{"unk_token": "<unk>"}', **SETTINGS}
    for name in ("spiece.model", "sentencepiece.bpe.model", "spm.model"):
        assert {*found_in({**beside, name: b"\x0a\x0e\x0a\0"}).names} == {name, *beside}
    assert found_in({"a.txt": b"text", "b.txt": b"text"}) == Found()
    assert found_in({f"{name}.json": HUGGING_FACE.encode() for name in ("one", "other")}) == Found()


def test_hostile_beginnings_are_ordinary_files() -> None:
    for text in (b"[" * HEAD, b'{"a":' * HEAD, b'{"a": ' + b"1" * HEAD, b"\xff" * HEAD, b"1 '" + b"' 1" * HEAD):
        assert found_in({"notes.json": text}) == Found()
