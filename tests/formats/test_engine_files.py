"""Files that only an engine can encode for, and folders as transformers saves them."""

import base64
import gzip
import io
import json
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model
from sentencepiece import SentencePieceProcessor, SentencePieceTrainer
from tiktoken.load import load_tiktoken_bpe
from tokenizers import Tokenizer
from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer
from tokenizers.models import BPE

import tokviz
from tokviz import formats
from tokviz.formats import engine_files
from tokviz.texts import repair
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

TEXTS = nasty_texts(300)


def write(folder: Path, **files: Any) -> Path:
    """Write files, whose names have a double underscore for a dot."""
    for name, content in files.items():
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


@pytest.mark.parametrize("name", FAMILIES)
def test_every_tokenizer_json_opens_and_encodes_like_the_library(name: str, tmp_path: Path) -> None:
    folder = write(tmp_path, tokenizer__json=family(name), tokenizer_config__json={"add_bos_token": False})
    tok, reference = tokviz.open(folder), Tokenizer.from_str(family(name).decode())
    assert tok.name == tmp_path.name
    for add_special in (False, True):
        for text, expected in zip(TEXTS, reference.encode_batch(TEXTS, add_special_tokens=add_special), strict=True):
            assert tok.encode(text, "all", add_special=add_special) == expected.ids
            assert tok.tokenize(text, "all", add_special=add_special).ids.tolist() == expected.ids


def test_what_needs_no_engine_uses_none() -> None:
    trained = formats.write(tokviz.train("a cat a cat", split_pattern="words"), "tokenizer.json").files
    assert isinstance(formats.read_any(trained), tokviz.BPETokenizer)
    assert isinstance(formats.read_any({"tokenizer.json": family("llama3")}), HuggingFaceTokenizer)
    assert isinstance(formats.read_any({"tokenizer.json": family("bert")}), HuggingFaceTokenizer)
    with pytest.raises(ValueError, match="only Hugging Face's library can follow"):
        formats.read({"tokenizer.json": family("bert")})


@pytest.mark.parametrize("file", ["tokenizer.model.v3", "mistral_instruct.model.v7m1", "source.spm"])
def test_sentencepiece_models_of_other_names(file: str, tmp_path: Path) -> None:
    write(tmp_path, **{file.replace(".", "__"): sentencepiece_model(model_type="unigram")})
    tok = tokviz.open(tmp_path / file)
    assert isinstance(tok, SentencePieceTokenizer)
    assert tok.name == {"tokenizer.model.v3": tmp_path.name, "mistral_instruct.model.v7m1": "mistral_instruct"}.get(
        file, "source"
    )


@pytest.mark.parametrize("file", engine_files.MODELS)
def test_sentencepiece_models(file: str, tmp_path: Path) -> None:
    data = sentencepiece_model(model_type="bpe", byte_fallback=True)
    write(tmp_path, **{file.replace(".", "__"): data})
    reference = SentencePieceProcessor(model_proto=data)
    for path in (tmp_path, tmp_path / file):
        tok = tokviz.open(path)
        assert isinstance(tok, SentencePieceTokenizer)
        assert [tok.encode(text) for text in TEXTS] == reference.encode(TEXTS)
        assert tok.encode("low", add_special=True) == reference.encode("low", add_bos=True)
    write(tmp_path, tokenizer_config__json={"add_bos_token": False, "add_eos_token": True})
    assert tokviz.open(tmp_path).encode("low", add_special=True) == reference.encode("low", add_eos=True)


def test_model_files_are_told_apart_by_their_content(tmp_path: Path) -> None:
    tokviz.save(tokviz.train("low lower lowest", vocab_size=260), tmp_path / "some.model")
    assert isinstance(tokviz.open(tmp_path / "some.model"), tokviz.BPETokenizer)


@pytest.mark.parametrize("lower", [True, False])
def test_word_pieces(lower: bool, tmp_path: Path) -> None:
    vocab = sorted(Tokenizer.from_str(family("bert").decode()).get_vocab().items(), key=lambda item: item[1])
    write(tmp_path, vocab__txt="".join(f"{piece}\n" for piece, _ in vocab).encode())
    if not lower:
        write(tmp_path, tokenizer_config__json={"do_lower_case": False})
    reference = BertWordPieceTokenizer(dict(vocab), lowercase=lower)
    for tok in (tokviz.open(tmp_path), tokviz.open(tmp_path / "vocab.txt", name="BERT")):
        for text, expected in zip(TEXTS, reference.encode_batch(TEXTS), strict=True):
            assert tok.encode(text, "all", add_special=True) == expected.ids
    assert tok.name == "BERT"


