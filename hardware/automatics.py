"""A camera's automatic exposure, white balance and focus: whether they have converged, and how to lock a Pi camera's.

libcamera documents the controls in src/libcamera/control_ids_core.yaml. What a Pi does with them, and which of them it
reports, is in src/ipa/rpi: ipa_base.cpp, controller/rpi/agc_channel.cpp and awb.cpp."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

Figures = Sequence[float]
Metadata = Mapping[str, Any]  # a frame's metadata or a camera's controls, by libcamera's names
CONTINUOUS_FOCUS, MANUAL_FOCUS = 2, 0  # AfMode
FOCUSED, FOCUS_FAILED = 2, 3  # AfState: a scan is over
MANUAL_FLICKER = 1  # AeFlickerMode
CONVERGED = 2  # AeState
STEADY_CHANGE = 0.02  # relative: agc_channel.cpp leaves an exposure alone within this ("stable_region")
STEADY_SECONDS = 1.0
"""awb.cpp does not report whether it has converged. 30 times a second it closes 5 % of the remaining gap ("speed"):
after a second with less than 2 % of change, less than 0.6 % remain."""
UNREPORTED_SECONDS = 5.0  # an exposure that is steady for so long has converged, even if not reported (picamera2 #908)
LINE_ROUNDING = 0.05  # relative: sensors expose for whole lines, so a half-wave is reported as slightly less
IN_EFFECT = (
    0.05  # relative: how near the reported exposure comes to the requested one, after rounding to lines and gain steps
)


class Steady:
    """Measures how long figures have kept their values, within a `share` of the first ones plus `slack`."""

    def __init__(self, share: float, slack: float = 0.0) -> None:
        self._share, self._slack = share, slack
        self.restart()

    def restart(self) -> None:
        """Start over, after a camera was reopened, locked or unlocked."""
        self.seconds = self._since = 0.0
        self._anchor: Figures = ()

    def update(self, figures: Figures, t: float) -> None:
        """Take the next figures, of time `t` in seconds."""
        if not _are_near(figures, self._anchor, self._share, self._slack):
            self._anchor, self._since = figures, t
        self.seconds = t - self._since


class Automatics:
    """Follows one camera's automatics through its frames' metadata. `half_wave` is the period of the lamps' flicker in
    microseconds; None if they do not flicker."""

    def __init__(self, half_wave: float | None) -> None:
        self.half_wave = half_wave
        self.metadata: Metadata = {}  # of the newest frame
        self.locked: dict[str, Any] = {}  # the controls that keep everything as it is; none while unlocked
        self.steady = Steady(STEADY_CHANGE)

    def update(self, metadata: Metadata) -> None:
        """Take the newest frame's metadata."""
        figures = (_light(metadata), *map(float, metadata.get("ColourGains", ())))
        self.steady.update(figures, metadata["SensorTimestamp"] / 1e9)
        self.metadata = metadata

    @property
    def settled(self) -> bool:
        """Whether exposure, white balance and focus have converged; when locked, whether the lock has taken effect."""
        if not self.metadata:
            return False
        if self.locked:
            exposure = float(self.locked["ExposureTime"])
            wanted = exposure, exposure * float(self.locked["AnalogueGain"])
            return _are_near((float(self.metadata["ExposureTime"]), _light(self.metadata)), wanted, IN_EFFECT)
        # the latter: libcamera before 0.5
        exposed = self.metadata.get("AeState") == CONVERGED or bool(self.metadata.get("AeLocked"))
        focus = self.metadata.get("AfState")  # None: nothing to focus
        if self.steady.seconds < STEADY_SECONDS or focus not in (None, FOCUSED, FOCUS_FAILED):
            return False
        return exposed or self.steady.seconds >= UNREPORTED_SECONDS

    def lock(self, known: Container[str]) -> dict[str, Any]:
        """Those of the `known` controls that keep the newest frame's brightness, colours and focus. An exposure of a
        half-wave or more is rounded to whole half-waves, with the gain adjusted, so that flickering lamps light all
        lines equally. A shorter one stays: extending it would need a gain below 1, which no sensor has."""
        metadata = self.metadata
        exposure, light = float(metadata["ExposureTime"]), _light(metadata)
        if self.half_wave and (waves := int(exposure / self.half_wave + LINE_ROUNDING)):
            exposure = waves * self.half_wave
        wanted = {
            "AeEnable": False,
            "ExposureTime": round(exposure),
            "AnalogueGain": max(1.0, light / exposure),
            "AwbEnable": False,
            "ColourGains": metadata.get("ColourGains"),
            "AfMode": MANUAL_FOCUS,
            "LensPosition": metadata.get("LensPosition"),
        }
        self.locked = _only(known, wanted)
        return self.locked

    def controls(self, known: Container[str]) -> dict[str, Any]:
        """Those of the `known` controls with which to open the camera: the locked ones, else automatic ones with the
        lamps' flicker avoided."""
        if self.locked:
            return self.locked
        avoided = {"AeFlickerMode": MANUAL_FLICKER, "AeFlickerPeriod": round(self.half_wave)} if self.half_wave else {}
        return _only(known, {"AfMode": CONTINUOUS_FOCUS, **avoided})

    def unlock(self, known: Container[str]) -> dict[str, Any]:
        """Those of the `known` controls that undo `lock`."""
        self.locked = {}
        self.steady.restart()
        # Zeros return exposure and gain to automatic, in every version of libcamera and picamera2.
        wanted = {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True}
        return self.controls(known) | _only(known, wanted)


def _only(known: Container[str], wanted: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in wanted.items() if value is not None and name in known}


def _light(metadata: Metadata) -> float:
    """Exposure times gains: microseconds at gain 1."""
    return float(metadata["ExposureTime"]) * float(metadata["AnalogueGain"]) * float(metadata.get("DigitalGain", 1.0))


def _are_near(figures: Figures, others: Figures, share: float, slack: float = 0.0) -> bool:
    return len(figures) == len(others) and all(
        abs(figure - other) <= share * abs(other) + slack for figure, other in zip(figures, others, strict=True)
    )
