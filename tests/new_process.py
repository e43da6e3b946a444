"""Python in a new process, which has imported nothing yet."""

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).parent.parent


def output_of(script: str) -> str:
    """Return what a Python script prints. The script must succeed."""
    done = subprocess.run([sys.executable, "-c", script], cwd=_ROOT, capture_output=True, text=True, check=True)
    return done.stdout
