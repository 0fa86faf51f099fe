"""The service: the one place that chooses real or simulated devices, and that owns threads.

The engine's thread takes one thing at a time from one queue. The camera's thread looks at frames and puts what it saw
into the queue; the hole's sensor and the scoreboard put their events and commands there too.
"""

import json
import logging
import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from controller import match as m
from controller.api import Snapshot
from controller.config import Config
from controller.engine import Engine
from controller.errors import BadInput, Refused
from controller.journal import Journal
from controller.simulation.setting import SimulatedSetting
from controller.vision.annotate import crop
from controller.vision.calibration import Calibration
from controller.vision.eye import Eye
from controller.vision.landmarks import Landmarks
from controller.vision.lookout import Lookout
from controller.vision.readings import SeenDisc
from controller.vision.watcher import BoardRead, GateChanged
from firmware_bridge.client import HoleUnit
from firmware_bridge.delivery import Gap
from hardware import catalogue
from hardware.board import TOURNAMENT
from hardware.devices import BoardCamera, Clock, Frame, HoleEvent, HoleSensor, Image, SystemClock
from hardware.errors import BadRecording, DeviceLost, HardwareError
from hardware.pictures import decode, encode
from hardware.recording import RecordedCommand, RecordedHole, RecordingCamera, RecordingWriter
from web_ui import Server, create_app

log = logging.getLogger(__name__)
T = TypeVar("T")

RETRY = 2.0  # s between attempts to get a lost camera back
INTERVAL = 20.0  # s that the simulated players rest between two matches
ANSWER = 20.0  # s that a command may take: a full disk's wait for its timeout, and some
FROZEN = 2.0  # s without any pixel changing: a sensor's noise never stands still
HEALTH = 5.0  # s between two looks at the devices' health


class Recorded:
    """A frame whose full picture is read as a recording will have it: encoded, and decoded again."""

    def __init__(self, frame: Frame) -> None:
        self._full = frame.full
        self.frame = replace(frame, full=lambda: decode(self.data, frame.name))

    @cached_property
    def data(self) -> bytes:
        """The picture as JPEG."""
        return encode(self._full())


def eye_of(config: Config, journal: Journal) -> Eye:
    """The eye with what is known of the board's place: the calibration that was kept, or taps. Raises `BadInput`."""
    kept = journal.fact("calibration") if config.camera.device != "simulated" else None
    return Eye(
        calibration=Calibration.from_json(json.loads(kept)) if kept else None,
        landmarks=Landmarks.read(config.camera.landmarks, TOURNAMENT) if config.camera.landmarks else None,
        above=config.camera.height,
        on_calibrated=lambda c: journal.remember("calibration", json.dumps(c.to_json())),
    )


