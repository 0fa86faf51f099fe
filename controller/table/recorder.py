"""A recording of what reached the engine, in the order in which it did, so that a replay gives the same events.

Everything passes through here on its way to the engine, and gets the time under which it is written: the engine uses
that one. The first line holds the match as it stood; before each picture comes the film up to it, and after it
what was read in it.
"""

import json
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from controller.journal import Journal
from controller.vision.calibration.calibration import Calibration
from controller.vision.film.film import Film
from controller.vision.readings import BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.lookout import Lookout
from controller.vision.watching.observations import BoardRead, DiscRolled, GateChanged, Observation
from firmware_bridge.delivery import Gap
from hardware.devices import Frame, HoleEvent
from hardware.pictures import decode, encode
from hardware.recording import RecordingWriter

READING = TypeAdapter(BoardReading)
FILM = TypeAdapter(Film)
"""They write and read a reading and a film in a recording, with every digit of their figures."""


class Recorder:
    """Writes one recording. `look` belongs to the camera's thread, all else to the engine's."""

    def __init__(self, folder: Path, t: float, journal: Journal, lookout: Lookout) -> None:
        """Raises `BadRecording` where the folder can't be used."""
        self._writer = RecordingWriter(folder)
        self._lookout = lookout
        self._pictures: deque[bytes] = deque()
        self._calibration: Calibration | None = None
        self._writer.remark(t, journal=journal_so_far(journal))

    def look(self, frame: Frame) -> list[Observation]:
        """Show a frame to the lookout as a replay will have it: encoded, and decoded again."""
        seen = _Encoded(frame)
        observations = self._lookout.see(seen.frame)
        self._pictures.extend(seen.data for observation in observations if isinstance(observation, BoardRead))
        return observations

    def observed(self, observation: Observation) -> Observation:
        """The gate has a new word, something rolled, or the board was read."""
        match observation:
            case GateChanged():
                return replace(observation, t=self._writer.remark(observation.t, gate=observation.word))
            case DiscRolled():
                return replace(observation, t=self._writer.remark(observation.t, rolled=True, arms=observation.arms))
            case BoardRead():
                self._calibrated(observation.t)
                if observation.film is not None:
                    self._writer.remark(observation.t, film=FILM.dump_python(observation.film, mode="json"))
                t, name = self._writer.store(observation.t, self._pictures.popleft())
                reading = replace(observation.reading, t=t, frame=name)
                self._writer.remark(t, reading=READING.dump_python(reading, mode="json"))
                return replace(observation, t=t, reading=reading)
        return observation

    def _calibrated(self, t: float) -> None:
        """Write the calibration, if it is a new one, for whoever reads the next picture again."""
        calibration = self._lookout.calibration
        if calibration is not None and calibration is not self._calibration:
            self._calibration = calibration
            self._writer.remark(t, calibration=calibration.to_json())

    def hole(self, event: HoleEvent, side: str | None) -> HoleEvent:
        """The hole's sensor changed; or it told whose disc lies there, which is no change."""
        if event.tint is None:
            return replace(event, t=self._writer.hole(event.t, event.occupied))
        return replace(event, t=self._writer.remark(event.t, hole_side=side))

    def level(self, event: HoleEvent) -> None:
        """The hole's sensor was found changed when the board was read."""
        self._writer.hole(event.t, event.occupied)

    def gap(self, t: float, gap: Gap) -> None:
        """The hole's unit lost events."""
        self._writer.remark(t, gap=[gap.stream, gap.sequence])

    def camera(self, t: float, lost: bool) -> None:
        """The camera was lost, or is back."""
        self._writer.remark(t, camera="lost" if lost else "back")

    def palette(self, t: float, palette: Palette) -> None:
        """Set-up's colours of the discs: what is read in the next pictures depends on them."""
        self._writer.remark(t, palette=palette.to_json())

    def command(self, t: float, document: dict[str, Any]) -> None:
        """Somebody's command was carried out."""
        self._writer.command(t, document)

    def close(self) -> None:
        """Nothing more is written."""
        self._writer.close()


class _Encoded:
    """A frame whose full picture is read as a recording will have it."""

    def __init__(self, frame: Frame) -> None:
        self._full = frame.full
        self.frame = replace(frame, full=lambda: decode(self.data, frame.name))

    @cached_property
    def data(self) -> bytes:
        """The picture as JPEG."""
        return encode(self._full())


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
