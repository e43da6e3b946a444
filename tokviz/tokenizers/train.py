"""`train`: from texts to a BPE tokenizer."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple, get_args

import numpy as np

from tokviz.bpe.alphabet import SEPARATOR, Alphabet
from tokviz.bpe.merging import Merges, Pair
from tokviz.bpe.training import TIE_BREAKS, Learned, TieBreak, learn
from tokviz.display import code_point, counted
from tokviz.pretokens import splitting
from tokviz.pretokens.words import ANY_SPACE, SPACES_AND_LINES, apart_from_space
from tokviz.texts import Texts
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.history import Training
from tokviz.tokenizers.inputs import check_special_tokens
from tokviz.tokenizers.pretoken_counts import MAX_COUNT, TOO_LONG, PretokenCounts, count
from tokviz.tokenizers.progress import PhaseProgress, Progress, with_phases

AlphabetName = Literal["bytes", "seen-bytes", "characters"]
ALPHABETS: tuple[AlphabetName, ...] = get_args(AlphabetName)

Watch = Callable[[Callable[[], BPETokenizer]], object]
"""`watch(so_far)`, called before the first merge and after each, where `so_far()` returns the tokenizer of the merges
learned so far, which takes a while if they are many."""

_Input = Texts | Mapping[str, int] | PretokenCounts


def train(
    text: Texts | Mapping[str, int] | PretokenCounts,
    *,
    initial: BPETokenizer | None = None,
    vocab_size: int | None = None,
    num_merges: int | None = None,
    split_pattern: splitting.SplitPattern = None,
    alphabet: AlphabetName = "bytes",
    end_of_word: str | None = None,
    glued: bool = False,
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
    longer than `max_token_length` bytes, or characters if that is the alphabet. (Hugging Face and bpeasy: one less.)

    `split_pattern` splits the text into pre-tokens first: None for no splitting, the name of a pattern (see
    `tokviz.split_patterns`) or of a tokenizer that `tokviz.load` knows, or a regular expression, which may be compiled.
    `alphabet` is what merging starts from: `"bytes"`, all 256; `"seen-bytes"` or `"characters"`, those in the text, in
    ascending order. `end_of_word` (with characters) ends what white space separates with an extra symbol, displayed as
    this label; or, if `glued`, each character has a second symbol for the ends of words, as in subword-nmt's codes
    0.2, where only spaces and line ends separate words.
    `tie_break` chooses between equally frequent pairs: `"first-seen"` the one that occurs first in the current text,
    `"lowest-ids"` the lowest (left id, right id), `"greatest-bytes"` the greatest pair of byte strings (to which the
    label of a glued end belongs). The text is cut at `special_tokens`, which take the last ids.
    `initial` is a tokenizer to continue from, with its settings, merges and ids; new tokens take the ids that follow.

    `progress` and `watch` are called as `tokviz.tokenizers.progress` and `Watch` say; an exception in one ends it.

    >>> tokenizer = train("the cat in the hat", num_merges=3)
    >>> tokenizer.encode("the quick")
    [258, 113, 117, 105, 99, 107]
    """
    _check_choices(alphabet, end_of_word, glued, tie_break)
    _check_sizes(vocab_size, num_merges, min_count, max_token_length)
    report = with_phases(progress)
    settings = _Settings(split_pattern, special_tokens, alphabet, end_of_word, glued, tie_break)
    basis = _begin(text, settings, report) if initial is None else _continue(text, settings, report, initial)
    most = num_merges if vocab_size is None else _merges_within(vocab_size, basis)
    return _assemble(basis, _learn(basis, _Limits(most, min_count, max_token_length), report, watch))


class _Settings(NamedTuple):
    """The arguments of `train`."""

    split_pattern: splitting.SplitPattern
    special_tokens: Iterable[str]
    alphabet: AlphabetName
    end_of_word: str | None
    glued: bool
    tie_break: TieBreak


class _Basis(NamedTuple):
    """Input of a training: pre-tokens, alphabet, and the settings of the tokenizer.

    `tokens` are the bytes of the ids that exist from the start, which are the alphabet or all tokens of `initial`.
    """

    counts: Counter[str]
    alphabet: Alphabet
    tokens: list[bytes]
    table: PretokenCounts
    end_of_word: str | None
    tie_break: TieBreak
    initial: BPETokenizer | None = None

    @property
    def known(self) -> dict[Pair, int]:
        """The merges that exist from the start."""
        return {} if self.initial is None else self.initial.merges

    @property
    def spelled(self) -> list[bytes]:
        """The tokens, with the label of a glued end of words."""
        if not self.alphabet.finals or self.end_of_word is None:
            return self.tokens
        label, first = self.end_of_word.encode(), self.initial
        ends = self.alphabet.endings.__contains__ if first is None else first.ends_word
        return [data + label if ends(token) else data for token, data in enumerate(self.tokens)]


