"""Denial-of-service attacks on the server, and their effect on another user who types.

`python tests/benchmarks/hostile.py` starts a server for each attack, on 127.0.0.1 only. The attack comes from
127.0.0.2, in a separate process, and ends after `--seconds`. Meanwhile a user types at 127.0.0.1. The table shows the
latency of key presses, the memory of the server and its children, and the responses to the attack. Name attacks to run
only these; `--app FOLDER` attacks the app of another checkout.

The attacks with large requests are in `attacks.py`, those with tokenizer files in `hostile_files.py`, and those on the
Train page in `training_attacks.py`, and those on rooms in `room_attacks.py`. `memory_attacks.py` fills all budgets at
once. All are part of this table.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from multiprocessing.queues import Queue
from pathlib import Path
from threading import Event, Thread

import attacks
import harness
import hostile_files
import memory_attacks
import message_attacks
import room_attacks
import serving
import training_attacks
from attacks import ATTACKER, HOST, ask, memory, typist
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit_session import Session
from websockets.exceptions import WebSocketException

from tokviz.app.answers.visitors.share_codes import Origin, write
from tokviz.app.shields.processes.training_recipes import Recipe

MAX_SECONDS = 120
MAX_SENT_BYTES = 100_000_000
POSTING_SECONDS = 60
MADE = "/_tokviz/made?id=nobody"
TRAIN = "/_tokviz/train"
OPEN = "/_tokviz/tokenizer-file"
SETTLE_SECONDS = 5  # before what an attack left behind is measured
CATS = "the cat in the hat sat on the mat"

Outcome = Counter[str]
Attack = Callable[[int, float], Awaitable[Outcome | None]]


def recipe(*, pattern: str | None = "gpt2", text: str = CATS, size: int = 260, specials: Iterable[str] = ()) -> bytes:
    """Return a training recipe, encoded as in a link."""
    return write(Origin("theirs", Recipe(size, pattern, special_tokens=tuple(specials)), texts=(text,))).encode()


async def post(port: int, path: str, bodies: Iterable[bytes], at_a_time: int = 8) -> Outcome:
    """Post bodies until the time is over, and count the responses by status."""
    outcome: Outcome = Counter()
    places = asyncio.Semaphore(at_a_time)
    end = time.monotonic() + POSTING_SECONDS

    async def one(body: bytes) -> None:
        async with places:
            if time.monotonic() > end:
                outcome["not posted any more"] += 1
                return
            try:
                status, _ = await ask(port, ATTACKER, path, body)
                outcome[str(status)] += 1
            except (OSError, EOFError):
                outcome["hung up"] += 1

    await asyncio.gather(*(one(body) for body in bodies))
    return outcome


# Patterns


PATTERNS = {
    "leading zeros": "(?:ab|c){000000300000}",
    "a long body, repeated": "(?:" + "(?:ab|c)" * 20 + "){9999}",
    "repeats in repeats": "(?:(?:(?:x{30}){30}){30}){30}",
    "groups in groups": "(?:" * 600 + "a" + "){2,9}" * 600,
}


async def pattern_bombs(port: int, seconds: float) -> Outcome:
    """Patterns whose compilation crashes a process, or takes gigabytes."""
    return await post(port, MADE, [recipe(pattern=each) for each in PATTERNS.values()], 1)


async def recursive_patterns(port: int, seconds: float) -> Outcome:
    """A recursive pattern, with a text that makes it recurse very often."""
    patterns = ["(?:a(?R)?b|.)", "(a(?1)*b|.)", "(?<p>a|b(?&p)*c)|."]
    texts = ["a" * 2000 + "b", "ab" * 1000, "b" * 2000]
    return await post(port, MADE, [recipe(pattern=each, text=text) for each in patterns for text in texts], 2)


TEMPLATES = {
    "loops": "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "gigabytes": "{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}{{ n.x }}",
    "one long text": "{{ 'a' * 99999999999 }}",
    "a power": "{{ 9 ** 9 ** 9 }}",
    "classes": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "a class by a format": "{{ '{0.__class__.__mro__}'.format(messages) }}",
    "nested brackets": "{{ " + "(" * 90_000 + "}}",
    "recursion": "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
}


async def chat_templates(port: int, seconds: float) -> Outcome:
    """Chat templates that never end, build gigabytes, or reach for Python's objects."""
    chats = [
        {"messages": [{"role": "user", "content": "hi"}], "template": {"text": text}} for text in TEMPLATES.values()
    ]
    return await post(port, "/_tokviz/chat?tokenizer=gpt2", [json.dumps(chat).encode() for chat in chats] * 3, 2)


