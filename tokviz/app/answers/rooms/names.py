"""Names of rooms. A room's id is computed from its secret, so that naming a room stores nothing.

The secret opens the room again under the same address, as after a restart of the server. From the id alone, no secret
can be found that leads to it.
"""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Characters of ids: none that look alike on a projector."""

SECRET = re.compile("[A-Za-z0-9_-]{22}")
"""128 random bits: a room's secret, the key to its notes, and a phone's id, which the phone chooses itself."""

_ROUNDS = 20_000
"""Rounds of hashing, about 5 ms. Without them, trying all secrets until one leads to a known id would be possible."""


def new_secret() -> str:
    """Return a secret for a new room."""
    return secrets.token_urlsafe(16)


def notes_key_of(secret: str) -> str:
    """Return the key to the notes of the room with this secret, to which it doesn't lead back."""
    return urlsafe_b64encode(hmac.digest(secret.encode(), b"tokviz notes", "sha256")[:16]).decode().rstrip("=")


def id_of(secret: str) -> str:
    """Return the id of the room with this secret, such as "k7m-p2x-9qd": one of 26 trillion."""
    number = int.from_bytes(hashlib.pbkdf2_hmac("sha256", secret.encode(), b"tokviz room", _ROUNDS))
    characters = []
    for _ in range(9):
        number, digit = divmod(number, len(ALPHABET))
        characters.append(ALPHABET[digit])
    return "-".join("".join(characters[start : start + 3]) for start in (0, 3, 6))
