"""A table in a club without devices: a real journal, engine and engine's thread, shown boards by a test."""

import json
import threading

from controller.config import Config
from controller.journal import Journal
from controller.messages import encoded
from controller.table.club.membership import Membership
from controller.table.engine import Engine
from controller.table.engine_thread import EngineThread
from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead, GateChanged
from tests.waiting import eventually

NOTHING = None


class ClubTable:
    """As the service joins it."""

    def __init__(self, folder, **croki):
        """`croki`: the members of the configuration's section, which is left out without any."""
        self.t = 0.0
        config = Config.model_validate({"table": {"data": folder}, **({"croki": croki} if croki else {})})
        self.journal = Journal(folder / "journal.sqlite")
        self.engine = Engine(self.journal, wall=lambda: 1e9 + self.t)
        self._thread = EngineThread(lambda why: self.engine.set_notice("engine", why))
        self.member = Membership(config, self.journal, self.engine, self._thread.post)
        self._running = threading.Thread(target=self._thread.run, daemon=True)
        self._running.start()
        self.member.start()

    def done(self, work):
        """On the engine's thread."""
        return self._thread.call(work)

    def see(self, *discs):
        """This is the board now."""
        self.t += 8.0
        reading = BoardReading(tuple(discs), False, 0.0, self.t)
        seen = (GateChanged(self.t - 1, "moving"), GateChanged(self.t, "still"), BoardRead(self.t, reading, NOTHING))
        for observation in seen:
            self.done(lambda observation=observation: self.engine.observe(observation))

    def do(self, do, **command):
        """As the service carries out a page's command."""
        command["do"] = do

        def carry_out():
            self.member.check(command)
            self.engine.command(command)

        self.done(carry_out)

    @property
    def club(self):
        """What people are shown of the club."""
        return json.loads(encoded(self.done(lambda: self.engine.snapshot.club)))

    @property
    def assignment(self):
        """Of the match that is played."""
        return self.done(lambda: self.engine.state.started.assignment if self.engine.state else None)

    def tells(self, words=None):
        """Wait until people are told this of the club, or nothing."""
        eventually(lambda: words in (self.notice("club") or "") if words else self.notice("club") is None)

    def notice(self, kind):
        """What the page says besides the score."""
        notices = self.done(lambda: self.engine.snapshot.notices)
        return next((str(one.text) for one in notices if one.kind == kind), None)

    def close(self):
        self.member.stop()
        self._thread.stop()
        self._running.join()
        self.journal.close()
