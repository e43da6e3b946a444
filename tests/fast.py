"""gigatoken turned on for tests, with verdicts in a folder of their own, which all tests of a run share."""

from collections.abc import Iterator

import pytest

from tokviz.tokenizers.engines import choice


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep verdicts of proofs in a folder for tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def fast(verdicts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let gigatoken encode texts of any length, where it is proved."""
    monkeypatch.delenv("TOKVIZ_FAST")
    monkeypatch.setattr(choice, "FROM_LENGTH", 0)
