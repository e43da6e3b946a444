"""Links to the step of a replay where a checked solution goes wrong."""

from tokviz.analysis.checking.encoding_check import EncodingCheck
from tokviz.analysis.checking.task import Task
from tokviz.analysis.checking.training_check import TrainingCheck
from tokviz.lesson.steps import Link
from tokviz.pretokens.splitting import PATTERNS
from tokviz.pretrained import available

MAX_LINKED = 10_000
"""Maximum bytes of a text that goes along in a link."""

_MAX_STEPS = 1_000


def training_link(checked: TrainingCheck, task: Task) -> Link | None:
    """Return the link to the merge that should stand where a solution differs; None if none fits into a link.

    A solution may be right by another tie rule until then: the replay, which has one rule, comes to it elsewhere.
    """
    difference, text = checked.difference, "".join(task.texts)
    names = {pattern: name for name, pattern in PATTERNS.items()} | {None: "none"}
    if difference is None or len(task.texts) > 1 or task.special_tokens or task.split_pattern not in names:
        return None
    if len(text.encode()) > MAX_LINKED:
        return None
    ties = task.tie_break or checked.tie_break or "first-seen"
    expected = difference.expected
    step = task.corpus.rank_of(expected.pair, ties, _MAX_STEPS) if expected else difference.rank
    if step is None or step >= _MAX_STEPS:
        return None
    fields = {
        "story": "learn",
        "step": str(step),
        "split": names[task.split_pattern],
        "alphabet": "bytes",
        "ties": ties,
        "merges": str(step + 1),
    }
    return Link(f"See merge {step + 1:,} in the replay", "replay", fields, text)


def encoding_link(checked: EncodingCheck, text: str, *, special: bool = False) -> Link | None:
    """Return the link to the step that makes the first wrong token; None if there is none, or if it doesn't fit."""
    tokenizer = checked.tokenizer.name
    if checked.difference is None or tokenizer not in available() or len(text.encode()) > MAX_LINKED:
        return None
    fields = {
        "story": "apply",
        "tokenizer": tokenizer,
        "step": str(checked.difference.step),
        "special": "1" if special else "",
    }
    return Link("See this step in the replay", "replay", fields, text)
