"""What each device promises. Real and simulated drivers keep the same promises and pass the same contract suites.

Times are seconds on the table's clock (`Clock.now`), a monotonic clock that all devices of one table share. Drivers
own their threads: a listener given to `start` is called on the driver's thread, must return at once and never raises.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A picture: (height, width) grey or (height, width, 3) in the order blue, green, red."""
Matrix = NDArray[np.integer[Any] | np.floating[Any]]
"""What OpenCV computes with. Its own name for it, cv2.typing.MatLike, is missing in Debian's packages of OpenCV."""


class Clock(Protocol):
    """The table's time. Simulated time passes only when the simulation steps."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...

    def sleep_until(self, t: float) -> None:
        """Return when `now()` is at least `t`."""
        ...


@dataclass(frozen=True, slots=True)
class Frame:
    """One exposure in two sizes.

    Call `full` only when the full picture is needed: to copy or paint it costs more than all the rest. It may be called
    any number of times until the next frame has been taken from the camera.
    """

    t: float  # start of the exposure
    number: int  # counts exposures, so a gap is a dropped frame
    small: Image  # (h, w) grey
    full: Callable[[], Image]  # () -> (H, W, 3), blue, green, red
    name: str = ""  # the file's name, when the frame comes from a recording


class BoardCamera(Protocol):
    """The camera above the board."""

    @property
    def lens(self) -> "Lens | None":
        """What is known of the lens, if anything."""
        ...

    def frames(self) -> Iterator[Frame]:
        """Frames in order of time until the source ends or `close` is called.

        Raises `DeviceLost` when the camera stops delivering; `frames` may then be called again to try anew.
        """
        ...

    @property
    def settled(self) -> bool:
        """Whether exposure, gain, white balance and focus of the newest frame are those that will stay.

        While the camera is free: whether it has found them. While it is locked: whether the kept ones have taken
        effect.
        """
        ...

    def lock(self) -> None:
        """Keep exposure, gain, white balance and focus as they are; takes effect some frames later.

        Outlasts a reopening. Raises `DeviceLost` before the first frame.
        """
        ...

    def unlock(self) -> None:
        """Let the camera find them anew. It does so from its first frame until `lock`."""
        ...

    def close(self) -> None:
        """Give the device back. Safe to call twice, and from another thread."""
        ...


class Unchanging:
    """These methods of a `BoardCamera` for one that has no exposure, white balance or focus: a film, a painter."""

    @property
    def settled(self) -> bool:
        """Always."""
        return True

    def lock(self) -> None:
        """Nothing here changes by itself."""

    def unlock(self) -> None:
        """Nothing was locked."""


@runtime_checkable
class Tells(Protocol):
    """A device that can describe itself, for a report that somebody far away reads. Not every one can."""

    def tells(self) -> dict[str, Any]:
        """What it is and how it is set now, as its own library says it: figures, texts, lists of them."""
        ...


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's geometry as its maker or an earlier measurement tells it, in pixels of the full picture."""

    focal: float
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Tint:
    """Light that came back from a disc in the hole, in the colour sensor's counts, 0 to 65535 each."""

    clear: int  # all colours together
    red: int
    green: int
    blue: int


@dataclass(frozen=True, slots=True)
class HoleEvent:
    """The 20 hole became occupied or was cleared, bounce already removed.

    With a `tint` it is no change: it tells what the disc looks like that has lain in the hole since the event before.
    `stream` and `sequence` name the event for ever when the sensor keeps a journal of its own (a microcontroller);
    both are None for a bare pin.
    """

    t: float
    occupied: bool
    stream: int | None = None
    sequence: int | None = None
    tint: Tint | None = None


class HoleSensor(Protocol):
    """The sensor in the 20 hole.

    A sensor that changes more often than hands can move discs flickers. It may then withhold changes that cancel each
    other, and report a level that holds some seconds late, with the time of its change; `trouble` says that it
    flickers.
    """

    def start(self, listener: Callable[[HoleEvent], None]) -> None:
        """Begin to report. Events that the sensor kept while nobody listened come first."""
        ...

    def acknowledge(self, event: HoleEvent) -> None:
        """The event is on disk; a sensor with a journal may forget it. Others do nothing."""
        ...

    def occupied(self) -> bool | None:
        """The level now; None when the sensor can't tell."""
        ...

    def set_polarity(self, low_when_occupied: bool) -> None:
        """Which level of the sensor's output means a disc, from now on.

        Where the level means something else now, that is reported as a change.
        """
        ...

    def trouble(self) -> str | None:
        """What is wrong, in a sentence for the page, or None."""
        ...

    def close(self) -> None:
        """Give the device back. Safe to call twice."""
        ...


@runtime_checkable
class ByteLink(Protocol):
    """A two-way stream of bytes: a serial port, a pseudo-terminal, a simulated wire."""

    def read(self, timeout: float) -> bytes:
        """What has arrived, waiting at most `timeout` seconds for the first byte; b"" when nothing did.

        Raises `DeviceLost` when the other end is gone. A later call tries to open it again, and raises until it is
        there.
        """
        ...

    def write(self, data: bytes) -> None:
        """Send all of `data`, or raise `DeviceLost`."""
        ...

    def close(self) -> None:
        """Give the device back. Safe to call twice."""
        ...


Signal = Literal["idle", "turn", "twenty", "foul", "check"]
"""What the lamps can say to the players."""


class Lamps(Protocol):
    """Lamps at the table that show the players what the page shows."""

    def show(self, signal: Signal, side: str | None = None) -> None:
        """Show one signal until the next; `side` is "A" or "B" where the signal concerns one."""
        ...

    def close(self) -> None:
        """Lamps off."""
        ...


@dataclass(frozen=True, slots=True)
class Buttons:
    """Which button does what: pin or key names by the command that they stand for."""

    undo: str | None = None
    confirm: str | None = None


class ButtonPanel(Protocol):
    """The table's buttons."""

    def start(self, listener: Callable[[Literal["undo", "confirm"]], None]) -> None:
        """Report each press once."""
        ...

    def close(self) -> None:
        """Give the pins back."""
        ...


@dataclass(slots=True)
class ManualClock:
    """A clock that moves only when told to; for simulations and tests."""

    t: float = field(default=0.0)

    def now(self) -> float:
        """The time it was last set to."""
        return self.t

    def sleep_until(self, t: float) -> None:
        """Jump there: nobody waits in simulated time."""
        self.t = max(self.t, t)


class SystemClock:
    """The machine's clock: seconds since 1970, or since `start` counted from when it was made; monotonic."""

    def __init__(self, start: float | None = None) -> None:
        self._offset = (time.time() if start is None else start) - time.monotonic()

    def now(self) -> float:
        """The time, not disturbed when the machine's date is set."""
        return time.monotonic() + self._offset

    def sleep_until(self, t: float) -> None:
        """Wait; returns at once when `t` has passed."""
        time.sleep(max(0.0, t - self.now()))
