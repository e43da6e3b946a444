"""Saving and opening: nothing is lost or misread, and nothing is refused without a reason."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from tokenizer_files import (
    CORPUS,
    FORMATS,
    NASTY,
    allowed,
    byte_level,
    family,
    opened,
    peer,
    sequence,
    split,
    tiktoken_file,
)
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

import tokviz
from tokviz import formats, pretrained
from tokviz.pretokens import splitting

# ---------------------------------------------------------------- parts that encoding does not need


def with_everything() -> Any:
    """A tokenizer with GPT-2's split pattern, with a beginning and an end put around each text."""
    library = Tokenizer.from_str(family("gpt2").to_str())
    library.add_tokens([AddedToken("<|end|>", special=True, normalized=True)])
    library.post_processor = processors.TemplateProcessing(
        single="<s> $A <|end|>", special_tokens=[(text, library.token_to_id(text)) for text in ("<s>", "<|end|>")]
    )
    library.enable_truncation(7)
    library.enable_padding(pad_id=3, pad_token="x", length=9)
    return library


@pytest.mark.parametrize("name", ["tokenizer.json", "some.json"])
def test_a_saved_tokenizer_json_behaves_like_the_opened_one(name: str) -> None:
    library = with_everything()
    written = formats.write(opened(library), name)
    assert written.left_out == {}
    again = Tokenizer.from_str(written.files[name].decode())
    for text in NASTY:
        theirs, ours = library.encode(text), again.encode(text)
        assert (ours.ids, ours.attention_mask, ours.offsets) == (theirs.ids, theirs.attention_mask, theirs.offsets)
        assert again.decode(ours.ids, skip_special_tokens=False) == library.decode(ours.ids, skip_special_tokens=False)


@pytest.mark.parametrize("file", ["some.tiktoken", "vocab.bpe"])
def test_other_formats_return_what_they_leave_out_and_open_accepts_it(file: str, tmp_path: Path) -> None:
    library = with_everything()
    content = json.loads(library.to_str())
    tok = formats.read({"tokenizer.json": json.dumps(content).encode()})
    left_out = tokviz.save(tok, tmp_path / file)
    assert left_out["unapplied"] == {key: content[key] for key in ("post_processor", "truncation", "padding")}
    back = tokviz.open(tmp_path / file, **left_out)
    whole = formats.write(back, "tokenizer.json")
    assert Tokenizer.from_str(whole.files["tokenizer.json"].decode()).encode(CORPUS).ids == library.encode(CORPUS).ids
    assert whole.left_out == {}


def test_truncated_and_resplit_tokenizers_keep_it() -> None:
    tok = opened(with_everything())
    for other in (tok.cut(3), tok.with_split_pattern("gpt2")):
        assert other.unapplied == tok.unapplied != {}


def test_trained_tokenizers_leave_nothing_more_out() -> None:
    tok = tokviz.train("the cat in the hat", split_pattern="gpt2")
    for file in FORMATS:
        assert "unapplied" not in formats.write(tok, file).left_out


def test_unapplied_parts_are_type_checked() -> None:
    content = json.loads(family("gpt2").to_str()) | {"post_processor": "BOS"}
    with pytest.raises(ValueError, match="the post_processor should be an object"):
        formats.read({"tokenizer.json": json.dumps(content).encode()})
    with pytest.raises(ValueError, match="itself"):
        formats.read({"tokenizer.json": family("gpt2").to_str().encode()}, unapplied={"post_processor": {}})


# ---------------------------------------------------------------- written files can be opened


@pytest.mark.parametrize("alphabet", ["bytes", "seen-bytes", "characters"])
@pytest.mark.parametrize("file", FORMATS)
def test_written_files_can_be_opened_with_any_special_tokens(file: str, alphabet: Any, tmp_path: Path) -> None:
    """A special token may be spelled as files spell a byte or a merged token. It is then restored, or refused."""
    texts = st.text(st.sampled_from("act éĠĊÿ中<"), min_size=1, max_size=3)

    @examples(20, file, alphabet)
    @given(st.lists(texts, unique=True, max_size=4), st.sampled_from(["a cat a cat", "cat 中 cat 中", "é é"]))
    def check(specials: list[str], corpus: str) -> None:
        if any(special in corpus for special in specials):
            return  # the text is cut at it, and may be empty
        tok = tokviz.train(corpus, num_merges=2, alphabet=alphabet, special_tokens=specials)
        try:
            written = formats.write(tok, file)
        except ValueError as refusal:
            assert "ids would change" in str(refusal) or "white space" in str(refusal)
            return
        back = formats.read(written.files, **written.left_out)
        text = corpus + "".join(specials) + corpus
        expected = ids_or_refusal(tok, text)
        assert ids_or_refusal(back, text) == expected
        assert back.special_tokens == tok.special_tokens
        if file == "tokenizer.json" and not isinstance(expected, str):
            assert peer(*written, tmp_path)(text) == expected

    check()


