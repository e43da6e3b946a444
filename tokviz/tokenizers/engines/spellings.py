"""The ways in which the pre-tokens of another library's tokenizer can be put together from its pieces."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from tokviz.tokenizers.engines.segments import Segment
from tokviz.tokenizers.segmentations import FittingTokens

# In the bytes of a piece, in front of the first in a word and at the end of the last. No text in UTF-8 has these bytes.
_START, _END = b"\xff", b"\xfe"


class Spellings:
    """The bytes that pieces spell, for finding those that fit at each place of a text.

    `pieces` are ids by piece, `byte_ids` those of pieces for single bytes. `bytes_of` gives the bytes that a spelled
    text stands for. `marks` are what begins a piece inside a word, and what ends one at its end; "" for neither.
    """

    def __init__(
        self,
        pieces: Mapping[str, int],
        byte_ids: Mapping[int, int],
        bytes_of: Callable[[str], bytes],
        marks: tuple[str, str],
    ) -> None:
        self._prefix, self._suffix = marks
        # With marks, bytes stay spelled, since some piece may be the byte that is a mark here.
        self._bytes_of = bytes_of if not any(marks) else str.encode
        self._ids = {bytes([value]): token for value, token in byte_ids.items()}
        self._ids |= {self._of_piece(piece): token for piece, token in pieces.items()}
        self._bytes = {token: data for data, token in self._ids.items()}

    def fitting(self, segments: Iterable[Segment]) -> FittingTokens:
        """Return the pieces that fit at each place of a text."""
        return FittingTokens(*self._parts(segments))

    def spell(self, ids: Collection[int], segments: Sequence[Segment]) -> bool:
        """Return whether tokens are among the ways to put a text together."""
        pieces, _, whole = self._parts(segments)
        rest = iter(ids)
        for index, piece in enumerate(pieces):
            place = 0
            while place < len(piece):
                token = next(rest, -1)
                data = piece if whole.get(index) == token else self._bytes.get(token, b"")
                if not data or (index in whole and whole[index] != token) or not piece.startswith(data, place):
                    return False
                place += len(data)
        return next(rest, None) is None

    def _parts(self, segments: Iterable[Segment]) -> tuple[list[bytes], Mapping[bytes, int], dict[int, int]]:
        parts = [segment for segment in segments if segment.text]
        pieces = [self._of_word(each.text) if each.special is None else each.text.encode() for each in parts]
        whole = {index: each.special for index, each in enumerate(parts) if each.special is not None}
        return pieces, self._ids, whole

    def _of_word(self, text: str) -> bytes:
        return (_START if self._prefix else b"") + self._bytes_of(text) + (_END if self._suffix else b"")

    def _of_piece(self, piece: str) -> bytes:
        is_first = bool(self._prefix) and not piece.startswith(self._prefix)
        is_last = bool(self._suffix) and piece.endswith(self._suffix)
        data = self._bytes_of(piece.removeprefix(self._prefix).removesuffix(self._suffix))
        return (_START if is_first else b"") + data + (_END if is_last else b"")
