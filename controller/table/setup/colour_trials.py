"""Whether the light allows sides' discs to be told from the board: what the camera made of each that was shown."""

from dataclasses import dataclass

from controller.messages import Message, say
from controller.table.setup.figures import Figure, at_most
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading.annotate import crop
from controller.vision.readings import SeenDisc
from hardware.devices import Image
from hardware.pictures import encode

MOST_DOUBT = 0.33  # mm, one standard error: the error budget of a disc's place, as of the scale that set-up asks for

NOT_SEEN = say(
    "No disc is seen. If one lies there, it can't be told from the board in this light: move the lamp until discs cast "
    "a shadow, wax them darker, or take others."
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One disc that was shown."""

    side: str
    sigma: float | None  # mm, of its place; None where no disc was seen
    jpeg: bytes  # the disc as it was seen, with its outline; the board where none was seen

    @property
    def trouble(self) -> Message | None:
        """What is wrong, and what helps."""
        if self.sigma is None:
            return say("Side {side}: {trouble}", side=self.side, trouble=NOT_SEEN)
        if self.sigma <= MOST_DOUBT:
            return None
        return say(
            "Side {side}: its discs can hardly be told from the board in this light. Move the lamp until they cast a "
            "shadow, wax them darker, or take others.",
            side=self.side,
        )


class ColourTrials:
    """The last trial of each side. `shown` is for the camera's thread, all else for any."""

    def __init__(self) -> None:
        self._last: dict[str, Trial] = {}

    def shown(self, side: str, picture: Image, calibration: Calibration, disc: SeenDisc | None) -> None:
        """A disc of this side was laid on the board, alone; `disc` is what was seen of it."""
        seen = [] if disc is None else [disc]
        trial = Trial(side, None if disc is None else disc.sigma, encode(crop(picture, calibration, seen)))
        self._last.pop(side, None)
        self._last = {**self._last, side: trial}  # the newest comes last

    def all(self) -> list[Trial]:
        """The last trial of each side, by its letter."""
        return [trial for _, trial in sorted(self._last.items())]

    def picture(self) -> bytes | None:
        """The disc that says most: of the newest trial that went wrong, else of the newest; None before the first."""
        newest = list(self._last.values())[::-1]
        return next((trial.jpeg for trial in newest if trial.trouble), newest[0].jpeg if newest else None)


def trial_figure(trial: Trial) -> Figure | None:
    """How well the place of a disc is told; None where none was seen."""
    if trial.sigma is None:
        return None
    return at_most(say("Place of a disc of side {side}", side=trial.side), trial.sigma, MOST_DOUBT, "mm")
