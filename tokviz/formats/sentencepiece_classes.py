"""Classes of transformers that read a SentencePiece model, each with ids, normalization and added tokens of its own."""

from collections.abc import Callable, Sequence

from tokviz.formats import tokenizer_parts as parts
from tokviz.formats.tokenizer_parts import Json
from tokviz.formats.transformers_class import (
    MASK,
    Around,
    Folder,
    Part,
    Pieces,
    TokenizerClass,
    as_objects,
    by_options,
    put,
    tokens_of,
)
from tokviz.formats.transformers_settings import Token

MAX_EXTRA = 10_000
"""Maximum tokens that one number in the settings adds, as `extra_ids`; T5 has 100."""

_MBART = """
    ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT lv_LV my_MM ne_NP nl_XX
    ro_RO ru_RU si_LK tr_TR vi_VN zh_CN
""".split()  # noqa: SIM905
_MBART50 = """
    af_ZA az_AZ bn_IN fa_IR he_IL hr_HR id_ID ka_GE km_KH mk_MK ml_IN mn_MN mr_IN pl_PL ps_AF pt_XX sv_SE sw_KE ta_IN
    te_IN th_TH tl_XX uk_UA ur_PK xh_ZA gl_ES sl_SI
""".split()  # noqa: SIM905
"""Languages of mBART, and those that its second version adds."""

_FAIRSEQ = "bos=<s> eos=</s> sep=</s> cls=<s> unk=<unk> pad=<pad>"
_FIRST = {"bos": "<s>", "cls": "<s>", "pad": "<pad>", "eos": "</s>", "unk": "<unk>"}
_CLS_SEP = "bos=[CLS] eos=[SEP] sep=[SEP] cls=[CLS] mask=[MASK]"

# What is read as Unigram

_Normalizers = Callable[[Folder], Sequence[Json]]


def _scheme(folder: Folder) -> str:
    return "always" if folder.flag("add_prefix_space", True) else "never"


def _always(_: Folder) -> str:
    return "always"


def _unigram(
    tokens: str,
    unk_id: int | Callable[[Folder], int],
    normalizers: _Normalizers,
    scheme: Callable[[Folder], str] = _always,
    *,
    by_words: bool = True,
    **others: Token | None,
) -> TokenizerClass:
    cut = parts.words if by_words else parts.metaspace
    return TokenizerClass(
        "unigram",
        tokens_of(tokens, **others),
        lambda folder: cut(scheme(folder)),
        lambda folder: parts.metaspace(scheme(folder)),
        lambda folder: parts.normalizers(*normalizers(folder)),
        model=lambda folder: {"unk_id": unk_id if isinstance(unk_id, int) else unk_id(folder)},
    )


def _charsmap(folder: Folder) -> list[Json]:
    return parts.charsmap(folder.charsmap)


def _lowered(folder: Folder, default: bool = False) -> list[Json]:
    return [parts.LOWERCASE] if folder.flag("do_lower_case", default) else []


def _without_accents(folder: Folder, keep: bool) -> Sequence[Json]:
    return () if folder.flag("keep_accents", keep) else parts.STRIP_ACCENTS


def _fairseq(*keys: str, before_mask: Sequence[str] = ()) -> Callable[[Folder], Pieces]:
    """Put the special tokens of these options in place of a model's first three pieces, and the mask at the end."""

    def reordered(folder: Folder) -> Pieces:
        first = [folder.text(f"{key}_token", _FIRST[key]) for key in keys]
        last = [*before_mask, folder.text("mask_token", "<mask>")]
        return [*_unscored(first), *folder.pieces[3:], *_unscored(last)]

    return reordered


def _unscored(texts: Sequence[str]) -> list[tuple[str, float]]:
    return [(text, 0.0) for text in texts]


def _unknown_in(folder: Folder, pieces: Pieces, default: int) -> int:
    """Return the first place of the unknown token among pieces."""
    unknown = folder.named.get("unk_token")
    return next((place for place, (text, _) in enumerate(pieces) if text == unknown), default)


def _unscored_unknown(folder: Folder, default: int) -> int:
    entry = (folder.named.get("unk_token", ""), 0.0)
    return folder.pieces.index(entry) if entry in folder.pieces else default


def _camembert(folder: Folder) -> Pieces:
    pad, unk, mask = (folder.text(f"{key}_token", f"<{key}>") for key in ("pad", "unk", "mask"))
    first = [("<s>NOTUSED", 0.0), (pad, 0.0), ("</s>NOTUSED", 0.0), (unk, 0.0), ("<unk>NOTUSED", -100.0)]
    return [*first, *folder.pieces[1:], (mask, 0.0)]


def _deberta_v2(folder: Folder) -> Json:
    signs = [parts.PUNCTUATION] if folder.flag("split_by_punct", False) else []
    return parts.steps(*signs, parts.metaspace(_deberta_v2_scheme(folder)))


def _deberta_v2_scheme(folder: Folder) -> str:
    return "always" if folder.flag("add_prefix_space", True) else "first"


