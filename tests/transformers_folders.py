"""Small folders of every tokenizer class that transformers lists, as its classes save them without a tokenizer.json."""

import io
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from engine_files import CORPUS
from sentencepiece import SentencePieceTrainer
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

MODELS: dict[str, dict[str, Any]] = {
    "unigram": {"model_type": "unigram", "vocab_size": 150},
    "bpe with bytes": {
        "model_type": "bpe",
        "vocab_size": 480,
        "byte_fallback": True,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "pad_id": 3,
    },
    "pad first": {
        "model_type": "unigram",
        "vocab_size": 150,
        "pad_id": 0,
        "eos_id": 1,
        "unk_id": 2,
        "bos_id": -1,
        "control_symbols": ["[CLS]", "[SEP]", "<sep>", "<cls>"],
        "user_defined_symbols": ["[MASK]", "the the", "<eop>"],
    },
}
"""Options with which SentencePiece learns models."""


@cache
def sentencepiece_model(name: str) -> bytes:
    """Return one of `MODELS`."""
    learned = io.BytesIO()
    lines = [line for text in CORPUS for line in text.split("\n") if line.strip()]
    SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=learned, hard_vocab_limit=False, minloglevel=2, **MODELS[name]
    )
    return learned.getvalue()


ENDING_WORDS = ("HerbertTokenizer", "OpenAIGPTTokenizer", "CLIPTokenizer")
"""Classes whose merges mark the ends of words."""


@cache
def word_pieces() -> bytes:
    """Return a `vocab.txt` with blanks at the ends of lines, as some were written."""
    learner = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    learner.normalizer, learner.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "<unk>", "<s>", "</s>", "."]
    learner.train_from_iterator(
        CORPUS, trainers.WordPieceTrainer(vocab_size=250, special_tokens=special, show_progress=False)
    )
    pieces = sorted(learner.get_vocab().items(), key=lambda item: item[1])
    return "".join(piece + ("\u3000 \r\n" if token % 7 == 6 else "\n") for piece, token in pieces).encode()


@cache
def vocabulary_and_merges(suffix: str, *special: str) -> tuple[bytes, bytes]:
    """Return `vocab.json` and `merges.txt` of bytes, where `suffix` ends words, if it is not empty."""
    learner = Tokenizer(models.BPE(end_of_word_suffix=suffix))
    learner.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.BertPreTokenizer()] if suffix else [pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    alphabet = [] if suffix else pre_tokenizers.ByteLevel.alphabet()
    learner.train_from_iterator(
        CORPUS,
        trainers.BpeTrainer(
            vocab_size=420,
            initial_alphabet=alphabet,
            special_tokens=list(special),
            end_of_word_suffix=suffix,
            show_progress=False,
        ),
    )
    model = json.loads(learner.to_str())["model"]
    lines = ["#version: 0.2", *(" ".join(pair) for pair in model["merges"]), ""]
    return json.dumps(model["vocab"]).encode(), "\n".join(lines).encode()


def files_of(class_name: str, names: dict[str, str], variant: int) -> dict[str, bytes]:
    """Return the files that a class saves under these names."""
    model = sentencepiece_model([*MODELS][variant % len(MODELS)])
    specials = ("<s>", "<pad>", "</s>", "<unk>", "<|endoftext|>", "[CLS]", "[SEP]") if variant % 2 else ("<s>", "<unk>")
    pair = vocabulary_and_merges("</w>" if class_name in ENDING_WORDS else "", *specials)
    known = {"vocab.json": pair[0], "merges.txt": pair[1], "vocab.txt": word_pieces()}
    return {
        file: known.get(file, model if file.endswith((".model", ".spm")) else b"{}")
        for file in names.values()
        if file not in ("tokenizer.json", "tokenizer_config.json")
    }


def settings_of(class_name: str, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield random settings of a class, as older and newer versions of transformers saved them."""
    rng = random.Random(f"{class_name} {seed}")
    config: dict[str, Any] = {"tokenizer_class": class_name, "model_max_length": 512}
    for key in (
        "add_bos_token",
        "add_eos_token",
        "do_lower_case",
        "keep_accents",
        "legacy",
        "split_by_punct",
        "legacy_behaviour",
    ):
        if rng.random() < 0.4:
            config[key] = rng.random() < 0.6
    for key in ("strip_accents", "tokenize_chinese_chars", "add_prefix_space", "clean_text"):
        if rng.random() < 0.3:
            config[key] = rng.choice(
                [True, False] if key in ("tokenize_chinese_chars", "clean_text") else [True, False, None]
            )
    if rng.random() < 0.4:
        config["extra_ids"] = rng.choice([0, 3, 100])
    if rng.random() < 0.3:
        config["src_lang"] = rng.choice(["de_DE", "fr_XX"])
    of_tokens: dict[str, Any] = {}
    for key, text in {
        "bos": "<s>",
        "eos": "</s>",
        "pad": "<pad>",
        "mask": "<mask>",
        "image": "<image>",
        "cls": "<s>",
    }.items():
        if rng.random() < 0.25:
            flags = {
                "lstrip": rng.random() < 0.5,
                "rstrip": rng.random() < 0.3,
                "normalized": rng.random() < 0.5,
                "single_word": False,
            }
            config[f"{key}_token"] = rng.choice([text, {"__type": "AddedToken", "content": text, **flags}])
            of_tokens[f"{key}_token"] = rng.choice([text, {"content": text, **flags}])
    if rng.random() < 0.4:
        config["additional_special_tokens"] = rng.sample(["<ex>", "<ey>", "<|end|>", "the"], 2)
    size = 1_000
    added = rng.sample(["<|end|>", "  ", "wider", "[MASK]", "Öl", "<image>", "new low", "<mask>"], 4)
    how = rng.randrange(4)
    if how == 1:
        yield "added_tokens.json", json.dumps({text: size + place for place, text in enumerate(added)}).encode()
    if how in (1, 2):
        yield "special_tokens_map.json", json.dumps(of_tokens).encode()
    if how == 3:
        config["added_tokens_decoder"] = {
            str(size + place): {
                "content": text,
                **{flag: rng.random() < 0.3 for flag in ("lstrip", "rstrip", "normalized", "special")},
            }
            for place, text in enumerate(added)
        }
    yield "tokenizer_config.json", json.dumps(config).encode()
