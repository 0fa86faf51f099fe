"""Decides what to show, and what to ask.

Hypotheses are grouped by their visible outcome: verdicts, removals, twenties, totals. People are asked if the expected
cost of silence exceeds that of a question.

Hints are about visible placing faults; only people call a fault. The player whose turn it is places the disc so that
it touches the starting line, with at most half of it over the quadrant line. Every source of the rules has at least
one of these three conditions.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from controller import rules
from controller.match import events as ev
from controller.match.parts import Hint
from controller.match.state import MatchState
from controller.referee.asked import QuestionKey, answer_of
from controller.referee.association import InferredShot
from controller.referee.belief import Belief, Hypothesis, shared_prefix, visible_outcome
from controller.referee.questions import (
    Asked,
    Graze,
    Question,
    doubtful,
    fouled,
    mixed,
    reached,
    removed,
    returned,
    touched,
    twenty,
    unseen,
    unwatched,
    whose_twenty,
)
from controller.referee.seats import angle, bearing
from controller.referee.settings import SEATS
from controller.referee.transitions import Transition
from controller.referee.whose_disc import side_of
from controller.vision.readings import AT_HOLE, BoardReading, SeenDisc
from hardware.board import TOURNAMENT

COST_OF_ERROR = 50.0
"""The cost of an error that nobody was asked about, in questions. Judged: people forgive a question in each match, but
after one wrong score shown as sure they go back to pen and paper."""
COST_OF_QUESTION = 1.0
"""The cost of a question: the unit."""

EVEN = 1.5
"""Nats: people are asked about a hypothesis at most this much less likely (1 to 4.5) before they act. Judged."""


def worth_asking(probability: float) -> bool:
    """Whether to ask, given the probability of another outcome."""
    return probability * COST_OF_ERROR > COST_OF_QUESTION


def in_doubt(cost: float) -> bool:
    """Whether to ask, given how much more (nats) another outcome costs than the shown one."""
    return worth_asking(1 / (1 + math.exp(cost)))


def questions_to_ask(belief: Belief, shown: Iterable[Transition], state: MatchState) -> list[ev.QuestionAsked]:
    """The questions to ask now, the likeliest doubts first; `shown`: the transitions of the best hypothesis, those that
    all share too; `state`: the match in the journal.

    Each other visible outcome is represented by its likeliest hypothesis. If one question separates several outcomes
    from the shown one, their probabilities add up.
    """
    groups: dict[tuple[object, ...], list[Hypothesis]] = {}
    for hypothesis in belief.hypotheses:
        groups.setdefault(visible_outcome(hypothesis.state), []).append(hypothesis)
    groups.pop(visible_outcome(belief.best.state))
    chances: list[tuple[float, ev.QuestionAsked]] = []
    for hypotheses in groups.values():
        question = OutcomeDifference(belief.best, hypotheses[0]).question()
        if question is not None and (asked := question(state)) is not None:
            chance = belief.probability(hypotheses)
            for other in [one for one in chances if _asks_the_same(asked, one[1])]:
                chances.remove(other)
                chance, asked = chance + other[0], _merged(asked, other[1], state)
            chances.append((chance, asked))
    left_open = (question(state) for transition in shown for question in transition.left_open)
    likeliest = sorted(chances, key=lambda one: -one[0])
    return [*filter(None, left_open), *(asked for chance, asked in likeliest if worth_asking(chance))]


def ask_before_end(belief: Belief, state: MatchState) -> Asked:
    """Ask about a round that ends, if its totals may be others than the open questions leave possible."""
    ranges = state.total_ranges(state.game.round.number)

    def outside(hypothesis: Hypothesis) -> bool:
        totals = hypothesis.state.game.round.totals
        return any(not low <= totals[side] <= high for side, (low, high) in ranges.items())

    # each by itself: that one of many discs may have bounced back is in the players' hands
    other = next((one for one in belief.hypotheses if outside(one) and worth_asking(belief.probability([one]))), None)
    if other is None or any(q.asked.case == "doubtful" for q in state.open_now):
        return None
    return OutcomeDifference(belief.best, other).in_general(state)


def _asks_the_same(asked: ev.QuestionAsked, other: ev.QuestionAsked) -> bool:
    return asked == other or (asked.case == other.case == "whose" and asked.disc == other.disc)


def _merged(asked: ev.QuestionAsked, other: ev.QuestionAsked, state: MatchState) -> ev.QuestionAsked:
    """One question for both: whose twenty it was, with one disc of each side."""
    if asked == other:
        return asked
    by_side = {state.side_of(disc): disc for disc in (*asked.discs[1:], *other.discs[1:])}
    return whose_twenty(state, str(asked.disc), tuple(by_side.values())) or asked


_Shots = dict[str, tuple[InferredShot, Transition]]
"""Shots by their discs."""


@dataclass(frozen=True)
class OutcomeDifference:
    """Two hypotheses with different visible outcomes; the best one is shown."""

    best: Hypothesis
    other: Hypothesis

    @cached_property
    def _own(self) -> tuple[Sequence[Transition], Sequence[Transition]]:
        """The transitions of each that the other does not share."""
        same = shared_prefix(self.best.transitions, self.other.transitions)
        return self.best.transitions[same:], self.other.transitions[same:]

    def question(self) -> Question | None:
        """The question whose answers separate the two. None if no question fits, or if the next board or shooter will
        answer it.
        """
        shots, others = map(_shots, self._own)
        same_shots = shots.keys() == others.keys()
        if same_shots and (question := self._about_twenties()):
            return question
        for differ, question in self._about_shots(shots, others):
            if differ or question:
                return question
        taken = self._about_taken() if same_shots else None
        missed = self.in_general if self._more(shots, others) else None
        return taken or self._about_missing() or missed

    def _about_shots(self, shots: _Shots, others: _Shots) -> Iterator[tuple[bool, Question | None]]:
        """For each shot whether the two differ in it, and the question about it."""
        more = self._more(shots, others)
        for disc, (shot, transition) in shots.items():
            if disc not in others:
                yield True, self._about_extra_shot(shot, transition) or self._about_missing()
                return
            instead, elsewhere = others[disc]
            if more and shot.rest[disc] != instead.rest[disc]:
                return  # it is an earlier shot that has the disc's name there
            yield self._about_shot(shot, transition, instead, elsewhere)

    def _about_shot(
        self, shot: InferredShot, transition: Transition, instead: InferredShot, elsewhere: Transition
    ) -> tuple[bool, Question | None]:
        """Whether the two differ in this shot, and the question about it."""
        one_shot = len(transition.shots) == len(elsewhere.shots) == 1
        apart = tuple(sorted({pair[1] for pair in {*shot.contacts} ^ {*instead.contacts} if pair[0] == shot.disc}))
        if apart and one_shot:
            return True, self._about_contact(shot.disc, apart, transition, elsewhere)
        if apart:
            return True, partial(touched, shot=shot.disc, others=apart)
        if (question := self._about_returned(transition, elsewhere)) is not None:
            return True, question
        question = self._about_verdict(shot, instead, transition, elsewhere)
        return question is not None, question

    def _about_verdict(
        self, shot: InferredShot, instead: InferredShot, transition: Transition, elsewhere: Transition
    ) -> Question | None:
        """Ask about what decides the verdict besides contacts: where the disc lies, or lay until another shot came."""
        if shot == instead and transition.across != elsewhere.across:
            (across,) = transition.across or elsewhere.across
            return partial(reached, shot=shot.disc, across=across)
        one_shot = len(transition.shots) == len(elsewhere.shots) == 1
        if one_shot and transition.association.seen.reading is elsewhere.association.seen.reading:
            return self._about_place(shot, instead)
        verdicts = {answer_of(one.state, ("contact", shot.disc, None)) for one in (self.best, self.other)}
        return partial(fouled, shot=shot.disc) if len(verdicts) > 1 else None

    def _about_place(self, shot: InferredShot, instead: InferredShot) -> Question | None:
        """Ask which of two discs in different zones was the one that was shot."""
        lies, lay = shot.rest[shot.disc], instead.rest[shot.disc]
        if lies is None or lay is None or lies.zone == lay.zone or lies.pose != lay.pose:
            return None
        return partial(mixed, shot=shot.disc, place=lies, other=lay)

    def _about_returned(self, mine: Transition, theirs: Transition) -> Question | None:
        """Ask whether a disc that bounced back, by one of the two, is off or counts. None while the next board may show
        it, or people may take it off.
        """
        best, other = self.best, self.other
        for here, there, gone, lies in ((mine, theirs, best, other), (theirs, mine, other, best)):
            back = (here.returned - there.returned - gone.state.measured.keys()) & lies.state.measured.keys()
            unseen = (n for n in back if lies.state.game.round.complete or lies.overlooked.get(n, 0) > 1)
            if (disc := min(unseen, default=None)) is not None:
                return partial(removed, disc=disc, was=lies.state.measured[disc], off=gone is best)
            if question := self._about_left_lying(here, there, shown=gone is best):
                return question
        return None

    def _about_left_lying(self, here: Transition, there: Transition, *, shown: bool) -> Question | None:
        """Ask about a disc on the board that was filmed off the surface. Only once people have left it there for
        another shot, unless it is shown as counting and both outcomes are about as likely.
        """
        best, other = self.best, self.other
        seen = (best.state.measured.keys() & other.state.measured.keys()) - best.overlooked.keys()
        back = [disc for disc in sorted(here.returned - there.returned) if disc in seen and here.filmed_off(disc)]
        played = best.state.game.round
        even = not shown and other.cost < best.cost + EVEN
        if back and (even or played.complete or played.shots[-1].shot.disc != here.shots[-1].disc):
            return partial(returned, shot=here.shots[-1].disc, disc=min(back))
        return None

    def _about_extra_shot(self, shot: InferredShot, transition: Transition) -> Question | None:
        """Ask about a shot that may not have happened, if its disc's end was unseen; otherwise later boards decide."""
        end = transition.association.shot[transition.shots.index(shot)]
        if end.place is not None or (end.became == "off" and end.seen):
            return None
        felt = shot.disc in transition.sunk
        return partial(twenty, case="felt", disc=shot.disc) if felt else partial(unseen, disc=shot.disc)

    def in_general(self, state: MatchState) -> Asked:
        """The question whether the shots are right, from the first one that they do not share."""
        shots = [*_shots(self._own[0]), *(played.shot.disc for played in state.game.round.shots[-1:])]
        return doubtful(state, shots[0]) if shots else None

    def _more(self, shots: _Shots, others: _Shots) -> bool:
        """Whether the other hypothesis has more shots, and who shoots next will not show it; of a player alone the
        count of the round's discs will."""
        mine, theirs = self.best.state.game.round, self.other.state.game.round
        shown = mine.to_shoot != theirs.to_shoot or len(mine.terms.ids) == 1
        return shots.keys() < others.keys() and not shown

    def _about_missing(self) -> Question | None:
        """Ask about a disc that was not seen on two boards and is off by only one of the two hypotheses."""
        best, other = self.best, self.other
        marked, ours = {*other.state.to_remove, *best.state.to_remove}, best.state.game.round.owners
        for lies, gone in ((best, other), (other, best)):
            unseen = (n for n, boards in lies.overlooked.items() if boards > 1 and n in ours)
            disc = min((n for n in unseen if n not in {*gone.state.measured, *marked}), default=None)
            if disc is not None:
                return partial(removed, disc=disc, was=lies.state.measured[disc], off=gone is best)
        return None

    def _about_contact(self, disc: str, others: Sequence[str], mine: Transition, theirs: Transition) -> Question | None:
        """Ask whether a shot touched these discs, according to what was seen of them. None if one may only be
        overlooked: the next board will show it.
        """
        outcomes = {name: outcome for name, outcome in mine.association.known.items() if name in others}
        if lying := [name for name, outcome in outcomes.items() if outcome.place is not None]:
            graze = mine.graze or Graze(lying[0], "moved", outcomes[lying[0]].away)
            return partial(touched, shot=disc, others=tuple(lying), graze=graze)
        lay, seen = {**self.other.state.measured, **theirs.taken}, self.other.overlooked
        off = [n for n, outcome in outcomes.items() if outcome.became == "off" and n in lay and seen.get(n) != 1]
        return partial(removed, disc=off[0], was=lay[off[0]]) if off else self._about_missing()

    def _about_twenties(self) -> Question | None:
        """Ask whether a disc is a twenty. None if both have equally many."""
        state, instead = self.best.state, self.other.state
        if state.game.round.twenty_counts == instead.game.round.twenty_counts:
            return None
        mine, theirs, later = _twenties(state), _twenties(instead), self._answered_later()
        lost, gained = sorted(mine - theirs - later), sorted(theirs - mine - later)
        if lost and gained:
            return partial(whose_twenty, disc=lost[0], others=(gained[0],))
        if any(_leaned(disc, s) for disc in lost + gained for s in (state, instead)):
            return partial(twenty, case="lifted", disc=(lost + gained)[0])
        if gained:
            return partial(unseen, disc=self._missing_instead(gained[0]))
        return partial(twenty, case="felt", disc=lost[0]) if lost else None

    def _missing_instead(self, twenty: str) -> str:
        """The disc to ask about: `twenty`, or one of its side that is gone if the best hypothesis still has it."""
        state, instead = self.best.state, self.other.state
        if twenty not in state.measured:
            return twenty
        side = state.side_of(twenty)
        return next((n for n in instead.measured if n not in state.measured and state.side_of(n) == side), twenty)

    def _answered_later(self) -> set[str]:
        """Discs that a later board, or the answer to an open question, will decide."""
        state = self.best.state
        at_hole = {n for n, m in state.measured.items() if m.pose in AT_HOLE}
        overlooked = {n for n, boards in self.other.overlooked.items() if boards == 1}
        asked = {str(q.asked.disc) for q in state.questions.values() if q.asked.what == "close_call"}
        return at_hole | overlooked | asked

    def _about_taken(self) -> Question | None:
        """Ask about a disc in play that people took off by only one of the two."""
        mine, theirs = ({n: lay for one in own for n, lay in one.taken.items()} for own in self._own)
        lying = set(self.best.state.measured)
        for taken, otherwise in ((mine, theirs), (theirs, mine)):
            if gone := taken.keys() - otherwise - lying:
                return partial(removed, disc=min(gone), was=taken[min(gone)], off=taken is mine)
        return None


