"""What reaches the engine, on the engine's thread: first into the recording, if one is kept, then into the match."""

from collections.abc import Callable
from typing import Any, Literal

from controller.errors import Refused
from controller.messages import Message
from controller.table.engine import Engine
from controller.table.hole_colour import HoleColour
from controller.table.recorder import Recorder
from controller.vision.side_colours import Palette
from controller.vision.watching.observations import Observation
from firmware_bridge.delivery import Gap
from hardware.devices import HoleEvent


class Pipeline:
    """The way into one engine. `now` is the table's clock."""

    def __init__(
        self, engine: Engine, now: Callable[[], float], tinting: HoleColour, recorder: Recorder | None = None
    ) -> None:
        self._engine = engine
        self._now = now
        self._tinting = tinting
        self._recorder = recorder
        engine.on_events.append(tinting.happened)
        if recorder:
            engine.on_level = recorder.level

    def observed(self, observation: Observation) -> None:
        """The watcher saw something."""
        self._engine.observe(self._recorder.observed(observation) if self._recorder else observation)

    def camera(self, text: Message | str | None) -> None:
        """There are no pictures, and why; or None when they come again."""
        if self._recorder:
            self._recorder.camera(self._now(), text is not None)
        self._engine.notice("camera", text)
        self._engine.camera(lost=text is not None)

    def certified(self, palette: Palette) -> None:
        """Set-up has learnt how the discs look, now or before the table was started."""
        if self._recorder:
            self._recorder.palette(self._now(), palette)
        self._engine.certify(palette.sides)

    def hole(self, event: HoleEvent) -> None:
        """The hole's sensor changed, or told its disc's colour; afterwards the event may be acknowledged."""
        side = None
        if event.tint is not None:
            side = self._tinting.side(event.tint, self._engine.state)
        else:
            self._tinting.emptied()
        self._engine.hole(self._recorder.hole(event, side) if self._recorder else event, side)

    def gap(self, gap: Gap) -> None:
        """The hole's unit lost events for good; afterwards that may be acknowledged."""
        if self._recorder:
            self._recorder.gap(self._now(), gap)
        self._engine.gap(gap.stream, gap.sequence)

    def command(self, document: dict[str, Any]) -> None:
        """Carry out a person's command. Raises as `Engine.command` does."""
        self._engine.command(document)
        if self._recorder:
            self._recorder.command(self._now(), document)
        self._engine.notice("button", None)

    def button(self, name: Literal["undo", "confirm"]) -> None:
        """What the command of that name does; why not, where it can't be, stands on the page."""
        try:
            self.command({"do": name, "by": "button"})
        except Refused as error:
            self._engine.notice("button", error.args[0])
