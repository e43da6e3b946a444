"""Tokenizer classes of transformers: what each makes of a text besides what its files say.

`CLASSES` is the table. A class that it lacks is refused. `tests/formats/test_transformers_classes.py` compares all that
transformers lists.
"""

from collections.abc import Callable

from tokviz.formats import tokenizer_parts as parts
from tokviz.formats.sentencepiece_classes import WITH_BPE, WITH_UNIGRAM
from tokviz.formats.tokenizer_parts import Json
from tokviz.formats.transformers_class import MASK, Around, Folder, Part, TokenizerClass, as_objects, put, tokens_of
from tokviz.formats.transformers_settings import Token


def _bert_normalizer(folder: Folder, *, clean_text: bool = True) -> Json:
    strips = folder.settings.options.get("strip_accents")
    return parts.bert_normalizer(
        folder.flag("do_lower_case", True),
        None if strips is None else folder.flag("strip_accents", True),
        clean_text=clean_text,
        handle_chinese_chars=folder.flag("tokenize_chinese_chars", True),
    )


def _word_pieces(tokens: str, **others: Token | None) -> TokenizerClass:
    return TokenizerClass(
        "vocab.txt",
        tokens_of(tokens, **others),
        lambda _: parts.BERT_PRE_TOKENIZER,
        lambda _: parts.word_piece("##"),
        _bert_normalizer,
        put("cls text sep"),
    )


_BERT = _word_pieces("unk=[UNK] sep=[SEP] pad=[PAD] cls=[CLS] mask=[MASK]")

_WITH_PIECES = {
    "Bert": _BERT,
    # It takes the option do_lower_case and does nothing with it.
    "DPRReader": _BERT._replace(normalizer=lambda folder: _bert_normalizer(folder) | {"lowercase": True}),
    "Funnel": _word_pieces("unk=<unk> sep=<sep> pad=<pad> cls=<cls> mask=<mask> bos=<s> eos=</s>")._replace(
        normalizer=lambda folder: _bert_normalizer(folder, clean_text=folder.flag("clean_text", True)),
        decoder=lambda folder: parts.word_piece(folder.text("wordpieces_prefix", "##")),
    ),
    "MPNet": _word_pieces("", **as_objects("bos=<s> eos=</s> sep=</s> cls=<s> unk=[UNK] pad=<pad>"), mask=MASK),
    "Splinter": _word_pieces("unk=[UNK] sep=[SEP] pad=[PAD] cls=[CLS] mask=[MASK] question=[QUESTION]"),
}


def _byte_level(default: bool = False) -> Part:
    return lambda folder: parts.byte_level(add_prefix_space=folder.flag("add_prefix_space", default))


def _merges(tokens: str, pre_tokenizer: Part | None = None, **others: Token | None) -> TokenizerClass:
    """Describe a class that merges bytes."""
    tokens_by_option = tokens_of(tokens, **others)
    return TokenizerClass("merges.txt", tokens_by_option, pre_tokenizer or _byte_level(), lambda _: parts.byte_level())


def _ending_words(unknown: str) -> Callable[[Folder], Json]:
    return lambda folder: {"unk_token": folder.text("unk_token", unknown), "end_of_word_suffix": "</w>"}


def _characters(tokens: str, normalizer: Json) -> TokenizerClass:
    """Describe a class that cuts as BERT does and merges characters, of which the last of a word is marked."""
    return TokenizerClass(
        "merges.txt",
        tokens_of(tokens),
        lambda _: parts.BERT_PRE_TOKENIZER,
        lambda _: parts.END_OF_WORD,
        lambda _: normalizer,
        model=_ending_words("<unk>"),
    )


def _herbert(folder: Folder) -> Around:
    [(cls, _)], [(sep, _)] = put("cls text sep")(folder)
    if cls == sep:
        raise ValueError("tokviz doesn't know a HerbertTokenizer whose cls_token is its sep_token")
    return [(cls, 0)], [(sep, 2)]


def _whisper(folder: Folder) -> Around:
    if any(folder.settings.options.get(key) is not None for key in ("language", "task")):
        raise ValueError(
            "tokviz doesn't know which tokens a WhisperTokenizer puts around a text for a language or a task: leave "
            "“language” and “task” out of tokenizer_config.json"
        )
    first = ["<|startoftranscript|>", *([] if folder.flag("predict_timestamps", False) else ["<|notimestamps|>"])]
    return [*map(folder.token_of, first)], put("text eos")(folder)[1]


_CLIP_PATTERN = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
_QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_NOUGAT_SIGNS = r"""[\(\)\[\]\{\}]|([!\"#\$%\&'\*\+,\-\./:;<=>\?\\\^_`\|\~])\1*"""

