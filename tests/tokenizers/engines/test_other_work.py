"""What engines' tokenizers do beyond encoding: other segmentations, dropout, new special tokens; or why they don't."""

import json
import pickle
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model
from sentencepiece import SentencePieceProcessor
from tokenizers import Tokenizer

import tokviz
from tokviz.subwords import scored_merges
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

WORDS = ["", "low", " lower", "The end", "naïve", "한국 1", "🍕e", "x+1", "newer"]
ENGINES: dict[str, Callable[[], EngineTokenizer]] = {
    **{name: lambda name=name: HuggingFaceTokenizer(name, family(name)) for name in FAMILIES},  # type: ignore[misc]
    "sentencepiece unigram": lambda: SentencePieceTokenizer("sp", sentencepiece_model(model_type="unigram")),
    "sentencepiece bpe": lambda: SentencePieceTokenizer(
        "sp", sentencepiece_model(model_type="bpe", byte_fallback=True, vocab_size=800)
    ),
}


def words_of(tok: EngineTokenizer, text: str) -> list[str]:
    """Return the pre-tokens of a text as the library spells them."""
    if isinstance(tok, SentencePieceTokenizer):
        return [SentencePieceProcessor(model_proto=tok.data).normalize(text)]
    assert isinstance(tok, HuggingFaceTokenizer)
    engine = Tokenizer.from_buffer(tok.data)
    normalized = engine.normalizer.normalize_str(text) if engine.normalizer else text
    if engine.pre_tokenizer is None:
        return [normalized]
    return [word for word, _ in engine.pre_tokenizer.pre_tokenize_str(normalized)]


def ids_of(tok: EngineTokenizer) -> dict[str, int]:
    """Return the ids of the pieces that text can become, from the library."""
    if isinstance(tok, SentencePieceTokenizer):
        processor = SentencePieceProcessor(model_proto=tok.data)
        apart = (processor.is_control, processor.is_unknown, processor.is_unused)
        numbers = [token for token in range(len(processor)) if not any(is_apart(token) for is_apart in apart)]
        return {processor.id_to_piece(token): token for token in numbers}
    assert isinstance(tok, HuggingFaceTokenizer)
    engine = Tokenizer.from_buffer(tok.data)
    added = engine.get_added_tokens_decoder()
    return {piece: token for piece, token in engine.get_vocab().items() if token not in added and token != tok.unknown}


def ways(tok: EngineTokenizer, text: str) -> list[list[int]]:
    """Put every word together in every way, piece by piece, and sort as the method says."""
    ids, (prefix, suffix) = ids_of(tok), tok.marks
    byte_ids = tok.model.byte_ids

    def of_word(word: str, place: int) -> Iterator[list[tuple[int, int]]]:
        if place == len(word):
            yield []
            return
        for end in range(place + 1, len(word) + 1):
            piece = (prefix if place else "") + word[place:end] + (suffix if end == len(word) else "")
            if piece in ids:
                yield from ([(len(word[place:end].encode()), ids[piece]), *rest] for rest in of_word(word, end))
        data = word[place].replace("▁", " ").encode()
        if byte_ids and (len(data) > 1 or word[place] not in ids):
            yield from ([*((1, byte_ids[value]) for value in data), *rest] for rest in of_word(word, place + 1))

    found: list[list[tuple[int, int]]] = [[]]
    for word in words_of(tok, text):
        found = [[*before, *way] for before in found for way in of_word(word, 0)]
    found.sort(key=lambda way: (len(way), [-length for length, _ in way]))
    return [[token for _, token in way] for way in found]


@pytest.mark.parametrize("name", ENGINES)
def test_segmentations_are_all_ways_to_put_the_library_s_words_together(name: str) -> None:
    tok, checked = ENGINES[name](), 0
    for text in WORDS:
        ids = tok.encode(text)
        if tok.unknown in ids:
            with pytest.raises(ValueError, match="an unknown token stands for a part of it"):
                tok.segmentations(text, 5)
            continue
        expected = ways(tok, text)
        if name == "clip" and ids not in expected:  # its small file lacks tokens for some bytes, which are dropped
            with pytest.raises(ValueError, match="rules of its own"):
                tok.segmentations(text, 5)
            continue
        assert ids in expected
        assert tok.segmentations(text, 20) == expected[:20]
        assert len(tok.segmentations(text, 5_000)) == min(len(expected), 5_000)
        checked += len(expected) > 1
    assert checked or name in ("words", "wordlevel")


