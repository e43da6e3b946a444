"""Cache of results for a tokenizer: shared by all sessions, as long as the registry keeps the tokenizer."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from tokviz.app.visitors.kept_tokenizers import registry

P = ParamSpec("P")
T = TypeVar("T")


def kept_with_tokenizer(
    says: str,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Cache a function's result by the name of a tokenizer. The page shows `says` while the function runs.

    Further arguments are used only by the call that computes the result, and are not part of the key. Results are not
    copied, so callers must not modify them. Two sessions that call at the same time both compute the result.
    """

    def decorate(work: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        @wraps(work)
        def find(name: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            def work_with_spinner() -> T:
                # A download may need the result, too, when no page runs.
                with st.spinner(says) if get_script_run_ctx(suppress_warning=True) else nullcontext():
                    return work(name, *args, **kwargs)

            return registry.table(name, f"{work.__module__}.{work.__qualname__}", work_with_spinner)

        return find

    return decorate
