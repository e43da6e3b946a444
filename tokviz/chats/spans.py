"""Rendered prompts: the origin of each character, and the stretches of messages that are missing."""

from collections.abc import Mapping
from typing import Any, NamedTuple

Origin = str | tuple[int, str]
"""`(message, key)` for what a message holds; the name of another value, such as "tools"; or "template"."""

TEMPLATE = "template"
"""The origin of what a template writes itself."""

DATE = "date"
"""The origin of the date that a template asks for."""

UNKNOWN = "unknown"
"""The origin of what a template marked as safe HTML and went on working with."""

Message = Mapping[str, Any]

ROLE = "role"
"""The key of a message under which its role is."""

REASONING = ("reasoning_content", "thinking", "reasoning")
"""The keys under which messages hold an assistant's thoughts. Templates read the first two."""


class Span(NamedTuple):
    """The characters of a prompt from `start` to `end`, in code points, and their origin.

    `at` is where in that value they stand, -1 for what is in none; `was` is what stood there before the template
    changed it, None if it did not. `generated` is set for what the template marks as the assistant's.
    """

    start: int
    end: int
    origin: Origin
    at: int = -1
    was: str | None = None
    generated: bool = False


class Omission(NamedTuple):
    """A stretch of a message that is not in the prompt: `text`, from `start` on in what `origin` holds."""

    origin: Origin
    start: int
    text: str


class Rendered(NamedTuple):
    """A prompt, the spans that cover it, and what is missing of the messages."""

    prompt: str
    spans: tuple[Span, ...]
    omissions: tuple[Omission, ...]


class TemplateError(ValueError):
    """A template that can't be read, or fails. `line` is where, from 1; None if that is not known."""

    def __init__(self, message: str, line: int | None) -> None:
        super().__init__(message, line)  # as they are, so that a pickle holds them
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line} of the template: {self.args[0]}" if self.line else self.args[0]
