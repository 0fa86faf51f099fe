"""The service as it runs: its own process, killed at any moment, with a browser looking on."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from controller.config import Config
from controller.service import Service
from hardware.devices import HoleEvent
from tests.controller.fed_table import ReadTable
from tests.served import faults
from tests.slow import slow

PATIENCE = 90.0
SHOWS_WHAT_IS_SERVED = """async () => {
  const { match } = await (await fetch('/api/v1/state')).json();
  return match.sides.some(({ id, total }) => total
    && document.querySelector(`#side-${id} .total`).textContent === String(total));
}"""


class Running:
    """`crokinole-table run` in a process of its own."""

    def __init__(self, folder: Path, *options: str, config: str = "") -> None:
        file = folder / "table.toml"
        file.write_text(f'[table]\ndata = "{folder / "data"}"\n[web]\nhost = "127.0.0.1"\nport = 0\n{config}')
        self.process = subprocess.Popen(
            [sys.executable, "-m", "controller.cli", "run", "--config", str(file), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "LOG_LEVEL": "ERROR"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"(http://\S+/)\s+PIN for the scorer: (\d+)", line)
        assert found, line + (self.process.stderr.read() if self.process.stderr else "")
        self.url, self.pin = found.groups()

    def states(self) -> Iterator[dict[str, Any]]:
        """The states as a phone receives them."""
        with urllib.request.urlopen(self.url + "events", timeout=PATIENCE) as stream:
            event = b""
            for line in stream:
                if line.startswith(b"event: "):
                    event = line[7:].strip()
                elif line.startswith(b"data: ") and not event:  # a state; beats and versions have names
                    state = json.loads(line[6:])
                    assert faults(state, "State") == []
                    yield state
                elif line == b"\n":
                    event = b""

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first state that is as wanted."""
        return next(state for state in self.states() if wanted(state))

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._ended()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self._ended()

    def _ended(self) -> int:
        code = self.process.wait(timeout=30)
        for pipe in (self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        return code


def shots(state: dict[str, Any]) -> int:
    match = state["match"]
    return len(match["rounds"]) * 16 + match["round"]["shots"] if match else 0


def played(match: dict[str, Any]) -> dict[str, Any]:
    """What a match stands at: all of it but who is acting just now."""
    return {key: match[key] for key in ("id", "rules", "sides", "round", "rounds", "last_call", "questions")}


@slow
def test_killed_at_any_moment_the_match_goes_on_where_it_was(tmp_path, browser):
    seed = random.randrange(2**32)
    print("seed", seed)
    target = random.Random(seed).randrange(1, 4)
    table = Running(tmp_path)
    last = table.until(lambda state: shots(state) >= target)
    table.kill()
    table = Running(tmp_path)
    try:
        recovered = next(table.states())
        assert recovered["id"] >= last["id"]
        if recovered["id"] == last["id"]:
            assert played(recovered["match"]) == played(last["match"])
        assert shots(recovered) >= shots(last)
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(table.url)
        page.get_by_text("Player 1").first.wait_for()
        table.until(lambda state: any(side["total"] for side in state["match"]["sides"]))
        page.wait_for_function(SHOWS_WHAT_IS_SERVED)
        page.close()
    finally:
        code = table.stop()
    assert code == 0


def test_a_device_that_is_not_there_is_a_notice_and_the_score_can_be_kept_by_hand(tmp_path):
    devices = '[camera]\ndevice = "picamera"\n[hole]\ndevice = "serial:/dev/nothing"\n'
    table = Running(tmp_path, config=devices)
    try:
        state = table.until(lambda state: len(state["notices"]) >= 2)
        words = " ".join(notice["text"] for notice in state["notices"])
        assert "picamera2" in words
        assert "/dev/nothing" in words
        assert state["status"]["word"] == "no_camera"
    finally:
        table.kill()


def without_devices(folder: Path) -> Service:
    web = {"host": "127.0.0.1", "port": 0}
    config = {"table": {"data": folder / "data"}, "web": web, "camera": {"device": "none"}}
    return Service(Config.model_validate(config))


def test_a_new_pin_is_kept_and_ends_sessions_and_devices_but_no_program(tmp_path):
    service = without_devices(tmp_path)
    try:
        former = service.pin
        held = {kind: service.tokens.make(kind) for kind in ("session", "device", "program")}
        service.command({"do": "new_pin"})
        assert service.journal.facts.get("pin") == service.pin != former
        valid = {kind: service.tokens.holder(kind, token) is not None for kind, token in held.items()}
        assert valid == {"session": False, "device": False, "program": True}
    finally:
        service.stop()


def test_after_a_start_with_an_earlier_date_the_sensor_is_still_heard(tmp_path):
    """The referee takes what is later than what it knows; a Pi's date at its start is that of its last shutdown."""
    table = ReadTable(tmp_path / "data")
    table.engine.hole_changed(HoleEvent(5e9, True))
    table.journal.close()
    service = without_devices(tmp_path)
    try:
        assert service.engine.state.hole[-1].t == 5e9
        assert service._clock.now() >= 5e9
    finally:
        service.stop()
