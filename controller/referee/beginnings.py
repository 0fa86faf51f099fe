"""The bank of beginnings: each way in which the round may have begun, with what follows from it by the round's boards.

Which colour is whose, and who sits where, are concluded from few boards, and all later boards depend on them. So the
boards of a round are kept. The referee's own belief is one beginning, the one that people see. If a board contradicts
it, or nobody said which colour is whose, the boards are weighed again under each other likely beginning, and then each
by every later board, until it is hopeless. The work per board is bounded, so that the table stays responsive.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations

from controller.match import events as ev
from controller.match.seating import Seating
from controller.match.state import MatchState
from controller.referee.asking import in_doubt
from controller.referee.belief import Belief, with_earlier_rounds
from controller.referee.observation import BetweenBoards, DitchSeen
from controller.referee.questions import Asked, whose_colour
from controller.referee.seats import Seats
from controller.referee.settings import COLOURS
from controller.referee.transitions import Transition
from controller.referee.whose_disc import clearly_seen, is_foreign
from controller.vision.readings import BoardReading
from controller.vision.side_colours import SetColours

WORK = 64
"""The most histories to update with earlier boards at a time: the newest board waits for them."""
HOPELESS = 30.0
"""Nats behind another assignment, by the same boards, from which one is not weighed any further."""
OUTWEIGHED = 3.0
"""Nats behind another assignment, 1 in 20, at which the shown one gives way; people are still asked. Judged: a round
that is amended wrongly costs more than a question."""
ASSIGNMENTS = 6
"""Assignments of colours tried besides the shown one: the other one for two sides; for four the order of play, and
those that exchange two sides."""
Colours = Mapping[str, ev.Lab]
Names = Mapping[ev.Lab, Counter[str]]
"""How often the reading gave each colour each name."""


@dataclass(frozen=True, slots=True)
class RecordedBoard:
    """One weighed board: `hole` and `level` are the sensor's."""

    reading: BoardReading
    watching: BetweenBoards
    hole: tuple[ev.HoleChange, ...]
    level: bool | None


@dataclass(frozen=True, slots=True, eq=False)
class Beginning:
    """One beginning: an assignment of the colours, and what follows from it; `costs` has one entry per board."""

    belief: Belief
    colours: Colours
    seating: Seating
    seats: Seats = field(default_factory=Seats)
    ditch: DitchSeen = field(default_factory=DitchSeen)
    settled: tuple[Transition, ...] = ()  # what all its hypotheses share, before their own transitions
    foreign: int = 0  # the most discs at a time that have no side's colour
    carried: BetweenBoards = field(default_factory=BetweenBoards)  # since the last board that could be weighed
    costs: tuple[float, ...] = ()  # after each board
    prior: float = 0.0  # the cost of the assignment itself

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """All transitions of its best hypothesis."""
        return self.settled + self.belief.best.transitions

    def weighed(self, now: MatchState, reading: BoardReading, watching: BetweenBoards) -> "Beginning":
        """With the belief after one more board; `now` has what all its hypotheses share."""
        seats = self.seats.following(now)
        belief = self.belief.after(now, reading, self.ditch, watching, seats.may_be_ready)
        # A disc that a hand seems to carry in the ditch was there before, or is a late arrival.
        first = self.ditch.known is None
        ditch = self.ditch.after(belief.newest[0].seen.in_ditch) if first else self.ditch
        return replace(self, belief=belief, seats=seats, ditch=ditch)

    def accepted(self) -> "Beginning":
        """With the board that was just weighed accepted, not to be weighed again by a later reading."""
        seen = self.belief.newest[0].seen
        here = sum(is_foreign(d, self.belief.best.state) for d in seen.reading.discs)
        foreign = max(self.foreign, here)  # the next board shows the same discs again
        costs = (*self.costs, self.belief.spent + COLOURS.nobodys * foreign)
        return replace(self, ditch=self.ditch.after(seen.ditch), foreign=foreign, carried=BetweenBoards(), costs=costs)

    def settling(self, belief: Belief) -> "Beginning":
        """With this belief, without the transitions that all its hypotheses share."""
        agreed, left = belief.settled()
        return replace(self, belief=left, settled=self.settled + agreed)

    def after_next_board(self, bank: "Bank") -> "Beginning":
        """The beginning, not shown, after one more board of the round."""
        board = bank.boards[len(self.costs)]
        watching = self.carried.merged_with(board.watching)
        shared = {"colours": self.colours, "seating": self.seating, "hole": board.hole, "hole_level": board.level}
        weighed = self.weighed(replace(bank.base, **shared), board.reading, watching)  # type: ignore[arg-type]
        if weighed.belief.newest[0].may_be_hidden():
            costs = (*self.costs, self.costs[-1] if self.costs else 0.0)
            return replace(weighed, belief=self.belief, carried=watching, costs=costs)
        seats, learnt = weighed.seats.after(weighed.belief.best)
        if learnt is not None:  # weigh it again with the new knowledge
            seating = Seating(learnt.directions, sure=True) if isinstance(learnt, ev.SeatsLearnt) else self.seating
            return replace(self, seats=seats, seating=seating).after_next_board(bank)
        return replace(weighed, seats=seats).accepted().settling(weighed.belief)

    def relearned(self, state: MatchState) -> Iterator[ev.Event]:
        """The events for its colours and seats, other than those of the match, and the end of the questions asked
        before, but for the sensor's."""
        if self.colours != state.colours:
            yield ev.ColoursLearnt(sides=dict(self.colours), instead=True)
        if self.seating.sure and self.seating != state.seating:
            yield ev.SeatsLearnt(directions=dict(self.seating.directions))
        yield from (ev.QuestionClosed(question=q.id) for q in state.open_now if q.asked.what != "gap")

    def cost_of(self, boards: int) -> float:
        """Its cost by the first so many boards."""
        return self.prior + (self.costs[boards - 1] if boards else 0.0)