def test_gpt2s_files_under_the_names_of_transformers(tmp_path: Path) -> None:
    gpt2 = tokviz.load("gpt2").cut(2_000)
    files, _ = formats.write(gpt2, "vocab.bpe")
    write(tmp_path, vocab__json=files["encoder.json"], merges__txt=files["vocab.bpe"])
    for path in (tmp_path, tmp_path / "vocab.json", tmp_path / "merges.txt"):
        tok = tokviz.open(path)
        assert isinstance(tok, tokviz.BPETokenizer)
        assert tok.split_pattern == gpt2.split_pattern
        assert tok.vocab == gpt2.vocab
        assert tok.special_tokens == gpt2.special_tokens
        assert [tok.encode(text) for text in TEXTS] == [gpt2.encode(text) for text in TEXTS]
    write(tmp_path, merges__txt=b"#version: 0.2\nh e</w>\n")
    with pytest.raises(ValueError, match="are not of GPT-2's kind"):
        tokviz.open(tmp_path)
    write(tmp_path, tokenizer_config__json={"tokenizer_class": "XLMTokenizer"})
    with pytest.raises(ValueError, match="are read by 'XLMTokenizer', and tokviz doesn't know"):
        tokviz.open(tmp_path)


def tekken(**changes: Any) -> dict[str, Any]:
    vocab = [tokviz.load("gpt2").vocab[token] for token in range(2_000)]
    entries = [
        {"rank": rank, "token_bytes": base64.b64encode(data).decode(), "token_str": None}
        for rank, data in enumerate(vocab)
    ]
    config = {"pattern": r"\p{L}+|\p{N}|\s+|[^\s\p{L}\p{N}]+", "default_vocab_size": 1_500}
    config |= {"num_vocab_tokens": 2_000, "default_num_special_tokens": 30, "version": "v3"}
    return {"config": config, "vocab": entries} | changes


