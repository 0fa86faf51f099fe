"""Stores the board's calibration, and its last picture when empty, for the next start."""

import base64
import json
import logging
from typing import Any

from controller.config import Config
from controller.errors import JournalError
from controller.journal import Journal
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.reading.reader import Background
from controller.vision.watching.eye import Eye
from hardware.board import TOURNAMENT
from hardware.devices import Image
from hardware.pictures import decode, encode

log = logging.getLogger(__name__)

CALIBRATION, EMPTY = "calibration", "empty"  # names of facts in the journal


def eye_of(config: Config, journal: Journal) -> Eye:
    """The eye, with the stored calibration or the configured landmarks. Raises `BadInput`."""
    simulated = config.camera.device == "simulated"
    kept = None if simulated else kept_calibration(journal)
    return Eye(
        calibration=kept,
        landmarks=Landmarks.read(config.camera.landmarks, TOURNAMENT) if config.camera.landmarks else None,
        above=config.camera.height,
        on_calibrated=lambda c: _keep(journal, CALIBRATION, c.to_json()),
        on_empty=lambda image, calibration: _keep_empty(journal, image, calibration),
    )


def restore_empty_board(eye: Eye, journal: Journal) -> None:
    """Give the eye the stored picture of the empty board, for a match in progress, with discs on the board. Without a
    match, the empty board is learnt again in today's light."""
    if eye.calibration is not None:
        eye.background = journal.facts.read(EMPTY, _background)


def _keep_empty(journal: Journal, image: Image, calibration: Calibration) -> None:
    picture = base64.b64encode(encode(image)).decode("ascii")
    _keep(journal, EMPTY, {"jpeg": picture, "calibration": calibration.to_json()})


def kept_calibration(journal: Journal) -> Calibration | None:
    """The stored calibration; None if there is none, or if it can't be read."""
    return journal.facts.read(CALIBRATION, lambda text: Calibration.from_json(json.loads(text)))


def _keep(journal: Journal, name: str, document: dict[str, Any]) -> None:
    """Store what was learnt. If that fails, the table learns it again at its next start."""
    try:
        journal.facts.keep(name, json.dumps(document))
    except JournalError as error:
        log.warning("What was learnt of the board could not be kept: %s", error)


def _background(text: str) -> Background:
    document = json.loads(text)
    picture = decode(base64.b64decode(document["jpeg"]), "the kept picture of the empty board")
    return Background.from_empty(picture, Calibration.from_json(document["calibration"]))
