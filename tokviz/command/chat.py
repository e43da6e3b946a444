"""`tokviz chat`: what a model reads of a chat, and where each of its tokens comes from."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tokviz.chats.apply import chat
from tokviz.chats.chat import Chat
from tokviz.chats.messages import check_messages, check_values
from tokviz.chats.templates import TITLES
from tokviz.command.inputs import STDIN, one_tokenizer, opened
from tokviz.command.parsers import Subcommands, add_command
from tokviz.command.terminal import chips, colors_for, say, write
from tokviz.display import printable
from tokviz.widgets.chat_display import chat_text, origin_name

_EXAMPLES = (
    ("See what Qwen3 reads of a chat", "tokviz chat messages.json"),
    ("With the beginning of an answer, and no thinking", "tokviz chat -g --set enable_thinking=false messages.json"),
    ("By another template", "tokviz chat -m gpt-4o --template chatml messages.json"),
    ("Write the token ids", "tokviz chat -f ids messages.json"),
)
_MORE = (
    'FILE is JSON: a list of messages, [{"role": "user", "content": "Hi"}], or an object with "messages" and '
    'what else the template takes, such as "tools".'
)
_TAKEN = {"messages", "tokenizer", "template", "now"}  # names of `tokviz.chat`'s own parameters


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    parser = add_command(commands, "chat", "Show what a model reads of a chat.", run, _EXAMPLES, more=_MORE)
    parser.add_argument("file", nargs="?", default=STDIN, metavar="FILE", help="messages; without it, standard input")
    parser.add_tokenizers("qwen3", several=False)
    parser.add_argument(
        "--template",
        help=f"one of {', '.join(TITLES)}, one of several among the model's files, or a file or folder "
        "(chat_template.jinja, tokenizer_config.json); default: the model's own",
    )
    parser.add_argument(
        "-g", "--generate", action="store_true", help="end with what asks for an answer (add_generation_prompt)"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a value for the template, in JSON or as text"
    )
    parser.add_format(("text", "prompt", "ids", "json"))
    parser.add_color()


def run(args: argparse.Namespace) -> int:
    """Show a chat."""
    with opened(args.file) as file:
        messages, values = _chat_of(args.file, file.read())
    values |= dict(map(_value, args.set)) | ({"add_generation_prompt": True} if args.generate else {})
    for name in values.keys() & _TAKEN:
        raise ValueError(f"“{name}” can't be a value for the template: this name has a meaning of its own here")
    try:
        check_messages(messages)
        check_values(values)
    except TypeError as error:
        raise ValueError(str(error)) from None
    is_file = args.template is not None and Path(args.template).exists()
    shown = chat(messages, one_tokenizer(args), Path(args.template) if is_file else args.template, **values)
    match args.format:
        case "prompt":
            write([shown.prompt])
        case "ids":
            say(" ".join(map(str, shown.ids)))
        case "json":
            say(json.dumps(_as_dict(shown), indent=1))
        case _:
            colors = colors_for(args.color, sys.stdout)
            say(chat_text(shown, spell=lambda tokens: "".join(chips(tokens, colors, breaks=False))))
    return 0


def _chat_of(name: str, text: str) -> tuple[Any, dict[str, Any]]:
    """Return the messages in a file, and what else it gives. Raises ValueError."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{printable(name)} is not JSON: {error}") from None
    values = given if isinstance(given, dict) else {"messages": given}
    messages = values.pop("messages", None)
    if not isinstance(messages, list) or not all(isinstance(each, dict) for each in messages):
        raise ValueError(f"{printable(name)} should hold a list of messages, or an object with “messages”")
    return messages, values


def _value(option: str) -> tuple[str, Any]:
    name, is_given, text = option.partition("=")
    if not is_given or not name.isidentifier():
        raise ValueError(f"--set takes NAME=VALUE, not {printable(option)}")
    try:
        return name, json.loads(text)
    except ValueError:
        return name, text


def _as_dict(shown: Chat) -> dict[str, Any]:
    return {
        "prompt": shown.prompt,
        "ids": shown.ids,
        "origins": [[start, end, origin_name(origin)] for start, end, origin in shown.origins],
        "tokens": {origin_name(origin): tokens for origin, tokens in shown.counts.items()},
    }
