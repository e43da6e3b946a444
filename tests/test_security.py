"""The table of limits in SECURITY.md says what the code does: every number of it is one of the code's."""

import re
from pathlib import Path

import pytest
import streamlit as st

from tokviz.analysis.checking import solutions
from tokviz.app.fairness import budgets, lanes, turns, visitors
from tokviz.app.http import connection_limits, housekeeping, messages, open_files, requests, server, sockets, throttle
from tokviz.app.http.routes import chat, compare, compression, course, export, tokens
from tokviz.app.http.routes import lesson as figure_route
from tokviz.app.http.routes import rooms as room_routes
from tokviz.app.processes import (
    chat_templates,
    chat_templates_child,
    engine_views,
    fetching,
    fetching_child,
    guarded,
    guarded_workers,
    opening,
    patterns,
    patterns_child,
    sizes,
    training_queue,
    training_recipes,
)
from tokviz.app.rooms import room, rooms
from tokviz.app.visitors import (
    kept_texts,
    kept_tokenizers,
    share_codes,
    shipped_tokenizers,
    text_files,
    visitor_tokenizers,
)
from tokviz.chats import templates
from tokviz.course import checking
from tokviz.course import figures as course_figures
from tokviz.formats import checks
from tokviz.lesson import figures
from tokviz.pretrained import hub
from tokviz.tokenizers import surrounding

ROOT = Path(__file__).parent.parent

ROWS = {
    what: limit
    for what, limit, _ in (
        line.strip("| ").split(" | ")
        for line in (ROOT / "SECURITY.md").read_text("utf-8").partition("## Limits")[2].splitlines()
        if line.startswith("| ") and not line.startswith("| ---")
    )
}


