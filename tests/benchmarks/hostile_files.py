"""Denial-of-service attacks with tokenizer files, run by `hostile.py`."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from attacks import ATTACKER, ask, repeat_requests
from hostile_solutions import IDS, MERGES, ids_request, merges_request
from sentencepiece import sentencepiece_model_pb2

import tokviz
from tokviz import formats

Outcome = Counter[str]

_BERT = {"type": "BertProcessing", "cls": ["<s>", 1], "sep": ["</s>", 2]}


@cache
def _plain() -> bytes:
    return formats.write(tokviz.train("the cat in the hat", num_merges=3), "tokenizer.json").files["tokenizer.json"]


def file(**parts: Any) -> bytes:
    """Return a small tokenizer.json with some of its parts replaced."""
    return json.dumps(json.loads(_plain()) | parts).encode()


async def _open(port: int, data: bytes, outcome: Outcome, name: str = "tokenizer.json") -> str | None:
    """Open a tokenizer file. Returns the tokenizer's id, or None if it is refused."""
    status, answer = await ask(port, ATTACKER, f"/_tokviz/tokenizer-file?name={name}", data)
    outcome[f"file: {status}"] += 1
    return str(json.loads(answer)["name"]) if status == 200 else None


async def unsorted_marks(port: int, seconds: float) -> Outcome:
    """A tokenizer with the normal form NFC, and texts of many marks in the wrong order, up to 9.9 MB."""
    outcome: Outcome = Counter()
    tokenizer = await _open(port, file(normalizer={"type": "NFC"}), outcome)
    for size in (64_000, 250_000, 9_900_000):
        text = "a" + "\u0301" * (size // 4) + "\u0316" * (size // 4)
        status, _ = await ask(port, ATTACKER, f"/_tokviz/tokenize?tokenizer={tokenizer}&counts=1", text.encode())
        outcome[f"text: {status}"] += 1
    return outcome


async def growing_forms(port: int, seconds: float) -> Outcome:
    """A tokenizer with the normal form NFKC, and a text that it makes eleven times as long."""
    outcome: Outcome = Counter()
    tokenizer = await _open(port, file(normalizer={"type": "NFKC"}), outcome)
    text = "\ufdfa" * 3_300_000
    status, _ = await ask(port, ATTACKER, f"/_tokviz/tokenize?tokenizer={tokenizer}", text.encode())
    outcome[f"text: {status}"] += 1
    return outcome


async def post_processors(port: int, seconds: float) -> Outcome:
    """A file of 10 MB with 200,000 post-processors."""
    outcome: Outcome = Counter()
    await _open(port, file(post_processor={"type": "Sequence", "processors": [_BERT] * 200_000}), outcome)
    return outcome


async def kept_parts(port: int, seconds: float) -> Outcome:
    """Six files with 15 MB each that play no part in encoding, and one that nests them 300 deep."""
    outcome: Outcome = Counter()
    nested: list[Any] = [0] * 2_000_000
    for _ in range(300):
        nested = [nested]
    for about in (*[["ab"] * 3_000_000] * 6, nested):
        await _open(port, file(post_processor={"type": "x", "about": about}), outcome)
    return outcome


async def long_tokens(port: int, seconds: float) -> Outcome:
    """A file of 1 KB whose tokens have up to 33,000 bytes, and their cards."""
    outcome: Outcome = Counter()
    lines = ["0 0", *(f"{256 + number} {256 + number}" for number in range(14))]
    lines += [f"{270 + number} 0" for number in range(20)]  # long tokens may have 1 MB together
    data = "\n".join(["minbpe v1", "", "0", *lines, ""]).encode()
    tokenizer = await _open(port, data, outcome, "long.model")
    for number in range(10):
        path = f"/_tokviz/token?tokenizer={tokenizer}&id={255 + len(lines) - number}"
        status, answer = await ask(port, ATTACKER, path, b"", "GET")
        outcome[f"card: {status}, {len(answer) / 1e6:.0f} MB"] += 1
    status, answer = await ask(port, ATTACKER, f"/_tokviz/find?tokenizer={tokenizer}", b"\0")
    outcome[f"search: {status}, {len(answer) / 1e6:.0f} MB"] += 1
    return outcome


async def large_vocabularies(port: int, seconds: float) -> Outcome:
    """Vocabularies of up to 260,000 tokens, and all tables and files that pages ask for of them and of shipped ones."""
    outcome: Outcome = Counter()
    opened = []
    for size in (260_000, 120_000):
        pairs = (divmod(number, 256) for number in range(size - 256))
        lines = "\n".join(f"{left} {right}" for left, right in pairs)
        opened.append(await _open(port, f"minbpe v1\n\n0\n{lines}\n".encode(), outcome, "large.model"))
    for name in (*filter(None, opened), "cl100k_base", "o200k_base", "o200k_harmony"):
        for path in ("trained", "trained/vocabulary", "trained/files", "find"):
            query = f"/_tokviz/{path}?tokenizer={name}&by=text&order=rank&from=0"
            method = "POST" if path in ("trained/vocabulary", "find") else "GET"
            status, _ = await ask(port, ATTACKER, query, b"a" if method == "POST" else b"", method)
            outcome[f"{path}: {status}"] += 1
    return outcome


def unigram(**parts: Any) -> bytes:
    """Return a tokenizer.json that only a native engine reads."""
    pieces = [["<unk>", 0.0], *([chr(letter), -float(letter)] for letter in range(97, 123))]
    model = {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False}
    parts = {"added_tokens": [], "normalizer": None, "pre_tokenizer": None, "decoder": None} | parts
    return json.dumps({"version": "1.0", "post_processor": None, "model": model} | parts).encode()


async def engine_texts(port: int, seconds: float) -> Outcome:
    """A Unigram tokenizer, and 20 clients that repeatedly post it texts of 200 KB and of 9.9 MB."""
    outcome: Outcome = Counter()
    tokenizer = await _open(port, unigram(), outcome)
    path = f"/_tokviz/tokenize?tokenizer={tokenizer}&counts=1"
    texts = (b"the cat " * 25_000, b"the cat " * 1_237_500)
    await asyncio.gather(*(repeat_requests(port, seconds, path, text, 10) for text in texts))
    return outcome


async def endless_engines(port: int, seconds: float) -> Outcome:
    """Ten tokenizers with regular expressions that never end, and texts for them; a normalizer that grows texts."""
    outcome: Outcome = Counter()
    slow = {"type": "Split", "pattern": {"Regex": "(a|aa)+$"}, "behavior": "Isolated", "invert": False}
    long = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 1_000_000}
    for number in range(10):
        data = unigram(normalizer=long) if number % 2 else unigram(pre_tokenizer=slow)
        tokenizer = await _open(port, data, outcome, f"{number}.json")
        if tokenizer:
            path = f"/_tokviz/tokenize?tokenizer={tokenizer}&counts=1"
            status, _ = await ask(port, ATTACKER, path, b"a" * 20_000 + b"b")
            outcome[f"text: {status}"] += 1
    return outcome


