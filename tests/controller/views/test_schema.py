"""What is promised is kept: every member and every word of the schema is in some document that the table makes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.journal import Picture
from controller.messages import encoded
from tests.controller.fed_table import SIDES, ReadTable, a, b
from tests.produced import shown
from tests.served import faults

CONTROLLER = Path(__file__).resolve().parents[3] / "controller"
FOUR = [*SIDES, {"name": "Red", "colour": "red"}, {"name": "Green", "colour": "unheard of"}]
PICTURE = np.zeros((4, 4, 3), np.uint8)
GATE = ("hand", "moving", "covered", "light_changed", "camera_moved", "still")


class Photographer:
    """Keeps a picture of everything."""

    def of_question(self, *_: Any) -> Picture:
        return Picture(b"question", b"whole", {})

    def of_shot(self, *_: Any) -> Picture:
        return Picture(b"shot")


class Watched:
    """A table all of whose states are held against the schema, and that remembers what they showed of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.found: set[str] = set()
        self.tables: list[ReadTable] = []

    def table(self, name: str, **start: Any) -> ReadTable:
        folder = self.folder / name
        folder.mkdir()
        table = ReadTable(folder, **start)
        table.engine.listeners.append(lambda snapshot: self.take(snapshot.document, "State"))
        self.tables.append(table)
        table.see(hand=False)
        return table

    def take(self, document: Any, name: str) -> None:
        served = json.loads(encoded(document))
        assert faults(served, name) == []
        self.found.update(shown(served, name))


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    found = Watched(tmp_path)
    yield found
    for table in found.tables:
        table.journal.close()


def answer(table: ReadTable, which: int = 0) -> None:
    question = next(reversed(table.state.questions.values()))
    table.do(do="answer", question=question.id, answer=question.asked.answers[which].id)


def calls(table: ReadTable) -> None:
    """Fouls, twenties, close calls at the 15 and at the outer line, a disc that bounced back, a shot that was lost."""
    table.see(a(0, 60))
    table.see(a(0, 60), b(200, 90))  # a foul
    table.see(a(0, 60), b(320, 150, "ditch"))
    table.see(a(0, 60), a(10, 110), b(320, 150, "ditch"))


def scored_by_hand(table: ReadTable) -> None:
    """Every command whose effect has a line of its own."""
    table.do(do="enter_round", totals={"A": 40, "B": 20}, twenties={"A": 1, "B": 0}, by="phone", who="one")
    table.do(do="correct_round", round=1, totals={"A": 45, "B": 20}, by="screen")
    table.do(do="award", round=1, points={"A": 0, "B": 2}, by="button")
    table.do(do="undo")
    table.do(do="redo")