def test_tekken_files(tmp_path: Path) -> None:
    """As Mistral's library: the vocabulary is cut, special tokens come first, and `<s>` begins a text."""
    content = tekken()
    tok = tokviz.open(write(tmp_path, tekken__json=content))
    ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in content["vocab"][:1_470]}
    reference = tiktoken.Encoding("t", pat_str=content["config"]["pattern"], mergeable_ranks=ranks, special_tokens={})
    assert tok.vocab_size == 1_500
    for text in TEXTS:
        assert tok.encode(text) == [rank + 30 for rank in reference.encode_ordinary(text)]
    assert tok.encode("[INST]", "all", add_special=True) == [1, 3]
    assert tok.special_tokens["<SPECIAL_29>"] == 29
    listed = [{"rank": 0, "token_str": "<s>", "is_control": True}, {"rank": 1, "token_str": "<x>", "is_control": True}]
    assert formats.read_any({"tekken.json": json.dumps(tekken(special_tokens=listed)).encode()}).around == ((0,), ())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"special_tokens": [{"rank": 99, "token_str": "x"}]}, "gives one the id 99"),
        ({"special_tokens": [{"rank": 5, "token_str": "<SPECIAL_6>"}]}, "twice"),
        ({"vocab": [{"rank": 1, "token_bytes": "YQ=="}]}, "should have the rank 0"),
        ({"vocab": [{"rank": 0, "token_bytes": "?"}]}, "not base64"),
        ({"config": {"default_vocab_size": 5, "default_num_special_tokens": 6}}, "impossible numbers"),
    ],
)
def test_damaged_tekken_files(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        formats.read_any({"tekken.json": json.dumps(tekken(**changes)).encode()})


def js_tiktoken(**changes: Any) -> dict[str, Any]:
    gpt2 = tokviz.load("gpt2").vocab
    ranks = [base64.b64encode(gpt2[rank]).decode() for rank in range(2_000)]
    lines = [f"! 1 {' '.join(ranks[:700])}", f"! 701 {' '.join(ranks[700:])}"]
    pattern = r"'s|\p{L}+|\p{N}|\s+|[^\s\p{L}\p{N}]+"
    return {
        "explicit_n_vocab": 2_002,
        "pat_str": pattern,
        "special_tokens": {"<EOT>": 0, "<END>": 2_001},
        "bpe_ranks": "\n".join(lines),
    } | changes


def test_js_tiktokens_files(tmp_path: Path) -> None:
    content = js_tiktoken()
    tok = tokviz.open(write(tmp_path, claude__json=content) / "claude.json")
    gpt2 = tokviz.load("gpt2").vocab
    reference = tiktoken.Encoding(
        "claude",
        pat_str=content["pat_str"],
        mergeable_ranks={gpt2[rank]: rank + 1 for rank in range(2_000)},
        special_tokens=content["special_tokens"],
        explicit_n_vocab=2_002,
    )
    assert tok.name == "claude"
    for text in (*TEXTS, "a<EOT>b<END>"):
        assert tok.encode(text, "all") == reference.encode(text, allowed_special="all")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bpe_ranks": "! 0 YQ==\n! 0 Yg=="}, "gives the rank 0 to two tokens"),
        ({"bpe_ranks": "! 0 YQ== ?"}, "rank 1 is not base64"),
        ({"bpe_ranks": "! 99999999 YQ=="}, "has the id 99999999"),
        ({"bpe_ranks": "YQ==\n"}, "should begin with a sign and a rank"),
        ({"bpe_ranks": ["YQ=="]}, "should be a text"),
        ({"special_tokens": {"<x>": 1}}, "gives the id 1 to"),
        ({"pat_str": "(" * 30_000}, "the split pattern has 30,000 characters"),
    ],
)
def test_damaged_files_of_js_tiktoken(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        formats.read_any({"claude.json": json.dumps(js_tiktoken(**changes)).encode()})


@pytest.mark.parametrize("file", ["some.tiktoken", "some.model", "vocab.bpe", "some.codes"])
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("qwen3", "it converts the text to the Unicode form NFC before it merges"),
        ("deepseek", "it cuts a text by 3 patterns, one after another"),
        ("mistral-7b", "the scores of its pieces decide what is merged first"),
        (family("llama3"), "its split pattern is written for Hugging Face's library"),
        (family("gemma"), "it merges characters"),
    ],
)
def test_other_formats_are_refused_with_what_they_can_not_hold(source: str | bytes, reason: str, file: str) -> None:
    tok = tokviz.load(source) if isinstance(source, str) else formats.read_any({"tokenizer.json": source})
    if file.endswith(".model") and isinstance(tok, SentencePieceTokenizer):
        return  # its own format
    with pytest.raises(
        ValueError, match=rf"{re.escape(file)} can't hold: {reason}.*Ids would change: save it as token"
    ):
        formats.write(tok, file)


def test_what_minbpe_and_tiktoken_can_not_hold_names_the_format_that_can() -> None:
    claude = formats.read_any({"claude.json": json.dumps(js_tiktoken()).encode()})
    with pytest.raises(ValueError, match=r"ids would change\. Save it as tokenizer\.json"):
        formats.write(claude, "claude.model")


