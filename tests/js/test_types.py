"""Checks of the widgets' modules with TypeScript, installed by npm from the lock file here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def npm() -> str:
    """Path of npm, once it has installed TypeScript."""
    npm = shutil.which("npm")
    if npm is None and "CI" not in os.environ:
        pytest.skip("npm is not installed; it would install TypeScript")
    assert npm is not None
    if not (FOLDER / "node_modules" / "typescript").exists():
        subprocess.run([npm, "ci"], cwd=FOLDER, check=True)
    return npm


def test_widget_types_check(npm: str) -> None:
    done = subprocess.run([npm, "exec", "--", "tsc"], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_widget_functions_are_short(npm: str) -> None:
    command = [npm, "exec", "--", "node", "function_lengths.mjs", "80"]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=True)
    assert done.stdout == ""
