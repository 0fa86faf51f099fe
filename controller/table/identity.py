"""What a table is known by: its name, its PIN and the secret that signs its sessions, as the journal keeps them.

Each function reads a kept text and raises `ValueError` for one that can't have been kept by this program: the table
then makes or takes another, and starts.
"""

import re

LONGEST_NAME = 40  # characters, as `controller.table.setup.setup_commands` takes them
SHORTEST_SECRET = 16  # bytes: 128 bits, which nobody guesses


def kept_pin(text: str) -> str:
    """A PIN: four digits as tables had it first, or more."""
    if not re.fullmatch(r"[0-9]{4,12}", text):
        raise ValueError("a PIN has 4 to 12 digits")
    return text


def kept_secret(text: str) -> bytes:
    """The secret's bytes from their hexadecimal digits."""
    secret = bytes.fromhex(text)
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(f"a secret has at least {SHORTEST_SECRET} bytes")
    return secret


def kept_name(text: str) -> str:
    """A name that can be shown."""
    if not 0 < len(text) <= LONGEST_NAME or not text.isprintable():
        raise ValueError(f"a name has 1 to {LONGEST_NAME} characters that can be shown")
    return text
