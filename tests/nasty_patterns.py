"""Random hostile regular expressions, as an attacker could send to block a server."""

import random

_ATOMS = ["a", "b", ".", r"\w", r"\X", r"\b", "[a-z]", r"[^\W\d]", r"\p{L}", "ß", "", "()", "a|b", "ab|c", "|"]
_ATOMS += [r"\1", r"(?i)", "(?x) # ", "(?V1)", "[[a-z]--[b]]", r"\N{BULLET}", r"\L<x>", "^", "$", r"\G", r"\K", "𝔸"]
_WRAPS = ["(%s)", "(?:%s)", "(?>%s)", "(?=%s)", "(?!%s)", "(?<=%s)", "(?<!%s)", "(?P<n>%s)", "(?i:%s)", "(?|%s)"]
_WRAPS += ["(?:%s){e<=3}", "(?:%s){i<=2,d<=2,e<=9999}", "(?:%s){1i+1d<9}", "(?(1)%s|b)", "(?r:%s)", "[%s]", "(?b)(%s)"]
_COUNTS = ["*", "+", "?", "*?", "++", "{2}", "{,9}", "{0003,}", "{1000}", "{00000000099999}", "{5,4}", "{999999999}"]
_COUNTS += ["{100}{100}", "{9" + "9" * 200 + "}", "{ 3 0 0 0 0 }", "{16666}", "{1,4294967294}"]
_CALLS = ["(?R)", "(?1)", "(?&n)", "(?P>n)", "(?-1)", "(?0)"]


def nasty_pattern(rng: random.Random) -> str:
    """Generate a pattern of a kind that has caused trouble before, or a random mixture."""
    return rng.choice((_mixture, _deep, _long, _huge_set, _alternatives, _nested_counts, _recursive, _noise))(rng)


def _mixture(rng: random.Random, depth: int = 5) -> str:
    parts = []
    for _ in range(rng.randint(1, 4)):
        inner = _mixture(rng, depth - 1) if depth and rng.random() < 0.6 else rng.choice(_ATOMS)
        part = rng.choice(_WRAPS) % inner if rng.random() < 0.6 else inner
        parts.append(part + (rng.choice(_COUNTS) if rng.random() < 0.4 else ""))
    return rng.choice(["", "|"]).join(parts)


def _deep(rng: random.Random) -> str:
    depth = rng.choice([50, 400, 3_000, 20_000])
    opening, closing = rng.choice([("(", ")"), ("(?:", ")*"), ("(?=", ")"), ("(?<!", ")"), ("[", "]"), ("(?>", "){2}")])
    return opening * depth + "a" + closing * rng.choice([depth, depth - 1])


def _long(rng: random.Random) -> str:
    return rng.choice(["(?:ab|c)", "a?", "[a-z]", "(a)", r"\w*", "(?<=a)", "a*b*"]) * rng.choice([100, 2_000, 20_000])


def _huge_set(rng: random.Random) -> str:
    members = "".join(chr(rng.choice([0x4E00, 0x10000, 0x61]) + rng.randrange(2_000) * 2) for _ in range(3_000))
    return f"{rng.choice(['', '(?i)', '(?if)', '(?V1)'])}[{rng.choice(['', '^'])}{members}]{rng.choice(_COUNTS)}"


def _alternatives(rng: random.Random) -> str:
    words = ["".join(rng.choices("abß", k=rng.randint(0, 12))) for _ in range(rng.choice([50, 1_000, 5_000]))]
    return f"(?:{'|'.join(words)}){rng.choice(_COUNTS)}"


def _nested_counts(rng: random.Random) -> str:
    pattern = rng.choice(["a", "ab|c", "()", r"\w*", "a?"])
    for _ in range(rng.randint(1, 6)):
        pattern = f"(?:{pattern}){rng.choice(_COUNTS)}"
    return pattern


def _recursive(rng: random.Random) -> str:
    parts = [rng.choice([*_CALLS, *_CALLS, *_ATOMS, "(a", ")?", "(?P<n>", ")*", "|"]) for _ in range(rng.randint(2, 9))]
    body = "".join(parts)
    missing = ")" * max(0, body.count("(") - body.count(")"))
    return f"(?P<n>{body}{missing}){rng.choice(_CALLS)}{rng.choice(['', '*', '?'])}"


def _noise(rng: random.Random) -> str:
    return "".join(rng.choices("(){}[]\\^-#?xaR|*+,019 :&p<=!>PÄ\n", k=rng.randint(1, 200)))
