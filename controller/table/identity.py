"""The identity of a table: its name, its PIN and the secret that signs its sessions. What parses a stored one raises
`ValueError` for a text that this program can't have stored: the table then starts with a new one."""

import re
import secrets

LONGEST_NAME = 40  # characters, as the set-up page takes them
SHORTEST_SECRET = 16  # bytes: 128 bits, which nobody can guess


def new_pin() -> str:
    """Six unpredictable digits; see `web_ui.access` for how long guessing takes."""
    return f"{secrets.randbelow(1_000_000):06d}"


def kept_pin(text: str) -> str:
    """A PIN: at least four digits; older tables have four."""
    if not re.fullmatch(r"[0-9]{4,12}", text):
        raise ValueError("a PIN has 4 to 12 digits")
    return text


def kept_secret(text: str) -> bytes:
    """The secret, from hexadecimal digits."""
    secret = bytes.fromhex(text)
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(f"a secret has at least {SHORTEST_SECRET} bytes")
    return secret


def kept_name(text: str) -> str:
    """A printable name."""
    if not 0 < len(text) <= LONGEST_NAME or not text.isprintable():
        raise ValueError(f"a name has 1 to {LONGEST_NAME} characters that can be shown")
    return text
