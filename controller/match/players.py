"""Players: who is who across spellings of a name and renamings, and how one is renamed. A match keeps the names typed
at its start. The names shown are derived from them and from the events that rename players, which are stored in
match 0, which is no match; so each of those can be undone at any time."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from typing import Literal

from pydantic import field_validator

from controller.errors import NameTaken, Refused
from controller.match.base import BaseCommand, SentEvent, Stamped, UndoableEvent
from controller.match.lifecycle import MatchStarted
from controller.match.model import AND, Name, Number, key, legible, tidy
from controller.match.undo import Undone, standing
from controller.messages import marked, say


class PlayerCalled(UndoableEvent):
    """The player `name` is called `to`. Whoever was called so before is the same person."""

    words = marked("{name} is called {to}")
    name: Name
    to: Name

    @property
    def spellings(self) -> frozenset[str]:
        """The keys of both names."""
        return frozenset({key(self.name), key(self.to)})


def typed_names(started: MatchStarted) -> list[str]:
    """The typed names of a match's players, side by side."""
    return [name for side in started.by_id for name in started.players_of(side)]


def with_names(history: Sequence[Stamped], call: Callable[[str], str]) -> list[Stamped]:
    """A match's events with its players' names replaced; `call` maps a typed name to the shown one."""
    first, *rest = history
    assert isinstance(first.event, MatchStarted)
    return [replace(first, event=_with_names(first.event, call)), *rest]


def _with_names(started: MatchStarted, call: Callable[[str], str]) -> MatchStarted:
    sides = tuple(
        side.model_copy(update={"name": side_name(side.name, started.players_of(id_), call)})
        for id_, side in started.by_id.items()
    )
    names = {seat: call(name) for seat, name in started.seats.items()}
    return started.model_copy(update={"sides": sides, "seats": names})


def side_name(name: str, players: Sequence[str], call: Callable[[str], str]) -> str:
    """A side's shown name: follows the players' names if it consists of them, else stays."""
    own = key(name)
    if own == key(AND.join(players)):
        return AND.join(call(player) for player in players)
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
        self.renamings = {s.id: s.event for s in self.changes if isinstance(s.event, PlayerCalled)}  # undone ones too
        self.standing = {s.id: self.renamings[s.id] for s in standing(self.changes) if s.id in self.renamings}
        self._spellings: dict[str, frozenset[str]] = {}
        self._called: dict[str, str] = {}
        for one in self.standing.values():
            person = self.person(one.name) | self.person(one.to)
            self._spellings |= dict.fromkeys(person, person)
            self._called |= dict.fromkeys(person, one.to)  # the newest change wins

    @property
    def last(self) -> int:
        """The number of the newest event of `changes`; 0 if there is none."""
        return self.changes[-1].id if self.changes else 0

    def shown(self, name: str) -> str:
        """The shown name of the person who played under this name."""
        one = key(name)
        return self._called.get(one) or self.typed.get(one) or tidy(name)

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

    def dependent_change(self, number: int) -> PlayerCalled | None:
        """A later renaming that depends on the one of this number, because nobody ever played under the name."""
        made = key(self.renamings[number].to)
        if made in self.typed:
            return None
        return next((one for id_, one in self.standing.items() if id_ > number and made in one.spellings), None)


class NamingCommand(BaseCommand):
    """A command about what players are called."""

    def about(self, names: Names) -> frozenset[str]:
        """The keys of the names that it concerns."""
        raise NotImplementedError

    def newer(self, names: Names) -> Sequence[Stamped]:
        """The renamings of its players that its sender has not seen."""
        if self.seen is None:
            return []
        about, known = self.about(names), names.renamings
        renamed = ((s, known.get(s.event.target if isinstance(s.event, Undone) else s.id)) for s in names.changes)
        return [s for s, one in renamed if s.id > self.seen and one is not None and about & one.spellings]

    def named(self, names: Names) -> SentEvent:
        """The event that carries it out, without its sender. Raises `Refused`."""
        raise NotImplementedError


class RenamePlayer(NamingCommand):
    """Rename a player in every match. If somebody else has that name, refused without `merge`, which says that both are
    one person; refused in any case if both played in the same match."""

    do: Literal["rename_player"]
    name: Name
    to: Name
    merge: bool = False

    @field_validator("to")
    @classmethod
    def _can_be_read(cls, to: str) -> str:
        if not legible(to):
            raise ValueError(say("A player needs a name that can be read."))
        return tidy(to)

    def about(self, names: Names) -> frozenset[str]:
        return names.person(self.name) | names.person(self.to)

    def named(self, names: Names) -> SentEvent:
        if not names.knows(self.name):
            raise Refused(say("Nobody called {name} has played at this table.", name=self.name))
        now, to = names.shown(self.name), self.to
        if to == now:
            raise Refused(say("{name} is called that already.", name=now))
        if names.knows(to) and key(to) not in names.person(now):
            to = names.shown(to)
            self._check_one_person(now, to, names)
        return PlayerCalled(name=now, to=to)

    def _check_one_person(self, name: str, other: str, names: Names) -> None:
        """Raise `Refused` unless the players of two names may be one person, and the sender says that they are."""
        both = names.common_match(name, other)
        if both is not None:
            words = {"name": name, "other": other, "number": both}
            raise Refused(say("{name} and {other} both played in match {number}: they are two people.", **words))
        if not self.merge:
            raise NameTaken(
                say("There is a player called {name} already. If both are one person, merge them.", name=other), other
            )


class UndoNaming(NamingCommand):
    """Undo a renaming; `event` is its number in `players/1`."""

    do: Literal["undo_naming"]
    event: Number

    def about(self, names: Names) -> frozenset[str]:
        one = names.renamings.get(self.event)
        return one.spellings if one is not None else frozenset()

    def named(self, names: Names) -> SentEvent:
        if self.event not in names.standing:
            raise Refused(say("That was undone already."))
        if later := names.dependent_change(self.event):
            raise Refused(say("Undo this first: {change}.", change=later.in_words({})))
        return Undone(target=self.event)


def refuse_one_person_twice(started: MatchStarted, names: Names) -> None:
    """Raise `Refused` if two names in a new match belong to one person."""
    typed = typed_names(started)
    for name, other in combinations(typed, 2):
        if key(name) != key(other) and names.person(name) == names.person(other):
            same = {"name": name, "other": other, "shown": names.shown(name)}
            raise Refused(say("{name} and {other} are one player, called {shown}.", **same))
