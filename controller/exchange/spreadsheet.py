"""Comma-separated values as RFC 4180 has them, which no spreadsheet carries out."""

import csv
import io
from collections.abc import Iterable

MARK = "\ufeff"
"""At the beginning of a file, tells spreadsheets that it is in UTF-8."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula and carries out (OWASP, CSV injection)."""


def lines(rows: Iterable[Iterable[object]]) -> str:
    """The rows as text. A text that a spreadsheet would take for a formula has an apostrophe before it."""
    written = io.StringIO(newline="")
    csv.writer(written).writerows([_harmless(cell) for cell in row] for row in rows)
    return written.getvalue()


def _harmless(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
