"""The pictures of questions and shots: cropped and annotated for people, and whole for reading them again."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import cv2
import numpy as np

from controller.errors import BadInput
from controller.journal import Journal, Picture
from controller.match import events as ev
from controller.match.discs import SAME_PLACE
from controller.match.state import MatchState
from controller.messages import say
from controller.referee.read_board import distance
from controller.views.questions import discs_asked
from controller.views.schema import AsAsked, Review
from controller.vision.calibration.calibration import Calibration
from controller.vision.reading.annotate import OVERVIEW_QUALITY, crop, overview
from controller.vision.reading.reader import read_board
from controller.vision.readings import BoardReading, SeenDisc
from controller.vision.watching.background_model import BackgroundModel
from hardware.devices import Image
from hardware.pictures import decode, encode

NO_BOARD = ("gap",)  # kinds of questions that are not about the board
AGAIN = "again-"  # before a picture's name: read again by today's program
SMALL = "small-"  # before a picture's name: as a phone's page shows it
SHOWN = 240  # pixels, the small picture's longer side: 8 rem at twice the density
NO_PICTURES = say("The disk is nearly full: no pictures are kept. Make room.")
SHOWN_QUALITY = 70  # JPEG: 6 kB on a painted board, where the stored one has 47


def with_pictures(
    events: Sequence[ev.Event],
    state: MatchState,
    reading: BoardReading | None,
    picture: Image | None,
    calibration: Calibration | None,
    at: float,
) -> tuple[list[ev.Event], dict[str, Picture]]:
    """The events with their pictures: a shot's shows the board after it, small, a question's the marked discs. Without
    a `picture` or its `calibration`, there are none. `at`: seconds since 1970."""
    if reading is None or picture is None or calibration is None:
        return list(events), {}
    illustrated: list[ev.Event] = []
    pictures: dict[str, Picture] = {}
    measured = state.measured
    after, ms = f"{state.number}-{state.last_id}", math.floor(at * 1000)
    for number, event in enumerate(events):
        name, kept = "", None
        if isinstance(event, ev.ShotSeen | ev.BoardSeen):
            measured = event.measured
        if isinstance(event, ev.ShotSeen):
            name = f"{after}-shot-{number}-{ms}.jpg"
            kept = Picture(encode(overview(picture, calibration, reading.discs), OVERVIEW_QUALITY))
        elif isinstance(event, ev.QuestionAsked):
            name = f"{after}-{event.round}-{event.what}-{number}-{ms}.jpg"
            kept = _evidence(event, list(_seen(measured, event, reading)), picture, calibration)
        if kept is not None:
            pictures[name] = kept
            event = event.model_copy(update={"picture": name})
        illustrated.append(event)
    return illustrated, pictures


def _evidence(
    asked: ev.QuestionAsked, seen: Sequence[SeenDisc], picture: Image, calibration: Calibration
) -> Picture | None:
    """The picture for a question about the discs `seen`, with what is needed to read it again. None if it would not
    help: for a question that is not about the board, or whose discs were not found in the reading."""
    if asked.what in NO_BOARD or (discs_asked(asked) and not seen):
        return None
    return Picture(encode(crop(picture, calibration, seen, asked.toward)), encode(picture), calibration.to_json())


def _seen(measured: Mapping[str, ev.Measured], asked: ev.QuestionAsked, reading: BoardReading) -> Iterator[SeenDisc]:
    """The reading's discs at the measured places of the question's discs."""
    for name in dict.fromkeys((asked.disc, *asked.discs)):
        disc = measured.get(name or "")
        if disc is not None and reading.discs:
            nearest = min(reading.discs, key=partial(distance, disc))
            if distance(disc, nearest) < SAME_PLACE:
                yield nearest


class _ReadAgain(NamedTuple):
    """A stored picture and its new reading; `near`: the reading's discs at the place of the question's disc `then`."""

    image: Image
    calibration: Calibration
    reading: BoardReading
    then: AsAsked
    near: list[SeenDisc]


def review(journal: Journal, model: BackgroundModel, name: str) -> Review:
    """A question's stored picture read by today's program. Raises `BadInput` if there is no such picture."""
    again = _read_again(journal, model, name)
    now = again.near[0].to_json() if again.near else None
    return {"schema": "review/1", "picture": name, "then": again.then, "now": now, "reading": again.reading.to_json()}


def shown_picture(journal: Journal, model: BackgroundModel, name: str) -> bytes | None:
    """A stored picture, reread or shrunk according to its name's prefix; None if there is none. Raises as `review`."""
    if name.startswith(AGAIN):
        return reviewed_picture(journal, model, name.removeprefix(AGAIN))
    jpeg = journal.pictures.cut(name.removeprefix(SMALL))
    return _small(decode(jpeg, name)) if jpeg is not None and name.startswith(SMALL) else jpeg


def _small(picture: Image) -> bytes:
    scale = SHOWN / max(picture.shape[:2])
    if scale >= 1:
        return encode(picture, SHOWN_QUALITY)
    return encode(
        np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)), SHOWN_QUALITY
    )


def reviewed_picture(journal: Journal, model: BackgroundModel, name: str) -> bytes:
    """The picture as JPEG, annotated with today's reading of it. Raises as `review` does."""
    again = _read_again(journal, model, name)
    return encode(crop(again.image, again.calibration, again.near))


def _read_again(journal: Journal, model: BackgroundModel, name: str) -> _ReadAgain:
    kept = journal.pictures.evidence(name)
    if kept is None or kept.frame is None:
        raise BadInput(say("There is no picture {name} that could be read again.", name=name))
    calibration = Calibration.from_json(kept.calibration)
    image = decode(kept.frame, name)
    reading = read_board(image, calibration, empty=model.background, palette=model.palette, frame=name)
    then = _asked(journal, name)
    at = then.get("at")
    near = [d for d in reading.discs if at and math.dist((d.x, d.y), at) < SAME_PLACE]
    return _ReadAgain(image, calibration, reading, then, near)


def _asked(journal: Journal, name: str) -> AsAsked:
    """The figures of this picture's question, and its disc's place."""
    number = int(name.partition("-")[0]) if name.partition("-")[0].isdecimal() else 0
    measured: dict[str, Any] = {}
    for entry in journal.events(number):
        asked = entry.body
        measured |= asked.get("measured") or {}
        if entry.kind == "question_asked" and asked.get("picture") == name:
            disc = measured.get(asked.get("disc") or "")
            return {
                "what": asked["what"],
                "disc": asked.get("disc"),
                "clearance": asked.get("clearance"),
                "sigma": asked.get("sigma"),
                "at": disc and [disc["x"], disc["y"]],
            }
    return {}
