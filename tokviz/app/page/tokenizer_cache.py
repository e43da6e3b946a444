"""What is worked out of a tokenizer for the pages, and kept for all sessions as long as the registry keeps it."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st

from tokviz.app.visitors.registry import registry

P = ParamSpec("P")
T = TypeVar("T")


def kept_with_tokenizer(
    says: str,
) -> Callable[[Callable[Concatenate[str, P], T]], Callable[Concatenate[str, P], T]]:
    """Keep what a function returns for the name of a tokenizer. `says` stands on the page while it works.

    Further arguments are for the first call: what they are later makes no difference. What is returned is not copied,
    so nobody may change it. Two sessions that ask at the same time both work it out.
    """

    def decorate(work: Callable[Concatenate[str, P], T]) -> Callable[Concatenate[str, P], T]:
        @wraps(work)
        def find(name: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            def work_and_say() -> T:
                with st.spinner(says):
                    return work(name, *args, **kwargs)

            return registry.table(name, f"{work.__module__}.{work.__qualname__}", work_and_say)

        return find

    return decorate
