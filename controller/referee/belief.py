"""The best few hypotheses over the last boards.

A hypothesis has the transitions since the newest board without doubt, and the resulting state of the match. Each new
board updates the cost of every hypothesis: what people do after a shot, such as taking a disc off, shows which one was
right.
"""

import logging
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.fold import apply
from controller.match.state import MatchState
from controller.referee.assignment import PRUNING_MARGIN, associations
from controller.referee.association import Association
from controller.referee.evidence import cost_of, log_sum_exp
from controller.referee.filmed import Filmed, new_disc, unmoved
from controller.referee.observation import BetweenBoards, DitchSeen, observe
from controller.referee.read_board import stranger
from controller.referee.situation import Ghost, MayBeReady, Situation
from controller.referee.sweep import swept_early
from controller.referee.transitions import Transition, events_of, transitions
from controller.referee.whose_disc import sided
from controller.rules.errors import RulesError
from controller.vision.readings import BoardReading, SeenDisc

log = logging.getLogger(__name__)

MAX_HYPOTHESES = 8
"""The ninth had a probability below 1 in 1,000 in all cases examined."""
UNEXPLAINED = 30.0
"""Nats for a board that no hypothesis explains. Judged: less likely than anything that happens."""
MAX_HISTORY = 8
"""Transitions that a hypothesis keeps: older doubts are decided. Judged: four shots, each with the removals after
it."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state of the match, and the transitions of the last boards that led to it."""

    state: MatchState
    transitions: tuple[Transition, ...] = ()
    cost: float = 0.0
    overlooked: Mapping[str, int] = field(default_factory=dict)  # the number of readings
    ready: tuple[SeenDisc, ...] = ()
    left_lying: frozenset[str] = frozenset()
    ghost: Ghost | None = None
    posed: str = ""


