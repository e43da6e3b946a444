"""The same tokenizer or not: known silent changes between editions of published tokenizers are found.

Each is built small, as its published description says, by Hugging Face's library, which is also the judge: it must
agree that the witness gets other ids, and that it doesn't with any one character left out.
"""

import io
import json
from functools import cache
from typing import Any

import pytest
import sentencepiece
from engine_files import family
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, examples, texts
from tokenizer_files import DEEPSEEK, LLAMA3, QWEN, byte_level, opened, sequence, split, with_every_pair
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

import tokviz
from tokviz import pretrained
from tokviz.analysis.difference import merge_tables
from tokviz.analysis.difference.difference import Verdict, difference, shorten_while
from tokviz.analysis.difference.stages import Stage
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.tokenizers.engines.sentencepiece import SentencePieceTokenizer

TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|"
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|"
    r"\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def edition(words: list[str], pattern: Any, normalizer: Any = None, added: Any = (), **options: Any) -> Any:
    """A tokenizer of Hugging Face's library in which each of the words is a token. `pattern` may be a pre-tokenizer."""
    library = Tokenizer(models.BPE(**options))
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2000, show_progress=False, initial_alphabet=alphabet, min_frequency=2)
    library.pre_tokenizer = byte_level()
    library.train_from_iterator([word for word in words for _ in range(3)], trainer)
    library.pre_tokenizer = sequence(split(pattern), byte_level()) if isinstance(pattern, str) else pattern
    if normalizer is not None:
        library.normalizer = normalizer
    library.add_tokens(list(added))
    return library


def ids_of(library: Any, text: str) -> tuple[int, ...]:
    return tuple(library.encode(text, add_special_tokens=False).ids)


def with_model(library: Any, **changes: Any) -> Any:
    """A copy with changes to the model in its file."""
    content = json.loads(library.to_str())
    content["model"] |= changes
    return Tokenizer.from_str(json.dumps(content))


def model_of(library: Any) -> Any:
    return json.loads(library.to_str())["model"]


def without_its_merge(library: Any, token: str) -> Any:
    """A copy in which no merge makes a token of the vocabulary, in the file's spelling."""
    return with_model(library, merges=[pair for pair in model_of(library)["merges"] if "".join(pair) != token])


def with_ids_exchanged(library: Any, one: str, other: str) -> Any:
    vocab = model_of(library)["vocab"]
    return with_model(library, vocab=vocab | {one: vocab[other], other: vocab[one]})


def llama_editions() -> tuple[Any, Any]:
    """Two orders of merges that compete for the `b` of `abc`."""
    library = edition(["abcd"], LLAMA3)
    vocab = model_of(edition([], LLAMA3))["vocab"] | {"ab": 256, "bc": 257, "abc": 258, "abcd": 259}
    merges = [["a", "b"], ["b", "c"], ["ab", "c"], ["abc", "d"]]
    orders = merges, [merges[1], merges[0], *merges[2:]]
    one, other = (with_model(library, vocab=vocab, merges=order) for order in orders)
    return one, other


WORDS = ["'The'", "'T", "it's", "hello", " world", "2024", "12345", "e\u0301", "é", "中文", "x=1", "//a", "a//"]
DEEPSEEK_CODER = (split("[\r\n]"), split(r"\s?\p{L}+"), split(r"\s?\p{P}+"), split("[一-龥ࠀ-一가-퟿]+"))


