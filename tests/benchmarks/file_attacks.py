"""Attacks with tokenizer files, and with what their engines make of little: see `attacks`."""

import asyncio
import json
import random
import statistics
import time
from functools import cache
from typing import Any

from attacks import ATTACKER, OTHERS, Run, ask, attack
from hostile_solutions import IDS, MERGES, ids_request, merges_request
from sentencepiece import sentencepiece_model_pb2

import tokviz
from tokviz import formats

_BERT = {"type": "BertProcessing", "cls": ["<s>", 1], "sep": ["</s>", 2]}


@cache
def _plain() -> bytes:
    return formats.write(tokviz.train("the cat in the hat", num_merges=3), "tokenizer.json").files["tokenizer.json"]


def file(**parts: Any) -> bytes:
    """Return a small tokenizer.json with some of its parts replaced."""
    return json.dumps(json.loads(_plain()) | parts).encode()


def large(size: int) -> bytes:
    """Return a vocabulary in the format of minbpe, whose merges are all different."""
    pairs = (divmod(number, 256) for number in range(size - 256))
    lines = "\n".join(f"{left} {right}" for left, right in pairs)
    return f"minbpe v1\n\n0\n{lines}\n".encode()


async def ask_of_vocabulary(run: Run, name: str, address: str = ATTACKER) -> None:
    """Ask for all tables and files that pages ask for of a tokenizer."""
    for path in ("trained", "trained/vocabulary", "trained/files", "find"):
        query = f"/_tokviz/{path}?tokenizer={name}&by=text&order=rank&from=0"
        is_posted = path in ("trained/vocabulary", "find")
        await run.ask(query, b"a" if is_posted else b"", "POST" if is_posted else "GET", address=address)


@attack
async def unsorted_marks(run: Run) -> None:
    """A tokenizer with the normal form NFC, and texts of many marks in the wrong order, up to 9.9 MB."""
    tokenizer = await run.open(file(normalizer={"type": "NFC"}))
    for size in (64_000, 250_000, 9_900_000):
        text = "a" + "\u0301" * (size // 4) + "\u0316" * (size // 4)
        await run.ask(f"/_tokviz/tokenize?tokenizer={tokenizer}&counts=1", text.encode())


@attack
async def growing_forms(run: Run) -> None:
    """A tokenizer with the normal form NFKC, and a text that it makes eleven times as long."""
    tokenizer = await run.open(file(normalizer={"type": "NFKC"}))
    text = "\ufdfa" * 3_300_000
    await run.ask(f"/_tokviz/tokenize?tokenizer={tokenizer}", text.encode())


@attack
async def post_processors(run: Run) -> None:
    """A file of 10 MB with 200,000 post-processors."""
    await run.open(file(post_processor={"type": "Sequence", "processors": [_BERT] * 200_000}))


@attack
async def kept_parts(run: Run) -> None:
    """Six files with 15 MB each that play no part in encoding, and one that nests them 300 deep."""
    nested: list[Any] = [0] * 2_000_000
    for _ in range(300):
        nested = [nested]
    for about in (*[["ab"] * 3_000_000] * 6, nested):
        await run.open(file(post_processor={"type": "x", "about": about}))


@attack
async def long_tokens(run: Run) -> None:
    """A file of 1 KB whose tokens have up to 33,000 bytes, and their cards."""
    lines = ["0 0", *(f"{256 + number} {256 + number}" for number in range(14))]
    lines += [f"{270 + number} 0" for number in range(20)]  # long tokens may have 1 MB together
    data = "\n".join(["minbpe v1", "", "0", *lines, ""]).encode()
    tokenizer = await run.open(data, "long.model")
    for number in range(10):
        path = f"/_tokviz/token?tokenizer={tokenizer}&id={255 + len(lines) - number}"
        await run.ask(path, method="GET")
    await run.ask(f"/_tokviz/find?tokenizer={tokenizer}", b"\0")


@attack
async def large_vocabularies(run: Run) -> None:
    """Vocabularies of up to 260,000 tokens, and all tables and files that pages ask for of them and of shipped ones."""
    opened = [await run.open(large(size), "large.model") for size in (260_000, 120_000)]
    for name in (*filter(None, opened), "cl100k_base", "o200k_base", "o200k_harmony"):
        await ask_of_vocabulary(run, name)


def unigram(**parts: Any) -> bytes:
    """Return a tokenizer.json that only a native engine reads."""
    pieces = [["<unk>", 0.0], *([chr(letter), -float(letter)] for letter in range(97, 123))]
    model = {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False}
    parts = {"added_tokens": [], "normalizer": None, "pre_tokenizer": None, "decoder": None} | parts
    return json.dumps({"version": "1.0", "post_processor": None, "model": model} | parts).encode()


@attack
async def engine_texts(run: Run) -> None:
    """A Unigram tokenizer, and 20 clients that repeatedly post it texts of 200 KB and of 9.9 MB."""
    tokenizer = await run.open(unigram())
    path = f"/_tokviz/tokenize?tokenizer={tokenizer}&counts=1"
    texts = (b"the cat " * 25_000, b"the cat " * 1_237_500)
    await run.repeat(10, *((path, text, "POST") for text in texts))


@attack
async def endless_engines(run: Run) -> None:
    """Ten tokenizers with regular expressions that never end, and texts for them; a normalizer that grows texts."""
    slow = {"type": "Split", "pattern": {"Regex": "(a|aa)+$"}, "behavior": "Isolated", "invert": False}
    long = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 1_000_000}
    for number in range(10):
        data = unigram(normalizer=long) if number % 2 else unigram(pre_tokenizer=slow)
        tokenizer = await run.open(data, f"{number}.json")
        if tokenizer:
            path = f"/_tokviz/tokenize?tokenizer={tokenizer}&counts=1"
            await run.ask(path, b"a" * 20_000 + b"b")


