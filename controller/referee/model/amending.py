"""An amendment: what the journal tells of the last boards, where another history has become the best."""

from collections.abc import Callable, Iterator, Sequence

from controller import rules
from controller.match import events as ev
from controller.match.amendments import Change, ChangedShot, Why
from controller.match.state import MatchState
from controller.referee.model.belief import History
from controller.referee.model.steps import Step

Place = tuple[int, float]
"""Where a board's events take effect: after the journal's event of this number, for the reading at this time (s)."""


def amendment(
    state: MatchState, best: History, given_up: Sequence[Step], anew: Sequence[Step], place_of: Callable[[Step], Place]
) -> ev.Amended:
    """The event by which the steps `anew` are told in place of those `given_up`; `state` is the match as it was told.

    Steps of `best` beyond `anew` tell the board that is read now.
    """
    after, t = min(place_of(step) for step in (*given_up, *anew))
    number = state.game.round.number
    was, now = state.game.round.shots, best.state.game.all_rounds[number - 1].shots
    told = sum(isinstance(e, ev.ShotSeen) for step in given_up for e in step.events)
    shots = sum(isinstance(e, ev.ShotSeen) for step in anew for e in step.events)
    begins = len(was) - told
    told_now = now[: begins + shots]
    why, disc = _why(state, best.state, told_now, same_turn=told == shots)
    return ev.Amended(
        round=number,
        after=after,
        t=t,
        anew=tuple(_anew(state, given_up, anew, place_of)),
        shots=tuple(_changed(was, told_now, begins)),
        why=why,
        disc=disc,
    )


def _anew(
    state: MatchState, given_up: Sequence[Step], anew: Sequence[Step], place_of: Callable[[Step], Place]
) -> Iterator[ev.RevisedEvent]:
    """The events as they are told now. A shot keeps the number under which its disc's shot was told before."""
    told = {e.disc for step in given_up for e in step.events if isinstance(e, ev.ShotSeen)}
    current = state.game.round
    numbers: dict[str | None, int] = {
        p.shot.disc: state.shots[current.number, k]
        for k, p in enumerate(current.shots, start=1)
        if (current.number, k) in state.shots  # people's own entry of the round has shots without events
    }
    for step in anew:
        after, t = place_of(step)
        for event in step.written():
            assert isinstance(event, ev.ShotSeen | ev.BoardSeen | ev.DiscCorrected)
            disc = event.disc if isinstance(event, ev.ShotSeen) else None
            yield ev.RevisedEvent(after=after, t=t, event=event, number=numbers[disc] if disc in told else None)


def _changed(was: Sequence[rules.JudgedShot], now: Sequence[rules.JudgedShot], begins: int) -> Iterator[ChangedShot]:
    """The shots that are told otherwise, from the one with this index on."""
    for k in range(begins, max(len(was), len(now))):
        change = _change(was[k] if k < len(was) else None, now[k] if k < len(now) else None)
        if change is not None:
            yield ChangedShot(shot=k + 1, change=change)


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
    """What the newest board showed that makes another telling the best; the first of these that holds.

    `shots` are those of the round before that board, as they are told now.
    """
    if was.colours != now.colours:
        return "colours", None
    twenties = {disc for played in shots for disc in played.judgement.twenties}
    removed = {one.disc for played in shots for one in played.judgement.removed}
    gone = {disc for disc in was.on_board if disc not in now.measured}
    found: list[tuple[Why, set[str]]] = [
        ("lifted", gone & twenties),
        ("taken_off", gone & removed),
        ("left_lying", {disc for disc in was.to_remove if disc in now.on_board}),
        ("seen_again", {p.shot.disc for p in shots if p.shot.disc in now.on_board} - was.measured.keys()),
        ("gone", gone),
    ]
    for why, discs in found:
        if discs:
            return why, min(discs)
    return ("later_board" if same_turn else "turn"), None
