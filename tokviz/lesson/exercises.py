"""Exercises for homework, with the tokenizers' answers, for the widget `exercises` and for paper.

The page checks an answer and says why. All that it says is computed here, from the tokenizers.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from tokviz.lesson.steps import Words, lesson
from tokviz.pretrained import load
from tokviz.tokenizer_colors import short_label

Kind = Literal["cut", "merge", "cheaper", "write"]


@dataclass(frozen=True)
class Exercise:
    """An exercise with a tokenizer.

    `cut`: tap the boundaries between the tokens of a text. `merge`: which pair of a text's bytes is merged first?
    `cheaper`: which of two texts takes fewer tokens? `write`: a text of exactly `count` tokens.
    """

    id: str
    kind: Kind
    tokenizer: str
    texts: tuple[str, ...] = ()
    count: int = 0


EXERCISES = (
    Exercise("cut-words", "cut", "gpt2", ("Tokenizers love pizza!",)),
    Exercise("cut-digits", "cut", "cl100k_base", ("20251125",)),
    Exercise("cut-capitals", "cut", "gpt2", ("STOP shouting",)),
    Exercise("merge-banana", "merge", "gpt2", ("banana",)),
    Exercise("merge-there", "merge", "cl100k_base", ("there",)),
    Exercise("cheaper-capitals", "cheaper", "cl100k_base", ("nobody expects this", "NOBODY EXPECTS THIS")),
    Exercise("cheaper-spaces", "cheaper", "gpt2", ("a  b  c", "a b c")),
    Exercise("seven", "write", "cl100k_base", count=7),
)


def exercises() -> dict[str, Any]:
    """Return the exercises with their answers, and the words of their page."""
    words = lesson().words["exercises"]
    return {"exercises": [_as_data(exercise, words) for exercise in EXERCISES], "words": dict(words)}


def _as_data(exercise: Exercise, words: Words) -> dict[str, Any]:
    truth = {"cut": _cut, "merge": _merge, "cheaper": _cheaper, "write": _write}[exercise.kind]
    label = short_label(exercise.tokenizer)
    question = words[f"ask_{exercise.kind}"].format(tokenizer=label, count=exercise.count)
    asked = {"id": exercise.id, "kind": exercise.kind, "tokenizer": exercise.tokenizer, "label": label}
    return {**asked, "question": question, **truth(exercise)}


def _cut(exercise: Exercise) -> dict[str, Any]:
    """Return the tokens of an ASCII text, and for each boundary whether the split pattern cuts there."""
    (text,) = exercise.texts
    tokenization = load(exercise.tokenizer).tokenize(text)
    pretokens = tokenization.pretoken_index.tolist()
    return {
        "text": text,
        "tokens": [
            {"text": data.decode(), "id": token}
            for data, token in zip(tokenization.token_bytes, tokenization.ids.tolist(), strict=True)
        ],
        "splits": [before != after for before, after in pairwise(pretokens)],
    }


def _merge(exercise: Exercise) -> dict[str, Any]:
    """Return the distinct pairs of neighbors in a short ASCII text, each with the number of its merge, 0 for none."""
    (text,) = exercise.texts
    tokenizer = load(exercise.tokenizer)
    pairs = []
    for left, right in dict.fromkeys(pairwise(text)):
        joined = tokenizer.encode(left + right)
        rank = tokenizer.rank(joined[0]) if len(joined) == 1 else None
        pairs.append({"left": left, "right": right, "merge": 0 if rank is None else rank + 1})
    return {"text": text, "pairs": pairs}


def _cheaper(exercise: Exercise) -> dict[str, Any]:
    tokenizer = load(exercise.tokenizer)
    pieces = [[data.decode() for data in tokenizer.tokenize(text).token_bytes] for text in exercise.texts]
    return {"texts": list(exercise.texts), "pieces": pieces}


def _write(exercise: Exercise) -> dict[str, Any]:
    return {"count": exercise.count}