class Service:
    """One running table. Implements `controller.api.Table`."""

    def __init__(self, config: Config, *, record: Path | None = None, clock: Clock | None = None) -> None:
        """Open the journal and the devices. A device that can't be had becomes a notice on the page."""
        self.config = config
        simulated = config.camera.device == "simulated"
        self._clock = clock or SystemClock(start=0.0 if simulated else None)
        self.journal = Journal(config.table.data / "journal.sqlite")
        self.pin = self.journal.remembered("pin", lambda: f"{secrets.randbelow(10_000):04d}")
        secret = self.journal.remembered("secret", lambda: secrets.token_hex(32))
        self.engine = Engine(
            self.journal, name=config.table.name, simulated=simulated, wall=time.time, own_rules=config.rules
        )
        self._queue: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self._playing = 0
        self._troubled = False
        self._over_since: float | None = None
        self.eye = eye_of(config, self.journal)
        self.engine.cropper = self._crop
        self.lookout = Lookout(self.eye)
        self.recorder = RecordingWriter(record) if record else None
        self.setting: SimulatedSetting | None = None
        self.camera: BoardCamera | None = None
        self.hole: HoleSensor | None = None
        self._open_devices(simulated)
        if self.camera is not None:
            self.eye.lens = self.camera.lens
        if self.hole is not None:
            self.engine.level = self.hole.occupied
        self.server = Server(create_app(self, secret=bytes.fromhex(secret)), config.web.host, config.web.port)

    def _open_devices(self, simulated: bool) -> None:
        if simulated:
            self._simulate()
        else:
            if self.config.camera.device.startswith("folder:") and self.engine.state is None:
                self.engine.command(self._own_match())
            self.camera = self._device("camera", lambda: catalogue.camera(self.config.camera.device, self._clock))
        if self.config.hole.device != "simulated":
            self.hole = self._device("hole_sensor", self._open_hole)

    def _open_hole(self) -> HoleSensor | None:
        device = catalogue.hole(self.config.hole.device, self._clock)
        if isinstance(device, catalogue.Serial):
            return HoleUnit(device.open(), self._clock, cursors=self.journal.cursors(), on_gap=self._on_gap)
        return device

    def _device(self, kind: str, open_: Callable[[], T]) -> T | None:
        try:
            return open_()
        except HardwareError as error:
            self.engine.notice(kind, str(error))
            return None

    def _simulate(self) -> None:
        """A simulated table plays on from where the journal left the match, or starts one."""
        if self.engine.state is None or self.engine.state.over:
            self.engine.command(self._own_match())
        assert self.engine.state is not None
        sides = self.engine.state.started.sides
        self.setting = SimulatedSetting(
            self.engine.state.game,
            self._clock,
            seed=self.config.simulated.seed + self.engine.state.last_id,
            colours={"A": sides[0].colour or "black", "B": sides[1].colour or "natural"},
            faults=self.config.simulated.faults,
            frames_per_second=self.config.simulated.frames_per_second,
            pace=True,
            cursors=self.journal.cursors(),
            on_gap=self._on_gap,
        )
        self.camera = self.setting.camera
        self.hole = self.setting.hole
        self.engine.on_events.append(self._players_follow)

    def _own_match(self) -> dict[str, Any]:
        match = self.config.match
        return {"do": "start", **match.model_dump(mode="json", exclude_none=True)}

    def _players_follow(self, events: object, state: m.MatchState) -> None:
        assert self.setting is not None
        if state.number != self._playing:
            self._playing = state.number
            self.setting.restart(state.game)

    # life

    def start(self) -> None:
        """Serve, watch and referee until `stop`. Raises when the scoreboard's address can't be had."""
        self.server.start()
        self._playing = self.engine.state.number if self.engine.state else 0
        self._spawn("engine", self._run_engine)
        if self.camera is not None:
            self._spawn("camera", self._run_camera)
        else:
            self.post(lambda: self.engine.camera(lost=True))
        if self.hole is not None and self.setting is None:
            self.hole.start(self._on_hole)
        self._spawn("health", self._run_health)

    def stop(self) -> None:
        """End everything; the journal holds the match."""
        self.server.stop()
        self._stopping.set()
        for device in (self.camera, self.hole):
            if device is not None:
                device.close()
        for thread in self._threads:
            if thread.name != "engine":
                thread.join(timeout=5.0)
        self._queue.put(None)
        for thread in self._threads:
            thread.join(timeout=5.0)
        if self.recorder:
            self.recorder.close()
        self.journal.close()

    def _spawn(self, name: str, run: Callable[[], None]) -> None:
        thread = threading.Thread(target=run, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def post(self, work: Callable[[], None]) -> None:
        """Have the engine's thread do this, after what is waiting already."""
        self._queue.put(work)

    def _run_engine(self) -> None:
        while (work := self._queue.get()) is not None:
            trouble = None
            try:
                work()
            except Exception:  # one bad input must not end the evening; it is logged with all we know
                log.exception("The engine could not take an input")
                trouble = "Something went wrong inside; the score may need a look."
            if trouble or self._troubled:
                self.engine.notice("engine", trouble)
            self._troubled = trouble is not None

    def _run_camera(self) -> None:
        lost = False
        while not self._stopping.is_set():
            try:
                for frame in self._frames():
                    if lost:
                        lost = False
                        self.post(lambda: self._camera_lost(None))
                    self._look(frame)
                    if self._stopping.is_set():
                        return
                if not self._stopping.is_set():
                    self._report_camera("The pictures have come to their end.")
                return
            except BadRecording as error:
                self._report_camera(str(error))
                return
            except DeviceLost as error:
                lost = True
                self._report_camera(str(error))
            except Exception:  # a fault of ours: the score can still be kept by hand, and the camera tried again
                lost = True
                log.exception("Watching failed")
                self._report_camera("Something went wrong while watching the board; trying again.")

    def _report_camera(self, text: str) -> None:
        self.post(lambda: self._camera_lost(text))
        self._stopping.wait(RETRY)

    def _frames(self) -> Iterator[Frame]:
        if self.setting is not None:
            return self.setting.frames(self._on_hole)
        if isinstance(self.camera, RecordingCamera):
            return self.camera.frames(self._happened)
        assert self.camera is not None
        return self.camera.frames()

    def _happened(self, entry: RecordedHole | RecordedCommand) -> None:
        """What a recording holds besides its pictures."""
        if isinstance(entry, RecordedHole):
            self._on_hole(HoleEvent(entry.t, entry.occupied))
        else:
            self.post(lambda: self.engine.command(entry.command))

    def _look(self, frame: Frame) -> None:
        recorded = Recorded(frame) if self.recorder else None
        for observation in self.lookout.see(recorded.frame if recorded else frame):
            if self.recorder and recorded and isinstance(observation, BoardRead):
                self.recorder.encoded(observation.t, recorded.data)
            elif self.recorder and isinstance(observation, GateChanged):
                self.recorder.remark(observation.t, gate=observation.word)
            self.post(lambda o=observation: self.engine.observe(o))  # type: ignore[misc]
        self._rest_between_matches(frame.t)

    def _camera_lost(self, text: str | None) -> None:
        self.engine.notice("camera", text)
        self.engine.camera(lost=text is not None)

    def _rest_between_matches(self, t: float) -> None:
        """The simulated players begin another match after a pause."""
        if self.setting is None or not self.setting.table.over:
            self._over_since = None
        elif self._over_since is None:
            self._over_since = t
        elif t - self._over_since > INTERVAL:
            self._over_since = None
            self.post(lambda: self.engine.command(self._own_match()))

    def _on_hole(self, event: HoleEvent) -> None:
        if self.recorder:
            self.recorder.hole(event.t, event.occupied)
        self.post(lambda: self._take_hole(event))

    def _on_gap(self, gap: Gap) -> None:
        self.post(lambda: self._take_gap(gap))

    def _take_gap(self, gap: Gap) -> None:
        self.engine.gap(gap.stream, gap.sequence)
        if isinstance(self.hole, HoleUnit):
            self.hole.acknowledge(gap)

    def _take_hole(self, event: HoleEvent) -> None:
        self.engine.hole(event)
        if self.hole is not None:
            self.hole.acknowledge(event)

    def _run_health(self) -> None:
        while not self._stopping.wait(HEALTH):
            if self.hole is not None:
                trouble = self._hole_trouble(self.hole)
                self.post(lambda trouble=trouble: self.engine.notice("hole_sensor", trouble))  # type: ignore[misc]
            frozen = self.lookout.watcher.figures.frozen_seconds > FROZEN
            text = "The camera repeats one picture: it is stuck. Check its cable." if frozen else None
            self.post(lambda text=text: self.engine.notice("camera_frozen", text))  # type: ignore[misc]

    def _hole_trouble(self, hole: HoleSensor) -> str | None:
        try:
            return hole.trouble()
        except HardwareError as error:
            return str(error)

    def _crop(self, picture: Image, disc: SeenDisc) -> bytes:
        assert self.eye.calibration is not None
        return encode(crop(picture, self.eye.calibration, disc))

    # controller.api.Table

    def snapshot(self) -> Snapshot:
        """The newest state."""
        return self.engine.snapshot

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """See `controller.api.Table.subscribe`."""
        self.engine.listeners.append(listener)
        return lambda: self.engine.listeners.remove(listener)

    def command(self, command: dict[str, Any]) -> Snapshot:
        """See `controller.api.Table.command`."""
        done: Future[Snapshot] = Future()

        def work() -> None:
            try:
                self.engine.command(command)
                if self.recorder:
                    self.recorder.command(self._clock.now(), command)
                done.set_result(self.engine.snapshot)
            except (BadInput, Refused) as error:
                done.set_exception(error)
            except BaseException as error:
                done.set_exception(error)
                raise

        if self._stopping.is_set():
            raise Refused("The table is stopping.")
        self.post(work)
        try:
            return done.result(ANSWER)
        except TimeoutError:
            raise Refused(
                "The table did not answer in time. Look whether it took the command before you repeat it."
            ) from None

    def picture(self, name: str) -> bytes | None:
        """A stored picture as JPEG."""
        return self.journal.picture(name)

    def health(self) -> dict[str, Any]:
        """Figures for the technician."""
        return {
            "watcher": asdict(self.lookout.watcher.figures),
            "hole": self.hole.occupied() if self.hole else None,
            "waiting": self._queue.qsize(),
        }