@pytest.mark.parametrize("name", ENGINES)
def test_segmentations_of_nasty_texts_decode_alike_or_are_refused(name: str) -> None:
    tok = ENGINES[name]()
    for text in nasty_texts(120):
        for allowed in ((), "all"):
            ids = tok.encode(text, allowed)
            try:
                found = tok.segmentations(text, 3, allowed)
            except ValueError as error:
                assert tok.unknown in ids or "rules of its own" in str(error)
                continue
            assert len(found[0]) <= len(ids)
            assert {tok.decode(way) for way in found} == {tok.decode(ids)}


def test_segmentations_are_bounded() -> None:
    with pytest.raises(ValueError, match="up to 10,000 bytes"):
        tokviz.load("qwen3").segmentations("a" * 10_001, 1)
    with pytest.raises(ValueError, match="n must be 0 or more"):
        tokviz.load("qwen3").segmentations("a", -1)


@pytest.mark.parametrize("name", ["qwen3", *(name for name in FAMILIES)])
def test_dropout_leaves_out_what_the_library_leaves_out(name: str) -> None:
    tok: HuggingFaceTokenizer = tokviz.load("qwen3") if name == "qwen3" else HuggingFaceTokenizer(name, family(name))
    if tok.algorithm != "bpe":
        with pytest.raises(ValueError, match="merges nothing"):
            tok.sample("low", 0.5, 1)
        return
    engine = Tokenizer.from_buffer(tok.data)
    engine.encode_special_tokens = True
    engine.model.dropout = 1.0
    takes_whole = json.loads(engine.model.__getstate__()).get("ignore_merges")
    for seed, text in enumerate(nasty_texts(60)):
        try:
            sampled = tok.sample(text, 0.4, seed)
        except ValueError as error:
            assert re.search("rules of its own|no piece of the vocabulary fits", str(error))
            continue
        assert tok.sample(text, 0, seed) == tok.encode(text)
        assert sampled == tok.sample(text, 0.4, seed)
        assert tok.decode(sampled) == tok.decode(tok.encode(text))
        if not takes_whole:
            assert tok.sample(text, 1, seed) == engine.encode(text, add_special_tokens=False).ids
    assert len({tuple(tok.sample("lowest newer things", 0.5, seed)) for seed in range(20)}) > 3


@pytest.mark.parametrize(
    "options", [{}, {"byte_fallback": True, "vocab_size": 800}, {"user_defined_symbols": "the,▁lo"}]
)
def test_dropout_of_sentencepiece_leaves_out_what_the_library_leaves_out(options: dict[str, Any]) -> None:
    data = sentencepiece_model(model_type="bpe", **options)
    tok, processor = SentencePieceTokenizer("sp", data), SentencePieceProcessor(model_proto=data)
    for seed, text in enumerate(nasty_texts(90)):
        everything = processor.encode(text, enable_sampling=True, alpha=1.0, nbest_size=-1)
        assert tok.sample(text, 1, seed) == everything
        parts = [(segment.text, segment.special) for segment in tok._text_segments(text, frozenset())]
        merged = scored_merges.merge_with_dropout(tok._scored_pieces, parts, 0.0, random.Random(seed))
        assert merged == tok.sample(text, 0, seed) == processor.encode(text)
        sampled = tok.sample(text, 0.4, seed)
        assert sampled == tok.sample(text, 0.4, seed)
        assert tok.decode(sampled) == tok.decode(tok.encode(text))
    few = {tuple(tok.sample("lowest", 0.5, seed)) for seed in range(400)}
    library = {tuple(processor.encode("lowest", enable_sampling=True, alpha=0.5, nbest_size=-1)) for _ in range(400)}
    assert len(few) > 3 and few & library
    assert tok.sample("low</s>er", 0, 1, "all") == tok.encode("low</s>er", "all")


@pytest.mark.parametrize("name", ENGINES)
def test_new_special_tokens_change_no_other_id(name: str) -> None:
    tok = ENGINES[name]()
    after = tok.vocab_size
    given = tok.with_special_tokens(["<|new|>", "[other]"])
    assert given.special_tokens == {**tok.special_tokens, "<|new|>": after, "[other]": after + 1}
    assert given.vocab == {**tok.vocab, after: b"<|new|>", after + 1: b"[other]"}
    assert given.around == tok.around and given.name == tok.name
    for text in nasty_texts(60):
        assert given.encode(text) == tok.encode(text)
        assert given.encode(text, tok.special_tokens.keys()) == tok.encode(text, "all")
        parts = [tok.encode(text), [after], tok.encode(text)]
        if isinstance(tok, SentencePieceTokenizer):
            assert given.encode(f"{text}<|new|>{text}", {"<|new|>"}) == [token for part in parts for token in part]
    assert after + 1 in given.encode("a[other]", "all") and after + 1 not in given.encode("a[other]")
    assert pickle.loads(pickle.dumps(given)).encode("a[other]", "all") == given.encode("a[other]", "all")
    assert tok.with_special_tokens({"<|new|>": after, "[other]": after + 1}).special_tokens == given.special_tokens
    assert given.with_special_tokens(["<|new|>"]).special_tokens == given.special_tokens


