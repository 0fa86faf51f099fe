"""Evenings of a club in the states that its screens show, for `python -m tests.screens`."""

from itertools import cycle

from controller.club.desk import add_entrants
from controller.club.store import TableOfClub
from controller.club.tournament.events import BoardAdded, FormatSet, ShootOut
from controller.club.tournament.formats import TournamentFormat
from controller.club.tournament.planning import NextRound
from controller.club.tournament.playoffs import Playoffs
from controller.club.tournament.standings import tied
from controller.club.tournament.swiss import Swiss
from tests.controller.club.a_club import a_table, do, play, send
from tests.controller.club.evenings import result_of

LONGEST = "Wolfeschlegelsteinhausenbergerdorff III."
POINTS = ((5, 3), (7, 1), (2, 6), (6, 2), (3, 5), (8, 0))


def begin(hub, players=12, boards=6, rounds=0, finals=4, longest=False):
    """An evening of so many players and boards, with so many rounds of Swiss played; play-offs follow three of them."""
    long = [f"{k} {LONGEST}"[:40] for k in range(10, 10 + players)]
    names = long if longest else [f"Player {k}" for k in range(1, players + 1)]
    tables = {f"t{k}": long[k] if longest else str(k) for k in range(1, boards + 1)}
    hub.begin(LONGEST if longest else "Club evening")
    for id, name in tables.items():
        hub.store.put_table(TableOfClub(id, name, by_hand=id != "t1"))
    form = TournamentFormat((Swiss(3), Playoffs(entrants=finals)))
    do(hub, FormatSet(form), *(BoardAdded(id, name) for id, name in tables.items()))
    do(hub, *add_entrants(hub.tournament.state, [(name,) for name in names]))
    for _ in range(rounds):
        play_round(hub)


def play_round(hub):
    do(hub, NextRound())
    for match, points in zip(hub.tournament.state.open_matches, cycle(POINTS)):
        do(hub, result_of(match, points, points))


def decide(hub):
    """Shoot-outs for all who share a place."""
    for rows in tied(hub.tournament.state):
        do(hub, ShootOut(tuple(row.entrant for row in rows), tuple(range(len(rows)))))


def unpaired(hub):
    begin(hub)


def paired(hub):
    begin(hub, rounds=2)
    do(hub, NextRound())


def going_on(hub):
    paired(hub)
    begin_match(hub)
    for match in hub.tournament.state.open_matches[1:3]:
        do(hub, result_of(match, (6, 2), (3, 1)))


def begin_match(hub):
    table = a_table(hub)
    play(table, rounds=2)
    send(hub, table)


def played(hub):
    begin(hub, rounds=3)


def many(hub):
    begin(hub, players=60, boards=30, rounds=1)
    do(hub, NextRound())


def longest(hub):
    begin(hub, players=24, boards=12, longest=True, rounds=1)
    do(hub, NextRound())
    begin_match(hub)


def finals(hub, *, longest=False):
    begin(hub, rounds=3, finals=8, longest=longest)
    decide(hub)
    play_round(hub)
    do(hub, NextRound())


def longest_finals(hub):
    finals(hub, longest=True)


def ended(hub):
    begin(hub, rounds=3)
    decide(hub)
    play_round(hub)
    play_round(hub)


EVENINGS = {
    build.__name__: build
    for build in (unpaired, paired, going_on, played, many, longest, finals, longest_finals, ended)
}