@dataclass(frozen=True, slots=True)
class Bank:
    """The beginnings of the round, and its boards; or those since people last decided its state.

    `base`: the match before the boards; `known`: the transitions before it that are in the journal.
    """

    base: MatchState
    shown: Beginning
    others: tuple[Beginning, ...] = ()
    boards: tuple[RecordedBoard, ...] = ()
    known: tuple[Transition, ...] = ()
    recorded: tuple[Transition, ...] = ()  # all transitions in the journal
    said: bool = False  # people said which colour is whose
    contradicted: bool = False  # a board contradicted what was recorded of the round
    seen: Names = field(default_factory=dict)  # the colours seen, in order of appearance

    @classmethod
    def certain(cls, state: MatchState) -> "Bank":
        """The bank in which this state of a first round is certain."""
        return cls(state, Beginning(Belief.certain(state), state.colours, state.seating, Seats(), DitchSeen()))

    def again(self, state: MatchState, ditch: DitchSeen) -> "Bank":
        """The same after people's command, or for another round: seats and the look of the hole are the table's."""
        belief = Belief.certain(state, self.shown.belief.best.ghost)
        return Bank(state, Beginning(belief, state.colours, state.seating, self.shown.seats, ditch))

    def with_board(self, board: RecordedBoard, weighed: Beginning) -> "Bank":
        """With one more board, accepted by the shown beginning."""
        known, seen = SetColours(self.base.certified), dict(self.seen)
        for disc in filter(clearly_seen, board.reading.discs):
            lab = known.among(disc.lab, seen)
            seen[lab] = seen.get(lab, Counter()) + Counter([disc.colour])
        shown, boards = weighed.accepted(), (*self.boards, board)
        contradicted = self.contradicted or bool(shown.belief.newest[0].strange) or shown.foreign > self.shown.foreign
        return replace(self, shown=shown, boards=boards, seen=seen, contradicted=contradicted)

    def after_answer(self, state: MatchState, given: Belief) -> "Bank":
        """Restart from people's answer; earlier boards may still be amended by hypotheses that agree with it."""
        belief = replace(given, spent=-min(h.cost for h in given.hypotheses))
        shown = replace(self.shown, belief=belief, costs=(), foreign=0)
        return Bank(state, shown, known=self.recorded, recorded=self.recorded, said=self.said)

    def with_earlier_rounds(self, state: MatchState) -> "Bank":
        """After people changed earlier rounds alone: the running round's doubts remain."""

        def of(one: Beginning) -> Beginning:
            return replace(one, belief=one.belief.with_earlier_rounds(state))

        base = with_earlier_rounds(self.base, state)
        return replace(self, base=base, shown=of(self.shown), others=tuple(map(of, self.others)))

    def showing(self, other: Beginning) -> "Bank":
        """With another beginning shown."""
        return replace(self, shown=other, others=(self.shown, *(one for one in self.others if one is not other)))

    def weighed_on(self, state: MatchState) -> "Bank":
        """The bank after some more work on the other likely beginnings; `state`: the shown state."""
        bank, work = self._with_likely(state), WORK
        while work > 0 and (one := bank._next_one) is not None:
            work -= len(one.belief.hypotheses)
            weighed = one.after_next_board(bank)
            bank = replace(bank, others=tuple(weighed if it is one else it for it in bank.others))
        return bank

    def _with_likely(self, state: MatchState) -> "Bank":
        """With the presently likely beginnings beside the shown one."""
        shown = self.shown
        if shown.colours.items() <= state.colours.items():  # else people have just said otherwise
            shown = replace(shown, colours=state.colours, seating=state.seating)
        likely = self._likely_colours(state)
        kept = [one for one in self.others if any(_same(one.colours, it, state) for it in likely)]
        new = [one for one in likely if all(not _same(one, it.colours, state) for it in (shown, *kept))]
        every = [shown, *kept, *map(self._beginning, new)]
        shown, *others = (replace(one, prior=self._prior(one, state)) for one in every)
        return replace(self, shown=shown, others=tuple(others))

    def _likely_colours(self, state: MatchState) -> Sequence[Colours]:
        """The likely assignments besides the shown one: none unless a board contradicted it, or nobody assigned the
        colours, so that a wrong assignment at the start may fit everything after it.
        """
        if self.said:
            return [state.colours]
        unsaid = any(not side.colour for side in state.started.sides)
        learnt = len(state.colours) == len(state.sides) and state.colours != self.base.colours
        return _assignments(self, state) if self.others or self.contradicted or (unsaid and learnt) else []

    def _beginning(self, colours: Colours) -> Beginning:
        belief = Belief.certain(replace(self.base, colours=colours))
        return Beginning(belief, colours, self.base.seating, settled=self.known)

    def _prior(self, one: Beginning, state: MatchState) -> float:
        """The cost of a beginning's colours by their present names; nothing else is possible than what people said."""
        if self.said and not _same(one.colours, state.colours, state):
            return math.inf
        return _prior(self, _as_seen(one.colours, self.seen, state), state, _by_turn(self, state))

    @property
    def whole(self) -> bool:
        """Whether its boards reach back to the round's first shot: else shots before them can't be judged again with
        other colours."""
        return not self.base.game.round.shots

    def doubt(self, state: MatchState) -> Asked:
        """The question about the sides' colours, if another beginning is not ruled out."""
        other = next((one for one in self.likeliest if one is not self.shown), None)
        return None if other is None else self._whose_colour(state, other.colours)

    def earlier_shots(self, state: MatchState) -> Asked:
        """The question about the shots before the bank's boards: they were judged with the colours of `state`, whose
        open questions end now."""
        return None if self.whole else self._whose_colour(replace(state, questions={}), state.colours)

    def _whose_colour(self, state: MatchState, other: Colours) -> Asked:
        colours = _as_seen(self.shown.colours, self.seen, state)
        names = {side: _name(self.seen.get(lab)) for side, lab in colours.items()}
        return whose_colour(state, self.shown.colours, names, other, judged_again=self.whole)

    @property
    def _next_one(self) -> Beginning | None:
        """The likeliest beginning with a board still to weigh; a hopeless one is not weighed any further."""
        return next((one for one in self._likely if len(one.costs) < len(self.boards)), None)

    def behind(self, one: Beginning) -> float:
        """A beginning's cost above the best of those that were weighed by the same boards."""
        boards, every = len(one.costs), (self.shown, *self.others)
        return one.cost_of(boards) - min(it.cost_of(boards) for it in every if len(it.costs) >= boards)

    @property
    def _likely(self) -> list[Beginning]:
        """The beginnings that are not hopeless, the likeliest first."""
        every = (self.shown, *self.others)
        return sorted((one for one in every if self.behind(one) <= HOPELESS), key=self.behind)

    @property
    def likeliest(self) -> list[Beginning]:
        """The likeliest beginning and those not ruled out by it; none while one of them has a board to weigh."""
        near = [one for one in self._likely if in_doubt(self.behind(one))]
        return near if all(len(one.costs) == len(self.boards) for one in near) else []


