"""Comma-separated values (RFC 4180) that no spreadsheet executes."""

import csv
import io
import re
from collections.abc import Iterable

MARK = "\ufeff"  # a byte order mark, by which spreadsheets recognise UTF-8
FORMULA = re.compile(r"(^|[;\r\n])(?=[\s\"]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])")
"""Matches before anything that a spreadsheet would execute as a formula (OWASP, CSV injection), including full-width
signs and the place after a semicolon, which separates cells where the comma is the decimal sign. There quotes end
elsewhere, so that a line break within a cell ends the row."""


def lines(rows: Iterable[Iterable[object]]) -> str:
    """Format the rows. A text that looks like a formula gets an apostrophe before it; yes and no are 1 and 0."""
    written = io.StringIO(newline="")
    csv.writer(written).writerows([_escape(cell) for cell in row] for row in rows)
    return written.getvalue()


def _escape(cell: object) -> object:
    return FORMULA.sub(r"\1'", cell) if isinstance(cell, str) else int(cell) if isinstance(cell, bool) else cell
