"""The simulated camera. Taking its frames lets the simulated table's time pass."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Protocol

from hardware.devices import Camera, Clock, Frame, Image, Lens
from hardware.errors import DeviceLost
from hardware.simulated.faults import FaultPlan
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene

MAX_GAIN = 8.0  # times that at calibration: in the dark the picture stays dark
ADAPTATION_SECONDS = 0.3  # in which an unlocked camera corrects about two thirds of a change
SETTLED = 0.03  # relative: exposure and white balance this near to their goals have settled


class SceneSource(Protocol):
    """The table that the camera shows."""

    def advance(self, t: float) -> None:
        """Let time pass until `t`."""

    def scene(self) -> Scene:
        """The present scene."""


class SimulatedCamera(Camera):
    """A `BoardCamera` that paints what `table` shows, `fps` times a second of the table's time. Taking a frame advances
    the table to the frame's time. With `pace`, frames come in real time by `clock`, and a slow consumer misses some.
    Without it, frames come as fast as they are requested."""

    def __init__(
        self,
        table: SceneSource,
        painter: Painter,
        clock: Clock,
        *,
        fps: float = 30.0,
        faults: FaultPlan | None = None,
        pace: bool = False,
    ) -> None:
        self._table = table
        self._painter = painter
        self._clock = clock
        self._fps = fps
        self._faults = faults or FaultPlan()
        self._pace = pace
        self._begin: float | None = None
        self._number = 0
        self._automatics = _Automatics(1 / fps)

    @property
    def settled(self) -> bool:
        return self._automatics.settled

    def lock(self) -> None:
        """See `BoardCamera`; takes effect at once."""
        self._automatics.locked = True

    def unlock(self) -> None:
        self._automatics.locked = False

    @property
    def lens(self) -> Lens:
        pose = self._painter.pose
        return Lens(pose.focal, pose.width, pose.height)

    def frames(self) -> Iterator[Frame]:
        """Frames until `close`; a second call continues with the next number. Raises `DeviceLost` while unplugged."""
        if self._begin is None:
            self._begin = self._clock.now()
        shown: tuple[Scene, Image] | None = None
        while not self._closed:
            number, t = self._next(self._begin)
            if self._closed:
                return
            self._table.advance(t)
            if self._faults.camera_unplugged(t):
                raise DeviceLost("The simulated camera's cable is out: plug it in.")
            if self._faults.dropped(t, number):
                continue
            if shown is None or not self._faults.frozen(t):
                scene = self._automatics.expose(self._table.scene())
                shown = scene, self._painter.small(scene)
            scene, small = shown
            yield Frame(t, number, small, partial(self._painter.full, scene))

    def _next(self, begin: float) -> tuple[int, float]:
        """Number and time of the next exposure, waiting for it with `pace`."""
        if self._pace:
            late = int((self._clock.now() - begin) * self._fps)
            self._number = max(self._number, late)
        number = self._number
        self._number += 1
        t = begin + number / self._fps
        if self._pace:
            self._clock.sleep_until(t)
        return number, t


class _Automatics:
    """Exposure and white balance, which follow the light until they are locked."""

    def __init__(self, step: float) -> None:
        """`step` is the time from frame to frame in seconds."""
        self.locked = False
        self.settled = True
        self._share = step / (step + ADAPTATION_SECONDS)
        self._gain, self._warmth = 1.0, 0.0

    def expose(self, scene: Scene) -> Scene:
        """The scene in the light that its picture shows."""
        gain, warmth = min(1 / max(scene.light, 1e-6), MAX_GAIN), scene.warmth
        if not self.locked:
            self._gain += self._share * (gain - self._gain)
            self._warmth += self._share * (warmth - self._warmth)
        near = abs(self._gain / gain - 1) < SETTLED and abs(self._warmth - warmth) < SETTLED
        self.settled = self.locked or near
        if self._gain == 1.0 and self._warmth == 0.0:
            return scene
        return replace(scene, light=scene.light * self._gain, warmth=scene.warmth - self._warmth)
