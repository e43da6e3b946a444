"""Attacks with large requests, and with patterns, templates and recipes: see `attacks`."""

import asyncio
import json
from collections.abc import Iterable

from attacks import ATTACKER, ENGINES, HOST, MAX_TEXT, NAMES, OTHERS, TOKENIZE, Run, ask, attack, connect, corpus, head

from tokviz.app.answers.visitors.share_codes import Origin, write
from tokviz.app.answers.visitors.shipped_tokenizers import MAX_BY_ENGINE
from tokviz.app.shields.processes.training_recipes import Recipe

MADE = "/_tokviz/made?id=nobody"
CHAT = "/_tokviz/chat?tokenizer=gpt2"
CATS = "the cat in the hat sat on the mat"


def recipe(*, pattern: str | None = "gpt2", text: str = CATS, size: int = 260, specials: Iterable[str] = ()) -> bytes:
    """Return a training recipe, encoded as in a link."""
    return write(Origin("theirs", Recipe(size, pattern, special_tokens=tuple(specials)), texts=(text,))).encode()


# Texts


@attack
async def nothing(run: Run) -> None:
    """No attack, as a baseline."""
    await asyncio.sleep(run.seconds)


@attack
async def stalled_bodies(run: Run) -> None:
    """A hundred request bodies of 9.9 MB that never end."""
    await run.stall([head(TOKENIZE, MAX_TEXT) + b"a" * (MAX_TEXT - 1)] * 100)


@attack
async def leavers(run: Run) -> None:
    """Twenty clients that each post 10 MB once and disconnect."""

    async def leave() -> None:
        _, writer = await connect(run.port, ATTACKER)
        writer.write(head(TOKENIZE, MAX_TEXT) + corpus(MAX_TEXT))
        await asyncio.sleep(0.5)
        writer.close()

    await asyncio.gather(*(leave() for _ in range(20)))
    await asyncio.sleep(run.seconds)


@attack
async def long_texts(run: Run) -> None:
    """Eight clients that repeatedly post 10 MB each."""
    await run.repeat(8, (TOKENIZE, corpus(MAX_TEXT), "POST"))


@attack
async def middle_texts(run: Run) -> None:
    """Twenty clients that repeatedly post 200 KB each."""
    await run.repeat(20, (TOKENIZE, corpus(200_000), "POST"))


@attack
async def short_texts(run: Run) -> None:
    """A hundred clients that repeatedly post 15 KB each."""
    await run.repeat(100, (TOKENIZE, corpus(15_000), "POST"))