@attack
async def many_added_tokens(run: Run) -> None:
    """A Unigram file with 400,000 added tokens, and one that nests normalizers 300 deep."""
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    added = [{"id": 27 + number, "content": f"<{number}>", **flags} for number in range(400_000)]
    nested: dict[str, Any] = {"type": "NFC"}
    for _ in range(300):
        nested = {"type": "Sequence", "normalizers": [nested]}
    for data in (unigram(added_tokens=added), unigram(normalizer=nested)):
        await run.open(data)


def _pieces_of(text: str, longest: int) -> list[str]:
    """Return all substrings of a text up to a length."""
    return list({text[at : at + size]: None for size in range(1, longest + 1) for at in range(len(text) - size + 1)})


def _word_pieces(pieces: list[str], **model: Any) -> bytes:
    vocab = {"[UNK]": 0} | {piece: token for token, piece in enumerate(pieces, 1)}
    parts = {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 10**9} | model
    return unigram(model={"type": "WordPiece", "vocab": vocab, **parts})


@attack
async def engine_steps(run: Run) -> None:
    """The steps of files made to have many: a piece per substring, long chains of prefixes, words without end.

    Of each: texts of up to 1,000 characters and one of 9.9 MB, as pages to save; of two, longer ones that they take.
    """
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
        tokenizer = await run.open(data)
        longer = {"long words": ["ab" * 2_400], "merges": ["a" * 100_000]}.get(name, [])
        for sent in (text[:100], text, "a" * 999, *longer, "a" * 9_900_000):
            path = f"/_tokviz/replay?tokenizer={tokenizer}&order=rank&page=1&step=-2&symbols=text"
            await run.ask(path, sent.encode(), what=name)


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


@attack
async def long_lists(run: Run) -> None:
    """400,000 control symbols, as many pieces of words, as many merges; and models damaged in twenty ways."""
    pieces = "\n".join(["[UNK]", "[CLS]", "[SEP]", *map(str, range(400_000))]).encode()
    for name, data in {"long.model": _sentencepiece(400_000), "vocab.txt": pieces}.items():
        await run.open(data, name)
    vocab = json.dumps({"a": 0} | {f"x{number}": number + 1 for number in range(400_000)}).encode()
    merges = b"".join(b"x%d a\n" % number for number in range(400_000))
    query = f"name=vocab.json&name=merges.txt&size={len(vocab)}&size={len(merges)}"
    await run.ask(f"/_tokviz/tokenizer-file?{query}", vocab + merges, what="two files")
    rng, plain = random.Random(3), _sentencepiece(30)
    for _ in range(20):
        damaged = bytearray(plain)
        for _ in range(3):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        tokenizer = await run.open(bytes(damaged), "damaged.model")
        if tokenizer:
            await run.ask(f"/_tokviz/tokenize?tokenizer={tokenizer}", b"abab")