def _shots(transitions: Sequence[Transition]) -> _Shots:
    return {shot.disc: (shot, transition) for transition in transitions for shot in transition.shots}


def _twenties(state: MatchState) -> set[str]:
    return {disc for discs in state.game.round.twenties.values() for disc in discs}


def _leaned(disc: str, state: MatchState) -> bool:
    """Whether a shot left this disc leaning."""
    rests = (played.shot.rest.get(disc) for played in state.game.round.shots)
    return any(isinstance(rest, rules.Placed) and rest.pose == "leaning" for rest in rests)


SURE = 1.0
"""mm over the limit before a hint: four standard errors of a place at the starting line."""
ELSEWHERE = 2 * TOURNAMENT.disc.radius
"""mm over the quadrant line, a disc's diameter: a seated player places no disc that far off. Judged."""


def about_unwatched(
    state: MatchState, transitions: Iterable[Transition], before: Iterable[QuestionKey]
) -> Iterator[Asked]:
    """Ask about the shots that came while the camera saw nothing, and that no other question is about. `before`: the
    questions that were asked in this round."""
    asked = {disc for q in state.open_now for disc in q.asked.discs} | {disc for _, disc, _ in before}
    for one in transitions:
        discs = [shot.disc for shot in one.shots if shot.disc not in asked]
        if discs and one.association.seen.watching.unwatched:
            yield unwatched(state, discs, one.shots[-1].disc)


