"""What phones showed and which commands were acknowledged, checked against the journal."""

import json
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Mapping, Set
from contextlib import closing
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from controller.journal import Journal
from controller.match.events import parse
from controller.match.fold import fold

FOLLOWED = 20
"""Commands whose way to the phones is still followed: more than are on their way at one time."""

ARRIVALS = 30_000
"""Arrivals of states at phones that are remembered: those of a command may come before its answer."""

BROKEN, UNSERVED = "streams that broke off", "requests that were not served"

Facts = tuple[Any, ...]
"""Of a state: match, round, shots of it, and by side what counts."""


@dataclass(frozen=True, slots=True)
class Done:
    """A command that was answered with a state: `who` sent one of `kinds`, stored after `after` and up to `id`."""

    who: str
    after: int
    id: int
    kinds: Set[str]
    body: Mapping[str, Any]


@dataclass(slots=True)
class Ledger:
    """Takes notes while it lasts; `differences` compares them with the journal afterwards. Times in seconds."""

    calm: bool = True
    """Whether times count: not while the service is down or its disk is full."""
    up: bool = True
    """Whether the service is meant to answer at all: not while it is killed now and then."""
    shown: dict[int, tuple[int, Facts]] = field(default_factory=dict)
    """By id, the match and the facts of the state that was first shown with it."""
    done: list[Done] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """What was seen to be wrong at once."""
    counts: Counter[str] = field(default_factory=Counter)
    streamed: list[float] = field(default_factory=list)
    """From a command's sending until a phone has the state that contains it."""
    times: dict[str, list[float]] = field(default_factory=dict)
    """Of requests, by what was asked."""
    newest: dict[str, Any] | None = None
    """The match of the newest state."""
    newest_id: int = 0
    _known: set[tuple[int, int]] = field(default_factory=set)
    _arrivals: deque[tuple[float, int, int]] = field(default_factory=lambda: deque(maxlen=ARRIVALS))
    _sent: OrderedDict[int, float] = field(default_factory=OrderedDict)

    def saw(self, id, data, before):
        """A phone was shown a state; `before` is the id of the one that it had."""
        self.counts["states that phones were shown"] += 1
        if id < before:
            self.wrong.append(f"a phone that had been shown state {before} was then shown state {id}")
        if id != before:
            self._arrived(before, id)
        if (id, hash(data)) not in self._known:
            self._known.add((id, hash(data)))
            self._note(id, json.loads(data)["match"])

    def _note(self, id, match):
        if match is None:
            return
        facts = facts_shown(match)
        number, first = self.shown.setdefault(id, (match["id"], facts))
        if (number, first) != (match["id"], facts):
            self.wrong.append(f"state {id} was shown with {first}, and also with {facts}")
        if id >= self.newest_id:
            self.newest, self.newest_id = match, id

    def _arrived(self, before, id):
        now = time.monotonic()
        self._arrivals.append((now, before, id))
        self.streamed += [now - sent for command, sent in self._sent.items() if 0 < before < command <= id]

    def acknowledged(self, command, sent):
        """A command that was sent at this time is done, as its answer says."""
        self.done.append(command)
        if not self.calm:
            return
        for at, before, id in takewhile(lambda arrival: arrival[0] > sent, reversed(self._arrivals)):
            if 0 < before < command.id <= id:
                self.streamed.append(at - sent)
        self._sent[command.id] = sent
        while len(self._sent) > FOLLOWED:
            self._sent.popitem(last=False)

    def answered(self, what, status):
        """A request of a scorer or a reader was answered, or was not (0). On a full disk a command fails with 500, and
        history is served all the same."""
        self.counts[f"{what} answered with {status}"] += 1
        if self.up and (status in (0, 429, 503) or (what == "history" and status == 500)):
            self.counts[UNSERVED] += 1

    def took(self, what, began):
        """A request was answered now."""
        if self.calm:
            self.times.setdefault(what, []).append(time.monotonic() - began)

    def disturbed(self):
        """From now on times do not count, nor those of what is on its way."""
        self.calm = False
        self._sent.clear()

    def differences(self, path):
        """What the journal does not bear out, one line each."""
        yield from self.wrong
        with closing(Journal(path, writing=False)) as journal:
            events = {number: list(journal.events(number)) for number in {number for number, _ in self.shown.values()}}
        yield from _unborne(self.shown, events)
        yield from _lost(self.done, [entry for entries in events.values() for entry in entries])


def _unborne(shown, events):
    """States whose event is not in the journal, or whose facts the fold of the journal up to it does not give."""
    for id, (match, facts) in sorted(shown.items()):
        until = [parse(entry) for entry in events[match] if entry.id <= id]
        if not until or until[-1].id != id:
            yield f"state {id} of match {match} was shown, and the journal has no such event"
        elif (folded := facts_folded(fold(match, until))) != facts:
            yield f"state {id} was shown with {facts}, and the journal gives {folded}"


def _lost(done, entries):
    """Commands that were acknowledged and whose event the journal does not have."""
    said = {}
    for entry in entries:
        said.setdefault(str(entry.body.get("who", "")), []).append(entry)
    for command in done:
        fitting = [
            entry
            for entry in said.get(command.who, [])
            if command.after < entry.id <= command.id
            and entry.kind in command.kinds
            and command.body.items() <= entry.body.items()
        ]
        if not fitting:
            yield f"{command.who} got an answer that a command was done ({command}), and the journal has no event of it"


def facts_shown(match):
    """The facts of a state as phones get it (`controller.api`)."""
    return (
        match["round"]["number"],
        match["round"]["shots"],
        tuple((side["id"], side["total"], side["score"], side["twenties"]) for side in match["sides"]),
        tuple((past["number"], tuple(past["totals"].items())) for past in match["rounds"]),
    )


def facts_folded(state):
    """The same facts from the journal."""
    round_ = state.game.round
    return (
        round_.number,
        len(round_.shots),
        tuple((side, round_.totals[side], state.score[side], round_.twenty_counts[side]) for side in state.sides),
        tuple((past.number, tuple(past.totals.items())) for past in state.finished),
    )