def _assignments(bank: Bank, state: MatchState) -> Sequence[Colours]:
    """Other assignments of the seen colours than the shown one, the likeliest a priori first. None before every side's
    colour was seen, since a missing one could explain anything. None for a player alone: every colour is theirs.
    """
    if len(state.sides) == 1 or len(bank.seen) < len(state.sides):
        return []
    by_turn, known = _by_turn(bank, state), SetColours(state.certified)

    def unlikely(one: Colours) -> tuple[float, int]:
        return _prior(bank, one, state, by_turn), sum(one[side] != by_turn[side] for side in one)

    every = (dict(zip(by_turn, each, strict=True)) for each in permutations(by_turn.values()))
    likely = sorted(every, key=unlikely)
    # as learnt: assignments must not differ by how well they fit today's light
    learnt = state.colours.values()
    labs = ({side: known.among(lab, learnt) for side, lab in one.items()} for one in likely)
    return [one for one in labs if not _same(one, state.colours, state)][:ASSIGNMENTS]


def _by_turn(bank: Bank, state: MatchState) -> Colours:
    """The most frequent colours, in order of appearance, for the sides in order of play."""
    first = bank.base.game.round.starter_seat
    order = dict.fromkeys(side for _, side in state.game.terms.clockwise_from(first))
    often = sorted(bank.seen, key=lambda lab: -bank.seen[lab].total())
    came = sorted(often[: len(state.sides)], key=[*bank.seen].index)
    return dict(zip(order, came, strict=False))


