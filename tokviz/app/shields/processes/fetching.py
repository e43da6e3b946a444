"""Fetch the tokenizer files of a model on the Hugging Face hub in a child process, for visitors.

Off by default: a server reaches out to the network only where the environment variable `HUB` says so. The child process
runs `fetching_child`, with limits on time, memory and the size of files. It has no token, so visitors see nothing that
only this server's owner may see; and it writes into a folder that it removes again.
"""

import os
import subprocess
from typing import IO, NamedTuple

from tokviz.app.shields.processes import children, exchange
from tokviz.app.shields.processes.typed import typed
from tokviz.formats.checks import MAX_FILE
from tokviz.pretrained import hub

HUB = "TOKVIZ_HUB"
"""Environment variable that lets visitors fetch tokenizers from the hub, if it is 1."""

SECONDS = 60.0
"""Maximum seconds of the child process."""

_GRACE = 1.0  # seconds in which the child process removes its folder
_MAX_HEAD = 10_000  # bytes beside those of the files


class Fetched(NamedTuple):
    """Files of a model by name: those that hold its tokenizer, and what may hold its chat template beside them."""

    files: dict[str, bytes]
    beside: dict[str, bytes]


def is_enabled() -> bool:
    """Return whether this server lets visitors fetch tokenizers from the hub."""
    return os.environ.get(HUB) == "1"


def fetch_files(name: str, *, seconds: float = SECONDS) -> Fetched:
    """Return the files of the model `name`, such as `hf:Qwen/Qwen3-8B`.

    Raises ValueError with a sentence if they can't be fetched.
    """
    if not is_enabled():
        raise ValueError("this server fetches nothing from the hub: download the model's tokenizer.json, and open that")
    hub.repository(name)
    with children.running(
        *("fetching_child", name, str(seconds + 2 * _GRACE)),
        environment=_environment(),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stop=_end,
    ) as child:
        try:
            with children.within(child, seconds, _end):
                assert child.stdout
                return _received(child.stdout)
        except children.Overdue:
            raise ValueError(f"{name} took longer than {seconds:g} s to fetch: try again later") from None
        except children.Failed:
            raise ValueError(f"{name} could not be fetched") from None


def _received(answer: IO[bytes]) -> Fetched:
    """Return the files that a child process sends. Raises ValueError with its sentence, and EOFError if it ended."""
    try:
        problem, *fetched = exchange.unpack(exchange.read(answer, MAX_FILE + _MAX_HEAD))
        found: Fetched | None = None if problem else typed(Fetched, fetched)
    except ValueError:
        raise EOFError from None
    if found is None:
        raise ValueError(str(problem))
    return found


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End a child process, which gets a moment to remove its folder."""
    child.terminate()
    try:
        child.wait(_GRACE)
    except subprocess.TimeoutExpired:
        child.kill()


def _environment() -> dict[str, str]:
    given = {key: value for key, value in os.environ.items() if key not in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")}
    return given | {"HF_HUB_DISABLE_IMPLICIT_TOKEN": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
