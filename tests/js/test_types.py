"""Checks the JSDoc types of the widgets' modules with TypeScript, installed by npm from the lock file here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def test_widget_types_check() -> None:
    npm = shutil.which("npm")
    if npm is None and "CI" not in os.environ:
        pytest.skip("npm is not installed; it would install TypeScript")
    assert npm is not None
    if not (FOLDER / "node_modules" / "typescript").exists():
        subprocess.run([npm, "ci"], cwd=FOLDER, check=True)
    done = subprocess.run([npm, "exec", "--", "tsc"], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
