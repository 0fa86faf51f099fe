"""Whole evenings over the worst of networks end as a sheet of paper would: `make test-all`.

The sheet is written by somebody who sees every board and adds up by hand. It knows nothing of messages, of the hub, or
of the tournament's library: only of who sat where, and which side had more in each round.
"""

import os
from collections import Counter
from random import Random

import pytest

from controller.club.hub.by_hand import ByHand
from controller.club.hub.evening import boards
from controller.club.simulated_evening import SimulatedClubTable
from controller.club.store import ClubStore
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.events import BoardWorks, EntrantHere, Result
from controller.club.tournament.planning import NextRound
from controller.club.tournament.standings import standings
from tests.controller.club.a_club import CLUB, BadPost, a_hub, a_store, an_evening, assign, do, send
from tests.slow import slow

pytestmark = slow

ROUNDS = 5
BYE = 8  # points, as for a game won in all its four rounds


class Sheet:
    """Points and twenties by name, and the points in each match."""

    def __init__(self):
        self.points, self.twenties, self.taken = Counter(), Counter(), Counter()
        self.met = set()

    def add(self, names, rounds, twenties):
        """A match: the totals of its rounds and its twenties, each for both."""
        for name, other, own in ((*names, 0), (*names[::-1], 1)):
            for round in rounds:
                won = 2 if round[own] > round[1 - own] else 1 if round[own] == round[1 - own] else 0
                self.points[name] += won
                self.taken[name, other] += won
            self.twenties[name] += twenties[own]
            self.met.add((name, other))

    def places(self, names):
        """The place of each, as the club's notice says it: points, then twenties, then the points of all opponents,
        then what the tied took from each other, where every two of them have met."""

        def figures(name):
            return self.points[name], self.twenties[name], sum(self.points[b] for a, b in self.met if a == name)

        def against(name):
            tied = [other for other in names if other != name and figures(other) == figures(name)]
            all_met = all((a, b) in self.met for a in [*tied, name] for b in [*tied, name] if a != b)
            return sum(self.taken[name, other] for other in tied) if all_met else 0

        return {
            name: 1 + sum((*figures(b), against(b)) > (*figures(name), against(name)) for b in names) for name in names
        }


def entered(table):
    """The rounds and twenties of a simulated table's match, as its events tell them."""
    rounds = [stamped.event for stamped in table.history if stamped.event.kind == "round_ended"]
    return [(r.totals["A"], r.totals["B"]) for r in rounds], [sum(r.twenties[side] for r in rounds) for side in "AB"]


class Evening:
    """24 players; four tables over a bad network, and two boards without hardware."""

    def __init__(self, folder, seed):
        self.folder, self.dice = folder, Random(f"trouble {seed}")
        self.store = a_store(self.url("club"), tables=4, by_hand=2)
        self.hub = a_hub(self.store)
        self.tables = {f"t{k}": SimulatedClubTable(f"t{k}", seed) for k in range(1, 5)}
        self.post, self.sheet = BadPost(seed), Sheet()
        self.seen = set()  # matches that are on the sheet
        self.rounds_by_hand = {}

    def url(self, name):
        return f"sqlite:///{self.folder / name}.sqlite"

    def play_round(self):
        """Until every match has a result."""
        for _ in range(3_000):
            if not self.hub.tournament.state.open_matches:
                return
            assign(self.hub, self.tables)
            for table in self.tables.values():
                self._at_table(table)
            for board in ("t5", "t6"):
                self._by_hand(board)
            if self.dice.random() < 0.05:
                self.kill_hub("club")
        raise AssertionError("the round does not end")

    def _at_table(self, table):
        if self.dice.random() < 0.6:
            table.step()
        self._write_down(table)
        self.post.send(self.hub, table)
        if self.dice.random() < 0.1:
            send(self.hub, table)

    def _write_down(self, table):
        state = table.state
        if state is not None and state.over and (table.id, state.number) not in self.seen:
            self.seen.add((table.id, state.number))
            self.sheet.add([state.name_of("A"), state.name_of("B")], *entered(table))

    def _by_hand(self, board):
        now = next(each for each in boards(self.hub) if each.id == board).now
        if now is None or self.dice.random() < 0.5:
            return
        by_hand = ByHand(self.hub, steady=lambda: 0.0)
        if not now.started:
            by_hand.command(board, {"do": "begin", "assignment": now.assignment})
            self.rounds_by_hand[board] = []
            return
        twenties = [self.dice.randrange(3), self.dice.randrange(3)]
        totals = [20 * count + 5 * self.dice.randrange(6) for count in twenties]
        figures = {"totals": dict(zip("AB", totals, strict=True)), "twenties": dict(zip("AB", twenties, strict=True))}
        by_hand.command(board, {"do": "end_round", **figures, "seen": now.event})
        self.rounds_by_hand[board].append((totals, twenties))
        if len(self.rounds_by_hand[board]) == 4:
            rounds = self.rounds_by_hand[board]
            self.sheet.add(now.names, [r for r, _ in rounds], [sum(t[side] for _, t in rounds) for side in (0, 1)])

    def kill_hub(self, name):
        """The hub is gone in the middle of everything, and another one opens this database."""
        self.store.close()
        self.store = ClubStore.open(self.url(name), CLUB)
        self.hub = a_hub(self.store)

    def back_up(self):
        """A copy of the database as it is."""
        copy = ClubStore.open(self.url("backup"), CLUB)
        with self.store.engine.connect() as now, copy.engine.connect() as then:
            now.connection.driver_connection.backup(then.connection.driver_connection)
        copy.close()

    def compare(self):
        """The hub's standings are those of the sheet."""
        state = self.hub.tournament.state
        labels = state.labels
        for round in state.rounds.values():
            self.sheet.points.update({labels[entrant]: BYE for entrant in round.byes if state.entrants[entrant].here})
        for match in state.matches.values():
            if match.winner_by_walkover:
                self.sheet.points[labels[match.winner_by_walkover]] += BYE
        rows = standings(state)
        found = {labels[row.entrant]: (row.points, row.twenties) for row in rows}
        assert found == {name: (self.sheet.points[name], self.sheet.twenties[name]) for name in found}
        assert {labels[row.entrant]: row.place for row in rows} == self.sheet.places(list(found))
        reported = [each.event.match for each in self.hub.tournament.entries if isinstance(each.event, Result)]
        assert len(reported) == len(set(reported)), "a result came twice"
        assert self.hub.left_out == ()


@pytest.mark.parametrize("seed", range(int(os.environ.get("EVENINGS", "2"))))
def test_an_evening_ends_as_on_paper(tmp_path, seed):
    evening = Evening(tmp_path, seed)
    an_evening(evening.hub, 24, FORMATS["swiss"], boards=("t1", "t2", "t3", "t4", "t5", "t6"))
    for number in range(1, ROUNDS + 1):
        do(evening.hub, NextRound())
        if number == 2:
            do(evening.hub, EntrantHere("p7", here=False))
        if number == 3:
            do(evening.hub, BoardWorks("t6", works=False))
        if number == ROUNDS:
            do(
                evening.hub, BoardWorks("t5", works=False)
            )  # from here on tables alone: what they played is in their journals
            evening.back_up()
        evening.play_round()
    evening.kill_hub("backup")
    assert evening.hub.tournament.state.open_matches, "the hub is set back to before the last round was played"
    for table in evening.tables.values():
        send(evening.hub, table)
    assert not evening.hub.tournament.state.open_matches
    evening.compare()
    evening.store.close()
