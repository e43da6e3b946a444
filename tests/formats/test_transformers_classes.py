"""Folders of every tokenizer class that transformers lists, beside the class itself."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import transformers
from engine_files import nasty_texts
from transformers.convert_slow_tokenizer import SLOW_TO_FAST_CONVERTERS
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES
from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES
from transformers_folders import files_of, settings_of

import tokviz
from tokviz.formats.transformers_classes import CLASSES, class_for_model
from tokviz.texts import repair

LISTED = {*filter(None, TOKENIZER_MAPPING_NAMES.values()), *SLOW_TO_FAST_CONVERTERS}
NAMES = sorted({*LISTED, *(f"{name}Tokenizer" for name in CLASSES)})
TEXTS = [repair(text)[0] for text in nasty_texts(400)[::12]] + [
    "<image> x<mask>y  new low <|end|>",
    "a   b  Öl wider",
    "<ex><ey> the <extra_id_0>x",
    "▁<PRE>a ``quoted'' <s>",
    "▁<mask> <mask> a </s> b<s> a  b",
]


def opened(class_name: str, folder: Path) -> Any:
    """Return the class's own tokenizer of a folder; None if it can't open it or encode with it."""
    try:
        tokenizer = getattr(transformers, class_name).from_pretrained(str(folder))
        tokenizer.encode("the")
    except Exception:  # it refuses in many ways, by chance
        return None
    return tokenizer


def saved(class_name: str, folder: Path, variant: int) -> None:
    """Write the files that a class saves, and settings beside them."""
    names = dict(getattr(getattr(transformers, class_name, None), "vocab_files_names", None) or {})
    if set(names.values()) <= {"tokenizer.json"}:
        names = {"vocab_file": "tokenizer.model"}
    files = files_of(class_name, names, variant)
    for name, data in [*files.items(), *settings_of(class_name, variant)]:
        (folder / name).write_bytes(data)


@pytest.mark.parametrize("class_name", NAMES)
def test_a_folder_encodes_as_its_class_does_or_is_refused_by_its_name(class_name: str, tmp_path: Path) -> None:
    times = 0
    for variant in range(3):
        folder = tmp_path / str(variant)
        folder.mkdir()
        saved(class_name, folder, variant)
        try:
            tok = tokviz.open(folder)
        except ValueError as refusal:
            assert class_name.removesuffix("Fast") in str(refusal)
            continue
        reference = opened(class_name, folder)
        if reference is not None:
            times += 1
            compare(tok, reference, decodes=class_name != "CLIPTokenizer")  # which takes marks out of its library's
    assert times or class_name.removesuffix("Fast").removesuffix("Tokenizer") not in CLASSES


def described(text: str, **flags: bool) -> dict[str, Any]:
    return {"__type": "AddedToken", "content": text, "lstrip": False, "rstrip": False, "single_word": False, **flags}


SETTINGS: list[tuple[str, dict[str, Any]]] = [
    # An object names no token of added_tokens.json, a text does.
    ("Bart", {"tokenizer_config": {"additional_special_tokens": [described("   ")]}, "added_tokens": {"   ": 900}}),
    ("Bart", {"tokenizer_config": {"additional_special_tokens": ["   "]}, "added_tokens": {"   ": 900}}),
    # What a class names itself is normalized as any other token of that file.
    ("Barthez", {"tokenizer_config": {}, "added_tokens": {"<mask>": 900}}),
    (
        "XLNet",
        {
            "tokenizer_config": {"additional_special_tokens": ["Öl", "new"]},
            "special_tokens_map": {"extra_special_tokens": {"image_token": "<image>"}},
        },
    ),
    # What names a token in both files is the former's text, at the latter's place.
    (
        "Udop",
        {
            "tokenizer_config": {"image_token": "<image>", "video_token": described("<|end|>")},
            "special_tokens_map": {"image_token": {"content": "Öl"}, "query_token": {"content": "new low"}},
        },
    ),
    (
        "ConvBert",
        {
            "tokenizer_config": {
                "image_token": None,
                "video_token": {"content": "Öl"},
                "query_token": "<|end|>",
                "extra_special_tokens": {"image_token": "<image>"},
            },
        },
    ),
    ("Nllb", {"tokenizer_config": {"unk_token": "</s>"}}),
    # Two texts with one id, of which the library finds the one that is added last.
    ("Nllb", {"tokenizer_config": {"bos_token": described("</s>"), "pad_token": "<unk>"}}),
    # An object that equals what a class makes of a text is not added after it; what is special is not normalized then.
    ("MBart50", {"tokenizer_config": {"eos_token": described("<mask>") | {"lstrip": True, "normalized": True}}}),
    ("MPNet", {"tokenizer_config": {"bos_token": "öl", "sep_token": described("öl", normalized=True)}}),
    ("BigBird", {"tokenizer_config": {"bos_token": "a  b", "eos_token": described("a  b", normalized=True)}}),
    ("Nllb", {"tokenizer_config": {"eos_token": "<pad>"}}),
    ("Pegasus", {"tokenizer_config": {"pad_token": "<|end|>", "eos_token": "<|end|>"}}),
]
"""Settings of classes, in which one token is said twice."""


@pytest.mark.parametrize(("name", "files"), SETTINGS)
def test_a_token_that_is_said_twice_is_what_its_class_makes_of_it(
    name: str, files: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    class_name = f"{name}Tokenizer"
    saved(class_name, tmp_path, 2 if name == "Pegasus" else 0)  # whose unknown token is its third
    for old in tmp_path.glob("*.json"):
        if old.stem in ("tokenizer_config", "special_tokens_map", "added_tokens"):
            old.unlink()
    for file, content in files.items():
        content = {**content, "tokenizer_class": class_name} if file == "tokenizer_config" else content
        (tmp_path / f"{file}.json").write_text(json.dumps(content), encoding="utf-8")
    compare(tokviz.open(tmp_path), opened(class_name, tmp_path), decodes=False)


@pytest.mark.parametrize(
    ("class_name", "key"),
    [
        ("SqueezeBertTokenizer", "cls_token"),
        ("HerbertTokenizer", "sep_token"),
        ("XLMRobertaTokenizer", "bos_token"),
        ("OpenAIGPTTokenizer", "unk_token"),
        ("CLIPTokenizer", "unk_token"),
        ("MBart50Tokenizer", "unk_token"),
    ],
)
def test_a_class_that_needs_a_token_is_refused_where_it_is_null(class_name: str, key: str, tmp_path: Path) -> None:
    saved(class_name, tmp_path, 0)
    for old in ("special_tokens_map.json", "added_tokens.json"):
        (tmp_path / old).unlink(missing_ok=True)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": class_name, key: None}))
    with pytest.raises(ValueError, match=f"{key} is null.*{class_name}"):
        tokviz.open(tmp_path)


def test_special_tokens_that_transformers_fails_on_are_refused(tmp_path: Path) -> None:
    saved("GPT2Tokenizer", tmp_path, 0)
    tokens = {"additional_special_tokens": [{"content": "<ex>", "lstrip": True}]}
    (tmp_path / "tokenizer_config.json").write_text('{"tokenizer_class": "GPT2Tokenizer"}')
    (tmp_path / "special_tokens_map.json").write_text(json.dumps(tokens))
    with pytest.raises(ValueError, match=r"special_tokens_map\.json: a token of additional_special_tokens"):
        tokviz.open(tmp_path)


def test_the_class_for_a_type_of_model_is_the_one_of_transformers() -> None:
    types = {**TOKENIZER_MAPPING_NAMES, **CONFIG_MAPPING_NAMES}
    known = {model: found for model in types if (found := class_for_model(model)) is not None}
    assert {"gpt2", "bert", "roberta", "xlm-roberta", "t5", "deberta-v2"} <= known.keys()
    for model, name in known.items():
        theirs = (TOKENIZER_MAPPING_NAMES.get(model) or "").removesuffix("Fast").removesuffix("Tokenizer")
        assert CLASSES[name.removesuffix("Tokenizer")] is CLASSES.get(theirs), model


@pytest.mark.parametrize(
    ("files_of_class", "config"),
    [
        ("XLMRobertaTokenizer", {"model_type": "xlm-roberta"}),
        ("RobertaTokenizer", {"model_type": "roberta"}),
        ("T5Tokenizer", {"model_type": "t5"}),
        ("MPNetTokenizer", {"model_type": "mpnet"}),
        ("BertTokenizer", {"model_type": "bert", "tokenizer_class": "SplinterTokenizer"}),
    ],
)
def test_a_folder_whose_settings_name_no_class_is_read_as_its_model_is(
    files_of_class: str, config: dict[str, str], tmp_path: Path
) -> None:
    saved(files_of_class, tmp_path, 0)
    for old in ("special_tokens_map.json", "added_tokens.json", "tokenizer_config.json"):
        (tmp_path / old).unlink(missing_ok=True)
    (tmp_path / "config.json").write_text(json.dumps(config))
    compare(tokviz.open(tmp_path), opened("AutoTokenizer", tmp_path), decodes=False)


@pytest.mark.parametrize("model", ["opt", "llama", "phi3"])
def test_a_folder_is_refused_if_the_class_for_its_model_is_not_known(model: str, tmp_path: Path) -> None:
    saved("GPT2Tokenizer", tmp_path, 0)
    for old in ("special_tokens_map.json", "added_tokens.json", "tokenizer_config.json"):
        (tmp_path / old).unlink(missing_ok=True)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": model}))
    with pytest.raises(ValueError, match=rf"config\.json says that the model is a '{model}'"):
        tokviz.open(tmp_path)


def compare(tok: Any, reference: Any, *, decodes: bool) -> None:
    """Check ids, with special tokens and with their texts, and what is put around."""
    everything = "all" if tok.special_tokens else ()
    for text in TEXTS:
        ids = outcome(reference.encode, text, add_special_tokens=False)
        assert outcome(tok.encode, text, everything) == ids, text
        assert outcome(tok.encode, text, everything, add_special=True) == outcome(reference.encode, text), text
        plain = outcome(reference.encode, text, add_special_tokens=False, split_special_tokens=True)
        assert outcome(tok.encode, text) == plain, text
        if ids is not None:
            assert tok.tokenize(text, everything).ids.tolist() == ids, text
        if ids is not None and decodes:
            assert tok.decode(ids) == reference.backend_tokenizer.decode(ids, skip_special_tokens=False), text


def outcome(encode: Callable[..., list[int]], *args: Any, **options: Any) -> list[int] | None:
    """Return ids; None if the library fails, or ours says so."""
    try:
        return encode(*args, **options)
    except BaseException as error:
        if isinstance(error, ValueError) or type(error).__name__ in ("Exception", "PanicException"):
            return None
        raise
