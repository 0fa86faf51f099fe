"""`calibrate` and `read`: single pictures from files, folders and devices."""

from pathlib import Path

import cv2

from controller.errors import BadInput
from controller.vision.annotate import annotate
from controller.vision.calibration import Calibration, calibrate
from controller.vision.landmarks import Landmarks
from controller.vision.reading import Background, read_board
from controller.vision.readings import BoardReading
from hardware import catalogue
from hardware.board import TOURNAMENT
from hardware.devices import Image, SystemClock
from hardware.pictures import read_picture

SETTLE_FRAMES = 20  # a live camera's exposure and white balance settle within these


def landmarks(path: Path | None) -> Landmarks | None:
    """A landmarks file, or None."""
    return Landmarks.read(path, TOURNAMENT) if path is not None else None


def calibrate_source(source: str, taps: Path | None) -> Calibration:
    """Find the board in a picture, in a folder's first picture, or with a camera device."""
    return calibrate(_one_picture(source), landmarks(taps))


def _one_picture(source: str) -> Image:
    path = Path(source)
    if path.is_dir():
        stills = sorted([*path.glob("*.jpg"), *path.glob("*.png")])
        if not stills:
            raise BadInput(f"{path}: there is no picture in this folder.")
        return read_picture(stills[0])
    if path.suffix or path.is_file():
        return read_picture(path)
    camera = catalogue.camera(source, SystemClock())
    if camera is None:
        raise BadInput(f"{source} gives no picture: name a file, a folder or a camera.")
    try:
        for count, frame in enumerate(camera.frames()):
            if count >= SETTLE_FRAMES:
                return frame.full()
    finally:
        camera.close()
    raise BadInput(f"{source} ended before a picture could be taken.")


def read_still(
    image: Path, calibration: Path | None, taps: Path | None, empty: Path | None, annotated: Path | None
) -> BoardReading:
    """One still to one reading; finds the board in the empty picture if there is one, else in the picture itself."""
    still = read_picture(image)
    bare = read_picture(empty) if empty is not None else None
    if calibration is not None:
        found = Calibration.load(calibration, still.shape[1], still.shape[0])
    else:
        found = calibrate(bare if bare is not None else still, landmarks(taps))
    background = Background.from_empty(bare, found) if bare is not None else None
    reading = read_board(still, found, empty=background, frame=image.name)
    if annotated is not None and not _written(annotated, annotate(still, found, reading)):
        raise BadInput(f"{annotated} can't be written: name a .jpg or .png in a folder that exists.")
    return reading


def _written(path: Path, image: Image) -> bool:
    try:
        return bool(cv2.imwrite(str(path), image))
    except cv2.error:  # no picture format of that name
        return False
