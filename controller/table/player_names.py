"""Turns commands about players into the events of match 0 that carry them out, or refuses them with a reason."""

from collections.abc import Sequence
from itertools import combinations

from controller.errors import NameTaken, Refused
from controller.match import events as ev
from controller.match.naming import MergePlayers, RenamePlayer, UndoNaming, key
from controller.match.players import Names, names_in, typed_names
from controller.match.state import Stamped
from controller.messages import say
from controller.views.audit import check_not_stale
from controller.views.event_words import in_words

PlayerCommand = RenamePlayer | MergePlayers | UndoNaming
PLAYER_COMMANDS = (RenamePlayer, MergePlayers, UndoNaming)


def naming(command: PlayerCommand, names: Names) -> ev.Event:
    """The event that carries out a command about players. Raises `Refused`, or `Stale` if the command's players were
    renamed or merged since its sender looked."""
    check_not_stale(_newer(command, names), {}, {s.id: s.event for s in names.changes})
    match command:
        case RenamePlayer():
            event: ev.Event = _renamed(command, names)
        case MergePlayers():
            event = _merged(command, names)
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


def _check_known(names: Names, *asked: str) -> None:
    for name in asked:
        if not names.knows(name):
            raise Refused(say("Nobody called {name} has played at this table.", name=name))


def _renamed(command: RenamePlayer, names: Names) -> ev.PlayerRenamed:
    _check_known(names, command.name)
    now = names.shown(command.name)
    if command.to == now:
        raise Refused(say("{name} is called that already.", name=now))
    if names.knows(command.to) and key(command.to) not in names.person(command.name):
        raise NameTaken(
            say(
                "There is a player called {name} already. If both are one person, merge them.",
                name=names.shown(command.to),
            ),
            names.shown(command.to),
        )
    return ev.PlayerRenamed(name=now, to=command.to)


def _merged(command: MergePlayers, names: Names) -> ev.PlayersMerged:
    _check_known(names, command.name, command.to)
    one, other = names.shown(command.name), names.shown(command.to)
    if names.person(one) == names.person(other):
        raise Refused(say("{name} and {other} are one player already.", name=command.name, other=command.to))
    both = names.common_match(one, other)
    if both is not None:
        raise Refused(
            say(
                "{name} and {other} both played in match {number}: they are two people.",
                name=one,
                other=other,
                number=both,
            )
        )
    return ev.PlayersMerged(name=one, to=other)


def _undone(command: UndoNaming, names: Names) -> ev.Undone:
    change = next((s for s in names.standing if s.id == command.event), None)
    if change is None:
        raise Refused(say("That was undone already."))
    later = names.dependent_change(change)
    if later is not None:
        raise Refused(say("Undo this first: {change}.", change=in_words(later.event, {})))
    return ev.Undone(target=command.event)


def refuse_one_person_twice(started: ev.MatchStarted, names: Names) -> None:
    """Raise `Refused` if two names in a new match belong to one person."""
    typed = typed_names(started)
    for name, other in combinations(typed, 2):
        if key(name) != key(other) and names.person(name) == names.person(other):
            same = {"name": name, "other": other, "shown": names.shown(name)}
            raise Refused(say("{name} and {other} are one player, called {shown}.", **same))
