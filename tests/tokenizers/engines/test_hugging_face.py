"""Hugging Face's library as the engine: ids, decoding and spans are its own."""

import pickle
from bisect import bisect_left, bisect_right
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, pairwise

import pytest
from engine_files import FAMILIES, family, nasty_texts
from tokenizers import AddedToken, Tokenizer, decoders, models, processors

from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer


def opened(name: str) -> HuggingFaceTokenizer:
    return HuggingFaceTokenizer(name, family(name))


def engine(name: str) -> Tokenizer:
    return Tokenizer.from_str(family(name).decode())


def assert_covers(text: str, offsets: list[int], spans: list[tuple[int, int]]) -> None:
    """Tokens tile the text; each covers what it alone has the span of, and else only what no token has."""
    assert offsets[0] == 0
    assert offsets == sorted(offsets)
    assert offsets[-1] == (len(text.encode()) if spans else 0)
    place = [0, *accumulate(len(char.encode()) for char in text)]
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    if [*starts, len(text)] == [0, *ends]:  # the spans tile the text
        assert offsets == [place[at] for at in (*starts, len(text))]
        return
    holders = [0] * len(text)
    for start, end in spans:
        for char in range(start, end):
            holders[char] += 1
    for (start, end), (first, last) in zip(pairwise(offsets), spans, strict=True):
        for char in range(first, last):
            assert holders[char] > 1 or start <= place[char] < place[char + 1] <= end
        assert start == end or not any(holders[bisect_right(place, start) - 1 : first])
        assert start == end or not any(holders[last : bisect_left(place, end)])


@pytest.mark.parametrize("name", FAMILIES)
def test_equals_the_library_on_nasty_texts(name: str) -> None:
    tok, reference = opened(name), engine(name)
    texts = nasty_texts(3_000, name)
    expected = reference.encode_batch(texts, add_special_tokens=False)
    decoded = reference.decode_batch([encoding.ids for encoding in expected], skip_special_tokens=False)
    for text, encoding, back in zip(texts, expected, decoded, strict=True):
        found = tok.tokenize(text, "all")
        assert found.ids.tolist() == encoding.ids
        assert_covers(text, found.byte_offsets.tolist(), encoding.offsets)
        assert tok.decode(encoding.ids) == back


@pytest.mark.parametrize("name", FAMILIES)
def test_equals_the_library_with_what_it_puts_around_a_text(name: str) -> None:
    tok, reference = opened(name), engine(name)
    texts = nasty_texts(3_000, name)
    expected = reference.encode_batch(texts)
    for text, encoding in zip(texts, expected, strict=True):
        assert tok.encode(text, "all", add_special=True) == encoding.ids
    before, after = map(len, tok.around)
    for text, encoding in zip(texts[:300], expected, strict=False):
        found = tok.tokenize(text, "all", add_special=True)
        assert found.ids.tolist() == encoding.ids
        inner = found.byte_offsets.tolist()[before : len(encoding.ids) + 1 - after]
        if len(inner) > 1:
            assert inner == tok.tokenize(text, "all").byte_offsets.tolist()
        assert b"".join(found.token_bytes) == (text.encode() if encoding.ids else b"")
    assert tok.tokenize("", add_special=True).special.all()


@pytest.mark.parametrize("name", FAMILIES)
def test_special_tokens_that_are_not_allowed_are_text(name: str) -> None:
    tok, reference = opened(name), engine(name)
    reference.encode_special_tokens = True
    texts = nasty_texts(300)
    for text, encoding in zip(texts, reference.encode_batch(texts, add_special_tokens=False), strict=True):
        found = tok.tokenize(text)
        assert found.ids.tolist() == tok.encode(text) == encoding.ids
        assert_covers(text, found.byte_offsets.tolist(), encoding.offsets)


@pytest.mark.parametrize("name", ["llama2", "roberta", "modernbert"])
def test_some_special_tokens_can_be_allowed(name: str) -> None:
    """The reference is the library, with a file that lacks the other special tokens where they are in no vocabulary."""
    tok = opened(name)
    for text in ("a<s>b</s>c", "<s> <s>", "</s>"):
        ids = tok.encode(text, {"<s>"})
        assert ids.count(tok.special_tokens["<s>"]) == text.count("<s>")
        assert tok.special_tokens["</s>"] not in ids
        if "<s>" not in text:
            assert ids == tok.encode(text)
        if "</s>" not in text:
            assert ids == tok.encode(text, "all")


