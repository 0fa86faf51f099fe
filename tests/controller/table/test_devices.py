"""Devices that are missing, come, go and come back: the table says so, goes on and loses nothing."""

import socket
import threading
import time
from contextlib import closing
from unittest.mock import Mock

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from controller.errors import BadInput, Refused
from controller.journal import Journal
from controller.service import Service
from controller.table.camera_thread import TRIES, CameraThread, FrameRequests
from controller.table.devices import Supervised
from controller.table.engine import Engine
from controller.tools.doctor import examine, watch
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.frame_watcher import FrameWatcher
from firmware_bridge.client import HoleUnit
from firmware_bridge.virtual import VirtualUnit
from hardware.devices import Frame, ManualClock
from hardware.errors import DeviceExhausted, DeviceLost, DeviceNotFound, DeviceRefused, DeviceStuck
from hardware.pictures import encode
from hardware.recording import RecordingCamera, RecordingWriter
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.controller.fed_table import SIDES, START, settings_of
from tests.hardware.pseudo_terminal import PseudoTerminal

PATIENCE = 20.0  # s of a slow machine until a unit is missed

NONE = {"camera": {"device": "none"}, "hole": {"device": "none"}}
BOARDS = [
    (),
    (),
    (SceneDisc("a1", "black", 10.0, 50.0),),
    (SceneDisc("a1", "black", 14.0, 58.0), SceneDisc("b1", "natural", 20.0, 20.0)),
]


class LooseCable(RecordingCamera):
    """A folder camera whose cable slips out before the pictures of some numbers, once each."""

    def __init__(self, folder, clock, slips):
        super().__init__(folder, clock)
        self.slips = slips
        self.next = 0

    def frames(self, happened=None):
        for frame in super().frames(happened):
            if frame.number < self.next:
                continue
            if self.slips and frame.number == self.slips[0]:
                self.slips.pop(0)
                raise DeviceLost("The camera is gone: is its cable in?")
            self.next = frame.number + 1
            yield frame


def test_a_camera_that_is_missing_at_first_and_lost_twice_loses_no_shot(tmp_path):
    painter = Painter(seed=3)
    with closing(RecordingWriter(tmp_path / "pictures")) as writer:
        for number, discs in enumerate(BOARDS):
            writer.encoded(2.0 * number, encode(painter.full(Scene(2.0 * number, discs))))
    journal = Journal(tmp_path / "journal.sqlite")
    engine = Engine(journal, wall=lambda: 0.0)
    engine.command(START)
    missing, clock = 2, ManualClock()
    words = []

    def open_camera():
        nonlocal missing
        missing -= 1
        if missing >= 0:
            raise DeviceNotFound("There is no camera.")
        return LooseCable(tmp_path / "pictures", clock, [1, 3])

    def report(text):
        engine.set_notice("camera", None if text is None else str(text))
        engine.camera_changed(lost=text is not None)
        words.append(engine.word)

    watcher = FrameWatcher(BackgroundModel())
    watching = CameraThread(
        open_camera,
        lambda camera: camera.frames(),
        opened=watcher.steer,
        look=watcher.process_frame,
        observed=engine.observe,
        report=report,
        retry=0.0,
    )
    watching.run()
    lost, back = "no_camera", "ready"
    assert words == [lost, lost, back, lost, back, lost, back, lost], "the last: the pictures have come to their end"
    assert [(p.shot.side, p.judgement.valid) for p in engine.state.game.round.shots] == [("A", True), ("B", True)]
    watching.stop()
    journal.close()


class Moody:
    """A camera that does at each opening what comes next: it raises an error, or delivers a picture and is lost."""

    def __init__(self, *acts):
        self.acts = list(acts)
        self.asked = []  # acts that had been tried whenever a new process was asked for
        self.reports = []
        self.thread = CameraThread(
            lambda: self,
            lambda camera: self.frames(),
            opened=lambda camera: None,
            look=lambda frame: [],
            observed=lambda observation, clip: None,
            report=lambda text: self.reports.append(str(text)),
            stuck=self.stuck,
            retry=0.0,
        )
        self.done = 0
        self.thread.run()

    def frames(self):
        if self.done == len(self.acts):
            return
        act = self.acts[self.done]
        self.done += 1
        if act is not None:
            raise act(f"try {self.done}")
        picture = np.zeros((4, 4, 3), np.uint8)
        yield Frame(0.0, self.done, picture[..., 0], lambda: picture)
        raise DeviceLost(f"try {self.done}")

    def stuck(self, why):
        self.asked.append(self.done)
        return True


