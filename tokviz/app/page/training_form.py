"""The Train page's form: texts, recipe, and the progress of the training that a session waits for."""

import weakref
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from tokviz.app.page.components import share_widget
from tokviz.app.page.inputs import text_box
from tokviz.app.processes.training import AT_A_TIME, FITS_CUT, FITS_UNCUT, MEMORY_IN_WORDS, Job, Recipe, jobs
from tokviz.app.visitors import uploads
from tokviz.app.visitors.share_codes import ALL, LARGEST, LONGEST_PATTERN, check_specials, sample_texts
from tokviz.app.visitors.text_files import MAX_BYTES, decode_all
from tokviz.bpe.training import TIE_BREAKS
from tokviz.display import shown
from tokviz.pretokens import splitting
from tokviz.pretokens.special_tokens import cut_out
from tokviz.samples import KINDS, samples
from tokviz.tokenizers.train import ALPHABETS

_PREVIEWED = 10_000  # code points that are split for the preview
_MAX_PIECES = 60
_MAX_PIECE = 100  # characters of a piece's spelling
_MAX_MARK = 100  # characters
_MAX_SPECIALS = 20_000  # characters

_MAX_SHARED = 100_000
"""Maximum code points of a file that is shared in a link; longer ones are not even compressed."""

_FROM = "learn-from"
_SAMPLE, _TEXT, _FILES = "A sample", "My text", "Files"

_NO_PATTERN, _OWN_PATTERN = "none", "my own"
_PATTERNS = ("cl100k", "o200k", "gpt2", "words", _NO_PATTERN, _OWN_PATTERN)

_PATTERN_HELP = (
    "It cuts the text first; merges never cross its cuts. gpt2, cl100k (GPT-4) and o200k (GPT-4o) are those of the "
    "models; words is every run of letters, digits and underscores, and every other sign."
)
_ALPHABET_HELP = (
    "What merging begins with: all 256 bytes, the bytes that are in the text, or its characters. Only with all 256 "
    "bytes can every text be encoded."
)
_TIES_HELP = (
    "Several pairs are often equally frequent, and which of them is joined first changes the tokenizer: the one that "
    "occurs first in the text (as in minbpe), the one with the lowest ids (rustbpe), or the one with the greatest "
    "bytes (subword-nmt)."
)


class Source(NamedTuple):
    """Training texts, their label, and the sample's name if they are a sample's."""

    texts: list[str]
    label: str
    sample: str = ""


@dataclass(eq=False)
class Running:
    """A training that a session waits for: its job, label, recipe and share code. It is cancelled with the session."""

    job: Job
    label: str
    recipe: Recipe
    share_code: str

    def __post_init__(self) -> None:
        weakref.finalize(self, jobs.cancel, self.job)


def source_box() -> Source:
    """Draw the choice of training texts and return them; there are none until something is chosen.

    Raises ValueError for files that can't be read.
    """
    kinds = (_SAMPLE, _TEXT, _FILES)
    kind = st.segmented_control("Learn from", kinds, default=_SAMPLE, required=True, key=_FROM, bind="query-params")
    if kind == _SAMPLE:
        share_widget({})
        return sample_box("Sample", "sample")
    if kind == _TEXT:
        text = text_box({_FROM: _FILES})
        return Source([text] if text else [], "my text")
    shared = st.container()
    files = st.file_uploader(
        f"Text files, up to {MAX_BYTES // 1_000_000} MB in all",
        accept_multiple_files=True,
        max_upload_size=MAX_BYTES // 1_000_000,
        key="files",
    )
    uploads.note(files)
    st.text(
        f"Training may take {MEMORY_IN_WORDS} of memory on this server. About {FITS_CUT // 1_000_000} MB of prose or "
        f"code fit in; without a split pattern, about {FITS_UNCUT // 1_000_000} MB. If words repeat a lot, more fits."
    )
    st.text("Files are let go of when you leave this page or choose another source: drop them again then.")
    texts = decode_all([(file.name, file.getvalue()) for file in files])
    with shared:  # only a single text can be shared in a link: several are never joined
        if len(texts) == 1 and len(texts[0]) <= _MAX_SHARED:
            share_widget({_FROM: _TEXT}, texts[0], {_FROM: _FILES})
        else:
            share_widget({})
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return Source(texts, f"{files[0].name}{more}" if files else "")


def sample_box(label: str, key: str, first: str = f"{ALL}code") -> Source:
    """Draw the choice of a sample, or of all samples of a kind, and return its texts. `first` is the initial choice."""
    titles = {f"{ALL}{kind}": f"{title} (all)" for kind, title in KINDS.items()}
    titles |= {each.name: each.title for each in samples()}
    name = st.selectbox(
        label, list(titles), list(titles).index(first), format_func=titles.__getitem__, key=key, bind="query-params"
    )
    return Source(sample_texts(name), titles[name].removesuffix(" (all)").split(" · ")[0], name)


