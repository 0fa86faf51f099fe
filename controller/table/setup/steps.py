"""The steps of setting a table up: the state of each part, in figures and words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import cv2
import numpy as np

from controller.config import ClipsSection
from controller.messages import Message, say
from controller.table.club.membership import Membership
from controller.views.schema import Step, StepFigure, StepId, StepState
from controller.vision.calibration.calibration import Calibration, ditch_in_view, from_above, place_doubt
from controller.vision.calibration.image_quality import BLOWN, DARK, SHARP, sharpness, spoilt
from controller.vision.reading.annotate import crop
from controller.vision.reading.colours import lab_of
from controller.vision.readings import BoardReading, SeenDisc
from controller.vision.side_colours import TWO_COLOURS, distance
from hardware.devices import Image
from hardware.pictures import encode

# Limits of a good table. Sources: measured on ray-traced boards, and the error budget of a third of a millimetre.
MAX_TILT = 50.0  # degrees: calibration and reading are tested up to here
ASIDE = 20.0  # degrees: with more, the camera is beside the table, and a steeper view would gain something
MAX_OFF = 0.5  # mm, at every line
MIN_SCALE = 1.0  # pixels per millimetre: with fewer, a disc's edge is not found within a third of a millimetre
MIN_CONTRAST = 15.0  # grey levels between lines and wood
MAX_BLOWN = 10.0  # per cent of the picture
MAX_UNSEEN = 0.0  # per cent of the surface, where discs would be missed
MAX_FLICKER = 2.0  # per cent between the bright and the dark pictures of a second
RIM_ALONE = 10.0  # dE between a colour and the wood: a more similar disc is found only by its rim and shadow
PROOF = 1.0  # mm within which people can lay a disc against a line
MAX_SIGMA = 0.33  # mm, one standard error: the error budget of a disc's place, which set-up's scale follows from

NOT_SEEN = say(
    "No disc is seen. If there is one, it looks like the board in this light: move the lamp until "
    "discs cast a shadow, wax them darker, or use others."
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One shown disc."""

    side: str
    sigma: float | None  # mm, of its place; None if no disc was seen
    jpeg: bytes  # the disc with its outline; the board if none was seen

    @property
    def trouble(self) -> Message | None:
        """What is wrong and what helps, if anything is wrong."""
        if self.sigma is None:
            return say("Side {side}: {trouble}", side=self.side, trouble=NOT_SEEN)
        if self.sigma <= MAX_SIGMA:
            return None
        return say(
            "Side {side}: its discs look almost like the board in this light. Move the lamp until they cast "
            "a shadow, wax them darker, or use others.",
            side=self.side,
        )


class ColourTrials:
    """The last trial of each side. `shown` is for the camera's thread, everything else for any."""

    def __init__(self) -> None:
        self._last: dict[str, Trial] = {}

    def shown(self, side: str, picture: Image, calibration: Calibration, disc: SeenDisc | None) -> None:
        """Note a trial: a disc of this side was laid on the board, alone; `disc`: as seen, if it was."""
        seen = [] if disc is None else [disc]
        trial = Trial(side, None if disc is None else disc.sigma, encode(crop(picture, calibration, seen)))
        self._last.pop(side, None)
        self._last = {**self._last, side: trial}  # the newest comes last

    def all(self) -> list[Trial]:
        """The last trial of each side, in order of the sides."""
        return [trial for _, trial in sorted(self._last.items())]

    def picture(self) -> bytes | None:
        """The picture of the newest failed trial, else of the newest; None before the first."""
        newest = list(self._last.values())[::-1]
        return next((trial.jpeg for trial in newest if trial.trouble), newest[0].jpeg if newest else None)


def figure(name: Message, value: float, unit: str, good: bool, wanted: Message) -> StepFigure:
    """One figure of a step, and whether it is good."""
    return {"name": name, "value": round(value, 2), "unit": unit, "good": good, "wanted": wanted}


def at_most(name: Message, value: float, most: float, unit: str) -> StepFigure:
    """A figure that is good up to `most`."""
    return {**figure(name, value, unit, value <= most, say("at most {limit}", limit=most)), "limit": most}


