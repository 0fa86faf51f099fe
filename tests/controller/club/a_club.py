"""A club for tests: a hub on a database, simulated tables, and a broker's worst behaviour between them."""

from itertools import count
from random import Random

from controller.club.hub.hub import Hub
from controller.club.hub.organiser_actions import add_entrants
from controller.club.simulated_table import SimulatedTable
from controller.club.store import Store, TableOfClub
from controller.club.tournament.catalogue import FORMATS
from controller.club.tournament.events import BoardAdded, FormatSet
from controller.club.tournament.planning import NextRound
from controller.link import Topics, serialize

CLUB = "our-club"
TOPICS = Topics(CLUB)


def a_store(url, tables=2, by_hand=0):
    store = Store.open(url, CLUB)
    for k in range(1, tables + by_hand + 1):
        store.put_table(TableOfClub(f"t{k}", f"Table {k}", by_hand=k > tables))
    return store


class Steady:
    """A clock that goes on by itself, a tenth of a second each time that it is asked."""

    def __init__(self):
        self._ticks = count()
        self.ahead = 0.0

    def __call__(self):
        return next(self._ticks) / 10 + self.ahead


def a_hub(store, steady=None):
    return Hub(store, clock=lambda: 1_790_000_000.0, steady=steady or Steady())


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
    tables = {id: SimulatedTable(id, seed=1) for id in boards}
    assign(hub, tables)
    return tables


def assign(hub, tables):
    """The tables hear what is retained for them."""
    for out in hub.assignments():
        table = out.topic.split("/")[4]
        if table in tables:
            tables[table].assigned(out.payload)


def send(hub, table, status=True):
    """A table sends all that it has, and again what it is asked for."""
    if status:
        answer(table, hub.receive(TOPICS.of(table.id, "status"), serialize(table.status())))
    while (batch := table.batch()) is not None:
        table.acknowledged(batch)
        answer(table, hub.receive(TOPICS.of(table.id, "events"), serialize(batch)))


def answer(table, outgoing):
    for out in outgoing:
        if out.topic == TOPICS.of(table.id, "resend"):
            table.asked(out.payload)


def play(table, rounds=100):
    """Plays on, so many rounds at most."""
    table.begin()
    while table.playing and rounds:
        table.play_round()
        rounds -= 1


class BadPost:
    """Carries messages late, twice, in any order or not at all; `settle` sends everything until all has arrived."""

    def __init__(self, seed):
        self.dice = Random(seed)
        self._waiting = []

    def send(self, hub, table, batch):
        for _ in range(self.dice.choice((0, 1, 1, 2, 3))):
            self._waiting.append((TOPICS.of(table.id, "events"), serialize(batch)))
        self.dice.shuffle(self._waiting)

    def deliver(self, hub, tables, some=None):
        """Bring so many of the messages that wait, else all."""
        for topic, payload in [self._waiting.pop() for _ in range(min(some or 10**6, len(self._waiting)))]:
            table = tables.get(topic.split("/")[4])
            if table is not None:
                answer(table, hub.receive(topic, payload))