async def slow_strangers(port: int, seconds: float) -> Outcome:
    """Ten addresses send slow split patterns, looping templates, slow solutions and long lists, all at once."""
    made = await ask(port, ATTACKER, MADE, recipe(pattern="(?:a|a)*b|."))
    chat = {"messages": [{"role": "user", "content": "hi"}], "template": {"text": TEMPLATES["loops"]}}
    merges = [(1000 + number % 200, number % 256) for number in range(10_000)]
    solution = {
        "solution": repr(merges),
        "split": "none",
        "text": "".join(chr(97 + n * n % 26) for n in range(199_999)),
    }
    requests = {
        f"/_tokviz/tokenize?tokenizer={json.loads(made[1])['name']}": b"a" * 20_000,
        "/_tokviz/chat?tokenizer=gpt2": json.dumps(chat).encode(),
        "/_tokviz/course/figure/merges": json.dumps(solution).encode(),
        "/_tokviz/decode?tokenizer=gpt2": b'{"ids": [' + b"262," * 190_000 + b"262]}",
    }
    outcome: Outcome = Counter()
    end = time.monotonic() + seconds

    async def stranger(address: str, path: str, body: bytes) -> None:
        while time.monotonic() < end:
            with suppress(OSError, EOFError):
                status, _ = await ask(port, address, path, body)
                outcome[f"{path.split('?')[0].rpartition('/')[2]}: {status}"] += 1

    addresses = [f"127.0.1.{number}" for number in range(1, 11)]
    await asyncio.gather(*(stranger(address, *request) for address in addresses for request in requests.items()))
    return outcome


async def half_messages(port: int, seconds: float) -> Outcome:
    """Chats that fail halfway where they are sent to a child, and others' chats after them, counted if they changed."""
    outcome: Outcome = Counter()
    path, good = (
        "/_tokviz/chat?tokenizer=gpt2",
        b'{"messages":[{"role":"user","content":"hi"}],"template":{"name":"chatml"}}',
    )
    _, expected = await ask(port, HOST, path, good)
    long = json.dumps([{"content": "a", "role": "b"}, {"role": "user", "content": "x" * 70_000}])
    for depth in (60, 300, 900, 5_000):
        deep = "[" * depth + "]" * depth
        bad = f'{{"messages":{long},"template":{{"name":"chatml"}},"values":{{"a":{deep}}}}}'.encode()
        for _ in range(5):
            status, _ = await ask(port, ATTACKER, path, bad)
            outcome[str(status)] += 1
            outcome["others' chats changed"] += (await ask(port, HOST, path, good))[1] != expected
    return +outcome


# Recipes


async def special_tokens(port: int, seconds: float) -> Outcome:
    """Six recipes with 80,000 special tokens each, in some hundred bytes."""
    return await post(port, MADE, [recipe(text=f"{CATS} {number}", specials=["<s>"] * 80_000) for number in range(6)])


async def evictions(port: int, seconds: float) -> Outcome:
    """Up to 205 tiny recipes, after another visitor has opened a tokenizer."""
    _, answer = await ask(port, HOST, f"{OPEN}?name=mine.model", b"minbpe v1\n(?s:.)\n0\n116 104\n")
    opened = json.loads(answer)["name"]
    outcome = await post(port, MADE, [recipe(text=f"{CATS} {number}") for number in range(205)], 2)
    status, _ = await ask(port, HOST, f"/_tokviz/tokenize?tokenizer={opened}", b"the")
    outcome["the other's is kept" if status == 200 else "the other's is lost"] += 1
    return outcome


async def training_flood(port: int, seconds: float) -> Outcome:
    """53 recipes at once, each a training; then another visitor requests one."""
    flood = [recipe(text=CATS * 40 + str(number), size=5_000, pattern=None) for number in range(53)]
    flooding = asyncio.create_task(post(port, MADE, flood, 53))
    await asyncio.sleep(1)
    status, _ = await asyncio.wait_for(ask(port, HOST, MADE, recipe(text="somebody else's")), MAX_SECONDS)
    outcome = await flooding
    outcome[f"somebody else: {status}"] += 1
    return outcome


# Files and sessions