def _same(one: Colours, other: Colours, state: MatchState) -> bool:
    known = SetColours(state.certified)
    return one.keys() == other.keys() and not any(known.differ(one[side], other[side]) for side in one)


def _as_seen(colours: Colours, seen: Names, state: MatchState) -> Colours:
    """These sides' colours as they were seen, where they were."""
    known = SetColours(state.certified)
    near = {side: known.among(lab, seen) for side, lab in colours.items()}
    return {side: near[side] if near[side] in seen else lab for side, lab in colours.items()}


def _name(names: Counter[str] | None) -> str:
    """The most frequent name; none of a colour that was not seen."""
    return names.most_common(1)[0][0] if names else ""


def _prior(bank: Bank, colours: Colours, state: MatchState, by_turn: Colours) -> float:
    """The cost that sides play other colours than they chose, than in rounds that people agreed to, or than set-up
    certified, or that colours appeared in another order than `by_turn`."""
    known, agreed = SetColours(state.certified), bank.base.colours if bank.base.game.round.number > 1 else {}
    changed = sum(known.differ(agreed.get(side, lab), lab) for side, lab in colours.items())
    said = {side: state.started.sides[state.sides.index(side)].colour for side in colours}
    otherwise = sum(bool(said[side]) and said[side] != _name(bank.seen.get(lab)) for side, lab in colours.items())
    exchanged = sum(known.side_of(lab) not in (None, side) for side, lab in colours.items())
    out_of_turn = any(colours[side] != lab for side, lab in by_turn.items() if side in colours)
    cost = COLOURS.not_as_said * (otherwise + changed) + COLOURS.not_as_certified * exchanged
    return cost + COLOURS.not_by_turn * out_of_turn
