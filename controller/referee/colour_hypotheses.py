"""Explains the running round again from its beginning if a board contradicts early conclusions.

The sides' colours and the number of shots are concluded from few boards, and all later boards depend on them. So the
boards of a round are kept. If one contradicts, all are weighed again under each likely assignment of the colours. Each
assignment's result is kept and updated with every later board, so none weighs a board twice. The work per board is
bounded, so that the table stays responsive.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from controller.match import events as ev
from controller.match.seating import Seating
from controller.match.state import MatchState
from controller.referee.asking import in_doubt
from controller.referee.association import Association
from controller.referee.belief import Belief
from controller.referee.observation import Ditch, Watching
from controller.referee.seats import Seats
from controller.referee.settings import COLOURS
from controller.referee.transitions import Transition
from controller.referee.whose_disc import clearly_seen
from controller.vision.readings import BoardReading
from controller.vision.side_colours import SetColours

WORK = 64
"""The most histories to update with earlier boards at a time: the newest board waits for them."""
HOPELESS = 30.0
"""Nats behind another assignment, by the same boards, at which one is dropped."""
OUTWEIGHED = 3.0
"""Nats behind another assignment, 1 in 20, at which the shown one gives way; people are still asked. Judged: a round
that is amended wrongly costs more than a question."""
ASSIGNMENTS = 6
"""Assignments of colours tried besides the shown one: the other one for two sides; for four the order of play, and
those that exchange two sides."""
Colours = Mapping[str, ev.Lab]


@dataclass(frozen=True, slots=True)
class Shown:
    """A colour seen on the board, and how often the reading gave it each name."""

    lab: ev.Lab
    names: Mapping[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its most frequent name."""
        return max(self.names, key=lambda name: self.names[name], default="")

    def again(self, name: str) -> "Shown":
        """The colour after one more sighting."""
        return replace(self, names={**self.names, name: self.names.get(name, 0) + 1})


@dataclass(frozen=True, slots=True)
class RecordedBoard:
    """One weighed board: `hole` and `level` are the sensor's, `after` is the journal's newest event at that time."""

    reading: BoardReading
    watching: Watching
    hole: tuple[ev.HoleChange, ...]
    level: bool | None
    after: int


@dataclass(frozen=True, slots=True)
class ColourHypothesis:
    """The result of weighing the boards again under one assignment of colours; `costs` has one entry per board."""

    colours: Colours
    belief: Belief
    seating: Seating = field(compare=False)
    seats: Seats = field(default_factory=Seats, compare=False)
    ditch: Ditch = field(default_factory=Ditch, compare=False)
    settled: tuple[Transition, ...] = ()
    foreign: int = 0  # boards with a disc that has no side's colour
    carried: Watching = field(default_factory=Watching)  # since the last board that could be weighed
    costs: tuple[float, ...] = ()  # after each board
    names: Mapping[str, str] = field(default_factory=dict)  # the name of each side's colour in readings
    prior: float = 0.0  # the cost of the assignment itself, by these names

    def with_current_names(self, log: "RoundLog", state: MatchState) -> "ColourHypothesis":
        """The hypothesis with its colours' present names."""
        named = _named(self.colours, log.shown, state)
        return replace(
            self,
            names={side: one.name for side, one in named.items()},
            prior=_prior(named, state, _by_turn(log, state)),
        )

    @property
    def full_belief(self) -> Belief:
        """The belief with all transitions since the round began."""
        hypotheses = tuple(replace(h, transitions=self.settled + h.transitions) for h in self.belief.hypotheses)
        return replace(self.belief, hypotheses=hypotheses)

    def cost_above_best(self, others: Iterable["ColourHypothesis"]) -> float:
        """The cost above the best hypothesis that was weighed by the same boards."""
        boards = len(self.costs)
        costs = [
            other.prior + (other.costs[boards - 1] if boards else 0.0) for other in others if len(other.costs) >= boards
        ]
        return self.prior + (self.costs[-1] if boards else 0.0) - min(costs)

    def after_next_board(self, log: "RoundLog") -> "ColourHypothesis":
        """The hypothesis after one more board."""
        board, seats, ditch = log.boards[len(self.costs)], self.seats.copy(), self.ditch.copy()
        watching = self.carried.merged_with(board.watching)
        shared = {"hole": board.hole, "hole_level": board.level, "seating": self.seating}
        now = replace(log.base, colours=self.colours, **shared)  # type: ignore[arg-type]
        seats.follow(now)
        weighed = self.belief.after(now, board.reading, ditch, watching, seats.may_be_ready)
        newest = weighed.newest[0]
        if ditch.known is None:
            ditch.remember(newest.seen.in_ditch)
        if newest.may_be_hidden:
            cost = self.costs[-1] if self.costs else 0.0
            return replace(self, ditch=ditch, carried=watching, costs=(*self.costs, cost))
        learnt = seats.learn(weighed.best)
        seating = Seating(learnt.directions, sure=True) if isinstance(learnt, ev.SeatsLearnt) else self.seating
        ditch.remember(newest.seen.ditch)
        transitions, foreign = weighed.agreed_transitions, self.foreign + newest.seen.foreign
        return replace(
            self,
            belief=weighed.without(len(transitions)),
            seating=seating,
            seats=seats,
            ditch=ditch,
            settled=self.settled + transitions,
            foreign=foreign,
            carried=Watching(),
            costs=(*self.costs, weighed.spent + COLOURS.nobodys * foreign),
        )