async def uploads(port: int, seconds: float) -> Outcome:
    """Files over the limit and files within it, of tokenizers; and texts to train on, likewise."""
    outcome: Outcome = Counter()
    for size in (60, *([18] * 40)):
        with suppress(OSError, EOFError):
            status, _ = await ask(port, ATTACKER, f"{OPEN}?name={size}.model", bytes(size * 1_000_000))
            outcome[f"{size} MB file: {status}"] += 1
    for size in (60, *([40] * 40)):
        with suppress(OSError, EOFError):
            status, _ = await ask(port, ATTACKER, f"{TRAIN}?size=300&pattern=gpt2&measure=", b"a " * (size * 500_000))
            outcome[f"{size} MB text: {status}"] += 1
    return outcome


async def model_pattern(port: int, seconds: float) -> None:
    """A minbpe file with a pattern of 100,000 characters."""
    model = "minbpe v1\n" + "(?:ab|c){9}" * 9_000 + "\n0\n"
    await ask(port, ATTACKER, f"{OPEN}?name=theirs.model", model.encode())


async def _train(port: int, query: str, text: str) -> str:
    """Start a training and return its id; "" if the server refuses."""
    status, answer = await ask(port, ATTACKER, f"{TRAIN}?{query}&measure=", text.encode())
    return str(json.loads(answer)["id"]) if status == 200 else ""


