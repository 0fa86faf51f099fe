"""`calibrate` and `read` for single pictures from files, folders and devices."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice, pairwise
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

import cv2

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.calibration.following import borne_out
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.reading.annotate import annotate, annotate_calibration
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from controller.vision.readings import BoardReading
from hardware import catalogue
from hardware.board import TOURNAMENT
from hardware.devices import BoardCamera, Clock, Frame, Image, Lens, SystemClock
from hardware.errors import DeviceLost
from hardware.pictures import read_picture
from hardware.recording import pictures_in

SETTLED = 20  # frames at least until a camera's picture is examined
UNSETTLED = 300  # frames at most: a Pi's camera settles within 150; one that never settles is examined all the same


def landmarks(path: Path | None) -> Landmarks | None:
    """Read a landmarks file; None for None."""
    return Landmarks.read(path, TOURNAMENT) if path is not None else None


def calibrate_source(source: str, taps: Path | None, above: float | None, annotated: Path | None) -> Calibration:
    """Find the board in a picture file, a folder's first picture, or a camera's picture. `above`: the camera's measured
    height above the surface in mm."""
    image, lens = _one_picture(source)
    calibration = calibrate(image, landmarks(taps), lens=lens, above=above)
    if annotated is not None:
        _write(annotated, annotate_calibration(image, calibration))
    return calibration


def _one_picture(source: str) -> tuple[Image, Lens | None]:
    """A picture and its camera's lens, if known."""
    path = Path(source)
    if path.is_dir():
        stills = pictures_in(path)
        if not stills:
            raise BadInput(f"{path}: there is no picture in this folder.")
        return read_picture(stills[0]), None
    if path.is_file() or (path.suffix and ":" not in source):
        return read_picture(path), None
    clock = SystemClock()
    camera = catalogue.camera(source, clock)
    shown, _ = catalogue.split_password(source)
    if camera is None:
        raise BadInput(f"{shown} gives no picture: name a file, a folder or a camera.")
    with settled(camera, clock) as (frame, _):
        return frame.full(), camera.lens


class Timing(NamedTuple):
    """When a camera's frames came, in seconds."""

    first: float = 0.0  # from the start of opening it to its first frame
    interval: float = 0.0  # the mean between frames
    longest: float = 0.0  # between two frames
    delay: float = 0.0  # the median from a frame's own time until it could be looked at

    @property
    def rate(self) -> float:
        """Frames a second; 0 if too few came to say."""
        return round(1 / self.interval, 1) if self.interval else 0.0

    def words(self) -> str:
        """What can be measured of a network camera's delay."""
        return (
            f"the first {self.first:.1f} s after connecting, at most {1000 * self.longest:.0f} ms apart, each ready "
            f"{1000 * self.delay:.0f} ms after its arrival (what the camera and the network take before that can't be "
            "measured here)"
        )


@contextmanager
def settled(camera: BoardCamera, clock: Clock) -> Iterator[tuple[Frame, Timing]]:
    """The frame at which the camera has settled, or its last one. Closes the camera. Raises `HardwareError`."""
    frames = camera.frames()  # kept open: it holds the newest frame's full picture
    newest, came, delays = None, [clock.now()], list[float]()
    try:
        for frame in islice(frames, UNSETTLED):
            newest = frame
            came.append(clock.now())
            delays.append(came[-1] - frame.t)
            if len(delays) > SETTLED and camera.settled:
                break
        if newest is None:
            raise DeviceLost("The camera gives no picture.")
        gaps = [after - before for before, after in pairwise(came)]
        timing = Timing(gaps[0], mean(gaps[1:]), max(gaps[1:]), median(delays)) if len(gaps) > 1 else Timing()
        yield newest, timing
    finally:
        camera.close()


def read_still(
    image: Path,
    calibration: Path | None,
    taps: Path | None,
    above: float | None,
    empty: Path | None,
    annotated: Path | None,
) -> BoardReading:
    """Read a still. Without a calibration, the board is found in `empty` if given, else in the picture itself."""
    still = read_picture(image)
    bare = read_picture(empty) if empty is not None else None
    if calibration is not None:
        found = Calibration.load(calibration, still.shape[1], still.shape[0])
    else:
        found = calibrate(bare if bare is not None else still, landmarks(taps), above=above)
    if calibration is not None or bare is not None:  # it came from another picture
        found = borne_out(still, found)
    background = Background.from_empty(bare, found) if bare is not None else None
    reading = read_board(still, found, empty=background, frame=image.name)
    if annotated is not None:
        _write(annotated, annotate(still, found, reading))
    return reading


def unseen_words(reading: BoardReading) -> str:
    """A note on parts of the board that the picture does not show; empty if it shows everything."""
    if not reading.unseen:
        return ""
    share = f"{100 * reading.surface_unseen:.0f} % of the surface" if reading.surface_unseen else "a part of the ditch"
    return f"; {share} lies outside the picture or is blown out by light: discs there are not reported"


def _write(path: Path, image: Image) -> None:
    try:
        written = cv2.imwrite(str(path), image)
    except cv2.error:  # no picture format of that name
        written = False
    if not written:
        raise BadInput(f"{path} can't be written: name a .jpg or .png in a folder that exists.")
