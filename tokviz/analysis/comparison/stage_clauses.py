"""Sentences about normalization and algorithms as reasons for a difference."""

from tokviz.analysis.availability import drops_space, has_marked_pieces, text_bytes
from tokviz.analysis.comparison.cuts import Cut, joined, spell
from tokviz.analysis.comparison.reasons import is_rewritten
from tokviz.display import enumerated
from tokviz.tokenizers.engines.stages import DROPS_SPACE


def is_normalized(cut: Cut) -> bool:
    """Return whether some of its tokens, other than cut-out ones, stand for other bytes than they cover."""
    tokens = zip(cut.ids, cut.pieces, cut.special, cut.added, strict=True)
    return any(
        is_rewritten(cut.tokenizer, token, piece) for token, piece, special, added in tokens if not (special or added)
    )


def normalization_clauses(one: Cut, other: Cut, is_cause: bool) -> list[str]:
    """Clauses about what a tokenizer makes of the text before it cuts it, and about white space that it drops.

    What it makes of the text is left out unless it `is_cause`.
    """
    clauses = []
    if is_cause and one.tokenizer.rewriting != other.tokenizer.rewriting and is_normalized(one):
        steps = [step for step in one.rewriting if step != DROPS_SPACE]
        own = b"".join(text_bytes(one.tokenizer, token) for token in one.ids)
        # What the unknown token stands for is not known in its normalized form.
        is_known = one.tokenizer.unknown not in one.ids
        clauses.append(
            f"{one.name} first {enumerated(steps)}{f', so that it reads “{spell(own)}”' if is_known else ''}"
        )
    is_dropped = drops_space(one.tokenizer) and not drops_space(other.tokenizer)
    if is_dropped and any(piece[-1:].isspace() for piece in other.pieces):
        clauses.append(f"{one.name} {DROPS_SPACE}")
    return clauses


_ALGORITHMS = {
    "bpe": "merges pairs of neighbors",
    "unigram": "takes the pieces with the best scores",
    "wordpiece": "takes the longest token that fits, again and again",
}


def algorithm_clause(first: Cut, second: Cut) -> str:
    """Clause about how the two choose among tokens."""
    one, other = (_ALGORITHMS.get(cut.tokenizer.algorithm or "", "takes whole words") for cut in (first, second))
    return f"both have all these tokens, but {first.name} {one}, and {second.name} {other}{_longest(first, second)}"


def _longest(first: Cut, second: Cut) -> str:
    """Say so where the longest tokens of one that fit are the cut of the other, which is WordPiece."""
    for merging, matching in ((first, second), (second, first)):
        if matching.tokenizer.algorithm != "wordpiece" or any(matching.special):
            continue
        if has_marked_pieces(merging.tokenizer):  # which of its tokens fit depends on more than their bytes
            continue
        data = b"".join(matching.pieces)
        longest: list[bytes] = []
        while data:
            known = (end for end in range(len(data), 0, -1) if merging.tokenizer.knows(data[:end]))
            end = next(known, 1)
            longest.append(data[:end])
            data = data[end:]
        if tuple(longest) == matching.pieces:
            return f": the longest tokens of {merging.name} that fit are “{joined(longest)}”, too"
    return ""