async def _watch(port: int, ids: Iterable[str], seconds: float) -> None:
    """Ask how far trainings are, as their pages do."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for id in filter(None, ids):
            await ask(port, ATTACKER, f"{TRAIN}/state?id={id}&merges=0", b"", "GET")
        await asyncio.sleep(0.25)


async def repeated_passages(port: int, seconds: float) -> None:
    """Two trainings whose tokens get gigabytes long together: of texts that say the same twice."""
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 20_000)))
    query = "size=200000&pattern=none&alphabet=characters"
    await _watch(port, [await _train(port, query, f"{letters}\n{letters}") for _ in range(2)], seconds)


async def left_trainings(port: int, seconds: float) -> None:
    """Two trainings whose pages are closed at once."""
    for _ in range(2):
        await _train(port, "size=100000&pattern=gpt2", harness.corpus(9_000_000))
    await asyncio.sleep(seconds)


async def training_without_split(port: int, seconds: float) -> None:
    """Two trainings on 9 MB with no split pattern."""
    ids = [await _train(port, "size=100000&pattern=none", harness.corpus(9_000_000)) for _ in range(2)]
    await _watch(port, ids, seconds)


# WebSocket messages that no page sends


async def _say(port: int, message: BackMsg, times: int) -> Session:
    session = await Session.open(port, ATTACKER)
    await session.visit("")
    for _ in range(times):
        await session.send(message)
        await asyncio.sleep(0.002)
    return session


async def git_information(port: int, seconds: float) -> None:
    """Request git's information about the server's folder, 2,000 times."""
    await (await _say(port, BackMsg(load_git_info=True), 2_000)).leave()


async def cleared_caches(port: int, seconds: float) -> None:
    """Request clearing the caches of all visitors, 500 times."""
    await (await _say(port, BackMsg(clear_cache=True), 500)).leave()


async def upload_addresses(port: int, seconds: float) -> None:
    """Request the addresses of two million uploads at once."""
    message = BackMsg()
    message.file_urls_request.file_names.extend(["x"] * 2_000_000)
    session = await _say(port, message, 1)
    await asyncio.sleep(seconds)
    await session.leave()


async def typed_texts(port: int, seconds: float) -> None:
    """Thirty pages on each of which 20 MB were typed."""
    message = BackMsg()
    message.rerun_script.widget_states.widgets.add(id="x", string_value="a" * 20_000_000)
    sessions = [await _say(port, message, 1) for _ in range(30)]
    await asyncio.sleep(seconds)
    for session in sessions:
        await session.leave()


async def many_pages(port: int, seconds: float) -> Outcome:
    """Three hundred pages with charts, opened at once."""

    async def visit() -> str:
        try:
            session = await Session.open(port, ATTACKER)
        except WebSocketException:
            return "refused"
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await session.visit("compression")
        await session.leave()
        return "opened"

    return Counter(await asyncio.gather(*(visit() for _ in range(300))))


async def tiny_chunks(port: int, seconds: float) -> None:
    """Four bodies in chunks of one byte each."""

    async def client() -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            _, writer = await attacks.connect(port, ATTACKER)
            opening = f"POST {attacks.TOKENIZE} HTTP/1.1\r\nHost: {HOST}\r\nTransfer-Encoding: chunked\r\n\r\n"
            with suppress(OSError):
                writer.write(opening.encode())
                while time.monotonic() < end:
                    writer.write(b"1\r\na\r\n" * 40_000)
                    await writer.drain()
            writer.close()

    await asyncio.gather(*(client() for _ in range(4)))


async def lists_of_nothing(port: int, seconds: float) -> Outcome:
    """Lists of token ids that consist of three million empty lists."""
    path = "/_tokviz/decode?tokenizer=cl100k_base"
    return await post(port, path, [b'{"ids": [' + b"[]," * 3_200_000 + b"1]}"] * 24)


# Connections


async def _pour(port: int, opening: bytes, data: bytes, seconds: float) -> int:
    """Send an opening, then the same data repeatedly, and read nothing. Returns the bytes accepted."""
    reader, writer = await attacks.connect(port, ATTACKER)
    end, sent = time.monotonic() + seconds, 0
    with suppress(OSError, EOFError, TimeoutError):
        async with asyncio.timeout(seconds):
            writer.write(opening)
            if opening == _handshake():  # what follows at once would be lost
                await reader.readuntil(b"\r\n\r\n")
            while time.monotonic() < end and sent < MAX_SENT_BYTES:
                writer.write(data)
                await writer.drain()
                sent += len(data)
    writer.close()
    return sent


def _frame(opcode: int, data: bytes = b"") -> bytes:
    """A short frame of a WebSocket, masked with zeros."""
    return bytes([opcode, 0x80 | len(data), *bytes(4)]) + data


async def _poured(port: int, opening: bytes, data: bytes, seconds: float, clients: int) -> Outcome:
    sent = await asyncio.gather(*(_pour(port, opening, data, seconds) for _ in range(clients)))
    return Counter({f"{size / 1e6:.1f} MB": 1 for size in sent})


async def endless_headers(port: int, seconds: float) -> Outcome:
    """A head with headers without end."""
    return await _poured(port, f"GET / HTTP/1.1\r\nHost: {HOST}\r\n".encode(), b"a:b\r\n" * 50_000, seconds, 1)


async def endless_header(port: int, seconds: float) -> Outcome:
    """A request head with one endless header."""
    return await _poured(port, f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX: ".encode(), b"a" * 250_000, seconds, 1)


async def quoted_cookies(port: int, seconds: float) -> Outcome:
    """A client that repeatedly sends a cookie of 60 KB of escaped quotes."""
    outcome: Outcome = Counter()
    end = time.monotonic() + seconds
    request = f'GET / HTTP/1.1\r\nHost: {HOST}\r\nCookie: _streamlit_xsrf="' + r"\"" * 30_000 + '"\r\n\r\n'
    while time.monotonic() < end:
        reader, writer = await attacks.connect(port, ATTACKER)
        writer.write(request.encode())
        with suppress(OSError, EOFError):
            outcome[(await reader.readline()).split()[1].decode()] += 1
        writer.close()
    return outcome


async def health_checks(port: int, seconds: float) -> None:
    """Two hundred clients that repeatedly request something tiny that isn't of this app."""
    await attacks.repeat_requests(port, seconds, "/_stcore/health", b"", 200, "GET")


async def requests_in_advance(port: int, seconds: float) -> Outcome:
    """Three clients that pipeline requests without reading the responses."""
    request = f"GET / HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    return await _poured(port, b"", request * 3_000, seconds, 3)


def _handshake() -> bytes:
    lines = [
        *("GET /_stcore/stream HTTP/1.1", f"Host: {HOST}", "Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", ""),
    ]
    return "\r\n".join(lines).encode()


async def pings(port: int, seconds: float) -> Outcome:
    """Two WebSockets that ping without reading the replies."""
    return await _poured(port, _handshake(), _frame(0x89, bytes(125)) * 2_000, seconds, 2)


async def empty_frames(port: int, seconds: float) -> Outcome:
    """Two endless WebSocket messages of empty frames."""
    return await _poured(port, _handshake(), _frame(0x02) + _frame(0x00) * 40_000, seconds, 2)


