"""Measures the errors of the table's readings with the jig's sheet, and grades them."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from pydantic import TypeAdapter

from controller.errors import Refused
from controller.journal import Journal
from controller.messages import Message, say
from controller.table.setup.jig_sheet import PLACES, JigPlace
from controller.table.setup.steps import at_least, at_most, figure, step
from controller.views.schema.setup import Step
from controller.vision.calibration.calibration import Calibration
from controller.vision.readings import BoardReading, SeenDisc
from hardware.board import TOURNAMENT, seat_angle

PICTURES = 5  # readings in a median: single ones differ by some hundredths of a millimetre
NEAR = 8.0  # mm between a disc and its place at most. Places are 60 mm apart
TURNS = tuple(45.0 * k for k in range(8))  # degrees by which the pair of pages can be hung
DECIDED_BEYOND = 1.5  # mm from a line: a table for tournaments must not ask about discs farther off
OF_99 = 2.576  # standard errors that cover 99 % of a normal distribution
TOURNAMENT_REACH, CLUB_REACH = 1.0, 2.0  # mm: 99 % of the errors must be within
DRIFT = 0.5  # mm: a larger change means that lamp, lens or board have moved. People lay a disc within some 0.3 mm
KEPT = 50  # measurements
FACT = "jig"
TITLE = say("Accuracy in millimetres")


@dataclass(frozen=True, slots=True)
class JigMeasurement:
    """One measurement. The tuples have a member for each of `PLACES`."""

    at: float  # seconds since 1970
    errors: tuple[float, ...]  # mm: the measured clearance minus the printed one
    zones: tuple[int, ...]  # as measured
    sure: tuple[bool, ...]  # in every picture

    @property
    def mean(self) -> float:
        return sum(map(abs, self.errors)) / len(self.errors)

    @property
    def worst(self) -> tuple[JigPlace, float]:
        return max(zip(PLACES, self.errors, strict=True), key=lambda one: abs(one[1]))

    @property
    def reach(self) -> float:
        """mm that 99 % of the errors are within, assuming a normal distribution about zero."""
        spread = math.sqrt(sum(error**2 for error in self.errors) / len(self.errors))
        return max(abs(self.worst[1]), OF_99 * spread)

    @property
    def decided(self) -> int:
        """How many of the `far` places were read in the right ring, with certainty."""
        return sum(sure and zone == right(place) for place, sure, zone in self._far())

    @property
    def far(self) -> int:
        """How many places are so far from their line that no question is acceptable."""
        return sum(1 for _ in self._far())

    @property
    def silently_wrong(self) -> list[int]:
        """The numbers of the places that were read in a wrong ring with certainty."""
        return [place.number for place, sure, zone in self._calls() if sure and zone != right(place)]

    def _calls(self) -> Iterator[tuple[JigPlace, bool, int]]:
        return zip(PLACES, self.sure, self.zones, strict=True)

    def _far(self) -> Iterator[tuple[JigPlace, bool, int]]:
        return (call for call in self._calls() if abs(call[0].clearance) >= DECIDED_BEYOND)


_MEASUREMENTS = TypeAdapter(list[JigMeasurement])


def right(place: JigPlace) -> int:
    """The right ring of a disc on this place."""
    return ((15, 10, 5, 0)[place.line :])[0 if place.clearance > 0 else 1]


def measure(readings: Sequence[BoardReading], calibration: Calibration, at: float) -> JigMeasurement:
    """A measurement from several readings of the sheet. Raises `Refused` naming the places without a disc."""
    rows = _on_every_place([_laid(reading, calibration) for reading in readings])
    edges = (calibration.fifteen, calibration.ten, calibration.outer)
    radius, errors = calibration.disc.radius, []
    for place, discs in zip(PLACES, rows, strict=True):
        clearances = sorted(edges[place.line] - math.hypot(disc.x, disc.y) - radius for disc in discs)
        errors.append(clearances[len(discs) // 2] - place.clearance)
    return JigMeasurement(
        at,
        tuple(errors),
        tuple(discs[-1].zone for discs in rows),
        tuple(all(disc.call == "sure" and disc.zone == discs[0].zone for disc in discs) for discs in rows),
    )


def _on_every_place(seen: Sequence[Sequence[SeenDisc | None]]) -> list[list[SeenDisc]]:
    """The discs of each place, one from each reading. Raises `Refused` naming the places without."""
    rows = [[disc for disc in discs if disc is not None] for discs in zip(*seen, strict=True)]
    missing = [place.number for place, discs in zip(PLACES, rows, strict=True) if len(discs) < len(seen)]
    if missing:
        raise Refused(
            say(
                "No disc was seen on these places of the sheet: {numbers}. Lay one on each of the twelve, flat.",
                numbers=", ".join(map(str, missing)),
            )
        )
    return rows


def _laid(reading: BoardReading, calibration: Calibration) -> list[SeenDisc | None]:
    """The disc on each place, or None, for the best-fitting turn of the pages."""
    flat = [disc for disc in reading.discs if disc.pose == "flat"]
    first = seat_angle(3) + calibration.board.peg_angles[0] - TOURNAMENT.peg_angles[0]
    hung = (_on_places(flat, first + turn) for turn in TURNS)
    best = min(hung, key=lambda found: sum(off for _, off in found))
    return [disc for disc, _ in best]


def _on_places(discs: Sequence[SeenDisc], angle: float) -> list[tuple[SeenDisc | None, float]]:
    """For each place its disc and the distance to it, or None and `NEAR`."""
    found: list[tuple[SeenDisc | None, float]] = []
    for place in PLACES:
        at = place.at(angle + 180.0 * place.page)
        near = min(discs, key=lambda disc: math.dist((disc.x, disc.y), at), default=None)
        off = NEAR if near is None else math.dist((near.x, near.y), at)
        found.append((near, off) if off < NEAR else (None, NEAR))
    return found


class Jig:
    """The stored measurements with the sheet."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def keep(self, measured: JigMeasurement) -> None:
        kept = [*self._kept(), measured][-KEPT:]
        self._journal.facts.keep(FACT, json.dumps([asdict(one) for one in kept]))

    def step(self) -> Step:
        """The step of the page: the newest measurement with its grade, and the change since the one before."""
        kept = self._kept()
        if not kept:
            text = say(
                "Print both pages of the sheet at 100 %, and check its rulers. Cut along the frame, cut out the pegs' "
                "holes, and hang the pages on opposite sides of the board with their arcs on its lines. Lay a disc on "
                "each of the twelve places, then measure."
            )
            return step("jig", TITLE, text, [], state="optional")
        newest, before = kept[-1], kept[:-1]
        place, off = newest.worst
        figures = [
            at_most(say("Mean error"), newest.mean, TOURNAMENT_REACH, "mm"),
            figure(say("Worst error, on place {number}", number=place.number), off, "mm",
                   abs(off) <= TOURNAMENT_REACH, say("within {limit}", limit=TOURNAMENT_REACH)),
            at_most(say("99 % are within"), newest.reach, TOURNAMENT_REACH, "mm"),
            at_least(say("Decided without a question, {mm} mm or more from a line", mm=DECIDED_BEYOND),
                     newest.decided, newest.far, ""),
        ]  # fmt: skip
        if before:
            moved = max(abs(now - then) for now, then in zip(newest.errors, before[-1].errors, strict=True))
            figures.append(at_most(say("Changed since {day}", day=_day(before[-1])), moved, DRIFT, "mm"))
        good = newest.reach <= CLUB_REACH and not newest.silently_wrong
        return step("jig", TITLE, grade(newest), figures, state="good" if good else "bad")

    def _kept(self) -> list[JigMeasurement]:
        return self._journal.facts.read(FACT, _MEASUREMENTS.validate_json) or []


def grade(measured: JigMeasurement) -> Message:
    """The grade of a measurement, or what to mend."""
    day = _day(measured)
    if measured.silently_wrong:
        numbers = ", ".join(map(str, measured.silently_wrong))
        return say(
            "{day}: not good enough. Places {numbers} were shown as sure in a wrong ring. Check that the sheet's arcs "
            "lie on the board's lines; if they do, clear the board, find it again, and measure again.",
            day=day, numbers=numbers,
        )  # fmt: skip
    if measured.reach > CLUB_REACH:
        return say(
            "{day}: not good enough. Check that the sheet lies flat with its arcs on the board's lines; if it does, "
            "clear the board, find it again, and measure again. If that does not help, hang the camera nearer to "
            "straight above.",
            day=day,
        )  # fmt: skip
    if measured.reach <= TOURNAMENT_REACH and measured.decided == measured.far:
        return say("{day}: good enough for a tournament.", day=day)
    return say("{day}: good enough for a club. More light or a camera with more pixels decides more.", day=day)


def _day(measured: JigMeasurement) -> str:
    return datetime.fromtimestamp(measured.at).date().isoformat()
