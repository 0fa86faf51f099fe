"""*Keep this round*: one ZIP with the recording of a round and the truth according to people, which `replay` reads.

The newest two rounds are recorded, without names and cut to the board, each into a folder that goes when its round is
no longer one of them."""

import io
import json
import logging
import re
import shutil
import zipfile
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from controller.config import Config
from controller.errors import Refused
from controller.journal import Journal
from controller.match.state import MatchState
from controller.messages import say
from controller.rules.record import judged_shot
from controller.rules.rounds import Round
from controller.table.engine import Engine
from controller.table.engine_thread import EngineThread
from hardware.errors import BadFile
from hardware.recording import LINES

log = logging.getLogger(__name__)
TRUTH = "truth.json"
SCHEMA = "kept-round/1"
NAME = re.compile(r"\d{1,9}-\d{1,4}")  # match and round
RECORDED = 2  # rounds: the running one, and the one before it, which people may dispute
ROOM = 500_000_000  # bytes that must stay free on the disk


class Rounds:
    """The newest rounds, recorded to be kept. Thread-safe."""

    def __init__(self, config: Config, journal: Journal, engine: Engine, thread: EngineThread, *, record: bool) -> None:
        """`record`: unless the configuration says not to."""
        self.folder = config.table.data / "rounds"
        self._journal = journal
        self._engine = engine
        self._thread = thread
        self._now: tuple[int, int] | None = None  # match and round
        if not config.rounds.keep:
            shutil.rmtree(self.folder, ignore_errors=True)
        elif record:
            engine.recorder.leaves_the_table()
            engine.on_happened.append(lambda *_: thread.post(self._catch_up))
            thread.post(self._catch_up)

    def packed(self, number: int) -> bytes:
        """A round of the running match as a ZIP. Raises `Refused` if it was not recorded."""
        folder, truth = self._thread.call(lambda: self._asked(number))
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(TRUTH, json.dumps(truth, indent=1) + "\n")
            try:
                archive.write(folder / LINES, LINES)  # first: each picture that it names is whole
                for path in sorted(folder.glob("*.jpg")):
                    archive.write(path, path.name, zipfile.ZIP_STORED)
            except FileNotFoundError:
                raise _not_recorded(truth["round"]) from None
        return packed.getvalue()

    def _asked(self, number: int) -> tuple[Path, dict[str, Any]]:
        """The folder of a round and its document `kept-round/1`."""
        state = self._engine.state
        if state is None:
            raise Refused(say("There is no match to keep a round of."))
        folder = self.folder / f"{state.number}-{number}"
        if not (folder / LINES).exists():
            raise _not_recorded(number)
        return folder, {
            "schema": SCHEMA,
            "program": version("crokinole-table"),
            "rules": state.game.terms.rules.id,
            "round": number,
            "truth": round_document(state, number),
        }

    def _catch_up(self) -> None:
        """Record a new round."""
        state = self._engine.state
        if state is None:
            return
        now = state.number, state.game.round.number
        if now == self._now:
            return
        self._now = now
        self._engine.recorder.close()
        folder = self.folder / f"{now[0]}-{now[1]}"
        others = [one for one in self._recorded() if one != folder]
        for old in others[: 1 - RECORDED]:
            shutil.rmtree(old, ignore_errors=True)
        if (folder / LINES).exists() or shutil.disk_usage(self.folder.parent).free < ROOM:
            return  # the table was restarted in this round: its first part stays
        try:
            self._engine.recorder.renew(folder, self._journal)
        except BadFile as error:
            log.warning("This round is not recorded: %s", error)

    def _recorded(self) -> list[Path]:
        with suppress(OSError):
            found = [one for one in self.folder.iterdir() if NAME.fullmatch(one.name)]
            return sorted(found, key=lambda one: tuple(map(int, one.name.split("-"))))
        return []


def _not_recorded(number: int) -> Refused:
    return Refused(say("Round {number} was not recorded: only this round and the one before it are.", number=number))


def round_document(state: MatchState, number: int) -> dict[str, Any]:
    """A round's shots with their verdicts, its totals and its twenties."""
    found: Round | None = next((one for one in state.game.all_rounds if one.number == number), None)
    if found is None:
        return {"shots": [], "totals": {}, "twenties": {}}
    shots = [{"disc": one.shot.disc, "side": one.shot.side, **judged_shot(one)} for one in found.shots]
    return {"shots": shots, "totals": dict(found.totals), "twenties": dict(found.twenty_counts)}
