"""What to tell, and what to ask.

Histories are grouped by what people see of them: verdicts, what comes off, twenties, totals. People are asked where
silence is expected to cost more than a question does.
"""

import math
from collections.abc import Sequence

from controller import rules
from controller.match.cases import What
from controller.match.state import MatchState
from controller.referee.doubts import Doubt, Graze, Lifted, Mixed, Removed, SensorAlone, Touched, Unseen, WhoseTwenty
from controller.referee.model.belief import Belief, History, alike, effect
from controller.referee.model.explanation import OneShot
from controller.referee.model.steps import Step
from controller.vision.readings import AT_HOLE

COST_OF_ERROR = 50.0
"""What an error costs that nobody was asked about, in questions. Judged: people forgive a question in each match; one
wrong score that was shown as sure, and they go back to pen and paper."""
COST_OF_QUESTION = 1.0
"""What a question costs: the unit."""

SETTLED = 0.001
"""Probability of another answer below which an open question is closed. Judged: a 20th of that at which it is asked."""


def worth_asking(probability: float) -> bool:
    """Whether to ask, where something else happened with this probability."""
    return probability * COST_OF_ERROR > COST_OF_QUESTION


def in_doubt(cost: float) -> bool:
    """Whether to ask, where something else costs so much more (nats) than what is shown."""
    return worth_asking(1 / (1 + math.exp(cost)))


def agreed(belief: Belief, what: What, disc: str | None) -> bool:
    """Whether a question of this kind about a disc is settled: another answer than is told is as good as ruled out.

    | question | answered by |
    | --- | --- |
    | `contact`, `order` | whether its shot was valid |
    | any other | whether it is a twenty, and whether it is there |
    """
    told = _answer(belief.best.state, what, disc)
    others = (history for history in belief.histories if _answer(history.state, what, disc) != told)
    return belief.probability(others) < SETTLED


def _answer(state: MatchState, what: What, disc: str | None) -> object:
    played = state.game.round.shots
    if what in ("contact", "order"):
        return next((p.judgement.valid for p in played if p.shot.disc == disc), None)
    return any(disc in p.judgement.twenties for p in played), disc in state.measured


def doubts(belief: Belief) -> list[Doubt]:
    """What to ask now: by what the likeliest history of each other effect tells otherwise, if that is likely enough.

    Where the same question tells several effects from what is told, they count together.
    """
    groups: dict[tuple[object, ...], list[History]] = {}
    for history in belief.histories:
        groups.setdefault(effect(history.state), []).append(history)
    groups.pop(effect(belief.best.state))
    chances: dict[Doubt, float] = {}
    for histories in groups.values():
        mine, theirs = belief.best.steps, histories[0].steps
        same = alike(mine, theirs)
        if (doubt := _doubt(mine[same:], theirs[same:], belief.best, histories[0])) is not None:
            asked = next((other for other in chances if _asks_the_same(doubt, other)), doubt)
            chance = chances.pop(asked, 0.0) + belief.probability(histories)
            chances[_as_one(doubt, asked, belief.best.state)] = chance
    found = [doubt for step in belief.best.steps for doubt in step.left_open]
    likeliest = sorted(chances, key=lambda doubt: -chances[doubt])
    return found + [doubt for doubt in likeliest if worth_asking(chances[doubt])]


def _asks_the_same(doubt: Doubt, other: Doubt) -> bool:
    """Whether one question tells both."""
    both = isinstance(doubt, WhoseTwenty) and isinstance(other, WhoseTwenty) and doubt.disc == other.disc
    return both or doubt == other


def _as_one(doubt: Doubt, other: Doubt, state: MatchState) -> Doubt:
    """The question that tells both: whose twenty it was is asked of one disc of each side."""
    if not isinstance(doubt, WhoseTwenty) or not isinstance(other, WhoseTwenty):
        return doubt
    by_side = {state.side_of(disc): disc for disc in (*doubt.others, *other.others)}
    return WhoseTwenty(doubt.disc, tuple(by_side.values()))


def _doubt(mine: Sequence[Step], theirs: Sequence[Step], told: History, other: History) -> Doubt | None:
    """The question whose answers tell two histories apart, the first of which is told.

    None where no words fit, and where the next board or the next shooter will tell.
    """
    shots, others = ({shot.disc: (shot, step) for step in steps for shot in step.shots} for steps in (mine, theirs))
    if shots.keys() == others.keys() and (of_twenties := _of_twenties(told, other)):
        return of_twenties
    for disc, (shot, step) in shots.items():
        if disc not in others:
            return _of_a_shot_more(shot, step, mine) or _of_gone(told, other)
        instead, elsewhere = others[disc]
        at_once = len(step.shots) > 1 or len(elsewhere.shots) > 1
        apart = sorted({pair[1] for pair in {*shot.contacts} ^ {*instead.contacts} if pair[0] == disc})
        if apart:
            return Touched(disc, tuple(apart)) if at_once else _of_contact(disc, apart, step, elsewhere, told, other)
        lies, lay = shot.rest[disc], instead.rest[disc]
        if (doubt := _of_returned(step, elsewhere, told, other)) is not None:
            return doubt
        if lies is not None and lay is not None and lies.zone != lay.zone and not at_once and lies.pose == lay.pose:
            return Mixed(disc, lies, (lay,))
    taken = _of_taken(mine, theirs, told) if shots.keys() == others.keys() else None
    return taken or _of_gone(told, other)


