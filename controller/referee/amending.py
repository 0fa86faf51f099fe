"""Amendments: replace the journal's account of the last boards once another hypothesis is the best."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from controller import rules
from controller.match import events as ev
from controller.match.parts import Change, ChangedShot, Why
from controller.match.state import MatchState
from controller.referee.belief import Hypothesis, visible_outcome
from controller.referee.transitions import Transition

Transitions = Sequence[Transition]


def amendment(state: MatchState, best: Hypothesis, given_up: Transitions, instead: Transitions) -> ev.Amended:
    """The event that replaces the transitions `given_up` by those `instead`; `state` is the match before it.

    Further transitions of `best` belong to the present board.
    """
    after, t = min(_place_of(transition) for transition in (*given_up, *instead))
    number = state.game.round.number
    was, now = state.game.round.shots, best.state.game.all_rounds[number - 1].shots
    dropped, added = len(_shots(given_up)), len(_shots(instead))
    begins = len(was) - dropped
    now = now[: begins + added]
    why, disc = _why(state, best.state, now, same_turn=dropped == added)
    return ev.Amended(
        round=number,
        after=after,
        t=t,
        revised=tuple(_revised(state, instead)),
        shots=tuple(_changed(was, now, begins)),
        why=why,
        disc=disc,
    )


def _shots(transitions: Transitions) -> list[ev.ShotSeen]:
    return [event for transition in transitions for event in transition.events if isinstance(event, ev.ShotSeen)]


def _place_of(transition: Transition) -> tuple[int, float]:
    """Where its events take effect: after the event of this number, for the reading at this time (s)."""
    seen = transition.association.seen
    return seen.watching.after, seen.reading.t


def _revised(state: MatchState, instead: Transitions) -> Iterator[ev.RevisedEvent]:
    """The revised events. A shot keeps the number under which its disc's shot was recorded before."""
    current = state.game.round
    # A round that people entered has shots without events.
    known = ((k, p) for k, p in enumerate(current.shots, start=1) if (current.number, k) in state.shots)
    numbers = {p.shot.disc: state.shots[current.number, k] for k, p in known}
    for transition in instead:
        after, t = _place_of(transition)
        for event in transition.journalled():
            assert isinstance(event, ev.ShotSeen | ev.BoardSeen | ev.DiscCorrected)
            number = numbers.get(event.disc) if isinstance(event, ev.ShotSeen) else None
            yield ev.RevisedEvent(after=after, t=t, event=event, number=number)


def _changed(was: Sequence[rules.JudgedShot], now: Sequence[rules.JudgedShot], begins: int) -> Iterator[ChangedShot]:
    """The changed shots, from this index on."""
    for shot, (before, after) in enumerate(zip_longest(was[begins:], now[begins:]), start=begins + 1):
        if (change := _change(before, after)) is not None:
            yield ChangedShot(shot=shot, change=change)


def _change(was: rules.JudgedShot | None, now: rules.JudgedShot | None) -> Change | None:
    if was is None or now is None:
        return "dropped" if now is None else "added"
    before, after = was.judgement, now.judgement
    if before.counted_valid != after.counted_valid:
        return "valid" if after.counted_valid else "foul"
    if len(before.twenties) != len(after.twenties):
        return "twenty" if len(after.twenties) > len(before.twenties) else "no_twenty"
    same = (was.shot.disc, before.removed) == (now.shot.disc, after.removed)
    return None if same and was.shot.rest.keys() == now.shot.rest.keys() else "otherwise"


def _why(
    was: MatchState, now: MatchState, shots: Sequence[rules.JudgedShot], *, same_turn: bool
) -> tuple[Why, str | None]:
    """The observation on the newest board that made another hypothesis the best.

    `shots`: those of the round before that board, by the new hypothesis.
    """
    if was.colours != now.colours:
        return "colours", None
    if visible_outcome(was) == visible_outcome(now):
        return "nothing", None
    for why, discs in _found(was, now, shots):
        if discs:
            return why, min(discs)
    return ("later_board" if same_turn else "turn"), None


def _found(was: MatchState, now: MatchState, shots: Sequence[rules.JudgedShot]) -> Iterator[tuple[Why, set[str]]]:
    """Each possible reason with its discs, the most informative first."""
    gone = {disc for disc in was.on_board if disc not in now.measured}
    yield "lifted", gone & {disc for played in shots for disc in played.judgement.twenties}
    yield "taken_off", gone & {one.disc for played in shots for one in played.judgement.removed}
    yield "left_lying", {disc for disc in was.to_remove if disc in now.on_board}
    yield "seen_again", {p.shot.disc for p in shots if p.shot.disc in now.on_board} - was.measured.keys()
    yield "gone", gone
