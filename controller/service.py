"""The service: composes the table from real or simulated devices, and owns the threads.

The engine's thread processes one queue, item by item. The camera's thread examines frames and queues its observations;
the hole's sensor and the scoreboard queue their events and commands."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from controller.config import Config
from controller.errors import Refused
from controller.journal import TokenTable
from controller.journal.recovery import open_journal
from controller.messages import Message, say
from controller.referee.whose_disc import sided
from controller.simulation.evening import SimulatedEvening, own_match
from controller.systemd import notify
from controller.table.camera_thread import GIVEN_UP, CameraThread, frame_watcher
from controller.table.clips import ClipRing
from controller.table.clocks import DateClock, next_end, steady
from controller.table.club.membership import Membership
from controller.table.devices import Supervised, TableDevices, kept_counts
from controller.table.engine import Engine
from controller.table.engine_thread import EngineThread
from controller.table.hole_sensor import FlickerFilter
from controller.table.housekeeping import Housekeeping
from controller.table.kept_facts import kept_name, kept_pin, kept_secret, new_pin, restore_empty_board, stored_model
from controller.table.kept_rounds import Rounds
from controller.table.lamps_and_buttons import Panel, lights
from controller.table.question_pictures import review, shown_picture
from controller.table.setup.setup_service import SETUP_COMMANDS, Device, SetupService
from controller.table.spot_checks import SpotChecks
from controller.table.watchdog import Ends, Part, Watchdog
from controller.table.webhooks import Webhooks
from controller.views.history.archive import Archive
from controller.views.history.upkeep import note_made_with
from controller.views.schema import Reading, Review, Rules, State, TableHealth
from controller.views.state import NoticeKind
from firmware_bridge.client import HoleUnit
from hardware.devices import BoardCamera, Clock, Frame, HoleEvent, HoleSensor, SystemClock
from hardware.files import boot_id
from hardware.recording import RecordedCommand, RecordingCamera
from web_ui import Server, address, check_addresses, create_app

FROZEN = 2.0  # s without any change of a pixel: an image sensor's noise always changes
HEALTH = 5.0  # s between checks of the devices and attempts to open missing ones


class Service:
    """One running table. Implements `controller.api.Table`."""

    def __init__(self, config: Config, *, record: Path | None = None, clock: Clock | None = None) -> None:
        """Open the journal; `start` opens the devices. Raises `AddressUnavailable` if an address is in use."""
        self.config = config
        web = config.web
        tls = check_addresses(web)  # first: if it raises, nothing is open yet
        simulated = config.camera.device == "simulated"
        self._clock = clock or SystemClock(start=0.0 if simulated else None)
        self.journal = open_journal(config.table.journal)
        self.pin = self.journal.facts.get_or_create("pin", kept_pin, new_pin)
        self.tokens = TokenTable(self.journal.facts, steady)
        secret = self.journal.facts.get_or_create("secret", kept_secret, lambda: secrets.token_hex(32))
        boot = boot_id()
        self._dates = DateClock(self.journal, boot)
        self.engine = Engine(
            self.journal,
            stored_model(config, self.journal),
            name=self.journal.facts.read("name", kept_name) or config.table.name,
            simulated=simulated,
            wall=self._dates.now,
            now=self._clock.now,
            level=lambda: self.hole.occupied() if self.hole else None,
            own_rules=config.rules,
            steady=steady,
            boot=boot,
        )
        self.watcher = frame_watcher(config.camera, self.engine.model, lambda text: self.notice("light", text))
        self._engine_thread = EngineThread(self._failed, lambda: next_end(self.engine.state), self.engine.time_is_up)
        self.post = self._engine_thread.post
        if not simulated:
            self._go_on()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self.panel = Panel()
        self.engine.on_changed.append(lambda _: self.panel.show(self.engine.state, self.engine.word))
        self._housekeeping = Housekeeping(
            self.journal, self.engine, config.pictures, config.clips, self.post, self.notice, self._dates
        )
        self._enable_self_checks(secret)
        self.webhooks = Webhooks(config.web.webhooks, self._housekeeping.webhooks_changed)
        self.engine.on_happened.append(self.webhooks.happened)
        self.engine.on_changed.append(self.webhooks.changed)
        self.evening = self._begin_without_people()
        self._connect_devices()
        if record:
            self.engine.recorder.renew(record, self.journal)
        self.kept_round = Rounds(config, self.journal, self.engine, self._engine_thread, record=record is None).packed
        self.archive = Archive(self.journal)
        self.clip = self.journal.clips.read
        self.journal.on_written.append(self.archive.upkeep.happened)
        self.club = Membership(config, self.journal, self.engine, self.post)
        self._connect_setup()
        app = create_app(self, names=(*web.names, web.host), screen=config.screen, proxy=web.proxy)
        self.server = Server(app, web.host, web.port, tls)
        self._served = 0  # times that the scoreboard answered the health check
        self._ends = Ends(self.journal.facts, steady, boot)
        parts = (Part("camera", self._watched, vital=False), Part("engine", lambda: self._engine_thread.progress))
        self._watchdog = Watchdog((*parts, Part("scoreboard", lambda: self._served)), may_end=self._may_end)

    def _failed(self, why: Message) -> None:
        self.engine.set_notice("engine", why)  # until the next command

    def _go_on(self) -> None:
        """Go on with the match that was running."""
        state = self.engine.state
        if state is None or state.over:
            return
        restore_empty_board(self.engine.model, self.journal)
        if isinstance(self._clock, SystemClock):  # new changes of the sensor come after the recorded ones
            self._clock.go_on_from(max((change.t for change in state.hole), default=0.0))

    def _enable_self_checks(self, secret: bytes) -> None:
        """Start spot checks, and note the devices that the record depends on."""
        if self.config.checks.ask:
            lot = str(self.config.simulated.seed) if self.config.camera.device == "simulated" else secret.hex()
            checks = SpotChecks(lot.encode(), self.engine.command, self.post)
            self.engine.on_happened.append(checks.happened)
        note_made_with(self.journal, self.config.camera.device, self.config.hole.device)

    def _begin_without_people(self) -> SimulatedEvening | None:
        """A simulated table plays on or starts a match; a recording starts the configured match, if it has none yet."""
        if self.config.camera.device == "simulated":
            return SimulatedEvening(self.config, self.engine, self._clock, kept_counts(self.journal))
        if self.config.camera.device.startswith("folder:") and self.engine.state is None:
            self.engine.command(own_match(self.config))
        return None

    def _connect_devices(self) -> None:
        """Define how each configured device is opened, and who handles its events."""
        self._calm = FlickerFilter(lambda event: self.post(lambda: self._handle_hole(event)), self._clock.now)
        devices = TableDevices(self.config, self._clock, self.journal.facts.get, self.journal.facts)
        setting = self.evening.setting if self.evening else None
        self.camera_thread = CameraThread(
            (lambda: setting.camera) if setting else devices.open_camera,
            self._frames,
            opened=self._opened,
            look=self.watcher.process_frame,
            observed=lambda observation, clip: self.post(lambda: self.engine.observe(observation, clip)),
            report=lambda why: self.post(lambda: self.engine.camera_changed(why is not None, why)),
            focus=lambda text: self.notice("focus", text),
            clip=ClipRing(self.engine.model).add if self.config.clips.keep else lambda frame, seen: None,
            stuck=lambda why: self._watchdog.replace(why),
        )
        self._supervised = _supervised(self, devices)

    def _connect_setup(self) -> None:
        self.setup_service = SetupService(
            self.config,
            self.journal,
            self.engine,
            self.camera_thread.requests,
            self.panel,
            self.post,
            self._supervised,
            self.renew_pin,
            lambda: address(self.config.web.host, self.server.port),
            self.club,
            self._clock.now,
        )
        self.setup, self.setup_picture = self.setup_service.document, self.setup_service.picture

    def renew_pin(self) -> None:
        """Make another PIN, and let nobody in who came in by the last one."""
        pin = new_pin()
        self.journal.facts.keep("pin", pin)
        self.pin = pin
        self.tokens.end_all("session", "device")

    def hole_trouble(self, hole: HoleSensor) -> Message | str | None:
        """What is wrong with the hole's sensor, in a sentence; or None."""
        flickers = self._calm.trouble()
        return hole.trouble() or flickers

    @property
    def hole(self) -> HoleSensor | None:
        """The hole's sensor; None if there is none or it is not open."""
        supervised = self._supervised.get("hole_sensor")
        return supervised.device if supervised else None

    def start(self) -> None:
        """Serve, watch and referee until `stop`. Raises `AddressUnavailable`."""
        self.server.start()
        self._spawn("engine", self._engine_thread.run)
        if self.config.camera.device == "none":
            why = say("There is no camera: the score is kept by hand.")
            self.post(lambda: self.engine.camera_changed(True, why))
        else:
            self._spawn("camera", self.camera_thread.run)
        self._housekeeping.begin(self.config.table.data)
        self._check_devices()
        self._spawn("health", self._run_health)
        self._spawn("history", self.archive.upkeep.run)
        self._spawn("backups", lambda: self._housekeeping.run_backups(self._stopping.wait))
        self.club.start()
        notify("READY=1")

    def stop(self) -> None:
        notify("STOPPING=1")
        self.server.stop()
        self.club.stop()
        self._stopping.set()
        self.archive.upkeep.stop()
        self.camera_thread.stop()
        lamps = self._supervised.pop("lamps", None)
        for supervised in self._supervised.values():
            supervised.close()
        for thread in (one for one in self._threads if one.name != "engine"):
            thread.join(timeout=5.0)
        self._engine_thread.stop()
        for thread in self._threads:
            thread.join(timeout=5.0)
        if lamps is not None:  # closed last, since the engine's thread may use them until it ends
            lamps.close()
        self.webhooks.close()
        self.engine.recorder.close()
        self.archive.close()
        self.journal.close()

    def _spawn(self, name: str, run: Callable[[], None]) -> None:
        self._threads.append(threading.Thread(target=run, name=name, daemon=True))
        self._threads[-1].start()

    def _opened(self, camera: BoardCamera) -> None:
        self.engine.model.lens = camera.lens
        self.watcher.steer(camera)

    def _frames(self, camera: BoardCamera) -> Iterator[Frame]:
        if self.evening is not None:
            sensed = self.config.hole.device == "simulated"
            return self.evening.frames(self._calm.take if sensed else lambda _: None, lambda: self.post(self._play_on))
        if isinstance(camera, RecordingCamera):
            return camera.frames(self._on_recorded_event)
        return camera.frames()

    def notice(self, kind: NoticeKind, text: Message | str | None) -> None:
        """Set a notice, from any thread; None removes it."""
        self.post(lambda: self.engine.set_notice(kind, text))

    def _play_on(self) -> None:
        self.engine.command(self.club.start_assigned() or own_match(self.config))

    def _on_recorded_event(self, entry: HoleEvent | RecordedCommand) -> None:
        if isinstance(entry, HoleEvent):
            self._calm.take(entry)
        else:
            self.post(lambda: self.engine.command(entry.command))

    def _handle_hole(self, event: HoleEvent) -> None:
        self.engine.hole_changed(event)
        self.setup_service.sensor.heard(event)

    def _check_devices(self) -> None:
        for kind, supervised in self._supervised.items():
            self.notice(kind, supervised.check())

    def _run_health(self) -> None:
        while not self._stopping.wait(HEALTH):
            self._check_devices()
            self._housekeeping.step()
            frozen = self.watcher.figures.frozen_seconds > FROZEN
            stuck = say("The camera repeats one picture: it is stuck. Check its cable.")
            self.notice("camera_frozen", stuck if frozen else None)
            self._engine_thread.check()
            self._served += self.server.answers()
            self._watchdog.beat(time.monotonic())

    def _watched(self) -> int | None:
        """The camera thread's progress; None while none is expected. That is without a camera, after the last picture,
        and with a recording, whose pictures may be far apart in time."""
        device = self.config.camera.device
        idle = device == "none" or device.startswith("folder:") or self.camera_thread.ended
        return None if idle else self.camera_thread.progress

    def _may_end(self) -> bool:
        """Whether this process may end for the camera; if not, the page says that it goes on without one."""
        may = self._ends.another()
        if not may:
            self.camera_thread.no_pictures(GIVEN_UP)
        return may

    # controller.api.Table describes the rest

    def clock(self) -> float:
        return steady()

    def snapshot(self) -> State:
        return self.engine.snapshot

    def subscribe(self, listener: Callable[[State], None]) -> Callable[[], None]:
        self.engine.on_changed.append(listener)
        return lambda: self.engine.on_changed.remove(listener)

    def command(self, command: dict[str, Any]) -> State:
        if command.get("do") in SETUP_COMMANDS:
            self.setup_service.carry_out(command)
            return self.engine.snapshot
        if self._stopping.is_set():
            raise Refused(say("The table is stopping."))
        return self._engine_thread.call(lambda: self._carry_out(command))

    def _carry_out(self, command: dict[str, Any]) -> State:
        self.club.check(command)
        self.engine.command(command)
        self.engine.set_notice("engine", None)
        return self.engine.snapshot

    def rules(self) -> Rules:
        return Rules.of(*self.engine.view.rule_sets)

    def reading(self) -> Reading | None:
        newest, state = self.engine.reading, self.engine.state
        if newest is None:
            return None
        return cast(Reading, (sided(newest, state) if state else newest).to_json())

    def picture(self, name: str) -> bytes | None:
        return shown_picture(self.journal, self.engine.model, name)

    def review(self, name: str) -> Review:
        return review(self.journal, self.engine.model, name)

    def health(self) -> TableHealth:
        return {
            "watcher": asdict(self.watcher.figures),
            "hole": self.hole.occupied() if self.hole else None,
            "unit": self.hole.statistics() if isinstance(self.hole, HoleUnit) else None,
            "waiting": self._engine_thread.waiting,
            "journal_bytes": self.journal.path.stat().st_size,
        }


def _supervised(table: Service, devices: TableDevices) -> dict[Device, Supervised[Any]]:
    """How each device except the camera is opened, and who handles its events."""
    config, sensor, found = table.config, table.config.hole.device, dict[Device, Supervised[Any]]()
    if table.evening is not None and sensor == "simulated":
        simulated = table.evening.setting.hole
        found["hole_sensor"] = Supervised(lambda: simulated, lambda _: None, table.hole_trouble)
    elif sensor not in ("none", "simulated"):
        found["hole_sensor"] = Supervised(
            lambda: devices.open_hole(kept_counts(table.journal)),
            lambda hole: hole.start(table._calm.take),
            table.hole_trouble,
        )
    if config.lamps.wired:
        found["lamps"] = Supervised(
            lambda: devices.open_lamps(table.hole, lights(table.engine.state)),
            lambda lamps: table.post(lambda: table.panel.add(lamps)),
        )
    if config.buttons.wired:
        found["buttons"] = Supervised(
            lambda: devices.open_buttons(table.hole),
            lambda panel: panel.start(lambda button: table.post(lambda: table.engine.button(button))),
        )
    return found
