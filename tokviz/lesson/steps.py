"""The lesson's steps as data. Backquotes enclose a piece of text or a token; `·` in it is a space."""

from collections.abc import Mapping
from dataclasses import dataclass, field

CAT = "the cat in the hat"
DOGS = "dog. dog! dog? dog. dog! dog?"
WORDS = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)


@dataclass(frozen=True)
class Link:
    """A link to a page of the app, with a text and settings.

    `page` is its address from the app's root; "" is the Tokens page. `fields` are the settings that the `link.js` of
    its widget reads. `text` is None if the fields name a sample, or if the page has its own texts.
    """

    label: str
    page: str
    fields: Mapping[str, str]
    text: str | None = None


@dataclass(frozen=True)
class Step:
    """A few minutes of the lesson: two sentences to say, a question, and the answer.

    `minutes` are its start and end. `answers` are the indices of the right choices. `links` are opened to ask the
    question, `afterwards` to show the answer.
    """

    minutes: tuple[int, int]
    title: str
    say: str
    question: str
    choices: tuple[str, ...]
    answers: tuple[int, ...]
    reveal: str
    links: tuple[Link, ...]
    afterwards: tuple[Link, ...] = field(default=())


def _tokens(label: str, tokenizer: str, text: str, **fields: str) -> Link:
    return Link(label, "", {"tokenizer": tokenizer, **fields}, text)


def _sample(label: str, tokenizer: str, sample: str) -> Link:
    return Link(label, "", {"tokenizer": tokenizer, "sample": sample})


def _compare(label: str, tokenizers: str, text: str) -> Link:
    return Link(label, "compare", {"compare": tokenizers}, text)


def _apply(label: str, tokenizer: str, text: str, **fields: str) -> Link:
    return Link(label, "replay", {"story": "apply", "tokenizer": tokenizer, "step": "0", **fields}, text)


def _learn(label: str, text: str, step: int, split: str = "none", **fields: str) -> Link:
    learning = {"split": split, "alphabet": "bytes", "ties": "first-seen", "merges": "20"}
    return Link(label, "replay", {"story": "learn", "step": str(step), **learning, **fields}, text)


_WITH_END_MARKS = {"alphabet": "characters", "ends": "1"}

