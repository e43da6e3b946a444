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
    """Return the link to the merge at which a solution differs; None if there is none, or if it doesn't fit a link."""
    difference, text = checked.difference, "".join(task.texts)
    names = {pattern: name for name, pattern in PATTERNS.items()} | {None: "none"}
    if difference is None or len(task.texts) > 1 or task.special_tokens or task.split_pattern not in names:
        return None
    if len(text.encode()) > MAX_LINKED or difference.rank >= _MAX_STEPS:
        return None
    fields = {
        "story": "learn",
        "step": str(difference.rank),
        "split": names[task.split_pattern],
        "alphabet": "bytes",
        "ties": task.tie_break or checked.tie_break or "first-seen",
        "merges": str(difference.rank + 1),
    }
    return Link(f"See merge {difference.rank + 1:,} in the replay", "replay", fields, text)


def encoding_link(checked: EncodingCheck, text: str, *, special: bool = False) -> Link | None:
    """Return the link to the step that makes the first wrong token; None if there is none, or if it doesn't fit."""
    tokenizer = checked.tokenizer.name
    if checked.difference is None or tokenizer not in available() or len(text.encode()) > MAX_LINKED:
        return None
    step = checked.difference.step
    fields = {"story": "apply", "tokenizer": tokenizer, "step": str(step), "special": "1" if special else ""}
    return Link(f"See step {step + 1:,} in the replay", "replay", fields, text)