@pytest.mark.parametrize(
    ("acts", "asked"),
    [
        ([None, *[DeviceRefused] * TRIES], [1 + TRIES]),
        ([None, *[DeviceRefused] * 50], [1 + TRIES]),
        ([None, *[DeviceNotFound] * 50], []),  # unplugged
        ([None, DeviceRefused, DeviceRefused, DeviceNotFound, DeviceRefused, DeviceRefused], []),
        ([None, DeviceRefused, DeviceRefused] * 5, []),
        ([*[DeviceRefused] * 50], []),  # it never worked
        ([*[DeviceExhausted] * 50], [TRIES]),
        ([None, DeviceStuck, DeviceStuck], [2]),
        ([DeviceStuck, DeviceStuck], []),
        ([None, *[DeviceRefused] * 5, None, *[DeviceRefused] * 5], [1 + TRIES, 7 + TRIES]),
    ],
)
def test_a_new_process_is_asked_for_when_the_camera_is_there_and_does_not_open(acts, asked):
    assert Moody(*acts).asked == asked


def test_what_the_table_says_when_no_new_process_helps_stays_until_there_are_pictures(monkeypatch):
    monkeypatch.setattr(Moody, "stuck", lambda self, why: self.thread.no_pictures("stays without") or False)
    reports = Moody(None, *[DeviceRefused] * 5, None).reports
    assert reports[-4:] == ["stays without", "None", "try 7", "The pictures have ended."]


@pytest.fixture
def pins(monkeypatch):
    """A Raspberry Pi's pins."""
    factory = MockFactory()
    monkeypatch.setattr("hardware.gpio.open_factory", lambda: factory)
    return factory


class Table:
    """A service by hand: what its threads do is done here, when a test says so."""

    def __init__(self, folder, **sections):
        self.config = settings_of(folder, **NONE | sections)
        self.service = Service(self.config)
        self.work()

    def work(self):
        """The health thread's round, and all that waits for the engine's thread."""
        self.service._check_devices()
        while not self.service._engine_thread._queue.empty():
            work = self.service._engine_thread._queue.get()
            work()

    def do(self, do, **command):
        self.service.engine.command({"do": do, **command})

    def keep_lamps(self, *, seen):
        """What set-up finds: whether the camera sees the lamps."""
        self.service.setup_service.lamps.keep(seen=seen)
        self.work()

    @property
    def notices(self):
        document = self.service.snapshot()
        return {notice.kind: str(notice.text) for notice in document.notices}

    def step(self, id_):
        (found,) = [step for step in self.service.setup(devices_only=True)["steps"] if step["id"] == id_]
        return found

    def close(self):
        for supervised in self.service._supervised.values():
            supervised.close()
        self.service.engine.recorder.close()
        self.service.journal.close()


WIRED = {
    "hole": {"device": "gpio:17"},
    "lamps": {"A": "gpio:20", "B": "gpio:21", "twenty": "gpio:22", "foul": "gpio:23", "check": "gpio:24"},
    "buttons": {"undo": "gpio:5", "confirm": "gpio:6"},
}


def lit(pins):
    return {name for name, pin in WIRED["lamps"].items() if pins.pin(int(pin[5:])).state}


def test_a_sensor_of_the_other_kind_is_learnt_while_the_table_runs_and_stays_learnt(tmp_path, pins, monkeypatch):
    monkeypatch.setattr("controller.table.setup.sensor_lesson.LAIN", 0.0)
    monkeypatch.setattr("controller.table.camera_thread.PATIENCE", 0.01)  # there is no camera to look at
    table = Table(tmp_path, **WIRED)
    hole, pin = table.service.hole, pins.pin(17)

    def follow(words):
        while not str(table.step("hole_sensor")["text"]).startswith(words):
            work = table.service._engine_thread._queue.get(timeout=PATIENCE)
            work()

    pin.drive_low()  # its output is low while the hole is empty
    table.work()
    assert hole.occupied() is True
    table.service.command({"do": "learn_sensor"})
    pin.drive_high()
    follow("The sensor sees it.")
    pin.drive_low()
    follow("Learnt")
    assert hole.occupied() is False
    table.close()
    again = Table(tmp_path, **WIRED)
    pin.drive_low()
    assert again.service.hole.occupied() is False
    again.close()


