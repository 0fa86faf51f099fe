"""A club for tests: a hub on a database, simulated tables, and the worst of networks between them."""

from controller.club.desk import add_entrants
from controller.club.hub.hub import Hub
from controller.club.hub.message_intake import OutOfStep
from controller.club.store import ClubStore, TableOfClub
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.events import BoardAdded, FormatSet
from controller.club.tournament.planning import NextRound
from controller.match import events as ev
from controller.match.club import serialize
from controller.match.undo import undoable
from tests.controller.club.simulated_table import SimulatedClubTable

CLUB = "our-club"


def a_store(url, tables=2, by_hand=0):
    store = ClubStore.open(url, CLUB)
    for k in range(1, tables + by_hand + 1):
        store.put_table(TableOfClub(f"t{k}", f"Table {k}", by_hand=k > tables))
    return store


def a_hub(store, clock=lambda: 1_790_000_000.0):
    return Hub(store, clock=clock, steady=lambda: 0.0)


def do(hub, *actions, who="organiser"):
    """What an organiser does: looks at the plan, and confirms it."""
    plan = hub.plan(actions)
    hub.confirm(actions, plan.token, who)
    return plan


def an_evening(hub, players, format=FORMATS["swiss"], boards=()):
    """An evening whose first round is not paired yet."""
    hub.begin("Club evening")
    do(hub, FormatSet(format), *(BoardAdded(board) for board in boards))
    do(hub, *add_entrants(hub.tournament.state, [(f"Player {k}",) for k in range(1, players + 1)]))


def begun(hub, players=4, format=FORMATS["swiss"], boards=("t1", "t2")):
    """An evening whose first round is paired; its tables know what to play."""
    an_evening(hub, players, format, boards)
    do(hub, NextRound())
    return {id: a_table(hub, id) for id in boards}


def a_table(hub, id="t1"):
    """One with hardware, which knows what it is to play."""
    table = SimulatedClubTable(id, seed=1)
    assign(hub, {id: table})
    return table


def assign(hub, tables):
    """The tables hear what they play next."""
    for table, payload in hub.assignments().items():
        if table in tables:
            tables[table].assigned(payload)


def send(hub, table):
    """A table asks what the hub has, and sends the rest."""
    table.have = None
    table.report(hub)


def post(hub, table, batch):
    """The hub's answer to one batch."""
    try:
        return hub.receive(table, serialize(batch))
    except OutOfStep as error:
        return error.have


def play(table, rounds=100):
    """Plays on, so many rounds at most."""
    table.begin()
    while table.playing and rounds:
        table.play_round()
        rounds -= 1


def play_reported(hub, table, rounds=100):
    """The same, and the hub gets it."""
    play(table, rounds)
    send(hub, table)


def undo(table):
    """Its scorer takes the last step back."""
    last = undoable(table.history)
    table.write([ev.Undone(target=last.id, ended=int(isinstance(last.event, ev.RoundEnded)))])
