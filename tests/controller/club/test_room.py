"""What the tournament room may import: what has no clock, chance, files or network; words come in by one door."""

import ast
import sys
from pathlib import Path

import pytest

import controller.club.tournament

FOLDER = Path(controller.club.tournament.__file__).parent
FILES = sorted(FOLDER.glob("*.py"))
IMPURE = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "sys"} | {
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
}
SHARED = ("controller.errors", "controller.messages", "controller.validation")
VALIDATED = {"formats.py", "record.py"}  # what the log stores, by pydantic


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_imports_only_what_is_pure(path):
    for name in imported(path):
        if name.startswith("controller.club.tournament"):
            continue
        if name in SHARED:
            assert path.name == "errors.py", "words come in by one door"
            continue
        if (path.name, name) == ("matching.py", "rustworkx"):
            continue  # numbers in, pairs out
        top = name.partition(".")[0]
        if path.name in VALIDATED and top in ("pydantic", "pydantic_core", "typing_extensions"):
            continue
        assert top in sys.stdlib_module_names, name
        assert top not in IMPURE, name
