"""What is a letter, a digit or a mark is what it is to tiktoken and to Hugging Face's library, in every pattern."""

import json
import random
from array import array
from base64 import b64encode
from functools import cache
from pathlib import Path

import pytest
import regex
import tiktoken
from strategies import disputed, every_character
from tokenizers import Regex, Tokenizer, pre_tokenizers

import tokviz
from tokviz import formats
from tokviz.app.answers.saved_files import saved_file
from tokviz.command.main import main
from tokviz.formats.plain_patterns import to_oniguruma
from tokviz.pretokens import splitting, unicode_tables
from tokviz.tokenizers.engines import hugging_face_library
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer

BYTES = {bytes([value]): value for value in range(256)}
PROPERTIES = """L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C
Han Hiragana Katakana Latin Greek Arabic Hebrew Thai Devanagari Bengali Telugu"""
CLASSES = [rf"\{p}{{{name}}}" for p in "pP" for name in PROPERTIES.split()] + [rf"\{name}" for name in "wWdDsS"]
SETS = [r"[^\s\p{L}\p{N}]", r"[\p{L}\p{M}a-z]", r"[^\P{L}]", r"[\P{M}\d_]"]
SETS += ["[\u0500-\u05ff\\p{S}]", "[^\U0001f300-\U0001faff\\w]"]
ATOMS = [*SETS, r"\P{L}", r"\w", r"\W", r"\s", "a", "[^ ]", *(rf"\p{{{name}}}" for name in "LMNS")]
PLACES = ["(?={})", "(?!{})a", "{}", "{}", "{}+", "{}*", "{}?", "{}{{1,3}}", "{}++", "(?:{}|b)", "(?>{}+)b?"]


@cache
def hard_characters() -> list[str]:
    """Every disputed character, of a long run only some, and every 200th of the others."""
    runs = regex.findall(r"(?s)(?:\p{Lo}{100})|.", "".join(sorted(disputed())))
    return [*(run[0] for run in runs), *every_character()[::200]]


def in_tiktoken(text: str, pattern: str) -> str:
    """Return what a pattern matches in a text: tiktoken drops the rest."""
    encoding = tiktoken.Encoding("one", pat_str=pattern, mergeable_ranks=BYTES, special_tokens={})
    return bytes(encoding.encode_ordinary(text)).decode()


def in_hugging_face(text: str, pattern: str) -> list[str]:
    """Return the matches and what is between them."""
    return [piece for piece, _ in pre_tokenizers.Split(Regex(to_oniguruma(pattern)), "isolated").pre_tokenize_str(text)]


@pytest.mark.parametrize("kind", CLASSES + SETS)
def test_a_class_has_the_characters_that_it_has_in_both_libraries(kind: str) -> None:
    text = "".join(hard_characters())
    found = "".join(splitting.compile_for(text, kind).findall(text))
    assert found == in_tiktoken(text, kind)
    if kind not in (r"\p{C}", r"\P{C}"):  # which counts the surrogates elsewhere
        assert splitting.split(text, f"{kind}+") == in_hugging_face(text, f"{kind}+")


def random_pattern(rng: random.Random) -> str:
    """A pattern of a few alternatives, which matches any character in the end."""
    parts = ("".join(rng.choice(PLACES).format(rng.choice(ATOMS)) for _ in range(rng.randint(1, 3))) for _ in range(3))
    return "|".join([*(f"{part}{rng.choice(ATOMS)}" for part in parts), r"[\s\S]"])


def random_text(rng: random.Random) -> str:
    characters = [*rng.sample(hard_characters(), 4), *"aB1 \n'\u0301é\U0001f355"]
    return "".join(rng.choices(characters, k=rng.randint(1, 20)))