def ids_or_refusal(tok: tokviz.BPETokenizer, text: str) -> list[int] | str:
    """Ids of a text, or the error if overlapping special tokens leave over something that the alphabet lacks."""
    try:
        return tok.encode(text, allowed(tok))
    except ValueError as refusal:
        return str(refusal)


def test_a_special_token_spelled_like_a_byte_that_the_alphabet_lacks(tmp_path: Path) -> None:
    tok = tokviz.train("a cat a cat", num_merges=2, alphabet="seen-bytes", special_tokens=["é"])
    tokviz.save(tok, tmp_path / "tokenizer.json")
    assert tokviz.open(tmp_path / "tokenizer.json").encode("a caté", "all") == tok.encode("a caté", "all")


# ---------------------------------------------------------------- the split pattern must be given


@pytest.mark.parametrize("file", ["some.tiktoken", "vocab.bpe", "encoder.json"])
def test_files_without_a_split_pattern_ask_for_one(file: str, tmp_path: Path) -> None:
    tok = tokviz.train("the cat in the hat")
    left_out = tokviz.save(tok, tmp_path / file)
    with pytest.raises(ValueError, match="split_pattern=None if it is not cut"):
        tokviz.open(tmp_path / file)
    assert left_out["split_pattern"] is None
    assert tokviz.open(tmp_path / file, split_pattern=None).pretokens("the cat") == ["the cat"]
    assert tokviz.open(tmp_path / file, split_pattern="gpt2").pretokens("the cat") == ["the", " cat"]


@pytest.mark.parametrize("pattern", [None, "gpt2"])
@pytest.mark.parametrize("file", ["tokenizer.json", "some.model"])
def test_files_with_a_split_pattern_accept_no_other(file: str, pattern: str | None) -> None:
    files = formats.write(tokviz.train("the cat in the hat", split_pattern="words"), file).files
    with pytest.raises(ValueError, match="holds its split pattern"):
        formats.read(files, split_pattern=pattern)


def test_which_files_lack_a_split_pattern() -> None:
    tok = tokviz.train("the cat in the hat", split_pattern="words")
    lacking = {file: formats.lacks_split_pattern(formats.write(tok, file).files) for file in FORMATS}
    assert lacking == {"some.tiktoken": True, "vocab.bpe": True, "tokenizer.json": False, "some.model": False}
    assert formats.lacks_split_pattern({"tokenizer.model": tiktoken_file([(b"a", 0)])["some.tiktoken"]})


