"""Joins the steps of the data in one place: frame, gate, reading, referee, journal, views. The service, `simulate` and
`replay` all use it, with different devices, clocks and listeners."""

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from controller.errors import Refused
from controller.journal import Journal
from controller.journal.clips import Clip
from controller.match import events as ev
from controller.match.state import MatchState
from controller.messages import Message
from controller.table.clip_keeper import ClipKeeper
from controller.table.clip_ring import ClipRing
from controller.table.engine import Engine
from controller.table.question_pictures import PictureMaker
from controller.table.recorder import Recorder
from controller.vision.readings import BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.eye import Eye
from controller.vision.watching.lookout import Lookout
from controller.vision.watching.observations import BoardRead, Observation
from firmware_bridge.tints import DiscTints
from hardware.devices import BoardCamera, Frame, HoleEvent, Tint

FACT = "tints"  # the fact in which the journal stores what was learnt


class HoleColour:
    """Learns by the discs' colours, not sides, so that later matches benefit. For the engine's thread."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._tints = journal.facts.read(FACT, lambda text: DiscTints(json.loads(text))) or DiscTints({})
        self._last: Tint | None = None  # the newest disc's

    def side(self, tint: Tint, state: MatchState | None) -> str | None:
        """The side whose disc looks like this; None if uncertain."""
        self._last = tint
        guess = self._tints.classify(tint)
        sides = [id_ for id_, side in _colours(state).items() if guess and guess.certain and side == guess.label]
        return sides[0] if len(sides) == 1 else None

    def emptied(self) -> None:
        """The hole changed: the last tint does not belong to the next disc."""
        self._last = None

    def happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        """Learn from a shot after which the camera saw a disc in the hole with certainty."""
        for event in events:
            if isinstance(event, ev.ShotSeen) and self._last is not None:
                sunk = [d for d, where in event.rest.items() if where == "hole" and d in event.measured]
                owner = state.game.round.owners.get(sunk[0]) if len(sunk) == 1 else None
                label = _colours(state).get(owner or "")
                if label and event.measured[sunk[0]].call == "sure":
                    self._tints.learn(label, self._last)
                    self._journal.facts.try_to_keep(FACT, json.dumps(self._tints.shown()))
                self._last = None


def _colours(state: MatchState | None) -> dict[str, str]:
    """Each side's colour, as far as people chose one."""
    return {id_: side.colour for id_, side in state.started.by_id.items() if side.colour} if state else {}


class Pipeline:
    """The eyes, referee and memory of one table. `opened` and `look` are for the camera's thread, everything else is
    for the engine's."""

    def __init__(
        self,
        journal: Journal,
        eye: Eye,
        *,
        now: Callable[[], float],
        wall: Callable[[], float],
        name: str = "Table",
        simulated: bool = False,
        live: bool = True,
        pictures: bool = True,
        clips: bool = False,
        level: Callable[[], bool | None] = lambda: None,
        light: Callable[[Message | None], None] = lambda _: None,
        film: bool = True,
        own_rules: Sequence[Mapping[str, Any]] = (),
        steady: Callable[[], float] | None = None,
        boot: str = "",
    ) -> None:
        """`now`: the clock of the frames; `wall`: the time of day; both in seconds.

        `live`: whether pictures come from a camera; a recording may repeat one. `pictures`, `clips`: whether pictures
        and clips of questions and shots are kept. `film`: whether shots are filmed. `light` is called on the camera's
        thread with a notice about the light, or None. For the others see `Engine`. Raises `rules.RulesError`."""
        self._keeper = ClipKeeper(journal.clips)
        self.engine = Engine(
            journal,
            name=name,
            simulated=simulated,
            wall=wall,
            level=level,
            picture_maker=PictureMaker(eye) if pictures else None,
            own_rules=own_rules,
            steady=steady,
            boot=boot,
            clips_of=self._keeper.of_match,
        )
        self.eye = eye
        self.lookout = Lookout(eye, light, live=live, film=film)
        self._journal = journal
        self._now = now
        self._hole_colour = HoleColour(journal)
        self.recorder = Recorder(self.lookout)
        self.engine.on_level_found = self.recorder.level
        self.engine.on_happened.append(self._hole_colour.happened)
        self.start_command: Callable[[BoardReading], dict[str, Any] | None] = lambda _: None
        """Called with each reading before the engine gets it: returns the command that starts a match, or None."""
        self._ring = ClipRing() if clips else None
        self._clips: deque[Clip | None] = deque()  # from the camera's thread to the engine's, one for each reading
        if clips:
            self.engine.on_happened.append(self._happened)

    def record(self, folder: Path) -> None:
        """Record all input from now on into this folder, ending any present recording. Raises `BadFile` if the
        folder can't be used."""
        self.recorder.renew(folder, self._now(), self._journal)

    def close(self) -> None:
        self.recorder.close()

    def opened(self, camera: BoardCamera) -> None:
        self.eye.lens = camera.lens
        self.lookout.steer(camera)

    def look(self, frame: Frame) -> list[Observation]:
        """The observations from a frame, each to be passed to `observed`."""
        seen = self.lookout.process_frame(frame)
        self.recorder.look(seen)
        if self._ring is not None:
            clip = self._ring.add(frame, seen, self.lookout.calibration)
            self._clips.extend(clip for one in seen if isinstance(one, BoardRead))
        return seen

    def observed(self, observation: Observation) -> None:
        if self._clips and isinstance(observation, BoardRead):
            self._keeper.settled(self._clips.popleft())
        if isinstance(observation, BoardRead) and (document := self.start_command(observation.reading)) is not None:
            self.command(document, observation.t)
        self.engine.observe(self.recorder.observed(observation))

    def _happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        self._keeper.happened(self.engine.history[-len(events) :], state, self.engine.history)

    def camera_changed(self, text: Message | str | None) -> None:
        """The camera was lost, with the reason; or, with None, is back."""
        self.recorder.camera_changed(self._now(), text is not None)
        self.engine.set_notice("camera", text)
        self.engine.camera_changed(lost=text is not None)

    def certified(self, palette: Palette) -> None:
        """Set-up has learnt the discs' colours, now or before the table was started."""
        self.recorder.palette(self._now(), palette)
        self.engine.certify(palette.sides)

    def hole_changed(self, event: HoleEvent, side: str | None = None) -> None:
        """The hole's sensor reported something. `side`: the disc's side, if it is known without the colour."""
        if event.tint is not None:
            side = self._hole_colour.side(event.tint, self.engine.state)
        elif side is None:
            self._hole_colour.emptied()
        self.recorder.hole_changed(event, side)
        self.engine.hole_changed(event, side)

    def command(self, document: dict[str, Any], t: float | None = None) -> None:
        """Carry out a command, given at `t` (s), by default now. Raises as `Engine.command` does."""
        t = self._now() if t is None else t
        self.engine.command(document)
        self.recorder.command(t, document)
        self.engine.set_notice("button", None)

    def button(self, name: Literal["undo", "confirm"]) -> None:
        """Carry out a button's command. If it is refused, a notice says why."""
        try:
            self.command({"do": name, "by": "button"})
        except Refused as error:
            self.engine.set_notice("button", error.args[0])
