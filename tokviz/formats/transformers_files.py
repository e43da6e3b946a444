"""Files of older tokenizers, as Hugging Face's transformers saves them beside each other, as one `tokenizer.json`.

These are WordPiece's `vocab.txt`, `vocab.json` with `merges.txt`, and SentencePiece's models. What they mean depends on
the class that saved them, and on the settings beside them. A class that is not known is refused.
"""

import json
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from tokviz.display import quote
from tokviz.formats import byte_spelling, checks, gpt2_files
from tokviz.formats.tokenizer_parts import Json, template
from tokviz.formats.transformers_class import Folder, TokenizerClass, ids_of_pieces
from tokviz.formats.transformers_settings import (
    CONFIG,
    MODEL_CONFIG,
    NAMED,
    SETTINGS,
    AddedToken,
    Settings,
    Token,
    content,
    resolved,
    settings_of,
)

WORD_PIECES = "vocab.txt"
VOCABULARY, MERGES = "vocab.json", "merges.txt"

WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""Unicode's white space, which the library takes off the ends of WordPiece's pieces; Python's `rstrip` takes more."""

_ENDING = "Tokenizer"

_CONTROL, _USER_DEFINED = 3, 4
"""Types of pieces in sentencepiece_model.proto."""


def settings_and_class(files: Mapping[str, bytes]) -> Settings:
    """Read the settings among files. Where they name no class, the `config.json` of the model does."""
    settings = settings_of(files)
    if settings.class_name is not None or MODEL_CONFIG not in files:
        return settings
    kind = _class_of_model(checks.as_json(MODEL_CONFIG, files[MODEL_CONFIG]))
    return settings._replace(class_name=kind)


def _class_of_model(config: Json) -> str | None:
    """Return the class that a model's `config.json` names, or that reads its type of model; None if it says neither."""
    from tokviz.formats.transformers_classes import class_for_model  # a large table, which few files need

    named, model = config.get("tokenizer_class"), config.get("model_type")
    if named is not None:
        return checks.typed(MODEL_CONFIG, "tokenizer_class", named, str)
    if not model:
        return None
    kind = class_for_model(checks.typed(MODEL_CONFIG, "model_type", model, str))
    if kind is None:
        raise ValueError(
            f"{MODEL_CONFIG} says that the model is a {quote(model[:40])}, and tokviz doesn't know what its tokenizer "
            f"does with a text: open a tokenizer.json of the same model, or name the “tokenizer_class” in {CONFIG}"
        )
    return kind


def from_word_pieces(name: str, data: bytes, settings: Settings) -> bytes:
    """Return the `tokenizer.json` for WordPiece's list of pieces, whose line numbers are the ids."""
    kind = _class_of(settings, name, "BertTokenizer", "vocab.txt")
    lines = checks.as_text(name, data).removesuffix("\n").split("\n")
    vocab = {piece.rstrip(WHITE_SPACE): token for token, piece in enumerate(lines)}
    checks.check_lengths(name, map(len, vocab))
    folder = _folder(kind, settings)
    unknown = settings.text("unk_token", content(kind.tokens["unk_token"] or ""))
    if unknown not in vocab:
        raise ValueError(f"{name} is no list of WordPiece's pieces, one a line: it lacks {quote(unknown)}")
    model = {"type": "WordPiece", "unk_token": unknown, "continuing_subword_prefix": "##"}
    return _whole(kind, folder, vocab, {**model, "max_input_chars_per_word": 100, "vocab": vocab})


def gpt2s_files(files: Mapping[str, bytes]) -> dict[str, bytes] | None:
    """Return the two files under their own names, if there are just these two beside the settings; else None.

    Both names may have the same beginning: `gpt2-vocab.json`, `gpt2-merges.txt`.
    """
    found = {known: name for name in files for known in (VOCABULARY, MERGES) if name.endswith(known)}
    starts = {name.removesuffix(known) for known, name in found.items()}
    if len(found) != 2 or len(starts) != 1 or len(files.keys() - set(SETTINGS)) != 2:
        return None
    return {known: files[name] for known, name in found.items()}


def from_gpt2s_files(files: Mapping[str, bytes], settings: Settings) -> bytes:
    """Return the `tokenizer.json` for `vocab.json` and `merges.txt`."""
    vocab = byte_spelling.check_vocab(VOCABULARY, checks.as_json(VOCABULARY, files[VOCABULARY]))
    pairs = gpt2_files.read_pairs(MERGES, files[MERGES])
    if settings.class_name is None and any(right.endswith("</w>") for _, right in pairs):
        raise ValueError(
            f"{VOCABULARY} and {MERGES} don't say how a text is cut, and these merges are not of GPT-2's kind: open "
            "the tokenizer.json from the same folder"
        )
    kind = _class_of(settings, f"{VOCABULARY} and {MERGES}", "GPT2Tokenizer", "merges.txt")
    if settings.class_name is None:
        kind, settings = _of_no_class(kind, settings, vocab, pairs)
    folder = _folder(kind, settings)
    return _whole(kind, folder, vocab, {"type": "BPE", **kind.model(folder), "vocab": vocab, "merges": pairs})


def _of_no_class(
    kind: TokenizerClass, settings: Settings, vocab: Mapping[str, int], pairs: list[tuple[str, str]]
) -> tuple[TokenizerClass, Settings]:
    """Find special tokens by their spelling, as `<s>`, where no class says which there are."""
    merged = {left + right for left, right in pairs}
    texts = [text for text in vocab if text.startswith("<") and text.endswith(">") and len(text) > 2]
    special = sorted((text for text in texts if text not in merged), key=vocab.__getitem__)
    return kind._replace(tokens={}), settings._replace(extra=[*special, *(settings.extra or [])])


