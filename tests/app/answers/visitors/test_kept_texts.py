"""The texts that sessions keep."""

import pytest

from tokviz.app.answers.visitors import kept_texts
from tokviz.app.shields.fairness.budgets import Budget, LetGo
from tokviz.app.shields.fairness.visitors import Visitor


def test_a_text_is_found_while_it_is_kept() -> None:
    kept = kept_texts.KeptText("a text")
    other = kept_texts.KeptText("a text")
    assert kept.id != other.id
    assert len(kept.id) == 22  # 128 bits
    assert kept_texts.find(kept.id) == "a text"
    id = kept.id
    del kept
    assert kept_texts.find(id) is None


def test_texts_of_sessions_share_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = Budget(limit=1_000_000)
    monkeypatch.setattr(kept_texts, "_texts", texts)
    anna, ben = Visitor("10.0.0.1"), Visitor("10.0.0.2")
    bens = kept_texts.KeptText("b" * 300_000, ben)
    annas = [kept_texts.KeptText("a" * size, anna) for size in (200_000, 400_000)]
    with pytest.raises(LetGo):
        kept_texts.KeptText("a" * 500_000, anna)
    assert all(kept.text for kept in (bens, *annas))
    more = kept_texts.KeptText("b" * 200_000, ben)  # the address that holds the most gives way
    assert [kept.text is None for kept in (bens, *annas, more)] == [False, False, True, False]
    del bens, annas, more
    assert texts._total == 0
