"""The table of limits in SECURITY.md says what the code does: its numbers are the code's, and no limit is missing."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tokviz.analysis.checking import solutions
from tokviz.app import server
from tokviz.app.answers import recipe_preview, requests
from tokviz.app.answers.compression import analyses
from tokviz.app.answers.rooms import room, rooms
from tokviz.app.answers.routes import (
    chat,
    compare,
    compression,
    course,
    export,
    pictures,
    pieces,
    replay,
    tokenizer_files,
    tokens,
)
from tokviz.app.answers.routes import lesson as figure_route
from tokviz.app.answers.routes import rooms as room_routes
from tokviz.app.answers.visitors import (
    kept_tokenizers,
    share_codes,
    shipped_tokenizers,
    text_files,
    trainings,
    visitor_tokenizers,
)
from tokviz.app.shields import (
    admission,
    connection_limits,
    json_bodies,
    refusals,
    server_process,
    sockets,
)
from tokviz.app.shields.fairness import budgets, lanes, turns, visitors
from tokviz.app.shields.processes import (
    chat_templates,
    engine_training,
    engine_views,
    fetching,
    fetching_child,
    guarded,
    guarded_workers,
    kept_child,
    opening,
    patterns,
    pool,
    sent_tokenizers,
    sizes,
    training_queue,
    training_recipes,
)
from tokviz.app.streamlit import housekeeping
from tokviz.chats import templates
from tokviz.course import checking
from tokviz.course import figure as course_figure
from tokviz.formats import checks
from tokviz.lesson import figures
from tokviz.pretrained import hub
from tokviz.tokenizers import surrounding
from tokviz.widgets import replays, text_columns

ROOT = Path(__file__).parent.parent

SECURITY = (ROOT / "SECURITY.md").read_text("utf-8")

ROWS = [
    line.strip("| ")
    for line in SECURITY.partition("## Limits")[2].splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| what |"))
]

A_NUMBER = re.compile(r"(?<!\w)\d|\b(two|three|four|five|six|seven|eight|nine|ten|half|twice|an? (hour|minute))\b")
"""A number in a row, which are written in digits, each followed from one of the code. Names such as Qwen3 have none."""


def size(number: float) -> str:
    """Return a number of bytes as the table writes it: in binary units if it is a limit of memory."""
    binary = number >= 2**26 and number % 2**20 == 0
    giga, mega = (2**30, 2**20) if binary else (10**9, 10**6)
    if number >= giga or (binary and number % (giga // 4) == 0):
        return f"{number / giga:g} GB"
    return f"{number // mega:g} MB" if number >= mega else f"{number // 1000:g} KB"


def seconds(number: float) -> str:
    return f"{number / 60:g} min" if number >= 120 and number % 60 == 0 else f"{number:g} s"


def places(lane: lanes.Lane, what: str = "at a time") -> str:
    return f"{lane.threads} {what}, {lane._slots._each} of an address"


NUMBERS: dict[str, list[str]] = {
    "a request's first line": [
        f"{connection_limits.MAX_HEAD // 1024} KB",
        f"{connection_limits.MAX_HEADERS} headers",
        seconds(connection_limits.HEAD_SECONDS),
    ],
    "requests of a connection": [f"{connection_limits.MAX_REQUESTS:,}", f"{connection_limits.MAX_HEAD // 1024} KB"],
    "open files of the process": [f"{server_process.WANTED:,}"],
    "one text, wherever": [
        *(size(requests.MAX_BODY), seconds(admission.BODY_SECONDS), seconds(connection_limits.REST_SECONDS)),
    ],
    "lists and objects within each other": [
        *(f"{json_bodies.MAX_LEVELS} levels", f"{json_bodies.MAX_VALUES:,}"),
        *(f"{refusals.MAX_SENTENCE:,} characters", f"{refusals.MAX_CALLS}"),
    ],
    "a list of token ids": [size(tokens.MAX_IDS), f"{tokens.MAX_LISTED:,} ids", size(sizes.MAX_DECODED)],
    "different words": [f"{requests.MAX_WORDS:,}"],
    "a token whose card": [f"{tokens.MAX_SHOWN:,} bytes", f"{tokens.MAX_FOUND_BYTES:,}"],
    "a token's tree": [f"{tokens.MAX_NODES:,}", f"{tokens.MAX_DEPTH} deep", f"{tokens.MAX_TREE_BYTES:,} bytes"],
    "the text of a figure": [size(course_figure.MAX_SHORT), size(course_figure.MAX_LONG)],
    "a solution that the course checks": [
        size(course.MAX_SOLUTION),
        size(checking.MAX_TEXT),
        f"{solutions.MAX_MERGES:,}",
        seconds(course.CHECK.seconds),
        size(course.CHECK.memory),
        f"{lanes.checking.threads} at a time",
        size(course.MAX_CHECKED),
    ],
    "requests for anything": [
        f"{visitors.shares._share:.0%}".replace("%", " % of the time"),
        f"{visitors.shares._credit:g} s at once",
        f"{visitors.shares._credit / (admission.REQUEST_SECONDS + requests._ROUTE_SECONDS):g} requests",
        f"over {seconds(admission.BODY_SECONDS)}",
    ],
    "work in the lanes": [
        *(f"half after {seconds(visitors._HALF)}", f"at most {seconds(visitors._MOST)}"),
        *(f"{turns.MAX_AWAY} wait", f"{turns.MAX_AWAY_EACH} of an address"),
    ],
    "bodies over": [size(lanes.MAX_MIDDLE), f"{requests.BODIES_AT_A_TIME}", seconds(admission.BODY_SECONDS)],
    "WebSockets": [f"{sockets.MAX_SOCKETS_EACH} of an address", f"{sockets.MAX_SOCKETS:,} in all"],
    "messages of a WebSocket": [
        f"{sockets.MESSAGES:g} a second of a page after the first {sockets.BURST:g}",
        f"{sockets.MESSAGES_EACH:g} of an address after the first {sockets.BURST_EACH:g}",
        f"{sockets.ANOTHER / 1e6:g} MB",
        f"{connection_limits.MAX_PIECES:,} frames",
        f"{connection_limits.MAX_UNREAD // 1024} KB of answers",
    ],
    "a message; its": [size(sockets.MAX_MESSAGE), f"{sockets._MAX_WIDGETS}", f"{sockets.MAX_VALUES}"],
    "pages made at a time": [f"{turns.AT_A_TIME}, of an address {turns.EACH_ADDRESS}"],
    "bodies and answers": [size(budgets.MAX_HELD)],
    "an answer, or": [seconds(connection_limits.MAX_SILENCE)],
    "requests under way when": [seconds(server._LAST_SECONDS)],
    "rooms to vote in": [
        *(f"{rooms.MAX_ROOMS}", f"{rooms.MAX_ROOMS_EACH}", f"{rooms.LIFE_SECONDS / 3600:g} hours"),
        seconds(rooms.IDLE_SECONDS),
    ],
    "phones in a room": [f"{room.MAX_PHONES}", f"{room.MAX_QUESTIONS}", size(room_routes.MAX_BYTES)],
    "moves of a room": [
        *(f"{room.MOVES:g} a second after the first {room.BURST:g}", f"up to {seconds(room_routes._MAX_WAIT)}"),
    ],
    "connections that follow": [f"{rooms.MAX_FOLLOWERS_EACH} of an address", f"{rooms.MAX_FOLLOWERS:,} in all"],
    "texts over": [
        *(size(lanes.MAX_MIDDLE), size(lanes.MAX_SHORT)),
        *(places(lanes.long_texts, "threads"), f"{lanes.middle_texts.threads} thread"),
        *(f"{lanes._MAX_WAITING} waiting", f"{lanes._MAX_WAITING_EACH} of a visitor"),
    ],
    "answers of the Compression page": [
        f"{compression.MAX_CHOSEN} tokenizers",
        size(requests.MAX_TOGETHER),
        f"{compression.MAX_TEXTS} texts",
        f"{lanes.charts.threads} threads",
        places(lanes.long_charts, "for longer ones"),
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
    "a text that is replayed": [size(replays.LIMIT), f"{replay.MAX_MERGES:,}"],
    "a text of which one token's": [
        *(size(tokens.MAX_NEAR), size(tokens.MAX_BEFORE), seconds(tokens.TAIL_SECONDS), size(pieces.MAX_READ)),
    ],
    "what is searched for": [f"{pieces.MAX_QUERY:,} bytes", f"{pictures._MAX_CHARACTERS:,} characters"],
    "a picture of tokens": [
        f"{text_columns.MAX_BYTES:,} bytes",
        f"{pictures._MAX_BODY:,} bytes",
        f"{pictures.MAX_COLUMNS:,}",
        f"{pictures._MAX_TITLE:,} characters",
    ],
    "the tokens as a web page": [f"{size(export.MAX_PAGE)} of text", f"up to {size(requests.MAX_BODY)}"],
    "texts and files to train on": [size(text_files.MAX_BYTES), seconds(requests.FILE_SECONDS)],
    "a chat;": [size(chat.MAX_CHAT), f"{chat.MAX_MESSAGES:,}", f"{templates.MAX_TEMPLATE:,} characters"],
    "the files that may hold": [
        *(size(checks.MAX_FILE), seconds(chat_templates.READING.seconds), size(chat_templates.READING.memory)),
    ],
    "a chat template": [
        *(f"2 children of {size(chat_templates.QUICK.memory)}, of which 1", size(chat_templates.QUICK.size)),
        *(seconds(chat_templates.QUICK.seconds), seconds(pool.SLOW_SECONDS)),
        *(seconds(chat_templates.MAX_WAIT), seconds(chat_templates.SLOW.seconds)),
        *(f"{chat_templates.MAX_PROMPT:,} characters", f"{chat_templates.MAX_SPANS:,} origins"),
    ],
    "a file of a tokenizer": [
        f"{tokenizer_files._MAX_FILES} of the {tokenizer_files._MAX_CHOSEN}",
        *(
            size(checks.MAX_FILE),
            seconds(requests.FILE_SECONDS),
            seconds(opening.SLOW.seconds),
            size(opening.SLOW.memory),
        ),
        *(places(lanes.opening), size(opening.QUICK.size), f"{lanes.opening_small.threads} more at a time"),
        *(seconds(opening.QUICK.seconds), size(opening.QUICK.memory)),
        *(
            f"about {round(sizes.MAX_KEPT_EACH / (sizes._BYTES_PER_TOKEN + 10) / 5000) * 5},000 tokens",
            f"{sizes.LONG:,} bytes",
        ),
        *(size(sizes.MAX_LONG), f"{size(tokenizer_files._MAX_SPECIALS)} of special tokens"),
    ],
    "a tokenizer that is fetched": [
        *(size(hub.MAX_FILE), size(hub.MAX_ALL), places(lanes.fetching), seconds(fetching.SECONDS)),
        *(size(fetching_child.MAX_MEMORY), size(checks.MAX_FILE)),
    ],
    "a text for Qwen3": [size(shipped_tokenizers.MAX_BY_ENGINE), size(guarded.MAX_TEXT)],
    "the process of a visitor's": [
        f"{seconds(guarded_workers.OPEN_SECONDS)} to open",
        f"{seconds(guarded_workers.SLOW.seconds)} for an answer and {guarded_workers.SECONDS_PER_MB:g} more for each",
        *(f"{seconds(guarded.STEPS_SECONDS)} for the steps", size(guarded_workers.SLOW.memory)),
        f"{guarded_workers.MAX_PROCESSES} alive, {guarded_workers.SLOW.at_a_time} at work at a time, 1 of an address",
        f"{guarded_workers.QUICK.at_a_time} more, 1 of an address",
        *(size(guarded_workers.QUICK.size), seconds(guarded_workers.QUICK.seconds)),
        *(f"{seconds(guarded_workers.MAX_WAIT)} until", seconds(housekeeping.IDLE_SECONDS)),
        f"after {kept_child.MAX_FAILURES} failures, a start every {seconds(kept_child.FORGIVEN_AFTER)}",
    ],
    "what a tokenizer.json says": [f"{checks.MAX_UNAPPLIED:,} characters", f"{checks._MAX_NESTING} deep"],
    "what such a process answers": [
        f"{size(guarded_workers.MAX_ANSWER)} and {guarded_workers.PER_BYTE} bytes",
        *(size(guarded_workers.MAX_VOCABULARY), size(sizes.MAX_DECODED), f"{engine_views.MAX_READ_BACK:,}"),
    ],
    "a child process that starts": [
        *(seconds(kept_child.START_SECONDS), size(sent_tokenizers.MAX_SENT), size(chat_templates.MAX_ANSWER)),
    ],
    "special tokens around": [f"{surrounding._MAX_NAMES:,}", f"{surrounding._MAX_PROCESSORS} processors"],
    "a split pattern of": [
        f"2 children of {size(patterns.SLOW.memory)}",
        *(f"{seconds(patterns.MAX_WAIT)} until", f"{seconds(patterns.SLOW.seconds)} to compile"),
        *(f"{seconds(requests.CUTTING_SECONDS)} for", f"{seconds(compression.CUTTING_SECONDS)} on"),
    ],
    "a split pattern's length": [
        *(f"{checks.MAX_PATTERN:,}", f"{share_codes.LONGEST_PATTERN:,}", f"{patterns.MAX_PATTERN:,}"),
    ],
    "a tokenizer's recipe": [
        *(f"{share_codes._MAX_CODE:,} characters", size(share_codes._MAX_UNPACKED), f"{share_codes.MAX_VALUES:,}"),
        f"{share_codes.MAX_SPECIALS:,}",
        *(f"{share_codes.MAX_SPECIALS_LENGTH:,} characters", f"{share_codes.LONGEST_MARK} characters"),
    ],
    "trainings": [
        *(
            f"{training_queue.LONG.at_a_time} at a time, {training_queue.MOST_WAITING} waiting",
            f"of a visitor, {training_queue.MOST_WAITING_EACH} waiting",
            f"on over {size(training_queue.SHORT.size)}",
            *(f"{engine_training.MAX_TEXT:,} characters", size(training_queue.MAX_WAITING_BYTES)),
        ),
        *(
            size(training_queue.LONG.memory),
            f"{training_queue.LONG.seconds / 60:g} minutes, {training_queue.SHORT.seconds / 60:g} on",
        ),
        *(
            size(training_queue.SHORT.size),
            seconds(training_queue.ABANDONED_SECONDS),
            *(f"{training_queue.QUICK.size:,} characters", f"{training_queue.QUICK.at_a_time} more place"),
        ),
        *(seconds(training_queue.QUICK.seconds), size(training_queue.QUICK.memory)),
    ],
    "a recipe that is tried": [
        *(f"{recipe_preview.MAX_TRIED:,} characters", f"2 children of {size(recipe_preview.SLOW.memory)}"),
        f"{seconds(recipe_preview.MAX_WAIT)} until its turn",
        f"{seconds(recipe_preview.SECONDS)} for cutting the text",
        *(f"{seconds(recipe_preview.QUICK.seconds)} in the", f"{seconds(recipe_preview.SLOW.seconds)} in the other"),
    ],
    "the tokens of a trained": [size(checks.MAX_TOKEN_BYTES)],
    "results of trainings": [size(training_queue.MAX_UNCLAIMED)],
    "vocabulary to train": [f"{training_recipes.LARGEST:,}"],
    "what pages worked out": [size(kept_tokenizers.MAX_TABLES), seconds(analyses.KEPT_SECONDS)],
    "tokenizers kept": [
        *(f"{visitor_tokenizers.MOST} in", f"{kept_tokenizers.MAX_TOKENIZERS} and"),
        *(size(kept_tokenizers.MAX_KEPT), size(sizes.MAX_KEPT_EACH)),
    ],
    "tokenizers after": [f"{kept_tokenizers.KEPT_HOURS:g} hour", seconds(trainings.FORGOTTEN_SECONDS)],
    "what arrives on a connection": [f"{connection_limits._CHUNK // 1024} KB"],
}
"""Limits of each row, which begins with the key, spelled and ordered as in the table."""

NOT_IN_TABLE = {
    "a price or an estimate, by which a limit of the table is kept": (
        "shields.fairness.visitors: ALONE_SECONDS",
        "shields.connection_limits: _OVERHEAD _IGNORED",
        "answers.requests: _FEW_WORDS _ENGINE_TIME",
        "answers.routes.compare: _WITH_REASONS _WITH_SENTENCES",
        "answers.routes.export: _RELATIVE_TIME _RELATIVE_MEMORY",
        "answers.routes.rooms: _EVENT_SECONDS",
        "answers.routes.chat: _COST_OF_SPAN",
        "answers.routes.tokens: _COST_OF_IDS",
        "shields.sockets: _MESSAGE_SECONDS",
        "shields.admission: SOCKET_SECONDS",
        "shields.processes.kept_child: _MIN_COST",
        "shields.processes.patterns: _BYTES_PER_NUMBER",
        "shields.processes.sizes: _BYTES_WITHOUT_MERGES _BYTES_PER_MERGE _BYTES_PER_VALUE _LOOKED_AT _BYTES_PER_ENTRY",
        "shields.processes.training_queue: FITS_CUT FITS_UNCUT",
    ),
    "how much is shown, or proposed; the rest is counted or left out": (
        "answers.compression.sections: _MAX_ROWS _MAX_FILE_NAME",
        "answers.compression.vocabulary: _MAX_SHOWN",
        "answers.recipe_preview: MAX_FITTING _CONTROL_SYMBOLS _MIN_FITTING _SYMBOLS_PER_MERGE _SHORT",
        "answers.recipe_preview: _SYMBOLS_PER_MERGE_OF_SHORT _PREVIEWED _MAX_PIECES",
        "streamlit.files: _MAX_ADDRESS",
        "answers.routes.chat: _MAX_OMISSIONS _MAX_OMITTED",
        "answers.routes.compare: MAX_EXPLAINED MAX_TEXTS_EXPLAINED",
        "answers.routes.compression: MAX_SCALE",
        "answers.routes.pieces: MAX_ROWS",
        "answers.routes.replay: MAX_COLUMNS",
        "answers.routes.tokens: MAX_FOUND MAX_PARTS MAX_WITNESS",
        "answers.routes.training: MAX_SHOWN",
        "answers.routes.training_results: MAX_ROWS MAX_LEFT _MAX_SPELLED",
        "shields.processes.answering: MAX_PROBLEM LEAST",
        "shields.processes.engine_training: MAX_COMPARED",
        "answers.visitors.shipped_tokenizers: _MAX_LISTED",
    ),
    "a part of something that the table limits as a whole": (
        "answers.routes.tokenizer_files: _MAX_LABEL",
        "answers.routes.training: _MAX_LABEL",
        "answers.routes.training_results: MAX_QUERY",  # as in pieces
        "streamlit.components: _MAX_NAMES _MAX_NAME",
        "shields.processes.fetching: _MAX_HEAD",
        "shields.processes.training_recipes: _MAX_PREFIX",
        "answers.rooms.questions: MAX_CHOICES MAX_LINKS MAX_FIELDS MAX_LINE MAX_QUESTION MAX_ANSWER MAX_NUMBER",
        "answers.rooms.room: MAX_SECONDS",
        "answers.routes.sharing: _MAX_LABEL",
    ),
    "what is small or quick enough to be done another way, which refuses nothing": (
        "answers.requests: _MAX_INLINE _COMPRESSED_FROM",
        "shields.processes.patterns: QUICK",
        "shields.processes.training_child: _MIN_SPEED",
        "shields.processes.training_queue: MAX_MEASURED_HERE",
        "answers.visitors.share_codes: _MAX_TEXT",
    ),
    "how often or how soon the server looks after something": (
        "shields.fairness.turns: CHECK_SECONDS RETURN_SECONDS",
        "streamlit.housekeeping: EVERY_SECONDS TRIM_SECONDS",
        "answers.routes.rooms: STILL_HERE_SECONDS POLL_SECONDS _PAUSE_SECONDS",
        "server: _SWITCH_SECONDS",
        "streamlit.warm_up: FIRST_VISIT QUIET_SECONDS",
        "shields.processes.fetching_child: OLD_SECONDS",
        "shields.processes.lifetime: _LOOK_SECONDS",
        "shields.processes.training_child: _REPORT_EVERY _MAX_LOOKING",
        "answers.rooms.room: HERE_SECONDS",
    ),
    "the leeway of a limit of time, after which a process that does not end by itself is ended": (
        "shields.processes.answering: _GRACE",
        "shields.processes.fetching: _GRACE",
        "shields.processes.chat_templates: _GRACE",
        "shields.processes.kept_child: _MIN_SECONDS",
        "shields.processes.patterns: _GRACE",
        "shields.processes.training_queue: _GRACE",
    ),
    "entries that a cache has at most": (
        "shields.fairness.visitors: _MAX_REMEMBERED",
        "shields.admission: _REMEMBERED",
        "answers.routes.widget_files: _MAX_COPIES",
        "shields.processes.pool: _MAX_REMEMBERED",
    ),
    "a size of pieces, or a setting or number of another program": (
        "answers.requests: _CHUNK _LEVEL _FAST",
        "shields.connection_limits: _FIRST _SYSTEM_BUFFER _LAST_DATA _PING",
        "shields.server_process: LARGE_BLOCK ARENAS _M_MMAP_THRESHOLD _M_ARENA_MAX",
        "answers.routes.export: _GZIP _CHUNK",
        "shields.processes.lifetime: _SET_PARENT_DEATH_SIGNAL",
        "answers.rooms.names: _ROUNDS",
        "answers.rooms.room: _NONE",
    ),
    "never reached, because another limit is lower": (
        "shields.fairness.turns: _UNLIMITED",
        "shields.connection_limits: _UNLIMITED",
    ),
}
"""Numbers of `tokviz.app` that are no row of the table, by reason: the module, then the constants in it."""


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.partition(" | ")[0])
def test_every_number_of_the_table_is_a_limit_of_the_code(row: str) -> None:
    numbers = next((NUMBERS[key] for key in NUMBERS if row.startswith(key)), [])
    rest = row
    for number in numbers:
        before, found, rest = rest.partition(number)
        assert found, f"{number} is not in “{before}”"
        assert not A_NUMBER.search(before), before
        assert not re.match(r"[\d.,]*\d", rest), rest
    assert not A_NUMBER.search(rest), rest


def test_every_limit_of_the_code_is_in_the_table() -> None:
    assert [key for key in NUMBERS if sum(row.startswith(key) for row in ROWS) != 1] == []
    excused = {f"tokviz.app.{module}.{name}" for module, name in _excused()}
    named = set(_named_in_the_table())
    numbers = set(_numbers_of_the_app())
    assert numbers - named - excused == set(), "is missing in the table, and has no reason to be"
    assert excused - numbers == set(), "is not in the code any more"
    assert excused & named == set(), "is in the table"


def _excused() -> Iterator[tuple[str, str]]:
    for lines in NOT_IN_TABLE.values():
        for line in lines:
            module, _, names = line.partition(": ")
            yield from ((module, name) for name in names.split())


def _named_in_the_table() -> Iterator[str]:
    """Yield the constants that NUMBERS is computed from."""
    (assigned,) = (
        statement
        for statement in ast.parse(Path(__file__).read_text("utf-8")).body
        if isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == "NUMBERS"
    )
    for node in ast.walk(assigned):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{globals()[node.value.id].__name__}.{node.attr}"


def _numbers_of_the_app() -> Iterator[str]:
    """Yield the names of all numbers that modules of the app assign at their top level."""
    for file in (ROOT / "tokviz" / "app").rglob("*.py"):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        assigned = {
            target.id
            for statement in ast.parse(file.read_text("utf-8")).body
            if isinstance(statement, ast.Assign | ast.AnnAssign)
            for target in ast.walk(statement)
            if isinstance(target, ast.Name) and isinstance(target.ctx, ast.Store)
        }
        values = vars(importlib.import_module(name))
        yield from (f"{name}.{each}" for each in assigned if type(values.get(each)) in (int, float, pool.Limits))


def test_the_budgets_add_up() -> None:
    held = (
        budgets.MAX_HELD,
        kept_tokenizers.MAX_KEPT,
        kept_tokenizers.MAX_TABLES,
        training_queue.MAX_UNCLAIMED,
        training_queue.MAX_WAITING_BYTES,
    )
    prose = " ".join(SECURITY.split())
    assert f"budgets of {sum(held) / 10**9:g} GB together, and {rooms.MAX_ROOMS} full rooms" in prose
    assert f"Many addresses can take all {sockets.MAX_SOCKETS:,} WebSockets" in prose


def test_the_container_holds_the_server_and_all_children_at_their_limits() -> None:
    children = (
        *(each.at_a_time * each.memory for each in (training_queue.LONG, training_queue.QUICK)),
        lanes.opening.threads * opening.SLOW.memory + lanes.opening_small.threads * opening.QUICK.memory,
        *(each.memory for each in (patterns.QUICK, patterns.SLOW, chat_templates.QUICK, chat_templates.SLOW)),
        *(each.memory for each in (recipe_preview.QUICK, recipe_preview.SLOW)),
        guarded_workers.MAX_PROCESSES * guarded_workers.SLOW.memory,
        lanes.fetching.threads * fetching_child.MAX_MEMORY,
        lanes.checking.threads * course.CHECK.memory,
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


def test_the_server_and_its_children_unpickle_nothing() -> None:
    """What they send each other is JSON and bytes: see `exchange`."""
    for path in (ROOT / "tokviz" / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [each.name for each in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            module = node.module if isinstance(node, ast.ImportFrom) else ""
            modules = {name.partition(".")[0] for name in (module or "", *names)}
            assert not modules & {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "multiprocessing"}, (
                path
            )
