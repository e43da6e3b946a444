"""Effects of training options, checked by encoding the words they name with the libraries themselves."""

import re
from typing import Any

import pytest
import tokenizers
from sentencepiece import SentencePieceProcessor

import tokviz
from tokviz.analysis.training.option_effects import sentencepiece_effects, word_piece_effects
from tokviz.analysis.training.piece_report import piece_report
from tokviz.tokenizers.engines.training import ModelType

TEXT = "The café has 2024  seats, the ﬁne café, 2024 of them. " * 30 + "東京"
OPTIONS: dict[str, Any] = {
    "character_coverage": 0.998,
    "byte_fallback": False,
    "split_digits": True,
    "add_dummy_prefix": True,
    "remove_extra_whitespaces": True,
    "normalization_rule_name": "nfkc",
    "max_sentencepiece_length": 6,
}


def effects(**changed: Any) -> tuple[dict[str, str], SentencePieceProcessor]:
    options = OPTIONS | changed
    trained = tokviz.train_sentencepiece(TEXT, vocab_size=340, hard_vocab_limit=False, **options)
    rows = sentencepiece_effects(trained, options, TEXT, piece_report(trained, [TEXT]))
    assert {row.option: row.value for row in rows} == {name: str(value) for name, value in options.items()}
    return {row.option: row.says for row in rows}, SentencePieceProcessor(model_proto=trained.data)


def test_effects_of_sentencepiece() -> None:
    says, library = effects()
    assert says["character_coverage"].startswith(
        f"2 of the text’s {len(set(TEXT))} different characters have no piece: 東 (1×), 京 (1×)."
    )
    assert says["byte_fallback"].startswith("Characters without a piece are lost: 1 tokens are <unk>")  # a run is one
    assert says["split_digits"] == f"“2024” is cut {' '.join(library.encode('2024', out_type=str))}"
    assert says["split_digits"].endswith("2 0 2 4")
    assert f"“The” becomes {' '.join(library.encode('The', out_type=str))}, and " in says["add_dummy_prefix"]
    assert says["remove_extra_whitespaces"] == "2024··seats, becomes 2024▁seats,"
    assert says["normalization_rule_name"] == "It replaces ﬁ → fi (30×)."
    learned = [library.id_to_piece(token) for token in range(3, library.vocab_size())]  # the first are special
    longest = max(learned, key=len)
    assert f"{longest} ({len(longest)})" in says["max_sentencepiece_length"]


def test_other_values_do_something_else() -> None:
    says, library = effects(
        byte_fallback=True, add_dummy_prefix=False, remove_extra_whitespaces=False, normalization_rule_name="identity"
    )
    of_bytes = sum(map(library.is_byte, library.encode(TEXT)))
    assert of_bytes == len("東京".encode())
    assert says["byte_fallback"].startswith(f"Characters without a piece are spelled in bytes: {of_bytes} tokens")
    assert says["add_dummy_prefix"].startswith("Nothing is put in front of a text")
    assert says["remove_extra_whitespaces"] == "2024··seats, becomes 2024▁▁seats,"
    assert says["normalization_rule_name"] == "It replaces no character of this text."
    says, _ = effects(character_coverage=1.0)
    assert says["byte_fallback"] == "No character of this text needs byte fallback."


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_an_example_of_digits_that_join_is_one_in_which_they_do(model_type: ModelType) -> None:
    """Of numbers that are as frequent, the one that is cut into its digits shows what “on” does, not “off”."""
    text = "10 of 2024 and 2024 of 2024, 10 or 10, 10 or 10 " * 20
    for vocab_size in (16, 40):
        trained = tokviz.train_sentencepiece(
            text, model_type=model_type, vocab_size=vocab_size, hard_vocab_limit=False, split_digits=False
        )
        rows = sentencepiece_effects(trained, OPTIONS | {"split_digits": False}, text, piece_report(trained, [text]))
        says = {row.option: row.says for row in rows}["split_digits"]
        library = SentencePieceProcessor(model_proto=trained.data)
        cuts = {number: " ".join(library.encode(number, out_type=str)) for number in ("10", "2024")}
        joined = [number for number, pieces in cuts.items() if re.search(r"\d\d", pieces)]
        number = (joined or ["10"])[0]
        assert says == f"{'' if joined else 'Digits may join, but not here: '}“{number}” is cut {cuts[number]}"


@pytest.mark.parametrize("lowercase", [True, False])
def test_effects_of_word_pieces(lowercase: bool) -> None:
    options = {"vocab_size": 400, "lowercase": lowercase, "limit_alphabet": 12}
    trained = tokviz.train_word_piece(TEXT, **options)  # type: ignore[arg-type]
    library = tokenizers.Tokenizer.from_buffer(trained.data)
    report = piece_report(trained, [TEXT])
    given = {"min_frequency": 2, "wordpieces_prefix": "##", "strip_accents": None} | options
    says = {row.option: row.says for row in word_piece_effects(trained, given, TEXT, report)}
    assert report.unknown == library.encode(TEXT, add_special_tokens=False).tokens.count("[UNK]")
    assert dict(report.rare)["東"] == 1
    for option, word in (("lowercase", "The"), ("strip_accents", "café")):
        assert says[option] == f"“{word}” is read as “{library.normalizer.normalize_str(word)}”."
    inside = [piece for piece in library.get_vocab() if piece.startswith("##")]
    assert says["wordpieces_prefix"].startswith(f"{len(inside)} pieces continue a word")
    assert says["min_frequency"].startswith(f"Training ended at {library.get_vocab_size()} pieces")


def test_a_text_without_what_options_change() -> None:
    text = "low lower lowest " * 20
    trained = tokviz.train_sentencepiece(text, vocab_size=20, hard_vocab_limit=False)
    report = piece_report(trained, [text], ["lowest of all"])
    says = {row.option: row.says for row in sentencepiece_effects(trained, OPTIONS, text, report)}
    assert says["character_coverage"] == f"All {len(set(text))} different characters of the text have a piece."
    assert says["split_digits"] == "The text has no number of two digits."
    assert says["remove_extra_whitespaces"] == "The text has no repeated spaces."
    assert report.measured[0].tokens == len(trained.encode("lowest of all"))
    assert (report.rare, report.num_rare, report.rare_times) == ([], 0, 0)