async def many_added_tokens(port: int, seconds: float) -> Outcome:
    """A Unigram file with 400,000 added tokens, and one that nests normalizers 300 deep."""
    outcome: Outcome = Counter()
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    added = [{"id": 27 + number, "content": f"<{number}>", **flags} for number in range(400_000)]
    nested: dict[str, Any] = {"type": "NFC"}
    for _ in range(300):
        nested = {"type": "Sequence", "normalizers": [nested]}
    for data in (unigram(added_tokens=added), unigram(normalizer=nested)):
        await _open(port, data, outcome)
    return outcome


def _pieces_of(text: str, longest: int) -> list[str]:
    """Return all substrings of a text up to a length."""
    return list({text[at : at + size]: None for size in range(1, longest + 1) for at in range(len(text) - size + 1)})


def _word_pieces(pieces: list[str], **model: Any) -> bytes:
    vocab = {"[UNK]": 0} | {piece: token for token, piece in enumerate(pieces, 1)}
    parts = {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 10**9} | model
    return unigram(model={"type": "WordPiece", "vocab": vocab, **parts})


async def engine_steps(port: int, seconds: float) -> Outcome:
    """The steps of files made to have many: a piece per substring, long chains of prefixes, words without end.

    Of each: texts of up to 1,000 characters and one of 9.9 MB, as pages to save; of two, longer ones that they take.
    """
    outcome: Outcome = Counter()
    text = "".join(chr(97 + number * number % 26) for number in range(1_000))
    chain = ["a" * size for size in range(1, 1_700)]  # long tokens may have 1 MB together
    files = {
        "substrings": unigram(model=_scored(_pieces_of(text, 150))),
        "chain": unigram(model=_scored(chain)),
        "long words": _word_pieces([*"abc", "##b", *(f"##{piece}" for piece in chain)]),
        "long unknown": _word_pieces(["a"], unk_token="u" * 900_000, vocab={"u" * 900_000: 0, "a": 1}),
        "long prefix": _word_pieces(["a"], continuing_subword_prefix="#" * 500_000),
        "merges": _merging(chain),
    }
    for name, data in files.items():
        tokenizer = await _open(port, data, outcome)
        longer = {"long words": ["ab" * 2_400], "merges": ["a" * 100_000]}.get(name, [])
        for sent in (text[:100], text, "a" * 999, *longer, "a" * 9_900_000):
            path = f"/_tokviz/replay?tokenizer={tokenizer}&order=rank&page=1&step=-2&symbols=text"
            status, answer = await ask(port, ATTACKER, path, sent.encode())
            outcome[f"{name}: {status}, {len(answer) / 1e6:.0f} MB"] += 1
    return outcome