def _begin(text: _Input, settings: _Settings, report: PhaseProgress) -> _Basis:
    if isinstance(settings.special_tokens, Mapping):
        raise TypeError("special_tokens must be a list of texts without ids: train gives them the last ids")
    table = _counts_of(
        text, splitting.resolve(settings.split_pattern), check_special_tokens(settings.special_tokens), report
    )
    has_mark = settings.end_of_word is not None
    counts = _words_of(table, (SPACES_AND_LINES if settings.glued else ANY_SPACE) if has_mark else None)
    alphabet = _build_alphabet(settings.alphabet, counts, has_mark=has_mark, glued=settings.glued)
    words = _without_space(counts, alphabet)
    return _Basis(words, alphabet, alphabet.tokens, table, settings.end_of_word, settings.tie_break)


def _continue(text: _Input, settings: _Settings, report: PhaseProgress, initial: BPETokenizer) -> _Basis:
    _check_initial(initial, settings)
    table = _counts_of(text, initial.split_pattern, initial.special_tokens, report)
    counts = _words_of(table, initial.alphabet.space if initial.alphabet.ends_words else None)
    for character in sorted(set().union(*counts)):
        try:
            initial.alphabet.check(character)
        except ValueError:
            raise ValueError(
                f"the texts hold {character!r} ({code_point(character)}), which the alphabet of {initial.name} lacks: "
                "leave it out, or train anew"
            ) from None
    tokens = [initial.vocab.get(token, b"") for token in range(initial.vocab_size)]
    words = _without_space(counts, initial.alphabet)
    return _Basis(words, initial.alphabet, tokens, table, initial.end_of_word, settings.tie_break, initial)


def _without_space(counts: Counter[str], alphabet: Alphabet) -> Counter[str]:
    """Leave out the separators of words with glued ends, as subword-nmt does: they are never merged."""
    if not alphabet.finals:
        return counts
    return Counter({word: times for word, times in counts.items() if not alphabet.is_space(word)})


def _check_initial(initial: object, settings: _Settings) -> None:
    if type(initial) is not BPETokenizer:
        raise TypeError(
            "initial must be a BPETokenizer that merges texts as they are, not "
            f"{type(initial).__name__}, which may change a text first"
        )
    if not initial.in_order or initial.takes_tokens_whole:
        raise ValueError(f"the merges of {initial.name} don't build on each other alone, so no merges can follow them")
    if len(initial.split_patterns) > 1:
        raise ValueError(f"{initial.name} cuts texts by several split patterns, and training cuts them by one")
    if (splitting.resolve(settings.split_pattern) or initial.split_pattern) != initial.split_pattern:
        raise ValueError(
            "initial has its own split_pattern: leave it out, or change it with initial.with_split_pattern"
        )
    if settings.alphabet != "bytes" or settings.end_of_word is not None or tuple(settings.special_tokens):
        raise ValueError("initial has its own alphabet, end_of_word and special_tokens: leave them out")


class _Limits(NamedTuple):
    """When training ends, and which pairs it leaves alone (see `train`)."""

    num_merges: int | None
    min_count: int
    max_token_length: int | None


def _check_choices(alphabet: str, end_of_word: str | None, glued: bool, tie_break: str) -> None:
    if alphabet not in ALPHABETS:
        raise ValueError(f"alphabet must be one of {', '.join(map(repr, ALPHABETS))}, not {alphabet!r}")
    if tie_break not in TIE_BREAKS:
        raise ValueError(f"tie_break must be one of {', '.join(map(repr, TIE_BREAKS))}, not {tie_break!r}")
    if end_of_word is None:
        if glued:
            raise ValueError("glued says where the end-of-word mark is: give its label, such as end_of_word='</w>'")
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


def _counts_of(
    text: Texts | Mapping[str, int] | PretokenCounts,
    pattern: str | None,
    specials: Iterable[str],
    report: PhaseProgress,
) -> PretokenCounts:
    """Return the counts of the texts to train on, with the settings that they were cut by."""
    specials = tuple(specials)
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


def _words_of(table: PretokenCounts, space: str | None) -> Counter[str]:
    """Return the pre-tokens to learn from, cut at `space`, if it is not None. Raises ValueError if there are none."""
    if not table.counts:
        raise ValueError("there is nothing to learn from: the text is empty")
    return table.counts if space is None else _words(table.counts, space)


