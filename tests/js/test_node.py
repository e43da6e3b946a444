"""Runs the JavaScript unit tests, `tests/js/*.test.js`, in node: no browser, no server, milliseconds each."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from cases import cases
from node import NODE

FOLDER = Path(__file__).parent
# No package.json declares the widgets' files as ES modules, so node would warn.
OPTIONS = ("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test-reporter=spec")


@pytest.fixture(scope="module")
def cases_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """File of test cases computed in Python, which the JavaScript is tested against."""
    file = tmp_path_factory.mktemp("cases") / "cases.json"
    file.write_text(json.dumps(cases()), "utf-8")
    return file


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.test.js")), ids=lambda path: path.name.removesuffix(".test.js"))
def test_in_node(path: Path, cases_file: Path) -> None:
    # A file run as a script runs its tests as well; `--test` would start another process for each.
    environment = os.environ | {"TOKVIZ_CASES": str(cases_file)}
    done = subprocess.run(
        [NODE, *OPTIONS, path],
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
