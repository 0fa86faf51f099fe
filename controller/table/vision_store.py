"""Stores the board's calibration, and its last picture when empty, for the next start."""

import base64
import json

from controller.config import Config
from controller.journal import Journal
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.reading.background import Background
from controller.vision.watching.background_model import BackgroundModel
from hardware.board import TOURNAMENT
from hardware.devices import Image
from hardware.pictures import decode, encode

CALIBRATION, EMPTY = "calibration", "empty"  # names of facts in the journal


def stored_model(config: Config, journal: Journal) -> BackgroundModel:
    """The background model, with the stored calibration or the configured landmarks. Raises `BadInput`."""
    simulated = config.camera.device == "simulated"
    kept = None if simulated else kept_calibration(journal)
    return BackgroundModel(
        calibration=kept,
        landmarks=Landmarks.read(config.camera.landmarks, TOURNAMENT) if config.camera.landmarks else None,
        above=config.camera.height,
        on_calibrated=lambda c: journal.facts.try_to_keep(CALIBRATION, json.dumps(c.to_json())),
        on_empty=lambda image, calibration: _keep_empty(journal, image, calibration),
    )


def restore_empty_board(model: BackgroundModel, journal: Journal) -> None:
    """Give the model the stored picture of the empty board, for a match in progress, with discs on the board. Without a
    match, the empty board is learnt again in today's light."""
    if model.calibration is not None:
        model.background = journal.facts.read(EMPTY, _background)


def _keep_empty(journal: Journal, image: Image, calibration: Calibration) -> None:
    picture = base64.b64encode(encode(image)).decode("ascii")
    document = {"jpeg": picture, "calibration": calibration.to_json()}
    journal.facts.try_to_keep(EMPTY, json.dumps(document))


def kept_calibration(journal: Journal) -> Calibration | None:
    """The stored calibration; None if there is none, or if it can't be read."""
    return journal.facts.read(CALIBRATION, lambda text: Calibration.from_json(json.loads(text)))


def _background(text: str) -> Background:
    document = json.loads(text)
    picture = decode(base64.b64decode(document["jpeg"]), "the kept picture of the empty board")
    return Background.from_empty(picture, Calibration.from_json(document["calibration"]))