def _of_returned(mine: Step, theirs: Step, told: History, other: History) -> Doubt | None:
    """A disc that bounced back by one history and is off, and still counts by the other, although it is not seen.

    None while the next board will tell whether the camera misses it.
    """
    for step, instead, gone, lies, off in ((mine, theirs, told, other, True), (theirs, mine, other, told, False)):
        back = (step.returned - instead.returned - gone.state.measured.keys()) & lies.state.measured.keys()
        unseen = (n for n in back if lies.state.game.round.complete or lies.overlooked.get(n, 0) > 1)
        if (disc := min(unseen, default=None)) is not None:
            return Removed(disc, lies.state.measured[disc], off=off)
    return None


def _of_a_shot_more(shot: OneShot, step: Step, mine: Sequence[Step]) -> Doubt | None:
    """A shot that there may not have been: of one whose disc was not seen where it ended people can tell more."""
    end = step.explanation.shot[step.shots.index(shot)]
    if end.place is not None or (end.became == "off" and end.seen):
        return None
    return SensorAlone(shot.disc) if any(shot.disc in step.sunk for step in mine) else Unseen(shot.disc)


def _of_gone(told: History, other: History) -> Doubt | None:
    """A disc that was not seen at two boards: by one of the two it lies there, by the other it is off."""
    marked, ours = {*other.state.to_remove, *told.state.to_remove}, told.state.game.round.owners
    for lies, gone, off in ((told, other, False), (other, told, True)):
        unseen = (n for n, boards in lies.overlooked.items() if boards > 1 and n in ours)
        if (disc := min((n for n in unseen if n not in {*gone.state.measured, *marked}), default=None)) is not None:
            return Removed(disc, lies.state.measured[disc], off=off)
    return None


def _of_contact(
    disc: str, others: Sequence[str], mine: Step, theirs: Step, told: History, other: History
) -> Doubt | None:
    """Whether a shot touched these discs, in words that fit what was seen of them.

    None where one of them may only be overlooked: the next board will tell.
    """
    fates = {name: fate for name, fate in mine.explanation.known.items() if name in others}
    if lying := [name for name, fate in fates.items() if fate.place is not None]:
        return Touched(disc, tuple(lying), mine.graze or Graze(lying[0], fates[lying[0]].away, None))
    lay = {**other.state.measured, **theirs.taken}
    off = [n for n, fate in fates.items() if fate.became == "off" and n in lay and other.overlooked.get(n) != 1]
    return Removed(off[0], lay[off[0]]) if off else _of_gone(told, other)


def _of_twenties(told: History, other: History) -> Doubt | None:
    """Whether a disc is a twenty. None where both have as many.

    Of a disc at the hole its state asks, or has asked; of one that may only be overlooked the next board tells.
    """
    state, instead = told.state, other.state
    if state.game.round.twenty_counts == instead.game.round.twenty_counts:
        return None
    mine, theirs, later = _twenties(state), _twenties(instead), _answered_later(told, other)
    lost, gained = sorted(mine - theirs - later), sorted(theirs - mine - later)
    if lost and gained:
        return WhoseTwenty(lost[0], (gained[0],))
    if any(_leaned(disc, s) for disc in lost + gained for s in (state, instead)):
        return Lifted((lost + gained)[0])
    if gained:
        side = state.side_of(gained[0])
        gone = (n for n in instead.measured if n not in state.measured and state.side_of(n) == side)
        return Unseen(next(gone, gained[0]) if gained[0] in state.measured else gained[0])
    return SensorAlone(lost[0]) if lost else None


def _twenties(state: MatchState) -> set[str]:
    return {disc for discs in state.game.round.twenties.values() for disc in discs}


def _answered_later(told: History, other: History) -> set[str]:
    """Discs that a later board, or an answer that people owe, tells more of."""
    at_hole = {n for n, m in told.state.measured.items() if m.pose in AT_HOLE}
    overlooked = {n for n, boards in other.overlooked.items() if boards == 1}
    asked = {str(q.asked.disc) for q in told.state.questions.values() if q.asked.what == "close_call"}
    return at_hole | overlooked | asked


def _leaned(disc: str, state: MatchState) -> bool:
    """Whether a shot left this disc leaning."""
    rests = (played.shot.rest.get(disc) for played in state.game.round.shots)
    return any(isinstance(rest, rules.Placed) and rest.pose == "leaning" for rest in rests)


def _of_taken(mine: Sequence[Step], theirs: Sequence[Step], best: History) -> Doubt | None:
    told, else_ = ({n: lay for step in steps for n, lay in step.taken.items()} for steps in (mine, theirs))
    lying = set(best.state.measured)
    taken, counted = set(told) - set(else_) - lying, set(else_) - set(told) - lying
    if taken:
        return Removed(min(taken), told[min(taken)])
    return Removed(min(counted), else_[min(counted)], off=False) if counted else None