# ---------------------------------------------------------------- files of other kinds


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("vocab.json", {"a": 0, "b": 1}, r"vocab\.json is a vocabulary without merges .*open the tokenizer\.json"),
        ("tokenizer_config.json", {"tokenizer_class": "X", "bos_token": "<s>"}, r"settings of a tokenizer.*open the"),
        ("special_tokens_map.json", {"bos_token": "<s>"}, r"names a tokenizer's special tokens.*open the"),
        ("config.json", {"model_type": "llama", "bos_token_id": 1}, r"settings of a model.*open the"),
        ("tekken.json", {"config": {"pattern": "."}, "vocab": [{"rank": 0}]}, r"Tekken.*tokenizer\.json"),
        ("added_tokens.json", {"<|im_end|>": 151645}, r"tokens that were added.*open the"),
        ("generation_config.json", {"eos_token_id": 2}, r"writing text with a model.*open the"),
        ("my.json", {}, "is not a tokenizer.json"),
        ("package.json", {"name": "x"}, "is not a tokenizer.json"),
    ],
)
def test_json_files_that_are_not_tokenizers(name: str, content: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        formats.read({name: json.dumps(content).encode()})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("merges.txt", "holds merges without a vocabulary"),
        ("vocab.txt", "WordPiece"),
        ("bert-base-uncased.vocab.txt", "is a list of pieces for WordPiece"),
        ("gpt2-merges.txt", "holds merges without a vocabulary"),
        ("model.safetensors", "weights"),
        ("tokenizer.json.gz", "unpack it"),
        ("notes.txt", "is not named like a tokenizer's file"),
    ],
)
def test_file_names_of_no_known_format(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        formats.read({name: b"a b"})


def test_a_folder_opens_if_it_holds_a_tokenizer(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"is a folder: open the tokenizer's file in it"):
        tokviz.open(tmp_path)
    trained = tokviz.train("abab")
    tokviz.save(trained, tmp_path / "tokenizer.json")
    assert tokviz.open(tmp_path).vocab == trained.vocab


def test_hugging_faces_two_files_are_gpt2s_under_other_names() -> None:
    """As stated in the message about vocab.json."""
    library = family("gpt2")
    model = json.loads(library.to_str())["model"]
    vocab = json.dumps({text: token for text, token in model["vocab"].items() if text != "<s>"}).encode()
    merges = "\n".join(["#version: 0.2", *(" ".join(pair) for pair in model["merges"]), ""]).encode()
    tok = formats.read({"encoder.json": vocab, "vocab.bpe": merges}, split_pattern="gpt2")
    assert tok.encode(CORPUS.replace("<s>", "")) == library.encode(CORPUS.replace("<s>", "")).ids


# ---------------------------------------------------------------- splits that must match everything


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k"])
def test_openais_patterns_match_every_text_whole(name: str) -> None:
    """Even characters that only one of the regex engines knows so far: nothing is refused as lost."""
    library = Tokenizer(
        models.BPE(vocab={char: i for i, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}, merges=[])
    )
    tok = pretrained.load(name if name == "gpt2" else f"{name}_base").cut(0)  # only its pattern matters
    written = json.loads(formats.write(tok, "tokenizer.json").files["tokenizer.json"])
    pattern = written["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"]
    library.pre_tokenizer = sequence(split(pattern, "removed", True), byte_level())
    library.decoder = decoders.ByteLevel()
    library.add_tokens([AddedToken("<s>", special=True)])
    tok = opened(library)
    assert tok.split_patterns == (splitting.PATTERNS[name],)
    for start in (0x80, 0x20000, 0x30000, 0x32300, 0x1DF00, 0x11DE0):
        for code_point in range(start, start + 0x600, 7):
            text = f"a{chr(code_point)}!{chr(code_point)}1"
            assert tok.encode(text) == library.encode(text).ids


# ---------------------------------------------------------------- tokens that no merge makes, and ids with two texts


def with_tokens_that_no_merge_makes(*, one_is_merged: bool) -> Any:
    """A tokenizer with tokens that no merge makes: `<x>`, ` zz`, and one that further merges join, if asked for."""
    library = family("gpt2")
    content = json.loads(library.to_str())
    model = content["model"]
    for text in ("<x>", "Ġzz"):
        model["vocab"][text] = max(model["vocab"].values()) + 2
    if one_is_merged:
        parts = {part for pair in model["merges"] for part in pair}
        model["merges"].remove(next(pair for pair in model["merges"] if "".join(pair) in parts))
    content["added_tokens"] = []
    return Tokenizer.from_str(json.dumps(content))


@pytest.mark.parametrize("one_is_merged", [True, False])
def test_tokens_that_no_merge_makes_are_saved(one_is_merged: bool, tmp_path: Path) -> None:
    library = with_tokens_that_no_merge_makes(one_is_merged=one_is_merged)
    tok = opened(library)
    tokviz.save(tok, tmp_path / "tokenizer.json")
    again, reader = tokviz.open(tmp_path / "tokenizer.json"), Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert again.vocab == tok.vocab
    for token in tok.vocab:
        assert reader.decode([token]) == library.decode([token]) == again.decode([token])
    for text in NASTY:
        assert again.encode(text) == reader.encode(text).ids == library.encode(text).ids
    if one_is_merged:
        with pytest.raises(ValueError, match=r"tokens that no merge makes.*ids would change"):
            formats.write(tok, "vocab.bpe")


@pytest.mark.parametrize("file", ["tokenizer.json", "some.tiktoken", "vocab.bpe", "some.model"])
def test_a_special_token_that_is_an_ordinary_one_as_well_is_read_back_or_refused(file: str) -> None:
    trained = tokviz.train("low lower lowest", num_merges=4, split_pattern="gpt2")
    [token] = (number for number, data in trained.vocab.items() if data == b"low")
    vocab, specials = {**trained.vocab, trained.vocab_size: b"<s>"}, {"low": token, "<s>": trained.vocab_size}
    pattern = trained.split_pattern
    tok = tokviz.BPETokenizer("low", vocab, trained.merges, split_pattern=pattern, special_tokens=specials)
    if file == "some.tiktoken":
        with pytest.raises(ValueError, match=r"257 for the special token 'low' and for an ordinary one"):
            formats.write(tok, file)
        return
    files, left_out = formats.write(tok, file)
    again = formats.read(files, **left_out)
    assert again.special_tokens == tok.special_tokens
    for text in ("lower <s>", "slow low"):
        for allowed_special in ("all", ()):
            assert again.encode(text, allowed_special) == tok.encode(text, allowed_special)
