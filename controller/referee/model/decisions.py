"""What to tell, and what to ask.

Histories are grouped by what people see of them: verdicts, what comes off, twenties, totals. People are asked where
silence is expected to cost more than a question does.
"""

from collections.abc import Sequence

from controller.match.state import MatchState
from controller.referee.doubts import Doubt, Lifted, Removed, Touched, Unseen, WhoseTwenty
from controller.referee.doubts import SensorAlone
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
    found: list[Doubt] = []
    for group, histories in groups.items():
        if group != told and worth_asking(belief.probability(histories)):
            mine, theirs = _where_apart(belief.best.steps, histories[0].steps)
            if mine is not None and theirs is not None and (doubt := _doubt(mine, theirs, belief.best.state)):
                found.append(doubt)
    return found


def _where_apart(mine: Sequence[Step], theirs: Sequence[Step]) -> tuple[Step | None, Step | None]:
    """The first steps of two histories that differ."""
    for a, b in zip(mine, theirs, strict=False):
        if a is not b:
            return a, b
    shorter = min(len(mine), len(theirs))
    return next(iter(mine[shorter:]), None), next(iter(theirs[shorter:]), None)


def _doubt(mine: Step, theirs: Step, state: MatchState) -> Doubt | None:
    """The question whose answers tell two steps apart, the first of which is told."""
    if len(mine.shots) != len(theirs.shots):
        return None
    if mine.in_doubt is not None and _contacts(mine) != _contacts(theirs):
        return Touched(*mine.in_doubt)
    gained, lost = theirs.sunk - mine.sunk, mine.sunk - theirs.sunk
    if lost and gained:
        return WhoseTwenty(min(lost), (min(gained),))
    if gained:
        return Unseen(min(gained))
    if lost:
        name = min(lost)
        return SensorAlone(name) if any(name == shot.disc for shot in mine.shots) else Lifted(name)
    if taken := set(mine.taken) - set(theirs.taken):
        name = min(taken)
        return Removed(name, mine.taken[name])
    return None


def _contacts(step: Step) -> list[tuple[tuple[str, str], ...]]:
    return [shot.contacts for shot in step.shots]
