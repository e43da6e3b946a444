"""Take the Dockerfile's steps without Docker: in a folder and a virtual environment of their own, then serve the app.

`python .ci/container.py [FOLDER_WITH_DOCKERFILE]` ends with 0 if the app answers as it should from what was copied and
installed. Accounts are left out: USER, and RUN useradd.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from pathlib import Path

PORT = 8766
ADDRESS = f"http://127.0.0.1:{PORT}"
PATIENCE = 120  # seconds


def prepare(source: Path, target: Path) -> tuple[list[str], dict[str, str]]:
    """Do what the Dockerfile says in `target`. Returns the command to run, and its environment."""
    venv.create(target / "venv", with_pip=True)
    app = target / "app"
    app.mkdir()
    environment = {"PATH": f"{target / 'venv' / 'bin'}:{os.environ['PATH']}", "HOME": tempfile.gettempdir()}
    command: list[str] = []
    for line in (source / "Dockerfile").read_text("utf-8").splitlines():
        step, _, rest = line.partition(" ")
        if step == "COPY":
            copy(source / rest.split()[0], app / rest.split()[1])
        elif step == "RUN" and not rest.startswith("useradd "):
            subprocess.run(rest, shell=True, cwd=app, env=os.environ | environment, check=True)
        elif step == "ENV":
            name, _, value = rest.partition("=")
            environment[name] = value
        elif step == "CMD":
            command = json.loads(rest)
        elif step not in ("", "#", "FROM", "WORKDIR", "USER", "EXPOSE", "RUN"):
            raise SystemExit(f"{step} is not known here")
    return command, os.environ | environment


def copy(source: Path, target: Path) -> None:
    """Copy a file or a folder, as COPY does."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, target / source.name if target.is_dir() else target)


def answer(path: str, body: bytes | None = None) -> bytes:
    """What the app answers to a GET or, with a body, to a POST."""
    with urllib.request.urlopen(urllib.request.Request(ADDRESS + path, body), timeout=PATIENCE) as response:
        return response.read()


def check(app: "subprocess.Popen[bytes]") -> None:
    """The app comes up, sends its page and cuts a text."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            answer("/_stcore/health")
            break
        except urllib.error.URLError:
            if app.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.2)
    assert re.search(rb"<title>", answer("/"))
    assert answer("/_tokviz/tokenize?tokenizer=o200k_base", b"Hello, container!")


def main() -> None:
    """Prepare, serve, check."""
    source = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    with tempfile.TemporaryDirectory() as folder:
        command, environment = prepare(source, Path(folder))
        command = [word.replace("--server.port=8501", f"--server.port={PORT}") for word in command]
        executable = shutil.which(command[0], path=environment["PATH"])
        assert executable and executable.startswith(folder), "the command is not among what was installed"
        print("container:", shlex.join(command))
        with subprocess.Popen([executable, *command[1:]], cwd=Path(folder) / "app", env=environment) as app:
            try:
                check(app)
            finally:
                app.terminate()
    print("container: the app is up, from the locked versions")


if __name__ == "__main__":
    main()
