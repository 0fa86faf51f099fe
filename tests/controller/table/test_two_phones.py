"""Two phones that keep one score by hand, in any order, against a model of the score that knows none of the code."""

import itertools
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.errors import Refused, Stale
from controller.exchange import NotExpressible, croki
from tests.controller.fed_table import SIDES, ReadTable, a, b, history_of

DISCS = 8


class Disc(NamedTuple):
    """A counted disc: what it is worth, and who counted it."""

    number: int
    by: str
    points: int


Board = dict[str, list[Disc]]
"""By side, its counted discs, in order."""


def worth(board):
    """What each side counts, and how many twenties it has."""
    totals = {side: sum(disc.points for disc in discs) for side, discs in board.items()}
    return totals, {side: sum(disc.points == 20 for disc in discs) for side, discs in board.items()}


@dataclass
class Score:
    """The score as two people with pencils would keep it: a list of steps, each to be struck out."""

    finished: list[Board] = field(default_factory=list)
    now: Board = field(default_factory=lambda: {"A": [], "B": []})
    steps: list[tuple[int, str]] = field(default_factory=list)
    """What an undo takes back, the newest last: the number of a disc or of a round's end, and whose."""
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def count(self, side, by, points):
        self.now[side].append(Disc(next(self.numbers), by, points))
        self.steps.append((self.now[side][-1].number, side))

    def end(self):
        self.finished.append(self.now)
        self.now = {"A": [], "B": []}
        self.steps.append((next(self.numbers), "end"))

    def undo(self):
        number, what = self.steps.pop()
        if what == "end":
            self.now = self.finished.pop()
        else:
            self.now[what] = [disc for disc in self.now[what] if disc.number != number]

    def take_back(self, side):
        number = self.now[side].pop().number
        self.steps = [step for step in self.steps if step[0] != number]


@dataclass
class Phone:
    """What one phone shows: the state that it heard of last, which may be an old one."""

    name: str
    sent: int = 0
    state: dict[str, Any] = field(default_factory=dict)
    others: dict[str, set[int]] = field(default_factory=dict)
    rounds: int = 0
    last_step: int | None = None

    def key(self):
        self.sent += 1
        return f"{self.name}.{self.sent}"


class Evening:
    """A table, two phones, and the model beside them."""

    def __init__(self, folder):
        self.table = ReadTable(folder, manual=True, format={"kind": "rounds", "rounds": 1000})
        self.score = Score()
        self.phones = [Phone("one"), Phone("two")]
        for phone in self.phones:
            self.look(phone)

    @property
    def newest(self):
        return self.score.steps[-1][0] if self.score.steps else None

    def look(self, phone):
        phone.state = self.table.engine.snapshot
        phone.others = {side: self.of_others(phone, side) for side in "AB"}
        phone.rounds, phone.last_step = len(self.score.finished), self.newest

    def of_others(self, phone, side):
        return {disc.number for disc in self.score.now[side] if disc.by != phone.name}

    def send(self, phone, **command):
        """Whether it was carried out; where its answer is lost it is sent again, and counts once."""
        document = {"seen": phone.state.id, "key": phone.key(), "by": "phone", "who": phone.name, **command}
        for _ in range(2):
            try:
                self.table.do(**document)
            except Refused:
                return False
        return True

    def count(self, phone, side, points):
        fresh = phone.rounds == len(self.score.finished)
        room = len(self.score.now[side]) < DISCS
        may = fresh and room and phone.others[side] == self.of_others(phone, side)
        done = self.send(phone, do="count", round=phone.rounds + 1, side=side, points=points)
        assert done == may, "a disc is counted unless another phone has counted for that side, unseen"
        if done:
            self.score.count(side, phone.name, points)

    def take_back(self, phone, side):
        counted = next(one.counted for one in phone.state.match.sides if one.id == side)
        if not counted:
            return
        now = self.table.state
        standing = phone.rounds == len(self.score.finished) and counted[-1].id in now.counted
        newest = standing and [k for k, c in now.counted.items() if (c.side, c.round) == (side, phone.rounds + 1)][-1]
        if standing and newest != counted[-1].id:
            return  # the model strikes out the newest of a side
        assert self.send(phone, do="undo", event=counted[-1].id) == standing
        if standing:
            self.score.take_back(side)

    def undo(self, phone):
        same = self.newest is not None and phone.last_step == self.newest
        done = self.send(phone, do="undo")
        assert done == same, "only the step that the phone shows is undone"
        if done:
            self.score.undo()

    def agree(self, phone):
        sides = phone.state.match.sides
        seen = {side.id: side.by_hand for side in sides}
        twenties = {side.id: side.twenties for side in sides}
        same = (phone.rounds, (seen, twenties)) == (len(self.score.finished), worth(self.score.now))
        done = self.send(phone, do="agree", round=phone.rounds + 1, totals=seen, twenties=twenties)
        assert done == same, "a round ends with the figures that its sender saw, or not at all"
        if done:
            self.score.end()

    def check(self):
        """Every screen shows the model's score."""
        match = self.table.shown
        totals, twenties = worth(self.score.now)
        shown = {side.id: (side.total, side.by_hand, side.twenties) for side in match.sides}
        assert shown == {side: (totals[side], totals[side], twenties[side]) for side in "AB"}
        assert [(one.totals, one.twenties) for one in match.rounds] == list(map(worth, self.score.finished))
        assert not any(one.corrected for one in match.rounds)


