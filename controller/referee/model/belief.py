"""The best few histories over the last boards.

A history is the steps that it tells since the newest board of which nothing is in doubt, with the state of the match to
which they lead. Each new board weighs every history anew: what people do after a shot (whether they take a disc off)
tells which history was right.
"""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Literal

from controller import rules
from controller.match import events as ev
from controller.match.fold import apply
from controller.match.state import MatchState, Stamped
from controller.referee.ditch import Ditch
from controller.referee.filmed import Filmed, unseen_sides
from controller.referee.model.board import Board, MayBeReady
from controller.referee.model.evidence import either
from controller.referee.model.explanation import Explanation
from controller.referee.model.hypotheses import WORTH, explanations
from controller.referee.model.observation import Watching, observe
from controller.referee.model.steps import Step, steps, with_events
from controller.referee.model.sweep import swept_early
from controller.referee.settings import FILMED
from controller.rules.errors import RulesError
from controller.vision.readings import BoardReading, SeenDisc

log = logging.getLogger(__name__)

MOST = 8
"""Histories that are kept: the ninth had less than 1 in 1,000 wherever this was looked at."""
UNEXPLAINED = 30.0
"""Nats that a board costs which no history explains. Judged: less than anything that happens."""
LONGEST = 8
"""Steps that a history remembers; what was in doubt before is decided by then. Judged: four shots with what people took
off after them."""


@dataclass(frozen=True, slots=True)
class History:
    """One telling of the last boards."""

    state: MatchState
    steps: tuple[Step, ...] = ()
    cost: float = 0.0
    overlooked: Mapping[str, int] = field(default_factory=dict)  # for how many boards
    ready: tuple[SeenDisc, ...] = ()
    left_lying: frozenset[str] = frozenset()


def alike(some: Sequence[Step], others: Sequence[Step]) -> int:
    """With how many steps two histories begin that are the same."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed to have happened, first the likeliest history of the likeliest effect."""

    histories: tuple[History, ...]
    cut_off: int = 0
    """Histories that were given up although they were worth keeping, since there were more than `MOST`."""
    newest: tuple[Explanation, ...] = ()
    """The explanations of the newest board from the history that was the best before it."""
    spent: float = 0.0
    """What the boards cost the best history since the belief began; the costs of histories are beyond that."""

    @classmethod
    def sure(cls, state: MatchState) -> "Belief":
        """That the match stands so, and nothing else."""
        return cls((History(state),))

    @property
    def best(self) -> History:
        """The history that is told."""
        return self.histories[0]

    def probability(self, histories: Iterable[History]) -> float:
        """How likely it is that one of these is right, of all that are kept."""
        total = sum(math.exp(-h.cost) for h in self.histories)
        return sum(math.exp(-h.cost) for h in histories) / total

    def after(
        self,
        now: MatchState,
        reading: BoardReading,
        ditch: Ditch,
        watching: Watching,
        may_be_ready: MayBeReady,
        most: int = MOST,
    ) -> "Belief":
        """Every history weighed by one more board; `now` has what every history shares: seats, colours, the hole.

        `most` histories are kept.
        """
        found: list[tuple[float, History, Board, Step]] = []
        newest: list[Explanation] = []
        least = math.inf
        for history in self.histories:
            board = _board(history, now, reading, ditch, watching, may_be_ready)
            limit = least + WORTH - history.cost
            told = explanations(board, limit)
            newest = newest or told
            for step in _steps(board, told, limit):
                found.append((history.cost + step.cost, history, board, step))
                least = min(least, history.cost + step.cost)
        kept, left, cost = _likeliest(found, most)
        histories = _told_first(kept) or self.histories
        return Belief(histories, self.cut_off + left, tuple(newest), self.spent + cost)

    def told(self, state: MatchState) -> "Belief":
        """The same after the best history was written, with the state to which that led.

        Steps that all histories share are dropped but for the newest, which may leave something open, and so are
        histories that differ in a step that is too old.
        """
        best = replace(self.best, state=_as_seen(state, self.best.state.measured))
        histories = (best, *self.histories[1:])
        if len(best.steps) > LONGEST:
            histories = tuple(h for h in histories if h.steps[:1] == best.steps[:1])
        after = replace(self, histories=histories)
        return after.without(len(after.agreed_steps))

    @property
    def agreed_steps(self) -> tuple[Step, ...]:
        """The steps that all histories share, but for the newest, which may leave something open."""
        first = self.best.steps
        return first[: min(len(first) - 1, *(alike(first, h.steps) for h in self.histories))] if first else ()

    def without(self, shared: int) -> "Belief":
        """The same without as many of the steps that all histories share."""
        return replace(self, histories=tuple(replace(h, steps=h.steps[shared:]) for h in self.histories))


def _board(
    history: History,
    now: MatchState,
    reading: BoardReading,
    ditch: Ditch,
    watching: Watching,
    may_be_ready: MayBeReady,
) -> Board:
    shared = {"hole": now.hole, "hole_level": now.hole_level, "seating": now.seating}
    state = replace(history.state, **shared, colours=now.colours, certified=now.certified)  # type: ignore[arg-type]
    seen = observe(state, reading, ditch, watching)
    filmed = state.game.round.to_shoot and not watching.unwatched  # else a film lacks what nobody saw
    films = Filmed.all_of(state, watching.films) if filmed else []
    film, others = Filmed.of_flick(films), any(not f.of_shooter and f.way >= FILMED.far_mm for f in films)
    return Board(
        state,
        seen,
        frozenset(history.overlooked),
        may_be_ready,
        film,
        ready=history.ready,
        left_lying=history.left_lying,
        to_put_back=_to_put_back(history),
        unseen=frozenset(disc for step in history.steps for disc in step.unseen),
        another_filmed=others,
        unseen_sides=unseen_sides(state, watching.films),
    )


