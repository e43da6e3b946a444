"""Training through other libraries, with their own names for what they can be told.

`train_sentencepiece` learns byte pair encodings and Unigram models over code points, `train_word_piece` what BERT uses.
The results are tokenizers of these libraries, which encode as they do there, and save to their files.
"""

import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from tokviz.display import quote
from tokviz.texts import Texts, each_text
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer
from tokviz.tokenizers.inputs import check_special_tokens

if TYPE_CHECKING:
    from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

ModelType = Literal["bpe", "unigram"]

BERT_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
"""BERT's special tokens, which its tokenizer.json needs."""

_CONTROL_SYMBOLS = {"unk_id": "<unk>", "bos_id": "<s>", "eos_id": "</s>"}  # by the option that leaves each out
_BOUNDARY = "\N{LOWER FIVE EIGHTHS BLOCK}"  # marks boundaries in SentencePiece, which skips all sentences that have it
_PLACES = frozenset(["input", "model_prefix", "sentence_iterator", "model_writer", "max_sentence_length"])
_RULES = ("nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity")
_LEAST_COVERAGE = 0.98
_MAX_PIECE = 512  # code points
_LEAST_LINE = 10  # the least that max_sentence_length may be
_SIZES = (
    (r"Vocabulary size too high \((\d+)\)\. Please set it to a value <= (\d+)", "the text gives at most {} pieces"),
    (
        r"Vocabulary size is smaller than required_chars\. (\d+) vs (\d+)",
        "the special pieces, characters and any single bytes alone are {} pieces",
    ),
)
"""Messages of the library about a vocabulary size that a text does not allow, and the same in plain words."""
_PLACE = re.compile(r"(?:[A-Z_]+: )?(?:src/\S+\(\d+\) \[.*?\] )?")


def train_sentencepiece(
    texts: Texts,
    *,
    model_type: ModelType = "unigram",
    vocab_size: int = 8000,
    character_coverage: float = 0.9995,
    byte_fallback: bool = False,
    split_digits: bool = False,
    add_dummy_prefix: bool = True,
    remove_extra_whitespaces: bool = True,
    normalization_rule_name: str = "nmt_nfkc",
    max_sentencepiece_length: int = 16,
    hard_vocab_limit: bool = True,
    name: str = "sentencepiece",
    **options: Any,
) -> SentencePieceTokenizer:
    """Train a SentencePiece model on the lines of a text or several, with the library's names and defaults.

    It starts from the code points of the text. `character_coverage` is the part of the text that they must cover; the
    rarest beyond that become `<unk>`, or their bytes with `byte_fallback`, which takes 256 more ids.
    `split_digits` makes each digit a piece; `add_dummy_prefix` puts a space in front of a text, so that a word is the
    same there as elsewhere; `remove_extra_whitespaces` drops spaces at the ends and repeated ones;
    `normalization_rule_name` is nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf (these two ignore case) or identity; pieces have
    at most `max_sentencepiece_length` code points. Without `hard_vocab_limit`, a text that has too few pieces gives a
    smaller vocabulary. `options` are other options of the library.

    No line is skipped: `max_sentence_length` follows the text, and ValueError is raised for a text with “▅” (U+2585),
    with which the library skips lines. Raises ValueError for anything else that it refuses.
    """
    _check(model_type, vocab_size, character_coverage, normalization_rule_name, max_sentencepiece_length)
    if vocab_size <= len(_CONTROL_SYMBOLS) and not _CONTROL_SYMBOLS.keys() & options.keys():
        symbols = ", ".join(_CONTROL_SYMBOLS.values())
        raise ValueError(f"a vocabulary of {vocab_size} is too small: it must hold {symbols} and all characters")
    if _PLACES & options.keys():
        raise ValueError(f"{', '.join(sorted(_PLACES & options.keys()))} can't be given: texts are given instead")
    given = {
        "model_type": model_type,
        "vocab_size": vocab_size,
        "character_coverage": character_coverage,
        "byte_fallback": byte_fallback,
        "split_digits": split_digits,
        "add_dummy_prefix": add_dummy_prefix,
        "remove_extra_whitespaces": remove_extra_whitespaces,
        "normalization_rule_name": normalization_rule_name,
        "max_sentencepiece_length": max_sentencepiece_length,
        "hard_vocab_limit": hard_vocab_limit,
    }
    return SentencePieceTokenizer(name, _learn(list(_lines(texts)), given | options))