def shared_prefix(some: Sequence[Transition], others: Sequence[Transition]) -> int:
    """The length of the common prefix of two sequences of transitions."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))


@dataclass(frozen=True, slots=True)
class Belief:
    """The kept hypotheses; the first is the likeliest one of the likeliest visible outcome."""

    hypotheses: tuple[Hypothesis, ...]
    pruned: bool = False
    """Whether plausible hypotheses were dropped at the newest board because there were more than `MAX_HYPOTHESES`."""
    newest: tuple[Association, ...] = ()
    """The newest board's associations under the previously best hypothesis, with the likeliest starter."""
    spent: float = 0.0
    """The best hypothesis's total cost since the belief began; the hypotheses' own costs are relative to it."""

    @classmethod
    def certain(cls, state: MatchState, ghost: Ghost | None = None) -> "Belief":
        """The belief that this state is certain. `ghost`: what the empty hole looked like."""
        return cls((Hypothesis(state, ghost=ghost),))

    @property
    def best(self) -> Hypothesis:
        """The shown hypothesis."""
        return self.hypotheses[0]

    def probability(self, hypotheses: Iterable[Hypothesis]) -> float:
        """The joint probability of these among the kept hypotheses."""
        total = sum(math.exp(-h.cost) for h in self.hypotheses)
        return sum(math.exp(-h.cost) for h in hypotheses) / total

    def after(
        self,
        now: MatchState,
        reading: BoardReading,
        ditch: DitchSeen,
        watching: BetweenBoards,
        may_be_ready: MayBeReady,
    ) -> "Belief":
        """The belief after one more board; `now` has what all hypotheses share: seats, colours, the hole."""
        found: list[_Successor] = []
        newest: list[Association] = []
        least = newest_cost = math.inf
        discs = sided(reading, now).discs
        before = self.newest[0].seen.shown_at_hole if self.newest else None
        for best, hypothesis in (
            (one is self.best, each) for one in self.hypotheses for each in _beginnings(one, reading)
        ):
            situation = _situation(hypothesis, now, reading, discs, ditch, watching, may_be_ready, before)
            limit = least + PRUNING_MARGIN - hypothesis.cost
            likely = associations(situation, limit)
            if best and hypothesis.cost + likely[0].cost < newest_cost:
                newest, newest_cost = likely, hypothesis.cost + likely[0].cost
            for transition in _transitions(situation, likely, limit):
                found.append((hypothesis.cost + transition.cost, hypothesis, situation, transition))
                least = min(least, hypothesis.cost + transition.cost)
        kept, pruned, cost = _likeliest(found)
        return Belief(_most_likely_outcome_first(kept) or self.hypotheses, pruned, tuple(newest), self.spent + cost)

    def after_commit(self, state: MatchState) -> "Belief":
        """With the best hypothesis's state as the journal has it, without hypotheses that differ in too old a
        transition."""
        best = replace(self.best, state=_as_seen(state, self.best.state.measured, self.best.state.strangers))
        hypotheses = (best, *self.hypotheses[1:])
        if len(best.transitions) > MAX_HISTORY:
            hypotheses = tuple(h for h in hypotheses if h.transitions[:1] == best.transitions[:1])
        return replace(self, hypotheses=hypotheses)

    def given(self, state: MatchState, agrees: Callable[[MatchState], bool]) -> "Belief | None":
        """The hypotheses that agree with people's answer, which is about a shot or disc and not about the rest of the
        account that is shown; the likeliest one with the same shots is the best. `state`: the match with their answer,
        from the journal. None if there is none: then nothing but `state` is believed.
        """
        outcome, likely, others = visible_outcome(state), list[Hypothesis](), list[Hypothesis]()
        for one in (h for h in self.hypotheses if agrees(h.state)):
            if visible_outcome(one.state) == outcome and all(h.state is not state for h in likely):
                one = replace(one, state=state, transitions=self.best.transitions)
            (likely if shooters(one.state) == shooters(state) else others).append(one)
        return replace(self, hypotheses=(*_most_likely_outcome_first(likely), *others)) if likely else None

    def with_earlier_rounds(self, state: MatchState) -> "Belief":
        """With this match's rounds before the running one."""
        hypotheses = (replace(h, state=with_earlier_rounds(h.state, state)) for h in self.hypotheses)
        return replace(self, hypotheses=tuple(hypotheses))

    def settled(self) -> tuple[tuple[Transition, ...], "Belief"]:
        """The transitions that all hypotheses share, except the newest, which may leave something open; and the belief
        without them."""
        first = self.best.transitions
        shared = max(min(len(first) - 1, *(shared_prefix(first, h.transitions) for h in self.hypotheses)), 0)
        left = tuple(replace(h, transitions=h.transitions[shared:]) for h in self.hypotheses)
        return first[:shared], replace(self, hypotheses=left)


def with_earlier_rounds(hypothesis: MatchState, state: MatchState) -> MatchState:
    """The hypothesis with the rounds of `state` before the running one."""
    before = state.game.round.number - 1
    rounds = (*state.game.all_rounds[:before], *hypothesis.game.all_rounds[before:])
    return replace(hypothesis, game=replace(state.game, all_rounds=rounds))


_Successor = tuple[float, Hypothesis, Situation, Transition]
"""The new cost, the hypothesis, its situation, and one more transition."""


def _beginnings(hypothesis: Hypothesis, reading: BoardReading) -> Iterator[Hypothesis]:
    """The hypothesis, and before a round's first shot its variants with each other side as the starter. No variants
    while the order of play still has to show which colour is whose.
    """
    yield hypothesis
    game = hypothesis.state.game
    colours_known = game.round.number > 1 or all(side.colour for side in hypothesis.state.started.sides)
    started = game.round.shots or game.round.complete
    if started or not colours_known or all(d.pose == "ditch" for d in reading.discs):
        return
    for side in game.terms.ids:
        if side != game.round.to_shoot:
            state = replace(hypothesis.state, game=game.started_by(side))
            yield replace(hypothesis, state=state, cost=hypothesis.cost + cost_of("another side begins"))


