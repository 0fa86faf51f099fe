"""Records the engine's input in order, so that a replay gives the same events. It only listens, so that a table decides
the same with a recording as without. The first line contains the journal so far; each picture follows its film and is
followed by its reading."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import cv2
import numpy as np
from pydantic import TypeAdapter

from controller.journal import Journal
from controller.vision.calibration.calibration import Calibration
from controller.vision.film.film import Film
from controller.vision.readings import BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.observations import BoardRead, GateChanged, Observation
from hardware.devices import HoleEvent, Image
from hardware.pictures import encode
from hardware.recording import RecordingWriter

log = logging.getLogger(__name__)
T = TypeVar("T")
READING = TypeAdapter(BoardReading)
FILM = TypeAdapter(Film)  # serialize readings and films at full precision
BEYOND = 5.0  # mm beyond the rail that stay visible
NAMED = ("name", "to", "seats")  # members that contain people's names
UNNAMED = ("rules", "board")  # these have names too, but not people's


class Pseudonyms:
    """Renames people to `Player 1`, `Player 2`, ... in order of appearance."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document without names, and without `who`, the name of a scorer's phone. Only members that hold names
        change: a player called `A` must not rename side A."""
        return {member: self._replaced(value, member) for member, value in document.items() if member != "who"}

    def _replaced(self, value: Any, member: str, *, names: bool = False) -> Any:
        names = names or member in NAMED
        match value:
            case str() if names:
                return self._known.setdefault(value, f"Player {len(self._known) + 1}")
            case dict() if member not in UNNAMED:
                return {name: self._replaced(one, name, names=names) for name, one in value.items() if name != "who"}
            case list() | tuple():
                return [self._replaced(one, member, names=names) for one in value]
        return value


def cut_to_board(picture: Image, calibration: Calibration | None) -> Image:
    """The picture (H, W, 3), black beyond the rail; all black while nobody knows where the board is."""
    if calibration is None:
        return np.zeros_like(picture)
    board = calibration.board
    out = board.rail_radius + board.rail_width + BEYOND
    heights = (-board.surface_height, board.rail_height - board.surface_height)
    mask = np.maximum(*(calibration.within(out, height) for height in heights))
    return np.asarray(cv2.bitwise_and(picture, picture, mask=mask), np.uint8)


class Recorder:
    """Writes a recording, on the engine's thread."""

    def __init__(self, model: BackgroundModel, now: Callable[[], float]) -> None:
        """Writes nothing before `renew`. `model`: has the board's present calibration; `now`: the clock of the frames
        (s)."""
        self._model = model
        self._now = now
        self._pseudonyms: Pseudonyms | None = None
        self._palette: Palette | None = None
        self._calibration: Calibration | None = None
        self._writer: RecordingWriter | None = None

    def leaves_the_table(self) -> None:
        """Recordings may be sent away, so from now on they contain no names and show only the board. If writing fails,
        such a recording ends and the table goes on."""
        self._pseudonyms = Pseudonyms()

    def renew(self, folder: Path, journal: Journal) -> None:
        """End the present recording, if any, and begin another. Raises `BadFile` for a bad folder."""
        self.close()
        self._writer = RecordingWriter(folder)
        self._calibration = None
        self._remark(self._now(), journal=journal_so_far(journal))
        if self._palette is not None:
            self.palette(self._palette)

    def _remark(self, t: float, **values: Any) -> None:
        public = self._pseudonyms.of(values) if self._pseudonyms else values
        self._write(lambda writer: writer.write(t, **public))

    def _write(self, write: Callable[[RecordingWriter], T]) -> T | None:
        if self._writer is None:
            return None
        try:
            return write(self._writer)
        except OSError as error:
            if self._pseudonyms is None:
                raise
            log.warning("The recording of this round ends: %s", error)
            writer, self._writer = self._writer, None
            with suppress(OSError):
                writer.close()
            return None

    def observed(self, observation: Observation) -> Observation:
        """Record an observation, and return it; a reading then names its recorded picture."""
        match observation:
            case GateChanged(t, word):
                self._remark(t, gate=word)
            case BoardRead(t, reading, picture) if self._writer is not None:
                self._calibrated(t)
                if observation.film is not None:
                    self._remark(t, film=FILM.dump_python(observation.film, mode="json"))
                jpeg = encode(cut_to_board(picture, self._model.calibration) if self._pseudonyms else picture)
                name = self._write(lambda writer: writer.encoded(t, jpeg))
                reading = replace(reading, frame=name or reading.frame)
                self._remark(t, reading=READING.dump_python(reading, mode="json"))
                return observation if self._pseudonyms else replace(observation, reading=reading)
        return observation

    def _calibrated(self, t: float) -> None:
        """Write the calibration, if it is new, so that a replay can read the next picture again."""
        calibration = self._model.calibration
        if calibration is not None and calibration is not self._calibration:
            self._calibration = calibration
            self._remark(t, calibration=calibration.to_json())

    def hole_changed(self, event: HoleEvent, side: str | None) -> None:
        """The hole's sensor changed, identified its disc's side, or can't tell what happened."""
        if event.tint is not None:
            self._remark(event.t, hole_side=side)
        elif event.occupied is None:
            self._remark(event.t, unseen=event.missed)
        else:
            self.level(event.t, event.occupied)

    def level(self, t: float, occupied: bool) -> None:
        """The hole's sensor has this level."""
        self._remark(t, hole="occupied" if occupied else "cleared")

    def camera_changed(self, lost: bool) -> None:
        self._remark(self._now(), camera="lost" if lost else "back")

    def palette(self, palette: Palette) -> None:
        """Set-up learnt the discs' colours, which the next readings depend on."""
        self._palette = palette
        self._remark(self._now(), palette=palette.to_json())

    def command(self, document: Mapping[str, Any], t: float | None = None) -> None:
        """A command was carried out, given at `t` (s), by default now."""
        self._remark(self._now() if t is None else t, command=dict(document))

    def close(self) -> None:
        """Stop writing until `renew`."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def journal_so_far(journal: Journal) -> dict[str, Any]:
    """The journal's part that a replay needs: the newest match, and the last event's number."""
    newest = journal.newest()
    entries = journal.events(newest) if newest else ()
    events = [{"id": one.id, "match": one.match, "kind": one.kind, "body": one.body} for one in entries]
    return {"last": journal.last(), "events": events}
