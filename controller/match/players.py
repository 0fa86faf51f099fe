"""Identifies players across spellings of a name and renamings. A match keeps the names typed at its start. The names
shown are derived from them and from the events that rename players, so each of those can be undone at any time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from controller import rules
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.naming import key, tidy
from controller.match.undo import standing

PARTNERS = " & "  # separates the partners' names in their side's name, as in the form that starts a match


def typed_names(started: ev.MatchStarted) -> list[str]:
    """The typed names of a match's players, in order of seats."""
    seats = rules.seats_of(len(started.sides), started.doubles) or ()
    return [started.seats.get(seat) or started.by_id[side].name for seat, side in seats]


def with_names(history: Sequence[Stamped], call: Callable[[str], str]) -> list[Stamped]:
    """A match's events with its players' names replaced; `call` maps a typed name to the shown one."""
    first, *rest = history
    assert isinstance(first.event, ev.MatchStarted)
    return [replace(first, event=_with_names(first.event, call)), *rest]


def _with_names(started: ev.MatchStarted, call: Callable[[str], str]) -> ev.MatchStarted:
    seats = rules.seats_of(len(started.sides), started.doubles) or ()
    sides = []
    for id_, side in started.by_id.items():
        players = [started.seats.get(seat) or side.name for seat, whose in seats if whose == id_]
        sides.append(side.model_copy(update={"name": side_name(side.name, players, call)}))
    names = {seat: call(name) for seat, name in started.seats.items()}
    return started.model_copy(update={"sides": tuple(sides), "seats": names})


def side_name(name: str, players: Sequence[str], call: Callable[[str], str]) -> str:
    """A side's shown name: follows the players' names if it consists of them, else stays."""
    own = key(name)
    if own == key(PARTNERS.join(players)):
        return PARTNERS.join(call(player) for player in players)
    return call(name) if own in map(key, players) else name


class Names:
    """The shown names of all players at one moment."""

    def __init__(
        self,
        typed: Mapping[str, str] = MappingProxyType({}),
        changes: Iterable[Stamped] = (),
        matches: Mapping[int, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """`typed`: every name by its key, as first typed. `changes`: the events of match 0 that rename players,
        and their undos. `matches`: the keys of each match's players."""
        self.typed = typed
        self.changes = tuple(changes)
        self.matches = matches
        self._spellings: dict[str, frozenset[str]] = {}
        self._called: dict[str, str] = {}
        for one in self.standing:
            assert isinstance(one.event, ev.PlayerCalled)
            person = self.person(one.event.name) | self.person(one.event.to)
            self._spellings |= dict.fromkeys(person, person)
            self._called |= dict.fromkeys(person, one.event.to)  # the newest change wins

    @property
    def last(self) -> int:
        """The number of the newest event of `changes`; 0 if there is none."""
        return self.changes[-1].id if self.changes else 0

    @property
    def standing(self) -> list[Stamped]:
        return [s for s in standing(self.changes) if isinstance(s.event, ev.PlayerCalled)]

    def shown(self, name: str) -> str:
        """The shown name of the person who played under this name."""
        one = key(name)
        return self._called.get(one) or self.typed.get(one) or tidy(name)

    def of(self, player: str | None) -> str | None:
        """`shown`, or None for None."""
        return None if player is None else self.shown(player)

    def person(self, name: str) -> frozenset[str]:
        """The keys of all names of the person with this name."""
        one = key(name)
        return self._spellings.get(one) or frozenset({one})

    def knows(self, name: str) -> bool:
        return key(name) in self.typed or key(name) in self._spellings

    def everybody(self) -> dict[str, str]:
        """The shown name by the key of every name ever typed."""
        return {one: self.shown(one) for one in self.typed}

    def common_match(self, name: str, other: str) -> int | None:
        """A match in which both persons played; None if there is none."""
        one, two = self.person(name), self.person(other)
        return next(
            (n for n, keys in self.matches.items() if not one.isdisjoint(keys) and not two.isdisjoint(keys)), None
        )

    def dependent_change(self, change: Stamped) -> Stamped | None:
        """A later change that depends on this one, because nobody ever played under the name."""
        assert isinstance(change.event, ev.PlayerCalled)
        made = key(change.event.to)
        if made in self.typed:
            return None
        return next((s for s in self.standing if s.id > change.id and made in names_in(s.event)), None)


def names_in(event: ev.Event) -> set[str]:
    """The keys of the names in a renaming; empty for other events."""
    return {key(event.name), key(event.to)} if isinstance(event, ev.PlayerCalled) else set()
