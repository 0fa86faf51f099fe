"""The one place where the steps of the data are joined: frame, gate, reading, referee, journal, views.

The service, `simulate` and `replay` all play through it. They differ by their devices, their clock and who listens.
"""

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
from controller.table.hole_colour import HoleColour
from controller.table.listener import Listener
from controller.table.question_pictures import PictureMaker
from controller.table.recorder import Recorder
from controller.vision.readings import BoardReading
from controller.vision.side_colours import Palette
from controller.vision.watching.eye import Eye
from controller.vision.watching.lookout import Lookout
from controller.vision.watching.observations import BoardRead, Observation
from firmware_bridge.delivery import Gap
from hardware.devices import BoardCamera, Frame, HoleEvent


class Pipeline:
    """What sees, referees and remembers at one table.

    `opened` and `look` are for the camera's thread, all else is for the engine's.
    """

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

        `live`: a camera takes the pictures now; in a recording the same picture may come twice. `pictures`: whether
        pictures of questions and shots are kept; `clips`: whether what moved before them is, too. `film`: whether shots
        are filmed. `light` is told, on the camera's thread, what people should know of the light, or None. For the
        others see `Engine`. Raises `rules.RulesError`.
        """
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
        self._recorder: Recorder | None = None
        self.engine.listen(Listener(happened=self._hole_colour.happened))
        self.begins: Callable[[BoardReading], dict[str, Any] | None] = lambda _: None
        """Given each board before the engine sees it: the command that begins a match with it, or None."""
        self._ring = ClipRing() if clips else None
        self._clips: deque[Clip | None] = deque()  # from the camera's thread to the engine's, one for each board read
        if clips:
            self.engine.listen(Listener(happened=self._happened))

    def may_record(self, *, leaves_the_table: bool = False) -> None:
        """Have recordings possible from now on; before the camera is opened. `leaves_the_table`: see `Recorder`."""
        self._recorder = Recorder(self.lookout, leaves_the_table=leaves_the_table)
        self.engine.listen(Listener(level_found=self._recorder.level))

    def record(self, folder: Path) -> None:
        """Write a recording of what comes in from now on, instead of the one that was written so far, if any.

        Raises `BadRecording` where the folder can't be used.
        """
        if self._recorder is None:
            self.may_record()
        assert self._recorder is not None
        self._recorder.renew(folder, self._now(), self._journal)

    def close(self) -> None:
        """End the recording, if one is written."""
        if self._recorder is not None:
            self._recorder.close()

    def opened(self, camera: BoardCamera) -> None:
        """These frames come from this camera; for the camera's thread."""
        self.eye.lens = camera.lens
        self.lookout.steer(camera)

    def look(self, frame: Frame) -> list[Observation]:
        """What is seen in a frame; `observed` takes it, one by one."""
        seen = self.lookout.see(frame)
        if self._recorder:
            self._recorder.look(seen)
        if self._ring is not None:
            clip = self._ring.see(frame, seen, self.lookout.calibration)
            self._clips.extend(clip for one in seen if isinstance(one, BoardRead))
        return seen

    def observed(self, observation: Observation) -> None:
        """Something was seen."""
        if self._clips and isinstance(observation, BoardRead):
            self._keeper.settled(self._clips.popleft())
        if isinstance(observation, BoardRead) and (document := self.begins(observation.reading)) is not None:
            self._command(document, observation.t)
        self.engine.observe(self._recorder.observed(observation) if self._recorder else observation)

    def _happened(self, events: Sequence[ev.Event], state: MatchState) -> None:
        self._keeper.happened(self.engine.history[-len(events) :], state, self.engine.history)

    def camera(self, text: Message | str | None) -> None:
        """There are no pictures, and why; or None when they come again."""
        if self._recorder:
            self._recorder.camera(self._now(), text is not None)
        self.engine.notice("camera", text)
        self.engine.camera(lost=text is not None)

    def certified(self, palette: Palette) -> None:
        """Set-up has learnt how the discs look, now or before the table was started."""
        if self._recorder:
            self._recorder.palette(self._now(), palette)
        self.engine.certify(palette.sides)

    def hole(self, event: HoleEvent, side: str | None = None) -> None:
        """The hole's sensor changed, or told its disc's colour; afterwards the event may be acknowledged.

        `side`: whose disc it is, where that is known without the colour.
        """
        if event.tint is not None:
            side = self._hole_colour.side(event.tint, self.engine.state)
        elif side is None:
            self._hole_colour.emptied()
        if self._recorder:
            self._recorder.hole(event, side)
        self.engine.hole(event, side)

    def gap(self, gap: Gap) -> None:
        """The hole's unit lost events for good; afterwards that may be acknowledged."""
        if self._recorder:
            self._recorder.gap(self._now(), gap)
        self.engine.gap(gap.stream, gap.sequence)

    def command(self, document: dict[str, Any]) -> None:
        """Carry out a person's command. Raises as `Engine.command` does."""
        self._command(document, self._now())

    def _command(self, document: dict[str, Any], t: float) -> None:
        self.engine.command(document)
        if self._recorder:
            self._recorder.command(t, document)
        self.engine.notice("button", None)

    def button(self, name: Literal["undo", "confirm"]) -> None:
        """Carry out the command of that name. Where it is refused, a notice on the page says why."""
        try:
            self.command({"do": name, "by": "button"})
        except Refused as error:
            self.engine.notice("button", error.args[0])
