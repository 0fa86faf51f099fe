"""The eye keeps what seeing needs to remember between pictures: the calibration and the empty board's look."""

from collections.abc import Callable

from controller.vision.calibration import Calibration, calibrate, refit
from controller.vision.landmarks import Landmarks
from controller.vision.reading import Background, Palette, read_board
from controller.vision.readings import BoardReading
from hardware.devices import Image, Lens


class Eye:
    """Reads pictures of one table. Calibrates itself from the first picture in which the board can be found.

    `above` is the camera's height over the surface in mm, where somebody measured it; `lens` what its maker tells.
    `on_calibrated` is called with each new calibration, so that it can be kept.
    """

    def __init__(
        self,
        *,
        calibration: Calibration | None = None,
        landmarks: Landmarks | None = None,
        above: float | None = None,
        on_calibrated: Callable[[Calibration], None] = lambda _: None,
    ) -> None:
        self.calibration = calibration
        self.landmarks = landmarks
        self.lens: Lens | None = None
        self.above = above
        self.background: Background | None = None
        self.palette: Palette | None = None
        self._on_calibrated = on_calibrated

    def read(self, image: Image, t: float = 0.0, frame: str = "") -> BoardReading:
        """The board in this picture. Raises `CalibrationFailed` while the board has not been found."""
        if self.calibration is None:
            self.calibration = calibrate(image, self.landmarks, lens=self.lens, above=self.above)
            self._on_calibrated(self.calibration)
        reading = read_board(image, self.calibration, empty=self.background, palette=self.palette, t=t, frame=frame)
        if not reading.discs and not reading.obstructed:
            self.background = Background.from_empty(image, self.calibration)
        return reading

    def follow(self, image: Image) -> None:
        """The camera or the board moved: find the board again, if it can be seen. Raises `CalibrationFailed`.

        The look of the empty board is kept from above, so it holds at the new place too.
        """
        assert self.calibration is not None
        moved = refit(image, self.calibration)
        self.calibration = (
            moved.calibration if moved else calibrate(image, self.landmarks, lens=self.lens, above=self.above)
        )
        self._on_calibrated(self.calibration)
