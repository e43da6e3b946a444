"""The process that fetches tokenizer files from the Hugging Face hub (see `fetching`).

It runs this module with `python -m`. It answers with a sentence that says why there are no files, or with none and the
files. They are on disk only while it runs: it removes its folder when it is told to end (SIGTERM), too, as it is when
the server ends.
"""

import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import IO

from tokviz import formats
from tokviz.app.shields.processes import exchange
from tokviz.app.shields.processes.lifetime import begin
from tokviz.formats.chat_files import chat_files
from tokviz.pretrained import hub

MAX_MEMORY = 512 * 1024**2
"""Maximum bytes of address space of this process."""

FOLDER = "tokviz-hub-"
"""Beginning of the names of the folders into which files are fetched."""

OLD_SECONDS = 600.0
"""Seconds after which a folder has been left behind by a process that was killed."""

Files = tuple[dict[str, bytes], dict[str, bytes]]
"""Files that hold a tokenizer, and those beside them that may hold its chat template."""

_NO_FOLDER = "this server has no folder for temporary files (TMPDIR), without which nothing can be fetched"


def _work(name: str, seconds: float, answers: IO[bytes]) -> None:
    signal.signal(signal.SIGTERM, _exit)
    begin(MAX_MEMORY, seconds, signal_number=signal.SIGTERM)
    with suppress(ImportError, ValueError, OSError):  # not on Windows
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (formats.MAX_FILE, formats.MAX_FILE))
    try:
        with _cache():
            fetched = _fetched_apart(name)
    except (ValueError, OSError) as error:
        fetched = str(error)
    message = exchange.pack(fetched) if isinstance(fetched, str) else exchange.pack("", *fetched)
    exchange.write(answers, message)


def _exit(number: int, _: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # a server that ends tells it twice, which must not disturb the removal
    raise SystemExit(1)


@contextmanager
def _cache() -> Iterator[None]:
    """Let the hub's library keep its files in a folder that is removed after the block. Raises ValueError.

    Offline, there is only what the owner of this server has fetched.
    """
    if os.environ.get("HF_HUB_OFFLINE"):
        yield
        return
    try:
        folder = Path(tempfile.gettempdir(), FOLDER + secrets.token_hex(8))
    except OSError:
        raise ValueError(_NO_FOLDER) from None
    try:  # from here on, whenever it is told to end
        try:
            folder.mkdir(mode=0o700)
        except OSError:
            raise ValueError(_NO_FOLDER) from None
        _remove_old(folder.parent)
        os.environ["HF_HUB_CACHE"] = str(folder)
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_old(parent: Path) -> None:
    """Remove folders of processes that the system killed."""
    for folder in parent.glob(f"{FOLDER}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > OLD_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def _fetched_apart(name: str) -> Files | str:
    """Fetch files in a thread, or return why there are none: this one must be free to end the process."""
    results: list[Files | str] = []

    def fetch() -> None:
        try:
            folder = hub.fetch(name)
            files = formats.folder_files(folder)
            beside = {each: data for each, data in chat_files(folder).items() if each not in files}
            size = sum(len(data) for data in (files | beside).values())
            too_long = f"the files of {name} have more than {formats.MAX_FILE / 1e6:g} MB together"
            results.append((files, beside) if size <= formats.MAX_FILE else too_long)
        except (ValueError, OSError) as error:
            results.append(str(error))

    thread = Thread(target=fetch, daemon=True)
    thread.start()
    thread.join()
    return results[0] if results else f"{name} could not be fetched"


if __name__ == "__main__":
    _work(sys.argv[1], float(sys.argv[2]), sys.stdout.buffer)
