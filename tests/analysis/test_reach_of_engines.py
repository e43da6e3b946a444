"""Reachability of engines' tokens: the libraries that encode for them are the judges, of witnesses and of proofs."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest
import sentencepiece
import tokenizers
from engine_files import FAMILIES, family, nasty_texts, sentencepiece_model

import tokviz
from tokviz.analysis.vocabulary.character_parts import assigned_characters
from tokviz.analysis.vocabulary.contents import VocabularyEntry, vocabulary_table
from tokviz.analysis.vocabulary.reach import Reach, TokenReach, token_reach
from tokviz.display import token_text
from tokviz.loading import load_shipped
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

Encode = Callable[[str], list[int]]


def judge_of(tok: Any) -> Encode:
    """The library's own encoding from the tokenizer's file, in which special tokens are text like any other."""
    if isinstance(tok, SentencePieceTokenizer):
        processor = sentencepiece.SentencePieceProcessor(model_proto=tok.data)
        return lambda text: list(processor.encode(text))
    library = tokenizers.Tokenizer.from_buffer(tok.data)
    library.encode_special_tokens = True
    library.no_truncation()
    return lambda text: list(library.encode(text, add_special_tokens=False).ids)


def sampled(tok: Any, ids: Iterable[int]) -> list[VocabularyEntry]:
    """Rows of a vocabulary's table, for some of its tokens: the whole one takes seconds."""
    rows = []
    for token in sorted(ids):
        text = token_text(tok.vocab[token])
        reached = token in tok.encode(text) if text else None
        rows.append(VocabularyEntry(token, None, tok.vocab[token], text, "", reached))
    return rows


def check_witnesses(rows: Iterable[TokenReach], encode: Encode, cut_out: Iterable[int]) -> None:
    cut_out = set(cut_out)
    for row in rows:
        assert (row.witness is None) == (row.reach in (Reach.UNREACHABLE, Reach.UNDECIDED)), row
        assert bool(row.reason) == (row.reach is Reach.UNREACHABLE), row
        assert row.witness is None or row.id in cut_out or row.id in encode(row.witness), row


# Tokens that took neighbors, or proofs, of every kind: parts of characters before and after others, `##` before Chinese
# characters and before letters, bytes of characters that are pieces and of those that aren't, decomposed characters.
HARD = {
    "bert-base-uncased": [1, 521, 3372, 12193, 24917, 29932, 30160, 30271, 30520],
    "mistral-7b": [0, 772, 782, 807, 965, 966, 1000, 1686, 1779, 5228, 29473],
    "qwen3": [127, 128, 15393, 37698, 77150, 119349, 123806, 123807],
    "deepseek": [14868, 17206, 38545, 78113, 103981],
}


@cache
def shipped_rows(name: str) -> list[TokenReach]:
    tok = load_shipped(name)
    ordinary = sorted(set(tok.vocab) - set(tok.special_tokens.values()))
    return token_reach(tok, sampled(tok, {*HARD[name], *random.Random(34).sample(ordinary, 300)}))


@pytest.mark.parametrize("name", HARD)
def test_no_token_of_a_shipped_engine_is_undecided(name: str) -> None:
    tok: Any = load_shipped(name)
    encode = judge_of(tok)
    check_witnesses(shipped_rows(name), encode, ())
    assert [row for row in shipped_rows(name) if row.reach is Reach.UNDECIDED] == []
    never = {row.id: row for row in shipped_rows(name) if row.reach is Reach.UNREACHABLE}
    # Texts that would give them if anything did: their own among all kinds of neighbors.
    for token, row in never.items():
        text = row.bytes.decode("utf-8", "ignore").removeprefix("##")
        for beside in ("", "a", " ", "1", "中", "\n", "\u0301", "\ue000", "!"):
            assert not {token} & {*encode(beside + text), *encode(text + beside), *encode(beside + text + beside)}, row
    used = {token for text in nasty_texts(500) for token in encode(text)}
    assert not used & never.keys()


def test_reasons_name_the_rule() -> None:
    reasons = {name: {row.id: row.reason for row in shipped_rows(name)} for name in HARD}
    assert "cut into several words" in reasons["bert-base-uncased"][521]  # [unused516]
    assert "never continues one" in reasons["bert-base-uncased"][30271]  # ##世
    assert "has a token of its own" in reasons["mistral-7b"][807]  # <0x24>, and there is $
    assert reasons["mistral-7b"][0] == "each byte has a token, so nothing is unknown"
    assert "split pattern" in reasons["qwen3"][77150]  # two digits