def _sentinels(folder: Folder) -> list[str]:
    return [f"<extra_id_{number}>" for number in range(folder.settings.number("extra_ids", 100, MAX_EXTRA))]


def _with_sentinels(folder: Folder) -> Pieces:
    return [*folder.pieces, *_unscored(_sentinels(folder)[::-1])]


def _naming_sentinels(folder: Folder, listed: list[Token]) -> list[Token]:
    return [*listed, *_sentinels(folder)]


def _unused_of_pegasus(folder: Folder) -> list[str]:
    return [f"<unk_{number}>" for number in range(2, folder.settings.number("offset", 103, MAX_EXTRA))]


def _pegasus(folder: Folder) -> Pieces:
    first = {"pad": "<pad>", "eos": "</s>", "mask": "<mask_1>"}
    pad, eos, mask = (folder.text(f"{key}_token", default) for key, default in first.items())
    special = [pad, eos, *dict.fromkeys([mask, folder.text("mask_token_sent", "<mask_2>")])]
    unused = [(text, -100.0) for text in _unused_of_pegasus(folder)]
    return [*_unscored(special), *unused, *folder.pieces[2:]]


def _unknown_of_pegasus(folder: Folder) -> int:
    entry, pieces = (folder.named.get("unk_token", ""), 0.0), list(_pegasus(folder))
    if entry not in pieces[1:]:
        raise ValueError("the model of a PegasusTokenizer has to hold its unknown token after its first two pieces")
    return pieces.index(entry, 1)


_T5 = _unigram("eos=</s> unk=<unk> pad=<pad>", 2, _charsmap)._replace(around=put("text eos"))
_ONE_LINE = (parts.ONE_LINE, parts.NFC, parts.STRIP_RIGHT)


def _albert_around(folder: Folder) -> Around:
    is_said = {"add_bos_token", "add_eos_token"} & folder.settings.options.keys()
    return by_options(folder) if is_said else put("cls text sep")(folder)


WITH_UNIGRAM = {
    "Albert": _unigram(
        f"{_CLS_SEP} unk=<unk> pad=<pad>",
        1,
        lambda folder: [
            *parts.QUOTES,
            *_without_accents(folder, keep=False),
            *_lowered(folder, default=True),
            *_charsmap(folder),
        ],
        _scheme,
    )._replace(around=_albert_around),
    "Barthez": _unigram(_FAIRSEQ, 3, lambda _: _ONE_LINE, _scheme, by_words=False, mask=MASK),
    "BigBird": _unigram(
        "",
        lambda folder: _unscored_unknown(folder, 100),
        lambda _: [parts.replace_matches(" {2,}", parts.SPACE)],
        _scheme,
        by_words=False,
        **as_objects("bos=<s> eos=</s> unk=<unk> pad=<pad> sep=[SEP] cls=[CLS]"),
        mask=MASK._replace(content="[MASK]"),
    )._replace(around=put("cls text sep")),
    "Camembert": _unigram(
        _FAIRSEQ,
        lambda folder: _unknown_in(folder, _camembert(folder), 0),
        _charsmap,
        _scheme,
        mask=MASK._replace(special=True),
    )._replace(reordered=_camembert, around=put("bos text eos")),
    "DebertaV2": _unigram(
        f"{_CLS_SEP} unk=[UNK] pad=[PAD]",
        lambda folder: _unscored_unknown(folder, folder.unk_id),
        lambda folder: [*_lowered(folder), *_ONE_LINE],
        _deberta_v2_scheme,
    )._replace(pre_tokenizer=_deberta_v2, around=put("cls text sep")),
    "Lasr": _T5._replace(model=lambda _: {"unk_id": 3}, extra=_naming_sentinels),
    "MBart": _unigram(_FAIRSEQ, 3, lambda _: (), mask=MASK)._replace(
        reordered=_fairseq("bos", "pad", "eos", "unk", before_mask=_MBART),
        extra=lambda _, listed: [*_MBART, *listed],
        around=put("text eos src_lang", src_lang="en_XX"),
    ),
    "MBart50": _unigram(
        "eos=</s> sep=</s> cls=<s> unk=<unk> pad=<pad>",
        3,
        lambda folder: [*_charsmap(folder), parts.ONE_SPACE],
        by_words=False,
        mask=MASK,
    )._replace(
        reordered=_fairseq("cls", "pad", "eos", "unk", before_mask=_MBART + _MBART50),
        extra=lambda _, listed: [*listed, *_MBART, *_MBART50],
        around=put("src_lang text eos", src_lang="en_XX"),
    ),
    "Pegasus": _unigram(
        "pad=<pad> eos=</s> unk=<unk> mask=<mask_2>",
        _unknown_of_pegasus,
        lambda folder: [*(_charsmap(folder) or [parts.replace_matches(r"\n", " ")]), parts.ONE_SPACE],
        by_words=False,
    )._replace(
        reordered=_pegasus,
        extra=lambda folder, _: [folder.text("mask_token_sent", "<mask_1>"), *_unused_of_pegasus(folder)],
        around=put("text eos"),
    ),
    "RemBert": _unigram(
        f"{_CLS_SEP} unk=<unk> pad=<pad>",
        2,
        lambda folder: [
            *parts.QUOTES,
            parts.ONE_SPACE,
            *_without_accents(folder, keep=True),
            *_lowered(folder),
            *_charsmap(folder),
        ],
        _scheme,
        by_words=False,
    )._replace(again="as given"),
    "T5": _T5._replace(reordered=_with_sentinels, extra=_naming_sentinels),
    "Udop": _T5._replace(
        tokens=tokens_of("eos=</s> sep=</s> unk=<unk> pad=<pad>"),
        normalizer=lambda _: None,
        model=lambda folder: {"unk_id": _unknown_in(folder, folder.pieces, 2)},
    ),
    "VideoPrism": _T5._replace(reordered=_with_sentinels, extra=_naming_sentinels, around=by_options),
    "XLMRoberta": _unigram(f"{_FAIRSEQ} mask=<mask>", 3, _charsmap, _scheme)._replace(
        reordered=_fairseq("bos", "pad", "eos", "unk"), around=put("bos text eos")
    ),
    "XLNet": _unigram(
        "bos=<s> eos=</s> unk=<unk> sep=<sep> pad=<pad> cls=<cls>",
        lambda folder: folder.unk_id,
        lambda folder: [*parts.QUOTES, *parts.STRIP_ACCENTS, *_lowered(folder), *_charsmap(folder)],
        mask=MASK,
    )._replace(around=put("text sep cls")),
}

