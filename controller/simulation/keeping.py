"""A simulated match as a recording, so that a round that went wrong can be replayed."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from controller.simulation.comparison import RoundVerdict
from controller.simulation.plan import MatchPlan
from hardware.recording import LINES

REPORT = "wrong.json"


class Keeper:
    """Cuts rounds out of the recording of a whole match that is written into `folder`."""

    def __init__(self, folder: Path, plan: MatchPlan) -> None:
        self.folder = folder
        self._plan = plan
        self._ends: dict[int, int] = {}  # by round: the recording's size when the table went on to the next

    def confirmed(self, rounds: int) -> None:
        """For the table, this number of rounds has ended."""
        for number in range(len(self._ends) + 1, rounds + 1):
            self._ends[number] = (self.folder / LINES).stat().st_size

    def keep(self, folder: Path, wrong: Sequence[RoundVerdict]) -> None:
        """Leave a recording in `folder` for each of these rounds: the match from its beginning to that round's end.

        Beside it, `REPORT` says what was wrong, and as `truth` how the table was arranged.
        """
        written = (self.folder / LINES).read_bytes()
        for verdict in wrong:
            kept = folder / f"{self._plan.title}-round-{verdict.number}"
            kept.mkdir(parents=True)
            lines = written[: self._ends.get(verdict.number)]
            (kept / LINES).write_bytes(lines)
            for line in lines.splitlines():
                if name := json.loads(line).get("frame"):
                    shutil.copyfile(self.folder / name, kept / name)
            report = {**asdict(self._plan), **asdict(verdict), "truth": self._plan.truth}
            (kept / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
