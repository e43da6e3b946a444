"""The stages from a text to its tokens, as the Tokens page shows them: what each makes of the text, and changes in it.

Nothing but the beginning of a long list is sent; the counts are those of all.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from tokviz.display import shown, visible
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.engines.capabilities import EngineTokenizer
from tokviz.tokenizers.engines.edits import Edit
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
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


class _Stage(NamedTuple):
    """A stage with the bytes of its pieces, as people see them."""

    name: StageName
    pieces: Sequence[bytes]
    changes: Sequence[str]


def stages_data(tokenizer: Tokenizer, text: str, allowed_special: Collection[str] = ()) -> dict[str, Any]:
    """Return the stages of a text that the tokenizer has, and the edits of its normalization.

    Raises ValueError for a text that can't be encoded.
    """
    if isinstance(tokenizer, EngineTokenizer):
        stages = _stages_of_engine(tokenizer, text, allowed_special)
        edits = tokenizer.edits(text, allowed_special)
    else:
        stages, edits = _stages_of_merges(tokenizer, text, allowed_special), []
    data = [
        {
            "name": stage.name,
            "count": len(stage.pieces),
            "pieces": [shown(piece, _MOST_OF[stage.name]) for piece in stage.pieces[:MAX_PIECES]],
            "changes": list(stage.changes),
        }
        for stage in stages
    ]
    return {"stages": data, **_edits_data(edits)}


def _stages_of_engine(tokenizer: EngineTokenizer, text: str, allowed_special: Collection[str]) -> list[_Stage]:
    stages = [
        _Stage(name, [piece.encode() for piece in pieces], changes)
        for name, pieces, changes in tokenizer.stages(text, allowed_special)
        if tokenizer.is_around_known or name != "special tokens"
    ]
    if not (isinstance(tokenizer, HuggingFaceTokenizer) and tokenizer.is_byte_level):
        return stages
    # Not as the library spells them, with a character for each byte.
    before, after = ([tokenizer.vocab[token] for token in side] for side in tokenizer.around)
    tokens = [tokenizer.vocab[token] for token in tokenizer.encode(text, allowed_special)]
    readable = {"tokens": tokens, "special tokens": [*before, *tokens, *after]}
    return [stage._replace(pieces=readable.get(stage.name, stage.pieces)) for stage in stages]


def _stages_of_merges(tokenizer: Tokenizer, text: str, allowed_special: Collection[str]) -> list[_Stage]:
    tokenization = tokenizer.tokenize(text, allowed_special)
    tokens = [tokenizer.vocab[token] for token in tokenization.ids.tolist()]
    stages = [_Stage("tokens", tokens, ())]
    if tokenizer.split_patterns:
        stages.insert(
            0, _Stage("pre-tokens", [piece.encode() for piece in tokenizer.pretokens(text, allowed_special)], ())
        )
    if tokenizer.rewriting:
        normalized = b"".join(tokens)
        changes = tokenizer.rewriting if normalized != tokenization.data else ()
        stages.insert(0, _Stage("normalized", [normalized], changes))
    return stages


def _edits_data(edits: Iterable[Edit]) -> dict[str, Any]:
    """Return different edits with how often each occurs, in the order of their first places."""
    times = Counter((edit.old, edit.new) for edit in edits)
    listed = [[*map(_spelled, pair), count] for pair, count in islice(times.items(), MAX_EDITS)]
    return {"edits": listed, "different": len(times)}


def _spelled(side: str) -> str:
    """Spell a side of an edit by its single characters, so that each invisible one is named."""
    return "".join(map(visible, side[:_MAX_EDIT])) + ("…" if len(side) > _MAX_EDIT else "")
