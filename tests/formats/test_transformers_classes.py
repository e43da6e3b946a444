"""Folders of every tokenizer class that transformers lists, beside the class itself."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import transformers
from engine_files import nasty_texts
from transformers.convert_slow_tokenizer import SLOW_TO_FAST_CONVERTERS
from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES
from transformers_folders import files_of, settings_of

import tokviz
from tokviz.formats.transformers_classes import CLASSES
from tokviz.texts import repair

LISTED = {*filter(None, TOKENIZER_MAPPING_NAMES.values()), *SLOW_TO_FAST_CONVERTERS}
NAMES = sorted({*LISTED, *(f"{name}Tokenizer" for name in CLASSES)})
TEXTS = [repair(text)[0] for text in nasty_texts(400)[::12]] + [
    "<image> x<mask>y  new low <|end|>",
    "a   b  Öl wider",
    "<ex><ey> the <extra_id_0>x",
    "▁<PRE>a ``quoted'' <s>",
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
