"""The data of the view of longest matches, its standalone page, and its display in notebooks."""

import html
from typing import Any

from tokviz.tokenizers.matches import TextMatches
from tokviz.widgets.html import notebook_frame, standalone_page

MAX_WORDS = 500
"""Maximum words that are shown."""


def matches_data(found: TextMatches) -> dict[str, Any]:
    """Return what the browser draws, as JSON. Raises ValueError if the text has more than `MAX_WORDS` words."""
    if len(found.words) > MAX_WORDS:
        raise ValueError(
            f"this text has {len(found.words):,} words; {MAX_WORDS:,} are shown at most: use its beginning"
        )
    unknown = found.model.unk_id
    return {
        "tokenizer": found.tokenizer.name,
        "prefix": found.model.prefix,
        "longest": found.model.max_chars,
        "unknown": {"text": found.tokenizer.vocab[unknown].decode("utf-8", "replace"), "id": unknown},
        "words": [
            {
                "text": matches.word[: found.model.max_chars + 1],
                "matches": [list(match) for match in matches.matches],
                "stuck": matches.stuck_at,
            }
            for matches, _, _ in found.words
        ],
    }


def page(found: TextMatches) -> str:
    """Return the words and their steps as a self-contained HTML page."""
    return standalone_page("matches", {"matches": matches_data(found)}, f"How {found.tokenizer.name} reads a text")


def notebook_matches(found: TextMatches) -> str:
    """Return the words and their steps in an iframe for trusted notebooks, or a notice if there are too many."""
    try:
        return notebook_frame(page(found), "Longest matches", "words", "40rem")
    except ValueError as error:
        return f"<p>{html.escape(str(error))}</p>"
