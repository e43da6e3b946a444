"""nginx in front of test servers. Without it, tests skip with that reason; under CI they fail instead."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from running_app import wait_until_listening

_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


@contextmanager
def nginx(folder: Path, settings: str, port: int) -> Iterator[None]:
    """Run nginx, which `settings` let listen at `port` of 127.0.0.1, with its files in an empty folder."""
    if not shutil.which("nginx"):
        if os.environ.get("CI"):
            pytest.fail("nginx is not installed")
        pytest.skip("no nginx")
    places = "".join(f"{what}_temp_path {folder}/{what};" for what in _TEMPORARY)
    user = "user root;" if os.geteuid() == 0 else ""  # nginx's workers must be able to write to this folder
    whole = f"{user} daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {places}\n{settings}\n}}"
    (folder / "nginx.conf").write_text(whole, "utf-8")
    command = ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            wait_until_listening(port)
            yield
        finally:
            process.terminate()