@pytest.mark.parametrize("name", FAMILIES)
def test_stages_end_in_the_tokens(name: str) -> None:
    tok, reference = opened(name), engine(name)
    for text in nasty_texts(200):
        normalized, pretokens, tokens, whole = tok.stages(text, "all")
        assert tokens.pieces == tuple(reference.encode(text, add_special_tokens=False).tokens)
        assert whole.pieces == tuple(reference.encode(text).tokens)
        assert (normalized.name, pretokens.name) == ("normalized", "pre-tokens")


def test_stages_equal_the_librarys_parts_where_nothing_is_added() -> None:
    for name in FAMILIES:
        tok, reference = opened(name), engine(name)
        for text in ["é", "¡Hola!", "Größe", "ÀĠ", *nasty_texts(300)]:
            normal = reference.normalizer.normalize_str(text) if reference.normalizer else text
            normalized, pretokens, _, _ = tok.stages(text)
            if any(added.content in text + normal for added in tok.added_tokens.values() if not added.special):
                continue
            is_spelled = tok.library.has_step("ByteLevel", "normalizer")
            assert "".join(normalized.pieces) == normal or is_spelled
            if reference.pre_tokenizer and tok.units != "bytes":
                pieces = [piece for piece, _ in reference.pre_tokenizer.pre_tokenize_str(normal)]
                assert list(pretokens.pieces) == pieces


def changes(name: str, text: str) -> list[str]:
    return [change for stage in opened(name).stages(text) for change in stage.changes]


def test_stages_say_what_they_changed() -> None:
    assert changes("llama2", "low 🍕") == [
        "puts a space in front", "writes each space as ▁", "writes characters without a token as UTF-8 bytes",
        "puts <s> in front",
    ]  # fmt: skip
    assert changes("gemma", "low") == ["puts <s> in front"]
    assert changes("modernbert", "e\u0301")[0] == "converts the text to the Unicode form NFC"
    assert changes("roberta", "low")[0] == "puts a space in front where there is none"
    assert changes("roberta", " low")[0] != "puts a space in front where there is none"
    assert changes("bert", "the low 🍕") == [
        "drops white space between words", "puts [UNK] where no token spells the text", "puts [CLS] in front",
        "puts [SEP] at the end",
    ]  # fmt: skip
    assert "removes accents" in changes("bert", "É")[0]


def test_algorithms_and_models() -> None:
    models_of = {name: opened(name).model for name in FAMILIES}
    assert models_of["llama2"].algorithm == "bpe"
    assert models_of["t5"].algorithm == opened("t5").algorithm == "unigram"
    assert models_of["words"].algorithm == "wordlevel"
    bert = models_of["bert"]
    assert (bert.algorithm, bert.continuing_prefix, bert.word_limit) == ("wordpiece", "##", 100)
    assert bert.unknown is not None
    assert bert.pieces[bert.unknown][0] == "[UNK]"
    assert len(models_of["llama2"].byte_ids) == 256
    assert models_of["llama3"].ignore_merges
    assert models_of["clip"].end_suffix == "</w>"
    tok = opened("t5")
    best = max(range(len(tok.vocab)), key=lambda token: tok.model.pieces[token][1])
    assert tok.library.opened.id_to_token(best) == tok.model.pieces[best][0]


def test_vocabulary_has_the_bytes_that_tokens_stand_for() -> None:
    assert "é".encode() in opened("roberta").vocab.values()
    assert b" the" in opened("llama2").vocab.values()
    assert opened("llama2").vocab[3] == b"\0"
    assert b"##e" in opened("bert").vocab.values()
    for name in FAMILIES:
        assert opened(name).vocab.keys() == set(engine(name).get_vocab().values())


def test_truncation_padding_and_dropout_are_left_out() -> None:
    file = engine("llama2")
    file.enable_truncation(3)
    file.enable_padding(length=50)
    file.model.dropout = 0.9
    tok = HuggingFaceTokenizer("some", file.to_str().encode())
    text = "the lowest of the low"
    assert {tuple(tok.encode(text)) for _ in range(5)} == {tuple(opened("llama2").encode(text))}


def test_spans_are_not_trimmed() -> None:
    file = engine("roberta")
    file.post_processor = processors.ByteLevel(trim_offsets=True)
    tok = HuggingFaceTokenizer("some", file.to_str().encode())
    assert tok.tokenize("the low").token_bytes == opened("roberta").tokenize("the low").token_bytes


def test_tokens_of_a_cut_character_cover_their_own_bytes() -> None:
    assert opened("llama2").tokenize("low 🍕").token_bytes[-4:] == [b"\xf0", b"\x9f", b"\x8d", b"\x95"]
    assert b"".join(opened("roberta").tokenize("🍕").token_bytes[-4:]) == "🍕".encode()
    assert opened("roberta").tokenize("🍕").token_bytes[0] in (b"", b"\xf0")


