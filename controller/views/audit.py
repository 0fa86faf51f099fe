"""The audit: who changed what, and when. Contains people's events of a match and the table's revisions."""

import time
from collections.abc import Mapping, Sequence

from controller.errors import Stale
from controller.match import events as ev
from controller.match.amendments import amendment_text
from controller.match.base import Stamped
from controller.match.commands import Command
from controller.match.conflicts import unseen_changes
from controller.match.parts import Amendment
from controller.match.state import MatchState
from controller.match.undo import standing
from controller.messages import Message, marked, say
from controller.views.schema import table_state as sc
from controller.views.schema.history import Change

BY = {
    "phone": marked("a scorer's phone"),
    "screen": marked("the table's screen"),
    "button": marked("the button at the table"),
    "program": marked("a program"),
    "table": marked("the table"),
}

Events = Mapping[int, ev.Event]  # events by number


def audit(history: Sequence[Stamped]) -> list[Change]:
    """All changes by people and revisions by the table, the newest last."""
    counts = {s.id for s in standing(history)}
    names = names_of(history)
    changes, events = (s for s in history if _is_change(s.event)), {s.id: s.event for s in history}
    return [line(s, names, events, s.id not in counts) for s in changes]


def _is_change(event: ev.Event) -> bool:
    """Whether it is people's event or a revision by the table."""
    return isinstance(event, ev.SentEvent) and (event.by != "table" or isinstance(event, ev.Amended))


def names_of(history: Sequence[Stamped]) -> dict[str, str]:
    """The sides' names by id."""
    started = history[0].event if history else None
    sides = started.by_id if isinstance(started, ev.MatchStarted) else {}
    return {id_: side.name for id_, side in sides.items()}


def line(s: Stamped, names: Mapping[str, str], events: Events, undone: bool = False) -> Change:
    """One event as a line of the audit; `events`: those that it may undo or redo, by number."""
    by = s.event.by if isinstance(s.event, ev.SentEvent) else "table"
    who = s.event.who if isinstance(s.event, ev.SentEvent) else ""
    text = _words(s.event, names, events)
    return {"id": s.id, "at": s.at, "by": by, "who": who, "kind": s.event.kind, "text": text, "undone": undone}


def _words(event: ev.Event, names: Mapping[str, str], events: Events) -> Message:
    if not isinstance(event, ev.Undone | ev.Redone) or event.target not in events:
        return event.in_words(names)
    target = events[event.target]
    if isinstance(event, ev.Undone):
        return say("Taken back: {what}", what=target.in_words(names))
    undone = events.get(target.target, target) if isinstance(target, ev.Undone) else target
    return say("Brought back: {what}", what=undone.in_words(names))


def refuse_if_stale(command: Command, history: Sequence[Stamped]) -> None:
    """Raise `Stale` if the command would overwrite or undo a change that its sender has not seen."""
    check_not_stale(unseen_changes(command, history), names_of(history), {s.id: s.event for s in history})


def check_not_stale(others: Sequence[Stamped], names: Mapping[str, str], events: Events) -> None:
    """Raise `Stale` with these events, if there are any. `names`: the sides'; `events`: see `line`."""
    if not others:
        return
    lines = tuple(line(s, names, events) for s in others)
    changes = tuple(
        say(
            "{time} {by}: {text}",
            time=time.strftime("%H:%M", time.localtime(c["at"])),
            by=Message(BY[c["by"]]),
            text=c["text"],
        )
        for c in lines
    )
    raise Stale(
        say(
            "Something has changed in the meantime: {changes}. Check it, then repeat your entry if it is still right.",
            changes=changes,
        ),
        lines,
    )


def amendments_now(state: MatchState) -> list[sc.Amendment]:
    """The revisions of the running round."""
    return [_view(one, state) for one in state.amendments if one.event.round == state.game.round.number]


def amendments_of(state: MatchState, round_: int, shot: int) -> list[Message]:
    """The texts of a shot's revisions, by its number in its round."""
    return [
        amendment_text(one.event, state.names)
        for one in state.amendments
        if one.event.round == round_ and shot in (changed.shot for changed in one.event.shots)
    ]


def _view(amendment: Amendment, state: MatchState) -> sc.Amendment:
    return {
        "id": amendment.id,
        "round": amendment.event.round,
        "after": amendment.after,
        "shots": [one.shot for one in amendment.event.shots],
        "text": amendment_text(amendment.event, state.names),
    }
