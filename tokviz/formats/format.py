"""The description of a file format. Each format's module has a `Format`, listed in `tokviz.formats`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any, Literal, NamedTuple, TypedDict

from tokviz.pretokens.splitting import SplitPattern
from tokviz.tokenizers.bpe import BPETokenizer

Part = Literal["split_pattern", "special_tokens", "unapplied", "alphabet"]
"""A part of a tokenizer that a format may lack, as the argument of `open` that supplies it."""


class Unsaid(Enum):
    """The type of `UNSAID`."""

    UNSAID = "not said"


UNSAID: Literal[Unsaid.UNSAID] = Unsaid.UNSAID
"""Default of a split pattern that is not given, since None means no splitting."""


class LeftOut(TypedDict, total=False):
    """Parts of a tokenizer that files do not hold, as arguments of `open` and `read`."""

    split_pattern: str | None
    special_tokens: dict[str, int]
    unapplied: dict[str, Any]
    alphabet: str
    chat_files: dict[str, bytes]


class Written(NamedTuple):
    """Files by name, and what they do not hold of the tokenizer."""

    files: dict[str, bytes]
    left_out: LeftOut


class Given(NamedTuple):
    """The parts of a tokenizer that the caller supplies because its files lack them."""

    split_pattern: SplitPattern
    special_tokens: Mapping[str, int]
    unapplied: Mapping[str, Any] | None
    alphabet: str | None = None
    """Characters that merging starts from, in any order."""


@dataclass(frozen=True)
class Format:
    """A file format.

    `label` is its name for people. `names` are the names of its files, or patterns with `*`; several names without `*`
    are files that belong together. It also reads files named as `also_reads` says, but never writes any.
    `read` takes the files by name, the tokenizer's name and what the files lack. `write` takes a tokenizer and the name
    of a file; in what it returns, only special tokens need to be listed as left out. Both raise ValueError.
    `recognizes` tells whether the content of a file with such a name is of this format, where others share the name.
    `caution` says where other readers of a tokenizer's file may cut a text differently; "" for nowhere.
    `begins` is what files begin with, where neither the name nor `recognizes` tells them from texts.
    `title` is the name of its tokenizers if they are not called like their file.
    """

    label: str
    names: tuple[str, ...]
    read: Callable[[Mapping[str, bytes], str, Given], BPETokenizer]
    write: Callable[[BPETokenizer, str], Written]
    lacks: frozenset[Part] = frozenset()
    recognizes: Callable[[bytes], bool] = lambda _: True
    caution: Callable[[BPETokenizer], str] = lambda _: ""
    also_reads: tuple[str, ...] = ()
    begins: re.Pattern[bytes] | None = None
    title: str | None = None

    def writes(self, name: str) -> bool:
        """Return whether a file of this name is written in this format, if no other has exactly this name."""
        return any(fnmatchcase(name, pattern) for pattern in self.names)

    def reads(self, name: str, data: bytes) -> bool:
        """Return whether a file of this name and content may be of this format."""
        return any(fnmatchcase(name, pattern) for pattern in self.names + self.also_reads) and self.recognizes(data)

    @property
    def example(self) -> str:
        """A name for a file of this format."""
        return self.names[0].replace("*", "tokenizer")

    @property
    def files_together(self) -> tuple[str, ...]:
        """The files that belong together; () if each file stands alone."""
        return self.names if "*" not in "".join(self.names) else ()
