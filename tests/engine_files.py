"""Small files of families whose own can't be shipped, built with the libraries that read them, and nasty texts."""

import io
import json
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

from sentencepiece import SentencePieceTrainer
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

CORPUS = [
    "The lowest of the low: it's 12345 newer, wider   things! They'll see I'M naïve, café.",
    "def f(x):\n    return x + 100000  # don't\n\n\n",
    "你好世界 в лесу 한국어 हिन्दी مرحبا Æther Öl straße İstanbul",
    "one two three four five six seven eight nine ten the the the in in of of and and",
] * 3

_FRAGMENTS = [
    "the", "The", " low", "est", "er", "ing", " ", "  ", "   ", "\t", "\n", "\r\n", "\n\n\n", "\u00a0", "\u3000",
    "\u2028", "é", "e\u0301", "\u0301", "Å", "A\u030a", "\u212b", "ﬁ", "ﬃ", "½", "ẛ\u0323", "각", "İ", "ß", "ſ",
    "\u1100\u1161\u11a8", "a\u0327\u0301", "\u0344", "हिन्दी", "ं", "你好", "世", "한국", "مرحبا", "שׁ", "🍕", "🇫🇷",
    "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f1e6", "𝔘", "🏽", "\0", "\x1c", "\x85", "\ufeff", "\u200b",
    "\u200d", "\ufffd", "\ue000", "1", "12", "1234", "²", "٣", "'s", "'LL", "n't", "<s>", "</s>", "<unk>", "[CLS]",
    "[MASK]", "<mask>", "<|end|>", "<pad>", " <mask> ", "x<mask>y", "<0x41>", "▁", "▁the", "##ing", "Ġ", "</w>", "-",
    "...", "?!", "_", "(", "\\n", "#",
]  # fmt: skip


@cache
def nasty_texts(count: int, seed: int | str = 21) -> list[str]:
    """Return short texts of fragments that normalizers, pre-tokenizers and models treat in special ways."""
    rng = random.Random(seed)
    random_texts = ("".join(rng.choices(_FRAGMENTS, k=rng.randint(1, 8))) for _ in range(count))
    return ["", *_FRAGMENTS, *random_texts][:count]


def _trained(engine: Tokenizer, trainer: Any) -> Tokenizer:
    engine.train_from_iterator(CORPUS, trainer)
    return engine


def _added(*texts: str, **flags: bool) -> list[AddedToken]:
    return [AddedToken(text, special=True, **flags) for text in texts]


def _ids(engine: Tokenizer, *texts: str) -> list[tuple[str, int]]:
    vocab = engine.get_vocab()
    return [(text, vocab[text]) for text in texts]


def _llama2(pre_tokenizes: bool = False, tab: str = "<0x09>", runs: Sequence[str] = ()) -> Tokenizer:
    """BPE over code points with byte fallback; a space in front of the text, written as ▁."""
    spaces = [text.replace(" ", "▁") for text in CORPUS]
    learned = Tokenizer(models.BPE())
    learned.pre_tokenizer = pre_tokenizers.Split("▁", "merged_with_next")
    learned.train_from_iterator(spaces, trainers.BpeTrainer(vocab_size=400, show_progress=False))
    model = json.loads(learned.to_str())["model"]
    ids = {"<unk>": 0, "<s>": 1, "</s>": 2}
    ids |= {tab if value == 9 else f"<0x{value:02X}>": 3 + value for value in range(256)}
    ids |= {piece: len(ids) + token for piece, token in model["vocab"].items()}
    ids |= {run: len(ids) + number for number, run in enumerate(runs)}
    merges = [*((run[: len(run) // 2],) * 2 for run in runs), *map(tuple, model["merges"])]
    engine = Tokenizer(models.BPE(ids, merges, byte_fallback=True, unk_token="<unk>", fuse_unk=True))
    engine.add_special_tokens(_added("<unk>", "<s>", "</s>", normalized=False))
    if pre_tokenizes:
        engine.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    else:
        engine.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    engine.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    engine.post_processor = processors.TemplateProcessing("<s> $A", "<s> $A <s> $B", [("<s>", 1)])
    return engine


def _gemma() -> Tokenizer:
    """As Llama 2, but with no space in front, a tab as a piece, not a byte, and added tokens that are not special.

    Runs of spaces are such tokens, too, and are made by merging all the same: they are looked for before normalization.
    """
    runs = ["▁" * length for length in (2, 4, 8)]
    engine = _llama2(tab="\t", runs=runs)
    engine.normalizer = normalizers.Replace(" ", "▁")
    engine.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    engine.add_tokens([AddedToken(text, normalized=False) for text in ("\n\n\n", "the the", *runs)])
    engine.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return engine


def _llama3() -> Tokenizer:
    pattern = (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
        r"|\s+(?!\S)|\s+"
    )
    engine = Tokenizer(models.BPE(ignore_merges=True))
    engine.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), "isolated"), pre_tokenizers.ByteLevel(False, True, False)]
    )
    engine.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    _trained(engine, trainers.BpeTrainer(vocab_size=500, initial_alphabet=alphabet, show_progress=False))
    engine.add_special_tokens(_added("<s>", "<|end|>", normalized=False))
    template = processors.TemplateProcessing("<s> $A", "<s> $A <s> $B", _ids(engine, "<s>"))
    engine.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), template])
    return engine