@cache
def editions() -> dict[str, tuple[Any, Any, Stage]]:
    gpt2, digits = byte_level(use_regex=True), pre_tokenizers.Digits(individual_digits=True)
    viet = without_its_merge(edition([" Việt"], LLAMA3), "ĠViá»ĩt")
    runs, tag = [AddedToken(" " * size, normalized=True) for size in (4, 3, 2)], AddedToken("<b>", normalized=False)
    start, end = AddedToken("<s>", special=True), AddedToken("</s>", special=True)
    merges, split_stage, specials, normalizer = Stage.MERGES, Stage.SPLIT, Stage.SPECIALS, Stage.NORMALIZER
    return {
        # ggml-org/llama.cpp pull request 7193: ` Việt` is one token only where merges are ignored.
        "Llama 3, pre-tokens taken whole": (viet, with_model(viet, ignore_merges=True), merges),
        # openai/tiktoken issue 60: merges recovered from a .tiktoken file, in another order than that of the ranks.
        "Llama 3, converted merges in another order": (*llama_editions(), merges),
        # Qwen's files normalize to NFC; a port that doesn't encodes decomposed characters otherwise.
        "Qwen, NFC": (edition(WORDS, QWEN, normalizers.NFC()), edition(WORDS, QWEN), normalizer),
        # Qwen took cl100k's pattern, but with one digit at a time.
        "Qwen, single digits": (edition(WORDS, QWEN), edition(WORDS, LLAMA3), split_stage),
        # transformers: fix_mistral_regex.
        "Mistral, fix_mistral_regex": (edition(WORDS, LLAMA3), edition(WORDS, TEKKEN), split_stage),
        # EleutherAI/gpt-neox issue 585: added tokens of spaces come before the merges that make the same.
        "GPT-NeoX, added spaces": (edition(["   ", "a"], gpt2), edition(["   ", "a"], gpt2, added=runs), specials),
        # ggml-org/llama.cpp pull request 8228: Gemma's HTML tags are added tokens that are not special.
        "Gemma, HTML tags": (edition(["text"], LLAMA3), edition(["text"], LLAMA3, added=[tag]), specials),
        # ggml-org/llama.cpp pull request 3986: deepseek-coder's pre-tokenizer is not GPT-2's.
        "DeepSeek Coder, pre-tokenizer": (
            edition(WORDS, gpt2), edition(WORDS, sequence(*DEEPSEEK_CODER, digits, byte_level())), split_stage,
        ),
        # DeepSeek LLM cuts numbers whole, V3 in threes.
        "DeepSeek V3, digits in threes": (
            edition(WORDS, sequence(split(r"\p{N}+"), split(DEEPSEEK), byte_level())),
            edition(WORDS, sequence(split(r"\p{N}{1,3}"), split(DEEPSEEK), byte_level())),
            split_stage,
        ),
        # StarCoder separates digits before GPT-2's pattern.
        "StarCoder, digits": (edition(WORDS, gpt2), edition(WORDS, sequence(digits, gpt2)), split_stage),
        # RoBERTa puts a space in front, GPT-2 does not.
        "RoBERTa, space in front": (
            edition(["hello", " hello"], byte_level(True, True)), edition(["hello", " hello"], gpt2), normalizer,
        ),
        "special tokens with each other's ids": (
            edition(["ab"], LLAMA3, added=[start, end]), edition(["ab"], LLAMA3, added=[end, start]), specials,
        ),
        "tokens with each other's ids": (
            edition(["ab"], LLAMA3), with_ids_exchanged(edition(["ab"], LLAMA3), "a", "b"), Stage.IDS,
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", editions())
def test_known_changes_between_editions_are_found(name: str) -> None:
    first, second, stage = editions()[name]
    found = difference(opened(first), opened(second))
    assert found and found.verdict is Verdict.DIFFERENT and found.witness is not None
    witness = found.witness
    assert witness.stage is stage and stage in found.stages
    assert witness.ids == (ids_of(first, witness.text), ids_of(second, witness.text))
    assert witness.ids[0] != witness.ids[1]
    for at in range(len(witness.text)):
        rest = witness.text[:at] + witness.text[at + 1 :]
        assert ids_of(first, rest) == ids_of(second, rest)
    assert f"differ in the {stage.value}: of “" in str(found)
    assert not difference(opened(first), opened(first))


def test_the_fixed_pattern_of_mistral_cuts_as_published() -> None:
    """The test of transformers: the fixed pattern cuts `'The'` before the last quote only."""
    first, second, _ = editions()["Mistral, fix_mistral_regex"]
    found = difference(opened(first), opened(second), ["no difference here", "'The'"])
    assert found.witness is not None and found.tried == 2
    old, new = (opened(library).pretokens("'The'") for library in (first, second))
    assert (old, new) == (["'T", "he", "'"], ["'The", "'"])


# tiktoken's patterns before pull requests 234 and 258, which say that the new ones match the same.
GPT2_BEFORE = r"'s|'t|'re|'ve|'m|'ll|'d| ?[\p{L}]+| ?[\p{N}]+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CL100K_BEFORE = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
    r"\s*[\r\n]+|\s+(?!\S)|\s+"
)


@pytest.mark.parametrize(
    ("name", "before"), [("gpt2", GPT2_BEFORE), ("cl100k_base", CL100K_BEFORE)], ids=["gpt2", "cl100k"]
)
def test_rewritten_patterns_that_match_the_same(name: str, before: str) -> None:
    tok = pretrained.load(name).cut(3_000)
    found = difference(tok, tok.with_split_pattern(before))
    assert not found and found.verdict is Verdict.NONE_FOUND and found.tried > 5_000
    assert found.stages == (Stage.SPLIT,)
    assert f"was found in {found.tried:,} texts. As data, they differ in the split" in str(found)


def test_editions_of_openai() -> None:
    """GPT-2 and r50k_base are one tokenizer; p50k_base adds runs of spaces, and p50k_edit three special tokens."""
    assert difference("gpt2", "r50k_base").verdict is Verdict.SAME
    spaces, edit = difference("p50k_base", "gpt2").witness, difference("p50k_edit", "p50k_base").witness
    assert spaces is not None and edit is not None
    assert (spaces.text, spaces.stage) == ("  ", Stage.MERGES)
    assert (edit.text in {"<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"}, edit.stage) == (True, Stage.SPECIALS)


def test_a_file_with_every_pair_is_the_same() -> None:
    """As Llama 3's tokenizer.json and its .tiktoken file."""
    tok = tokviz.train("the cat in the hat, the rat", num_merges=20, split_pattern="gpt2")
    assert difference(tok, with_every_pair(tok)).verdict is Verdict.SAME
    assert difference(tok, tok).verdict is Verdict.SAME


def test_what_encoding_leaves_out_is_named() -> None:
    first = edition(["ab"], byte_level(use_regex=True))
    second = Tokenizer.from_str(first.to_str())
    second.enable_truncation(7)
    found = difference(opened(first), opened(second))
    assert not found and found.unapplied == ("truncation",)
    assert "are the same" in str(found) and str(found).endswith("but different: truncation.")
    third = edition(["ab"], LLAMA3)
    fourth = Tokenizer.from_str(third.to_str())
    fourth.decoder = decoders.ByteLevel()
    assert difference(opened(third), opened(fourth)).unapplied == ("decoder",)


def test_simple_tokenizers_and_other_alphabets() -> None:
    assert difference(tokviz.ByteTokenizer(), tokviz.ByteTokenizer()).verdict is Verdict.SAME
    assert difference(tokviz.CharacterTokenizer(), tokviz.ByteTokenizer())
    assert difference(tokviz.WordTokenizer(["a"]), tokviz.WordTokenizer(["a", "b"]))
    few = tokviz.train("abab", num_merges=1, alphabet="characters")
    more = tokviz.train("abab c", num_merges=1, alphabet="characters")
    witness = difference(few, more).witness
    assert witness is not None and None in witness.ids and witness.stage is Stage.MERGES
    assert "can't encode it" in witness.because


@examples(12)
@given(corpora(), corpora(), texts(), st.sampled_from(["gpt2", "cl100k", None]), st.booleans())
def test_verdicts_hold_for_any_text(
    one: list[str], other: list[str], text: str, pattern: str | None, same_corpus: bool
) -> None:
    first = tokviz.train(one, num_merges=4, split_pattern=pattern)
    corpus = one if same_corpus else other
    second = tokviz.train(corpus, num_merges=4, split_pattern="gpt2", tie_break="lowest-ids")
    found = difference(first, second, [text])
    if found.witness is None:
        assert first.encode(text) == second.encode(text)
        assert (found.verdict is Verdict.SAME) == (not found.stages)
    else:
        assert found.witness.ids[0] != found.witness.ids[1]
        assert found.witness.ids == (tuple(first.encode(found.witness.text)), tuple(second.encode(found.witness.text)))
    assert difference(second, first, [text]).verdict is found.verdict


@examples(60)
@given(st.text(st.sampled_from("ab(c)"), max_size=60))
def test_shortening_leaves_nothing_that_can_be_left_out(text: str) -> None:
    def shows(part: str) -> bool:
        return "(" in part and part.count("a") >= 2 and ")" in part[part.index("(") :]

    if shows(text):
        short = shorten_while(text, shows)
        assert shows(short) and sorted(short) == sorted("(aa)")


# ---------------------------------------------------------------- tokenizers of other libraries


def bert(*, lowercase: bool, words: tuple[str, ...] = ("play", "##ing", "a", "##a")) -> HuggingFaceTokenizer:
    library = Tokenizer(
        models.WordPiece({"[UNK]": 0} | {word: at for at, word in enumerate(words, 1)}, unk_token="[UNK]")
    )
    library.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    library.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    library.add_special_tokens(["[UNK]"])
    return HuggingFaceTokenizer("bert", library.to_str().encode())


def test_cased_and_uncased_editions_of_bert() -> None:
    assert difference(bert(lowercase=True), bert(lowercase=True)).verdict is Verdict.SAME
    found = difference(bert(lowercase=True), bert(lowercase=False), ["no such word", "I am Playing"])
    assert found.stages == (Stage.NORMALIZER,) and found.tried <= 2
    assert found.witness is not None and found.witness.stage is Stage.NORMALIZER
    other = difference(bert(lowercase=True), bert(lowercase=True, words=("play", "##ing", "##a", "a")))
    assert other.stages == (Stage.IDS,) and other  # the same pieces, two of them with each other's ids


def test_a_file_read_in_two_ways() -> None:
    """Nothing is proved of two kinds of tokenizers, but no difference is found either."""
    library = edition(WORDS, LLAMA3)
    model = opened(library)
    found = difference(
        opened(library), tokviz.BPETokenizer("ours", model.vocab, model.merges, split_pattern=LLAMA3), ["hello world"]
    )
    assert found.verdict is Verdict.NONE_FOUND and found.tried > 5_000


def sentence_pieces(**options: Any) -> SentencePieceTokenizer:
    model = io.BytesIO()
    lines = iter(["the cat sat on the mat", "ﬁne ﬁsh", "the hat of the cat"] * 9)
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=lines, model_writer=model, vocab_size=60, hard_vocab_limit=False, minloglevel=9, **options
    )
    return SentencePieceTokenizer("pieces", model.getvalue())


