"""A table in a club without devices: a real journal, pipeline and engine's thread, shown boards by a test."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from controller.config import Config
from controller.journal import Journal
from controller.table.club.membership import Membership
from controller.table.engine_thread import EngineThread
from controller.table.pipeline import Pipeline
from controller.vision.readings import BoardReading, SeenDisc
from controller.vision.watching.eye import Eye
from controller.vision.watching.observations import BoardRead, GateChanged

T = TypeVar("T")
NOTHING: Any = None


class ClubTable:
    """As the service joins it."""

    def __init__(self, folder: Path, **croki: Any) -> None:
        """`croki`: the members of the configuration's section, which is left out without any."""
        self.t = 0.0
        config = Config.model_validate({"table": {"data": folder}, **({"croki": croki} if croki else {})})
        self.journal = Journal(folder / "journal.sqlite")
        self.pipeline = Pipeline(self.journal, Eye(), now=lambda: self.t, wall=lambda: 1e9 + self.t, pictures=False)
        self.engine = self.pipeline.engine
        self._thread = EngineThread(lambda why: self.engine.set_notice("engine", why))
        self.member = Membership(config, self.journal, self.pipeline, self._thread.post)
        self._running = threading.Thread(target=self._thread.run, daemon=True)
        self._running.start()
        self.member.start()

    def done(self, work: Callable[[], T]) -> T:
        """On the engine's thread."""
        return self._thread.call(work)

    def see(self, *discs: SeenDisc) -> None:
        """This is the board now."""
        self.t += 8.0
        reading = BoardReading(tuple(discs), False, 0.0, self.t)
        seen = (GateChanged(self.t - 1, "moving"), GateChanged(self.t, "still"), BoardRead(self.t, reading, NOTHING))
        for observation in seen:
            self.done(lambda observation=observation: self.pipeline.observed(observation))  # type: ignore[misc]

    def do(self, **command: Any) -> None:
        """As the service carries out a page's command."""

        def carry_out() -> None:
            self.member.check(command)
            self.pipeline.command(command)

        self.done(carry_out)

    @property
    def club(self) -> Any:
        """What people are shown of the club."""
        return self.done(lambda: self.engine.snapshot.document["club"])

    @property
    def assignment(self) -> str | None:
        """Of the match that is played."""
        return self.done(lambda: self.engine.state.started.assignment if self.engine.state else None)

    def notice(self, kind: str) -> str | None:
        """What the page says besides the score."""
        notices = self.done(lambda: self.engine.snapshot.document["notices"])
        return next((str(one["text"]) for one in notices if one["kind"] == kind), None)

    def close(self) -> None:
        self.member.stop()
        self._thread.stop()
        self._running.join()
        self.pipeline.close()
        self.journal.close()
