"""Tokenizer files for tests: small files of every family, written by the original libraries, which also read ours.

The reference libraries are tiktoken and Hugging Face's `tokenizers`. minbpe is not on the package index; `Minbpe` is a
slow rewrite of its published loading and encoding.
"""

import base64
import json
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import Any

import regex
import tiktoken
import tiktoken.load
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

import tokviz
from tokviz import formats

FORMATS = ("some.tiktoken", "vocab.bpe", "tokenizer.json", "some.model")
CORPUS = (
    "The lowest of the low: it's 12345 newer, wider   things!\n\n  "
    "They'll see I'M naïve, cafe\u0301 \t 你好世界 в лесу\r\n"
    "def f(x):\n    return x + 100000  # 🍕👩‍👩‍👧 <s> don't\n\n\n한국어 が ﬁ 🇫🇷 'S 'll ſ ²³½ ٣٤ x² הָ مرحبا हिन्दी  "
)
NASTY = [
    "", " ", "\n", "   ", " \n ", "a",
    "é", "e\u0301", "\u0301", "\u0344", "\u0958 क़", "Å Å A\u030a", "각 각", "ﬁ", "\ufeff",
    CORPUS, CORPUS[::-1], CORPUS * 3, "a  b   c    d     e", "\t\t\tx\n\n\ny", "it's IT'S It'ſ", "1 12 123 1234 ²³ ½ ٣",
    "x<s>y<s>>z", "<s> <s>", "<|end|>", "\n<|end|> a", "a\u0327\u0301b\u0301\u0327", "🇫🇷🇯🇵", "\0\x1c\x85\u2028\u3000",
]  # fmt: skip


def allowed(tok: Any) -> Any:
    return "all" if tok.special_tokens else ()


def with_every_pair(tok: tokviz.BPETokenizer) -> tokviz.BPETokenizer:
    """Return the tokenizer with a merge for each split of a token into two, as converters of tiktoken's files do.

    Llama 3's tokenizer.json is such a file. The merges of one token are adjacent, in the order of their parts.
    """
    id_of = {data: token for token, data in tok.vocab.items()}
    pairs = [
        (new, id_of[data[:at]], id_of[data[at:]])
        for new, data in tok.vocab.items()
        for at in range(1, len(data))
        if data[:at] in id_of and data[at:] in id_of
    ]
    merges = {(left, right): new for new, left, right in sorted(pairs)}
    return tokviz.BPETokenizer("every pair", tok.vocab, merges, split_pattern=tok.split_pattern)