def test_the_technicians_figures_have_the_hole_and_what_a_unit_says_of_itself(tmp_path, pins):
    def figures(table):
        found = table.service.server._app.test_client().get("/health").json
        return found["hole"], found["unit"] is not None

    bare = Table(tmp_path / "bare")
    assert figures(bare) == (None, False)
    unit = HoleUnit(VirtualUnit().link, ManualClock())
    bare.service._supervised["hole_sensor"] = Supervised(lambda: unit, lambda _: None)
    bare.work()
    assert figures(bare) == (None, True)
    bare.close()
    table = Table(tmp_path / "wired", **WIRED)
    for drive, occupied in ((pins.pin(17).drive_low, True), (pins.pin(17).drive_high, False)):
        drive()
        table.work()
        assert figures(table) == (occupied, False)
    table.close()


def press(pins, number):
    pins.pin(number).drive_low()
    pins.pin(number).drive_high()


def test_lamps_say_what_the_page_says_and_buttons_do_what_its_commands_do(tmp_path, pins):
    table = Table(tmp_path, **WIRED)
    assert table.notices == {}
    table.keep_lamps(seen=False)
    table.do("start", rules="nca", sides=SIDES, starter="B")
    assert lit(pins) == {"B"}
    table.do("correct_round", round=1, twenties={"A": 2})
    press(pins, 5)
    table.work()
    state = table.service.engine.state
    assert state.game.round.twenty_counts["A"] == 0
    (undone,) = [s.event for s in table.service.engine.history if s.event.kind == "undone"]
    assert undone.by == "button"
    press(pins, 6)
    table.work()
    assert table.notices == {"button": "There is nothing to confirm."}
    table.do("pause")
    assert table.notices == {}
    assert lit(pins) == set()
    table.close()


def test_lamps_that_the_camera_may_see_are_dark_while_it_watches_a_match(tmp_path, pins):
    table = Table(tmp_path, **WIRED)
    table.do("start", rules="nca", sides=SIDES, starter="B")
    assert lit(pins) == set()  # it is not known yet
    table.keep_lamps(seen=False)
    assert lit(pins) == {"B"}
    table.close()
    again = Table(tmp_path, **WIRED)
    again.service.engine.set_notice("pictures", "news")  # whatever the table sees first
    assert lit(pins) == {"B"}
    again.keep_lamps(seen=True)
    assert lit(pins) == set()
    again.service.panel.test("foul", "A")
    assert lit(pins) == set()
    again.service.engine.camera_changed(True, "Its cable is out.")
    assert lit(pins) == {"B", "check"}
    again.service.engine.camera_changed(lost=False)
    assert lit(pins) == set()
    again.do("pause")
    again.service.panel.test("foul", "A")
    assert lit(pins) == {"A", "foul"}
    again.close()
    moved = Table(tmp_path, **{**WIRED, "lamps": {**WIRED["lamps"], "check": "gpio:25"}})
    assert "may take them" in str(moved.step("lamps")["text"])  # other lamps than those that were compared
    moved.close()


def test_pictures_of_the_lamps_show_no_match(tmp_path, pins):
    table = Table(tmp_path, **WIRED)
    picture = np.zeros((240, 320), np.uint8)
    frame = Frame(0.0, 0, picture, lambda: np.dstack([picture] * 3))
    watching, looked = table.service.camera_thread, []
    watching.look = lambda frame: looked.append(frame) or []
    with watching.requests.alone():
        watching.take(frame)
    assert looked == []
    watching.take(frame)
    assert looked == [frame]
    table.close()