def _learn(lines: list[str], options: Mapping[str, Any]) -> bytes:
    """Return the file of a SentencePiece model trained on lines, none of which is skipped."""
    from sentencepiece import SentencePieceTrainer

    if not lines:
        raise ValueError("there is nothing to learn from: the text is empty")
    learned = io.BytesIO()
    longest = max(_LEAST_LINE, *(len(line.encode()) + 1 for line in lines))
    settings: dict[str, Any] = {"minloglevel": 2, **options, "max_sentence_length": longest}
    try:
        SentencePieceTrainer.train(sentence_iterator=iter(lines), model_writer=learned, **settings)
    except (RuntimeError, ValueError, OSError) as error:
        if not _is_anything_left(lines, str(settings["normalization_rule_name"])):
            raise ValueError("there is nothing to learn from: normalization removes all of the text") from None
        raise ValueError(f"SentencePiece can't train this: {_reason(error)}") from None
    return learned.getvalue()


def _is_anything_left(lines: list[str], rule: str) -> bool:
    """Return whether normalization leaves anything of the lines but spaces."""
    from sentencepiece import SentencePieceNormalizer

    normalizer = SentencePieceNormalizer(rule_name=rule)
    return any(normalizer.Normalize(line).strip() for line in lines)


def _lines(texts: Texts) -> Iterator[str]:
    """Yield the lines of texts that are not blank: what SentencePiece calls sentences."""
    for text in each_text(texts):
        if _BOUNDARY in text:
            raise ValueError(
                f"the text has the character {quote(_BOUNDARY)} (U+2585), and SentencePiece skips lines that have it: "
                "replace it"
            )
        yield from filter(str.strip, text.split("\n"))


def _reason(error: Exception) -> str:
    """Return what an exception of the library says: in words, or its own without the place in its source."""
    said = _PLACE.sub("", str(error), count=1).strip().rstrip(".")
    for pattern, meaning in _SIZES:
        if found := re.match(pattern, said):
            asked, limit = (f"{int(size):,}" for size in found.groups())
            return f"{meaning.format(limit)}, and vocab_size is {asked}"
    return said or "it gives no reason. Try another text, or a smaller vocabulary"


def _check(model_type: str, vocab_size: int, coverage: float, rule: str, longest: int) -> None:
    """Raise ValueError for what the library refuses in words of its source, or ends the process for."""
    if model_type not in get_args(ModelType):
        raise ValueError(f"model_type must be one of {', '.join(map(repr, get_args(ModelType)))}, not {model_type!r}")
    if type(vocab_size) is not int or vocab_size < 1:
        raise ValueError(f"vocab_size must be a whole number above 0, not {vocab_size!r}")
    if not _LEAST_COVERAGE <= coverage <= 1:
        raise ValueError(f"character_coverage must be from {_LEAST_COVERAGE} to 1, not {coverage!r}")
    if rule not in _RULES:
        raise ValueError(f"normalization_rule_name must be one of {', '.join(_RULES)}, not {rule!r}")
    if not 1 <= longest <= _MAX_PIECE:
        raise ValueError(f"max_sentencepiece_length must be from 1 to {_MAX_PIECE}, not {longest!r}")