def test_a_byte_order_mark_is_named(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbf" + family("bert")
    with pytest.raises(Exception, match="expected value"):
        Tokenizer.from_buffer(data)
    for read in (formats.read_any, formats.read):
        with pytest.raises(ValueError, match="begins with a byte order mark, which JSON does not allow"):
            read({"tokenizer.json": data})


def test_saving_writes_the_file_that_was_opened(tmp_path: Path) -> None:
    write(tmp_path, tokenizer__json=family("t5"))
    tok = tokviz.open(tmp_path)
    assert tokviz.save(tok, tmp_path / "copy.json") == {}
    assert (tmp_path / "copy.json").read_bytes() == family("t5")
    with pytest.raises(
        ValueError, match=r"which .* can't hold: it has no merges\. Ids would change: save it as tokeni"
    ):
        tokviz.save(tok, tmp_path / "some.tiktoken")
    model = SentencePieceTokenizer("some", sentencepiece_model(model_type="bpe"))
    tokviz.save(model, tmp_path / "some.model")
    assert tokviz.open(tmp_path / "some.model").vocab == model.vocab


def test_folders_without_a_tokenizer(tmp_path: Path) -> None:
    write(tmp_path, config__json={"model_type": "llama"})
    with pytest.raises(ValueError, match="is a folder"):
        tokviz.open(tmp_path)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        (
            "tokenizer.json",
            b'{"model": {"type": "Unigram", "vocab": []}',
            "tokenizer.json is incomplete or damaged: download it again",
        ),
        ("tokenizer.json", b'{"a":' * 100_000, "too deeply"),
        ("tokenizer.json", b"[" * 3_000_001, "more than 3,000,000 lists"),
        ("tokenizer.json", b'{"model": {"type": "Fancy"}}', "tokenizer.json can't be opened"),
        ("tokenizer.json", b'{"model": {"type": "WordPiece", "vocab": {}}}', "tokenizer.json can't be opened"),
        ("some.model", b"\x0a\x07damaged", "is not a SentencePiece model, or is damaged"),
        (
            "some.model",
            sentencepiece_model(model_type="bpe").replace(b"\xe2\x96\x81", b"\xff\xfe\xfd", 1),
            "is damaged",
        ),
        ("vocab.txt", b"a\nb\n", r"it lacks '\[UNK\]'"),
        ("vocab.txt", b"\xff\xfe", "is not UTF-8"),
    ],
)
def test_damaged_and_hostile_files(name: str, data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        formats.read_any({name: data})


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("rwkv_vocab_v20230424.txt", b"1 '\\x00' 1\n2 b'\\xff' 1\n3 \"'\" 1\n", "vocabulary of RWKV"),
        ("m.vocab", b"<unk>\t0\n<s>\t0\n\xe2\x96\x81the\t-3.25\n", "pieces of a SentencePiece model"),
        ("dict.txt", b"the 1061396\n, 980004\n. 8\n", "how often each token occurs"),
        ("bpe_simple_vocab_16e6.txt.gz", gzip.compress(b"x", mtime=0), "CLIP's merges"),
        ("bpe_simple_vocab_16e6.txt", b'"bpe_simple_vocab_16e6.txt#version: 0.2\ni n\n', "CLIP's merges"),
        ("tokenizer.json", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"),
        ("tokenizer.model", b"<!doctype html><html>", "is a web page"),
    ],
)
def test_files_known_by_their_content_are_named(name: str, data: bytes, message: str) -> None:
    for read in (formats.read, formats.read_any):
        with pytest.raises(ValueError, match=message):
            read({name: data})