@pytest.mark.parametrize("seed", range(20))
def test_any_pattern_cuts_hostile_texts_as_both_libraries_do(seed: int) -> None:
    rng = random.Random(seed)
    pattern = random_pattern(rng)
    for text in (random_text(rng) for _ in range(30)):
        pieces = splitting.split(text, pattern)
        assert pieces == in_hugging_face(text, pattern), (pattern, text)
        ranks = BYTES | {piece: 256 + n for n, piece in enumerate({p.encode() for p in pieces} - BYTES.keys())}
        encoding = tiktoken.Encoding("pieces", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        assert encoding.decode_tokens_bytes(encoding.encode_ordinary(text)) == [piece.encode() for piece in pieces]


@pytest.mark.parametrize("pattern", [r"\b\w+", r"\B.|.", r"(?i:\w\b)|."])
def test_edges_of_words_are_those_of_tiktoken(pattern: str) -> None:
    rng = random.Random(1)
    for text in (random_text(rng) for _ in range(200)):
        matches = splitting.match_spans([text], pattern)[0]
        found = "".join(text[start:end] for start, end in zip(matches[::2], matches[1::2], strict=True))
        assert found == in_tiktoken(text, pattern), text


def test_case_is_folded_as_in_tiktoken() -> None:
    """A new letter may be the capital of an old one, to those who know it."""
    text = "".join(hard_characters())
    for old in "ɤƛꟌ":
        for pattern in (f"(?i){old}", f"(?i:[{old}])", f"x|(?i:\\u{ord(old):04x})"):
            spans = splitting.match_spans([text], pattern)[0]
            found = "".join(text[start:end] for start, end in zip(spans[::2], spans[1::2], strict=True))
            assert found == in_tiktoken(text, pattern), pattern


def test_texts_without_disputed_characters_leave_a_pattern_as_it_is() -> None:
    pattern = r"\p{L}+|\w"
    assert unicode_tables.rewritten(pattern, "abc naïve 你好 \U0001f355 \u0301") is pattern
    assert unicode_tables.rewritten(pattern, "") is pattern


@pytest.mark.parametrize("pattern", [r"(?x) \p{L}+ # [letters", r"(?V1)[\p{L}--[a-z]]+", r"(?:foo){e<=1:[a-z]}"])
def test_what_is_not_taken_apart_is_matched_as_it_is(pattern: str) -> None:
    text = "a foo " + "".join(sorted(disputed())[:3])
    spans = [edge for match in regex.finditer(pattern, text) for edge in match.span()]
    assert splitting.match_spans([text], pattern) == [array("i", spans)]


def test_a_slow_pattern_is_told_as_it_was_written() -> None:
    text = "".join(sorted(disputed())[:1]) + "ab" * 500_000
    with splitting.time_limit(0.05), pytest.raises(splitting.TooSlow) as raised:
        splitting.split(text, r"(?=(\w*a)*c)b|.")
    assert r"'(?=(\\w*a)*c)b|.'" in str(raised.value) or r"(?=(\w*a)*c)b|." in str(raised.value)
    assert "\\x00" not in str(raised.value)


def test_only_characters_near_those_of_a_text_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    find = regex.findall

    def counted(pattern: str, text: str) -> list[str]:
        compared.append(len(text))
        return find(pattern, text)

    monkeypatch.setattr(regex, "findall", counted)
    unicode_tables._disputed.cache_clear()
    for text in ("é", "naïve Öl", "é" * 9):
        unicode_tables.rewritten(r"\p{L}", text)
    assert 0 < sum(compared) <= 5 * 1_024


OWN = r"[\p{L}\p{M}]+|\p{N}{1,2}|[^\s\p{L}\p{N}\p{M}]+|\s+"


def trained_on_disputes() -> tuple[tokviz.BPETokenizer, list[str]]:
    """A tokenizer with a pattern of one's own, whose merges join what is disputed, and hostile texts."""
    rng = random.Random(2)
    texts = [random_text(rng) for _ in range(300)]
    corpus = ["".join(rng.choices(sorted(disputed())[:40], k=4)) * 9 + "ab 12" for _ in range(40)]
    return tokviz.train([*corpus, *texts], num_merges=400, split_pattern=OWN), [*texts, *corpus]


def test_a_saved_tokenizer_gives_the_same_ids_in_its_own_library() -> None:
    tok, texts = trained_on_disputes()
    files, left_out = formats.write(tok, "tokenizer.json")
    theirs = Tokenizer.from_str(files["tokenizer.json"].decode())
    assert not left_out
    assert [tok.encode(text) for text in texts] == [ids.ids for ids in theirs.encode_batch(texts)]
    assert formats.read(files).encode("".join(texts)) == tok.encode("".join(texts))


def test_a_file_for_minbpe_says_which_characters_it_may_cut_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """minbpe matches the file's pattern with Python's `regex`, whatever edition that follows."""
    tok, _ = trained_on_disputes()
    with pytest.warns(UserWarning, match=r"own\.model: characters newer than Unicode \d+\.\d may be cut"):
        tokviz.save(tok, tmp_path / "own.model")
    pattern = (tmp_path / "own.model").read_text("utf-8").split("\n")[1]

    def is_cut_alike(text: str) -> bool:
        return regex.findall(pattern, text) == tok.pretokens(text)

    known = "".join(char for char in map(chr, range(0x30000)) if char.isprintable() and char not in disputed())
    assert is_cut_alike(known)
    assert not all(is_cut_alike(f"a{char}1") for char in disputed() if unicode_tables.known_to_tiktoken(char) == "")
    assert "Characters newer than Unicode " in saved_file(tok, "minbpe's", "own.model").says
    assert main(["convert", "gpt2", str(tmp_path / "tokenizer.json")]) == 0
    assert "minbpe" not in capsys.readouterr().err
    assert main(["convert", str(tmp_path / "own.model"), str(tmp_path / "copy.model")]) == 0
    assert "tokviz: copy.model: characters newer than Unicode " in capsys.readouterr().err
    tokviz.save(tokviz.train("ab ab", num_merges=1), tmp_path / "whole.model")  # no pattern, no difference


def test_mistrals_tokenizer_gives_the_ids_of_tiktoken_with_its_pattern() -> None:
    tok, texts = trained_on_disputes()
    ranks = [data for token, data in sorted(tok.vocab.items())]
    file = {
        "config": {"pattern": OWN, "default_vocab_size": len(ranks) + 1, "default_num_special_tokens": 1},
        "vocab": [{"rank": n, "token_bytes": b64encode(data).decode()} for n, data in enumerate(ranks)],
    }
    opened = formats.read_any({"tekken.json": json.dumps(file).encode()})
    judge = tiktoken.Encoding(
        "judge", pat_str=OWN, mergeable_ranks={data: 1 + n for n, data in enumerate(ranks)}, special_tokens={}
    )
    assert [opened.encode(text) for text in texts] == judge.encode_ordinary_batch(texts)


def test_libraries_with_two_editions_are_not_taken_for_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The library then encodes for its own files, and what is written says so."""
    tok, texts = trained_on_disputes()
    assert hugging_face_library.shares_unicode()
    written = formats.write(tok, "tokenizer.json").files
    monkeypatch.setattr(hugging_face_library, "shares_unicode", lambda: False)
    opened = formats.read_any(written)
    assert isinstance(opened, HuggingFaceTokenizer) and opened.encode("".join(texts)) == tok.encode("".join(texts))
    with pytest.warns(UserWarning, match=r"tokenizer\.json: new characters of Unicode may get other ids"):
        tokviz.save(tok, tmp_path / "tokenizer.json")
    with pytest.raises(ValueError, match="another edition of Unicode"):
        formats.read(written)


def test_the_edition_of_tiktoken_is_asked_by_characters_that_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    older = tiktoken.Encoding("older", pat_str=r"[^\p{Cn}\u1c89]+", mergeable_ranks=BYTES, special_tokens={})
    monkeypatch.setattr(unicode_tables, "_in_tiktoken", lambda _: older)
    assert not hugging_face_library.shares_unicode.__wrapped__()
