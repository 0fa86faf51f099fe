"""Sets the table up, for the set-up page. On any thread but the camera's, whose frames it requests."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, validate_call

from controller.config import Config
from controller.errors import BadInput, CalibrationFailed, Refused
from controller.journal import Journal
from controller.match.events import SideId
from controller.messages import Message, counted, say, wording
from controller.table.camera_thread import FrameRequests
from controller.table.club.membership import Membership
from controller.table.devices import POLARITY, Supervised
from controller.table.engine import Engine
from controller.table.kept_facts import LONGEST_NAME, PALETTE
from controller.table.lamps_and_buttons import Panel
from controller.table.setup import steps
from controller.table.setup.lamp_check import LampCheck
from controller.table.setup.sensor_lesson import SensorSetup
from controller.table.setup.steps import NOT_SEEN, ColourTrials, club_step
from controller.validation import first_wrong_member
from controller.views.schema import Setup, Step, StepState
from controller.vision.calibration.calibration import Calibration
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.reading.annotate import annotate, annotate_calibration
from controller.vision.reading.learning import learn
from controller.vision.readings import AT_HOLE, BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.frame_watcher import surface
from hardware import catalogue
from hardware.board import TOURNAMENT
from hardware.devices import Frame, HoleSensor, Image, Signal
from hardware.pictures import encode

Device = Literal["hole_sensor", "lamps", "buttons"]
DEVICES: Mapping[Device, Message] = {
    "hole_sensor": say("Hole sensor"),
    "lamps": say("Lamps"),
    "buttons": say("Buttons"),
}

SETUP_COMMANDS = (
    *("find_board", "landmarks", "learn_colour", "learn_sensor", "lamp", "compare_lamps"),
    *("name_table", "new_pin", "join_club", "leave_club"),
)
"""The commands that set the table up, methods of `SetupService`; all others are for a match."""
OF_EVERY_COMMAND = ("do", "by", "who", "seen", "match")  # members that are not a command's own
FLICKER_FRAMES = 30  # a second of pictures, in which lamps that flash 100 times a second show ten waves of flicker


@dataclass(frozen=True, slots=True)
class Seen:
    """What the camera's thread found in its next pictures."""

    picture: Image
    brightness: list[float]
    reading: BoardReading | None
    trouble: Message | None


