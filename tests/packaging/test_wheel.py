"""Tests of the built package: what the wheel holds, and that it finds its files where it is unpacked."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

import tokviz

ROOT = Path(__file__).parent.parent.parent
SOURCES = (
    "pyproject.toml",
    "setup.py",
    "MANIFEST.in",
    "README.md",
    "LICENSE",
    "app.py",
    "pages",
    ".streamlit",
    "tokviz",
)
BUILD = "import sys, setuptools.build_meta as backend; print(getattr(backend, sys.argv[1])(sys.argv[2]))"
LEFT_BEHIND = ("tokviz/removed.py", "tokviz/app/start/pages/removed.py", "another.py")
"""Files of an earlier build."""


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what packages are built from."""
    copy = tmp_path_factory.mktemp("sources")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy)
    return copy


def built(kind: str, sources: Path) -> Path:
    """A package built by setuptools, without a network and apart from other tests."""
    command = [sys.executable, "-c", BUILD, kind, str(sources)]
    done = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return sources / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel(sources: Path) -> Path:
    """A wheel, built where there was another build before."""
    for name in LEFT_BEHIND:
        file = sources / "build" / "lib" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return built("build_wheel", sources)


def test_source_package_has_all_that_a_wheel_is_built_from_and_no_tests(sources: Path) -> None:
    """Tests need files that a package has no use for; without those, they can't run."""
    (sources / "tests").mkdir()
    (sources / "tests" / "test_one.py").touch()
    with tarfile.open(built("build_sdist", sources)) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {name for name in SOURCES if (ROOT / name).is_file()} < held
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "pages").glob("*.py")} < held
    assert not [name for name in held if name.startswith("tests")]


def test_wheel_holds_the_package_and_the_app(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = {path for path in (ROOT / "tokviz").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    app = {ROOT / "app.py", ROOT / ".streamlit" / "config.toml", *(ROOT / "pages").glob("*.py")}
    expected = {path.relative_to(ROOT).as_posix() for path in files}
    assert held == expected | {f"tokviz/app/start/{path.relative_to(ROOT).as_posix()}" for path in app}


def test_wheel_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        [metadata] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        said = message_from_bytes(archive.read(metadata))
        entry_points = archive.read(metadata.replace("METADATA", "entry_points.txt")).decode()
    assert said["Version"] == tokviz.__version__
    assert said["License-Expression"] == "MIT AND Apache-2.0"
    assert said.get_all("Project-URL") is None  # there is none that is ours
    assert "tokviz = tokviz.command.main:main" in entry_points


def test_wheel_holds_the_license_of_each_vocabulary(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        texts = [archive.read(name).decode() for name in archive.namelist() if ".dist-info/licenses/" in name]
        listed = archive.read("tokviz/pretrained/open_models/LICENSES.md").decode()
    assert set(re.findall(r"\| ([\w.-]+) \|$", listed, re.MULTILINE)) - {"license", "---"} == {"MIT", "Apache-2.0"}
    for title in (r"MIT License\n", r"\s+Apache License\n\s+Version 2\.0, January 2004\n"):
        assert [text for text in texts if re.match(title, text)]


def test_unpacked_wheel_runs_and_finds_its_app(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    script = (
        "import tokviz; from tokviz.command.app import app_file; from tokviz.command.main import main;"
        "print(tokviz.__file__); print(app_file()); main(['show', '-m', 'gpt2', '-f', 'ids', '-t', 'hello world'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    package = tmp_path / "tokviz"
    app = package / "app" / "start" / "app.py"
    assert done.stdout.splitlines() == [str(package / "__init__.py"), str(app), "31373 995"]
    assert app.read_bytes() == (ROOT / "app.py").read_bytes()


def test_citation_names_the_version_and_the_license() -> None:
    lines = (ROOT / "CITATION.cff").read_text("utf-8").splitlines()
    assert f"version: {tokviz.__version__}" in lines
    assert "license: MIT" in lines
