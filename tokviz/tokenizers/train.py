"""`train`: from texts to a BPE tokenizer."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Literal, NamedTuple, get_args

import numpy as np

from tokviz.bpe.alphabet import SEPARATOR, Alphabet
from tokviz.bpe.merging import Merges
from tokviz.bpe.training import TIE_BREAKS, Learned, TieBreak, learn
from tokviz.pretokens import splitting
from tokviz.texts import Texts
from tokviz.tokenizers.base import check_special_tokens
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.counts_file import MAX_COUNT
from tokviz.tokenizers.history import Training
from tokviz.tokenizers.pretoken_counts import TOO_LONG, PretokenCounts, count
from tokviz.tokenizers.progress import PhaseProgress, Progress, with_phases

AlphabetName = Literal["bytes", "seen-bytes", "characters"]
ALPHABETS: tuple[AlphabetName, ...] = get_args(AlphabetName)

Watch = Callable[[Callable[[], BPETokenizer]], object]
"""`watch(so_far)`, where `so_far()` returns the tokenizer of the merges learned so far."""


def train(
    text: Texts | Mapping[str, int] | PretokenCounts,
    *,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    split_pattern: splitting.SplitPattern = None,
    alphabet: AlphabetName = "bytes",
    end_of_word: str | None = None,
    tie_break: TieBreak = "first-seen",
    min_count: int = 2,
    max_token_length: int | None = None,
    special_tokens: Iterable[str] = (),
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> BPETokenizer:
    """Train a BPE tokenizer on a text, or on several that are never merged across.

    An open file is one text. A mapping of texts to counts, such as a `Counter` of words, repeats each text that often.
    The table that `count_pretokens` makes of texts stands for them, with its split pattern and special tokens.

    Training ends at `vocab_size` tokens (alphabet, merges and special tokens together) or after `num_merges` merges,
    whichever of the two is given, and in any case when no pair of neighbors occurs `min_count` times. No token gets
    longer than `max_token_length`: bytes, or characters if that is the alphabet; an end-of-word mark doesn't count.
    (In Hugging Face's library and bpeasy, tokens are shorter than the option of this name.)

    `split_pattern` splits the text into pre-tokens first: None for no splitting, the name of a pattern (see
    `tokviz.split_patterns`) or of a tokenizer that `tokviz.load` knows, or a regular expression, which may be compiled.
    `alphabet` is what merging starts from: `"bytes"`, all 256, with the byte's value as id; `"seen-bytes"`, those in
    the text, or `"characters"`, the code points in the text, with ids from 0 in ascending order. `end_of_word` (with
    characters only) ends each word with an extra symbol, which is displayed as this label. `tie_break` chooses between
    equally frequent pairs: `"first-seen"` takes the one that occurs first in the current text, `"lowest-ids"` the
    lowest (left id, right id), `"greatest-bytes"` the greatest pair of byte strings. The text is cut at
    `special_tokens`, which take the last ids.

    `progress(phase, done, total)` is called as `tokviz.tokenizers.progress` describes; `watch(so_far)` before the first
    merge and after each: `so_far()` returns the tokenizer of the merges learned so far, which takes a while if they are
    many. An exception in either ends the training. Raises ValueError or TypeError for invalid arguments.

    >>> tokenizer = train("the cat in the hat", num_merges=3)
    >>> tokenizer.encode("the quick")
    [258, 113, 117, 105, 99, 107]
    """
    _check_choices(alphabet, end_of_word, tie_break)
    _check_sizes(vocab_size, num_merges, min_count, max_token_length)
    report = with_phases(progress)
    table = _counts_of(text, split_pattern, special_tokens, report)
    counts = table.counts if end_of_word is None else _words(table.counts)
    if not counts:
        raise ValueError("there is nothing to learn from: the text is empty")
    symbols = _build_alphabet(alphabet, counts, has_mark=end_of_word is not None)
    basis = _Basis(counts, symbols, table.split_pattern, table.special_tokens, end_of_word, tie_break)
    limits = _Limits(
        num_merges if vocab_size is None else _merges_within(vocab_size, basis), min_count, max_token_length
    )
    return _assemble(basis, _learn(basis, limits, report, watch))


class _Basis(NamedTuple):
    """What a training starts from: its pre-tokens, the alphabet, and the settings that the tokenizer gets."""

    counts: Counter[str]
    alphabet: Alphabet
    pattern: str | None
    specials: tuple[str, ...]
    end_of_word: str | None
    tie_break: TieBreak


class _Limits(NamedTuple):
    """When training ends, and which pairs it leaves alone (see `train`)."""

    num_merges: int | None
    min_count: int
    max_token_length: int | None


def _check_choices(alphabet: str, end_of_word: str | None, tie_break: str) -> None:
    if alphabet not in ALPHABETS:
        raise ValueError(f"alphabet must be one of {', '.join(map(repr, ALPHABETS))}, not {alphabet!r}")
    if tie_break not in TIE_BREAKS:
        raise ValueError(f"tie_break must be one of {', '.join(map(repr, TIE_BREAKS))}, not {tie_break!r}")
    if end_of_word is None:
        return
    if not isinstance(end_of_word, str):
        raise TypeError(f"end_of_word must be a label (a str) or None, not {type(end_of_word).__name__}")
    if not end_of_word:
        raise ValueError("end_of_word is the label people see, and must not be empty; None leaves the mark out")
    if alphabet != "characters":
        raise ValueError('an end-of-word mark needs alphabet="characters"')


def _check_sizes(vocab_size: int | None, num_merges: int | None, min_count: int, max_token_length: int | None) -> None:
    if vocab_size is not None and num_merges is not None:
        raise ValueError("give vocab_size or num_merges, not both")
    for name, value, least in (
        ("vocab_size", vocab_size, 1),
        ("num_merges", num_merges, 0),
        ("min_count", min_count, 1),
        ("max_token_length", max_token_length, 1),
    ):
        if value is None and name != "min_count":
            continue
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"{name} must be a whole number, not {type(value).__name__}")
        if value < least:
            raise ValueError(f"{name} must be {least} or more, not {value}")


def _check_specials(special_tokens: Iterable[str]) -> list[str]:
    if isinstance(special_tokens, Mapping):
        raise TypeError("special_tokens must be a list of texts, which take the last ids: train doesn't take their ids")
    return check_special_tokens(special_tokens)


def _counts_of(
    text: Texts | Mapping[str, int] | PretokenCounts,
    split_pattern: splitting.SplitPattern,
    special_tokens: Iterable[str],
    report: PhaseProgress,
) -> PretokenCounts:
    """Return the counts of the texts to train on, with the settings that they were cut by."""
    pattern, specials = splitting.resolve(split_pattern), tuple(_check_specials(special_tokens))
    if not isinstance(text, PretokenCounts):
        return PretokenCounts(count(text, pattern, specials, report), pattern, specials)
    for name, given, known in (
        ("split_pattern", pattern, text.split_pattern),
        ("special_tokens", specials, text.special_tokens),
    ):
        if given and given != known:
            raise ValueError(f"{name} is part of the counts: leave it out, or count the texts again with it")
    if sum(times * (len(pretoken.encode()) + 1) for pretoken, times in text.counts.items()) > MAX_COUNT:
        raise ValueError(TOO_LONG)
    return text


def _words(counts: Mapping[str, int]) -> Counter[str]:
    """Split pre-tokens at white space, as end-of-word marks require, in the order of first occurrence."""
    words: Counter[str] = Counter()
    for pretoken, times in counts.items():
        for word in splitting.apart_from_space([pretoken]):
            words[word] += times
    return words


def _build_alphabet(name: AlphabetName, counts: Counter[str], *, has_mark: bool) -> Alphabet:
    if name == "characters":
        characters = sorted(set().union(*counts))
        ids = {ord(character): number for number, character in enumerate(characters)}
        return Alphabet("characters", ids, mark=len(ids) if has_mark else None)
    values = range(256) if name == "bytes" else sorted(set().union(*(pretoken.encode() for pretoken in counts)))
    return Alphabet("bytes", {value: number for number, value in enumerate(values)})


def _merges_within(vocab_size: int, basis: _Basis) -> int:
    alphabet_size, num_specials = len(basis.alphabet.tokens), len(basis.specials)
    num_merges = vocab_size - alphabet_size - num_specials
    if num_merges < 0:
        raise ValueError(
            f"the vocabulary size {vocab_size} is too small: the alphabet has {alphabet_size} symbols and there are "
            f"{num_specials} special tokens, so it must be {alphabet_size + num_specials} or more"
        )
    return num_merges


def _learn(basis: _Basis, limits: _Limits, report: PhaseProgress, watch: Watch | None) -> Learned:
    counts, alphabet = basis.counts, basis.alphabet
    row = alphabet.row(list(counts))
    separators = np.flatnonzero(row == SEPARATOR)
    num_symbols = len(row) - len(separators)
    report("counting", 0, num_symbols)
    weights = np.repeat(np.array([*counts.values(), 0]), np.diff(separators, append=len(row)))
    total = len(row) if limits.num_merges is None else limits.num_merges

    def watch_merges(learned: Learned) -> None:
        done = len(learned.pairs)
        if not done:
            report("counting", num_symbols, num_symbols)
        report("merging", done, total)
        if watch:
            watch(partial(_assemble, basis, learned))

    learned = learn(
        row,
        weights,
        alphabet.tokens,
        num_merges=limits.num_merges,
        tie_break=basis.tie_break,
        min_count=limits.min_count,
        watch=watch_merges,
        max_length=limits.max_token_length,
        lengths=[min(len(token), 1) for token in alphabet.tokens],
    )
    if len(learned.pairs) < total:
        report("merging", len(learned.pairs), len(learned.pairs))
    return learned


def _assemble(basis: _Basis, learned: Learned) -> BPETokenizer:
    counts, alphabet, pattern, specials, end_of_word, tie_break = basis
    tokens = alphabet.tokens
    merges = {}
    for left, right in learned.pairs:
        merges[left, right] = len(tokens)
        tokens.append(tokens[left] + tokens[right])
    special_ids = {special: len(tokens) + number for number, special in enumerate(specials)}
    return BPETokenizer(
        f"trained, {len(merges)} merges",
        dict(enumerate([*tokens, *(special.encode() for special in specials)])),
        merges,
        split_pattern=pattern,
        special_tokens=special_ids,
        units=alphabet.units,
        end_of_word=end_of_word,
        training=Training(
            Merges.from_dict(merges),
            np.array(learned.counts, np.int64),
            np.array(learned.merged, np.int64),
            np.array(learned.tied, np.int64),
            tie_break,
            learned.stopped,
            text_bytes=sum(len(pretoken.encode()) * times for pretoken, times in counts.items()),
            text_symbols=sum(alphabet.length(pretoken) * times for pretoken, times in counts.items()),
        ),
    )