def _scored(pieces: list[str]) -> dict[str, Any]:
    letters = [chr(letter) for letter in range(97, 123)]
    vocab = [["<unk>", 0.0], *([piece, -float(len(piece))] for piece in dict.fromkeys([*letters, *pieces]))]
    return {"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False}


def _merging(chain: list[str]) -> bytes:
    """Return BPE whose merges make ever longer pieces, of two equal ones or of one more character."""
    vocab = {piece: token for token, piece in enumerate(chain)}
    merges = [["a" * (size // 2), "a" * (size - size // 2)] for size in range(2, len(chain) + 1)]
    return unigram(model={"type": "BPE", "vocab": vocab, "merges": merges, "unk_token": None, "byte_fallback": True})


def _sentencepiece(controls: int) -> bytes:
    """Return a SentencePiece model of BPE with two pieces and many control symbols."""
    model = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    model.trainer_spec.model_type = 2
    listed = [("<unk>", 2), ("a", 1), *((f"<{number}>", 3) for number in range(controls))]
    for piece, kind in listed:
        model.pieces.add(piece=piece, score=0.0, type=kind)
    data: bytes = model.SerializeToString()
    return data


async def long_lists(port: int, seconds: float) -> Outcome:
    """400,000 control symbols, as many pieces of words, as many merges; and models damaged in twenty ways."""
    outcome: Outcome = Counter()
    pieces = "\n".join(["[UNK]", "[CLS]", "[SEP]", *map(str, range(400_000))]).encode()
    for name, data in {"long.model": _sentencepiece(400_000), "vocab.txt": pieces}.items():
        await _open(port, data, outcome, name)
    vocab = json.dumps({"a": 0} | {f"x{number}": number + 1 for number in range(400_000)}).encode()
    merges = b"".join(b"x%d a\n" % number for number in range(400_000))
    query = f"name=vocab.json&name=merges.txt&size={len(vocab)}&size={len(merges)}"
    status, _ = await ask(port, ATTACKER, f"/_tokviz/tokenizer-file?{query}", vocab + merges)
    outcome[f"two files: {status}"] += 1
    rng, plain = random.Random(3), _sentencepiece(30)
    for _ in range(20):
        damaged = bytearray(plain)
        for _ in range(3):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        tokenizer = await _open(port, bytes(damaged), outcome, "damaged.model")
        if tokenizer:
            status, _ = await ask(port, ATTACKER, f"/_tokviz/tokenize?tokenizer={tokenizer}", b"abab")
            outcome[f"text: {status}"] += 1
    return outcome


async def solutions(port: int, seconds: float) -> Outcome:
    """Solutions to check: deep, huge, endless, in other encodings, no numbers; and bodies that hold none."""
    outcome: Outcome = Counter()
    sent = [("merges", json.dumps(merges_request(fields))) for fields in MERGES.values()]
    sent += [("ids", json.dumps(ids_request(fields))) for fields in IDS.values()]
    sent += [("merges", body) for body in ("[" * 1_900_000, "9" * 1_900_000, "NaN", "[]", '{"solution": 5}')]

    async def one(name: str, body: str) -> None:
        status, answer = await ask(port, ATTACKER, f"/_tokviz/course/figure/{name}", body.encode())
        said = json.loads(answer)
        sentences = [said["error"]] if "error" in said else said["sentences"]
        is_clear = all(len(each) < 1_000 and each.endswith((".", "!", "?")) for each in sentences)
        outcome[f"{name}: {status}{'' if is_clear else ', unclear'}"] += 1

    for batch in range(0, len(sent), 8):
        await asyncio.gather(*(one(*each) for each in sent[batch : batch + 8]))
    return outcome


ATTACKS: dict[str, Callable[[int, float], Awaitable[Outcome | None]]] = {
    each.__name__: each
    for each in (
        *(unsorted_marks, growing_forms, post_processors, kept_parts, long_tokens, large_vocabularies),
        *(engine_texts, endless_engines, many_added_tokens, engine_steps, long_lists, solutions),
    )
}
