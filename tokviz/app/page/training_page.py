"""The sections of the Train page: the form, starting and finishing a training, opening files, and the results."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import streamlit as st

from tokviz import formats
from tokviz.analysis.holdout import hold_out
from tokviz.analysis.training_report import Report
from tokviz.app.fairness import lanes, turns
from tokviz.app.fairness.lanes import Busy
from tokviz.app.http import housekeeping
from tokviz.app.http.requests import sentence
from tokviz.app.page import state
from tokviz.app.page.figures import details
from tokviz.app.page.inputs import by_name
from tokviz.app.page.markdown import escape_markdown
from tokviz.app.page.training_form import (
    Running,
    Source,
    pattern_box,
    preview,
    problem_in_words,
    recipe_box,
    sample_box,
    source_box,
)
from tokviz.app.page.training_results import browse, offer_files, show_figures
from tokviz.app.processes.opening import open_files
from tokviz.app.processes.training import Recipe, TooManyJobs, jobs
from tokviz.app.visitors import share_codes, uploads, visitor_tokenizers
from tokviz.app.visitors.kept_tokenizers import KEPT_HOURS
from tokviz.tokenizers.bpe import BPETokenizer

RUNNING, REPORTS, CHOSEN, OPENED = "tokviz running", "tokviz reports", "own-chosen", "tokviz opened"
PROBLEM, FAILED = "tokviz problem", "tokviz failed"

HELD_OUT = "Every tenth line, set aside before training"
OTHER = "Another sample"
NOTHING = "Nothing else"
_MAX_SPECIALS = 50_000  # characters


def form() -> None:
    """Draw the choice of texts, the settings, and the button that starts a training."""
    source, pattern, recipe = Source([], ""), None, None
    problems: list[str] = []
    with reporting(problems):
        source = source_box()
    measure_on = st.selectbox("Measure it on", [HELD_OUT, OTHER, NOTHING], key="measure-on", bind="query-params")
    other = sample_box("The other sample", "other", "prose-en") if measure_on == OTHER else Source([], "")
    with reporting(problems):
        pattern = pattern_box("pattern")
    can_cut, cut = bool(source.texts) and not problems, st.container()
    with reporting(problems):
        recipe = replace(recipe_box(), split_pattern=pattern)
    with cut, reporting(problems):
        if can_cut:
            preview(source.texts, recipe or Recipe(1, split_pattern=pattern))
    if st.session_state.get(FAILED) != recipe:
        st.session_state[PROBLEM] = ""  # the problem was with other settings
    busy = st.session_state.get(RUNNING) is not None
    if st.button("Train", disabled=busy or not source.texts or bool(problems)) and recipe:
        begin(source, recipe, measure_on, other)
    st.text(
        "“Share” gives a link to these settings, with a short text of your own in it. A long one, or several files, "
        "you send along."
    )


@contextmanager
def reporting(problems: list[str]) -> Iterator[None]:
    """Show a ValueError of the block in its place and add it to `problems`; the rest of the form stays as it is."""
    try:
        yield
    except ValueError as error:
        problems.append(sentence(error))
        st.error(escape_markdown(problems[-1]))


def begin(source: Source, recipe: Recipe, measure_on: str, other: Source) -> None:
    """Start a training, or show why it can't start."""
    texts, measured = source.texts, other.texts
    try:
        if measure_on == HELD_OUT:
            texts, measured = hold_out(source.texts)
        job = jobs.start(visitor_tokenizers.session_visitor(), texts, recipe, measured)
        housekeeping.end_with_page(job)
    except ValueError as error:
        st.error(escape_markdown(f"{sentence(error)} Choose something else to measure it on."))
        return
    except TooManyJobs as error:
        st.error(str(error))
        return
    label, is_sample = f"trained on “{source.label}”", bool(source.sample)
    origin = share_codes.Origin(
        label, recipe, source.sample, () if is_sample else tuple(source.texts), measure_on == HELD_OUT
    )
    st.session_state[RUNNING] = Running(job, label, recipe, share_codes.write(origin))
    st.session_state[PROBLEM] = ""
    st.rerun()


def finish(running: Running) -> None:
    """Store the result of a training that has ended: a tokenizer of this visitor, or the reason why there is none."""
    job = running.job
    del st.session_state[RUNNING]
    st.session_state[PROBLEM], st.session_state[FAILED] = problem_in_words(job), running.recipe
    if job.tokenizer is not None:
        kept = visitor_tokenizers.keep(job.tokenizer, running.label, running.share_code)
        st.session_state.setdefault(REPORTS, {})[kept.name] = job.report
        st.session_state[CHOSEN] = kept.name


