"""`tokviz compare`: where tokenizers differ on a text, by how much, and why."""

import argparse
import json
import sys
from typing import Any

from tokviz import export
from tokviz.analysis.comparison.compare import Comparison
from tokviz.analysis.comparison.compare import compare as compare_tokenizers
from tokviz.command.inputs import column_names, named_tokenizers, text_of
from tokviz.command.parsers import Subcommands, add_command, whole_number
from tokviz.command.terminal import chips, colors_for, say, write
from tokviz.display import hex_bytes
from tokviz.widgets.comparison_display import comparison_text, reasons_for

_EXAMPLES = (
    ("See where GPT-2 and GPT-4o differ, and why", 'tokviz compare -t "It\'s 4567"'),
    ("Compare three tokenizers, one of them a file", "tokviz compare -m gpt2,gpt-4o,tokenizer.json README.md"),
    ("Write a web page that needs no network", "tokviz compare -f html README.md > comparison.html"),
)


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    parser = add_command(
        commands, "compare", "Compare two to eight tokenizers on a text: where they differ, and why.", run, _EXAMPLES
    )
    parser.add_texts(several=False)
    parser.add_tokenizers("gpt2,gpt-4o")
    parser.add_format(("text", "json", "html", "svg"))
    parser.add_argument(
        "--most", type=whole_number(0), default=20, metavar="N", help="differences to show, in text order; default: 20"
    )
    parser.add_special()
    parser.add_color()


def run(args: argparse.Namespace) -> int:
    """Compare tokenizers on a text."""
    tokenizers = named_tokenizers(args)
    allowed = "all" if args.special else ()
    names = list(tokenizers) if args.format == "json" else column_names(tokenizers)
    compared = compare_tokenizers(text_of(args), tokenizers.values(), allowed, names)
    match args.format:
        case "json":
            say(json.dumps(_as_dict(compared, args.most), indent=1))
        case "html":
            write([export.comparison_to_html(compared)])
        case "svg":
            write([export.comparison_to_svg(compared)])
        case _:
            colors = colors_for(args.color, sys.stdout)
            say(comparison_text(compared, args.most, lambda cut: "".join(chips(cut, colors, breaks=False))))
    return 0


def _as_dict(compared: Comparison, most: int) -> dict[str, Any]:
    return {
        "tokenizers": [
            {"name": name, "tokens": tokens, "same_boundaries": compared.agreement(0, number).jaccard}
            for number, (name, tokens) in enumerate(zip(compared.names, compared.token_counts, strict=True))
        ],
        "segments": len(compared),
        "segments_that_differ": len(compared.differing),
        "differences": [_difference(compared, segment) for segment in compared.differing[:most].tolist()],
    }


def _difference(compared: Comparison, segment: int) -> dict[str, Any]:
    start, end, cuts, ids = compared[segment]
    return {
        "start_byte": start,
        "end_byte": end,
        "bytes": dict(zip(compared.names, (list(map(hex_bytes, cut)) for cut in cuts), strict=True)),
        "ids": dict(zip(compared.names, map(list, ids), strict=True)),
        "why": reasons_for(compared, segment),
    }
