"""The interface of each device. Real and simulated drivers implement it and pass the same contract suite.

Times are seconds on the table's clock (`Clock.now`), a monotonic clock that all devices of one table share. Drivers
own their threads: a listener given to `start` is called on the driver's thread, must return at once and never raises.
"""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]  # a picture: (height, width) grey or (height, width, 3) in the order blue, green, red
Matrix = NDArray[np.integer[Any] | np.floating[Any]]
"""An array for OpenCV. Its own type, cv2.typing.MatLike, is missing from Debian's OpenCV packages."""


class Clock(Protocol):
    """The table's time. Simulated time passes only when the simulation steps."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""

    def sleep_until(self, t: float) -> None:
        """Return when `now()` is at least `t`."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One exposure in two sizes. Call `full` only when the full picture is needed: copying or painting it costs more
    than everything else. It may be called any number of times until the next frame is taken from the camera."""

    t: float  # start of the exposure
    number: int  # counts exposures, so a gap is a dropped frame
    small: Image  # (h, w) grey
    full: Callable[[], Image]  # () -> (H, W, 3), blue, green, red
    name: str = ""  # the file's name, when the frame comes from a recording


class BoardCamera(Protocol):
    """The camera above the board."""

    @property
    def lens(self) -> "Lens | None":
        """The lens's geometry; None if unknown."""

    def frames(self) -> Iterator[Frame]:
        """Frames in order of time until the source ends or `close` is called. Raises `DeviceNotFound` while the camera
        is not there, `DeviceRefused` if it is there and does not open, `DeviceLost` when it stops delivering; `frames`
        may then be called again to retry. After three refusals in a row the table's process may end."""

    @property
    def settled(self) -> bool:
        """Whether the newest frame's exposure, gain, white balance and focus are final. Unlocked: whether the camera's
        automatics have converged. Locked: whether the locked values have taken effect."""

    def lock(self) -> None:
        """Keep exposure, gain, white balance and focus as they are; takes effect some frames later. Still holds after
        the camera is reopened. Raises `DeviceLost` before the first frame."""

    def unlock(self) -> None:
        """Let the camera adjust them again, as it does from its first frame until `lock`."""

    def close(self) -> None:
        """Release the device. Safe to call twice, and from another thread."""


class Camera:
    """Base of the `BoardCamera` drivers; its defaults are for a source that never changes, such as a recording."""

    _closed = False

    @property
    def lens(self) -> "Lens | None":
        """See `BoardCamera`; not all cameras know their lens."""
        return None

    @property
    def settled(self) -> bool:
        """See `BoardCamera`."""
        return True

    def lock(self) -> None:
        """Everything is fixed already."""

    def unlock(self) -> None:
        """Nothing to do: nothing was locked, or the settings are made in the phone's app."""

    def close(self) -> None:
        """End `frames` after the pending frame; the camera is released then."""
        self._closed = True


class Memory(Protocol):
    """Keeps texts by name over restarts of the program."""

    def get(self, name: str) -> str | None:
        """The text; None if there is none."""

    def try_to_keep(self, name: str, value: str) -> None:
        """Replace the text, if that is possible now."""


@runtime_checkable
class SelfDescribing(Protocol):
    """A device that can describe itself for a bug report. Not every driver can."""

    def describe(self) -> dict[str, Any]:
        """The device's identity and present settings, as its library reports them: JSON values."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens's geometry, from its data sheet or an earlier measurement, in pixels of the full picture."""

    focal: float
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Tint:
    """Light that a disc in the hole reflects, in the colour sensor's counts, 0 to 65535 each."""

    clear: int  # without a colour filter
    red: int
    green: int
    blue: int


@dataclass(frozen=True, slots=True)
class HoleCounts:
    """How often the hole became occupied and was cleared since a microcontroller started; `boot`: this start's id."""

    boot: int
    rises: int
    falls: int

    def since(self, earlier: "HoleCounts") -> int | None:
        """The number of changes since then; None if nobody knows, because it restarted."""
        rises, falls = self.rises - earlier.rises, self.falls - earlier.falls
        return rises + falls if self.boot == earlier.boot and min(rises, falls) >= 0 else None


@dataclass(frozen=True, slots=True)
class HoleEvent:
    """The hole's level, bounce already removed, at the time of its change if that was seen. `occupied` is None while
    the sensor can't tell.

    An event with a `tint` measures the disc in the hole. `counts`: those of a microcontroller after this event, by
    which it goes on after a restart of the program. `missed`: how many changes before this event nobody saw; None if
    nobody knows."""

    t: float
    occupied: bool | None
    tint: Tint | None = None
    counts: HoleCounts | None = None
    missed: int | None = 0


class HoleSensor(Protocol):
    """The sensor in the 20 hole."""

    def start(self, listener: Callable[[HoleEvent], None]) -> None:
        """Start reporting."""

    def occupied(self) -> bool | None:
        """The level now; None when the sensor can't tell."""

    def set_polarity(self, low_when_occupied: bool) -> None:
        """Set which level of the sensor's output means a disc. If that reverses the meaning of the present level, a
        change is reported."""

    def trouble(self) -> str | None:
        """A sentence for the page that says what is wrong; None if nothing is."""

    def close(self) -> None:
        """Release the device. Safe to call twice."""


class ByteLink(Protocol):
    """A two-way stream of bytes: a serial port, a pseudo-terminal, a simulated wire."""

    def read(self, timeout: float) -> bytes:
        """Return what has arrived, waiting at most `timeout` seconds for the first byte; b"" if nothing did. Raises
        `DeviceLost` while the other end is gone. Each later call tries to open it again."""

    def write(self, data: bytes) -> None:
        """Send all of `data`, or raise `DeviceLost`."""

    def close(self) -> None:
        """Release the device. Safe to call twice."""


Signal = Literal["idle", "turn", "twenty", "foul", "check"]  # what the lamps can signal to the players


class Lamps(Protocol):
    """Lamps at the table that signal to the players what the page shows."""

    def show(self, signal: Signal, side: str | None = None, *, lit: bool = True) -> None:
        """Show one signal until the next; `side` is "A" or "B" where the signal concerns one. Not `lit`: the signal
        sounds, and every lamp is dark."""

    def close(self) -> None:
        """Lamps off."""


class ButtonPanel(Protocol):
    """The table's buttons."""

    def start(self, listener: Callable[[str], None]) -> None:
        """Report each press once, by the button's name: undo or confirm."""

    def close(self) -> None:
        """Release the pins."""


@dataclass(slots=True)
class ManualClock:
    """A clock that moves only when it is set; for simulations and tests."""

    t: float = field(default=0.0)

    def now(self) -> float:
        """The time it was last set to."""
        return self.t

    def sleep_until(self, t: float) -> None:
        """Jump there: nobody waits in simulated time."""
        self.t = max(self.t, t)


def later(seconds: float, call: Callable[[], None]) -> threading.Timer:
    """Call `call` after that delay, on a thread of its own, unless the timer is cancelled."""
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer


class SystemClock:
    """The machine's monotonic clock: seconds since 1970, or `start` at its construction."""

    def __init__(self, start: float | None = None) -> None:
        self._offset = (time.time() if start is None else start) - time.monotonic()

    def now(self) -> float:
        """The time; setting the machine's date does not affect it."""
        return time.monotonic() + self._offset

    def go_on_from(self, t: float) -> None:
        """Show at least `t` from now on: after a start with an earlier date it goes on after what it timed before."""
        self._offset += max(0.0, t - self.now())

    def sleep_until(self, t: float) -> None:
        """Wait; returns at once when `t` has passed."""
        time.sleep(max(0.0, t - self.now()))
