"""Write a folder that is ready to be a Hugging Face Space: `python deploy/space.py FOLDER`.

Then, with `pip install huggingface_hub`: `hf upload YOU/tokviz FOLDER --repo-type=space`. A Space is a repository whose
README.md begins with its settings and which has a Dockerfile. The settings stand here, not in our own README.md, where
every other reader would see them first; the Dockerfile is our own, with what only a Space needs at its end.
"""

import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

README = """\
---
title: tokviz
emoji: ✂️
colorFrom: blue
colorTo: green
sdk: docker
app_port: 8501
pinned: false
license: other
short_description: See how tokenizers cut a text, and learn why
---

"""

# The page of a Space shows the app in a frame. Its own name can't be known here, but nobody else can give out names
# that end in hf.space. Visitors come through proxies of the Space's network, which say who they are.
SETTINGS = """\
ENV TOKVIZ_HOSTS=*.hf.space
ENV TOKVIZ_FRAME_ANCESTORS=https://huggingface.co
ENV FORWARDED_ALLOW_IPS=10.0.0.0/8,172.16.0.0/12,192.168.0.0/16
"""


def write_space(folder: Path) -> None:
    """Write the files of a Space into `folder`, which must not exist yet."""
    folder.mkdir(parents=True)
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")
    for source in re.findall(r"^COPY (\S+) ", dockerfile, re.MULTILINE):
        _copy(ROOT / source, folder / source)
    _copy(ROOT / "LICENSE", folder / "LICENSE")
    command = dockerfile.rindex("USER ")
    (folder / "Dockerfile").write_text(dockerfile[:command] + SETTINGS + dockerfile[command:], "utf-8")
    introduction = (ROOT / "README.md").read_text("utf-8").split("\n![")[0]  # up to the first picture
    (folder / "README.md").write_text(README + introduction, "utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, target)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Say where to write it: python deploy/space.py FOLDER")
    write_space(Path(sys.argv[1]))