@pytest.mark.parametrize("name", ["llama3", "bert", "llama2", "t5"])
def test_half_a_file_is_said_to_be_damaged(name: str) -> None:
    data = family(name)
    for end in (len(data) // 2, len(data) - 1):
        with pytest.raises(ValueError, match=r"^tokenizer\.json is incomplete or damaged: download it again"):
            formats.read_any({"tokenizer.json": data[:end]})


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"vocab.json": b'{"a":' * 100_000, "merges.txt": b"a b\n"}, "vocab.json nests lists and objects too deeply"),
        ({"vocab.json": b'{"a": -1, "b": 0}', "merges.txt": b"a b\n"}, "'a' has the id -1"),
        ({"vocab.json": b'{"a": 0}', "merges.txt": b"\xff\xfe"}, "merges.txt is not UTF-8"),
        ({"vocab.json": b'{"a": 0, "b": 1}', "merges.txt": b"a b\n"}, "can't be opened"),
        (
            {"vocab.txt": b"[UNK]\n[CLS]\n[SEP]\n", "tokenizer_config.json": b"[" * 100_000},
            "tokenizer_config.json nests lists and objects too deeply",
        ),
    ],
)
def test_damaged_and_hostile_files_that_belong_together(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        formats.read_any(files)


def test_messages_name_the_files_that_were_given() -> None:
    files = {"vocab.json": b'{"a": 0, "aa": 1}', "merges.txt": b"#version: 0.2\na a\naa a\n"}
    with pytest.raises(ValueError, match=r"vocab\.json and merges\.txt can't be opened") as caught:
        formats.read_any(files)
    assert "tokenizer.json" not in str(caught.value)


def test_too_many_added_tokens_are_refused_before_the_library_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.loads(family("bert"))
    content["added_tokens"] *= 30
    monkeypatch.setattr(engine_files, "MAX_ADDED_TOKENS", 100)
    with pytest.raises(ValueError, match="adds 120 tokens"):
        formats.read_any({"tokenizer.json": json.dumps(content).encode()})


def test_merges_of_what_the_vocabulary_lacks() -> None:
    content = json.loads(family("llama2"))
    content["model"]["merges"] = [["a", "b"], ["ab", "a"]]
    with pytest.raises(ValueError, match="can't be opened"):
        formats.read_any({"tokenizer.json": json.dumps(content).encode()})


@pytest.mark.parametrize("as_text", [True, False])
def test_merges_that_would_end_the_process_are_refused(as_text: bool) -> None:
    """The library takes as many bytes off the second token as the prefix has, even within a character."""
    model: dict[str, Any] = {
        "type": "BPE",
        "vocab": {"a": 0, "#é": 1, "aé": 2, "é": 3},
        "merges": ["a #é", "a é"] if as_text else [["a", "#é"], ["a", "é"]],
        "continuing_subword_prefix": "#",
    }
    content = json.loads(Tokenizer(BPE()).to_str()) | {"model": model}
    with pytest.raises(ValueError, match=r"'é'.*should begin with '#', its continuing_subword_prefix"):
        formats.read_any({"tokenizer.json": json.dumps(content).encode()})
    del model["merges"][1]
    tok = formats.read_any({"tokenizer.json": json.dumps(content).encode()})
    assert tok.encode("aé") == Tokenizer.from_str(json.dumps(content)).encode("aé").ids == [2]


def test_whispers_vocabulary_ends_in_a_token_without_bytes(tmp_path: Path) -> None:
    """`multilingual.tiktoken` is GPT-2's vocabulary and the line `= 50256`, which tiktoken reads as an empty token."""
    gpt2 = tokviz.load("gpt2")
    lines = [b"%s %d" % (base64.b64encode(data), token) for token, data in gpt2.vocab.items() if token < 50256]
    path = tmp_path / "multilingual.tiktoken"
    path.write_bytes(b"\n".join([*lines, b"= 50256"]) + b"\n")
    specials = {"<|endoftext|>": 50257}
    expected = tiktoken.Encoding(
        "whisper",
        pat_str=str(gpt2.split_pattern),
        mergeable_ranks=load_tiktoken_bpe(str(path)),
        special_tokens=specials,
    )
    tok = tokviz.open(path, "gpt2", specials)
    for text in (*nasty_texts(20), "I<|endoftext|>"):
        assert tok.encode(text, "all") == expected.encode(text, allowed_special="all")
    assert (tok.decode([50256]), tok.vocab_size) == (expected.decode([50256]), expected.n_vocab)
    tokviz.save(tok, tmp_path / "again.tiktoken")
    assert (tmp_path / "again.tiktoken").read_bytes() == path.read_bytes()


def test_tens_of_thousands_of_control_pieces_are_cut_out_between_what_the_library_encodes(tmp_path: Path) -> None:
    """AI21's J2 has 26,089 control pieces."""
    controls = [f"word{number}" for number in range(26_089)]
    file = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(["a cat and a hat"] * 9),
        model_writer=file,
        vocab_size=len(controls) + 20,
        control_symbols=controls,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    path = tmp_path / "j2.model"
    path.write_bytes(file.getvalue())
    library = SentencePieceProcessor(model_proto=file.getvalue())
    text = "a catword7 hat word26088word26089"
    parts = ["a cat", "word7", " hat ", "word26088", "word2608", "9"]
    expected = [
        token for part in parts for token in ([library.piece_to_id(part)] if part in controls else library.encode(part))
    ]
    assert tokviz.open(path).encode(text, "all") == expected


def test_a_file_is_cut_by_the_pattern_of_a_model_that_load_knows(tmp_path: Path) -> None:
    """Qwen's `.tiktoken` file, made of what Qwen3's holds: texts in NFC get the ids of Qwen3."""
    qwen = tokviz.load("qwen3")
    pieces = {token: data for token, data in qwen.vocab.items() if token not in qwen.added_tokens}
    path = tmp_path / "qwen.tiktoken"
    path.write_bytes(b"".join(b"%s %d\n" % (base64.b64encode(data), token) for token, data in pieces.items()))
    with pytest.raises(ValueError, match="can't say how a text is cut"):
        tokviz.open(path)
    tok = tokviz.open(path, split_pattern="qwen3")
    for text in nasty_texts(20):
        text = unicodedata.normalize("NFC", repair(text)[0])
        assert tok.encode(text) == qwen.encode(text)