@attack
async def shipped_engines(run: Run) -> None:
    """Clients that each post 200 KB of signs for another of the shipped engines, and one that compares all."""
    body = b"!?.," * (MAX_BY_ENGINE // 4)
    paths = [f"/_tokviz/tokenize?tokenizer={name}" for name in ENGINES]
    paths.append(f"/_tokviz/compare?tokenizers={','.join(ENGINES)}&reasons=1")
    await run.repeat(1, *((path, body, "POST") for path in paths))


@attack
async def qr_codes(run: Run) -> None:
    """Twenty clients that request large QR codes."""
    await run.repeat(20, ("/_tokviz/qr", b"http://x/" + b"a" * 2900, "POST"))


@attack
async def finds(run: Run) -> None:
    """Twenty clients that search for texts that no token contains."""
    await run.repeat(20, ("/_tokviz/find?tokenizer=o200k_base", b"no token has this", "POST"))


@attack
async def comparisons(run: Run) -> None:
    """Eight clients that compare 1 MB under eight tokenizers, with reasons."""
    await run.repeat(8, (f"/_tokviz/compare?tokenizers={NAMES}&reasons=1", corpus(1_000_000), "POST"))


@attack
async def exports(run: Run) -> None:
    """Eight clients that repeatedly export 3 MB."""
    await run.repeat(8, ("/_tokviz/export?format=json&tokenizer=cl100k_base", corpus(3_000_000), "POST"))


@attack
async def unread_columns(run: Run) -> None:
    """Thirty clients that post 5 MB and do not read the response."""
    await run.stall([head(TOKENIZE, 5_000_000) + corpus(5_000_000)] * 30)


@attack
async def lists_of_nothing(run: Run) -> None:
    """Lists of token ids that consist of three million empty lists."""
    await run.post("/_tokviz/decode?tokenizer=cl100k_base", [b'{"ids": [' + b"[]," * 3_200_000 + b"1]}"] * 24)


@attack
async def marks(run: Run) -> None:
    """Word counts of two texts of 240 KB of combining accents; then of another visitor's text of 24 KB."""
    path, body = "/_tokviz/tokenize?tokenizer=bytes&counts=1", ("\u0301" * 120_000).encode()
    attacking = [asyncio.create_task(run.ask(path, body)) for _ in range(2)]
    await asyncio.sleep(0.5)
    async with run.timed("somebody else"):
        await run.ask(TOKENIZE, b"hello " * 4_000, address=HOST)
    await asyncio.gather(*attacking)


@attack
async def long_questions(run: Run) -> None:
    """Two addresses that ask about texts of 9.9 MB on the Compression page, and leave; a third asks about a word."""
    path, text = "/_tokviz/compression?scale=0&question={}", corpus(MAX_TEXT)
    long = Run(run.port, 4)
    request = (f"{path.format('Merges')}&tokenizers=o200k_base", text, "POST")
    await asyncio.gather(*(long.repeat(2, request, address=address) for address in (ATTACKER, OTHERS[0])))
    async with run.timed("the third"):
        await run.ask(f"{path.format('This%20text')}&tokenizers=gpt2", b"hello", address=OTHERS[1])


# Patterns and templates

PATTERNS = {
    "leading zeros": "(?:ab|c){000000300000}",
    "a long body, repeated": "(?:" + "(?:ab|c)" * 20 + "){9999}",
    "repeats in repeats": "(?:(?:(?:x{30}){30}){30}){30}",
    "groups in groups": "(?:" * 600 + "a" + "){2,9}" * 600,
}


@attack
async def pattern_bombs(run: Run) -> None:
    """Patterns whose compilation crashes a process, or takes gigabytes; one of 100,000 characters, in a file."""
    await run.post(MADE, [recipe(pattern=each) for each in PATTERNS.values()], 1)
    await run.open(("minbpe v1\n" + "(?:ab|c){9}" * 9_000 + "\n0\n").encode(), "theirs.model")


@attack
async def recursive_patterns(run: Run) -> None:
    """A recursive pattern, with a text that makes it recurse very often."""
    patterns = ["(?:a(?R)?b|.)", "(a(?1)*b|.)", "(?<p>a|b(?&p)*c)|."]
    texts = ["a" * 2000 + "b", "ab" * 1000, "b" * 2000]
    await run.post(MADE, [recipe(pattern=each, text=text) for each in patterns for text in texts], 2)


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


def chat(template: str) -> bytes:
    """Return a chat with its sender's own template."""
    return json.dumps({"messages": [{"role": "user", "content": "hi"}], "template": {"text": template}}).encode()


@attack
async def chat_templates(run: Run) -> None:
    """Chat templates that never end, build gigabytes, or reach for Python's objects."""
    await run.post(CHAT, [*map(chat, TEMPLATES.values())] * 3, 2)


@attack
async def half_messages(run: Run) -> None:
    """Chats that fail halfway where they are sent to a child, and others' chats after them, counted if they changed."""
    good = b'{"messages":[{"role":"user","content":"hi"}],"template":{"name":"chatml"}}'
    _, expected = await ask(run.port, HOST, CHAT, good)
    long = json.dumps([{"content": "a", "role": "b"}, {"role": "user", "content": "x" * 70_000}])
    for depth in (60, 300, 900, 5_000):
        deep = "[" * depth + "]" * depth
        bad = f'{{"messages":{long},"template":{{"name":"chatml"}},"values":{{"a":{deep}}}}}'.encode()
        for _ in range(5):
            await run.ask(CHAT, bad)
            if (await ask(run.port, HOST, CHAT, good))[1] != expected:
                run.count("others' chats changed")


@attack
async def slow_strangers(run: Run) -> None:
    """Ten addresses send slow split patterns, looping templates, slow solutions and long lists, all at once."""
    made = await ask(run.port, ATTACKER, MADE, recipe(pattern="(?:a|a)*b|."))
    merges = [(1000 + number % 200, number % 256) for number in range(10_000)]
    text = "".join(chr(97 + n * n % 26) for n in range(199_999))
    requests = (
        (f"/_tokviz/tokenize?tokenizer={json.loads(made[1])['name']}", b"a" * 20_000, "POST"),
        (CHAT, chat(TEMPLATES["loops"]), "POST"),
        (
            "/_tokviz/course/figure/merges",
            json.dumps({"solution": repr(merges), "split": "none", "text": text}).encode(),
            "POST",
        ),
        ("/_tokviz/decode?tokenizer=gpt2", b'{"ids": [' + b"262," * 190_000 + b"262]}", "POST"),
    )
    await asyncio.gather(*(run.repeat(1, *requests, address=f"127.0.1.{number}") for number in range(1, 11)))


# Links


@attack
async def special_tokens(run: Run) -> None:
    """Six recipes with 80,000 special tokens each, in some hundred bytes."""
    await run.post(MADE, [recipe(text=f"{CATS} {number}", specials=["<s>"] * 80_000) for number in range(6)])


@attack
async def evictions(run: Run) -> None:
    """Up to 205 tiny recipes, after another visitor has opened a tokenizer."""
    opened = await run.open(b"minbpe v1\n(?s:.)\n0\n116 104\n", "mine.model", address=HOST)
    await run.post(MADE, [recipe(text=f"{CATS} {number}") for number in range(205)], 2)
    await run.ask(f"/_tokviz/tokenize?tokenizer={opened}", b"the", address=HOST, what="the other's")


@attack
async def training_flood(run: Run) -> None:
    """53 recipes at once, each a training; then another visitor requests one."""
    flood = [recipe(text=CATS * 40 + str(number), size=5_000, pattern=None) for number in range(53)]
    flooding = asyncio.create_task(run.post(MADE, flood, 53))
    await asyncio.sleep(1)
    await run.ask(MADE, recipe(text="somebody else's"), address=HOST, what="somebody else")
    await flooding


@attack
async def silent_hub(run: Run) -> None:
    """Two addresses that fetch models from a hub that never answers; a third opens a file."""
    request = ("/_tokviz/hub-tokenizer?name=hf:owner/name", b"", "POST")
    fetching = [asyncio.create_task(run.repeat(2, request, address=address)) for address in (ATTACKER, OTHERS[0])]
    await asyncio.sleep(2)
    async with run.timed("the third"):
        await run.open(b"minbpe v1\n(?s:.)\n0\n116 104\n", "mine.model", address=OTHERS[1])
    await asyncio.gather(*fetching)


@attack
async def other_sites(run: Run) -> None:
    """Requests from a page of another site: with its own host name, a post, and a request for internal paths."""
    tried = {
        "another's name": "GET / HTTP/1.1\r\nHost: evil.example\r\n",
        "another's post": f"POST {MADE} HTTP/1.1\r\nHost: {HOST}:{run.port}\r\nOrigin: https://evil.example\r\n",
        "metrics": f"GET /_stcore/metrics HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-For: 192.0.2.7\r\n",
        "address": f"GET /_tokviz/address HTTP/1.1\r\nHost: {HOST}\r\nX-Forwarded-For: 192.0.2.7\r\n",
    }
    for what, lines in tried.items():
        reader, writer = await connect(run.port, ATTACKER)
        writer.write(f"{lines}Content-Length: 0\r\n\r\n".encode())
        run.count(f"{what}: {(await reader.readline()).split()[1].decode()}")
        writer.close()