# What is read as byte pair encoding


def _bpe(tokens: str, normalizer: Part, pre_tokenizer: Part, decoder: Part, **others: Token | None) -> TokenizerClass:
    return TokenizerClass("bpe", tokens_of(tokens, **others), pre_tokenizer, decoder, normalizer)


def _with_unknown(folder: Folder) -> Json:
    return {"unk_token": folder.text("unk_token", "<unk>")}


def _with_unknown_and_bytes(folder: Folder) -> Json:
    return {**_with_unknown(folder), "byte_fallback": True}


def _with_bytes(_: Folder) -> Json:
    return {"byte_fallback": True}


def _adds_space(folder: Folder) -> bool:
    return folder.settings.options.get("add_prefix_space") is None or folder.flag("add_prefix_space", True)


def _llama(folder: Folder) -> Json:
    scheme = "always" if folder.flag("legacy", False) else "first"
    return parts.metaspace(scheme if _adds_space(folder) else "never", split=False)


def _llama_decoder(folder: Folder) -> Json:
    first = [parts.STRIP_FIRST_SPACE] if _adds_space(folder) else []
    return parts.decoders(*parts.SPACES_AND_BYTES, *first)


def _nllb_vocab(folder: Folder) -> dict[str, int]:
    first = [folder.text(f"{key}_token", _FIRST[key]) for key in ("bos", "pad", "eos", "unk")]
    ids = {text: token for token, text in enumerate(first)}
    for text, _ in folder.pieces:
        ids.setdefault(text, len(ids))
    return ids


def _nllb_around(folder: Folder) -> Around:
    places = "text eos src_lang" if folder.flag("legacy_behaviour", False) else "src_lang text eos"
    return put(places, src_lang="eng_Latn")(folder)


def _cleaned(folder: Folder) -> Json | None:
    return parts.normalizers(*_charsmap(folder), parts.ONE_SPACE) if folder.charsmap else None


_MARKED = parts.replace(" ", parts.SPACE)
_GEMMA = _bpe(
    "unk=<unk> bos=<bos> eos=<eos> pad=<pad> mask=<mask>",
    lambda _: _MARKED,
    lambda _: parts.split(" ", "MergedWithPrevious"),
    lambda _: parts.decoders(*parts.SPACES_AND_BYTES),
)._replace(model=_with_unknown_and_bytes)

WITH_BPE = {
    "Gemma": _GEMMA,
    "Llama": _bpe("unk=<unk> bos=<s> eos=</s>", lambda _: None, _llama, _llama_decoder)._replace(model=_with_bytes),
    "Nllb": _bpe(
        _FAIRSEQ,
        _cleaned,
        lambda _: parts.metaspace(),
        lambda _: parts.metaspace(),
        mask=MASK._replace(normalized=True, special=True),
    )._replace(model=_with_unknown, vocab=_nllb_vocab, around=_nllb_around),
    "Reformer": _bpe("eos=</s> unk=<unk>", _cleaned, lambda _: parts.metaspace(), lambda _: parts.metaspace())._replace(
        model=_with_unknown, again="as given"
    ),
    "Siglip2": _GEMMA._replace(normalizer=lambda _: parts.normalizers(parts.LOWERCASE, _MARKED)),
    "Tipsv2": _bpe(
        "unk=<unk> pad=<pad>",
        lambda folder: parts.normalizers(*_lowered(folder, default=True), *_charsmap(folder)),
        lambda _: parts.words(),
        lambda _: parts.decoders(parts.metaspace(), *parts.SPACES_AND_BYTES[1:]),
    )._replace(model=_with_bytes),
}
