"""The chapter "checking": a reader's own merges or ids, and whether they are right.

Both functions are called in a limited process: what they are given, strangers have sent.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tokviz.analysis.checking.encoding_check import EncodingCheck, check_encoding
from tokviz.analysis.checking.solutions import ids_of, parse, read_solution
from tokviz.analysis.checking.task import Task
from tokviz.analysis.checking.training_check import TrainingCheck, check
from tokviz.bpe.training import TIE_BREAKS
from tokviz.lesson.solution_links import encoding_link, training_link
from tokviz.lesson.steps import Link
from tokviz.pretokens.splitting import PATTERNS
from tokviz.pretrained import load
from tokviz.texts import repair

MAX_TEXT = 200_000
"""Maximum bytes of a text that merges were learned from, or that was encoded."""


def check_merges(fields: Mapping[str, str]) -> dict[str, Any]:
    """Check merges: `solution`, from a file called `name` if there is one, learned from `text` as the others say.

    `split` is the name of a pattern, or "none"; `special`, one special token; `ties`, a rule, and `merges`, a number,
    where they matter. Raises ValueError for what can't be checked.
    """
    split, ties, merges, special = (fields.get(name, "") for name in ("split", "ties", "merges", "special"))
    task = Task(
        (_text(fields),),
        PATTERNS.get(split),
        (special,) if special else (),
        int(merges) if merges.isdecimal() and len(merges) < 8 else None,
        next((rule for rule in TIE_BREAKS if rule == ties), None),
    )
    solution = read_solution({fields.get("name") or "merges": repair(fields.get("solution", ""))[0].encode()})
    checked = check(solution, task)
    return _answer(checked, training_link(checked, task))


def check_ids(fields: Mapping[str, str]) -> dict[str, Any]:
    """Check ids: `solution`, which `tokenizer` was to give `text`; with `special`, it reads special tokens."""
    tokenizer = load(fields.get("tokenizer", ""))
    text, special = _text(fields), fields.get("special", "") == "1"
    checked = check_encoding(ids_of(parse(fields.get("solution", ""))), text, tokenizer, "all" if special else ())
    return _answer(checked, encoding_link(checked, text, special=special))


def _text(fields: Mapping[str, str]) -> str:
    text, _ = repair(fields.get("text", ""))
    if len(text.encode()) > MAX_TEXT:
        raise ValueError(f"the text may have {MAX_TEXT:,} bytes here; the command tokviz check takes longer ones")
    return text


def _answer(checked: TrainingCheck | EncodingCheck, link: Link | None) -> dict[str, Any]:
    return {"right": checked.right, "sentences": checked.sentences, "link": None if link is None else asdict(link)}