def test_pickles_hold_the_file_and_receivers_open_it() -> None:
    tok = opened("bert")
    assert pickle.loads(pickle.dumps(tok)) is tok
    with ThreadPoolExecutor(4) as pool:
        texts = nasty_texts(200)
        assert list(pool.map(lambda text: tok.encode(text, "all"), texts)) == [
            encoding.ids for encoding in engine("bert").encode_batch(texts, add_special_tokens=False)
        ]
    state = tok.__getstate__()
    assert state.keys() <= {"name", "data", "_load", "_key", "_is_sealed"}


def test_wrong_ids_and_files_are_refused() -> None:
    tok = opened("t5")
    for wrong in (-1, tok.vocab_size, 2**40):
        with pytest.raises(ValueError, match="is not in use"):
            tok.decode([wrong])
    with pytest.raises(ValueError, match="broken can't be opened"):
        HuggingFaceTokenizer("broken", b'{"model": {"type": "BPE"')
    with pytest.raises(ValueError, match="deep can't be opened"):
        HuggingFaceTokenizer("deep", b'{"a":' * 100_000)
    with pytest.raises(ValueError, match="rules of its own file"):
        tok.with_split_pattern("gpt2")


def test_a_text_that_the_library_refuses() -> None:
    file = Tokenizer(models.WordLevel({"a": 0}, "missing"))
    with pytest.raises(ValueError, match="words can't encode this text"):
        HuggingFaceTokenizer("words", file.to_str().encode()).encode("b")


def test_added_tokens_with_ids_between_those_of_the_vocabulary() -> None:
    file = Tokenizer(models.WordLevel({"a": 0, "b": 7, "<s>": 5, "u": 1}, "u"))
    file.add_tokens([AddedToken("x", special=False), AddedToken("<s>", special=True), AddedToken("y", special=True)])
    tok = HuggingFaceTokenizer("holes", file.to_str().encode())
    for text in ("axb", "<s>", "y<s>"):
        assert tok.encode(text, "all") == file.encode(text).ids
    assert tok.encode("xy") == [tok.encode("x")[0], 1]


@pytest.mark.parametrize(("content", "normalized"), [("QUUX", True), ("QUUX", False), ("other", True)])
def test_added_tokens_that_the_library_tells_apart_by_chance_are_refused(content: str, normalized: bool) -> None:
    lowering = engine("bert")
    lowering.add_tokens([AddedToken("Quux", normalized=True), AddedToken(content, normalized=normalized)])
    data = lowering.to_str()
    if content == "QUUX" and normalized:
        with pytest.raises(ValueError, match="'Quux' and 'QUUX' to the same text"):
            HuggingFaceTokenizer("lowering", data.encode())
    else:
        tok = HuggingFaceTokenizer("lowering", data.encode())
        expected = Tokenizer.from_str(data).encode("a QUUX quux other", add_special_tokens=False).ids
        assert tok.encode("a QUUX quux other", "all") == expected


def test_ids_that_the_library_fails_to_decode_are_refused() -> None:
    """It panics, which is no Exception, where a decoder strips more characters than there are."""
    file = Tokenizer(models.WordLevel({"a": 0, "aa": 1, "u": 2}, "u"))
    file.decoder = decoders.Strip("a", 1, 2)
    tok = HuggingFaceTokenizer("stripping", file.to_str().encode())
    assert tok.decode([2]) == file.decode([2])
    for ids in ([0], [1, 0]):
        with pytest.raises(ValueError, match="stripping can't decode these tokens: the library stopped"):
            tok.decode(ids)
        with pytest.raises(ValueError, match="can't decode"):
            tok.canonical(ids)


@pytest.mark.parametrize("text", ["ab\u0301", "aé", "a\U0001f355b", "abab"])
def test_spans_beyond_the_end_of_the_text(text: str) -> None:
    """The library counts a word's marks that it spells as bytes as if they were in the text."""
    ids = {"a": 0, **{f"<0x{value:02X}>": 1 + value for value in range(256)}}
    file = Tokenizer(models.BPE(ids, [], byte_fallback=True, continuing_subword_prefix="##"))
    expected = file.encode(text)
    assert max(end for _, end in expected.offsets) > len(text)
    found = HuggingFaceTokenizer("marked", file.to_str().encode()).tokenize(text)
    assert found.ids.tolist() == expected.ids
    assert found.byte_offsets[0] == 0
    assert found.byte_offsets[-1] == len(text.encode())
