"""The stages in which another library makes tokens of a text, and what its models consist of."""

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

SPACE = "▁"
"""SentencePiece's spelling of a space."""

READS_MARK = f"reads {SPACE} as a space"
"""Description of what tokenizers that write spaces as `▁` do with one in the text itself: it stays as it is."""

DROPS_SPACE = "drops white space between words"
"""Description of what pre-tokenizers such as BERT's do."""

DROPS_BETWEEN = "drops the text between the pieces"
"""Description of what pre-tokenizers such as CLIP's do, whose pattern says what words are."""

Algorithm = Literal["bpe", "unigram", "wordpiece", "wordlevel", "word", "char"]

StageName = Literal["normalized", "pre-tokens", "tokens", "special tokens"]


class TextStage(NamedTuple):
    """A text after one stage.

    `pieces` are its parts as the library spells them, `▁` for a space included, and bytes that are no UTF-8 as
    `surrogateescape` does; special and other added tokens that are cut out of a text stand for themselves. `changes`
    are descriptions, such as "makes all letters lower case", of what the stage changed in this very text.
    """

    name: StageName
    pieces: tuple[str, ...]
    changes: tuple[str, ...]


class CutOut(NamedTuple):
    """A token that is cut out of a text before it is split, with the rules by which it is found."""

    id: int
    text: str
    is_special: bool = True
    rules: frozenset[str] = frozenset()


class Model(NamedTuple):
    """The parts of a model.

    `pieces` are its tokens by id, as the file spells them, with their scores: log-probabilities for "unigram", negated
    ranks in a SentencePiece "bpe" model, else 0. Ids that no token has hold "". `merges` are the pairs of "bpe" that
    the file lists, by rank; a SentencePiece model lists none, as scores say them. `unknown` is the id of the token for
    what no piece spells; `byte_ids` maps byte values to the tokens that stand for them, and may lack some (Gemma's has
    no tab). `continuing_prefix` begins the pieces inside a word, and `end_suffix` ends those at its end.
    `ignore_merges` takes a pre-token that is a piece whole; `fuse_unknown` makes one token of a run of unknown ones;
    `word_limit` is the number of characters above which a word is unknown; `literal_ids` are pieces that are cut out of
    a text before the algorithm runs, `unused_ids` those that no text becomes.
    """

    algorithm: Algorithm
    pieces: tuple[tuple[str, float], ...]
    merges: tuple[tuple[str, str], ...] = ()
    unknown: int | None = None
    byte_ids: Mapping[int, int] = {}
    continuing_prefix: str = ""
    end_suffix: str = ""
    ignore_merges: bool = False
    fuse_unknown: bool = False
    word_limit: int | None = None
    literal_ids: frozenset[int] = frozenset()
    unused_ids: frozenset[int] = frozenset()


