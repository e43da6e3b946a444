"""Shares of a chat's tokens: the words of messages, and everything around them."""

from collections import Counter
from typing import NamedTuple

from tokviz.chats.chat import Chat
from tokviz.chats.spans import ROLE


class Shares(NamedTuple):
    """Tokens of a chat: `around` the words, which are the template's and the roles', tools and date; and of the words.

    `messages` holds the words of each message in the prompt, by its number.
    """

    around: int
    words: int
    messages: dict[int, int]


def shares(chat: Chat) -> Shares:
    """Count a chat's tokens by what they are spent on. The counts add up to all of its tokens.

    >>> import tokviz
    >>> shares(tokviz.chat([{"role": "user", "content": "Hi"}], "qwen3"))
    Shares(around=5, words=1, messages={0: 1})
    """
    messages: Counter[int] = Counter()
    for origin, tokens in chat.counts.items():
        if isinstance(origin, tuple):
            messages[origin[0]] += tokens if origin[1] != ROLE else 0
    words = messages.total()
    return Shares(len(chat) - words, words, dict(sorted(messages.items())))