def test_the_holes_events_reach_the_journal_and_pins_that_come_late_are_opened(tmp_path, monkeypatch):
    factory = MockFactory()
    tries = iter([DeviceNotFound("no pins yet"), DeviceNotFound("no pins yet"), DeviceNotFound("no pins yet")])

    def open_factory():
        for error in tries:
            raise error
        return factory

    monkeypatch.setattr("hardware.gpio.open_factory", open_factory)
    table = Table(tmp_path, **WIRED)
    assert table.notices == dict.fromkeys(("hole_sensor", "lamps", "buttons"), "no pins yet")
    table.service.setup_service.lamps.keep(seen=False)
    table.do("start", rules="nca", sides=SIDES)
    table.work()
    assert table.notices == {}
    assert lit(factory) == {"A"}
    factory.pin(17).drive_low()
    table.work()
    assert table.service.engine.state.hole_level is True
    table.close()


@pytest.mark.parametrize(
    ("sections", "kind", "words"),
    [
        ({"hole": {"device": "gpio:abc"}}, "hole_sensor", "GPIO abc can't be used"),
        ({"hole": {"device": "gpio:17"}, "lamps": {"A": "gpio:17"}}, "lamps", "GPIO 17 is used twice"),
        ({"lamps": {"device": "unit"}}, "lamps", r"\[hole\] device"),
    ],
)
def test_wrong_wiring_is_reported_in_the_state_and_by_doctor_and_the_rest_works(tmp_path, pins, sections, kind, words):
    table = Table(tmp_path, **sections)
    assert list(table.notices) == [kind]
    with pytest.raises(BadInput, match=words):
        raise BadInput(table.notices[kind])
    table.do("start", rules="nca", sides=SIDES)
    table.do("correct_round", round=1, twenties={"A": 2})
    table.close()


def test_a_port_without_a_unit_is_reported(tmp_path):
    terminal = PseudoTerminal(tmp_path / "ttyUNIT")
    table = Table(tmp_path / "data", hole={"device": f"serial:{terminal.name}"})
    table.do("start", rules="nca", sides=SIDES)
    until(table, "does not answer", lambda: terminal.received(0.05))
    terminal.unplug()
    until(table, "ttyUNIT is gone", lambda: None)
    table.close()


def until(table, words, meanwhile):
    """Let the table work until its notice of the hole's sensor says so."""
    end = time.monotonic() + PATIENCE
    while words not in table.notices.get("hole_sensor", ""):
        assert time.monotonic() < end, table.notices
        meanwhile()
        table.work()


def findings(config, folder):
    return {finding["what"]: finding for finding in examine(settings_of(folder, **config))}


def test_doctor_shows_levels_and_which_wire_to_look_at(tmp_path, pins):
    found = findings(NONE | WIRED, tmp_path)
    assert all(finding["ok"] for finding in found.values())
    assert found["hole sensor"]["figures"] == {"occupied": False, "pin": "gpio:17"}
    assert "pin 11 of the header" in found["hole sensor"]["text"]
    assert "undo at GPIO 5 (pin 29 of the header)" in found["buttons"]["text"]


@pytest.mark.parametrize(
    ("sections", "what", "words"),
    [
        (
            {"hole": {"device": "gpio:17"}, "buttons": {"undo": "gpio:17"}},
            "settings",
            "hole sensor and to the button undo",
        ),
        ({"hole": {"device": "serial:/dev/nothing"}}, "hole sensor", "/dev/nothing"),
        ({"lamps": {"device": "unit"}, "hole": {"device": "none"}}, "lamps", "unit"),
        ({"camera": {"device": "usb:7"}}, "camera", "7"),
        ({"camera": {"device": "picamera"}}, "camera", "picamera2"),
        ({"web": {"host": "no.such.host.invalid", "port": 0}}, "port", "no address of this machine"),
        ({"match": {"rules": "chess"}}, "settings", "chess"),
    ],
)
def test_doctor_says_how_to_mend_it(tmp_path, pins, sections, what, words):
    found = findings(NONE | sections, tmp_path)
    wrong = {name for name, finding in found.items() if not finding["ok"]}
    assert wrong == {what}
    assert words in found[what]["text"]