def flatten(node: Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    """Return the steps of a part of a tokenizer.json, which may be a sequence of sequences, in order.

    BERT's normalizer, which is several in one, counts as a step for each.
    """
    if node is None:
        return []
    if node.get("type") == "BertNormalizer":
        return _steps_of_bert(node)
    if node.get("type") != "Sequence":
        return [node]
    inner = next((value for value in node.values() if isinstance(value, list)), [])
    return [step for each in inner for step in flatten(each)]


def _steps_of_bert(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    settings = {name: node.get(name) for name in _BERT}
    if settings["strip_accents"] is None:
        settings["strip_accents"] = settings["lowercase"]
    nothing = dict.fromkeys(_BERT, False)
    return [{"type": "BertNormalizer", **nothing, name: True} for name, is_set in settings.items() if is_set]


_CONTROLS = "removes control characters"
_SPACES = "turns all white space into spaces"
_ACCENTS = "removes accents"
_APART = "splits characters into their parts (NFD)"
_BERT = {
    "clean_text": f"{_CONTROLS} and {_SPACES}",
    "handle_chinese_chars": "puts spaces around Chinese characters",
    "strip_accents": _ACCENTS,
    "lowercase": "makes all letters lower case",
}
"""Steps of BERT's normalizer, in order, by the names of its settings."""

_FORMS = ("NFC", "NFD", "NFKC", "NFKD")
_SIMPLE = {
    "Lowercase": "makes all letters lower case",
    "StripAccents": _ACCENTS,
    "Nmt": f"{_CONTROLS} and {_SPACES}",
    "Precompiled": "replaces characters using a table of its own, much like NFKC",
    "ByteLevel": "writes each byte as a character",
}


def describe_normalizer(step: Mapping[str, Any]) -> str:
    """Describe what a step of a normalizer does to a text."""
    kind = str(step.get("type"))
    if kind in _FORMS:
        return f"converts the text to the Unicode form {kind}"
    if kind == "Replace":
        (old,) = step["pattern"].values()
        if (old, step["content"]) == (" ", SPACE):
            return f"writes each space as {SPACE}"
        return f"replaces {_quote(old)} with {_quote(step['content'])}" if step["content"] else f"removes {_quote(old)}"
    if kind == "Prepend":
        text = step["prepend"]
        return "puts a space in front" if text in (" ", SPACE) else f"puts {_quote(text)} in front"
    if kind == "Strip":
        sides = [side for side in ("left", "right") if step.get(f"strip_{side}")]
        return "removes white space at " + {2: "both ends", 1: f"the {''.join(sides)} end"}.get(len(sides), "no end")
    if kind == "BertNormalizer":
        return next(description for name, description in _BERT.items() if step[name])
    return _SIMPLE.get(kind, f"applies {kind[:40]}")


def describe_change(step: Mapping[str, Any], before: str, after: str) -> str:
    """Describe what a step of a normalizer changed in a text: of what it can do, only that."""
    description = describe_normalizer(step)
    if description == f"{_CONTROLS} and {_SPACES}":
        done = {_CONTROLS: len(after) < len(before), _SPACES: _white_space(before) != _white_space(after)}
        return " and ".join(each for each, is_done in done.items() if is_done) or description
    if description == _ACCENTS:
        # BERT's step takes all characters apart before it removes the marks: Hangul syllables, too.
        parts = unicodedata.normalize("NFD", before)
        has_marks = any(unicodedata.category(character) == "Mn" for character in parts)
        return _ACCENTS if has_marks else _APART
    return description


def _white_space(text: str) -> str:
    return "".join(filter(str.isspace, text))


def describe_pre_tokenizer(step: Mapping[str, Any]) -> str | None:
    """Describe what a step of a pre-tokenizer changes in a text beyond cutting it; None if nothing."""
    kind = step.get("type")
    if kind == "ByteLevel" and step.get("add_prefix_space"):
        return "puts a space in front where there is none"
    if kind == "Metaspace" and step.get("prepend_scheme", "always") != "never":
        return "puts a space in front where there is none"
    drops_space = kind in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit")
    if drops_space:
        return DROPS_SPACE
    removes = kind == "CharDelimiterSplit" or step.get("behavior") == "Removed"
    return DROPS_BETWEEN if removes else None


def _quote(text: str) -> str:
    return f"“{text[:40]}”"


def describe_steps(normalizer: Iterable[Mapping[str, Any]], pre_tokenizer: Iterable[Mapping[str, Any]]) -> list[str]:
    """Describe, once each, what the steps of both change in a text. Spellings of spaces and bytes are no changes."""
    done = (*map(describe_normalizer, normalizer), *map(describe_pre_tokenizer, pre_tokenizer))
    spelling = (f"writes each space as {SPACE}", "writes each byte as a character")
    return list(dict.fromkeys(text for text in done if text and text not in spelling))


def describe_around(before: Iterable[str | None], after: Iterable[str | None]) -> tuple[str, ...]:
    """Describe what is put around a text."""
    return (*(f"puts {piece} in front" for piece in before), *(f"puts {piece} at the end" for piece in after))
