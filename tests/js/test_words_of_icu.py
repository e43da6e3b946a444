"""Words are those of ICU, the library behind JavaScript's `Intl.Segmenter`."""

import json
import subprocess
from random import Random

import regex
from node import NODE

from tokviz.analysis.cost.units import words_of
from tokviz.samples import samples

LETTER_OR_DIGIT = regex.compile(r"[\p{L}\p{Nl}\p{Nd}]")
DICTIONARY = regex.compile(r"[\p{Han}\p{Hangul}\p{Kana}\p{Thai}]")  # ICU cuts these with a dictionary

# Texts in JSON from standard input; the segments of each to standard output.
SEGMENTS = """
const segmenter = new Intl.Segmenter("en", { granularity: "word" });
let json = "";
process.stdin.on("data", (part) => (json += part));
process.stdin.on("end", () => {
  const segmentsOf = (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  console.log(JSON.stringify(JSON.parse(json).map(segmentsOf)));
});
"""


def words_in(text: str) -> list[str]:
    words = words_of(text)
    return [text[start:end] for start, end in zip(words.starts.tolist(), words.ends.tolist(), strict=True)]


def words_of_icu(texts: list[str]) -> list[list[str]]:
    answer = subprocess.run([NODE, "-e", SEGMENTS], input=json.dumps(texts).encode(), capture_output=True, check=True)
    return [list(filter(LETTER_OR_DIGIT.search, segments)) for segments in json.loads(answer.stdout)]


def test_random_texts_have_the_words_of_icu() -> None:
    """Some characters of each class."""
    characters = "abאב12_‿:·.,;'’\"\r\n\v\f\u0085\u2028\u0301\u00ad\u200d🇩🇪ℹ🍕Ⓜ \u3000\u0600нЖ\u200b\u2060㊗©கி"
    random = Random(1)
    texts = ["".join(random.choices(characters, k=random.randrange(10))) for _ in range(8_000)]
    for text, words in zip(texts, words_of_icu(texts), strict=True):
        assert (text, words_in(text)) == (text, words)


def test_samples_have_the_words_of_icu() -> None:
    texts = [each.text for each in samples() if not DICTIONARY.search(each.text)]
    assert len(texts) > 40
    assert [words_in(text) for text in texts] == words_of_icu(texts)