def hint(state: MatchState, placed: Iterable[SeenDisc]) -> Hint | None:
    """The hint about wrongly placed discs, if any."""
    current = state.game.round
    for disc in placed:
        side = str(disc.side)
        if side != current.to_shoot:
            return Hint("not_in_turn", side)
        if not _touches_line(disc):
            return Hint("off_the_line", side)
        if state.seating.sure and current.seat_to_shoot is not None:
            over = _over_quadrant_line(disc, state.seating.directions[current.seat_to_shoot])
            if over > ELSEWHERE:
                return Hint("at_another_seat", side)
            if over > SURE:
                return Hint("over_quadrant_line", side)
    return None


def unknown_owner(state: MatchState, reading: BoardReading) -> Hint | None:
    """A hint that the owner of some discs is unknown; None if every disc's side is known."""
    if all(d.pose == "ditch" or side_of(d, state) is not None for d in reading.discs):
        return None
    return Hint("whose_unknown")


def _over_quadrant_line(disc: SeenDisc, direction: float) -> float:
    """The distance (mm) of the disc's centre beyond the quadrant in this direction (degrees)."""
    off = angle(bearing(disc), direction) - SEATS.quarter
    return math.hypot(disc.x, disc.y) * math.sin(math.radians(min(max(off, 0.0), 90.0)))


def _touches_line(disc: SeenDisc) -> bool:
    """Whether a disc touches the starting line, or seems to miss it by a little."""
    away = abs(math.hypot(disc.x, disc.y) - TOURNAMENT.outer_line)
    return away <= TOURNAMENT.disc.radius + TOURNAMENT.line_width / 2 + SURE