async def unread_files(port: int, seconds: float) -> None:
    """Three hundred requests for a file of 4.5 MB, of which nobody reads a byte."""
    loop, request = asyncio.get_running_loop(), f"GET /_tokviz/static/js/plotly.min.js HTTP/1.1\r\nHost: {HOST}\r\n\r\n"
    clients = []
    for _ in range(300):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        client.bind((ATTACKER, 0))
        client.setblocking(False)
        await loop.sock_connect(client, (HOST, port))
        await loop.sock_sendall(client, request.encode())
        clients.append(client)
    await asyncio.sleep(max(seconds, 50))
    for client in clients:
        client.close()


async def heartbeats(port: int, seconds: float) -> Outcome:
    """Four WebSockets that send endless heartbeats."""
    message = _frame(0x82, BackMsg(app_heartbeat=True).SerializeToString())
    return await _poured(port, _handshake(), message * 5_000, seconds, 4)


async def reruns(port: int, seconds: float) -> Outcome:
    """Twenty pages that repeatedly request a rerun."""
    message = BackMsg()
    message.rerun_script.page_name = "train"
    return await _poured(port, _handshake(), _frame(0x82, message.SerializeToString()) * 1_000, seconds, 20)


async def marks(port: int, seconds: float) -> Outcome:
    """Word counts of two texts of 240 KB of combining accents; then of another visitor's text of 24 KB."""
    body = ("\u0301" * 120_000).encode()
    path = "/_tokviz/tokenize?tokenizer=bytes&counts=1"
    attacking = [asyncio.create_task(ask(port, ATTACKER, path, body)) for _ in range(2)]
    await asyncio.sleep(0.5)
    outcome: Outcome = Counter()
    try:
        async with asyncio.timeout(seconds):
            status, _ = await ask(port, HOST, attacks.TOKENIZE, b"hello " * 4_000)
        outcome[f"somebody else: {status}"] += 1
    except TimeoutError:
        outcome[f"somebody else waits for {seconds:g} s"] += 1
    for each in attacking:
        each.cancel()
    return outcome


# Other sites


async def other_sites(port: int, seconds: float) -> Outcome:
    """Requests from a page of another site: with its own host name, a post, and a request for internal paths."""
    tried = {
        "another's name": f"GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n",
        "another's post": f"POST {MADE} HTTP/1.1\r\nHost: {HOST}:{port}\r\nOrigin: https://evil.example\r\n",
        "metrics": f"GET /_stcore/metrics HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-For: 192.0.2.7\r\n",
        "address": f"GET /_tokviz/address HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-For: 192.0.2.7\r\n",
    }
    outcome: Outcome = Counter()
    for what, lines in tried.items():
        reader, writer = await attacks.connect(port, ATTACKER)
        writer.write(f"{lines}Content-Length: 0\r\n\r\n".encode())
        outcome[f"{what}: {(await reader.readline()).split()[1].decode()}"] += 1
        writer.close()
    return outcome


OWN = (
    pattern_bombs,
    recursive_patterns,
    chat_templates,
    slow_strangers,
    half_messages,
    special_tokens,
    evictions,
    training_flood,
    uploads,
    model_pattern,
)
MESSAGES = (
    *(git_information, cleared_caches, upload_addresses, typed_texts, many_pages),
    *(tiny_chunks, lists_of_nothing),
    *(message_attacks.empty_widgets, message_attacks.empty_files, message_attacks.json_lists),
    *(message_attacks.kept_texts, message_attacks.waiting_messages, message_attacks.unread_runs),
)
CONNECTIONS = (
    *(
        endless_headers,
        endless_header,
        quoted_cookies,
        health_checks,
        requests_in_advance,
        pings,
        empty_frames,
        unread_files,
        heartbeats,
        reruns,
        marks,
    ),
)
OTHERS = (repeated_passages, left_trainings, training_without_split, other_sites)
ATTACKS: dict[str, Attack] = {
    **attacks.ATTACKS,
    **hostile_files.ATTACKS,
    **training_attacks.ATTACKS,
    **memory_attacks.ATTACKS,
    **room_attacks.ATTACKS,
    **{each.__name__: each for each in (*OWN, *OTHERS, *MESSAGES, *CONNECTIONS)},
}


# Measuring