def train_word_piece(
    texts: Texts,
    *,
    vocab_size: int = 30_000,
    min_frequency: int = 2,
    limit_alphabet: int = 1000,
    initial_alphabet: Iterable[str] = (),
    wordpieces_prefix: str = "##",
    lowercase: bool = True,
    strip_accents: bool | None = None,
    clean_text: bool = True,
    handle_chinese_chars: bool = True,
    special_tokens: Iterable[str] = BERT_TOKENS,
    name: str = "wordpiece",
) -> HuggingFaceTokenizer:
    """Train a WordPiece tokenizer like BERT's on a text or several, with Hugging Face's names and defaults.

    A text is cleaned (`clean_text` drops control characters, `handle_chinese_chars` makes each of them a word), put in
    lower case and without accents if `lowercase` (and `strip_accents`, where it is not None) say so, and cut into words
    and signs. The alphabet has at most `limit_alphabet` characters; a pair of pieces that occurs `min_frequency` times
    may become one. Pieces inside a word begin with `wordpieces_prefix`. A word that no pieces spell is `[UNK]`, and
    `add_special` puts a text between `[CLS]` and `[SEP]`: `special_tokens` must have them.

    Two trainings on a text give the same pieces. Raises ValueError for a text or options that it can't train with.
    """
    from tokenizers.implementations.bert_wordpiece import BertWordPieceTokenizer

    specials = _check_word_piece(special_tokens, vocab_size)
    learner = BertWordPieceTokenizer(
        clean_text=clean_text,
        handle_chinese_chars=handle_chinese_chars,
        strip_accents=strip_accents,
        lowercase=lowercase,
        wordpieces_prefix=wordpieces_prefix,
    )
    read = list(each_text(texts))
    alphabet, inside = _characters(learner, read, limit_alphabet, initial_alphabet)
    settings = {"vocab_size": vocab_size, "min_frequency": min_frequency, "wordpieces_prefix": wordpieces_prefix}
    continuing = [wordpieces_prefix + char for char in inside]
    return HuggingFaceTokenizer(
        name, _with_ends(_learn_pieces(learner, read, specials, alphabet, continuing, settings))
    )


def _learn_pieces(
    learner: "BertWordPieceTokenizer",
    texts: list[str],
    specials: list[str],
    alphabet: list[str],
    continuing: list[str],
    settings: Mapping[str, Any],
) -> str:
    """Return the tokenizer.json of a WordPiece training with these characters, and pieces that continue a word."""
    first = dict.fromkeys([*specials, *alphabet, *continuing])
    learner.train_from_iterator(
        iter(texts),
        limit_alphabet=len(alphabet),
        initial_alphabet=alphabet,
        special_tokens=[*first],
        show_progress=False,
        **settings,
    )
    if learner.get_vocab_size(with_added_tokens=True) == len(specials):
        raise ValueError("there is nothing to learn from: the text has no words")
    data = json.loads(learner.to_str())
    data["added_tokens"] = [token for token in data["added_tokens"] if token["content"] in specials]
    return json.dumps(data, ensure_ascii=False)


def _characters(
    learner: "BertWordPieceTokenizer", texts: Iterable[str], limit: int, initial: Iterable[str]
) -> tuple[list[str], list[str]]:
    """Return the alphabet of a WordPiece training, sorted, and its characters inside words, as they occur first.

    Hugging Face's trainer takes words, and characters that are equally frequent, in the order of a hash table that
    differs each time. Characters get the first ids, then pieces that continue a word, in the order in which words have
    them; ids decide which of two equally frequent pairs comes first. So the trainer is told both lists as special
    tokens, which get the first ids in their order, and are ordinary ones afterwards: one of its runs, always the same.
    """
    words: Counter[str] = Counter()
    for line in (line for text in texts for line in text.split("\n")):
        normalized = learner.normalizer.normalize_str(line)
        words.update(word for word, _ in learner.pre_tokenizer.pre_tokenize_str(normalized))
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for char in word:
            counts[char] += count
    inside = dict.fromkeys(char for word in words for char in word[1:])
    first = {char[0] for char in initial if char}
    others = sorted(counts.keys() - first, key=lambda char: (-counts[char], char))
    alphabet = first.union(others[: max(0, limit - len(first))])
    return sorted(alphabet), [char for char in inside if char in alphabet]


def _check_word_piece(special_tokens: Iterable[str], vocab_size: int) -> list[str]:
    """Return the special tokens as a list. Raises ValueError if they, or the size, don't do."""
    specials = check_special_tokens(special_tokens)
    missing = [token for token in BERT_TOKENS[1:4] if token not in specials]
    if missing:
        raise ValueError(f"special_tokens must have {', '.join(missing)}, which a text is encoded with")
    if type(vocab_size) is not int or vocab_size <= len(specials):
        raise ValueError(f"vocab_size must be above {len(specials)}, the number of special tokens, not {vocab_size!r}")
    return specials


def _with_ends(tokenizer_json: str) -> bytes:
    """Return a tokenizer.json that puts a text between [CLS] and [SEP]."""
    from tokenizers import Tokenizer
    from tokenizers.processors import BertProcessing

    learned = Tokenizer.from_str(tokenizer_json)
    ids = learned.get_vocab()
    learned.post_processor = BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    data: str = learned.to_str()
    return data.encode()
