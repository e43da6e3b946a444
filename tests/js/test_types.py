"""Checks of the widgets' modules with TypeScript, installed by npm from the lock file here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from node import NODE

FOLDER = Path(__file__).parent
TYPESCRIPT = FOLDER / "node_modules" / "typescript"


@pytest.fixture(scope="module", autouse=True)
def typescript() -> None:
    """Install TypeScript, if it isn't there."""
    npm = shutil.which("npm")
    if npm is None and "CI" not in os.environ:
        pytest.skip("npm is not installed; it would install TypeScript")
    assert npm is not None
    if not TYPESCRIPT.exists():
        subprocess.run([npm, "ci"], cwd=FOLDER, check=True)


def test_widget_types_check() -> None:
    command = [NODE, TYPESCRIPT / "bin" / "tsc"]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_widget_functions_are_short() -> None:
    command = [str(NODE), "function_lengths.mjs", "80"]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=True)
    assert done.stdout == ""