class Memory(Thread):
    """Monitors the memory of a server and its children, in megabytes."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._done = Event()
        self.children = 0.0
        self.most_of_a_child = 0.0

    def run(self) -> None:
        """Sample ten times per second, until `stop`."""
        while not self._done.wait(0.1):
            held = [memory(child) for child in children(self._pid)]
            self.children = max(self.children, sum(held))
            self.most_of_a_child = max([self.most_of_a_child, *held])

    def stop(self) -> None:
        """Stop sampling; the peak values are kept."""
        self._done.set()
        self.join()


def children(pid: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    tasks = Path(f"/proc/{pid}/task")
    found: list[int] = []
    with suppress(OSError):
        for file in tasks.glob("*/children"):
            found += map(int, file.read_text().split())
    return [*found, *(grandchild for child in found for grandchild in children(child))]


def run(attack: str, port: int, seconds: float, said: "Queue[str]") -> None:
    """Run one attack; called in a separate process."""

    async def bounded() -> Outcome | None:
        async with asyncio.timeout(max(seconds, MAX_SECONDS)):
            return await ATTACKS[attack](port, seconds)

    try:
        outcome = asyncio.run(bounded()) or Counter()
        said.put(", ".join(f"{what} x{count}" if count > 1 else what for what, count in outcome.items()))
    except Exception as error:  # a response may be cut off anywhere
        said.put(type(error).__name__)


async def type_during(attacker: "multiprocessing.process.BaseProcess", port: int) -> tuple[list[float], str]:
    """Return the latencies of key presses during the attack, in milliseconds, and a description of any failure."""
    waits: list[float] = []
    while attacker.is_alive():
        try:
            async with asyncio.timeout(60):
                waits += await typist(port, 1)
        except (OSError, EOFError, AssertionError, TimeoutError) as error:
            return [*waits, 60_000], type(error).__name__
    return waits, ""


def row(attack: str, seconds: float) -> list[str]:
    """Start a server, run an attack, and return the row of the results."""
    app, port = serving.start_app()
    try:
        asyncio.run(typist(port, 6))  # warm-up: the vocabularies are loaded
        before, watch = memory(app.pid), Memory(app.pid)
        watch.start()
        context = multiprocessing.get_context("spawn")
        said: Queue[str] = context.Queue()
        attacker = context.Process(target=run, args=(attack, port, seconds, said))
        attacker.start()
        waits, problem = asyncio.run(type_during(attacker, port))
        attacker.join(5 if problem else None)
        time.sleep(SETTLE_SECONDS)
        watch.stop()
        lives = app.poll() is None
        held = [before, memory(app.pid, "VmHWM"), memory(app.pid), watch.children]
        left = children(app.pid)
        answered = said.get(timeout=5) if not attacker.is_alive() else "not finished"
        attacker.kill()
    finally:
        end(app)
    time.sleep(1)
    outliving = sum(memory(child) > 0 for child in left)  # one that has ended, but is still listed, has no memory
    p95 = statistics.quantiles(waits, n=20)[-1] if len(waits) > 1 else float("nan")
    typing = [f"{statistics.median(waits):.0f}", f"{p95:.0f}", f"{max(waits):.0f}"]
    state = ("lives" if lives else f"ENDED {app.returncode}") + (f", typist: {problem}" if problem else "")
    return [attack, state, *typing, *(f"{each:.0f}" for each in held), str(len(left)), str(outliving), answered]


def end(app: "subprocess.Popen[bytes]") -> None:
    """Stop a server and its children, even if it is stuck."""
    app.kill()
    app.wait()


HEADS = [
    *("attack", "server", "typing, median ms", "95th percentile", "longest"),
    *(
        "server MB before",
        "highest",
        "after",
        "children, highest together",
        "children left",
        "a second after the server",
        "answered",
    ),
]


def main(names: list[str], seconds: float) -> None:
    """Print the table row by row."""
    rows = []
    silent = socket.create_server((HOST, 0))  # a hub that accepts connections and never answers
    os.environ |= {"TOKVIZ_HUB": "1", "HF_ENDPOINT": f"http://{HOST}:{silent.getsockname()[1]}"}
    for name in names or ATTACKS:
        try:
            rows.append(row(name, seconds))
        except RuntimeError as error:
            rows.append([name, str(error), *[""] * (len(HEADS) - 2)])
        print(*rows[-1], sep=" | ", flush=True)
    silent.close()
    print(*harness.table(HEADS, rows), sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", metavar="attack", help=", ".join(ATTACKS))
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--app", type=Path, default=serving.ROOT)
    arguments = parser.parse_args()
    serving.ROOT = arguments.app.resolve()
    os.environ["PYTHONPATH"] = str(serving.ROOT)  # the package of the attacked checkout
    main(arguments.attacks, min(arguments.seconds, MAX_SECONDS))
