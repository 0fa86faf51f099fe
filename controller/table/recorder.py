"""A recording of what reached the engine, in the order in which it did, so that a replay gives the same events.

It only listens: a table sees and decides the same with a recording as without. The first line holds the match as it
stood; before each picture comes the film up to it, and after it what was read in it.
"""

import json
import logging
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from controller.journal import Journal
from controller.table.privacy import Pseudonyms, cut_to_board
from controller.vision.calibration.calibration import Calibration
from controller.vision.film.film import Film
from controller.vision.readings import BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.lookout import Lookout
from controller.vision.watching.observations import BoardRead, DiscRolled, GateChanged, Observation
from firmware_bridge.delivery import Gap
from hardware.devices import HoleEvent, Image
from hardware.pictures import encode
from hardware.recording import RecordingWriter

log = logging.getLogger(__name__)

T = TypeVar("T")

READING = TypeAdapter(BoardReading)
FILM = TypeAdapter(Film)
"""They write and read a reading and a film in a recording, with every digit of their figures."""


class Recorder:
    """Writes a recording. `look` belongs to the camera's thread, all else to the engine's."""

    def __init__(self, lookout: Lookout, *, leaves_the_table: bool = False) -> None:
        """Nothing is written before `renew`.

        `leaves_the_table`: somebody may send it away, so it has no names and shows the board alone. Such a recording
        ends where the disk does not take it; the table goes on.
        """
        self._lookout = lookout
        self._pseudonyms = Pseudonyms() if leaves_the_table else None
        self._pictures: deque[bytes] = deque()
        self._palette: Palette | None = None
        self._calibration: Calibration | None = None
        self._writer: RecordingWriter | None = None

    def renew(self, folder: Path, t: float, journal: Journal) -> None:
        """End the recording that is written, if any, and begin one. Raises `BadRecording` for a bad folder."""
        self.close()
        self._writer = RecordingWriter(folder)
        self._calibration = None
        self._remark(t, journal=journal_so_far(journal))
        if self._palette is not None:
            self.palette(t, self._palette)

    def _remark(self, t: float, **values: Any) -> None:
        public = self._pseudonyms.of(values) if self._pseudonyms else values
        self._write(lambda writer: writer.remark(t, **public))

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

    def look(self, seen: Iterable[Observation]) -> None:
        """These observations will be `observed`."""
        self._pictures.extend(encode(self._shown(one.picture)) for one in seen if isinstance(one, BoardRead))

    def _shown(self, picture: Image) -> Image:
        return cut_to_board(picture, self._lookout.calibration) if self._pseudonyms else picture

    def observed(self, observation: Observation) -> Observation:
        """The gate has a new word, something rolled, or the board was read: then the reading names its picture."""
        match observation:
            case GateChanged(t, word):
                self._remark(t, gate=word)
            case DiscRolled(t, arms):
                self._remark(t, rolled=True, arms=arms)
            case BoardRead(t, reading):
                self._calibrated(t)
                if observation.film is not None:
                    self._remark(t, film=FILM.dump_python(observation.film, mode="json"))
                picture = self._pictures.popleft()
                name = self._write(lambda writer: writer.encoded(t, picture))
                reading = replace(reading, frame=name or reading.frame)
                self._remark(t, reading=READING.dump_python(reading, mode="json"))
                return observation if self._pseudonyms else replace(observation, reading=reading)
        return observation

    def _calibrated(self, t: float) -> None:
        """Write the calibration, if it is a new one, for whoever reads the next picture again."""
        calibration = self._lookout.calibration
        if calibration is not None and calibration is not self._calibration:
            self._calibration = calibration
            self._remark(t, calibration=calibration.to_json())

    def hole(self, event: HoleEvent, side: str | None) -> None:
        """The hole's sensor changed; or it told whose disc lies there, which is no change."""
        if event.tint is None:
            self.level(event)
        else:
            self._remark(event.t, hole_side=side)

    def level(self, event: HoleEvent) -> None:
        """The hole's sensor was found changed when the board was read."""
        self._write(lambda writer: writer.hole(event.t, event.occupied))

    def gap(self, t: float, gap: Gap) -> None:
        """The hole's unit lost events."""
        self._remark(t, gap=[gap.stream, gap.sequence])

    def camera(self, t: float, lost: bool) -> None:
        """The camera was lost, or is back."""
        self._remark(t, camera="lost" if lost else "back")

    def palette(self, t: float, palette: Palette) -> None:
        """Set-up's colours of the discs: what is read in the next pictures depends on them."""
        self._palette = palette
        self._remark(t, palette=palette.to_json())

    def command(self, t: float, document: dict[str, Any]) -> None:
        """Somebody's command was carried out."""
        public = self._pseudonyms.of(document) if self._pseudonyms else document
        self._write(lambda writer: writer.command(t, public))

    def close(self) -> None:
        """Nothing more is written, until `renew`."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def journal_so_far(journal: Journal) -> dict[str, Any]:
    """What a replay has to know of the journal: the newest match, and the number that the next event will follow."""
    numbers = journal.matches()
    events: Iterable[dict[str, Any]] = ()
    if numbers:
        events = (
            {"id": entry.id, "match": entry.match, "kind": entry.kind, "body": entry.body}
            for entry in journal.events(numbers[-1])
        )
    return {"last": journal.last(), "events": json.loads(json.dumps(list(events)))}
