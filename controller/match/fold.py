"""The fold: computes a match's state from its events, and what answers would change; nothing else does. Undo, redo,
corrections, replay and recovery after a power cut all fold the events that still count.

A correction takes effect at the place that it corrects, and later events follow from it: a corrected shot is judged
again in its place, and a disc's corrected place takes effect right after the event that it names."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from controller import rules
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.parts import OpenQuestion, PointsChange
from controller.match.seating import assumed_seating
from controller.match.shots import corrected
from controller.match.state import MatchState
from controller.match.undo import standing

_Order = tuple[int, float, int]
"""Where an event takes effect: after the event of this number, for the board read at this time (s), and its order.
An unrevised event takes effect right after its own number, before any board."""


def effective_events(history: Sequence[Stamped]) -> Iterator[Stamped]:
    """The events that count, with corrections applied, in the order in which they take effect."""
    corrections: dict[int, list[Stamped]] = defaultdict(list)
    ordered: list[Stamped] = []
    for s in _with_answers(amended(standing(history))):
        if s.event.corrects is not None:
            corrections[s.event.corrects].append(s)
        if s.event.corrects is None or isinstance(s.event, ev.ConductCalled):  # a call stands in its own place too
            ordered.append(s)
    for s in ordered:
        if isinstance(s.event, ev.ShotSeen):
            s = replace(s, event=reduce(corrected, (one.event for one in corrections[s.id]), s.event))
        yield s
        yield from (one for one in corrections[s.id] if isinstance(one.event, ev.DiscCorrected))


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


def _with_answers(live: Sequence[Stamped]) -> Iterator[Stamped]:
    """The events, and those of each answer after it; corrected places of discs apply at the time of the question."""
    asked = {s.id: s.event for s in live if isinstance(s.event, ev.QuestionAsked)}
    for s in live:
        yield s
        if not isinstance(s.event, ev.QuestionAnswered):
            continue
        for question in filter(asked.__contains__, s.event.questions):
            for one in asked[question].events_of(s.event.answer):
                if isinstance(one, ev.DiscCorrected) and not one.after:
                    one = one.model_copy(update={"after": question})
                yield replace(s, event=one)


def fold(number: int, history: Sequence[Stamped]) -> MatchState:
    """The state after these events. The first must be `MatchStarted`."""
    first, *rest = effective_events(history)
    return replace(reduce(apply, rest, begin(number, first)), last_id=history[-1].id)


def begin(number: int, stamped: Stamped) -> MatchState:
    """The state after a match's first event."""
    started = stamped.event
    assert isinstance(started, ev.MatchStarted)
    game = new_game(started)
    seating = assumed_seating(dict(game.terms.seats), started.directions)
    state = MatchState(number, started, game, stamped.id, seating, uncleared=not started.cleared)
    return replace(state, round_starts={1: state})


def new_game(started: ev.MatchStarted) -> rules.Match:
    """Create the match with these choices. Raises `rules.RulesError`."""
    form = rules.read_format(started.format) if started.format else None
    game = rules.Match.start(
        rules.own_rule_set(started.rules) if isinstance(started.rules, dict) else started.rules,
        form,
        [rules.Side(id_, side.name) for id_, side in started.by_id.items()],
        started.starter,
        discs=started.discs,
        doubles=started.doubles,
        seat=started.seat,
    )
    nobody = [seat for seat in started.seats if seat not in dict(game.terms.seats)]
    if nobody:
        raise rules.BadMatch(f"nobody sits at seat {nobody[0]} in this match", "seats")
    return game


def apply(state: MatchState, stamped: Stamped) -> MatchState:
    """Apply one more event that counts."""
    after = stamped.event.apply(replace(state, last_id=stamped.id))
    if stamped.event.undoable:
        after = replace(after, undone=None)
    number = after.game.round.number
    if number == state.game.round.number or isinstance(stamped.event, ev.ShotSeen):
        return after
    return replace(after, round_starts={**state.round_starts, number: after})


def following(state: MatchState, before: Sequence[Stamped], new: Sequence[Stamped]) -> MatchState:
    """The state after `new` events; `before`: all earlier ones of the match."""
    if any(s.event.reorders for s in new):
        return fold(state.number, [*before, *new])
    return reduce(apply, new, state)


def with_outcomes(state: MatchState, history: Sequence[Stamped], before: MatchState | None = None) -> MatchState:
    """The state with the `outcomes` of its open questions, folded from the round's start. Those about an ended round
    that has not changed since the state `before` are known."""
    questions = dict(state.questions)
    for question in state.questions.values():
        if not question.outcomes or before is None or not _is_settled(question.asked.round, state, before):
            outcomes = {answer.id: _change(state, history, question, answer.id) for answer in question.asked.answers}
            questions[question.id] = replace(question, outcomes=outcomes)
    return replace(state, questions=questions)


def _is_settled(number: int, state: MatchState, before: MatchState) -> bool:
    """Whether the round had ended in the state `before` and has not changed since."""
    at = number - 1
    return number <= min(before.confirmed, state.confirmed) and state.game.all_rounds[at] is before.game.all_rounds[at]


def _change(state: MatchState, history: Sequence[Stamped], question: OpenQuestion, answer: str) -> PointsChange:
    """The changes of the round's present totals by this answer, for the affected sides. An answer that the rules refuse
    changes nothing."""
    asked = question.asked
    assert isinstance(asked, ev.QuestionAsked)
    if not asked.events_of(answer):
        return {}
    number = asked.round
    given = ev.QuestionAnswered(question=question.id, answer=answer)
    try:
        trial_state = _try(state, history, Stamped(history[-1].id + 1, history[-1].at, given), number)
    except rules.RulesError:
        return {}
    now = state.game.all_rounds[number - 1].totals
    then = trial_state.game.all_rounds[number - 1].totals
    return {side: then[side] - now[side] for side in now if then[side] != now[side]}


def _try(state: MatchState, history: Sequence[Stamped], trial: Stamped, number: int) -> MatchState:
    """Fold the match with one more event, as far as it concerns one round: the events until the round's end, and later
    ones that name it."""
    trial_state = state.round_starts[max(n for n in state.round_starts if n <= number)]
    for s in effective_events([*(s for s in history if s.id > trial_state.last_id), trial]):
        past = trial_state.game.round.number > number
        if not past or s.id == trial.id or getattr(s.event, "round", None) == number:
            trial_state = apply(trial_state, s)
    return trial_state
