"""`tokviz compare`: where tokenizers differ on a text, by how much, and why."""

import argparse
import json
import sys
from typing import Any

from tokviz import export
from tokviz.analysis.comparison import Comparison
from tokviz.analysis.comparison import compare as compare_tokenizers
from tokviz.analysis.tables import aligned
from tokviz.charts.wording import plural
from tokviz.command.inputs import named_tokenizers, text_of
from tokviz.command.parsers import (
    Subcommands,
    add_color,
    add_command,
    add_format,
    add_special,
    add_texts,
    add_tokenizers,
    whole_number,
)
from tokviz.command.terminal import Colors, chips, colors_for, write
from tokviz.display import hex_bytes

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
    add_texts(parser, several=False)
    add_tokenizers(parser, "gpt2,gpt-4o")
    add_format(parser, ("text", "json", "html"))
    parser.add_argument(
        "--most", type=whole_number(0), default=20, metavar="N", help="differences to show, in text order; default: 20"
    )
    add_special(parser)
    add_color(parser)


def run(args: argparse.Namespace) -> int:
    """Compare tokenizers on a text."""
    tokenizers = named_tokenizers(args)
    allowed = "all" if args.special else ()
    compared = compare_tokenizers(text_of(args), tokenizers.values(), allowed, list(tokenizers))
    match args.format:
        case "json":
            print(json.dumps(_as_dict(compared, args.most), indent=1))
        case "html":
            write([export.comparison_to_html(compared)])
        case _:
            _print(compared, args.most, colors_for(args.color, sys.stdout))
    return 0


def _print(compared: Comparison, most: int, colors: Colors) -> None:
    columns = ["tokenizer", "tokens", "difference", "bytes per token", "same boundaries"]
    print(aligned(columns, [_summary(compared, number) for number in range(len(compared.names))]))
    segments = plural("segment", len(compared), count_too=True)
    verb = "differs" if len(compared.differing) == 1 else "differ"
    print(f"\n{len(compared.differing):,} of {segments} {verb}")
    for segment in compared.differing[:most].tolist():
        _print_segment(compared, segment, colors)
    if len(compared.differing) > most:
        print(f"\n… and {len(compared.differing) - most:,} more: --most {len(compared.differing)} shows all")


def _summary(compared: Comparison, number: int) -> list[Any]:
    tokens = compared.token_counts[number]
    agreement = compared.agreement(0, number)
    difference = f"{agreement.percent:+.1f} %" if number else None
    same = f"{100 * agreement.jaccard:.0f} %" if number else None
    return [compared.names[number], tokens, difference, len(compared.data) / tokens if tokens else None, same]


def _print_segment(compared: Comparison, segment: int, colors: Colors) -> None:
    start, _, cuts, _ = compared[segment]
    print(f"\nbyte {start:,}")
    for name, cut in zip(compared.names, cuts, strict=True):
        print(f"  {name:{max(map(len, compared.names))}}  {''.join(chips(cut, colors, breaks=False))}")
    for sentence in _why(compared, segment):
        print(f"  {sentence}")


def _why(compared: Comparison, segment: int) -> list[str]:
    """Return the sentences that explain a segment, each once."""
    explanations = (compared.explain(segment, other) for other in range(1, len(compared.names)))
    return list(dict.fromkeys(each.sentence for each in explanations if each))


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
        "why": _why(compared, segment),
    }
