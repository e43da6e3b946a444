"""Runs the JavaScript unit tests, `tests/js/*.test.js`, in node: no browser, no server, milliseconds each.

All files are run by one process (see `all_tests.mjs`); `node tests/js/NAME.test.js` runs one.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from cases import cases
from node import NODE

FOLDER = Path(__file__).parent
FILES = sorted(path.name for path in FOLDER.glob("*.test.js"))
# No package.json declares the widgets' files as ES modules, so node would warn.
OPTIONS = ("--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test-reporter=tap")

# What TAP says of a file: its tests, and then whether all of them passed.
OF_A_FILE = re.compile(r"^# Subtest: (\S+\.test\.js)\n(.*?)^(ok|not ok) \d+ - \1$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> "subprocess.CompletedProcess[str]":
    """The process that ran all files, with test cases computed in Python, which the JavaScript is tested against."""
    file = tmp_path_factory.mktemp("cases") / "cases.json"
    file.write_text(json.dumps(cases()), "utf-8")
    return subprocess.run(
        [NODE, *OPTIONS, FOLDER / "all_tests.mjs"],
        env=os.environ | {"TOKVIZ_CASES": str(file)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("name", FILES, ids=lambda name: name.removesuffix(".test.js"))
def test_in_node(name: str, done: "subprocess.CompletedProcess[str]") -> None:
    found = {file: (verdict, tests) for file, tests, verdict in OF_A_FILE.findall(done.stdout)}
    assert name in found, done.stdout[-5_000:] + done.stderr
    verdict, tests = found[name]
    assert verdict == "ok", tests
    assert re.search(r"^ +ok \d+ - ", tests, re.MULTILINE), "the file has no tests"


def test_nothing_fails_outside_of_the_files(done: "subprocess.CompletedProcess[str]") -> None:
    others = [line for line in re.findall(r"^(?:not )?ok \d+ - (.*)$", done.stdout, re.MULTILINE) if line not in FILES]
    assert others == []
    failures = re.search(r"^# fail (\d+)$", done.stdout, re.MULTILINE)
    assert failures and (done.returncode == 0) == (failures[1] == "0"), done.stdout[-5_000:] + done.stderr