@dataclass(frozen=True, slots=True)
class RoundLog:
    """The boards since the round began, or since people last decided its state; `base`: the match before them."""

    base: MatchState
    boards: tuple[RecordedBoard, ...] = ()
    earlier: tuple[RecordedBoard, ...] = ()  # those before people's last answer
    recorded: tuple[Transition, ...] = ()  # the transitions of these boards in the journal
    said: bool = False  # people said which colour is whose
    contradicted: bool = False  # a board contradicted what was recorded of the round
    shown: tuple[Shown, ...] = ()  # the colours seen, in order of appearance
    followed: tuple[ColourHypothesis, ...] = ()  # by assignment of the colours
    given_up: tuple[Colours, ...] = ()

    def with_board(self, board: RecordedBoard, association: Association) -> "RoundLog":
        """With one more board and its explanation."""
        known, shown = SetColours(self.base.certified), list(self.shown)
        for disc in filter(clearly_seen, board.reading.discs):
            k = next((k for k, one in enumerate(shown) if not known.differ(one.lab, disc.lab)), None)
            if k is None:
                k = len(shown)
                shown.append(Shown(known.of(disc.lab)))
            shown[k] = shown[k].again(disc.colour)
        contradicted = self.contradicted or association.contradicts
        return replace(self, boards=(*self.boards, board), shown=tuple(shown), contradicted=contradicted)

    def place_of(self, t: float) -> int:
        """The newest event in the journal when the board of time `t` (s) was read."""
        return next(board.after for board in (*self.earlier, *self.boards) if board.reading.t == t)

    def after_answer(self, state: MatchState) -> "RoundLog":
        """Restart from people's answer; earlier boards may still be amended by hypotheses that agree with it."""
        return RoundLog(state, earlier=(*self.earlier, *self.boards), said=self.said)

    def with_recorded(self, given_up: Sequence[Transition], instead: Sequence[Transition]) -> "RoundLog":
        """With these transitions replacing the newest ones in the journal."""
        times = {board.reading.t for board in self.boards}
        kept = self.recorded[: max(len(self.recorded) - len(given_up), 0)]
        new = (transition for transition in instead if transition.association.seen.reading.t in times)
        return replace(self, recorded=(*kept, *new))

    def needs_reconsidering(self, state: MatchState) -> bool:
        """Whether to weigh the boards again: one contradicted, or nobody assigned the colours, so that a wrong
        assignment at the start may fit everything after it.
        """
        unsaid = not self.said and any(not side.colour for side in state.started.sides)
        learnt = len(state.colours) == len(state.sides) and state.colours != self.base.colours
        return bool(self.followed) or self.contradicted or (unsaid and learnt)

    def weighed_on(self, state: MatchState) -> "RoundLog":
        """The log after some more work on likely assignments; `state`: the shown state."""
        log, work = self._followed_by(state), WORK
        while work > 0 and (one := log.next_one) is not None:
            work -= len(one.belief.hypotheses)
            followed = [one.after_next_board(log), *(other for other in log.followed if other is not one)]
            up = [other.colours for behind, other in _ranked(followed) if behind > HOPELESS]
            likely = tuple(other for other in followed if other.colours not in up)
            log = replace(log, followed=likely, given_up=(*log.given_up, *up))
        return log

    def _followed_by(self, state: MatchState) -> "RoundLog":
        """With the presently likely assignments: none unless needed."""
        if not self.needs_reconsidering(state):
            return self
        likely = [state.colours, *([] if self.said else _assignments(self, state))]
        followed = [one for one in self.followed if one.colours in likely]
        known = (*(one.colours for one in followed), *self.given_up)
        new = (one for one in likely if all(not _same(one, it, state) for it in known))
        followed += [
            ColourHypothesis(one, Belief.certain(replace(self.base, colours=one)), self.base.seating) for one in new
        ]
        return replace(self, followed=tuple(one.with_current_names(self, state) for one in followed))

    @property
    def next_one(self) -> ColourHypothesis | None:
        """The likeliest assignment with a board still to weigh."""
        return next((one for _, one in _ranked(self.followed) if len(one.costs) < len(self.boards)), None)

    @property
    def ranked(self) -> list[tuple[float, ColourHypothesis]]:
        """The assignments with their costs above the best, the likeliest first."""
        return _ranked(self.followed)

    @property
    def likeliest(self) -> list[ColourHypothesis]:
        """The likeliest assignment and those not ruled out by it; none while one of them has a board to weigh."""
        near = [one for behind, one in _ranked(self.followed) if in_doubt(behind)]
        return near if all(len(one.costs) == len(self.boards) for one in near) else []