def _clip() -> Tokenizer:
    """Lower case, runs of white space as one space, byte-level BPE with a mark at the end of words."""
    engine = Tokenizer(models.BPE(end_of_word_suffix="</w>"))
    engine.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    words = Regex(r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+")
    engine.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(words, "removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    engine.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=700, initial_alphabet=alphabet, end_of_word_suffix="</w>", show_progress=False
    )
    _trained(engine, trainer)
    engine.add_special_tokens(_added("<s>", "<|end|>"))
    start, end = _ids(engine, "<s>", "<|end|>")
    engine.post_processor = processors.RobertaProcessing(end, start, trim_offsets=False, add_prefix_space=False)
    return engine


def _roberta() -> Tokenizer:
    engine = Tokenizer(models.BPE())
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    engine.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    _trained(engine, trainers.BpeTrainer(vocab_size=500, initial_alphabet=alphabet, show_progress=False))
    engine.add_special_tokens(_added("<s>", "<pad>", "</s>", "<unk>"))
    engine.add_special_tokens(_added("<mask>", lstrip=True))
    start, end = _ids(engine, "<s>", "</s>")
    engine.post_processor = processors.RobertaProcessing(end, start, trim_offsets=False, add_prefix_space=True)
    return engine


def _modernbert() -> Tokenizer:
    """Byte-level BPE after NFC, with added tokens for runs of spaces."""
    engine = _roberta()
    engine.normalizer = normalizers.NFC()
    engine.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    engine.add_tokens([AddedToken(" " * count, normalized=True) for count in range(6, 1, -1)])
    engine.add_special_tokens(_added("[MASK]", lstrip=True))
    return engine


def _bert(strip_accents: bool | None = None) -> Tokenizer:
    engine = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    engine.normalizer = normalizers.BertNormalizer(strip_accents=strip_accents)
    engine.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    engine.decoder = decoders.WordPiece()
    specials = ["[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    _trained(engine, trainers.WordPieceTrainer(vocab_size=300, special_tokens=specials, show_progress=False))
    ids = _ids(engine, "[CLS]", "[SEP]")
    engine.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", ids)
    return engine


def _t5(byte_fallback: bool = False) -> Tokenizer:
    """Unigram over ▁-spelled words, after NFKC and collapsing of white space."""
    engine = Tokenizer(models.Unigram())
    engine.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    engine.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    engine.decoder = decoders.Metaspace()
    specials = ["<pad>", "</s>", "<unk>", *(f"<0x{value:02X}>" for value in range(256) if byte_fallback)]
    trainer = trainers.UnigramTrainer(
        vocab_size=200 + len(specials), special_tokens=specials, unk_token="<unk>", show_progress=False
    )
    _trained(engine, trainer)
    if byte_fallback:
        content = json.loads(engine.to_str())
        content["model"]["byte_fallback"] = True
        content["added_tokens"] = [token for token in content["added_tokens"] if "0x" not in token["content"]]
        engine = Tokenizer.from_str(json.dumps(content))
        engine.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()])
    engine.post_processor = processors.TemplateProcessing("$A </s>", "$A </s> $B </s>", [("</s>", 1)])
    return engine


def _words() -> Tokenizer:
    engine = Tokenizer(models.WordLevel(unk_token="<unk>"))
    engine.normalizer = normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Strip()])
    engine.pre_tokenizer = pre_tokenizers.Whitespace()
    return _trained(engine, trainers.WordLevelTrainer(special_tokens=["<unk>", "<s>"], show_progress=False))


_FAMILIES = {
    "llama2": _llama2, "llama2 metaspace": lambda: _llama2(pre_tokenizes=True), "gemma": _gemma, "llama3": _llama3,
    "clip": _clip, "roberta": _roberta, "modernbert": _modernbert, "bert": _bert,
    "bert with accents": lambda: _bert(strip_accents=False), "t5": _t5, "t5 bytes": lambda: _t5(byte_fallback=True),
    "words": _words,
}  # fmt: skip
FAMILIES = tuple(_FAMILIES)


@cache
def family(name: str) -> bytes:
    """Return the tokenizer.json of a family."""
    data: str = _FAMILIES[name]().to_str()
    return data.encode()


@cache
def sentencepiece_model(**options: Any) -> bytes:
    """Train a SentencePiece model."""
    file = io.BytesIO()
    defaults = {"vocab_size": 500, "hard_vocab_limit": False, "minloglevel": 2, "character_coverage": 0.99}
    SentencePieceTrainer.train(sentence_iterator=iter(CORPUS), model_writer=file, **(defaults | options))
    return file.getvalue()
