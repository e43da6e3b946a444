"""Tokens that are both added and made by merging, as Gemma's runs of spaces are: what is said goes by the place."""

import json
import random

import pytest
from engine_files import family
from tokenizers import Tokenizer

import tokviz
from tokviz.analysis.branches import NO_BRANCH, pretoken_branches
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.widgets import engine_replays

CODE = "def f():\n    return  the\n        low"


@pytest.fixture(scope="module")
def gemma() -> HuggingFaceTokenizer:
    return HuggingFaceTokenizer("gemma", family("gemma"))


def hostile_texts() -> list[str]:
    rng = random.Random(3)
    parts = ["  ", "    ", " ", "▁▁", "▁", "▁ ", "the", "the the", "\n\n\n", "\n", "é", "low"]
    return ["".join(rng.choices(parts, k=rng.randint(1, 9))) for _ in range(200)]


def test_a_token_is_cut_out_where_the_library_finds_it_without_any_merge(gemma: HuggingFaceTokenizer) -> None:
    file = json.loads(family("gemma"))
    file["model"]["merges"] = []
    unmerging = Tokenizer.from_str(json.dumps(file))
    seen = set()
    for text in hostile_texts():
        tokenization = gemma.tokenize(text)
        starts = tokenization.code_point_offsets[:-1].tolist()
        encoding = unmerging.encode(text, add_special_tokens=False)
        places = zip(encoding.ids, encoding.offsets, strict=True)
        found = [(token, start) for token, (start, _) in places if token in gemma.cut_out_ids]
        tokens = list(zip(tokenization.ids.tolist(), starts, gemma.cut_out(tokenization).tolist(), strict=True))
        assert [(token, start) for token, start, is_cut_out in tokens if is_cut_out] == found, text
        seen |= {(token, is_cut_out) for token, _, is_cut_out in tokens}
    assert any({(token, True), (token, False)} <= seen for token in gemma.cut_out_ids), "all were made in one way"


def test_what_is_said_of_merged_spaces(gemma: HuggingFaceTokenizer) -> None:
    gpt2 = tokviz.load("gpt2")
    said = [tokviz.compare(text, [gemma, gpt2]) for text in (CODE, "a▁▁b")]
    merged, added = (" ".join(str(each.explain(segment, 1)) for segment in range(len(each))) for each in said)
    assert "cuts out" not in merged and "cuts out the added token “▁▁”" in added
    assert "cut out" not in str(tokviz.explain_texts("def f():\n return", "def f():\n    return", gemma))
    assert "“▁▁” is cut out" in str(tokviz.explain_texts("ab", "a▁▁b", gemma))


def test_where_merged_spaces_are_shown(gemma: HuggingFaceTokenizer) -> None:
    for text, expected in ((CODE, 0), ("a▁▁b  c", 1)):
        replay = gemma.replay(text)
        assert engine_replays.branches_of(replay, gemma).tolist().count(engine_replays.CUT_OUT) == expected
        assert len(engine_replays.metadata(replay, gemma)["added"]) == expected
        assert [branch for _, branch in pretoken_branches(gemma, text)].count(NO_BRANCH) == expected
    assert gemma.encode("a  b") in gemma.segmentations("a  b", 1_000)


@pytest.mark.parametrize("name", ["gemma", "llama2", "llama2 metaspace", "t5", "llama3", "bert"])
def test_an_added_token_is_the_text_that_the_library_decodes(name: str) -> None:
    tok = HuggingFaceTokenizer(name, family(name))
    letter = tok.library.opened.token_to_id("b")
    if letter is None or tok.drops_spaces:
        return
    for token in tok.added_tokens:
        assert tok.decode([letter, token, letter]) == f"b{tok.vocab[token].decode()}b"


def test_offsets_of_indented_code(gemma: HuggingFaceTokenizer) -> None:
    for text in (CODE, *hostile_texts()):
        ids = gemma.encode(text)
        borders = gemma.offsets(ids).code_point_offsets.tolist()
        assert borders == [len(gemma.decode(ids[:end])) for end in range(len(ids) + 1)]


def test_merged_spaces_of_a_chat_are_not_counted_as_added(gemma: HuggingFaceTokenizer) -> None:
    (token,) = gemma.encode("▁▁")
    for text, expected in (("a  b", ()), ("a▁▁b", (token,))):
        assert tokviz.chat([{"role": "user", "content": text}], gemma, "chatml").ordinary_added == expected
