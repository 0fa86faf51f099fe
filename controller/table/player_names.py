"""Turns commands about players into the events of match 0 that carry them out, or refuses them with a reason."""

from collections.abc import Sequence
from itertools import combinations

from controller.errors import NameTaken, Refused
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.naming import RenamePlayer, UndoNaming, key
from controller.match.players import Names, names_in, typed_names
from controller.messages import say
from controller.views.audit import check_not_stale

PlayerCommand = RenamePlayer | UndoNaming
PLAYER_COMMANDS = (RenamePlayer, UndoNaming)


def naming(command: PlayerCommand, names: Names) -> ev.Event:
    """The event that carries out a command about players. Raises `Refused`, or `Stale` if the command's players were
    renamed since its sender looked."""
    check_not_stale(_newer(command, names), {}, {s.id: s.event for s in names.changes})
    match command:
        case RenamePlayer():
            event: ev.Event = _renamed(command, names)
        case UndoNaming():
            event = _undone(command, names)
    return event.model_copy(update=command.sent)


def _newer(command: PlayerCommand, names: Names) -> Sequence[Stamped]:
    if command.seen is None:
        return []
    events = {s.id: s.event for s in names.changes}
    if isinstance(command, UndoNaming):
        about = frozenset(names_in(events[command.event])) if command.event in events else frozenset()
    else:
        about = names.person(command.name) | names.person(command.to)
    seen = command.seen

    def changed(event: ev.Event) -> set[str]:
        return names_in(events.get(event.target, event) if isinstance(event, ev.Undone) else event)

    return [s for s in names.changes if s.id > seen and about & changed(s.event)]


def _renamed(command: RenamePlayer, names: Names) -> ev.PlayerCalled:
    if not names.knows(command.name):
        raise Refused(say("Nobody called {name} has played at this table.", name=command.name))
    now, to = names.shown(command.name), command.to
    if to == now:
        raise Refused(say("{name} is called that already.", name=now))
    if names.knows(to) and key(to) not in names.person(now):
        to = names.shown(to)
        _check_one_person(now, to, command.merge, names)
    return ev.PlayerCalled(name=now, to=to)


def _check_one_person(name: str, other: str, merge: bool, names: Names) -> None:
    """Raise `Refused` unless the players of two names may be one person, and the sender says that they are."""
    both = names.common_match(name, other)
    if both is not None:
        words = {"name": name, "other": other, "number": both}
        raise Refused(say("{name} and {other} both played in match {number}: they are two people.", **words))
    if not merge:
        raise NameTaken(
            say("There is a player called {name} already. If both are one person, merge them.", name=other), other
        )


def _undone(command: UndoNaming, names: Names) -> ev.Undone:
    change = next((s for s in names.standing if s.id == command.event), None)
    if change is None:
        raise Refused(say("That was undone already."))
    later = names.dependent_change(change)
    if later is not None:
        raise Refused(say("Undo this first: {change}.", change=later.event.in_words({})))
    return ev.Undone(target=command.event)


def refuse_one_person_twice(started: ev.MatchStarted, names: Names) -> None:
    """Raise `Refused` if two names in a new match belong to one person."""
    typed = typed_names(started)
    for name, other in combinations(typed, 2):
        if key(name) != key(other) and names.person(name) == names.person(other):
            same = {"name": name, "other": other, "shown": names.shown(name)}
            raise Refused(say("{name} and {other} are one player, called {shown}.", **same))