PHONES, ON = st.integers(0, 1), st.sampled_from("AB")
STEPS = st.one_of(
    st.tuples(st.just("count"), PHONES, ON, st.sampled_from([20, 15, 10, 5])),
    st.tuples(st.just("take_back"), PHONES, ON),
    st.tuples(st.just("undo"), PHONES),
    st.tuples(st.just("agree"), PHONES),
    st.tuples(st.just("look"), PHONES),
    st.tuples(st.just("look"), PHONES),
    st.tuples(st.just("restart"), PHONES),
)


@settings(max_examples=60, print_blob=True)
@given(st.lists(STEPS, min_size=5, max_size=40))
@example([("count", 0, "B", 20), ("look", 1), ("undo", 1), ("count", 1, "B", 20)])
@example([("agree", 0), ("look", 1), ("undo", 1), ("count", 0, "A", 20)])
def test_two_phones_in_any_order_keep_the_score_that_two_people_would(steps):
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(Path(folder))
        for what, number, *how in steps:
            phone = evening.phones[number]
            if what == "restart":
                evening.table.restart()
            else:
                getattr(evening, what)(phone, *how)
            evening.check()
        evening.table.journal.close()


@pytest.fixture
def table(new_table):
    return new_table(manual=True)


def test_a_match_that_is_handed_over_counts_from_nothing_on_every_screen(new_table):
    """And back: then the board counts again, and what people counted of it does not."""
    table = new_table()
    table.see(a(0, 60))
    table.see(a(0, 90), b(20, 70))
    assert table.totals == (10, 15)
    table.do("manual")
    assert (table.totals, table.state.by_hand) == ((0, 0), {"A": 0, "B": 0})
    table.do("count", round=1, side="A", points=5)
    table.do("manual")
    assert table.totals == (5, 0), "asking for it twice drops nothing"
    situation = str(table.shown.situation)
    assert situation == "Black leads by 5, Natural has the hammer.", "nobody says which discs were shot"
    table.do("automatic")
    assert table.totals == (10, 15)
    table.do("manual")
    assert (table.totals, table.state.counted) == ((0, 0), {})


def test_counting_discs_while_the_camera_is_away_switches_to_scoring_by_hand(new_table):
    table = new_table()
    table.engine.camera_changed(lost=True)
    table.do("count", round=1, side="A", points=20)
    assert not table.state.manual, "a twenty goes well with what the camera sees when it comes back"
    table.do("count", round=1, side="A", points=15)
    assert table.state.manual
    assert table.totals == (35, 0)
    table.do("undo")
    assert table.totals == (20, 0)


def test_a_round_of_which_only_the_winner_is_known_adds_no_points_to_any_figure(table):
    table.do("end_round", totals={"A": 60, "B": 40}, twenties={"A": 0, "B": 0})
    table.do("count", round=2, side="A", points=20)
    with pytest.raises(Stale, match="it now counts Black 20 with 1 twenty"):
        table.do("win_round", round=2, winner="B", twenties={"A": 0, "B": 0})
    table.do("win_round", round=2, winner="B", twenties={"A": 1, "B": 0})
    table.do("count", round=3, side="A", points=15)
    with pytest.raises(Refused, match="Discs are counted in this round already"):
        table.do("win_round", round=3, winner="B", twenties={"A": 0, "B": 0})
    assert table.state.score == {"A": 2, "B": 2}
    with history_of(table.journal) as archive:
        figures = {one.player: one for one in archive.figures().players}
        assert [(figures[name].mean_round, figures[name].rounds_won) for name in ("Black", "Natural")] == [
            (60.0, 1),
            (40.0, 1),
        ]
        with pytest.raises(NotExpressible, match="Round 2 has a winner"):
            croki.score("M1", archive.played(1), source="here")
    table.do("start", rules="nca", sides=SIDES, manual=True, format={"kind": "points", "target": 100})
    with pytest.raises(Refused, match="the totals count"):
        table.do("win_round", round=1, winner="A", twenties={"A": 0, "B": 0})