def _situation(
    hypothesis: Hypothesis,
    now: MatchState,
    reading: BoardReading,
    discs: Sequence[SeenDisc],
    ditch: DitchSeen,
    watching: BetweenBoards,
    may_be_ready: MayBeReady,
    at_hole_before: SeenDisc | None,
) -> Situation:
    shared = {"hole": now.hole, "hole_level": now.hole_level, "seating": now.seating}
    state = replace(hypothesis.state, **shared, colours=now.colours, certified=now.certified)  # type: ignore[arg-type]
    seen = observe(state, reading, discs, ditch, watching)
    filmed = not watching.unwatched  # otherwise the film has a gap
    films = Filmed.all_of(state, watching.films) if filmed else []
    film, others = Filmed.of_flick(films), any(not f.could_be_shooters and f.flicked for f in films)
    return Situation(
        state,
        seen,
        hypothesis.overlooked,
        may_be_ready,
        film,
        ready=hypothesis.ready,
        left_lying=hypothesis.left_lying,
        ghost=hypothesis.ghost,
        at_hole_before=at_hole_before,
        posed=hypothesis.posed,
        to_put_back=_to_put_back(hypothesis),
        unseen=_unseen(hypothesis),
        another_filmed=others,
        unmoved=unmoved(state, watching.films) if filmed and film is None else frozenset(),
        new_disc=new_disc(state, film, watching.films) if filmed else None,
    )


def _unseen(hypothesis: Hypothesis) -> frozenset[str]:
    """The discs with unseen ends, of shots that still count: people may have annulled others since."""
    unseen = (disc for transition in hypothesis.transitions for disc in transition.unseen)
    return frozenset(unseen) & hypothesis.state.game.round.owners.keys()


def _to_put_back(hypothesis: Hypothesis) -> dict[str, ev.Measured]:
    """The former places of discs that people may put back: those recently taken off, and those in play that are missing
    or, after an undo, somewhere else.
    """
    state, board = hypothesis.state, hypothesis.state.game.round.board
    off = {
        name: lay
        for transition in hypothesis.transitions
        for name, lay in transition.taken.items()
        if name in state.game.round.owners
    }
    gone = {name: lay for name, lay in off.items() if name not in state.measured}
    astray = (name for name in board.discs if name not in state.measured or state.undone is not None)
    for name in astray:
        disc = board.discs[name]
        pose = "flat" if disc.pose == "flat" else "leaning"
        gone[name] = ev.Measured.at(disc.x, disc.y).model_copy(update={"pose": pose})
    return gone


def _likeliest(found: list[_Successor]) -> tuple[tuple[Hypothesis, ...], bool, float]:
    """The likeliest hypotheses, whether others had no room, and the best one's cost. Hypotheses with the same visible
    outcome are merged into the likeliest, which gets their joint probability. Events are created and folded only for
    candidates to keep.
    """
    found.sort(key=lambda one: one[0])
    kept: dict[tuple[object, ...], Hypothesis] = {}
    least, pruned = math.inf, False
    for cost, hypothesis, situation, transition in found:
        if cost >= least + PRUNING_MARGIN or (pruned := len(kept) == MAX_HYPOTHESES):
            break
        if (after := _after(hypothesis, situation, transition)) is not None:
            least, key = min(least, cost), _merge_key(after.state)
            same = kept.get(key, replace(after, cost=math.inf))
            kept[key] = replace(same, cost=log_sum_exp(same.cost, cost - least))
    return tuple(kept.values()), pruned, least if kept else UNEXPLAINED


def shooters(state: MatchState) -> tuple[int, list[str]]:
    """The running round, and who shot in it."""
    current = state.game.round
    return current.number, [played.shot.side for played in current.shots]


def visible_outcome(state: MatchState) -> tuple[object, ...]:
    """Verdicts, removals and totals: the part of a hypothesis that people see."""
    current = state.game.round
    verdicts = tuple(p.judgement.valid for p in current.shots)
    sides = tuple(sorted(state.side_of(n) + why for n, why in state.to_remove.items()))
    counted = tuple((side, total, current.twenty_counts[side]) for side, total in sorted(current.totals.items()))
    return current.number, verdicts, sides, counted


