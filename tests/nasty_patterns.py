"""Regular expressions as somebody would write them who wants to stop a server."""

import random

_ATOMS = ["a", "b", ".", r"\w", r"\X", r"\b", "[a-z]", r"[^\W\d]", r"\p{L}", "ß", "", "()", "a|b", "ab|c", "|"]
_ATOMS += [r"\1", r"(?i)", "(?x) # ", "(?V1)", "[[a-z]--[b]]", r"\N{BULLET}", r"\L<x>", "^", "$", r"\G", r"\K", "𝔸"]
_WRAPS = ["(%s)", "(?:%s)", "(?>%s)", "(?=%s)", "(?!%s)", "(?<=%s)", "(?<!%s)", "(?P<n>%s)", "(?i:%s)", "(?|%s)"]
_WRAPS += ["(?:%s){e<=3}", "(?:%s){i<=2,d<=2,e<=9999}", "(?:%s){1i+1d<9}", "(?(1)%s|b)", "(?r:%s)", "[%s]", "(?b)(%s)"]
_COUNTS = ["*", "+", "?", "*?", "++", "{2}", "{,9}", "{0003,}", "{1000}", "{00000000099999}", "{5,4}", "{999999999}"]
_COUNTS += ["{100}{100}", "{9" + "9" * 200 + "}", "{ 3 0 0 0 0 }", "{16666}", "{1,4294967294}"]
_CALLS = ["(?R)", "(?1)", "(?&n)", "(?P>n)", "(?-1)", "(?0)"]


def nasty_pattern(dice: random.Random) -> str:
    """A pattern of some kind that has hurt before, or any mixture."""
    return dice.choice((_mixture, _deep, _long, _huge_set, _alternatives, _nested_counts, _recursive, _noise))(dice)


def _mixture(dice: random.Random, depth: int = 5) -> str:
    parts = []
    for _ in range(dice.randint(1, 4)):
        inner = _mixture(dice, depth - 1) if depth and dice.random() < 0.6 else dice.choice(_ATOMS)
        part = dice.choice(_WRAPS) % inner if dice.random() < 0.6 else inner
        parts.append(part + (dice.choice(_COUNTS) if dice.random() < 0.4 else ""))
    return dice.choice(["", "|"]).join(parts)


def _deep(dice: random.Random) -> str:
    depth = dice.choice([50, 400, 3_000, 20_000])
    opening, closing = dice.choice(
        [("(", ")"), ("(?:", ")*"), ("(?=", ")"), ("(?<!", ")"), ("[", "]"), ("(?>", "){2}")]
    )
    return opening * depth + "a" + closing * dice.choice([depth, depth - 1])


def _long(dice: random.Random) -> str:
    return dice.choice(["(?:ab|c)", "a?", "[a-z]", "(a)", r"\w*", "(?<=a)", "a*b*"]) * dice.choice([100, 2_000, 20_000])


def _huge_set(dice: random.Random) -> str:
    members = "".join(chr(dice.choice([0x4E00, 0x10000, 0x61]) + dice.randrange(2_000) * 2) for _ in range(3_000))
    return f"{dice.choice(['', '(?i)', '(?if)', '(?V1)'])}[{dice.choice(['', '^'])}{members}]{dice.choice(_COUNTS)}"


def _alternatives(dice: random.Random) -> str:
    words = ["".join(dice.choices("abß", k=dice.randint(0, 12))) for _ in range(dice.choice([50, 1_000, 5_000]))]
    return f"(?:{'|'.join(words)}){dice.choice(_COUNTS)}"


def _nested_counts(dice: random.Random) -> str:
    pattern = dice.choice(["a", "ab|c", "()", r"\w*", "a?"])
    for _ in range(dice.randint(1, 6)):
        pattern = f"(?:{pattern}){dice.choice(_COUNTS)}"
    return pattern


def _recursive(dice: random.Random) -> str:
    parts = [
        dice.choice([*_CALLS, *_CALLS, *_ATOMS, "(a", ")?", "(?P<n>", ")*", "|"]) for _ in range(dice.randint(2, 9))
    ]
    body = "".join(parts)
    missing = ")" * max(0, body.count("(") - body.count(")"))
    return f"(?P<n>{body}{missing}){dice.choice(_CALLS)}{dice.choice(['', '*', '?'])}"


def _noise(dice: random.Random) -> str:
    return "".join(dice.choices("(){}[]\\^-#?xaR|*+,019 :&p<=!>PÄ\n", k=dice.randint(1, 200)))
