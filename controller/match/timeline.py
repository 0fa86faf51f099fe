"""Which events of a match still count, and in which order; which event an undo or redo would affect. A correction takes
effect at the place that it corrects, and later events follow from it: a corrected shot is judged again in its place,
and a disc's corrected place takes effect right after the event that it names."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.questions import UNKNOWN
from controller.match.undo import standing
from controller.vision.readings import Zone

ZONES: dict[str, Zone] = {"20": 20, "15": 15, "10": 10, "5": 5, "0": 0}  # the answers to a close call
_Order = tuple[int, float, int]
"""Where an event takes effect: after the event of this number, for the board read at this time (s), and its order.
An unrevised event takes effect right after its own number, before any board."""


def effective_events(stamped: Iterable[Stamped]) -> list[Stamped]:
    """The events that count, with corrections applied, in the order in which they take effect."""
    live = amended(standing(stamped))
    asked = {s.id: s.event for s in live if isinstance(s.event, ev.QuestionAsked)}
    corrections: dict[int, list[ev.CorrectsShot]] = defaultdict(list)
    late: dict[int, list[Stamped]] = defaultdict(list)
    ordered: list[Stamped] = []
    for s in live:
        for event in (s.event, *_events_of_answer(s.event, asked)):
            one = replace(s, event=event)
            if isinstance(event, ev.CorrectsShot) and event.target is not None:
                corrections[event.target].append(event)
            if isinstance(event, ev.DiscCorrected) and event.after is not None:
                late[event.after].append(one)
            elif not isinstance(event, ev.ShotCorrected):
                ordered.append(one)
    return [one for s in ordered for one in _with_corrections(s, corrections, late)]


def amended(standing: Sequence[Stamped]) -> list[Stamped]:
    """Apply the amendments among these events; in the order in which events take effect."""
    if not any(isinstance(s.event, ev.Amended) for s in standing):
        return list(standing)
    placed: dict[_Order, Stamped] = {}
    for s in standing:
        if isinstance(s.event, ev.Amended):
            first = (s.event.after, s.event.t, 0)
            before = {s.id: s for s in placed.values()}
            placed = {at: one for at, one in placed.items() if at < first or not _is_tables_account(one.event)}
            placed.update(_revised(s, s.event, before))
        placed[s.id, -math.inf, 0] = s
    return [placed[at] for at in sorted(placed)]


def _is_tables_account(event: ev.Event) -> bool:
    return isinstance(event, ev.BoardSeen | ev.ShotSeen | ev.DiscCorrected) and not event.by_people


def _revised(s: Stamped, amended: ev.Amended, before: Mapping[int, Stamped]) -> Iterator[tuple[_Order, Stamped]]:
    """Each revised event and where it takes effect; `before`: the earlier events by number. A revised shot keeps the
    time and picture of the earlier one with its number."""
    fresh = iter(range(s.id - amended.reserved, s.id))
    for order, one in enumerate(amended.revised, start=1):
        number = one.number
        if number is None:
            number = next(fresh) if isinstance(one.event, ev.ShotSeen) else s.id
        event, was = one.event, before.get(number)
        if isinstance(event, ev.ShotSeen) and was is not None and isinstance(was.event, ev.ShotSeen):
            event = event.model_copy(update={"picture": was.event.picture})
        yield (one.after, one.t, order), Stamped(number, was.at if was else s.at, event)


def _events_of_answer(event: ev.Event, asked: dict[int, ev.QuestionAsked]) -> tuple[ev.Event, ...]:
    """The events of an answer; corrected places of discs apply at the time of the question."""
    if not isinstance(event, ev.QuestionAnswered):
        return ()
    return tuple(
        one.model_copy(update={"after": question}) if isinstance(one, ev.DiscCorrected) and not one.after else one
        for question in event.questions
        if question in asked
        for one in answer_events(asked[question], event.answer)
    )


def answer_events(question: ev.QuestionAsked, answer: str) -> tuple[ev.Event, ...]:
    """The events of an answer to a question; empty if it changes nothing."""
    events = next((one.events for one in question.answers if one.id == answer), ())
    return events or _implied_events(question, answer)


def _implied_events(question: ev.QuestionAsked, answer: str) -> tuple[ev.Event, ...]:
    """The events of answers without explicit ones."""
    if answer == UNKNOWN:
        return ()
    if question.what == "close_call" and question.disc is not None:
        return (ev.DiscCorrected(disc=question.disc, zone=ZONES[answer]),)
    return (ev.RoundEnded(),) if answer == "over" else ()


def _with_corrections(
    s: Stamped, corrections: dict[int, list[ev.CorrectsShot]], late: dict[int, list[Stamped]]
) -> Iterator[Stamped]:
    shot = s.event
    if isinstance(shot, ev.ShotSeen):
        for correction in corrections[s.id]:
            shot = shot.model_copy(update=correction.changes(shot))
    yield replace(s, event=shot)
    yield from late[s.id]
