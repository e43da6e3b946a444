"""Garbage collection while the app starts."""

import subprocess
import sys

# A full collection scans all that is in memory, 50 ms of the start once Streamlit is.
STARTS = """
import gc, streamlit
loaded = len(gc.get_objects())
import tokviz.app
assert gc.get_freeze_count() >= loaded, (gc.get_freeze_count(), loaded)
"""


def test_the_app_s_imports_leave_streamlit_to_no_collection() -> None:
    subprocess.run([sys.executable, "-c", STARTS], check=True)
