"""What a deployment is made of: locked versions, the container's steps, a Hugging Face Space, and nginx's settings."""

import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "deploy" / "requirements.lock").read_text("utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")


def requirements() -> list[Requirement]:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def test_the_lock_holds_all_that_is_required_in_a_version_that_is_allowed() -> None:
    pins = re.findall(r"^([\w.-]+)==([\w.!+]+)", LOCK, re.MULTILINE)
    versions: dict[str, list[str]] = {}
    for name, version in pins:
        versions.setdefault(name.lower().replace("_", "-"), []).append(version)
    for required in requirements():
        assert versions[required.name], required.name
        assert all(Version(version) in required.specifier for version in versions[required.name]), required.name


def test_every_locked_version_has_its_hashes_and_nothing_else() -> None:
    entries = re.split(r"\n(?=\S)", "\n".join(line for line in LOCK.splitlines() if not line.startswith("#")))
    assert len(entries) > 20
    for entry in entries:
        assert re.fullmatch(r"[\w.-]+==[\w.!+]+( ; [^\\]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+", entry), entry


def test_the_container_takes_the_locked_versions_only() -> None:
    installs = [line for line in DOCKERFILE.splitlines() if "pip install" in line]
    assert installs == ["RUN pip install --no-cache-dir --require-hashes -r requirements.lock"]


def test_what_the_container_copies_is_here_and_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for source in re.findall(r"^COPY (\S+) ", DOCKERFILE, re.MULTILINE):
        assert (ROOT / source).exists()
        assert f"!{source}" in ignored


def test_a_space_is_made_of_the_container_s_steps(tmp_path: Path) -> None:
    space = tmp_path / "space"
    runpy.run_path(str(ROOT / "deploy" / "space.py"))["write_space"](space)
    readme = (space / "README.md").read_text("utf-8")
    _, settings, text = readme.split("---\n", 2)
    assert dict(line.split(": ", 1) for line in settings.splitlines())["sdk"] == "docker"
    assert re.findall(r"app_port: (\d+)", settings) == re.findall(r"EXPOSE (\d+)", DOCKERFILE)
    assert text.startswith("\n# tokviz\n")
    assert "![" not in text
    steps = (space / "Dockerfile").read_text("utf-8")
    added = [line for line in steps.splitlines() if line not in DOCKERFILE.splitlines()]
    assert added == ["ENV TOKVIZ_HOSTS=*.hf.space", "ENV TOKVIZ_FRAME_ANCESTORS=https://huggingface.co"]
    for source in re.findall(r"^COPY (\S+) ", steps, re.MULTILINE):
        assert (space / source).exists()


@pytest.mark.skipif(not shutil.which("nginx"), reason="no nginx")
def test_nginx_takes_its_settings(tmp_path: Path) -> None:
    settings = (ROOT / "deploy" / "nginx.conf").read_text("utf-8").replace("listen 80;", "listen 127.0.0.1:8080;")
    whole = f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off;\n{settings}\n}}"
    (tmp_path / "nginx.conf").write_text(whole, "utf-8")
    command = ["nginx", "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