_GPT2 = _merges("unk=<|endoftext|> bos=<|endoftext|> eos=<|endoftext|>")
_ROBERTA = _merges("bos=<s> eos=</s> sep=</s> cls=<s> unk=<unk> pad=<pad> mask=<mask>")

_WITH_MERGES = {
    "Blenderbot": _merges(
        "bos=<s> eos=</s> sep=</s> cls=<s> unk=<unk> pad=<pad>", _byte_level(True), mask=MASK._replace(normalized=False)
    ),
    "CLIP": _merges(
        "unk=<|endoftext|> bos=<|startoftext|> eos=<|endoftext|> pad=<|endoftext|>",
        lambda _: parts.steps(parts.split_pattern(_CLIP_PATTERN, "Removed", invert=True), parts.byte_level()),
    )._replace(
        normalizer=lambda _: parts.normalizers(parts.NFC, parts.replace_matches(r"\s+", " "), parts.LOWERCASE),
        model=_ending_words("<|endoftext|>"),
        around=put("bos text eos"),
    ),
    "CodeGen": _GPT2,
    "Cohere": _merges(
        "unk=<UNK> bos=<BOS_TOKEN> eos=<|END_OF_TURN_TOKEN|> pad=<PAD> cls=<CLS> sep=<SEP> mask=<MASK_TOKEN>",
        lambda folder: parts.steps(
            parts.DIGITS, parts.byte_level(add_prefix_space=folder.flag("add_prefix_space", False))
        ),
    )._replace(normalizer=lambda _: parts.NFC, again="as given"),
    "Deberta": _merges("bos=[CLS] eos=[SEP] sep=[SEP] cls=[CLS] unk=[UNK] pad=[PAD] mask=[MASK]")._replace(
        around=put("cls text sep")
    ),
    "GPT2": _GPT2,
    "GPTNeoX": _merges("unk=<|endoftext|> bos=<|endoftext|> eos=<|endoftext|> pad=<|padding|>")._replace(
        normalizer=lambda _: parts.NFC
    ),
    "Herbert": _characters(
        "cls=<s> unk=<unk> pad=<pad> mask=<mask> sep=</s>", parts.bert_normalizer(False, strip_accents=False)
    )._replace(around=_herbert),
    "Nougat": _merges(
        "unk=<unk> bos=<s> eos=</s> pad=<pad>",
        lambda _: parts.steps(
            parts.split("SPL1T-TH1S-Pl3A5E", "Removed"),
            parts.DIGITS,
            parts.split(_NOUGAT_SIGNS),  # it is no regular expression there
            parts.split("\n"),
            parts.byte_level(),
        ),
    )._replace(normalizer=lambda _: parts.NFKC, around=put("bos text eos")),
    "OpenAIGPT": _characters("unk=<unk>", parts.bert_normalizer(True, strip_accents=None)),
    "Qwen2": _merges(
        "unk=<|endoftext|> eos=<|endoftext|> pad=<|endoftext|>",
        lambda folder: parts.steps(
            parts.split_pattern(_QWEN_PATTERN),
            parts.byte_level(add_prefix_space=folder.flag("add_prefix_space", False), use_regex=False),
        ),
    )._replace(normalizer=lambda _: parts.NFC, again="plain"),
    "Roberta": _ROBERTA._replace(around=put("cls text sep")),
    "Whisper": _GPT2._replace(around=_whisper),
}

_SAME = {
    "Bert": ("ConvBert", "DistilBert", "Electra", "LayoutLM", "Lxmert", "MobileBert", "SqueezeBert"),
    "DPRReader": ("DPRContextEncoder", "DPRQuestionEncoder"),
    "Llama": ("Phi3",),
    "Roberta": ("Bart", "LED", "Longformer", "Mvp"),
}
"""Classes that do as another."""

CLASSES = {**_WITH_PIECES, **_WITH_MERGES, **WITH_UNIGRAM, **WITH_BPE}
"""Classes by name, without “Tokenizer” at the end."""

CLASSES |= {name: CLASSES[known] for known, names in _SAME.items() for name in names}

_NOT_OF_MODELS = ("Llama", "Phi3")
"""Classes that don't read the models of their name: transformers takes the files of these as they are."""

_OF_MODELS = {name.lower(): name for name in CLASSES if name not in _NOT_OF_MODELS}


def class_for_model(model_type: str) -> str | None:
    """Return the class that reads the tokenizers of a type of model, as `xlm-roberta`; None if tokviz knows none."""
    name = _OF_MODELS.get(model_type.replace("-", "").replace("_", ""))
    return None if name is None else f"{name}Tokenizer"