def size(number: float) -> str:
    """Return a number of bytes as the table writes it: in binary units if it is a limit of memory."""
    binary = number >= 2**26 and number % 2**20 == 0
    giga, mega = (2**30, 2**20) if binary else (10**9, 10**6)
    if number >= giga or (binary and number % (giga // 4) == 0):
        return f"{number / giga:g} GB"
    return f"{number // mega:g} MB" if number >= mega else f"{number // 1000:g} KB"


def seconds(number: float) -> str:
    return f"{number:g} s" if number < 120 else f"{number / 60:g} min"


NUMBERS: dict[str, list[str]] = {
    "a request's first line": [
        f"{connection_limits.MAX_HEAD // 1024} KB",
        f"{connection_limits.MAX_HEADERS} headers",
        seconds(connection_limits.HEAD_SECONDS),
    ],
    "requests of a connection": [f"{connection_limits.MAX_REQUESTS:,}", f"{connection_limits.MAX_HEAD // 1024} KB"],
    "open files of the process": [f"{open_files.WANTED:,}"],
    "one text, wherever": [
        *(size(requests.MAX_BODY), seconds(requests.BODY_SECONDS), seconds(connection_limits.REST_SECONDS)),
    ],
    "a list of token ids": [size(tokens.MAX_IDS), size(sizes.MAX_DECODED)],
    "different words": [f"{requests.MAX_WORDS:,}"],
    "a token whose card": [f"{tokens.MAX_SHOWN:,} bytes", f"{tokens.MAX_FOUND_BYTES:,}"],
    "a token's tree": [f"{tokens.MAX_NODES:,}", f"{tokens.MAX_DEPTH} deep", f"{tokens.MAX_TREE_BYTES:,} bytes"],
    "the text of a figure": [size(course_figures.MAX_SHORT), size(course_figures.MAX_LONG)],
    "a solution that the course checks": [
        size(course.MAX_SOLUTION),
        size(checking.MAX_TEXT),
        f"{solutions.MAX_MERGES:,}",
        seconds(course.CHECK_SECONDS),
        size(course.CHECK_MEMORY),
    ],
    "requests for anything": [
        f"{visitors.shares._credit:g} s at once",
        f"{visitors.shares._credit / (throttle.REQUEST_SECONDS + requests._ROUTE_SECONDS):g} requests",
    ],
    "bodies over": [f"{requests.BODIES_AT_A_TIME}"],
    "WebSockets": [f"{sockets.MAX_SOCKETS_EACH} of an address", f"{sockets.MAX_SOCKETS:,} in all"],
    "messages of a WebSocket": [
        f"{sockets.MESSAGES:g} a second of a page after the first {sockets.BURST:g}",
        f"{sockets.MESSAGES_EACH:g} of an address after the first {sockets.BURST_EACH:g}",
        f"{connection_limits.MAX_PIECES:,} frames",
    ],
    "what a message holds": [f"{messages.MAX_ELEMENTS:,}", size(messages.SMALL_JSON), size(sockets.MAX_FIELD)],
    "what is typed and chosen": [
        f"{st.get_option('server.maxWidgetStateSize')} MB of a message",
        f"{size(sockets.MAX_STATE_EACH)} of an address",
        size(sockets.MAX_STATE),
    ],
    "texts that sessions keep": [size(kept_texts.MAX_TEXTS)],
    "pages made at a time": [f"{turns.AT_A_TIME}, of an address {turns.EACH_ADDRESS}"],
    "bodies and answers": [size(budgets.MAX_HELD)],
    "an answer, or": [seconds(connection_limits.MAX_SILENCE)],
    "requests under way when": [seconds(server._LAST_SECONDS)],
    "rooms to vote in": [
        *(f"{rooms.MAX_ROOMS}", f"{rooms.MAX_ROOMS_EACH}", f"{rooms.LIFE_SECONDS / 3600:g} hours"),
    ],
    "phones in a room": [f"{room.MAX_PHONES}", f"{room.MAX_QUESTIONS}", size(room_routes.MAX_BYTES)],
    "moves of a room": [f"{room.MOVES:g} a second after the first {room.BURST:g}"],
    "connections that follow": [f"{rooms.MAX_FOLLOWERS_EACH} of an address", f"{rooms.MAX_FOLLOWERS:,} in all"],
    "texts over": [f"{lanes._MAX_WAITING} waiting", f"{lanes._MAX_WAITING_EACH} of a visitor"],
    "answers of the Compression page": [
        f"{compression.MAX_CHOSEN} tokenizers",
        size(requests.MAX_TOGETHER),
        f"{compression.MAX_TEXTS} texts",
        f"{lanes._MAX_WAITING} waiting",
        f"{lanes._MAX_WAITING_EACH} of a visitor",
    ],
    "a link of which a figure": [
        f"{figure_route.MAX_LINK:,} bytes",
        f"{figures.MAX_BYTES:,} bytes",
        f"{figures.MAX_MERGES:,}",
        f"{figures.MAX_COMPARED}",
    ],
    "a comparison": [size(requests.MAX_TOGETHER), size(compare.MAX_PAGE)],
    "the tokens as a web page": [size(export.MAX_PAGE)],
    "texts and files to train on": [size(text_files.MAX_BYTES), seconds(requests.FILE_SECONDS)],
    "a chat;": [size(chat.MAX_CHAT), f"{chat.MAX_MESSAGES:,}", f"{templates.MAX_TEMPLATE:,} characters"],
    "the files that may hold": [
        *(size(checks.MAX_FILE), seconds(chat_templates.READING_SECONDS), size(chat_templates.READING_MEMORY)),
    ],
    "a chat template": [
        *(size(chat_templates_child.MAX_MEMORY), size(chat_templates.SHORT), seconds(chat_templates.SECONDS)),
        f"{chat_templates_child.MAX_PROMPT:,} characters",
    ],
    "a file of a tokenizer": [
        *(size(checks.MAX_FILE), seconds(requests.FILE_SECONDS), seconds(opening.SECONDS), size(opening.MAX_MEMORY)),
        *(size(opening.SMALL), seconds(opening.SMALL_SECONDS), size(opening.SMALL_MEMORY)),
        *(
            f"about {round(sizes.MAX_KEPT_EACH / (sizes._BYTES_PER_TOKEN + 10) / 5000) * 5},000 tokens",
            f"{sizes.LONG:,} bytes",
        ),
        size(sizes.MAX_LONG),
    ],
    "a tokenizer that is fetched": [
        *(size(hub.MAX_FILE), size(hub.MAX_ALL), seconds(fetching.SECONDS)),
        *(size(fetching_child.MAX_MEMORY), size(checks.MAX_FILE)),
    ],
    "a text for Qwen3": [size(shipped_tokenizers.MAX_BY_ENGINE), size(guarded.MAX_TEXT)],
    "the process of a visitor's": [
        f"{seconds(guarded_workers.OPEN_SECONDS)} to open",
        f"{seconds(guarded_workers.SECONDS)} for an answer and {guarded_workers.SECONDS_PER_MB:g} more for each MB",
        *(size(guarded_workers.MAX_MEMORY), size(guarded_workers.QUICK_TEXT), seconds(housekeeping.IDLE_SECONDS)),
        f"after {guarded_workers.MAX_FAILURES} failures",
    ],
    "what a tokenizer.json says": [f"{checks.MAX_UNAPPLIED:,} characters", f"{checks._MAX_NESTING} deep"],
    "what such a process answers": [
        f"{size(guarded_workers.MAX_ANSWER)} and {guarded_workers.PER_BYTE} bytes",
        *(size(guarded_workers.MAX_VOCABULARY), size(sizes.MAX_DECODED), f"{engine_views.MAX_READ_BACK:,}"),
    ],
    "special tokens around": [f"{surrounding._MAX_NAMES:,}", f"{surrounding._MAX_PROCESSORS} processors"],
    "a split pattern of": [
        *(size(patterns_child.MAX_MEMORY), seconds(requests.CUTTING_SECONDS)),
        seconds(compression.CUTTING_SECONDS),
    ],
    "a split pattern's length": [
        *(f"{checks.MAX_PATTERN:,}", f"{share_codes.LONGEST_PATTERN:,}", f"{patterns.MAX_PATTERN:,}"),
    ],
    "special tokens in a link's": [f"{share_codes.MAX_SPECIALS:,}"],
    "trainings": [
        *(
            f"{training_queue.MOST_WAITING} waiting",
            f"on over {size(training_queue.MAX_SHORT)}",
            size(training_queue.MAX_WAITING_BYTES),
        ),
        *(
            size(training_queue.MAX_MEMORY),
            f"{training_queue.MAX_MINUTES} minutes, {training_queue.MAX_MINUTES_SHORT} on",
        ),
        *(
            size(training_queue.MAX_SHORT),
            seconds(training_queue.ABANDONED_SECONDS),
            f"{training_queue.QUICK_TEXT:,} characters",
        ),
        *(seconds(training_queue.QUICK_SECONDS), size(training_queue.QUICK_MEMORY)),
    ],
    "the tokens of a trained": [size(checks.MAX_TOKEN_BYTES)],
    "results of trainings": [size(training_queue.MAX_UNCLAIMED)],
    "vocabulary to train": [f"{training_recipes.LARGEST:,}"],
    "what pages worked out": [size(kept_tokenizers.MAX_TABLES)],
    "tokenizers kept": [
        *(f"{visitor_tokenizers.MOST} in", f"{kept_tokenizers.MAX_TOKENIZERS} and"),
        *(size(kept_tokenizers.MAX_KEPT), size(sizes.MAX_KEPT_EACH)),
    ],
    "what arrives on a connection": [f"{connection_limits._CHUNK // 1024} KB"],
}
"""Limits of each row, spelled and ordered as in the table."""


@pytest.mark.parametrize("what", ROWS)
def test_every_number_of_the_table_is_a_limit_of_the_code(what: str) -> None:
    numbers = next((NUMBERS[key] for key in NUMBERS if what.startswith(key)), [])
    rest = ROWS[what]
    for number in numbers:
        before, found, rest = rest.partition(number)
        assert found, f"{number} is not in “{before}”"
        assert not re.search(r"\d", before), before
    assert not re.search(r"\d", rest), rest


def test_every_limit_of_the_code_is_in_the_table() -> None:
    assert all(sum(what.startswith(key) for what in ROWS) == 1 for key in NUMBERS)


def test_the_container_holds_the_server_and_all_children_at_their_limits() -> None:
    children = (
        training_queue.AT_A_TIME * training_queue.MAX_MEMORY,
        training_queue.QUICK_AT_A_TIME * training_queue.QUICK_MEMORY,
        lanes.opening.threads * opening.MAX_MEMORY + lanes.opening_small.threads * opening.SMALL_MEMORY,
        2 * patterns_child.MAX_MEMORY,
        2 * chat_templates_child.MAX_MEMORY,
        guarded_workers.MAX_PROCESSES * guarded_workers.MAX_MEMORY,
        lanes.fetching.threads * fetching_child.MAX_MEMORY,
        lanes.checking.threads * course.CHECK_MEMORY,
    )
    together = sum(children) / 2**30
    security, readme = ((ROOT / name).read_text("utf-8") for name in ("SECURITY.md", "README.md"))
    memory = security.partition("In memory:")[2]
    server, most, container = (
        float(number)
        for pattern in (r"stays under (\d) GB", r"together at most ([\d.]+) GB", r"the container\s(\d+) GB")
        for number in re.findall(pattern, memory)
    )
    assert most == round(together, 1) and container >= server + together
    assert f"--memory={container:g}g " in readme
