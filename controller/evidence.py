"""The picture that goes with a question: cut from the frame in which its disc was measured."""

import math
from collections.abc import Callable, Sequence

from controller import events as ev
from controller.match import MatchState
from controller.vision.annotate import crop
from controller.vision.eye import Eye
from controller.vision.readings import BoardReading, SeenDisc
from hardware.devices import Image
from hardware.pictures import encode

SAME_DISC = 8.0  # mm: a disc of the newest reading this near to a measured one is the same

Cropper = Callable[[Image, SeenDisc], bytes]
"""The picture for a close call: cut from the full frame, lines and outline drawn in; JPEG."""


def cropper(eye: Eye) -> Cropper:
    """Cuts with the eye's calibration as it is when the question is asked."""

    def cut(picture: Image, disc: SeenDisc) -> bytes:
        assert eye.calibration is not None
        return encode(crop(picture, eye.calibration, disc))

    return cut


def illustrated(
    events: Sequence[ev.Event],
    state: MatchState,
    reading: BoardReading | None,
    picture: Image | None,
    cut: Cropper | None,
) -> tuple[list[ev.Event], dict[str, bytes]]:
    """The events, each question with its picture if the newest reading shows its disc, else with none."""
    told: list[ev.Event] = []
    pictures: dict[str, bytes] = {}
    for event in events:
        if isinstance(event, ev.QuestionAsked) and event.picture:
            seen = _seen(state.measured.get(event.disc or ""), reading)
            if seen is not None and picture is not None and cut is not None:
                pictures[event.picture] = cut(picture, seen)
            else:
                event = event.model_copy(update={"picture": None})
        told.append(event)
    return told, pictures


def _seen(disc: ev.Measured | None, reading: BoardReading | None) -> SeenDisc | None:
    """The disc of the reading that lies where this one was measured."""
    if disc is None or reading is None:
        return None
    away = [(math.hypot(d.x - disc.x, d.y - disc.y), k) for k, d in enumerate(reading.discs)]
    nearest, k = min(away, default=(math.inf, -1))
    return reading.discs[k] if nearest < SAME_DISC else None
