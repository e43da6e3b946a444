"""`tokviz app`: the app in the browser."""

import argparse
from importlib import import_module
from pathlib import Path

import tokviz.widgets
from tokviz.command.parsers import Subcommands, add_command

NAME = "app"

_PACKAGE = tokviz.widgets.FOLDER.parent

_EXAMPLES = (
    ("Open the app in your browser", "tokviz app"),
    ("Serve it on another port, with Streamlit's options", "tokviz app --server.port=8600 --server.headless=true"),
)


def add_to(commands: Subcommands) -> None:
    """Describe the subcommand."""
    add_command(
        commands,
        NAME,
        "Open the app in your browser.",
        run,
        _EXAMPLES,
        more="All other options are those of 'streamlit run'.",
    )


def app_file() -> Path:
    """Return the path of app.py, which lies beside the package in a clone, and inside it where it is installed."""
    installed = _PACKAGE / "app" / "start" / "app.py"
    return installed if installed.exists() else _PACKAGE.parent / "app.py"


def run(args: argparse.Namespace) -> int:
    """Run the app until it is stopped."""
    try:
        streamlit = import_module("streamlit.web.cli")
    except ModuleNotFoundError as error:
        raise ImportError(
            f"the app needs {error.name}, which is not installed: install tokviz with its app, as in "
            "pip install '.[app]' in its folder"
        ) from None
    streamlit.main(["run", str(app_file()), *args.more], prog_name="streamlit")
    return 0
