"""Who changed what, and when: the people's part of a match's events, and what the table told otherwise by itself."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from controller.errors import Stale
from controller.match import commands as cm
from controller.match import events as ev
from controller.match.state import Stamped
from controller.match.timeline import STEPS, standing
from controller.messages import Message, marked, say
from controller.views.event_words import in_words
from controller.views.schema import Change

BY = {
    "phone": marked("a scorer's phone"),
    "screen": marked("the table's screen"),
    "button": marked("the button at the table"),
    "program": marked("a program"),
    "table": marked("the table"),
}

Touched = tuple[int | None, str]
"""(round, what): what an event changed, or a command would; None where no round is named."""

ROUND = ("totals", "twenties A", "twenties B", "twenties C", "twenties D")
"""What a correction of a round's totals changes: the totals, and the twenties in them."""


def audit(history: Sequence[Stamped]) -> list[Change]:
    """What people did and what the table amended, newest last."""
    counts = {s.id for s in standing(history)}
    names = names_of(history)
    said = (s for s in history if _changes(s.event))
    return [line(s, names, s.id not in counts) for s in said]


def _changes(event: ev.Event) -> bool:
    """Whether people brought it about, or the table changed with it what people had seen."""
    return isinstance(event, ev.Said) and (event.by != "table" or isinstance(event, ev.Amended))


def names_of(history: Sequence[Stamped]) -> dict[str, str]:
    """What people call the sides."""
    started = history[0].event if history else None
    sides = started.sides if isinstance(started, ev.MatchStarted) else ()
    return {id_: side.name for id_, side in zip("ABCD", sides, strict=False)}


def line(s: Stamped, names: Mapping[str, str], undone: bool = False) -> Change:
    """One event as a line of the audit."""
    by = s.event.by if isinstance(s.event, ev.Said) else "table"
    who = s.event.who if isinstance(s.event, ev.Said) else ""
    text = in_words(s.event, names)
    return {"id": s.id, "at": s.at, "by": by, "who": who, "kind": s.event.kind, "text": text, "undone": undone}


def refuse_if_stale(command: cm.Command, history: Sequence[Stamped], shots: Mapping[tuple[int, int], int]) -> None:
    """Raise `Stale` when something that the person did not see yet would be overwritten, or undone in its place.

    `shots` are the match's, see `controller.match.state.MatchState.shots`.
    """
    if command.seen is None:
        return
    newer = [s for s in history if s.id > (command.seen or 0)]
    others = list(_overlapping(command, newer, {s.id: s.event for s in history}, set(_wanted(command, shots))))
    refuse_stale(others, names_of(history))


def refuse_stale(others: Sequence[Stamped], names: Mapping[str, str]) -> None:
    """Raise `Stale` that tells these events, where there are any; `names` are those of the sides."""
    if not others:
        return
    lines = tuple(line(s, names) for s in others)
    told = tuple(
        say(
            "{time} {by}: {text}",
            time=time.strftime("%H:%M", time.localtime(c["at"])),
            by=Message(BY[c["by"]]),
            text=c["text"],
        )
        for c in lines
    )
    raise Stale(
        say("Meanwhile something changed: {changes}. Look again, then repeat it if it is still right.", changes=told),
        lines,
    )


def _overlapping(
    command: cm.Command, newer: Iterable[Stamped], events: Mapping[int, ev.Event], wanted: set[Touched]
) -> Iterator[Stamped]:
    for s in newer:
        if isinstance(s.event, ev.MatchStarted):
            yield s
        elif isinstance(command, cm.Undo | cm.Redo | cm.Confirm):
            if isinstance(s.event, (*STEPS, ev.Undone, ev.Redone)):
                yield s
        else:
            changes = _changes(s.event) or isinstance(s.event, ev.RoundEnded)
            overwritten = changes and wanted & set(_changed(s.event, events))
            if overwritten or _played_on(command, s.event):
                yield s


def _played_on(command: cm.Command, event: ev.Event) -> bool:
    """Whether a shot changed what the command is about: where the disc lies now, or what the round that ends counts."""
    if not isinstance(event, ev.ShotSeen):
        return False
    here = isinstance(command, cm.CorrectDisc) and command.shot is None and command.disc in event.rest
    return here or isinstance(command, cm.EndRound)


def _wanted(command: cm.Command, shots: Mapping[tuple[int, int], int]) -> Iterator[Touched]:
    """What a command would change."""
    match command:
        case cm.EndRound() | cm.EnterRound() | cm.TimeOut():
            yield None, "end"
        case cm.CorrectTwenties(round=number, side=side):
            yield number, f"twenties {side}"
        case cm.CorrectRound(round=number) | cm.Award(round=number):
            yield from ((number, what) for what in ROUND)
            yield None, "entered"
        case cm.CorrectDisc(disc=disc):
            yield None, f"disc {disc}"
        case (
            cm.CorrectShot(round=n, shot=shot) | cm.AnnulShot(round=n, shot=shot) | cm.OverruleShot(round=n, shot=shot)
        ):
            yield None, f"shot {shots.get((n, shot))}"
        case cm.AnswerQuestion(question=question):
            yield None, f"question {question}"
        case cm.SetTimer(timer=timer) | cm.RunTimer(timer=timer) | cm.CorrectTimer(timer=timer):
            yield None, f"timer {timer}"
        case cm.EnterShootOut():
            yield None, "shoot-out"
        case cm.TurnSeats():
            yield None, "seats"


WHOLE: Mapping[type, str] = {
    ev.RoundEnded: "end",
    ev.TimedOut: "end",
    ev.ShootOutEntered: "shoot-out",
    ev.SeatsLearnt: "seats",
}
"""Events that change one thing of the match, whichever they name."""


def _changed(event: ev.Event, events: Mapping[int, ev.Event]) -> Iterator[Touched]:
    """What an event changed."""
    match event:
        case ev.Undone(target=target) | ev.Redone(target=target):
            yield from _changed(events[target], events)
        case ev.RoundEntered():
            yield None, "end"
            yield None, "entered"
        case ev.TwentiesCorrected(round=number, side=side) | ev.TwentyCounted(round=number, side=side):
            yield number, f"twenties {side}"
        case ev.RoundCorrected(round=number) | ev.RoundAwarded(round=number):
            yield from ((number, what) for what in ROUND)
        case ev.DiscCorrected(disc=disc):
            yield None, f"disc {disc}"
        case ev.ShotCorrected(target=target) | ev.ShotAnnulled(target=target) | ev.ShotOverruled(target=target):
            yield None, f"shot {target}"
        case ev.QuestionAnswered(question=question):
            yield None, f"question {question}"
        case ev.Amended():
            yield from ((None, f"shot {one.number}") for one in event.anew if one.number is not None)
        case ev.TimerSet(timer=timer) | ev.TimerRemoved(timer=timer):
            yield None, f"timer {timer}"
        case _ if type(event) in WHOLE:
            yield None, WHOLE[type(event)]
