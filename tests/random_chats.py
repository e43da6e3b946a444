"""Random chats: all scripts, special tokens in texts, empty and huge messages."""

import random
from typing import Any

PIECES = (
    *(
        "hello",
        " world",
        "a",
        " ",
        "\n",
        "\n\n",
        "\t",
        "  ",
        "aaa",
        "Straße",
        "ΣΑΣ",
        "ﬁ",
        "İ",
        "it's",
        '"',
        "\\",
        "<b>",
        "&",
        "{{ x }}",
        "%s",
        "{}",
    ),
    *(
        "日本語",
        "한국어",
        "مرحبا",
        "שלום",
        "हिन्दी",
        "ไทย",
        "🍕",
        "👩‍👩‍👧",
        "🇫🇷",
        "é",
        "\u0301",
        "\u200b",
        "\u00a0",
        "\u2028",
        "\x85",
        "\r\n",
        "\x00",
    ),
    *("<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_response>", "</tool_response>", "<|endoftext|>"),
    *("[INST]", "[/INST]", "<s>", "</s>", "system\n", "user", "assistant"),
)
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "look_up",
            "description": "Looks “up” <it>.",
            "parameters": {"type": "object", "properties": {"q": {"type": "string"}}},
        },
    },
    {"type": "function", "function": {"name": "now", "description": "", "return": "x", "strict": True, "n": 1.5}},
]


def text(chance: random.Random) -> str:
    size = chance.choice((0, 1, 1, 2, 3, 5, 8, 20) + (2_000,) * (chance.random() < 0.02))
    return "".join(chance.choices(PIECES, k=size))


def chat(chance: random.Random, *, with_calls: bool = True) -> list[dict[str, Any]]:
    """Roles alternate after an optional system message, as some templates insist."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": text(chance)}] if chance.random() < 0.5 else []
    for _ in range(chance.choice((1, 1, 2, 3))):
        messages += ({"role": "user", "content": text(chance)}, {"role": "assistant", "content": text(chance)})
        if with_calls and chance.random() < 0.2:
            messages[-1]["reasoning_content"] = text(chance)
        if with_calls and chance.random() < 0.3:
            call = {
                "id": "a1b2c3d4e",
                "type": "function",
                "function": {"name": "look_up", "arguments": {"q": text(chance), "n": [1, None, True, 0.5]}},
            }
            messages[-1]["tool_calls"] = [call] * chance.choice((1, 1, 2))
            messages += [{"role": "tool", "content": text(chance), "tool_call_id": "a1b2c3d4e", "name": "look_up"}]
            messages += [{"role": "assistant", "content": text(chance)}]
    return messages[: -1 if chance.random() < 0.5 else None] if len(messages) > 1 else messages
