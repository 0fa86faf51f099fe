"""What the table remembers of its board over a restart: where it is, and how it looked when it was last empty."""

import base64
import json

from controller.config import Config
from controller.journal import Journal
from controller.vision.calibration import Calibration
from controller.vision.eye import Eye
from controller.vision.landmarks import Landmarks
from controller.vision.reading import Background
from hardware.board import TOURNAMENT
from hardware.devices import Image
from hardware.pictures import decode, encode

CALIBRATION, EMPTY = "calibration", "empty"  # under these names the journal keeps them


def eye_of(config: Config, journal: Journal, playing: bool) -> Eye:
    """The eye with what is known of the board's place: the calibration that was kept, or taps. Raises `BadInput`.

    `playing`: a match goes on, so discs may lie there now; then the empty board's look is known too. Else it is learnt
    anew, in the light of the day.
    """
    simulated = config.camera.device == "simulated"
    kept = None if simulated else journal.fact(CALIBRATION)
    return Eye(
        calibration=Calibration.from_json(json.loads(kept)) if kept else None,
        background=_empty_look(journal) if playing and not simulated else None,
        landmarks=Landmarks.read(config.camera.landmarks, TOURNAMENT) if config.camera.landmarks else None,
        above=config.camera.height,
        on_calibrated=lambda c: journal.remember(CALIBRATION, json.dumps(c.to_json())),
        on_empty=lambda image, calibration: _keep_empty(journal, image, calibration),
    )


def _keep_empty(journal: Journal, image: Image, calibration: Calibration) -> None:
    picture = base64.b64encode(encode(image)).decode("ascii")
    journal.remember(EMPTY, json.dumps({"jpeg": picture, "calibration": calibration.to_json()}))


def _empty_look(journal: Journal) -> Background | None:
    kept = journal.fact(EMPTY)
    if kept is None:
        return None
    document = json.loads(kept)
    picture = decode(base64.b64decode(document["jpeg"]), "the kept picture of the empty board")
    return Background.from_empty(picture, Calibration.from_json(document["calibration"]))
