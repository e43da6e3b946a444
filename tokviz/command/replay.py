"""`tokviz replay`: how a text is merged, step by step."""

import argparse
import sys
from collections.abc import Sequence

from tokviz import export
from tokviz.analysis.tables import aligned
from tokviz.command.inputs import one_tokenizer, text_of
from tokviz.command.parsers import Subcommands, add_command, whole_number
from tokviz.command.terminal import chips, colors_for, say, write
from tokviz.display import shown
from tokviz.tokenizers.base import Tokenizer
from tokviz.tokenizers.bpe import BPETokenizer
from tokviz.tokenizers.engines.engine import EngineTokenizer
from tokviz.tokenizers.replay import Replay
from tokviz.widgets import replays
from tokviz.widgets.columns import apply_columns

_MOST_DRAWN = 100  # maximum bytes of a text that is drawn after each step
_EXAMPLES = (
    ("Follow GPT-2's merges", "tokviz replay -t hello"),
    ("Draw the merges as a picture", "tokviz replay -f svg -t 'low lower lowest' > merges.svg"),
    ("Write the player as a web page", "tokviz replay -f html -t 'low lower lowest' > replay.html"),
)


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    parser = add_command(commands, "replay", "Replay how a text is merged, step by step.", run, _EXAMPLES)
    parser.add_texts(several=False)
    parser.add_tokenizers("gpt2", several=False)
    parser.add_format(("text", "svg", "html"))
    parser.add_argument("--steps", type=whole_number(0), metavar="N", help="stop after N steps; a page begins there")
    parser.add_special()
    parser.add_color()


def run(args: argparse.Namespace) -> int:
    """Replay the merges of a text."""
    tokenizer, text = one_tokenizer(args), text_of(args)
    if not isinstance(tokenizer, BPETokenizer | EngineTokenizer):
        raise ValueError(f"{tokenizer.name} merges nothing, so there is nothing to replay")
    allowed = "all" if args.special else ()
    replay = tokenizer.replay(text, allowed)
    steps = len(replay) if args.steps is None else min(args.steps, len(replay))
    match args.format:
        case "svg":
            write([export.replay_to_svg(tokenizer, text, steps, allowed), "\n"])
        case "html":
            if len(text.encode()) > replays.LIMIT:
                raise ValueError(f"the player takes texts of up to {replays.LIMIT:,} bytes")
            write([replays.page(*apply_columns(replay), step=-2 if args.steps is None else steps)])
        case _:
            for line in _lines(tokenizer, replay, steps, args.color):
                say(line)
    return 0


def _lines(tokenizer: Tokenizer, replay: Replay, steps: int, color: str) -> Sequence[str]:
    """Return a line for the start and for each step: the merge, and a short text as it is cut after the step."""
    colors = colors_for(color, sys.stdout)
    rows: list[list[object]] = [["start", None, "", None, int(replay.token_counts[0])]]
    for number, step in enumerate(replay[:steps], start=1):
        left, right, new = (shown(tokenizer.vocab[token]) for token in (step.left, step.right, step.new))
        rows.append(
            [str(number), step.rank, f"{left} + {right} = {new}", step.places, int(replay.token_counts[number])]
        )
    lines = aligned(["step", "merge", "joins", "places", "tokens"], rows).split("\n")
    if len(replay.text.encode()) > _MOST_DRAWN:
        return lines
    states = ("".join(chips(replay.tokenization(k).spelled_bytes(), colors, breaks=False)) for k in range(steps + 1))
    return [lines[0], *(f"{line}  {state}" for line, state in zip(lines[1:], states, strict=True))]