STEPS = (
    Step(
        (0, 4),
        "What a model sees",
        "A language model never sees letters: the text is cut into pieces called tokens, and the model is given only "
        "their numbers. Let us see what is left of this question when GPT-4's tokenizer, cl100k, has read it.",
        "`How many r's are in strawberry?` Into how many pieces is the last word cut?",
        ("1", "3", "10, one for each letter"),
        (0,),
        "1 piece: with the space in front of it, `·strawberry` is the single token 73700, and no letter is left to "
        "be counted. Alone, without the space, the word is 3 pieces: `str|aw|berry`.",
        (_tokens("Open the question", "cl100k_base", "How many r's are in strawberry?", ids="1"),),
        (_tokens("The word alone", "cl100k_base", "strawberry"),),
    ),
    Step(
        (4, 8),
        "Your own name",
        "Open a page of this step on your phone and type your own name over it: with a space in front and without, "
        "with a capital and without. A name that stood often in the texts a tokenizer learned from has a token of its "
        "own; others are put together from pieces.",
        "Within a sentence, with the space in front of it, `·Emma` is 1 token in GPT-2. And `Emma` at the very "
        "beginning, without the space?",
        ("1 as well", "2", "4, one for each letter"),
        (1,),
        "2 tokens: `Em|ma`. The space belongs to the token, so the same name is two different things to a model; a "
        "small letter changes it again (`·emma` is 2 tokens). `Nguyễn`, the most usual surname of Vietnam, takes 6 "
        "tokens in GPT-2, 5 in cl100k and 2 in o200k, GPT-4o's, whose larger vocabulary has room for more "
        "languages.",
        (_tokens("Open ·Emma", "gpt2", " Emma"), _tokens("Open Emma", "gpt2", "Emma")),
        (_compare("Nguyễn in three tokenizers", "gpt2,cl100k_base,o200k_base", "Nguyễn"),),
    ),
    Step(
        (8, 13),
        "How long is a text?",
        "A text has many lengths, and it depends on what one counts. Code points are the numbers that Unicode gives to "
        "characters, bytes are what a file stores, and tokens are what a model reads.",
        "`Hello, 🌍! 你好!` Put its lengths in order, the largest first.",
        (
            "code points, bytes, GPT-2, cl100k, o200k",
            "bytes, code points, GPT-2, cl100k, o200k",
            "bytes, GPT-2, cl100k, o200k, code points",
        ),
        (1,),
        "20 bytes, 13 code points, 12 tokens in GPT-2, 10 in cl100k, 8 in o200k. The emoji and the Chinese characters "
        "take 10 of the bytes. A token may hold only a part of a character: cl100k spreads the 🌍 over 3 tokens, and "
        "the first of them has the space in it, too.",
        (_tokens("Open the text", "cl100k_base", "Hello, 🌍! 你好!"),),
        (_compare("All five", "code-points,bytes,gpt2,cl100k_base,o200k_base", "Hello, 🌍! 你好!"),),
    ),
    Step(
        (13, 19),
        "Learning to merge",
        "Nobody wrote the list of tokens by hand: it was learned, by joining the two neighbors that stand side by side "
        "most often, again and again. Do the first step with pencil and paper; a space counts like a letter.",
        "`the cat in the hat` Which pair is joined first?",
        ("`t + h`", "`h + e`", "`· + c`", "`c + a`"),
        (0, 1),
        "Both are right, and so would be `e + ·` and `a + t`: 4 pairs occur 2 times each, and no pair more often. The "
        "app takes the one that it sees first, `t + h`; with another rule for ties one learns another tokenizer. After "
        "4 merges (`th`, `the`, `the·`, `at`) the 18 bytes have become 10 tokens.",
        (_learn("Open the first step", CAT, 0, predict="1"),),
        (_learn("After the merges", CAT, 4),),
    ),
    Step(
        (19, 24),
        "A word never seen",
        "This text has `low` 5 times, `lower` 2 times, `newest` 6 times and `widest` 3 times. Each word ends in a "
        "mark, so that `est` at the end of a word is another token than `est` within one.",
        "Which pair is joined first?",
        ("`l + o`", "`w + e`", "`e + s`", "`s + t`"),
        (2, 3),
        "`e + s`, 9 times: in `newest` and in `widest`. But `s + t`, and `t` with the mark, have 9, so 3 are tied, and "
        "the first seen wins. Next come `est`, `est` with the mark, `lo` and `low`. The word `lowest` stands nowhere "
        "in the text, and yet it is only 2 tokens: `low` and `est` with the mark. So a tokenizer copes with words it "
        "has never seen.",
        (_learn("Open the first step", WORDS, 0, predict="1", **_WITH_END_MARKS),),
        (
            _learn("After the merges", WORDS, 5, **_WITH_END_MARKS),
            _learn("Now lowest", WORDS, 5, **_WITH_END_MARKS, story="apply", word="lowest", tried="15"),
        ),
    ),
    Step(
        (24, 26),
        "Cut first, then merge",
        "Before it merges, a real tokenizer cuts the text into words and punctuation, and no merge crosses such a cut. "
        "Here a tokenizer has learned from dogs without such cuts.",
        "`dog. dog! dog? dog. dog! dog?` What goes wrong without the cut?",
        (
            "Nothing, `dog` is a token either way",
            "A whole stretch of text becomes one token",
            "The punctuation gets lost",
        ),
        (1,),
        "`.·dog!·dog?` becomes a token, which is of no use in any other text. The text is 4 tokens without the cut and "
        "12 with GPT-2's: longer here, but `·dog` and the punctuation are good for other texts, too.",
        (_learn("Without the cut", DOGS, 7),),
        (_learn("With GPT-2's cut", DOGS, 3, split="gpt2"),),
    ),
    Step(
        (26, 31),
        "How a real tokenizer reads",
        "To read a text, a tokenizer counts nothing any more: it replays the merges that it has learned, the earliest "
        "learned first. Step through it with Next, and say each merge before it comes.",
        "GPT-2 reads `hello`. Which pair is joined first?",
        ("`h + e`", "`e + l`", "`l + l`", "`l + o`"),
        (0,),
        "`h + e`; then `ll`, `hell`, `hello`. cl100k has learned in another order: `el`, `lo`, `ello`, `hello`. "
        "`·strawberry` takes 10 merges in GPT-2, and the last one joins `·straw` and `berry`.",
        (_apply("GPT-2 reads hello", "gpt2", "hello", predict="1"),),
        (
            _apply("cl100k reads hello", "cl100k_base", "hello"),
            _apply("GPT-2 reads ·strawberry", "gpt2", " strawberry"),
        ),
    ),
    Step(
        (31, 37),
        "What code costs",
        "This program has 9 lines, indented by spaces, as Python wants it. Newer tokenizers have tokens for whole runs "
        "of spaces.",
        "How many tokens does GPT-2 need for it, compared with cl100k?",
        ("As many", "About twice as many", "About five times as many"),
        (1,),
        "About twice as many: 127 against 66. Nearly half of GPT-2's, 60 tokens, are lone spaces. Numbers are cut "
        "differently, too: `1234567` is `123|45|67` in GPT-2 and `123|456|7` in cl100k.",
        (Link("Compare the program", "compare", {"compare": "gpt2,cl100k_base", "sample": "code-python"}),),
        (_compare("Compare 1234567", "gpt2,cl100k_base", "1234567"),),
    ),
    Step(
        (37, 39),
        "What a format costs",
        "An order for a school, written as data in three ways: JSON on one line, JSON spread over many lines, and "
        "YAML. The content is the same, the price is not.",
        "Which is the cheapest in cl100k?",
        ("JSON on one line", "JSON over many lines", "YAML"),
        (0,),
        "JSON on one line: 77 tokens. Then comes YAML with 96; JSON over many lines is the dearest with 139. It is "
        "the white space and the repeated symbols that cost. A plain table is cheaper still: 62 tokens as CSV.",
        (Link("See all formats", "compression?chart=Formats", {}),),
        (
            _sample("On one line", "cl100k_base", "json-compact"),
            _sample("YAML", "cl100k_base", "yaml"),
            _sample("Over many lines", "cl100k_base", "json-pretty"),
        ),
    ),
    Step(
        (39, 43),
        "Who pays",
        "These passages say the same in 32 languages. Whoever pays by the token pays more in some of them, and fewer "
        "pages fit into the model at once.",
        "In GPT-2, how many times as many tokens as English does the dearest language take?",
        ("About 2 times", "About 5 times", "About 14 times"),
        (2,),
        "About 14 times: Tamil. In cl100k it is Telugu with 7.8 times, in o200k Amharic with 4.9 times. The passage is "
        "short, and other texts give somewhat different figures; but larger vocabularies have become fairer.",
        (Link("See the languages", "compression?chart=Languages", {}),),
        (_sample("The passage in Tamil", "gpt2", "prose-ta"), _sample("In English", "gpt2", "prose-en")),
    ),
    Step(
        (43, 45),
        "A space too many",
        "A model goes on writing where your text ends. This one ends in a space, which looks harmless.",
        "`The capital of France is·` Why is the space at the end a bad idea?",
        (
            "It costs money, that is all",
            "The word that should come next brings its own space",
            "A model can't read spaces",
        ),
        (1,),
        "The space at the end becomes a token of its own: 220 in GPT-2, in cl100k and in o200k. But `·Paris` is 1 "
        "token that begins with a space; after a lone space the model has to go on in a way that it has rarely seen. "
        "One more to take home: `·SolidGoldMagikarp`, a user on a forum, is 1 token in GPT-2 and 5 in cl100k.",
        (_tokens("Open the prompt", "gpt2", "The capital of France is ", ids="1"),),
        (_tokens("·Paris", "gpt2", " Paris"), _tokens("·SolidGoldMagikarp", "gpt2", " SolidGoldMagikarp")),
    ),
)

