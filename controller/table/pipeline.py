"""The frame watcher of one table, and the engine that gets what it sees. The service, `simulate` and `replay` all use
it, with different devices, clocks and listeners."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from controller.journal import Journal
from controller.messages import Message
from controller.table.engine import Engine
from controller.table.recorder import Recorder
from controller.vision.readings import USUAL_SIDES
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.frame_watcher import FrameWatcher
from hardware.devices import BoardCamera


class Pipeline:
    """The frame watcher, whose observations are for `Engine.observe`, is for the camera's thread, the engine for its
    own."""

    def __init__(
        self,
        journal: Journal,
        model: BackgroundModel,
        *,
        now: Callable[[], float],
        wall: Callable[[], float],
        name: str = "Table",
        simulated: bool = False,
        live: bool = True,
        pictures: bool = True,
        level: Callable[[], bool | None] = lambda: None,
        light: Callable[[Message | None], None] = lambda _: None,
        film: bool = True,
        own_rules: Sequence[Mapping[str, Any]] = (),
        steady: Callable[[], float] | None = None,
        boot: str = "",
    ) -> None:
        """`now`: the clock of the frames; `wall`: the time of day; both in seconds.

        `live`: whether pictures come from a camera; a recording may repeat one. `pictures`: whether those of questions
        and shots are kept. `film`: whether shots are filmed. `light` is called on the camera's thread with a notice
        about the light, or None. For the others see `Engine`. Raises `rules.RulesError`."""
        self.model = model
        self.watcher = FrameWatcher(model, light, live=live, film=film)
        self.engine = Engine(
            journal,
            name=name,
            simulated=simulated,
            wall=wall,
            level=level,
            calibration=lambda: model.calibration if pictures else None,
            own_rules=own_rules,
            steady=steady,
            boot=boot,
            recorder=Recorder(lambda: model.calibration, now),
        )

        model.sides = lambda: len(self.engine.state.sides) if self.engine.state is not None else USUAL_SIDES

    def opened(self, camera: BoardCamera) -> None:
        self.model.lens = camera.lens
        self.watcher.steer(camera)