def from_sentencepiece(name: str, proto: Any, settings: Settings) -> bytes:
    """Return the `tokenizer.json` for a SentencePiece model, given as its protocol buffer."""
    kind = _class_of(settings, name, "", "unigram", "bpe")
    spec = proto.normalizer_spec
    folder = _folder(
        kind,
        settings,
        pieces=[(str(piece.piece), float(piece.score)) for piece in proto.pieces],
        charsmap=bytes(spec.precompiled_charsmap),
        unk_id=proto.trainer_spec.unk_id,
    )
    given: list[Token] = [
        AddedToken(piece.piece, normalized=False, special=piece.type == _CONTROL)
        for piece in proto.pieces
        if piece.type in (_CONTROL, _USER_DEFINED)
    ]
    if kind.files == "unigram":
        listed = kind.reordered(folder)
        ids = {text: token for token, (text, _) in enumerate(listed)}
        model = {"type": "Unigram", **kind.model(folder), "vocab": listed, "byte_fallback": False}
        return _whole(kind, folder, ids, model, given)
    checks.check_lengths(name, (len(text) for text, _ in folder.pieces), squares=True)
    ids, merges = kind.vocab(folder), _merges(ids_of_pieces(folder))
    model = {"type": "BPE", "fuse_unk": True, **kind.model(folder), "vocab": ids, "merges": merges}
    return _whole(kind, folder, ids, model, given)


def _merges(vocab: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return all pairs of pieces that are a piece together, in the order of its id, then of the length of the first."""
    cuts = (
        (text[:place], text[place:]) for text in sorted(vocab, key=vocab.__getitem__) for place in range(1, len(text))
    )
    return [(left, right) for left, right in cuts if left in vocab and right in vocab]


def _class_of(settings: Settings, names: str, default: str, *files: str) -> TokenizerClass:
    """Return the class that the settings name. Raises ValueError if tokviz doesn't know how it reads these files."""
    from tokviz.formats.transformers_classes import CLASSES  # a large table, which few files need

    name = settings.class_name or default
    kind = CLASSES.get(name.removesuffix("Fast").removesuffix(_ENDING))
    if kind is None or kind.files not in files:
        raise ValueError(
            f"{CONFIG} says that {names} {'are' if ' and ' in names else 'is'} read by {quote(name[:40])}, and tokviz "
            "doesn't know what that does with a text: open a tokenizer.json of the same model"
        )
    return kind


def _folder(kind: TokenizerClass, settings: Settings, **of_model: Any) -> Folder:
    """Return what the files say, with the special tokens of the class by option, in the order in which it adds them."""
    tokens = {key: settings.token(key, kind.tokens.get(key)) for key in NAMED}
    tokens |= {key: token for key, token in kind.tokens.items() if key not in NAMED} | settings.named
    for key, default in kind.tokens.items():
        token = tokens[key]
        if isinstance(token, str) and isinstance(default, AddedToken):
            tokens[key] = default._replace(content=token)
    return Folder(settings, {key: token for key, token in tokens.items() if token is not None}, **of_model)


def _whole(
    kind: TokenizerClass, folder: Folder, vocab: Mapping[str, int], model: Json, given: list[Token] | None = None
) -> bytes:
    """Return a `tokenizer.json` with this model, where `given` are the special tokens that it names itself."""
    added = _added(kind, folder, vocab, len(model["vocab"]), given)
    ids = {**vocab, **{text: token for text, (token, _) in added.items()}}
    unknown = folder.named.get("unk_token", "")
    folder = folder._replace(token_of=lambda text: (text, ids[text]) if text in ids else (unknown, ids.get(unknown, 0)))
    around = kind.around(folder)
    file = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [token.described(number) for number, token in sorted(added.values(), key=itemgetter(0))],
        "normalizer": kind.normalizer(folder),
        "pre_tokenizer": kind.pre_tokenizer(folder),
        "post_processor": template(*around) if any(around) else None,
        "decoder": kind.decoder(folder),
        "model": model,
    }
    return json.dumps(file).encode()


def _added(
    kind: TokenizerClass, folder: Folder, vocab: Mapping[str, int], size: int, given: list[Token] | None
) -> dict[str, tuple[int, AddedToken]]:
    """Return added tokens and their ids, by text. The library assigns them in the order in which the class adds them.

    A text that is added twice keeps its id, and is looked for as it was added last; of two texts with one id, the one
    that was added last is found.
    """
    settings = folder.settings
    listed = settings.unnamed() if given is None else given
    extra = kind.extra(folder, listed) if settings.extra is None else settings.extra
    known = {token.content for token in settings.added}
    further: list[Token] = []
    for token in (*folder.tokens.values(), *extra):
        if content(token) not in known and resolved(token) not in map(resolved, further):
            further.append(token)
    named = set(folder.named.values())
    tokens = [*settings.added, *(AddedToken(each, special=True) if isinstance(each, str) else each for each in further)]
    tokens = [token._replace(special=token.special or token.content in named) for token in tokens]
    if kind.again:
        every = (*folder.tokens.values(), *extra)
        again = (
            AddedToken(content(each)) if kind.again == "plain" or isinstance(each, str) else each for each in every
        )
        tokens += [token._replace(special=True) for token in again]
    added: dict[str, tuple[int, AddedToken]] = {}
    highest = -1
    for token in filter(itemgetter(0), tokens):
        new = vocab.get(token.content, max(size, highest + 1)), token
        number, _ = added.pop(token.content, new)
        added[token.content] = number, token
        highest = max(highest, number)
    return added
