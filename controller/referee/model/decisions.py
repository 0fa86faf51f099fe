"""What to tell, and what to ask.

Histories are grouped by what people see of them: verdicts, what comes off, twenties, totals. People are asked where
silence is expected to cost more than a question does.
"""

from collections.abc import Collection, Sequence

from controller.match.state import MatchState
from controller.referee.contact import Graze
from controller.referee.doubts import Doubt, Lifted, Removed, SensorAlone, Touched, Unseen, WhoseTwenty
from controller.referee.model.belief import Belief, History
from controller.referee.model.steps import Step

COST_OF_ERROR = 50.0
"""What an error costs that nobody was asked about, in questions. Judged: people forgive a question in each match; one
wrong score that was shown as sure, and they go back to pen and paper."""
COST_OF_QUESTION = 1.0
"""What a question costs: the unit."""


def worth_asking(probability: float) -> bool:
    """Whether to ask, where something else happened with this probability."""
    return probability * COST_OF_ERROR > COST_OF_QUESTION


def effect(state: MatchState) -> tuple[object, ...]:
    """What people see of a history: two with the same are told alike."""
    current = state.game.round
    verdicts = tuple((p.judgement.valid, len(p.judgement.twenties)) for p in current.shots)
    sides = tuple(sorted(state.side_of(n) + why for n, why in state.to_remove.items()))
    return (current.number, verdicts, sides, tuple(sorted(current.totals.items())))


def doubts(belief: Belief) -> list[Doubt]:
    """What to ask now: of each other effect that is likely enough, by what its likeliest history tells otherwise."""
    groups: dict[tuple[object, ...], list[History]] = {}
    for history in belief.histories:
        groups.setdefault(effect(history.state), []).append(history)
    told = effect(belief.best.state)
    found: list[Doubt] = [pushed for step in belief.best.steps for pushed in step.pushed]
    for group, histories in groups.items():
        if group != told and worth_asking(belief.probability(histories)):
            tails = _where_apart(belief.best.steps, histories[0].steps)
            if (doubt := _doubt(*tails, belief.best.state)) is not None:
                found.append(doubt)
    return found


def _where_apart(mine: Sequence[Step], theirs: Sequence[Step]) -> tuple[Sequence[Step], Sequence[Step]]:
    """The steps of two histories from the first on that differs."""
    same = 0
    while same < min(len(mine), len(theirs)) and mine[same] is theirs[same]:
        same += 1
    return mine[same:], theirs[same:]


def _doubt(mine: Sequence[Step], theirs: Sequence[Step], state: MatchState) -> Doubt | None:
    """The question whose answers tell two histories apart, the first of which is told; None where no words fit."""
    shots, others = ({shot.disc: shot for step in steps for shot in step.shots} for steps in (mine, theirs))
    if set(shots) != set(others):
        return None
    for disc, shot in shots.items():
        apart = {pair[1] for pair in {*shot.contacts} ^ {*others[disc].contacts} if pair[0] == disc}
        if apart:
            return Touched(disc, tuple(sorted(apart)), _graze(mine, disc))
    return _of_twenties(mine, theirs, shots) or _of_taken(mine, theirs)


def _graze(steps: Sequence[Step], disc: str) -> Graze | None:
    return next((step.in_doubt[2] for step in steps if step.in_doubt is not None and step.in_doubt[0] == disc), None)


def _of_twenties(mine: Sequence[Step], theirs: Sequence[Step], shots: Collection[str]) -> Doubt | None:
    told, else_ = ({n for step in steps for n in step.sunk} for steps in (mine, theirs))
    gained, lost = else_ - told, told - else_
    if lost and gained:
        return WhoseTwenty(min(lost), (min(gained),))
    if gained:
        return Unseen(min(gained))
    if lost:
        return SensorAlone(min(lost)) if min(lost) in shots else Lifted(min(lost))
    return None


def _of_taken(mine: Sequence[Step], theirs: Sequence[Step]) -> Doubt | None:
    told, else_ = ({n: lay for step in steps for n, lay in step.taken.items()} for steps in (mine, theirs))
    taken = set(told) - set(else_)
    return Removed(min(taken), told[min(taken)]) if taken else None