def at_least(name: Message, value: float, least: float, unit: str) -> StepFigure:
    """A figure that is good from `least` up."""
    return {**figure(name, value, unit, value >= least, say("at least {limit}", limit=least)), "limit": least}


def step(
    id_: StepId, title: Message, text: Message, figures: Sequence[StepFigure] = (), state: StepState | None = None
) -> Step:
    """One step of the page: good when every figure is, unless `state` says otherwise."""
    state = state or ("good" if all(one["good"] for one in figures) else "bad")
    return {"id": id_, "title": title, "state": state, "text": text, "figures": list(figures)}


def camera_step(picture: Image, brightness: list[float], lasting: str | None) -> Step:
    """The picture's brightness, sharpness and flicker. `brightness`: the mean of each picture of a second. `lasting`: a
    better name for the camera, if there is one."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.float32)
    low, high = np.percentile(brightness, (5, 95))
    figures = [
        at_least(say("Brightness"), float(np.percentile(grey, 90)), DARK, ""),
        at_most(say("Blown out"), 100 * float(np.mean(grey > BLOWN)), MAX_BLOWN, "%"),
        at_least(say("Sharpness"), sharpness(grey), SHARP, ""),
        at_most(say("Flicker"), 100 * float(high - low) / max(float(np.mean(brightness)), 1.0), MAX_FLICKER, "%"),
    ]
    trouble = spoilt(grey)
    height, width = grey.shape
    text = Message(trouble) if trouble else say("Pictures of {width} x {height} come.", width=width, height=height)
    if lasting:
        text = say("{text} Better call it {name} under [camera]: its number can change.", text=text, name=lasting)
    return step("camera", say("Camera"), text, figures, state="bad" if trouble else None)


def board_step(calibration: Calibration | None, trouble: Message | None, reading: BoardReading | None = None) -> Step:
    """The quality of the calibration, and how much of the board the picture shows, if it was read."""
    title = say("Board")
    if calibration is None:
        text = trouble or say("The board was not found yet. Clear it, then look again, or tap its landmarks.")
        return step("board", title, text, state="bad")
    q = calibration.quality
    figures = [
        at_most(say("Fit of the lines"), max(q.worst_line, *q.sigma), MAX_OFF, "mm"),
        at_most(say("Tilt"), q.tilt, MAX_TILT, "deg"),
        figure(
            say("Camera above the board"), round(q.height), "mm", True, say("± {sigma}", sigma=round(q.height_sigma, 1))
        ),
        at_least(say("Scale"), q.px_per_mm, MIN_SCALE, "px/mm"),
        at_least(say("Contrast of the lines"), abs(q.contrast), MIN_CONTRAST, ""),
    ]
    if q.tilt > ASIDE:
        figures += _gained_from_above(calibration)
    if reading is not None:
        name = say("Not shown: beyond the picture, or blown out by light")
        figures.append(at_most(name, 100 * reading.surface_unseen, MAX_UNSEEN, "%"))
    text = trouble or say("The board was found. Check that the drawn lines lie on the board's own.")
    return step("board", title, text, figures, state="bad" if trouble else None)


def _gained_from_above(calibration: Calibration) -> list[StepFigure]:
    """What would be gained with the camera straight above the board, at the same distance."""
    above = from_above(calibration)
    doubt, ditch = place_doubt(calibration), 100 * ditch_in_view(calibration)
    return [
        figure(
            say("Uncertainty at the outer line due to the camera's position"),
            doubt,
            "mm",
            doubt <= MAX_OFF,
            say("{figure} from straight above", figure=round(place_doubt(above), 2)),
        ),
        figure(
            say("Ditch that the camera sees"),
            ditch,
            "%",
            True,
            say("{figure} from straight above", figure=round(100 * ditch_in_view(above))),
        ),
    ]


def colours_step(
    sides: Mapping[str, tuple[float, float, float]],
    wood: tuple[float, float, float] | None,
    trials: Sequence[Trial] = (),
) -> Step:
    """The sides' learnt colours, and how well their discs are distinguished from the board in this light (`trials`).
    Learning them here is optional; it helps if discs look like the wood."""
    title = say("Colours of the discs")
    if not sides and not trials:
        text = say("Not needed: the table learns them from the first discs. Better: lay one disc of a side, alone.")
        return {**step("colours", title, text, state="optional"), "pictured": False}
    troubles = [trial.trouble for trial in trials if trial.trouble is not None]
    learnt = [say("Learnt: {sides}.", sides=tuple(sorted(sides)))] if sides else []
    text = reduce(lambda one, other: Message("{one} {other}", {"one": one, "other": other}), [*learnt, *troubles])
    found = step("colours", title, text, _colour_figures(sides, wood, trials), state="bad" if troubles else None)
    return {**found, "pictured": bool(trials)}


def _colour_figures(
    sides: Mapping[str, tuple[float, float, float]], wood: tuple[float, float, float] | None, trials: Sequence[Trial]
) -> list[StepFigure]:
    figures = []
    names = sorted(sides)
    for name in names:
        if wood is not None:
            away = float(distance(sides[name], lab_of(np.array(wood))))
            wanted = say(
                "below {limit}, discs are found by rim and shadow alone", limit=RIM_ALONE
            )  # no fault: wood is usual
            figures.append(figure(say("Side {side} from the wood", side=name), away, "dE", True, wanted))
    for one, other in combinations(names, 2):
        between = say("Side {one} from side {other}", one=one, other=other)
        figures.append(at_least(between, float(distance(sides[one], sides[other])), TWO_COLOURS, "dE"))
    seen = [(trial.side, trial.sigma) for trial in trials if trial.sigma is not None]
    figures += [at_most(say("Place of a disc of side {side}", side=side), off, MAX_SIGMA, "mm") for side, off in seen]
    return figures


def proof_step(reading: BoardReading | None) -> Step:
    """A test with discs laid against the inside of the lines: their measured clearance should be nearly zero."""
    title = say("Proof")
    text = say(
        "Lay a disc against the inside of each of the three lines. Each should read within {limit} mm of it.",
        limit=PROOF,
    )
    inside = {15: say("At the 15 line"), 10: say("At the 10 line"), 5: say("At the outer line")}
    figures: list[StepFigure] = []
    for zone, name in inside.items():
        near = [d.clearance for d in reading.discs if d.pose == "flat" and d.zone == zone] if reading else []
        if near:
            off = min(near, key=abs)
            within = figure(name, off, "mm", abs(off) <= PROOF, say("within {limit}", limit=PROOF))
            figures.append({**within, "limit": PROOF})
    return step("proof", title, text, figures, state=None if len(figures) == len(inside) else "optional")


def clips_step(clips: ClipsSection) -> Step:
    """Which moving pictures are kept of discs and of the hands over the board."""
    if not clips.keep:
        text = say("None are kept, because the configuration has keep = false under [clips].")
    else:
        text = say(
            "Around each question, twenty, foul and takeout of two discs or more, a few seconds of small grey pictures "
            "are kept on this table for {days} days. They show the board and the hands over it, nothing beyond the "
            "rail, no sound. Whoever opens the table's pages can watch them; the table sends them nowhere. With keep = "
            "false under [clips] in the configuration, none are kept.",
            days=clips.days,
        )
    return step("clips", say("Clips of shots"), text, state="good" if clips.keep else "optional")


def club_step(member: Membership) -> Step:
    """The table's club, or how to join one."""
    title = say("Club")
    if member.club is None:
        text = member.trouble or say(
            "In none: the table plays alone. To join one, type the address and the code on its organiser's page."
        )
        found = step("club", title, text, state="bad" if member.trouble else "optional")
    else:
        name, table = member.club
        text = say("{club}, as its table {table}.", club=name, table=table)
        text = Message("{club} {trouble}", {"club": text, "trouble": member.trouble}) if member.trouble else text
        found = step("club", title, text, state="bad" if member.trouble else "good")
    return {**found, "joined": member.club is not None, "fixed": member.fixed}