def pattern_box(key: str) -> str | None:
    """Draw the choice of a split pattern and return its name or the pattern itself, or None for no pattern.

    Raises ValueError for a pattern that doesn't compile.
    """
    choice = st.selectbox("Split pattern", _PATTERNS, key=key, bind="query-params", help=_PATTERN_HELP)
    if choice != _OWN_PATTERN:
        return None if choice == _NO_PATTERN else choice
    typed = st.text_input(
        "A regular expression, as Python's regex reads it",
        r"\w+|\s+|[^\w\s]+",
        max_chars=LONGEST_PATTERN,
        live=True,
        key=f"{key}-own",
        bind="query-params",
    )
    pattern = splitting.literal(typed)
    if pattern != typed:
        st.text(f"As a regular expression, “{typed}” matches only itself. Patterns with a name are in the list above.")
    return splitting.resolve(pattern) if typed else None


def preview(texts: list[str], recipe: Recipe) -> None:
    """Show how special tokens, the split pattern and the ends of words cut the beginning of the first text.

    Raises ValueError if the split pattern takes longer than a second.
    """
    pieces: list[str] = []
    with splitting.time_limit(1.0):
        parts = cut_out(texts[0][:_PREVIEWED], recipe.special_tokens)
        for number, part in enumerate(parts):  # parts with odd numbers are special tokens
            cut = [part] if number % 2 else splitting.split(part, splitting.resolve(recipe.split_pattern))
            pieces += splitting.apart_from_space(cut) if recipe.end_of_word and number % 2 == 0 else cut
    has_more = len(pieces) > _MAX_PIECES or len(texts[0]) > _PREVIEWED or len(texts) > 1
    spelled = " | ".join(_shortened(shown(piece.encode())) for piece in pieces[:_MAX_PIECES])
    st.code(spelled + (" | …" if has_more else ""), language=None, wrap_lines=True)


def _shortened(piece: str) -> str:
    return piece if len(piece) <= _MAX_PIECE else f"{piece[:_MAX_PIECE]}…"


def recipe_box() -> Recipe:
    """Draw the settings and return them as a recipe with the default split pattern. Raises ValueError if invalid."""
    left, middle, right = st.columns(3)
    with left:
        size = st.number_input(
            "Vocabulary size",
            value=1000,
            key="size",
            bind="query-params",
            help="How many tokens there will be in all: the alphabet, one for each merge, the special tokens. "
            f"Fewer if no pair of neighbors occurs twice any more. {LARGEST:,} at most.",
        )
    with middle:
        alphabet = st.selectbox("Alphabet", ALPHABETS, key="alphabet", bind="query-params", help=_ALPHABET_HELP)
    with right:
        ties = st.selectbox("Ties", TIE_BREAKS, key="ties", bind="query-params", help=_TIES_HELP)
    mark = None
    if alphabet == "characters" and st.checkbox("Words end in a mark", key="mark", bind="query-params"):
        mark = (
            st.text_input("How the mark is written", "</w>", max_chars=_MAX_MARK, key="mark-label", bind="query-params")
            or None
        )
    specials = st.text_input(
        "Special tokens, with spaces between",
        max_chars=_MAX_SPECIALS,
        key="specials",
        bind="query-params",
        placeholder="<|endoftext|>",
        help="The text is cut at them, and they take no part in merges.",
    )
    # With Streamlit's own limits, an invalid size would silently be replaced by the last valid one.
    if not 1 <= size <= LARGEST:
        raise ValueError(f"the vocabulary size must be 1 to {LARGEST:,}, not {size:,}")
    return Recipe(
        int(size),
        alphabet=alphabet,
        end_of_word=mark,
        tie_break=ties,
        special_tokens=check_specials(specials.split()),
    )


def show_progress(running: Running) -> None:
    """Show the progress of a training, with a button to cancel it. For a fragment that is rerun periodically."""
    job = running.job
    if job.ended:
        st.rerun()
    position = jobs.place(job)
    if position:
        before = "You are next" if position == 1 else f"{position - 1} before you"
        st.progress(0.0, f"Waiting in line: {before}. This server trains {AT_A_TIME} at a time.")
    elif not job.wanted:
        st.progress(0.0, "Cutting the text")
    elif job.learned < job.wanted:
        st.progress(job.learned / job.wanted, f"Merge {job.learned:,} of {job.wanted:,}")
    else:
        st.progress(1.0, "Measuring")
    if st.button("Cancel", key="cancel"):
        jobs.cancel(job)
        st.rerun()


def problem_in_words(job: Job) -> str:
    """Return why a training gave no tokenizer; "" if it gave one."""
    if job.state == "cancelled":
        return "Cancelled. Nothing was kept."
    return job.problem
