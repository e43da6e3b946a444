"""Output to the terminal: colored tokens, and never a control character of a text, a name or a message.

All that the subcommands print passes `say`, and data that may be for another program `write`.

Tokens have the tints of the token view in its light theme, with its text color, on 24-bit terminals; on others, black
on four of the sixteen colors. Without colors, a bar separates tokens.
"""

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import TextIO

from tokviz.display import BAR, END_OF_WORD, printable, shown
from tokviz.widgets.notebook import INK, TINTS

_RESET = "\x1b[0m"
_SIXTEEN = tuple(f"\x1b[30;{code}m" for code in (106, 102, 105, 103))  # black on bright cyan, green, magenta, yellow
_INK, *_TINTS = (";".join(map(str, bytes.fromhex(color[1:]))) for color in (INK, *TINTS))
_TRUE = tuple(f"\x1b[38;2;{_INK};48;2;{tint}m" for tint in _TINTS)
_OURS = re.compile(f"({'|'.join(map(re.escape, (_RESET, *_SIXTEEN, *_TRUE)))})")
_TRUE_COLOR_TERMS = ("24bit", "truecolor", "direct")


class Colors(Enum):
    """Colors of a terminal."""

    NONE = 0
    SIXTEEN = 16
    TRUE = 2**24


def colors_for(choice: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> Colors:
    """Return the colors to use in `stream`: `choice` is "auto", "always" or "never".

    "auto" follows NO_COLOR (https://no-color.org), TERM, COLORTERM and WT_SESSION, and colors only terminals.
    """
    term, color_term = environment.get("TERM", ""), environment.get("COLORTERM", "")
    is_modern = "WT_SESSION" in environment  # Windows Terminal sets no TERM
    is_plain = environment.get("NO_COLOR") or not stream.isatty() or not (is_modern or term not in ("", "dumb"))
    if choice == "never" or (choice == "auto" and is_plain):
        return Colors.NONE
    is_true = is_modern or color_term in _TRUE_COLOR_TERMS or term.endswith(_TRUE_COLOR_TERMS)
    return Colors.TRUE if is_true else Colors.SIXTEEN


def chips(tokens: Iterable[bytes], colors: Colors, *, breaks: bool = True) -> Iterator[str]:
    """Yield tokens as colored or separated text, in which every control character is drawn.

    With `breaks`, a line end in a token also ends the line on the screen. Without colors, a bar before it tells a line
    that begins a token from one that continues it.
    """
    bar = BAR if colors is Colors.NONE else ""
    line_break = "\n" if breaks else ""
    pending = ""
    for number, token in enumerate(tokens):
        yield (bar if number else "") + pending
        yield line_break.join(_colored(line, number, colors) for line in _lines(token, colors))
        pending = line_break if token.endswith(b"\n") else ""
    yield pending


def _lines(token: bytes, colors: Colors) -> list[str]:
    """Spell a token, a line of it per line end."""
    *ended, last = (_spelled(line, colors) for line in token.split(b"\n"))
    lines = [f"{line}↵" for line in ended]
    return [*lines, last] if last else lines or [END_OF_WORD]


def _spelled(data: bytes, colors: Colors) -> str:
    text = printable(shown(data))
    return text.replace(BAR, f"[{BAR}]") if colors is Colors.NONE else text


def _colored(text: str, number: int, colors: Colors) -> str:
    if colors is Colors.NONE:
        return text
    codes = _SIXTEEN if colors is Colors.SIXTEEN else _TRUE
    return f"{codes[number % len(codes)]}{text}{_RESET}"


def say(text: str, *, file: TextIO | None = None, end: str = "\n") -> None:
    """Write a text for people, with every control character drawn but for line ends and our own colors."""
    parts = _OURS.split(text)
    parts[::2] = map(_drawn, parts[::2])
    print("".join(parts), file=file, end=end)


def rewrite_line(text: str) -> None:
    """Write a text in place of the last line on standard error, which is a terminal."""
    print(f"\r\x1b[K{printable(text)}", end="", file=sys.stderr, flush=True)


def write(chunks: Iterable[str]) -> None:
    """Write data to standard output as it is; on a terminal, with control characters drawn."""
    is_terminal = sys.stdout.isatty()
    for chunk in chunks:
        sys.stdout.write(_drawn(chunk) if is_terminal else chunk)


def _drawn(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def write_utf8() -> None:
    """Make the standard streams write UTF-8 with plain line ends into files and pipes, on every system.

    The name of a file that is no UTF-8 is written as its own bytes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")


def print_error(error: Exception) -> None:
    """Say what went wrong, in a line on standard error."""
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        message = f"{error.filename}: {error.strerror}"
    else:
        message = str(error) or type(error).__name__
    say(f"tokviz: {printable(message)}", file=sys.stderr)
