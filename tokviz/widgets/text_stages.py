"""The stages from a text to its tokens, as the Tokens page shows them: what each makes of the text, and changes in it.

Nothing but the beginning of a long list is sent; the counts are those of all.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any

from tokviz.display import shown, visible
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.rewriting import Edit
from tokviz.tokenizers.engines.stages import StageName

MAX_CHARACTERS = 10_000
"""Maximum code points of a text whose stages are shown."""

MAX_PIECES = 60
"""Maximum pieces sent of a stage."""

MAX_EDITS = 12
"""Maximum different changes sent of the normalization."""

_MAX_EDIT = 40
_MOST_OF: dict[StageName, int] = {"normalized": 300, "pre-tokens": 40, "tokens": 40, "special tokens": 40}
"""Maximum code points shown of each piece of a stage."""


def stages_data(tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()) -> dict[str, Any]:
    """Return the stages of a text that the tokenizer has, and the edits of its normalization.

    Raises ValueError for a text that can't be encoded.
    """
    respelled = _tokens_by_bytes(tokenizer, text, allowed_special)
    data = []
    for name, spelled, changes in tokenizer.stages(text, allowed_special):
        if tokenizer.is_around_known or name != "special tokens":
            pieces = respelled.get(name) or [piece.encode("utf-8", "surrogateescape") for piece in spelled]
            listed = [shown(piece, _MOST_OF[name]) for piece in pieces[:MAX_PIECES]]
            data.append({"name": name, "count": len(pieces), "pieces": listed, "changes": list(changes)})
    return {"stages": data, **_edits_data(tokenizer.edits(text, allowed_special))}


def _tokens_by_bytes(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> dict[StageName, list[bytes]]:
    """Return the tokens by stage, where a library spells them with a character for each byte."""
    if not tokenizer.is_of_library or tokenizer.units != "bytes":
        return {}
    before, after = ([tokenizer.vocab[token] for token in side] for side in tokenizer.around)
    tokens = [tokenizer.vocab[token] for token in tokenizer.encode(text, allowed_special)]
    return {"tokens": tokens, "special tokens": [*before, *tokens, *after]}


def _edits_data(edits: Iterable[Edit]) -> dict[str, Any]:
    """Return different edits with how often each occurs, in the order of their first places."""
    times = Counter((edit.old, edit.new) for edit in edits)
    listed = [[*map(_spelled, pair), count] for pair, count in islice(times.items(), MAX_EDITS)]
    return {"edits": listed, "different": len(times)}


def _spelled(side: str) -> str:
    """Spell a side of an edit by its single characters, so that each invisible one is named."""
    return "".join(map(visible, side[:_MAX_EDIT])) + ("…" if len(side) > _MAX_EDIT else "")