def _words(counts: Mapping[str, int], space: str) -> Counter[str]:
    """Split pre-tokens into words, as end-of-word marks require, in the order of first occurrence."""
    words: Counter[str] = Counter()
    for pretoken, times in counts.items():
        for word in apart_from_space([pretoken], space):
            words[word] += times
    return words


def _build_alphabet(name: AlphabetName, counts: Counter[str], *, has_mark: bool, glued: bool) -> Alphabet:
    if name == "characters":
        return Alphabet.of_characters(set().union(*counts), has_mark=has_mark, glued=glued)
    values = range(256) if name == "bytes" else sorted(set().union(*(pretoken.encode() for pretoken in counts)))
    return Alphabet("bytes", {value: number for number, value in enumerate(values)})


def _merges_within(vocab_size: int, basis: _Basis) -> int:
    num_specials = 0 if basis.initial else len(basis.table.special_tokens)
    num_merges = vocab_size - len(basis.tokens) - num_specials
    if num_merges >= 0:
        return num_merges
    if basis.initial:
        raise ValueError(f"the vocabulary size {vocab_size} is too small: {basis.initial.name} has {len(basis.tokens)}")
    raise ValueError(
        f"the vocabulary size {vocab_size} is too small: the alphabet has {len(basis.tokens)} symbols and there are "
        f"{num_specials} special tokens, so it must be {len(basis.tokens) + num_specials} or more"
    )


def _learn(basis: _Basis, limits: _Limits, report: PhaseProgress, watch: Watch | None) -> Learned:
    counts, tokens, num_known = basis.counts, basis.tokens, len(basis.known)
    row = basis.alphabet.row(list(counts))
    separators = np.flatnonzero(row == SEPARATOR)
    num_symbols = len(row) - len(separators)
    report("counting", 0, num_symbols)
    weights = np.repeat(np.array([*counts.values(), 0]), np.diff(separators, append=len(row)))
    total = len(row) if limits.num_merges is None else limits.num_merges
    in_bytes = basis.alphabet.units == "bytes"
    done = 0
    for learned in learn(
        row,
        weights,
        tokens,
        num_merges=limits.num_merges,
        tie_break=basis.tie_break,
        min_count=limits.min_count,
        max_length=limits.max_token_length,
        lengths=[len(token if in_bytes else token.decode()) for token in tokens],
        known=basis.known,
        spelled=basis.spelled,
        unmade=_ids_by_bytes(basis.initial) if basis.initial else None,
    ):
        done = len(learned.pairs) - num_known
        if not done:
            report("counting", num_symbols, num_symbols)
        report("merging", done, total)
        if watch:
            watch(partial(_assemble, basis, learned))
    if done < total:
        report("merging", done, done)
    return learned


def _ids_by_bytes(initial: BPETokenizer) -> dict[bytes, int] | None:
    """Return the ids of the tokens that merging could make; None with marks, when tokens may have equal bytes."""
    # Merges make no token from two different pairs, so training can meet only those that no merges have made so far.
    return None if initial.alphabet.ends_words else {initial.vocab[token]: token for token in initial.ordinary_ids}


def _assemble(basis: _Basis, learned: Learned) -> BPETokenizer:
    counts, alphabet, initial = basis.counts, basis.alphabet, basis.initial
    tokens = learned.tokens
    merges = dict(zip(learned.pairs, learned.new_ids, strict=True))
    num_new = len(merges) - len(basis.known)
    text_bytes = sum(len(pretoken.encode()) * times for pretoken, times in counts.items())
    if initial is None:
        special_ids = {special: len(tokens) + number for number, special in enumerate(basis.table.special_tokens)}
        vocab = dict(enumerate([*tokens, *(special.encode() for special in special_ids)]))
    else:
        special_ids = dict(initial.special_tokens)
        vocab = {**initial.vocab, **dict(islice(enumerate(tokens), initial.vocab_size, None))}
    return BPETokenizer(
        f"trained, {counted('merge', num_new)}"
        if initial is None
        else f"{initial.name}, {counted('more merge', num_new)}",
        vocab,
        merges,
        split_pattern=basis.table.split_pattern,
        special_tokens=special_ids,
        units=alphabet.units,
        end_of_word=basis.end_of_word,
        training=Training(
            Merges.from_dict(merges),
            np.array(learned.counts, np.int64),
            np.array(learned.merged, np.int64),
            np.array(learned.tied, np.int64),
            basis.tie_break,
            learned.stopped,
            text_bytes=text_bytes,
            text_symbols=text_bytes
            if alphabet.units == "bytes"
            else sum(alphabet.length(pretoken) * times for pretoken, times in counts.items()),
            num_known=len(basis.known),
        ),
        ignore_merges=initial is not None and initial.ignore_merges,
        unapplied={} if initial is None else initial.unapplied,
    )