def _most_likely_outcome_first(hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, ...]:
    """The hypotheses, with the likeliest one of the likeliest visible outcome first, which is shown."""
    effects = [(visible_outcome(hypothesis.state), hypothesis) for hypothesis in hypotheses]
    chances: dict[tuple[object, ...], float] = {}
    for seen, hypothesis in effects:
        chances[seen] = chances.get(seen, 0.0) + math.exp(-hypothesis.cost)
    likeliest = max(chances, key=lambda seen: chances[seen], default=None)
    return tuple(h for _, h in sorted(effects, key=lambda one: (one[0] != likeliest, one[1].cost)))


def _merge_key(state: MatchState) -> tuple[object, ...]:
    """The key for merging hypotheses: discs of a side are interchangeable."""
    verdicts = tuple(
        (
            p.judgement.valid,
            sorted(state.side_of(one.disc) for one in p.judgement.removed),
            sorted(map(state.side_of, p.judgement.twenties)),
        )
        for p in state.game.round.shots
    )
    lying = frozenset(
        (state.side_of(n), state.to_remove.get(n), m.zone, m.pose, round(m.x), round(m.y))
        for n, m in state.measured.items()
    )
    return state.game.round.number, state.game.round.starter, str(verdicts), lying


def _transitions(situation: Situation, likely: Sequence[Association], most: float) -> Iterator[Transition]:
    """Every transition from a hypothesis that costs less than `most`."""
    yield from swept_early(situation, likely[0])
    for association in likely:
        if association.likeliest < min(likely[0].cost + PRUNING_MARGIN, most):
            yield from transitions(situation, association)


def _after(hypothesis: Hypothesis, situation: Situation, transition: Transition) -> Hypothesis | None:
    """The hypothesis after one more transition; None if the rules refuse it."""
    state, events = situation.state, transition.events or tuple(events_of(situation, transition))
    try:
        for event in events:
            state = apply(state, Stamped(state.last_id + 1, situation.seen.reading.t, event))
    except RulesError as error:
        log.debug("A hypothesis is against the rules: %s", error)
        return None
    path = (*hypothesis.transitions, replace(transition, events=events)) if events else hypothesis.transitions
    read = 1 + situation.seen.waited
    overlooked = {n: hypothesis.overlooked.get(n, 0) + read for n in transition.overlooked if n in state.measured}
    left = frozenset(_left_lying(situation, transition))
    state = _as_seen(state, transition.association.still, tuple(map(stranger, transition.association.strange)))
    cost, ready = hypothesis.cost + transition.cost, transition.association.ready
    ghost = situation.ghost_after(transition.association.ghost)
    posed = situation.posed_after(shot=bool(transition.shots))
    return Hypothesis(state, path, cost, overlooked, ready, left, ghost, posed)


def _left_lying(situation: Situation, transition: Transition) -> Iterator[str]:
    """The discs that have to come off and that people left where they are."""
    for name, outcome in transition.association.known.items():
        lies = outcome.place is not None and name in situation.state.to_remove
        if lies and (situation.left or name in situation.left_lying):
            yield name


def _as_seen(
    state: MatchState, seen: Mapping[str, SeenDisc | ev.Measured], strangers: tuple[ev.Stranger, ...]
) -> MatchState:
    """The match with each disc of unchanged pose, and each stranger, at its last seen place. Otherwise a hypothesis
    that has had no events for a while would pay for the drift of measured places.
    """
    lay = state.measured
    here = {n: d for n, d in seen.items() if n in lay and d.pose == lay[n].pose}
    now = {n: lay[n].model_copy(update={"x": d.x, "y": d.y, "sigma": d.sigma}) for n, d in here.items()}
    strangers = strangers if len(strangers) == len(state.strangers) else state.strangers
    return replace(state, measured={**lay, **now}, strangers=strangers)
