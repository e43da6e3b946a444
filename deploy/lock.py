"""Renew `requirements.lock`: the exact versions that the container installs, with the hashes of their files.

`python deploy/lock.py` takes the newest versions that `requirements.txt` allows, for all platforms and for Python 3.11
and later. It needs `uv` (`pip install uv`) and a network.
"""

import subprocess
from pathlib import Path

FOLDER = Path(__file__).parent
COMMAND = [
    *("uv", "pip", "compile", "requirements.txt", "--output-file", "deploy/requirements.lock", "--upgrade"),
    *("--universal", "--python-version", "3.11", "--generate-hashes", "--no-annotate"),
    *("--custom-compile-command", "python deploy/lock.py"),
]

if __name__ == "__main__":
    subprocess.run(COMMAND, cwd=FOLDER.parent, check=True, stdout=subprocess.DEVNULL)
