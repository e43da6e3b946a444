"""A question about what a page shows, with choices made from the truth and from plausible mistakes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from typing import Any

from tokviz.analysis.cost.units import character_count
from tokviz.display import shown
from tokviz.lesson.figures import compared_of, figure, read_link, replay_of, tokenizer_of
from tokviz.lesson.slides import as_data
from tokviz.lesson.steps import Link, Words, lesson
from tokviz.tokenizers.replay import Replay

MAX_CHOICES = 4

MINUTES = 2
"""Minutes that are planned for such a question."""

_MAX_NAME = 40  # characters of a token in a choice


def asked(link: Link) -> dict[str, Any]:
    """Return a slide with a question about what a link shows, without the link's address.

    Raises ValueError for what no question can be asked about, and as `figure` does.
    """
    page, fields, text = read_link(link)
    words = lesson().words["asked"]
    if not text and page != "compression":
        raise ValueError(words["no_text"])
    make = {"compare": _which_is_fewer, "replay": _which_is_next, "compression": _which_is_most}.get(page, _how_many)
    figure(link)  # raises what can't be shown
    links = [replace(link, label=words["figure"], fields=fields)]
    if page == "replay":
        links = _before_and_after(links[0], words)
    spelled = repr((page, sorted(fields.items()), text)).encode()
    return {
        "id": f"asked-{sha256(spelled).hexdigest()[:12]}",  # by which the same question has its votes again
        "title": words["title"],
        "say": "",
        "minutes": [0, MINUTES],
        "figures": [as_data(each) for each in links],
        "covering": "open" if page == "replay" else "covered",
        "asked": 0,
        "answer": len(links) - 1,
        **make(fields, text, words),
    }


def _before_and_after(link: Link, words: Words) -> list[Link]:
    """Return the links to a replay that keeps its next merge to itself, and to the same one after that merge."""
    after = str(int(link.fields.get("step") or 0) + 1)
    shown_after = {name: value for name, value in link.fields.items() if name != "predict"} | {"step": after}
    asking = replace(link, fields={**link.fields, "predict": "1"})
    return [asking, replace(link, label=words["joined"], fields=shown_after)]


# How many tokens?


def _how_many(fields: Mapping[str, str], text: str, words: Words) -> dict[str, Any]:
    tokenizer, label = tokenizer_of(fields)
    tokens = len(tokenizer.encode(text, "all" if fields.get("special") == "1" else ()))
    lengths = [len(text.split()), character_count(text), len(text.encode())]
    numbers = _distinct(tokens, [*lengths, tokens + 1, tokens + 2, tokens - 1, tokens + 3])
    said = {"tokens": tokens, "words": lengths[0], "characters": lengths[1], "bytes": lengths[2]}
    return {
        "question": words["how_many"].format(tokenizer=label),
        "choices": [f"{number:,}" for number in numbers],
        "answers": [numbers.index(tokens)],
        "reveal": words["how_many_answer"].format(**{name: f"{number:,}" for name, number in said.items()}),
    }


def _distinct(truth: int, mistakes: Iterable[int]) -> list[int]:
    """Return the truth and the first mistakes that differ from it, each once, from the smallest to the largest."""
    numbers = dict.fromkeys([truth, *(number for number in mistakes if number > 0)])
    return sorted([*numbers][:MAX_CHOICES])


# Which takes fewer?


def _which_is_fewer(fields: Mapping[str, str], text: str, words: Words) -> dict[str, Any]:
    compared = compared_of(fields, text)
    names, counts = list(compared.names), compared.token_counts
    least = min(counts)
    answers = [number for number, count in enumerate(counts) if count == least]
    choices = names
    if len(names) == 2:
        choices = [*names, words["as_many"]]
        answers = [2] if len(answers) == 2 else answers
    said = ", ".join(f"{name} {count:,}" for name, count in zip(names, counts, strict=True))
    return {
        "question": words["which_is_fewer"],
        "choices": choices,
        "answers": answers,
        "reveal": words["which_is_fewer_answer"].format(counts=said),
    }


# Which text takes the most?


def _which_is_most(fields: Mapping[str, str], _: str, words: Words) -> dict[str, Any]:
    bars = figure(Link("", "compression", fields)).data
    tokenizer, digits = bars["names"][0], bars["digits"]
    ranked = sorted(((row["values"][0], row["text"]) for row in bars["rows"]), reverse=True)
    offered = sorted(ranked[:: (len(ranked) - 1) // (MAX_CHOICES - 1)][:MAX_CHOICES], key=lambda row: row[1])
    counts = [count for count, _ in offered]
    return {
        "question": words["which_is_most"].format(tokenizer=tokenizer),
        "choices": [name for _, name in offered],
        "answers": [number for number, count in enumerate(counts) if count == max(counts)],
        "reveal": words["which_is_most_answer"].format(
            tokenizer=tokenizer, counts=", ".join(f"{name} {count:,.{digits}f}" for count, name in offered)
        ),
    }


# Which pair is next?


def _which_is_next(fields: Mapping[str, str], text: str, words: Words) -> dict[str, Any]:
    replay, step, is_learning = replay_of(fields, text)
    if step >= len(replay):
        raise ValueError(words["nothing_next"])
    pairs = _pairs_at(replay, step)
    next_one = replay[step]
    winner = (next_one.left, next_one.right)
    tied = [pair for pair, count in pairs.items() if is_learning and count == pairs[winner]]
    right = {winner, *tied}
    offered = [winner, *tied[:1], *(pair for pair, _ in pairs.most_common() if pair not in right), *tied[1:]]
    names = {pair: _name(replay, pair) for pair in offered}
    by_name = {name: pair for pair, name in reversed(names.items())}  # of equal names the first pair
    chosen = [*dict.fromkeys(by_name[name] for name in names.values())][:MAX_CHOICES]
    if len(chosen) < 2:
        raise ValueError(words["only_pair"])
    in_order = [pair for pair in pairs if pair in chosen]  # as they stand in the text, which gives nothing away
    key = "learn" if is_learning else "apply"
    answer = words[f"next_{key}_answer"].format(
        pair=_name(replay, winner), count=pairs[winner], merge=f"{next_one.rank + 1:,}"
    )
    return {
        "question": words[f"next_{key}"],
        "choices": [names[pair] for pair in in_order],
        "answers": [number for number, pair in enumerate(in_order) if pair in right],
        "reveal": answer,
    }


def _pairs_at(replay: Replay, step: int) -> Counter[tuple[int, int]]:
    """Count the pairs of neighbors after so many steps, in the order in which they are first seen.

    If pre-tokens are merged one after the other, only pairs of the current one count.
    """
    tokenization = replay.tokenization(step)
    ids, pieces = tokenization.ids.tolist(), tokenization.pretoken_index.tolist()
    neighbors = zip(pairwise(ids), pairwise(pieces), strict=True)
    turn = set(replay.pretoken_index[... if replay.is_by_rank else replay.removed_at == step].tolist())
    return Counter(pair for pair, (before, after) in neighbors if before == after and before in turn)


def _name(replay: Replay, pair: Sequence[int]) -> str:
    name = " + ".join(shown(replay.tokenizer.vocab[token], _MAX_NAME) for token in pair)
    return name if "`" in name else f"`{name}`"
