"""The form of the Train page: which texts, which recipe; and the training that a session waits for."""

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
from tokviz.bpe import splitting
from tokviz.bpe.special_tokens import cut_out
from tokviz.bpe.training import TIE_BREAKS
from tokviz.display import shown
from tokviz.samples import KINDS, samples
from tokviz.tokenizers.train import ALPHABETS

_PREVIEWED = 10_000  # code points that are cut to show how
_PIECES = 60
_PIECE = 100  # signs of a piece

_SHARED = 100_000
"""Files of more code points are not even tried to put into a link."""

_FROM = "learn-from"
_SAMPLE, _TEXT, _FILES = "A sample", "My text", "Files"

_NO_CUT, _OWN = "none", "my own"
_PATTERNS = ("cl100k", "o200k", "gpt2", "words", _NO_CUT, _OWN)

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
    """Texts, what people call them, and the sample's name if they are ours."""

    texts: list[str]
    label: str
    sample: str = ""


@dataclass(eq=False)
class Running:
    """A training that a session waits for: what it makes, and that in the letters of a link. Ends with the session."""

    job: Job
    label: str
    recipe: Recipe
    letters: str

    def __post_init__(self) -> None:
        weakref.finalize(self, jobs.cancel, self.job)


def source_box() -> Source:
    """The texts to learn from. Raises ValueError for files that can't be read; there are no texts as long as none are
    chosen."""
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
    with shared:  # one text may be short enough for a link; several are never joined
        if len(texts) == 1 and len(texts[0]) <= _SHARED:
            share_widget({_FROM: _TEXT}, texts[0], {_FROM: _FILES})
        else:
            share_widget({})
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return Source(texts, f"{files[0].name}{more}" if files else "")


def sample_box(label: str, key: str, first: str = f"{ALL}code") -> Source:
    """One of our own texts, or all of a kind. `first` is chosen at first."""
    titles = {f"{ALL}{kind}": f"{title} (all)" for kind, title in KINDS.items()}
    titles |= {each.name: each.title for each in samples()}
    name = st.selectbox(
        label, list(titles), list(titles).index(first), format_func=titles.__getitem__, key=key, bind="query-params"
    )
    return Source(sample_texts(name), titles[name].removesuffix(" (all)").split(" · ")[0], name)


def pattern_box(key: str) -> str | None:
    """A split pattern, by name or as itself, checked. Raises ValueError for one that doesn't compile."""
    choice = st.selectbox("Split pattern", _PATTERNS, key=key, bind="query-params", help=_PATTERN_HELP)
    if choice != _OWN:
        return None if choice == _NO_CUT else choice
    own = st.text_input(
        "A regular expression, as Python's regex reads it",
        r"\w+|\s+|[^\w\s]+",
        max_chars=LONGEST_PATTERN,
        live=True,
        key=f"{key}-own",
        bind="query-params",
    )
    pattern = splitting.literal(own)
    if pattern != own:
        st.text(f"As a regular expression, “{own}” matches only itself. Patterns with a name are in the list above.")
    return splitting.resolve(pattern) if own else None


def preview(texts: list[str], recipe: Recipe) -> None:
    """How special tokens, the pattern and the ends of words cut the beginning of the text.

    Raises ValueError if that takes longer than a second.
    """
    pieces: list[str] = []
    with splitting.time_limit(1.0):
        parts = cut_out(texts[0][:_PREVIEWED], recipe.special_tokens)
        for number, part in enumerate(parts):  # every second one is a special token
            cut = [part] if number % 2 else splitting.split(part, splitting.resolve(recipe.split_pattern))
            pieces += splitting.apart_from_space(cut) if recipe.end_of_word and number % 2 == 0 else cut
    goes_on = len(pieces) > _PIECES or len(texts[0]) > _PREVIEWED or len(texts) > 1
    spelled = " | ".join(_shortened(shown(piece.encode())) for piece in pieces[:_PIECES])
    st.code(spelled + (" | …" if goes_on else ""), language=None, wrap_lines=True)


def _shortened(piece: str) -> str:
    return piece if len(piece) <= _PIECE else f"{piece[:_PIECE]}…"


def recipe_box() -> Recipe:
    """How to train, besides the split pattern, which is the recipe's default. Raises ValueError."""
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
        mark = st.text_input("How the mark is written", "</w>", key="mark-label", bind="query-params") or None
    specials = st.text_input(
        "Special tokens, with spaces between",
        key="specials",
        bind="query-params",
        placeholder="<|endoftext|>",
        help="The text is cut at them, and they take no part in merges.",
    )
    # Streamlit's own limits would silently train with the last size that was within them.
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
    """How far a training is, with a button that ends it; for a fragment that is run again and again."""
    job = running.job
    if job.ended:
        st.rerun()
    place = jobs.place(job)
    if place:
        before = "You are next" if place == 1 else f"{place - 1} before you"
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
    """Why there is no tokenizer; nothing if there is one."""
    if job.state == "cancelled":
        return "Cancelled. Nothing was kept."
    return job.problem
