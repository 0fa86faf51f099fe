"""Lamps and buttons on the Pi's pins in the guest: what somebody at the table sees of them, and presses."""

import json
import time

from tests.guest.inside.gpio_sim import chip
from tests.guest.inside.scorer import PATIENCE, tell
from tests.guest.inside.usb_gadget import wait

LAMPS = {"A": 22, "B": 23, "twenty": 24, "foul": 25, "check": 27}
BUTTONS = {"undo": 5, "confirm": 6}
HELD = 0.1  # s: a quick press, and several ticks of the kernel's clock
SHOTS = 2  # are to be played before anybody presses a button


class Panel:
    """Lamps between a pin and ground, buttons that pull theirs to ground."""

    def __init__(self):
        for pin in BUTTONS.values():
            chip().drive(pin, True)

    def press(self, button):
        chip().drive(BUTTONS[button], False)
        time.sleep(HELD)
        chip().drive(BUTTONS[button], True)

    def burning(self):
        return [name for name, pin in LAMPS.items() if chip().level(pin)]


class Trial:
    """Each button in turn, while nothing else happens: it is heard, and the page shows what it did."""

    def __init__(self, scorer, panel):
        self._scorer = scorer
        self._panel = panel

    def due(self):
        """Whether it is somebody's turn, and nothing else is to be done."""
        match = self._match()
        if not match or match["over"] or match["questions"] or any(disc["remove"] for disc in match["discs"]):
            return False
        return self._scorer.state["status"]["word"] in ("ready", "hand", "moving") and match["round"]["shots"] >= SHOTS

    def make(self):
        send = self._scorer.send
        assert not send(do="confirm")  # what the table saw before is taken in by now
        self._scorer.look()
        whole = self._seen()
        wait(lambda: self._panel.burning() == [self._match()["round"]["to_shoot"]])
        self._panel.press("undo")
        self._until(lambda: self._seen() != whole)
        assert send(do="redo")
        assert self._seen() == whole
        self._panel.press("confirm")
        self._until(lambda: bool(self._notice()))
        tell("tried", json.dumps(self._match()["round"]))

    def _match(self):
        return self._scorer.state["match"]

    def _seen(self):
        return self._scorer.state["status"], self._scorer.state["match"]

    def _notice(self):
        return next((n["text"] for n in self._scorer.state["notices"] if n["kind"] == "button"), "")

    def _until(self, condition):
        give_up = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < give_up
            time.sleep(HELD)
            self._scorer.look()