@pytest.mark.parametrize("name", [*FAMILIES, "unigram", "bpe", "bytes"])
def test_proofs_hold_for_every_text_tried(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files of all families: a token that some text gives is never called unreachable.

    No proof looks at single characters for witnesses, of which trying all takes most of the time: some will do.
    """
    some = assigned_characters()[::50]
    monkeypatch.setattr("tokviz.analysis.vocabulary.reach.assigned_characters", lambda: some)
    tok: Any
    if name in FAMILIES:
        tok = HuggingFaceTokenizer(name, family(name))
    else:
        options = {"model_type": "unigram"} if name == "unigram" else {"model_type": "bpe"}
        tok = SentencePieceTokenizer(name, sentencepiece_model(**options, byte_fallback=name == "bytes"))
    encode = judge_of(tok)
    rows = token_reach(tok)
    check_witnesses(rows, encode, {*tok.cut_out_ids, *tok.special_tokens.values()})
    never = {row.id for row in rows if row.reach is Reach.UNREACHABLE}
    texts = [text for data in tok.vocab.values() if (text := token_text(data))]
    choose = random.Random(5).choice
    glued = ("".join(choose(texts) for _ in range(4)) for _ in range(1_000))
    used = {token for text in (*nasty_texts(1_000), *texts, *glued) for token in encode(text)}
    assert not {row for row in rows if row.id in used & never}


def test_an_audit_reports_its_phases() -> None:
    seen: list[tuple[str, int, int | None]] = []
    tokviz.audit("gpt2", ["a b"], progress=lambda *report: seen.append(report))
    assert Counter(phase for phase, _, _ in seen).keys() == {"vocabulary", "characters", "contexts", "texts"}
    for phase in ("vocabulary", "contexts"):
        numbers = [(done, total) for each, done, total in seen if each == phase]
        assert numbers == sorted(numbers) and numbers[-1][0] == numbers[-1][1] and len(numbers) > 2
    heard: list[int] = []
    tokviz.audit(tokviz.WordTokenizer(["a"]), ["a b", "ü"], progress=heard.append)
    assert heard == [5]
    assert vocabulary_table("gpt2") == vocabulary_table("gpt2", progress=lambda *_: None)


@pytest.mark.parametrize(
    ("name", "specials"),
    [("llama2", "\n("), ("clip", "a"), ("clip", "(1"), ("roberta", "\n"), ("bert", "a1"), ("t5", "1\n")],
)
def test_witnesses_hold_their_tokens_where_special_tokens_are_cut_out(name: str, specials: str) -> None:
    """Other texts are found than those that these special tokens cut, unless each text with a token holds one."""
    library = tokenizers.Tokenizer.from_str(family(name).decode())
    added = [tokenizers.AddedToken(text, special=True, normalized=False) for text in specials]
    library.add_special_tokens(added)
    tok = HuggingFaceTokenizer(name, library.to_str().encode())
    cut_out = tok.cut_out_ids | tok.byte_ids | ({tok.unknown} if tok.unknown is not None else set())
    ordinary = [row for row in token_reach(tok) if row.id not in cut_out and row.witness is not None]
    check_witnesses(ordinary, judge_of(tok), cut_out)
    spared = [row for row in ordinary if not any(text.encode() in row.bytes for text in specials)]
    assert len(spared) > 80
    for row in spared:
        assert row.id in library.encode(row.witness, add_special_tokens=False).ids, row


def test_a_text_that_is_composed_avoids_a_special_token() -> None:
    library = tokenizers.Tokenizer.from_str(family("modernbert").decode())
    library.add_special_tokens([tokenizers.AddedToken(text, special=True, normalized=False) for text in "éïö"])
    tok = HuggingFaceTokenizer("composed", library.to_str().encode())
    rows = [row for row in token_reach(tok) if row.id not in tok.cut_out_ids and row.witness is not None]
    composed = [row for row in rows if any(text.encode() in row.bytes for text in "éïö")]
    assert composed
    for row in composed:
        assert row.id in library.encode(row.witness, add_special_tokens=False).ids, row
