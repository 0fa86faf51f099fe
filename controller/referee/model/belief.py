"""The best few histories over the last boards.

A history is the steps that it tells since the newest board of which nothing is in doubt, with the state of the match to
which they lead. Each new board weighs every history anew: what people do after a shot (whether they take a disc off)
tells which history was right.
"""

import logging
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from controller.match.fold import apply
from controller.match.state import MatchState, Stamped
from controller.referee.ditch import Ditch
from controller.referee.filmed import Filmed
from controller.referee.model.board import Board, MayBeReady
from controller.referee.model.explanation import Explanation
from controller.referee.model.hypotheses import explanations
from controller.referee.model.observation import Watching, observe
from controller.referee.model.steps import WORTH, Step, steps
from controller.referee.model.sweep import swept_early
from controller.referee.settings import FILMED
from controller.rules.errors import RulesError
from controller.vision.readings import BoardReading, SeenDisc

log = logging.getLogger(__name__)

MOST = 8
"""Histories that are kept: the ninth had less than 1 in 1,000 wherever this was looked at."""
LONGEST = 8
"""Steps that a history remembers; what was in doubt before is decided by then. Judged: four shots with what people took
off after them."""


@dataclass(frozen=True, slots=True)
class History:
    """One telling of the last boards."""

    state: MatchState
    steps: tuple[Step, ...] = ()
    cost: float = 0.0
    overlooked: frozenset[str] = frozenset()
    ready: tuple[SeenDisc, ...] = ()
    left_lying: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Belief:
    """What is believed to have happened, the likeliest history first."""

    histories: tuple[History, ...]
    cut_off: int = 0
    """Histories that were given up although they were worth keeping, since there were more than `MOST`."""
    newest: tuple[Explanation, ...] = ()
    """The explanations of the newest board from the history that was the best before it."""

    @classmethod
    def sure(cls, state: MatchState) -> "Belief":
        """That the match stands so, and nothing else."""
        return cls((History(state),))

    @property
    def best(self) -> History:
        """The likeliest history."""
        return self.histories[0]

    def probability(self, histories: Iterable[History]) -> float:
        """How likely it is that one of these is right, of all that are kept."""
        total = sum(math.exp(-h.cost) for h in self.histories)
        return sum(math.exp(-h.cost) for h in histories) / total

    def after(
        self, now: MatchState, reading: BoardReading, ditch: Ditch, watching: Watching, may_be_ready: MayBeReady
    ) -> "Belief":
        """Every history weighed by one more board; `now` has what every history shares: seats, colours, the hole."""
        followed: list[History] = []
        newest: list[Explanation] = []
        for history in self.histories:
            board = _board(history, now, reading, ditch, watching, may_be_ready)
            told = explanations(board)
            newest = newest or told
            followed += _following(history, board, told)
        if not followed:
            return replace(self, newest=tuple(newest))
        ordered = sorted(_distinct(followed), key=lambda h: h.cost)
        least = ordered[0].cost
        worth = [replace(h, cost=h.cost - least) for h in ordered if h.cost < least + WORTH]
        return Belief(tuple(worth[:MOST]), self.cut_off + max(len(worth) - MOST, 0), tuple(newest))

    def told(self, state: MatchState) -> "Belief":
        """The same after the best history was written, with the state to which that led.

        Steps that all histories share are dropped, and so are histories that differ in a step that is too old.
        """
        best = replace(self.best, state=state)
        histories = (best, *self.histories[1:])
        if len(best.steps) > LONGEST:
            histories = tuple(h for h in histories if h.steps[:1] == best.steps[:1])
        while histories[0].steps and all(h.steps[:1] == histories[0].steps[:1] for h in histories):
            histories = tuple(replace(h, steps=h.steps[1:]) for h in histories)
        return replace(self, histories=histories)


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
    films = Filmed.all_of(state, watching.films) if state.game.round.to_shoot else []
    film, others = _film(films), any(not f.of_shooter and f.way >= FILMED.far_mm for f in films)
    return Board(state, seen, history.overlooked, may_be_ready, film, history.ready, history.left_lying, others)


def _film(films: Sequence[Filmed]) -> Filmed | None:
    """The film in which the new disc goes farthest.

    One whose new disc has another side's colour is of a hand, unless the disc was surely flicked: in a streak the
    colour of a disc is told wrongly now and then.
    """
    return max((f for f in films if f.of_shooter or f.flicked), key=lambda f: f.way, default=None)


def _distinct(histories: Iterable[History]) -> list[History]:
    """Of the histories that lead to the same board and verdicts only the likeliest."""
    best: dict[tuple[object, ...], History] = {}
    for history in sorted(histories, key=lambda h: h.cost):
        state = history.state
        verdicts = tuple((p.judgement.valid, p.judgement.removed, p.judgement.twenties) for p in state.game.round.shots)
        key = (
            state.game.round.number,
            verdicts,
            frozenset(state.measured),
            frozenset(state.to_remove),
            frozenset((d, a.side) for d, a in state.game.round.board.discs.items()),
        )
        best.setdefault(key, history)
    return list(best.values())


def _following(history: History, board: Board, told: Sequence[Explanation]) -> list[History]:
    """The histories that go on from this one by one board."""
    found = list(swept_early(board, told[0])) if told else []
    for explanation in told:
        if explanation.cost < told[0].cost + WORTH:
            found += steps(board, explanation)
    return [after for step in found if (after := _after(history, board, step)) is not None]


def _after(history: History, board: Board, step: Step) -> History | None:
    """The history after one more step; None where the rules do not allow it."""
    state = board.state
    try:
        for event in step.events:
            state = apply(state, Stamped(state.last_id + 1, board.seen.reading.t, event))
    except RulesError as error:
        log.debug("A telling is against the rules: %s", error)
        return None
    told = (*history.steps, step) if step.events else history.steps
    overlooked = frozenset(n for n in step.overlooked if n in state.measured)
    lying = frozenset(
        n for n, f in step.explanation.known.items() if f.became == "stays" and n in board.state.to_remove
    )
    return History(state, told, history.cost + step.cost, overlooked, step.explanation.ready, lying)
