"""What all `Lamps` and every `ButtonPanel` must do. A driver's test subclasses and gives a bench."""

import threading

from tests.hardware.benched import Benched


class LampsContract(Benched):
    """`make` gives `lamps`, and `look`: what is lit now, in any form that can be compared."""

    def test_every_signal_looks_different_and_idle_is_dark(self, bench):
        dark = bench.look()
        signals = [("turn", "A"), ("turn", "B"), ("twenty", "A"), ("foul", "A")]
        seen = [dark]
        for signal, side in [*signals, ("check", None)]:
            bench.lamps.show(signal, side)
            seen.append(bench.look())
        assert len(set(map(str, seen))) == len(seen)
        bench.lamps.show("idle")
        assert bench.look() == dark

    def test_a_signal_holds_until_the_next_however_often_it_is_shown(self, bench):
        bench.lamps.show("turn", "A")
        first = bench.look()
        bench.lamps.show("turn", "A")
        assert bench.look() == first
        bench.lamps.show("turn", "B")
        assert bench.look() != first

    def test_a_signal_that_is_not_lit_is_dark(self, bench):
        dark = bench.look()
        bench.lamps.show("turn", "A")
        bench.lamps.show("twenty", "A", lit=False)
        assert bench.look() == dark

    def test_a_side_without_a_lamp_is_ignored(self, bench):
        bench.lamps.show("turn", "C")
        bench.lamps.show("idle")

    def test_closing_turns_them_off_and_is_safe_twice(self, bench):
        dark = bench.look()
        bench.lamps.show("turn", "A")
        bench.lamps.close()
        bench.lamps.close()
        assert bench.look() == dark


class ButtonPanelContract(Benched):
    """`make` gives a `panel` with the buttons "undo" and "confirm", and `press(button, chatter=0)`: down, held for a
    moment, and up, with so many short interruptions at both ends."""

    def test_each_press_is_reported_once_and_in_order(self, bench):
        presses = []
        bench.panel.start(presses.append)
        for button in ("undo", "confirm", "confirm"):
            bench.press(button)
        assert presses == ["undo", "confirm", "confirm"]

    def test_chatter_is_one_press(self, bench):
        presses = []
        bench.panel.start(presses.append)
        bench.press("undo", chatter=5)
        bench.press("confirm", chatter=5)
        assert presses == ["undo", "confirm"]

    def test_a_failing_listener_stops_nothing(self, bench):
        presses = []

        def fail_once(button):
            presses.append(button)
            if len(presses) == 1:
                raise RuntimeError("refused")

        listener = fail_once
        bench.panel.start(listener)
        bench.press("undo")
        bench.press("undo")
        assert presses == ["undo", "undo"]

    def test_nothing_is_reported_after_closing_which_is_safe_twice(self, bench):
        presses = []
        bench.panel.start(presses.append)
        closing = threading.Thread(target=bench.panel.close)
        closing.start()
        closing.join()
        bench.panel.close()
        bench.press("undo")
        assert presses == []
