"""Trials of the sides' colours: how well the camera distinguishes a shown disc from the board in the present light."""

from dataclasses import dataclass

from controller.messages import Message, say
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading.annotate import crop
from controller.vision.readings import SeenDisc
from hardware.devices import Image
from hardware.pictures import encode

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
