"""Discs that people take off although nobody asked them to: they know best.

What the last shot had just moved had left the surface and bounced back; what people put back they took by mistake.
"""

from collections.abc import Sequence

from controller import events as ev
from controller import rules
from controller.match import MatchState


def removals(state: MatchState, taken: Sequence[str]) -> list[ev.Event]:
    """The events of taking these discs off."""
    events: list[ev.Event] = []
    moved, target = _last_moved(state), _last_shot(state)
    if (back := [n for n in taken if n in moved]) and target is not None:
        events.append(ev.ShotCorrected(target=target, returned=(*_returned(state), *back)))
    return events + [ev.DiscCorrected(disc=n, zone=None) for n in taken if n not in back]


def taken_off(event: ev.Event) -> tuple[str, ...]:
    """The discs that people take off by this event."""
    match event:
        case ev.ShotCorrected(returned=tuple(discs)):
            return discs
        case ev.DiscCorrected(disc=disc, zone=None):
            return (disc,)
    return ()


def gone_unseen(state: MatchState, discs: Sequence[str]) -> tuple[ev.Event, ...]:
    """The events by which discs are off that one still board after the other did not show."""
    measured = {n: m for n, m in state.measured.items() if n not in discs}
    return (*removals(state, discs), ev.BoardSeen(measured=measured, strangers=state.strangers))


def put_back(state: MatchState, disc: str, was: ev.Measured) -> ev.Event:
    """The event that puts it back in play; where it was asked about, this is the answer."""
    for question in state.questions.values():
        if question.asked.what == "lost" and question.asked.disc == disc:
            return ev.QuestionAnswered(question=question.id, answer="counts")
    returned, target = _returned(state), _last_shot(state)
    if disc in returned and target is not None:
        return ev.ShotCorrected(target=target, returned=tuple(n for n in returned if n != disc))
    return ev.DiscCorrected(disc=disc, zone=was.zone, at=(was.x, was.y))


def _last_shot(state: MatchState) -> int | None:
    current = state.game.round
    return state.shots.get((current.number, len(current.shots)))


def _last_moved(state: MatchState) -> set[str]:
    """The discs that the last shot left on the surface at another place."""
    shots = state.game.round.shots
    return {n for n, rest in shots[-1].shot.rest.items() if isinstance(rest, rules.Placed)} if shots else set()


def _returned(state: MatchState) -> tuple[str, ...]:
    """What people have shown to have bounced back in the last shot."""
    shots = state.game.round.shots
    if not shots:
        return ()
    return tuple(n for n, rest in shots[-1].shot.rest.items() if isinstance(rest, rules.Placed) and rest.returned)
