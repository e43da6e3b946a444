"""Adds the app to the built package: app.py, pages/ and .streamlit/ as `tokviz/app/start/`, where `tokviz app` looks.

All else about the package is in pyproject.toml. An editable install needs no copy: there, the files lie beside it.
"""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

_ROOT = Path(__file__).parent
_FILES = ("app.py", "pages/*.py", ".streamlit/config.toml")


class BuildWithApp(build_py):
    """The step that collects Python files, and the app's after them."""

    def run(self) -> None:
        """Collect the files, and nothing that an earlier build left behind: all that lies here becomes the wheel."""
        if not self.editable_mode:
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "tokviz" / "app" / "start"
        for pattern in _FILES:
            for file in sorted(_ROOT.glob(pattern)):
                copy = target / file.relative_to(_ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)


setup(cmdclass={"build_py": BuildWithApp})
