"""Detects commands that would overwrite a change that their sender has not seen. A command names the state that its
sender saw. What it would overwrite, such as a round's figures, is compared between that state and the present one: the
sender has not seen a difference, whether a person, the camera or an answer made it."""

from collections.abc import Sequence

from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.base_command import At, BaseCommand
from controller.match.fold import apply, fold


def unseen_changes(command: BaseCommand, history: Sequence[Stamped]) -> list[Stamped]:
    """The events that changed what the command would overwrite after its sender saw it."""
    if command.seen is None or command.was_carried_out(history):
        return []
    known = [s for s in history if s.id <= command.seen]
    newer = history[len(known) :]
    if not known:  # this match began afterwards
        return [s for s in newer if s.event.by_people] or list(newer[:1])
    if resumed := [s for s in newer if isinstance(s.event, ev.StartUndone)]:
        return resumed  # its sender saw the later match
    return _changes(command, known, newer)


def _changes(command: BaseCommand, known: list[Stamped], newer: Sequence[Stamped]) -> list[Stamped]:
    """The newer events that changed what is at stake, unless others brought it back to what the sender saw."""
    if not any(isinstance(s.event, ev.SentEvent) for s in newer):
        return []  # readings alone change nothing that a command overwrites
    state = fold(0, known)
    seen = before = command.at_stake(At(known, state))
    changes = []
    for s in newer:
        known.append(s)
        state = fold(0, known) if s.event.reorders else apply(state, s)
        now = command.at_stake(At(known, state))
        if now != before and before == seen and command.caused(s.event):
            seen = now  # as when counting the first disc takes a match over
        elif now != before:
            changes.append(s)
        before = now
    return changes if before != seen else []
