"""Index of the samples, in menu order.

Each sample's text is in its own file: sample "prose-ja" of kind "prose" is `prose/ja.txt`. To add a
sample, add its file and its line here.
"""

from typing import Literal

Kind = Literal["start", "differences", "prose", "code", "data", "numbers", "emoji", "words", "whitespace", "training"]
Direction = Literal["ltr", "rtl"]

KINDS: dict[Kind, str] = {
    "start": "Start",
    "differences": "Where tokenizers differ",
    "prose": "The same passage in many languages",
    "code": "Code",
    "data": "The same data in many formats",
    "numbers": "Numbers",
    "emoji": "Emoji",
    "words": "Capitals and quotes",
    "whitespace": "White space puzzles",
    "training": "Small enough to watch being learned",
}
"""The heading of each kind in a menu, in menu order."""

INDEX: dict[Kind, tuple[tuple[str, str, str | None], ...]] = {
    "start": (
        ("start", "A first look", "en"),
        ("start-bytes", "Characters cut into bytes", "en"),
    ),
    "differences": (("differences-classics", "Spaces, capitals, code, digits, emoji, a long word", None),),
    "prose": (
        ("prose-en", "English", "en"),
        ("prose-es", "Spanish · Español", "es"),
        ("prose-fr", "French · Français", "fr"),
        ("prose-de", "German · Deutsch", "de"),
        ("prose-pt", "Portuguese · Português", "pt-BR"),
        ("prose-it", "Italian · Italiano", "it"),
        ("prose-nl", "Dutch · Nederlands", "nl"),
        ("prose-pl", "Polish · Polski", "pl"),
        ("prose-fi", "Finnish · Suomi", "fi"),
        ("prose-tr", "Turkish · Türkçe", "tr"),
        ("prose-sw", "Swahili · Kiswahili", "sw"),
        ("prose-id", "Indonesian · Bahasa Indonesia", "id"),
        ("prose-vi", "Vietnamese · Tiếng Việt", "vi"),
        ("prose-ru", "Russian · Русский", "ru"),
        ("prose-uk", "Ukrainian · Українська", "uk"),
        ("prose-el", "Greek · Ελληνικά", "el"),
        ("prose-hy", "Armenian · Հայերեն", "hy"),
        ("prose-ka", "Georgian · ქართული", "ka"),
        ("prose-ar", "Arabic · العربية", "ar"),
        ("prose-he", "Hebrew · עברית", "he"),
        ("prose-fa", "Persian · فارسی", "fa"),
        ("prose-ur", "Urdu · اردو", "ur"),
        ("prose-am", "Amharic · አማርኛ", "am"),
        ("prose-hi", "Hindi · हिन्दी", "hi"),
        ("prose-bn", "Bengali · বাংলা", "bn"),
        ("prose-ta", "Tamil · தமிழ்", "ta"),
        ("prose-te", "Telugu · తెలుగు", "te"),
        ("prose-th", "Thai · ไทย", "th"),
        ("prose-zh-hans", "Chinese, simplified · 简体中文", "zh-Hans"),
        ("prose-zh-hant", "Chinese, traditional · 繁體中文", "zh-Hant"),
        ("prose-ja", "Japanese · 日本語", "ja"),
        ("prose-ko", "Korean · 한국어", "ko"),
    ),
    "code": (
        ("code-python", "Python", None),
        ("code-javascript", "JavaScript", None),
        ("code-c", "C", None),
        ("code-rust", "Rust", None),
        ("code-sql", "SQL", None),
        ("code-html", "HTML", None),
        ("code-shell", "Shell", None),
    ),
    "data": (
        ("json-pretty", "JSON, pretty", None),
        ("json-compact", "JSON, compact", None),
        ("yaml", "YAML", None),
        ("csv", "CSV", None),
        ("xml", "XML", None),
        ("markdown-table", "Markdown table", None),
    ),
    "numbers": (
        ("numbers-digits", "1 to 12 digits", None),
        ("numbers-years", "Years", None),
        ("numbers-thousands", "One number, six ways to group it", None),
        ("numbers-decimals", "Decimals", None),
        ("numbers-dates", "Dates and times", None),
        ("numbers-phones", "Phone numbers", None),
        ("numbers-arithmetic", "Arithmetic", None),
    ),
    "emoji": (
        ("emoji-faces", "Faces", None),
        ("emoji-skin-tones", "Skin tones", None),
        ("emoji-joined", "Joined emoji: jobs, families, a rainbow", None),
        ("emoji-flags", "Flags", None),
        ("emoji-keycaps", "Keycaps, and text or emoji style", None),
    ),
    "words": (
        ("words-capitals", "Capitals", "en"),
        ("words-contractions", "Contractions", "en"),
        ("words-quotes", "Straight and curly quotes", "en"),
    ),
    "whitespace": (
        ("whitespace-spaces", "No space to five spaces", None),
        ("whitespace-indents", "Indented by spaces, by a tab, by both", None),
        ("whitespace-trailing", "A space at the end", None),
        ("whitespace-no-break", "Four kinds of space", None),
        ("whitespace-zero-width", "Characters of no width", None),
        ("whitespace-line-ends", "Line ends: CR LF, LF, CR", None),
        ("whitespace-blank-lines", "Blank lines", None),
    ),
    "training": (
        ("training-rain", "Rain, river, sea", "en"),
        ("training-anna-karenina", "The opening of Anna Karenina", "en"),
    ),
}
"""For each kind, the name, title and language of its samples."""
