"""The chapter "families": its facts, and the figures it computes."""

import io
import json
import math
import unicodedata
from functools import cache

import pytest
import sentencepiece
import tokenizers
import transformers
from chapter_facts import Facts, expect_true
from shipped import encoding_of
from subword_models import processor, proto
from tiktoken.model import MODEL_TO_ENCODING

from tokviz.course import families
from tokviz.course.chapters import chapter
from tokviz.course.pieces import corpus
from tokviz.pretrained import open_models
from tokviz.samples import samples
from tokviz.tokenizers.engines.engine import EngineTokenizer

HELLO = "hello world! 你好，世界!"
VALUES = {block.name: block.value for block in chapter("families").blocks if block.kind == "figure"}
MISTRAL = open_models.read("mistral-7b")
PASSAGES = [each.text for each in samples() if each.kind == "prose"]


@cache
def small_model(coverage: float) -> bytes:
    """Train the small model of the figure with the library itself."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter("\n".join(PASSAGES).split("\n")),
        model_writer=written,
        model_type="bpe",
        vocab_size=families.SIZE,
        character_coverage=coverage,
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        hard_vocab_limit=False,
        num_threads=1,
        minloglevel=2,
    )
    return written.getvalue()


def without_fallback(model: bytes) -> bytes:
    changed = proto(model)
    changed.trainer_spec.byte_fallback = False
    kept = [piece for piece in changed.pieces if piece.type != 6]
    del changed.pieces[:]
    changed.pieces.extend(kept)
    return bytes(changed.SerializeToString())


def unknown_pieces(model: bytes, text: str) -> list[str]:
    """Pieces of a text that the library finds unknown, as they stand in the text."""
    found = processor(model)
    spelled = found.encode(text, out_type=str)
    return [piece for piece, token in zip(spelled, found.encode(text), strict=True) if token == found.unk_id()]


def algorithm(name: str) -> str:
    """Return the algorithm that Hugging Face's class for a model sets up, and whether bytes stand in for characters."""
    model = getattr(transformers, f"{name}Tokenizer")().backend_tokenizer.model
    return f"{type(model).__name__}{' with fallback' if getattr(model, 'byte_fallback', False) else ''}"


def algorithms(*names: str) -> set[str]:
    return {algorithm(name) for name in names}


def ways(word: str, pieces: set[str], longest: int) -> int:
    """Count the ways to put a word together, by trying each piece that it begins with."""
    if not word:
        return 1
    return sum(
        ways(word[end:], pieces, longest) for end in range(1, longest + 1) if end <= len(word) and word[:end] in pieces
    )


def unigram_pieces() -> list[str]:
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(line for line in corpus()[:200_000].split("\n") if line.strip()),
        model_writer=written,
        model_type="unigram",
        vocab_size=2000,
        max_sentence_length=100_000,
        num_threads=1,
        minloglevel=2,
    )
    return [piece.piece for piece in proto(written.getvalue()).pieces if piece.type == 1]


@cache
def library_bert() -> tokenizers.BertWordPieceTokenizer:
    vocabulary = open_models.read("bert-base-uncased").decode().splitlines()
    return tokenizers.BertWordPieceTokenizer({piece: token for token, piece in enumerate(vocabulary)}, lowercase=True)


def spelled(coverage: float, text: str) -> list[str]:
    return unknown_pieces(without_fallback(small_model(coverage)), text)


def covered(coverage: float) -> float:
    """Return which part of the training text the characters that the library keeps make up."""
    text = "".join(PASSAGES).replace("\n", "").replace(" ", "▁")
    kept = {piece.piece for piece in proto(small_model(coverage)).pieces if len(piece.piece) == 1}
    return sum(char in kept for char in text) / len(text)