@pytest.mark.parametrize("name", FAMILIES)
def test_the_library_reads_the_file_with_new_special_tokens(name: str) -> None:
    tok = HuggingFaceTokenizer(name, family(name)).with_special_tokens(["<|new|>"])
    engine = Tokenizer.from_buffer(tok.data)
    for text in nasty_texts(60):
        for whole in (text, f"{text}<|new|>{text}"):
            assert tok.encode(whole, "all") == engine.encode(whole, add_special_tokens=False).ids


@pytest.mark.parametrize("name", ["qwen3", "mistral-7b", "bert-base-uncased"])
def test_ids_and_texts_in_use_are_refused(name: str) -> None:
    tok: Any = tokviz.load(name)
    for wrong, message in (
        ({"<|new|>": 7}, "the id 7 of '<|new|>' is in use"),
        ({"<|new|>": tok.vocab_size + 5}, f"{tok.vocab_size}"),
        (["the"], "'the' is a token of .* already"),
        ([""], "must not be empty"),
    ):
        with pytest.raises(ValueError, match=message.replace("|", r"\|")):
            tok.with_special_tokens(wrong)


CALLS: list[Callable[[Any], object]] = [
    lambda tok: tok.unstable_tail("low er"),
    lambda tok: tok.heal("low er"),
    lambda tok: tok.segmentations("low er", 3),
    lambda tok: tok.sample("low er", 0.5, 1),
    lambda tok: tok.with_special_tokens(["<|new|>"]),
    lambda tok: tok.without([max(tok.vocab)]),
]


@pytest.mark.parametrize("name", [*ENGINES, "code points", "bytes", "words of a text", "trained"])
def test_what_can_t_be_done_exactly_is_refused_in_a_sentence(name: str) -> None:
    others: dict[str, Callable[[], tokviz.Tokenizer]] = {
        "code points": tokviz.CharacterTokenizer,
        "bytes": tokviz.ByteTokenizer,
        "words of a text": lambda: tokviz.WordTokenizer.from_text("low er"),
        "trained": lambda: tokviz.train("low lower", num_merges=3, alphabet="characters", end_of_word="</w>"),
    }
    tok = (others | ENGINES)[name]()
    for call in CALLS:
        try:
            call(tok)
        except ValueError as error:
            said = str(error)
            assert len(said.split()) > 6 and (tok.name in said or "token" in said)


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("call", [CALLS[0], CALLS[1], CALLS[-1]], ids=["unstable_tail", "heal", "without"])
def test_what_an_engine_can_t_tell_is_refused_with_the_reason(name: str, call: Callable[[Any], object]) -> None:
    tok = ENGINES[name]()
    with pytest.raises(ValueError, match=r"another library encodes its texts.* works only for byte pair") as refused:
        call(tok)
    assert tok.name in str(refused.value)


def test_spellings_tell_pieces_inside_words_from_others() -> None:
    bert = tokviz.load("bert")
    ways = bert.segmentations("unaffable", 100)
    rng = random.Random(1)
    for way in rng.sample(ways, 5):
        first, *rest = (bert.vocab[token].decode() for token in way)
        assert not first.startswith("##") and all(piece.startswith("##") for piece in rest)
        assert first + "".join(piece.removeprefix("##") for piece in rest) == "unaffable"


@pytest.mark.parametrize("tok", [tokviz.CharacterTokenizer(), tokviz.ByteTokenizer()], ids=lambda tok: tok.name)
def test_a_token_for_each_unit_stays_whatever_follows(tok: tokviz.Tokenizer) -> None:
    for text, following in (("", "a"), ("e", "\u0301"), ("naïve🇫", "🇷 end")):
        ids = tok.encode(text)
        assert tok.encode(text + following)[: len(ids)] == ids
        assert tok.unstable_tail(text) == (0, "")
        healed = tok.heal(text)
        assert (healed.ids, healed.rest) == (ids, b"") and tok.encode(following)[0] in healed.next_ids
        assert (tok.segmentations(text, 9), tok.segmentations(text, 0)) == ([ids], [])