def _to_put_back(history: History) -> dict[str, ev.Measured]:
    """Where discs lay that people may put back.

    Those that they took off lately, and those in play that are not there or, since a shot was undone, lie elsewhere.
    """
    state, board = history.state, history.state.game.round.board
    off = {name: lay for step in history.steps for name, lay in step.taken.items() if name in state.game.round.owners}
    gone = {name: lay for name, lay in off.items() if name not in state.measured}
    astray = (name for name in board.discs if name not in state.measured or state.undone is not None)
    return {**gone, **{name: _measured(board.discs[name]) for name in astray}}


def _measured(disc: rules.Disc) -> ev.Measured:
    """A disc of the rules' board where it lay; that board knows nothing of how well it was seen."""
    clearance = rules.nearest_line(disc.x, disc.y)[1]
    zone = rules.zone(disc.x, disc.y) if disc.zone is None else disc.zone
    pose: Literal["flat", "leaning"] = "flat" if disc.pose == "flat" else "leaning"
    return ev.Measured(x=disc.x, y=disc.y, pose=pose, zone=zone, clearance=clearance, sigma=0.0, call="close")


def _likeliest(found: list[tuple[float, History, Board, Step]], most: int) -> tuple[tuple[History, ...], int, float]:
    """The likeliest histories that differ in what people see, how many tellings had no room, and what the best cost.

    Of those that people see alike the likeliest stands for all, as likely as they are together.

    Only those that may be kept are told in events, and folded.
    """
    found.sort(key=lambda one: one[0])
    kept: dict[tuple[object, ...], History] = {}
    least = math.inf
    for looked, (cost, history, board, step) in enumerate(found):
        if cost >= least + WORTH:
            break
        if len(kept) == most:
            return tuple(kept.values()), sum(other[0] < least + WORTH for other in found[looked:]), least
        if (after := _after(history, board, step)) is not None:
            least, seen = min(least, cost), _seen_of(after.state)
            told = kept.get(seen, replace(after, cost=math.inf))
            kept[seen] = replace(told, cost=either(told.cost, cost - least))
    return tuple(kept.values()), 0, least if kept else UNEXPLAINED


def effect(state: MatchState) -> tuple[object, ...]:
    """What people see of a history: two with the same are told alike."""
    current = state.game.round
    verdicts = tuple(p.judgement.valid for p in current.shots)
    sides = tuple(sorted(state.side_of(n) + why for n, why in state.to_remove.items()))
    counted = tuple((side, total, current.twenty_counts[side]) for side, total in sorted(current.totals.items()))
    return current.number, verdicts, sides, counted


def _told_first(histories: Sequence[History]) -> tuple[History, ...]:
    """The histories with the likeliest one of the likeliest effect first: that is told."""
    effects = [(effect(history.state), history) for history in histories]
    chances: dict[tuple[object, ...], float] = {}
    for seen, history in effects:
        chances[seen] = chances.get(seen, 0.0) + math.exp(-history.cost)
    likeliest = max(chances, key=lambda seen: chances[seen], default=None)
    return tuple(h for _, h in sorted(effects, key=lambda one: (one[0] != likeliest, one[1].cost)))


def _seen_of(state: MatchState) -> tuple[object, ...]:
    """What people see of a state, where discs of a side are alike: two histories that lead to the same are one."""
    verdicts = tuple(
        (p.judgement.valid, *(sorted(map(state.side_of, names)) for names in (_removed(p), p.judgement.twenties)))
        for p in state.game.round.shots
    )
    lying = frozenset(
        (state.side_of(n), state.to_remove.get(n), m.zone, m.pose, round(m.x), round(m.y))
        for n, m in state.measured.items()
    )
    return state.game.round.number, str(verdicts), lying


def _removed(played: rules.JudgedShot) -> list[str]:
    return [one.disc for one in played.judgement.removed]


def _steps(board: Board, told: Sequence[Explanation], most: float) -> Iterator[Step]:
    """Every step by which a history may go on, without those that surely cost `most` or more."""
    if told:
        yield from swept_early(board, told[0])
    for explanation in told:
        if explanation.cost < min(told[0].cost + WORTH, most):
            yield from steps(board, explanation)


def _after(history: History, board: Board, step: Step) -> History | None:
    """The history after one more step; None where the rules do not allow it."""
    state, step = board.state, with_events(board, step)
    try:
        for event in step.events:
            state = apply(state, Stamped(state.last_id + 1, board.seen.reading.t, event))
    except RulesError as error:
        log.debug("A telling is against the rules: %s", error)
        return None
    told = (*history.steps, step) if step.events else history.steps
    overlooked = {n: history.overlooked.get(n, 0) + 1 for n in step.overlooked if n in state.measured}
    marked = (n for n, f in step.explanation.known.items() if f.place is not None and n in board.state.to_remove)
    left = frozenset(n for n in marked if board.reached or n in board.left_lying)
    state = _as_seen(state, step.explanation.still)
    return History(state, told, history.cost + step.cost, overlooked, step.explanation.ready, left)


def _as_seen(state: MatchState, seen: Mapping[str, SeenDisc | ev.Measured]) -> MatchState:
    """The match with each disc of an unchanged pose where it was seen last.

    A history that told nothing for long must not pay for what a disc's measured place wandered since.
    """
    lay = state.measured
    here = {n: d for n, d in seen.items() if n in lay and d.pose == lay[n].pose}
    now = {n: lay[n].model_copy(update={"x": d.x, "y": d.y, "sigma": d.sigma}) for n, d in here.items()}
    return replace(state, measured={**lay, **now})