BACKGROUND = (
    "You need not have taught this before. A language model works with numbers, so each text is first turned into a "
    "list of them. One number for each letter makes long lists, one for each word needs an endless dictionary; byte "
    "pair encoding is what most models use in between. It begins with single bytes and joins the pair of neighbors "
    "that is most frequent in a lot of text, then again, tens of thousands of times. The joined pieces are the "
    "tokens, and the order in which they were learned is kept. To read a new text, the same merges are applied in the "
    "same order. No step knows about meaning: it is all counting and joining, and students can do it on paper. "
    "GPT-2, cl100k and o200k are three tokenizers that were learned so, from different texts and to different sizes."
)

BEFOREHAND = (
    "Open each link once before the lesson. Ask first and let everybody choose a letter, then open the link, then the "
    "answer; where merges are shown, the page itself asks, and Next is the answer. "
    "Press F for large type on a projector and the browser's Back to return here. The share button shows the students' "
    "sheet as a QR code: the same questions without the answers, for phones in the same Wi-Fi."
)

WITHOUT_NETWORK = (
    "Unfold everything once before the lesson. Ask first and let everybody choose a letter, then unfold what is "
    "beneath the choices, then the answer. Whoever has this file has the answers, too."
)

MISCONCEPTIONS = (
    (
        "GPT-4 has 50,000 tokens.",
        "A good number, only it is GPT-2's: 50,257. The vocabulary of cl100k, which GPT-4 uses, has 100,261.",
    ),
    (
        "Encoding merges the rarest pair, or the one that is most frequent in my text.",
        "Frequency counted while it was learning. Afterwards the pair that was learned earliest goes first, however "
        "often it occurs here.",
    ),
    (
        "YAML beats JSON.",
        "It beats JSON that is spread over many lines. JSON on one line is shorter than both.",
    ),
    (
        "A token is a word, or a syllable.",
        "Often it looks like one. But a token may be half a word, a run of spaces, or a part of one emoji: only "
        "counting decided.",
    ),
    (
        "A model that can't count the r's can't think.",
        "It was never shown the letters. Ask it to spell the word first: then the letters are tokens of their own.",
    ),
)
