"""Fetch the tokenizer files of a model on the Hugging Face hub in a child process, for visitors.

Off by default: a server reaches out to the network only where the environment variable `HUB` says so. The child process
runs this module with `python -m`, with limits on time, memory and the size of files. It has no token, so visitors see
nothing that only this server's owner may see; and it writes into a folder that is removed again.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tokviz import formats
from tokviz.app.processes.memory import ONE_THREAD, limit_memory
from tokviz.pretrained import hub

HUB = "TOKVIZ_HUB"
"""Environment variable that lets visitors fetch tokenizers from the hub, if it is 1."""

SECONDS = 60.0
MAX_MEMORY = 1024**3
"""Maximum seconds and bytes of address space of the child process."""

_MAX_ANSWER = 10_000  # characters
_PACKAGES = Path(__file__).parents[3]


def is_enabled() -> bool:
    """Return whether this server lets visitors fetch tokenizers from the hub."""
    return os.environ.get(HUB) == "1"


def fetch_files(name: str, *, seconds: float = SECONDS) -> dict[str, bytes]:
    """Return the tokenizer files of the model `name`, such as `hf:Qwen/Qwen3-8B`, by their names.

    Raises ValueError with a sentence if they can't be fetched.
    """
    if not is_enabled():
        raise ValueError("this server fetches nothing from the hub: download the model's tokenizer.json, and open that")
    hub.repository(name)
    with TemporaryDirectory(prefix="tokviz-hub-") as cache:
        # Offline, there is only what the owner of this server has fetched.
        where = {} if os.environ.get("HF_HUB_OFFLINE") else {"HF_HUB_CACHE": cache}
        return formats.folder_files(_fetch(name, where, seconds))


def _fetch(name: str, where: dict[str, str], seconds: float) -> Path:
    command = [sys.executable, "-m", "tokviz.app.processes.fetching", name]
    environment = {key: value for key, value in os.environ.items() if key not in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")}
    environment |= where | ONE_THREAD | {"HF_HUB_DISABLE_IMPLICIT_TOKEN": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
    try:
        done = subprocess.run(
            command,
            cwd=_PACKAGES,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
        answer = json.loads(done.stdout[:_MAX_ANSWER])
    except subprocess.TimeoutExpired:
        raise ValueError(f"{name} took longer than {seconds:g} s to fetch: try again later") from None
    except ValueError:
        raise ValueError(f"{name} could not be fetched") from None
    if "problem" in answer:
        raise ValueError(str(answer["problem"]))
    return Path(answer["folder"])


def _work(name: str) -> None:
    limit_memory(MAX_MEMORY)
    with suppress(ImportError, ValueError, OSError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (formats.MAX_FILE, formats.MAX_FILE))
    try:
        answer = {"folder": str(hub.fetch(name))}
    except (ValueError, OSError) as error:
        answer = {"problem": str(error)}
    print(json.dumps(answer))


if __name__ == "__main__":
    _work(sys.argv[1])