def test_doctor_finds_a_port_in_use(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        web = {"host": "127.0.0.1", "port": taken.getsockname()[1]}
        found = findings(NONE | {"web": web}, tmp_path)
    assert not found["port"]["ok"]
    assert "in use" in found["port"]["text"]


def test_doctor_run_by_a_user_without_the_right_to_the_port_advises_no_other(tmp_path, monkeypatch):
    """As its user, but without what systemd gives the service: port 80 can't be tried, only looked at."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(socket, "create_server", Mock(side_effect=PermissionError(13, "Permission denied")))
        sections = NONE | {"web": {"host": "0.0.0.0", "port": port}}
        while_running = findings(sections, tmp_path)["port"]
    stopped = findings(sections, tmp_path)["port"]
    assert not while_running["ok"]
    assert "in use" in while_running["text"]
    assert stopped["ok"]
    assert "1023" not in stopped["text"]


def test_doctor_sees_light_and_board_and_recommends_a_lasting_name(tmp_path, monkeypatch):
    monkeypatch.setattr("hardware.catalogue.lasting_camera", lambda name: "usb:/dev/v4l/by-id/usb-1")
    painter = Painter(seed=3)
    for name, dimmed in (("dark", 8), ("lit", 1)):
        with closing(RecordingWriter(tmp_path / name)) as writer:
            writer.encoded(0.0, encode(painter.full(Scene(0.0)) // dimmed))
    lit_, dark = (
        findings({"camera": {"device": f"folder:{tmp_path / name}"}, "hole": {"device": "none"}}, tmp_path)["camera"]
        for name in ("lit", "dark")
    )
    assert lit_["ok"]
    assert lit_["figures"]["width"] == 1280
    assert "the board:" in lit_["text"]
    assert 'device = "usb:/dev/v4l/by-id/usb-1"' in lit_["text"]
    assert not dark["ok"]
    assert "too little light" in dark["text"]


def test_doctor_shows_levels_as_they_change(tmp_path, pins):
    class Fingers(ManualClock):
        """While doctor waits, somebody tries the wires."""

        def sleep_until(self, t):
            for when, act in ((1.0, pins.pin(17).drive_low), (2.5, lambda: press(pins, 6))):
                if self.t < when <= t:
                    self.t = when
                    act()
            super().sleep_until(t)

    config = settings_of(tmp_path, **NONE | WIRED)
    told = []
    watch(config, 5.0, Fingers(), told.append)
    assert told == ["   0.10 s  hole: empty", "   1.00 s  hole: a disc lies in it", "   2.50 s  button: confirm"]


def test_doctor_goes_on_showing_the_level_of_a_unit(tmp_path, monkeypatch):
    unit = VirtualUnit()

    class Stepped(HoleUnit):
        start = HoleUnit.attach

    class Hand(ManualClock):
        """A disc goes in and out every three seconds."""

        def sleep_until(self, t):
            while self.t < t:
                self.t += 0.01
                unit.sense(self.t, int(self.t / 3) % 2 == 1)
                unit.step(self.t)
                hole.pump(self.t)

    clock = Hand()
    hole = Stepped(unit.link, clock)
    monkeypatch.setattr("controller.table.devices.TableDevices.open_hole", lambda self: hole)
    config = settings_of(tmp_path, hole={"device": "serial:/dev/unit"})
    told = []
    watch(config, 61.0, clock, told.append)
    assert len(told) == 21
    assert [line.endswith("a disc lies in it") for line in told] == [k % 2 == 1 for k in range(21)]


def test_a_request_that_takes_longer_than_its_sender_waits_harms_nothing(monkeypatch):
    monkeypatch.setattr("controller.table.camera_thread.PATIENCE", 1.0)
    requests, given_up, begun = FrameRequests(), threading.Event(), threading.Event()

    def work(frame):
        begun.set()
        return given_up.wait(10.0)

    def ask():
        with pytest.raises(Refused, match="no picture in time"):
            requests.ask(work)
        given_up.set()

    asking = threading.Thread(target=ask)
    asking.start()
    while not begun.is_set() and asking.is_alive():
        requests.serve(Frame(0.0, 0, np.zeros((2, 2), np.uint8), lambda: np.zeros((2, 2, 3), np.uint8)))
    asking.join()
    assert begun.is_set()