@dataclass
class SetupService:
    """Reports the state of each part of the table, and carries out the technician's commands. `post` queues work for
    the engine's thread, to which `engine` and `panel` belong."""

    config: Config
    journal: Journal
    engine: Engine
    requests: FrameRequests
    panel: Panel
    post: Callable[[Callable[[], None]], None]
    supervised: Mapping[Device, Supervised[Any]]  # the configured ones of hole sensor, lamps and buttons
    renew_pin: Callable[[], None]
    address: Callable[[], str]
    club: Membership
    now: Callable[[], float] = time.monotonic  # the clock of the hole's events

    def __post_init__(self) -> None:
        self._model = self.engine.model
        self._trials = ColourTrials()
        self.lamps = LampCheck(
            self.journal, self.config.lamps, lambda unseen: self.post(lambda: self.panel.set_unseen(unseen))
        )
        self.sensor = SensorSetup(self.journal, self._hole_sensor, self.now)
        """The set-up of the hole's sensor. Its `heard` is for the engine's thread."""
        kept = self.journal.facts.read(PALETTE, lambda text: Palette.from_json(json.loads(text)))
        if kept is not None:
            self._certify(kept)

    def _light(self, signal: Signal | None, side: str | None) -> None:
        self.post(lambda: self.panel.test(signal, side))

    @property
    def _name(self) -> str:
        return self.engine.view.name

    @property
    def _polarity_is_set(self) -> bool:
        """Whether the configuration sets which level of the hole's sensor means a disc."""
        return self.config.hole.low_when_occupied is not None

    def document(self, *, devices_only: bool = False) -> Setup:
        """The document `setup/1`: every step with its state, text and figures. `devices_only`: without the camera's
        steps, which take a second."""
        found = self._devices() if devices_only else [*self._seen(), *self._devices(), *self._own()]
        return {"schema": "setup/1", "table": self._name, "steps": found}

    def _seen(self) -> list[Step]:
        """The steps that need the camera."""
        try:
            seen = self._look()
        except Refused as error:
            return [steps.step("camera", say("Camera"), _words(error), state="missing")]
        palette = self._model.palette
        return [
            steps.camera_step(seen.picture, seen.brightness, catalogue.lasting_camera(self.config.camera.device)),
            steps.board_step(self._model.calibration, seen.trouble, seen.reading),
            steps.colours_step(palette.sides if palette else {}, palette.wood if palette else None, self._trials.all()),
            steps.proof_step(seen.reading),
        ]

    def picture(self, *, of_disc: bool = False) -> bytes | None:
        """The camera's picture as JPEG, annotated with the board and the discs; None without a camera. `of_disc`:
        instead the picture of the disc that was shown for learning; None if there was none."""
        if of_disc:
            return self._trials.picture()
        try:
            seen = self._look(frames=1)
        except Refused:
            return None
        calibration = self._model.calibration
        if calibration is None:
            return encode(seen.picture)
        drawn = annotate_calibration(seen.picture, calibration)
        return encode(annotate(drawn, calibration, seen.reading) if seen.reading else drawn)

    def carry_out(self, document: Mapping[str, Any]) -> None:
        """Carry out one of `SETUP_COMMANDS`. Raises `BadInput` or `Refused`; then nothing has changed."""
        members = {name: value for name, value in document.items() if name not in OF_EVERY_COMMAND}
        with first_wrong_member():
            validate_call(getattr(self, document["do"]))(**members)

    # the commands: each method's parameters are its members

    def find_board(self) -> None:
        """Look for the board again, in the next picture."""
        self.requests.ask(lambda frame: self._find(frame, None))

    def landmarks(self, points: dict[str, Any]) -> None:
        """Find the board by a person's taps on landmarks, in pixels of the set-up picture."""
        taps = Landmarks.from_json(points, TOURNAMENT)
        self.requests.ask(lambda frame: self._find(frame, taps))

    def learn_colour(self, side: SideId) -> None:
        """Learn the colour of a side from the one disc on the board."""
        self.requests.ask(lambda frame: self._learn(frame, side))

    def learn_sensor(self) -> None:
        """Learn which level of the hole's sensor means a disc, while one is put in and taken out."""
        self.sensor.begin(polarity_is_set=self._polarity_is_set, disc_seen=self._disc_in_hole())

    def lamp(self, signal: Signal | None = None, side: SideId | None = None) -> None:
        """Show a signal on the lamps, to test them; without one they show the match again."""
        self._light(signal, side)

    def compare_lamps(self) -> None:
        """Find out whether the camera sees the lamps on the playing surface. Takes nine seconds."""
        calibration = self._found_board()
        on = self.requests.ask(lambda frame: surface(calibration, frame.small))
        with self.requests.alone():
            self.lamps.compare(self.requests.ask, self._light, self._lamps_can_be_lit, on)

    def name_table(self, name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]) -> None:
        """Change the table's name."""
        self.journal.facts.keep("name", name)
        self.post(lambda: self.engine.rename(name))

    def new_pin(self) -> None:
        """Create another PIN; all scorers' sessions end."""
        self.renew_pin()

    def join_club(
        self,
        address: Annotated[str, Field(min_length=1, max_length=200)],
        code: Annotated[str, Field(min_length=1, max_length=40)],
    ) -> None:
        """Join the club whose hub is at this address, with the code from its organiser's page."""
        self.club.join(address, code)

    def leave_club(self) -> None:
        """Leave the club; the matches stay in the journal."""
        self.club.leave()

    def _look(self, frames: int = FLICKER_FRAMES) -> Seen:
        brightness: list[float] = []

        def work(frame: Frame) -> Seen | None:
            brightness.append(float(frame.small.mean()))
            if len(brightness) < frames:
                return None
            picture, reading, trouble = frame.full().copy(), None, None
            try:
                reading = self._model.read(picture, frame.t, frame.name)
            except BadInput as error:
                trouble = _words(error)
            return Seen(picture, brightness, reading, trouble)

        seen = self.requests.ask(work)
        assert isinstance(seen, Seen)
        return seen

    def _find(self, frame: Frame, taps: Landmarks | None) -> bool:
        try:
            self._model.find(frame.full(), taps)
        except CalibrationFailed as error:
            raise Refused(error.args[0]) from error
        return True

    def _found_board(self) -> Calibration:
        calibration = self._model.calibration
        if calibration is None:
            raise Refused(say("The board was not found yet. Clear it, then look again, or tap its landmarks."))
        return calibration

    def _lamps_can_be_lit(self) -> None:
        """Raises `Refused` while lamps would stay dark."""
        needed: tuple[Device, ...] = ("lamps", "hole_sensor") if self.config.lamps.device == "unit" else ("lamps",)
        for name in needed:
            supervised = self.supervised.get(name)
            if supervised is None or supervised.trouble is not None:
                raise Refused(supervised.trouble if supervised else say("None is set: the table plays without."))
        if self.panel.watched:
            raise Refused(
                say("The camera watches a match: compare pictures between matches, or pause it first."), "pause"
            )

    def _learn(self, frame: Frame, side: str) -> bool:
        picture = frame.full()
        model = self._model
        lying = [disc for disc in model.read(picture, frame.t, frame.name).discs if disc.pose == "flat"]
        assert model.calibration is not None  # it was read
        if not lying:
            self._trials.shown(side, picture, model.calibration, None)
            raise Refused(NOT_SEEN)
        if len(lying) != 1:
            many = counted("{n} is there.", "{n} are there.", len(lying))
            raise Refused(say("Lay one disc of that side on the board, alone. {many}", many=many))
        palette = learn(picture, model.calibration, side, model.palette, empty=model.background)
        self._trials.shown(side, picture, model.calibration, lying[0])
        self.journal.facts.keep(PALETTE, json.dumps(palette.to_json()))
        self._certify(palette)
        return True

    def _certify(self, palette: Palette) -> None:
        """Make reading and referee use these colours."""
        self._model.palette = palette
        self.post(lambda: self.engine.certify(palette))

    def _devices(self) -> list[Step]:
        found: list[Step] = []
        for name, title in DEVICES.items():
            supervised = self.supervised.get(name)
            if supervised is None:
                text = say("None is set: the table plays without.")
                found.append(steps.step(name, title, text, state="optional"))
            elif supervised.trouble is not None:
                found.append(steps.step(name, title, wording(supervised.trouble), state="missing"))
            elif name == "hole_sensor":
                found.append(self._sensor_step())
            elif name == "lamps":
                words, lit = self.lamps.words()
                found.append(steps.step(name, title, words, state="good" if lit else "bad"))
            else:
                found.append(steps.step(name, title, say("Present, as far as can be seen from here.")))
        return found

    def _hole_sensor(self) -> HoleSensor | None:
        supervised = self.supervised.get("hole_sensor")
        return supervised.device if supervised else None

    def _sensor_step(self) -> Step:
        """The step of the hole's sensor: its level, or its lesson's progress."""
        lesson = self.sensor.newest()
        level = _level(self._hole_sensor())
        if lesson is not None:
            text = lesson.words()
        elif self._polarity_is_set or self.journal.facts.get(POLARITY):
            text = level
        else:
            text = say("{level} It was not tried with a disc yet.", level=level)
        state: StepState | None = "bad" if lesson is not None and lesson.phase == "failed" else None
        found = steps.step("hole_sensor", DEVICES["hole_sensor"], text, state=state)
        return {**found, "waits": lesson is not None and lesson.goes_on}

    def _disc_in_hole(self) -> bool:
        """Whether the camera sees a disc in the hole; False without a camera."""
        try:
            reading = self._look(frames=1).reading
        except Refused:
            return False
        return reading is not None and any(disc.pose in AT_HOLE for disc in reading.discs)

    def _own(self) -> list[Step]:
        """The steps without a device: name, PIN, network, clips and club."""
        return [
            steps.step("name", say("Name of the table"), Message("{name}", {"name": self._name})),
            steps.step(
                "pin",
                say("PIN"),
                say("The table's screen shows it. A new one ends every scorer's session; programs keep their tokens."),
            ),
            steps.step("network", say("Network"), say("Phones find the table at {address}.", address=self.address())),
            steps.clips_step(self.config.clips),
            club_step(self.club),
        ]


def _level(hole: HoleSensor | None) -> Message:
    level = hole.occupied() if hole else None
    if level is None:
        return say("The sensor has not said anything yet.")
    return say("The sensor says: a disc lies in the hole.") if level else say("The sensor says: the hole is empty.")


def _words(error: Exception) -> Message:
    return wording(error.args[0] if error.args else "")