@attack
async def solutions(run: Run) -> None:
    """Solutions to check: deep, huge, endless, in other encodings, no numbers; and bodies that hold none."""
    sent = [("merges", json.dumps(merges_request(fields))) for fields in MERGES.values()]
    sent += [("ids", json.dumps(ids_request(fields))) for fields in IDS.values()]
    sent += [("merges", body) for body in ("[" * 1_900_000, "9" * 1_900_000, "NaN", "[]", '{"solution": 5}')]

    async def one(name: str, body: str) -> None:
        _, answer = await run.ask(f"/_tokviz/course/figure/{name}", body.encode())
        said = json.loads(answer)
        sentences = [said["error"]] if "error" in said else said["sentences"]
        is_clear = all(len(each) < 1_000 and each.endswith((".", "!", "?")) for each in sentences)
        if not is_clear:
            run.count(f"{name}: unclear")

    for batch in range(0, len(sent), 8):
        await asyncio.gather(*(one(*each) for each in sent[batch : batch + 8]))


# Engines


def word_level(vocab: dict[str, int], **parts: Any) -> bytes:
    """Return a tokenizer.json of words."""
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "[UNK]"}
    return unigram(model=model, pre_tokenizer={"type": "Whitespace"}, **parts)


@attack
async def decoders(run: Run) -> None:
    """A decoder that makes 90,000 characters of an emoji and others of each token, and lists of 600 ids."""
    replace = {"type": "Replace", "pattern": {"String": "a"}, "content": "🤡" + "x" * 90_000}
    opened = await run.open(word_level({"[UNK]": 0, "a": 1}, decoder=replace))
    for _ in range(4):
        for path, body in (("decode", json.dumps({"ids": [1] * 600}).encode()), ("trained/read", b"a " * 600)):
            await run.ask(f"/_tokviz/{path}?tokenizer={opened}", body)


@attack
async def sparse_ids(run: Run) -> None:
    """Three pieces of which one has the id 3,800,000, and 40,000,000: their list."""
    for highest in (3_800_000, 40_000_000):
        opened = await run.open(word_level({"[UNK]": 0, "a": 1, "b": highest}))
        await run.ask(f"/_tokviz/trained/pieces?tokenizer={opened}&order=id&from=0")


@attack
async def doubling_tokens(run: Run) -> None:
    """Files of minbpe with 8 to 22 tokens, each twice as long as the one before, and what pages ask about them."""
    for count in (8, 11, 14, 18, 22):
        lines = ["0 0", *(f"{255 + number} {255 + number}" for number in range(1, count))]
        opened = await run.open("\n".join(["minbpe v1", "", "0", *lines, ""]).encode(), "doubling.model")
        for show in ("all", "unreachable", "across%20words") if opened else ():
            path = f"/_tokviz/trained/vocabulary?tokenizer={opened}&by=text&order=rank&from=0&show={show}"
            await run.ask(path, what=show)


@attack
async def slow_engines(run: Run) -> None:
    """Two addresses whose normalizer makes 50,000 letters of each, again and again; a third types with an engine's."""
    long = {"type": "Replace", "pattern": {"String": "a"}, "content": "b" * 50_000}
    opened = {each: await run.open(unigram(normalizer=long), address=each) for each in (ATTACKER, OTHERS[0])}
    typed = await run.open(unigram(), address=OTHERS[1])

    async def type_on() -> None:
        waits = []
        while not run.is_over:
            begun = time.monotonic()
            await ask(run.port, OTHERS[1], f"/_tokviz/tokenize?tokenizer={typed}&counts=1", b"the cat " * 20)
            waits.append(1000 * (time.monotonic() - begun))
            await asyncio.sleep(0.1)
        run.count(f"the third waits {statistics.median(waits):.0f} ms, at most {max(waits):.0f}")

    attacks = (
        run.repeat(3, (f"/_tokviz/rewriting?tokenizer={name}&start=0&end=1", b"a" * 400, "POST"), address=address)
        for address, name in opened.items()
    )
    await asyncio.gather(type_on(), *attacks)
