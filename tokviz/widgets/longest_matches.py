"""The data of the view of longest matches, its standalone page, and its display in notebooks."""

from typing import Any

from tokviz.display import shorten
from tokviz.tokenizers.matches import TextMatches
from tokviz.widgets.html import notebook_view, view_page

MAX_WORDS = 500
"""Maximum words that are shown."""

MAX_LOOKS = 20_000
"""Maximum lookups of a word that are shown; BERT takes 5,050 at most."""

MAX_PREFIX = 100
"""Maximum code points of the prefix of pieces inside a word."""


def matches_data(text_matches: TextMatches) -> dict[str, Any]:
    """Return what the browser draws, as JSON.

    Raises ValueError if the text has more than `MAX_WORDS` words, if one of them takes more than `MAX_LOOKS` lookups,
    and if the file marks the inside of words in more than `MAX_PREFIX` characters.
    """
    if len(text_matches.words) > MAX_WORDS:
        raise ValueError(
            f"this text has {len(text_matches.words):,} words; {MAX_WORDS:,} are shown at most: use its beginning"
        )
    most = max((matches.num_attempts for matches, _, _ in text_matches.words), default=0)
    if most > MAX_LOOKS:
        raise ValueError(
            f"a word of this text takes {most:,} lookups; {MAX_LOOKS:,} are shown at most: use shorter words"
        )
    if len(text_matches.model.prefix) > MAX_PREFIX:
        raise ValueError(f"the pieces inside a word begin with more than {MAX_PREFIX} characters, which can't be shown")
    unknown = text_matches.model.unk_id
    return {
        "tokenizer": text_matches.tokenizer.name,
        "prefix": text_matches.model.prefix,
        "longest": text_matches.model.max_chars,
        "unknown": {"text": shorten(text_matches.tokenizer.vocab[unknown].decode("utf-8", "replace")), "id": unknown},
        "words": [
            {
                "text": matches.word[: text_matches.model.max_chars + 1],
                "matches": [list(match) for match in matches.matches],
                "stuck": matches.stuck_at,
            }
            for matches, _, _ in text_matches.words
        ],
    }


def page(text_matches: TextMatches) -> str:
    """Return the words and their steps as a self-contained HTML page."""
    return view_page("matches", matches_data(text_matches))


def notebook_matches(text_matches: TextMatches) -> str:
    """Return the words and their steps in an iframe for trusted notebooks, or a notice if there are too many."""
    return notebook_view(lambda: page(text_matches), "Longest matches", "words")
