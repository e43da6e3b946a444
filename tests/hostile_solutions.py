"""Solutions that nobody checks in good faith: what takes long or much memory, or is no list at all."""

import json
from typing import Any

CAT = "the cat in the hat"
_DOUBLED = [(97, 97), *((256 + rank, 256 + rank) for rank in range(9_000))]
_MINBPE = "minbpe v1\n\n0\n" + "".join(f"{left} {right}\n" for left, right in _DOUBLED)


def _tokenizer_json(**model: Any) -> str:
    parts = {"type": "BPE", "vocab": {"a": 0}, "merges": []} | model
    return json.dumps({"version": "1.0", "added_tokens": [], "model": parts})


MERGES: dict[str, dict[str, str]] = {
    "lists in lists": {"solution": "[" * 900_000},
    "lists in lists, closed": {"solution": "[" * 90_000 + "]" * 90_000},
    "objects in objects": {"solution": '{"a":' * 90_000 + "1" + "}" * 90_000},
    "signs": {"solution": "-" * 900_000 + "1"},
    "sums": {"solution": "1" + "+1" * 400_000},
    "a huge number": {"solution": f"[({'9' * 900_000}, 1)]"},
    "huge numbers": {"solution": repr([(10**4000, 10**4000)] * 100)},
    "a power": {"solution": "[(9 ** 9 ** 9, 1)]"},
    "a product": {"solution": "[(1, 2)] * 999999999"},
    "a call": {"solution": "__import__('os').system('sleep 60')"},
    "no finite numbers": {"solution": "[[NaN, Infinity], [1e999, -Infinity]]"},
    "half ids": {"solution": "[[0.5, 1], [2, 3]]"},
    "truths": {"solution": "[(True, False)]"},
    "lists of nothing": {"solution": "[" + "[]," * 300_000 + "]"},
    "merges twice as long each": {"solution": repr(_DOUBLED)},
    "a file of these": {"name": "x.model", "solution": _MINBPE},
    "pairs of long texts": {"solution": repr([("a" * 400_000, "b" * 400_000)])},
    "too many merges": {"solution": repr([(116, 104)] * 60_000)},
    "a vocabulary of one letter": {"solution": repr({"a" * size: size for size in range(1, 1_200)})},
    "a vocabulary with huge ids": {"solution": repr({number * 10**300: b"x" for number in range(1, 999)})},
    "lines without end": {"name": "merges.txt", "solution": "a b\n" * 400_000},
    "one long line": {"name": "merges.txt", "solution": "#version: 0.2\n" + "a" * 900_000 + " b"},
    "a tokenizer with deep parts": {
        "name": "tokenizer.json",
        "solution": _tokenizer_json(vocab="V").replace('"V"', '{"a":' * 50_000 + "1" + "}" * 50_000),
    },
    "a tokenizer that repeats": {
        "name": "tokenizer.json",
        "solution": _tokenizer_json(
            vocab={"a" * size: size for size in range(1, 1_200)}, merges=[["a" * size, "a"] for size in range(1, 1_199)]
        ),
    },
    "UTF-16": {"name": "merges.txt", "solution": "t h\n".encode("utf-16").decode("latin-1")},
    "a mark of another encoding": {"solution": "\ufeff[(116, 104)]"},
    "half a character": {"solution": "[('\ud83c', '\udf55')]", "text": "\ud83c \udf55"},
    "zeros": {"solution": "\0" * 900_000},
    "a path": {"name": "../../../etc/passwd", "solution": "root:x:0:0"},
    "a long name": {"name": "n" * 900_000, "solution": "[(116, 104)]"},
    "a text without end": {"solution": "[(97, 97)]", "text": "a" * 1_900_000},
    "a text of one letter": {"solution": repr([(97, 97), (256, 256), (257, 98)]), "text": "a" * 199_999},
    "ten thousand merges of a long text": {
        "solution": repr([(1000 + number % 200, number % 256) for number in range(10_000)]),
        "text": "".join(chr(97 + number * number % 26) for number in range(199_999)),
    },
    "a special token everywhere": {"solution": "[(116, 104)]", "text": "t" * 199_999, "special": "t"},
    "a number of merges": {"solution": "[(116, 104)]", "merges": "9" * 900_000},
    "another script's digits": {"solution": "[(116, 104)]", "merges": "٣"},
}
"""Hostile requests to check merges: only the fields that differ from an honest request."""

IDS: dict[str, dict[str, str]] = {
    "lists in lists": {"solution": "[" * 900_000},
    "huge numbers": {"solution": repr([10**4000] * 200)},
    "no finite numbers": {"solution": "[NaN, Infinity, 1e999]"},
    "negative numbers": {"solution": "[-1]"},
    "a number": {"solution": "5"},
    "a mapping": {"solution": "{1: 2}"},
    "ids without end": {"solution": repr([7012] * 150_000)},
    "a text of one letter": {"solution": "[1, 2, 3]", "text": "a" * 99_999},
    "a text without end": {"solution": "[1]", "text": "a" * 1_900_000},
    "no tokenizer": {"solution": "[1]", "tokenizer": "../gpt2"},
    "a tokenizer of the web": {"solution": "[1]", "tokenizer": "hf:owner/name"},
}
"""Hostile requests to check ids."""


def merges_request(fields: dict[str, str]) -> dict[str, str]:
    return {"text": CAT, "split": "none", **fields}


def ids_request(fields: dict[str, str]) -> dict[str, str]:
    return {"text": CAT, "tokenizer": "gpt2", **fields}
