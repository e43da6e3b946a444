"""The parts of the model in a `tokenizer.json`, read from the JSON that Hugging Face's library writes of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tokviz.tokenizers.engines.stages import Algorithm, Model


def read_model(node: Mapping[str, Any], algorithm: Algorithm) -> Model:
    """Read the model of a `tokenizer.json`."""
    if algorithm == "unigram":
        pieces = tuple((str(piece), float(score)) for piece, score in node["vocab"])
        unknown = node.get("unk_id")
        fuses_unknown = True
    else:
        ids: Mapping[str, int] = node["vocab"]
        pieces = _by_id(ids)
        unknown = ids.get(node.get("unk_token") or "")
        fuses_unknown = bool(node.get("fuse_unk"))
    return Model(
        algorithm,
        pieces,
        merges=_merges(node.get("merges", ()), pieces),
        unknown=unknown,
        byte_ids=_byte_ids(pieces) if node.get("byte_fallback") else {},
        continuing_prefix=node.get("continuing_subword_prefix") or "",
        end_suffix=node.get("end_of_word_suffix") or "",
        ignore_merges=bool(node.get("ignore_merges")),
        fuse_unknown=fuses_unknown,
        word_limit=node.get("max_input_chars_per_word"),
    )


def _by_id(ids: Mapping[str, int]) -> tuple[tuple[str, float], ...]:
    """Return pieces by id, with no scores. There may be few of them, and ids of millions."""
    pieces = [("", 0.0)] * (max(ids.values(), default=-1) + 1)
    for piece, token in ids.items():
        pieces[token] = piece, 0.0
    return tuple(pieces)


def _merges(pairs: Iterable[Sequence[str]], pieces: Iterable[tuple[str, float]]) -> tuple[tuple[str, str], ...]:
    """Return the pairs with the same strings as in `pieces`, so that each is in memory only once."""
    kept = {piece: piece for piece, _ in pieces}
    return tuple((kept.get(left, left), kept.get(right, right)) for left, right in pairs)


def _byte_ids(pieces: tuple[tuple[str, float], ...]) -> dict[int, int]:
    """Return the ids of those of the pieces `<0x00>` to `<0xFF>` that there are, by byte value."""
    ids = {piece: token for token, (piece, _) in enumerate(pieces)}
    spelled = {value: f"<0x{value:02X}>" for value in range(256)}
    return {value: ids[piece] for value, piece in spelled.items() if piece in ids}