def _files_asked_for() -> str:
    """Return the label of the uploader, from the formats that can be read."""
    alone = [form.names[0].lstrip("*") for form in formats.FORMATS if not form.files_together]
    together = [" together with ".join(form.files_together) for form in formats.FORMATS if form.files_together]
    return f"One file ({', '.join(alone[:-1])} or {alone[-1]}), or {', or '.join(together)}"


def opening() -> None:
    """Draw the form that opens a tokenizer from files. Raises ValueError if they can't be read."""
    files = st.file_uploader(
        _files_asked_for(),
        formats.endings(),
        accept_multiple_files=True,
        max_upload_size=formats.MAX_FILE // 1_000_000,
        key=f"tokenizer-files {st.session_state.get(OPENED, 0)}",  # a new key empties the uploader
    )
    uploads.note(files)
    contents = by_name(files)
    lacking: formats.LeftOut = {}
    if formats.lacks_split_pattern(contents):
        st.text(
            "Files of this kind don't hold a split pattern. With another one, the same tokens cut a text elsewhere."
        )
        lacking["split_pattern"] = pattern_box("file-pattern")
        lacking["special_tokens"] = special_ids(
            st.text_area(
                "Special tokens and their ids, one a line",
                placeholder="<|endoftext|> 50256",
                max_chars=_MAX_SPECIALS,
            )
        )
    if contents and st.button("Open it", key="open"):
        with st.spinner("Reading"):
            tokenizer = read_files(contents, lacking)
        st.session_state[CHOSEN] = visitor_tokenizers.keep(tokenizer, " and ".join(sorted(contents))).name
        st.session_state[OPENED] = st.session_state.get(OPENED, 0) + 1
        st.rerun()


def read_files(contents: dict[str, bytes], lacking: formats.LeftOut) -> BPETokenizer:
    """Read the tokenizer in some files when it is this visitor's turn. Raises ValueError."""
    try:
        with turns.pages.handed_on():
            return lanes.opening.submit(
                visitor_tokenizers.session_visitor(), partial(open_files, contents, **lacking)
            ).result()
    except Busy:
        raise ValueError("others are opening files; try again in a minute") from None


def special_ids(lines: str) -> dict[str, int]:
    """Parse special tokens with their ids, one a line, such as `<|endoftext|> 50256`. Raises ValueError."""
    found = {}
    for line in filter(None, map(str.strip, lines.splitlines())):
        token, _, number = line.rpartition(" ")
        if not token or not number.isdecimal():
            raise ValueError(f"{line!r} should be a special token, a space, and its id")
        found[token.strip()] = int(number)
    return found


def results() -> None:
    """Draw the choice among this visitor's tokenizers, and the results of the chosen one."""
    labels = {each.name: each.label for each in visitor_tokenizers.descriptions()}
    if not labels:
        return
    if st.session_state.get(CHOSEN) not in labels:
        st.session_state[CHOSEN] = list(labels)[-1]
    with details("choice"):
        st.header("Your tokenizers", anchor=False)
        st.text(
            f"You can pick them on every page, and find them again for up to {KEPT_HOURS:g} hour after you leave. "
            f"Others get one only by a link that you share. The last {visitor_tokenizers.MOST} are kept, fewer if they "
            "are large or many people have some: save those that matter to you as files."
        )
        name = st.selectbox("Tokenizer", list(labels), format_func=labels.__getitem__, key=CHOSEN)
    report = st.session_state.get(REPORTS, {}).get(name)
    with st.container(key="presented result"):
        if state.presenting():
            st.subheader(escape_markdown(labels[name]), anchor=False)
        show_figures(name, report)
    with details("result"):
        _details_of(name, report)


def _details_of(name: str, report: Report | None) -> None:
    """Draw what can be done with a tokenizer, its vocabulary and its files."""
    use, remove = st.columns(2, vertical_alignment="center")
    # Streamlit can only switch by a link from a page whose settings are in its address.
    use.page_link(
        "pages/tokens.py",
        label="See it on the Tokens page",
        icon=":material/arrow_forward:",
        query_params={"tokenizer": name},
    )
    if remove.button("Remove it", width="stretch"):
        visitor_tokenizers.drop(name)
        st.rerun()
    st.subheader("Its vocabulary and merges", anchor=False)
    browse(name, report)
    st.subheader("Its files", anchor=False)
    offer_files(name)