FACTS: Facts = {
    "All texts are made of the same 256": lambda: (
        len(encoding_of("cl100k_base").encode_ordinary("a")) == 1
        and {bytes([byte]) for byte in range(256)} <= set(encoding_of("cl100k_base").token_byte_values())
    ),
    "a character of its own (U+2581)": lambda: "▁" == "\u2581",
    "world becomes the piece ▁world at the beginning of a text as well as after a space": lambda: (
        processor(MISTRAL).encode("world", out_type=str) == processor(MISTRAL).encode("a world", out_type=str)[1:]
    ),
    "Unicode has more than 140,000 characters": lambda: (
        sum(unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs") for code in range(0x110000)) > 140_000
    ),
    "Mistral 7B's vocabulary 32,768 places": lambda: processor(MISTRAL).vocab_size() == 32_768,
    "each character becomes its bytes, written like <0xE4>": lambda: processor(MISTRAL).piece_to_id("<0xE4>") > 0,
    "The small model below has never read the character 世": lambda: not any("世" in text for text in PASSAGES),
    "With a coverage of 99 %, it stops when they make up about 99 % of that text": lambda: (
        round(covered(0.99), 3) == 0.99
    ),
    "Every unknown character becomes the same token": lambda: spelled(0.98, "世") == ["世"],
    "With byte fallback, this one character becomes three tokens, and the text comes back": lambda: (
        len([piece for piece in processor(small_model(0.98)).encode("a世", out_type=str) if piece.startswith("<0x")])
        == 3
        and processor(small_model(0.98)).decode(processor(small_model(0.98)).encode("a世")) == "a世"
    ),
    "learned from a few sentences in 32 languages": lambda: len(PASSAGES) == 32,
    "At 99 % it knows 好": lambda: spelled(0.98, "a好") != [] and spelled(0.99, "a好") == [],
    "even at 100 % it lacks 世, 界 and !, since that text had none of them": lambda: all(
        spelled(1, f"a{char}") and char not in "".join(PASSAGES) for char in "世界!"
    ),
    "Without byte fallback, Mistral 7B would lose letters of Ethiopia": lambda: (
        len(unknown_pieces(without_fallback(MISTRAL), "በሰላም")) > 0
    ),
    "such characters make one <unk>, which is decoded as ⁇": lambda: (
        processor(small_model(1)).decode([processor(small_model(1)).unk_id()]).strip() == "⁇"
    ),
    "e (about 2.718)": lambda: round(math.e, 3) == 2.718,
    "to the power of −5.3 is 0.005, so a piece with a chance of 0.5 % has the piece score −5.3": lambda: (
        round(math.exp(-5.3), 3) == 0.005
    ),
    "A sum that is lower by 4.63 is 103 times less likely, since e to the power of 4.63 is about 103": lambda: (
        round(math.exp(4.63)) == 103
    ),
    "takes accents away (ß and ø stay)": lambda: (
        library_bert().encode("éßø", add_special_tokens=False).tokens == ["e", "##ß", "##ø"]
    ),
    "each learned 2,000 tokens": lambda: {len(tokenizer.vocab) for tokenizer in families.learned().values()} == {2000},
    "Unigram's 2,000 pieces spell": lambda: len(families.learned()["Unigram"].vocab) == 2_000,
    "1576": lambda: ways("▁unexpectedly", set(unigram_pieces()), 16) == 76,  # the choices
    "GPT-2 and all GPTs since, Llama 3, Qwen3, DeepSeek V3": lambda: (
        {"gpt2", "cl100k_base", "o200k_base"} <= set(MODEL_TO_ENCODING.values())
        and algorithms("GPT2", "Qwen2") == {"BPE"}
    ),
    "Over characters, with byte fallback: Llama 2, Gemma, Mistral 7B": lambda: (
        algorithms("Llama", "Gemma") == {"BPE with fallback"}
        and (proto(MISTRAL).trainer_spec.model_type, proto(MISTRAL).trainer_spec.byte_fallback) == (2, True)
    ),
    "Unigram: T5, ALBERT, XLNet, XLM-RoBERTa": lambda: algorithms("T5", "Albert", "XLNet", "XLMRoberta") == {"Unigram"},
    "WordPiece: BERT, DistilBERT, ELECTRA": lambda: algorithms("Bert", "DistilBert", "Electra") == {"WordPiece"},
    "Your text in seven tokenizers, of all families but Unigram": lambda: (
        {row["family"].split(" over")[0] for row in families.kinds("a")["rows"]} == {"BPE", "WordPiece"}
    ),
    "BERT's tokenizer of 2018": lambda: True,  # its paper: arXiv 1810.04805
}


def test_every_fact_is_true() -> None:
    expect_true("families", FACTS)


@pytest.mark.parametrize("coverage", families.COVERAGES)
def test_the_small_model_is_what_the_library_learns(coverage: str) -> None:
    learned = [(piece.piece, piece.score) for piece in proto(small_model(float(coverage))).pieces]
    assert list(families.covering(coverage).model.pieces) == learned
    known = sum(len(piece) == 1 for piece, _ in learned)
    assert families.strangers("", coverage, byte_fallback=True)["known"] == known


@pytest.mark.parametrize("text", [HELLO, "", "a\ud800b", "שלום በሰላም", "Łódź,  two", "x" * 5_000])
@pytest.mark.parametrize("byte_fallback", [True, False])
def test_both_models_are_switched_as_the_library_does(text: str, byte_fallback: bool) -> None:
    cut = text.replace("\ud800", "\ufffd")[: families.MAX_CHARACTERS]
    found = families.strangers(text, "0.98", byte_fallback=byte_fallback)
    tiktoken_row, *rows = found["rows"]
    assert tiktoken_row["count"] == len(encoding_of("cl100k_base").encode_ordinary(cut))
    for row, model in zip(rows, (MISTRAL, small_model(0.98)), strict=True):
        library = processor(model if byte_fallback else without_fallback(model))
        ids = library.encode(cut)
        assert (row["count"], row["unknown"]) == (len(ids), ids.count(library.unk_id()))
        assert row["back"] == (None if library.decode(ids) == cut else library.decode(ids))
        assert [known for _, known in row["pieces"]] == [token != library.unk_id() for token in ids[:60]]
        assert [piece for piece, known in row["pieces"] if known] == [
            library.id_to_piece(token) for token in ids[:60] if token != library.unk_id()
        ]


def test_bytes_and_spaces_of_any_text_come_back() -> None:
    for row in families.strangers(" Łódź,  two spaces ", "0.98", byte_fallback=True)["rows"]:
        assert row["back"] is None


def test_a_character_that_is_cut_is_named() -> None:
    cl100k = encoding_of("cl100k_base")
    assert families.strangers(HELLO, "1", byte_fallback=True)["cut"] == {"character": "世", "bytes": "e4 b8"}
    assert b"\xe4\xb8" in cl100k.decode_tokens_bytes(cl100k.encode_ordinary(HELLO))
    assert families.strangers("hello", "1", byte_fallback=True)["cut"] is None


def test_an_unknown_coverage() -> None:
    with pytest.raises(ValueError, match="must be one of"):
        families.strangers("a", "0.5", byte_fallback=True)


def test_three_ways_on_one_word_are_three_cuts() -> None:
    found = families.three_ways(VALUES["threeways"])["ways"]
    assert [way["figure"]["widget"] for way in found] == ["replay", "lattice", "matches"]
    assert len({tuple(map(tuple, way["pieces"])) for way in found}) == 3
    spelled = ["".join(piece.lstrip("▁#") for piece, _ in way["pieces"]) for way in found]
    assert spelled == [VALUES["threeways"]] * 3


def test_word_piece_takes_the_longest_that_fits() -> None:
    word, tokenizer = VALUES["threeways"], families.learned()["WordPiece"]
    assert isinstance(tokenizer, EngineTokenizer)
    pieces = set(json.loads(tokenizer.data)["model"]["vocab"])
    cut: list[str] = []
    rest = word
    while rest:
        prefix = "##" if cut else ""
        longest = max((rest[:end] for end in range(1, len(rest) + 1) if prefix + rest[:end] in pieces), key=len)
        cut.append(prefix + longest)
        rest = rest.removeprefix(longest)
    assert [piece for piece, _ in families.three_ways(word)["ways"][2]["pieces"]] == cut


@pytest.mark.parametrize("word", ["", "\ud800", "שלום", "x" * 1_000, "two words", "👨‍👩‍👧‍👦"])
def test_hostile_words(word: str) -> None:
    assert len(families.three_ways(word)["ways"]) == (3 if word else 0)


def test_what_each_family_gives_back() -> None:
    rows = {row["name"]: row for row in families.kinds(VALUES["kinds"])["rows"]}
    assert [name for name, row in rows.items() if row["back"] is not None] == ["BERT"]
    bert = library_bert()
    assert rows["BERT"]["back"] == bert.decode(
        bert.encode(VALUES["kinds"], add_special_tokens=False).ids, skip_special_tokens=False
    )
    assert rows["BERT"]["family"] == "WordPiece"
    assert rows["Mistral 7B"]["family"] == "BPE over characters, with byte fallback"
    assert {row["family"] for name, row in rows.items() if name not in ("BERT", "Mistral 7B")} == {"BPE over bytes"}
    assert rows["cl100k"]["count"] == len(encoding_of("cl100k_base").encode_ordinary(VALUES["kinds"]))


def test_bert_forgets_the_spaces_around_unknown_words_too() -> None:
    bert = next(row for row in families.kinds("a 🦊 b 🦊🦊")["rows"] if row["name"] == "BERT")
    assert bert["pieces"] == [("a", True), ("🦊", False), ("b", True), ("🦊🦊", False)]
    assert bert["unknown"] == library_bert().encode("a 🦊 b 🦊🦊").tokens.count("[UNK]")


@pytest.mark.parametrize("text", ["", "\ud800", "x " * 100_000, "שלום עולם"])
def test_hostile_texts(text: str) -> None:
    found = families.kinds(text)
    assert found["cut"] == (len(text) > families.MAX_TEXT)
    assert len(found["rows"]) == 7
