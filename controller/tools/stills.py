"""`calibrate` and `read` for single pictures from files, folders and devices."""

from pathlib import Path

import cv2

from controller.errors import BadInput
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.calibration.following import borne_out
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.reading.annotate import annotate, annotate_calibration
from controller.vision.reading.reader import Background, read_board
from controller.vision.readings import BoardReading
from hardware import catalogue
from hardware.board import TOURNAMENT
from hardware.devices import Image, Lens, SystemClock
from hardware.pictures import read_picture

SETTLE_FRAMES = 20  # a live camera's exposure and white balance settle within these


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
        stills = sorted([*path.glob("*.jpg"), *path.glob("*.png")])
        if not stills:
            raise BadInput(f"{path}: there is no picture in this folder.")
        return read_picture(stills[0]), None
    if "://" not in source and (path.suffix or path.is_file()):
        return read_picture(path), None
    camera = catalogue.camera(source, SystemClock())
    shown, _ = catalogue.split_password(source)
    if camera is None:
        raise BadInput(f"{shown} gives no picture: name a file, a folder or a camera.")
    try:
        for count, frame in enumerate(camera.frames()):
            if count >= SETTLE_FRAMES:
                return frame.full(), camera.lens
    finally:
        camera.close()
    raise BadInput(f"{shown} ended before a picture could be taken.")


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