def _ranked(followed: Sequence[ColourHypothesis]) -> list[tuple[float, ColourHypothesis]]:
    """The assignments with their costs above the best, by the same boards, the likeliest first."""
    return sorted(((one.cost_above_best(followed), one) for one in followed), key=lambda pair: pair[0])


def _assignments(log: RoundLog, state: MatchState) -> Sequence[Colours]:
    """Other assignments of the seen colours than the shown one, the likeliest a priori first. None before every side's
    colour was seen, since a missing one could explain anything. None for a player alone: every colour is theirs.
    """
    if len(state.sides) == 1 or len(log.shown) < len(state.sides):
        return []
    by_turn = _by_turn(log, state)

    def unlikely(one: Mapping[str, Shown]) -> tuple[float, int]:
        return _prior(one, state, by_turn), sum(one[side] is not by_turn[side] for side in one)

    every = (dict(zip(by_turn, each, strict=True)) for each in permutations(by_turn.values()))
    labs = ({side: of.lab for side, of in one.items()} for one in sorted(every, key=unlikely))
    return [one for one in labs if not _same(one, state.colours, state)][:ASSIGNMENTS]


def _by_turn(log: RoundLog, state: MatchState) -> dict[str, Shown]:
    """The most frequent colours, in order of appearance, for the sides in order of play."""
    first = log.base.game.round.starter_seat
    order = dict.fromkeys(side for _, side in state.game.terms.clockwise_from(first))
    often = sorted(log.shown, key=lambda one: -sum(one.names.values()))
    came = sorted(often[: len(state.sides)], key=log.shown.index)
    return dict(zip(order, came, strict=False))


def _same(one: Colours, other: Colours, state: MatchState) -> bool:
    known = SetColours(state.certified)
    return one.keys() == other.keys() and not any(known.differ(one[side], other[side]) for side in one)


def _named(colours: Colours, shown: Sequence[Shown], state: MatchState) -> dict[str, Shown]:
    """These sides' colours as they were seen; one that was not seen has no name."""
    known = SetColours(state.certified)
    return {
        side: next((one for one in shown if not known.differ(one.lab, lab)), Shown(lab))
        for side, lab in colours.items()
    }


def _prior(colours: Mapping[str, Shown], state: MatchState, by_turn: Mapping[str, Shown]) -> float:
    """The cost that sides play other colours than they chose, or than set-up certified, or that colours appeared in
    another order than that of play."""
    known = SetColours(state.certified)
    said = {side: state.started.sides[state.sides.index(side)].colour for side in colours}
    otherwise = sum(bool(said[side]) and said[side] != one.name for side, one in colours.items())
    exchanged = sum(known.side_of(one.lab) not in (None, side) for side, one in colours.items())
    out_of_turn = any(colours[side] is not one for side, one in by_turn.items() if side in colours)
    cost = COLOURS.not_as_said * otherwise + COLOURS.not_as_certified * exchanged
    return cost + COLOURS.not_by_turn * out_of_turn