class Minbpe:
    """minbpe's `RegexTokenizer`, or its `BasicTokenizer` if the pattern is empty."""

    def __init__(self, data: bytes) -> None:
        lines = data.decode().split("\n")
        assert lines.pop(0).strip() == "minbpe v1"
        self.pattern = lines.pop(0).strip()
        self.specials = {}
        for _ in range(int(lines.pop(0).strip())):
            special, number = lines.pop(0).strip().split()
            self.specials[special] = int(number)
        self.merges = {}
        for new, line in enumerate(filter(None, lines), start=256):
            left, right = map(int, line.split())
            self.merges[left, right] = new

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, with all special tokens allowed."""
        if not self.specials:
            return self.encode_ordinary(text)
        ids: list[int] = []
        for part in regex.split("(" + "|".join(regex.escape(special) for special in self.specials) + ")", text):
            ids += [self.specials[part]] if part in self.specials else self.encode_ordinary(part)
        return ids

    def encode_ordinary(self, text: str) -> list[int]:
        chunks = regex.findall(regex.compile(self.pattern), text) if self.pattern else [text]
        return [token for chunk in chunks for token in self.encode_chunk(chunk.encode())]

    def encode_chunk(self, chunk: bytes) -> list[int]:
        ids = list(chunk)
        while len(ids) >= 2:
            pair = min(zip(ids, ids[1:], strict=False), key=lambda pair: self.merges.get(pair, float("inf")))
            if pair not in self.merges:
                break
            joined: list[int] = []
            i = 0
            while i < len(ids):
                if i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair:
                    joined.append(self.merges[pair])
                    i += 2
                else:
                    joined.append(ids[i])
                    i += 1
            ids = joined
        return ids


def peer(
    files: dict[str, bytes], left_out: Any, folder: Path, known: Collection[str] = ()
) -> Callable[[str], list[int]]:
    """Return the encode function of a format's original library, reading our files, with all special tokens allowed."""
    for name, data in files.items():
        (folder / name).write_bytes(data)
    name = next(iter(files))
    if name.endswith(".json"):
        library = Tokenizer.from_file(str(folder / name))
        return lambda text: library.encode(text, add_special_tokens=False).ids
    if name.endswith(".model"):
        return Minbpe(files[name]).encode
    specials = dict(left_out.get("special_tokens", {}))
    if name.endswith(".tiktoken"):
        ranks = tiktoken.load.load_tiktoken_bpe(str(folder / name))
    else:
        # tiktoken accepts only one special token in encoder.json; the rest of the file is valid.
        merged = json.loads(files["encoder.json"])
        specials |= {text: token for text, token in merged.items() if text in known}
        kept = {text: token for text, token in merged.items() if text not in specials or text == "<|endoftext|>"}
        (folder / "encoder.json").write_text(json.dumps(kept))
        ranks = tiktoken.load.data_gym_to_mergeable_bpe_ranks(
            str(folder / "vocab.bpe"), str(folder / "encoder.json"), clobber_one_byte_tokens=True
        )
    pattern = left_out["split_pattern"] or r"(?s:.+)"
    encoding = tiktoken.Encoding("ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens=specials)
    return lambda text: encoding.encode(text, allowed_special="all")


def tiktoken_file(tokens: list[tuple[bytes, int]]) -> dict[str, bytes]:
    return {"some.tiktoken": b"".join(base64.b64encode(data) + b" %d\n" % token for data, token in tokens)}


LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
QWEN = LLAMA3.replace("{1,3}", "")
DEEPSEEK = (
    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def split(pattern: str, behavior: str = "isolated", invert: bool = False) -> Any:
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def byte_level(prefix: bool = False, use_regex: bool = False) -> Any:
    return pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=use_regex)


def sequence(*steps: Any) -> Any:
    return pre_tokenizers.Sequence(list(steps))


FAMILIES: dict[str, tuple[Any, Any, list[AddedToken], dict[str, Any]]] = {
    "gpt2": (None, byte_level(use_regex=True), [AddedToken("<s>", special=True, normalized=True)], {}),
    "roberta": (
        None,
        byte_level(True, True),
        [AddedToken("<s>", special=True, normalized=True), AddedToken("<|end|>", lstrip=True, special=True)],
        {},
    ),
    "llama3": (
        None,
        sequence(split(LLAMA3), byte_level()),
        [AddedToken("<s>", special=True), AddedToken("<|end|>", special=True)],
        {"ignore_merges": True},
    ),
    "qwen": (
        normalizers.NFC(),
        sequence(split(QWEN), byte_level()),
        [AddedToken("<s>", special=True), AddedToken("<|end|>", normalized=False)],
        {},
    ),
    "deepseek": (
        normalizers.Sequence([]),
        sequence(split(r"\p{N}{1,3}"), split("[一-龥぀-ゟ゠-ヿ]+"), split(DEEPSEEK), byte_level()),
        [AddedToken("<s>", special=True), AddedToken("<|end|>", normalized=True), AddedToken("<s>>", normalized=True)],
        {},
    ),
    "deepseek coder": (
        None,
        sequence(
            split("[\r\n]"), split(r"\s?\p{L}+"), split(r"\s?\p{P}+"), split("[一-龥ࠀ-一가-퟿]+"),
            pre_tokenizers.Digits(individual_digits=True), byte_level(),
        ),
        [AddedToken("<s>", special=True, normalized=True)],
        {},
    ),
    "gpt-neox": (
        normalizers.NFC(),
        byte_level(use_regex=True),
        [AddedToken("<s>", special=True), *(AddedToken(" " * n, normalized=True) for n in (4, 3, 2))],
        {},
    ),
    "starcoder": (
        None,
        sequence(pre_tokenizers.Digits(individual_digits=True), byte_level(use_regex=True)),
        [AddedToken("<s>", special=True)],
        {},
    ),
    "gpt-4 by Xenova": (None, sequence(split(LLAMA3, "removed", True), byte_level()), [], {}),
    "bloom": (
        None,
        sequence(split(r" ?[^(\s|[.,!?…。，、।۔،])]+"), byte_level()),
        [AddedToken("<s>", special=True)],
        {},
    ),
    "all flags": (
        normalizers.NFKC(),
        sequence(pre_tokenizers.Digits(individual_digits=False), byte_level(True, True)),
        [
            AddedToken("<s>", rstrip=True, lstrip=True),
            AddedToken("lo", single_word=True, normalized=True),
            AddedToken("né", single_word=True, normalized=True, rstrip=True),
            AddedToken("fi", normalized=False),
        ],
        {},
    ),
    "characters": (None, split(r"\w+"), [AddedToken("<s>", special=True)], {"ignore_merges": False}),
}  # fmt: skip


@cache
def family(name: str) -> Any:
    """Train a small tokenizer with the settings of a family, using Hugging Face's library."""
    normalizer, pre_tokenizer, added, options = FAMILIES[name]
    library = Tokenizer(models.BPE(**options))
    library.pre_tokenizer = pre_tokenizer
    if normalizer is not None:
        library.normalizer = normalizer
    alphabet = [] if name == "characters" else pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=480, show_progress=False, initial_alphabet=alphabet, min_frequency=2)
    library.train_from_iterator([CORPUS * 2, "".join(NASTY)], trainer)
    if name != "characters":
        library.decoder = decoders.ByteLevel()
    library.add_tokens(added)
    return library


def opened(library: Any) -> Any:
    return formats.read_any({"tokenizer.json": library.to_str().encode()})
