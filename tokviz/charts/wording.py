"""Formatting of numbers and names for the sentences of charts."""

from tokviz.display import counted


def number_text(value: float | None) -> str:
    """Format a number with two decimals; `none` where there is none."""
    return "none" if value is None else f"{value:,.2f}"


def percent(share: float, decimals: int = 1) -> str:
    """Format a share, from 0 to 1, in percent.

    >>> percent(0.2917), percent(0.00001)
    ('29.2 %', '0.0 %')
    """
    return f"{100 * share:.{decimals}f} %"


def short_count(count: int) -> str:
    """Format a count in few characters.

    >>> short_count(38_597_376), short_count(50257), short_count(2500), short_count(999_999)
    ('38.6M', '50k', '2.5k', '1.0M')
    """
    if count >= 999_950_000:
        return f"{count / 1e9:.1f}G"
    if count >= 999_500:
        return f"{count / 1e6:.1f}M"
    return f"{round(count / 1000, 1 if count < 10_000 else None):g}k" if count >= 1000 else str(count)


def vocabulary_in_words(tokens: int, ids: int) -> str:
    """Say how large a vocabulary is, as on all pages: its tokens, and its ids where some have no token.

    >>> vocabulary_in_words(50257, 50257), vocabulary_in_words(100261, 100277)
    ('50,257 tokens', '100,261 tokens (100,277 ids)')
    """
    return counted("token", tokens) + (f" ({ids:,} ids)" if ids > tokens else "")