def test_editions_of_a_sentencepiece_model() -> None:
    """With NFKC, the default, the ligature becomes two letters."""
    composed, plain = sentence_pieces(), sentence_pieces(normalization_rule_name="identity")
    assert difference(composed, sentence_pieces()).verdict is Verdict.SAME
    found = difference(composed, plain, ["ﬁ"])
    assert found.witness is not None and found.witness.text == "ﬁ" and Stage.NORMALIZER in found.stages
    assert found.witness.ids == tuple(tuple(each.encode("ﬁ")) for each in (composed, plain))


def test_truncation_and_padding_of_a_file_are_named_as_not_compared() -> None:
    library = Tokenizer.from_buffer(family("llama2"))
    plain = HuggingFaceTokenizer("plain", library.to_str().encode())
    library.enable_truncation(4)
    cut = HuggingFaceTokenizer("cut", library.to_str().encode())
    library.enable_padding(length=9)
    padded = HuggingFaceTokenizer("padded", library.to_str().encode())
    assert difference(plain, cut).unapplied == ("truncation",)
    assert difference(plain, padded).unapplied == ("padding", "truncation")
    assert difference(cut, cut).unapplied == ()
    assert "Not compared, as encode leaves it out by default, but different: truncation." in str(difference(plain, cut))


def test_a_token_that_is_special_in_only_one_file() -> None:
    """As text, it is cut out with all special tokens allowed in both, but by default only where it is not special."""
    plain = edition(["text"], LLAMA3, added=[AddedToken("<|r|>", special=False, normalized=False)])
    special = edition(["text"], LLAMA3, added=[AddedToken("<|r|>", special=True, normalized=False)])
    one, other = (
        HuggingFaceTokenizer(name, library.to_str().encode()) for name, library in (("a", plain), ("b", special))
    )
    assert one.encode("<|r|>", "all") == other.encode("<|r|>", "all")
    for texts_given in ([], ["<|r|>"]):
        found = difference(one, other, texts_given)
        assert found.verdict is Verdict.DIFFERENT and found.witness is not None
        assert (found.witness.text, found.witness.stage) == ("<|r|>", Stage.SPECIALS)
        assert found.witness.ids == (ids_of(plain, "<|r|>"), tuple(other.encode("<|r|>")))
        assert not found.witness.allows_special
        assert "with no special tokens allowed, a cuts out “<|r|>” as token" in str(found)
        assert str(found).endswith("b cuts out nothing.")
    assert difference("p50k_edit", "p50k_base").witness.allows_special  # type: ignore[union-attr]


def test_files_are_parsed_once_and_only_what_moved_is_ordered(monkeypatch: pytest.MonkeyPatch) -> None:
    ordered: list[int] = []
    parsed: list[int] = []
    order, parse = merge_tables._longest_increasing, json.loads

    def counting_order(places: Any) -> Any:
        ordered.append(len(places))
        return order(places)

    def counting_parse(text: Any) -> Any:
        parsed.append(len(text))
        return parse(text)

    one, other = (
        HuggingFaceTokenizer(name, library.to_str(pretty=False).encode())
        for name, library in zip("ab", llama_editions(), strict=True)
    )
    monkeypatch.setattr(merge_tables, "_longest_increasing", counting_order)
    monkeypatch.setattr(json, "loads", counting_parse)
    assert difference(one, other)
    assert ordered == [2]
    assert sum(parsed) <= len(one.data) + len(other.data)
