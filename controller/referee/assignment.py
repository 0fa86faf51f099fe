"""The likeliest associations of discs with seen ends, for each number of shots between two boards at rest.

An association is an optimal assignment of rows to columns, see `PossibleOutcomes`. The end of a row without a column
was not seen.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from controller import rules
from controller.referee.actions import PossibleOutcomes
from controller.referee.association import AssignmentRow, Association, Became, Outcome, cost_of_one_shot, course
from controller.referee.evidence import IMPOSSIBLE, cost_of
from controller.referee.filmed import Filmed
from controller.referee.situation import Situation, cost_given, cost_of_ready
from controller.vision.film.assignment import assign_with_none
from controller.vision.film.film import SHOT
from controller.vision.readings import AT_HOLE, SeenDisc

MAX_SHOTS = 3
"""Between two boards at rest; more shots have a board in between. Judged."""
MAX_SHOTS_UNWATCHED = 8
"""While the camera saw nothing: half a round. Judged."""
PRUNING_MARGIN = 9.0
"""Nats above the best at which a hypothesis is dropped: 1 in 8,000."""


def associations(situation: Situation, limit: float = math.inf) -> list[Association]:
    """The best associations for each number of shots, the likeliest first. Those that cost at least `limit` are
    omitted, except the first.
    """
    most = MAX_SHOTS_UNWATCHED if situation.seen.watching.unwatched else MAX_SHOTS
    rounds = list(islice(course(situation.state.game.round), most + 1))
    found: list[Association] = []
    for shots in range(len(rounds)):
        if found and _least_cost(situation, shots) >= limit:
            break  # more shots cost more
        found += AssignmentProblem(situation, rounds, shots).k_best(limit)
        limit = min(limit, *(one.likeliest + PRUNING_MARGIN for one in found))
    one_shot = next((one for one in found if len(one.shots) == 1), None)
    if one_shot is not None and situation.film is not None and _contradicted(situation.film, one_shot):
        found += _with_confused_film(situation, situation.film, rounds)
    return sorted(found, key=lambda one: one.likeliest)


def _least_cost(situation: Situation, shots: int) -> float:
    """A lower bound of the cost of this many shots. The cheapest end without a place is the hole."""
    return cost_given(situation, shots) + max(shots - 1, 0) * cost_of("shot in hole")


def _contradicted(film: Filmed, association: Association) -> bool:
    """Whether a disc ended elsewhere than in the film."""
    ends = {SHOT: association.shot[0], **association.known}
    return any(name in ends and film.agrees(name, ends[name].place) is False for name in film.tracks())


def _with_confused_film(situation: Situation, film: Filmed, rounds: Sequence[rules.Round]) -> Iterator[Association]:
    """One shot, with its film read as if it confused the shot disc with one that it met, and without the film."""
    met = [track.disc for track in film.film.tracks if track.disc in film.names]
    for film_instead in (*(film.swapped(disc) for disc in met), None):
        other = replace(situation, film=film_instead)
        for one in AssignmentProblem(other, rounds, 1).k_best():
            confused = cost_of("film confused") + math.log(len(met) + 1)
            yield replace(one, cost=one.cost + confused, likeliest=one.likeliest + confused)


class AssignmentProblem:
    """The assignment problem of one number of shots."""

    def __init__(self, situation: Situation, rounds: Sequence[rules.Round], shots: int) -> None:
        self._situation, self._shots = situation, tuple(rounds[:shots])
        self._given = cost_given(situation, shots)
        possible = PossibleOutcomes(situation, rounds, shots)
        self._rows, self._felt = possible.rows(), possible.felt
        self._unexplained = [column.unexplained for column in possible.columns]
        self._costs = [self._costs_of(row) for row in self._rows]
        self._without = [row.outcomes[-1][0].cost for row in self._rows]

    def _costs_of(self, row: AssignmentRow) -> list[float]:
        """The cost for each column that the row's disc ended there instead of none."""
        least = [outcomes[0].cost if outcomes else IMPOSSIBLE for outcomes in row.outcomes[:-1]]
        return [cost - none for cost, none in zip(least, self._unexplained, strict=True)]

    def k_best(self, limit: float = math.inf) -> Iterator[Association]:
        """The best assignment, and, if it costs less than `limit`, for each of its pairs the best one without that
        pair; each also with another outcome of one disc."""
        given = assign_with_none(self._costs, self._without)
        best, *others = self._with_each_outcome(given, limit)
        yield best
        if best.cost < limit:
            yield from others
            for number, column in enumerate(given):
                if column is not None:
                    yield from self._alternatives(number, column, limit)

    def _alternatives(self, row: int, column: int, limit: float) -> Iterator[Association]:
        """The best without this pair; for a disc that only the sensor noticed, with each other possible disc."""
        felt, barred, number = column in self._felt, [*self._costs], row
        never = self._felt if felt else range(column, column + 1)
        while True:
            barred[number] = [IMPOSSIBLE if k in never else cost for k, cost in enumerate(barred[number])]
            instead = assign_with_none(barred, self._without)
            yield from self._with_each_outcome(instead, limit)
            if not felt or column not in instead:
                return
            number = instead.index(column)

    def _with_each_outcome(self, given: Sequence[int | None], limit: float) -> Iterator[Association]:
        """The association of this assignment, by row, and if it costs less than `limit` those in which one disc has
        another outcome that is likely enough."""
        pairs = zip(self._rows, given, strict=True)
        ranked = [row.outcomes[-1 if column is None else column] for row, column in pairs]
        likeliest = [outcomes[0] for outcomes in ranked]
        free = sorted(set(range(len(self._unexplained))).difference(given))
        yield (best := self._association(likeliest, free))
        for k, (first, *others) in enumerate(ranked if best.cost < limit else ()):
            for other in (one for one in others if one.cost < first.cost + PRUNING_MARGIN):
                association = self._association([*likeliest[:k], other, *likeliest[k + 1 :]], free)
                if association.cost < best.cost + PRUNING_MARGIN:
                    yield replace(association, likeliest=best.cost)

    def _association(self, chosen: Sequence[Outcome], free: Sequence[int]) -> Association:
        """The association in which each row's disc has the chosen outcome, and nothing ended in the columns `free`."""
        placed = _places(chosen, "ready")
        cost = sum(outcome.cost for outcome in chosen) + sum(self._unexplained[column] for column in free)
        unexplained = [d for k, d in enumerate(self._situation.new_discs) if k in free]
        association = Association(
            self._shots,
            self._known(chosen),
            tuple(end for row, end in zip(self._rows, chosen, strict=True) if row.name == SHOT),
            (*self._situation.still_ready, *placed),
            (*(d for d in unexplained if d.pose not in AT_HOLE), *_places(chosen, "strange")),
            cost + self._given + cost_of_ready(self._situation, self._shots[:1], placed),
            math.inf,
            self._situation.seen,
            ghost=next((d for d in unexplained if d.pose in AT_HOLE), None),
            felt_alone=not {*self._felt}.isdisjoint(free),
        )
        whole = association.cost + cost_of_one_shot(self._situation.state, association)
        return replace(association, cost=whole, likeliest=whole)

    def _known(self, chosen: Sequence[Outcome]) -> dict[str, Outcome]:
        """The outcomes of the known discs."""
        lay = self._situation.state.measured
        still = {name: Outcome("stays", 0.0, disc) for name, disc in self._situation.still.items()}
        pairs = zip(self._rows, chosen, strict=True)
        return still | {row.name: end for row, end in pairs if row.name in lay or end.became == "back"}


def _places(outcomes: Iterable[Outcome], became: Became) -> tuple[SeenDisc, ...]:
    """The places of the discs with this outcome."""
    return tuple(outcome.place for outcome in outcomes if outcome.became == became and outcome.place is not None)
