"""A simulated match as a recording, so that a round that went wrong can be replayed."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from controller import events as ev
from controller.match import MatchState
from controller.simulation.comparison import RoundVerdict
from controller.simulation.plan import MatchPlan
from controller.vision.watcher import BoardRead, GateChanged, Observation
from hardware.devices import Frame, Image
from hardware.pictures import decode, encode
from hardware.recording import LINES, RecordingWriter

REPORT = "wrong.json"


class Keeper:
    """Writes everything that a replay of the match needs; `keep` cuts out what went wrong."""

    def __init__(self, folder: Path, plan: MatchPlan) -> None:
        self._folder = folder
        self._plan = plan
        self._writer = RecordingWriter(folder)
        self._data = b""
        self._lines = 0
        self._ends: dict[int, int] = {}  # by round, how many lines there were when the table went on to the next

    def stored(self, picture: Image) -> Image:
        """The picture as the recording will have it."""
        self._data = encode(picture)
        return decode(self._data, "")

    def saw(self, frame: Frame, observations: Sequence[Observation], *, followed: bool) -> None:
        """What the lookout made of a frame. `followed`: it found a moved board again in it."""
        for observation in observations:
            if isinstance(observation, GateChanged):
                self._writer.remark(observation.t, gate=observation.word)
                self._lines += 1
        if followed or any(isinstance(observation, BoardRead) for observation in observations):
            self._writer.encoded(frame.t, self._data)
            self._lines += 1

    def command(self, t: float, document: dict[str, object]) -> None:
        """People sent a command."""
        self._writer.command(t, document)
        self._lines += 1

    def events(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """What the engine put into its journal."""
        for event in events:
            if isinstance(event, ev.HoleChanged):
                self._writer.hole(event.t, event.occupied)
                self._lines += 1
        for number in range(1, state.confirmed + 1):
            self._ends.setdefault(number, self._lines)

    def keep(self, folder: Path, wrong: Sequence[RoundVerdict]) -> None:
        """Leave a recording in `folder` for each of these rounds: the match from its beginning to that round's end."""
        self._writer.close()
        for verdict in wrong:
            kept = folder / f"{self._plan.title}-round-{verdict.number}"
            kept.mkdir(parents=True)
            lines = (self._folder / LINES).read_text("utf-8").splitlines()[: self._ends.get(verdict.number)]
            (kept / LINES).write_text("\n".join(lines) + "\n", "utf-8")
            for line in lines:
                if name := json.loads(line).get("frame"):
                    shutil.copyfile(self._folder / name, kept / name)
            report = {**asdict(self._plan), **asdict(verdict)}
            (kept / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
