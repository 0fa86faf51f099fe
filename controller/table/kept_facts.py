"""What a table keeps among its facts for the next start: its name, its PIN and the secret that signs its sessions; the
board's calibration, its last picture when empty, and the sides' colours. What parses one raises `ValueError` for a text
that this program can't have stored: the table then starts with a new one."""

import base64
import json
import re
import secrets
import unicodedata

from controller.config import Config
from controller.journal import Journal
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.reading.background import Background
from controller.vision.watching.background_model import BackgroundModel
from hardware.board import TOURNAMENT
from hardware.devices import Image
from hardware.pictures import decode, encode

CALIBRATION, EMPTY, PALETTE = "calibration", "empty", "palette"  # names of facts in the journal
LONGEST_NAME = 40  # characters, as the set-up page takes them
SHORTEST_SECRET = 16  # bytes: 128 bits, which nobody can guess


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
        on_palette=lambda palette: journal.facts.try_to_keep(PALETTE, json.dumps(palette.to_json())),
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


def new_pin() -> str:
    """Six unpredictable digits; see `web_ui.access` for how long guessing takes."""
    return f"{secrets.randbelow(1_000_000):06d}"


def kept_pin(text: str) -> str:
    """A PIN: at least four digits; older tables have four."""
    if not re.fullmatch(r"[0-9]{4,12}", text):
        raise ValueError("a PIN has 4 to 12 digits")
    return text


def kept_secret(text: str) -> bytes:
    """The secret, from hexadecimal digits."""
    secret = bytes.fromhex(text)
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(f"a secret has at least {SHORTEST_SECRET} bytes")
    return secret


def kept_name(text: str) -> str:
    """A name, with any characters that a page takes: a space of another width or a joined emoji is not printable."""
    if not 0 < len(text) <= LONGEST_NAME or any(unicodedata.category(c) == "Cc" for c in text):
        raise ValueError(f"a name has 1 to {LONGEST_NAME} characters that can be shown")
    return text
