"""A Pi camera's automatic exposure, white balance and focus: whether they have converged, and how to lock them.

libcamera documents the controls in src/libcamera/control_ids_core.yaml. What a Pi does with them, and which of them it
reports, is in src/ipa/rpi: ipa_base.cpp, controller/rpi/agc_channel.cpp and awb.cpp."""

from collections.abc import Container, Mapping
from typing import Any

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


class Automatics:
    """Follows one camera's automatics through its frames' metadata. `half_wave` is the period of the lamps' flicker in
    microseconds; None if they do not flicker."""

    def __init__(self, half_wave: float | None) -> None:
        self.half_wave = half_wave
        self._metadata: Metadata = {}
        self._anchor: tuple[float, ...] = ()  # light, red and blue gain at the start of the steady period
        self._since = 0  # start of the steady period, in the sensor's ns
        self._steady = 0.0  # s

    def update(self, metadata: Metadata) -> None:
        """Take the newest frame's metadata."""
        stamp = int(metadata["SensorTimestamp"])
        now = (_light(metadata), *map(float, metadata.get("ColourGains", ())))
        if not _is_near(now, self._anchor, STEADY_CHANGE):
            self._anchor, self._since = now, stamp
        self._steady = (stamp - self._since) / 1e9
        self._metadata = metadata

    def restart(self) -> None:
        """Start the steady period over, after the camera was reopened or unlocked."""
        self._anchor = ()

    @property
    def converged(self) -> bool:
        """Whether exposure, white balance and focus have all converged; meaningful while they are unlocked."""
        metadata = self._metadata
        # the latter: libcamera before 0.5
        exposed = metadata.get("AeState") == CONVERGED or bool(metadata.get("AeLocked"))
        focus = metadata.get("AfState")  # None: nothing to focus
        if self._steady < STEADY_SECONDS or focus not in (None, FOCUSED, FOCUS_FAILED):
            return False
        return exposed or self._steady >= UNREPORTED_SECONDS

    def in_effect(self, controls: Metadata) -> bool:
        """Whether the newest frame was taken with these controls, which come from `lock_controls`."""
        if not self._metadata:
            return False
        wanted = float(controls["ExposureTime"]), float(controls["ExposureTime"]) * float(controls["AnalogueGain"])
        return _is_near((float(self._metadata["ExposureTime"]), _light(self._metadata)), wanted, IN_EFFECT)

    def lock_controls(self, known: Container[str]) -> dict[str, Any]:
        """Those of the `known` controls that keep the newest frame's brightness, colours and focus. An exposure of a
        half-wave or more is rounded to whole half-waves, with the gain adjusted, so that flickering lamps light all
        lines equally. A shorter one stays: extending it would need a gain below 1, which no sensor has."""
        metadata = self._metadata
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
        return {name: value for name, value in wanted.items() if value is not None and name in known}

    def start_controls(self, known: Container[str]) -> dict[str, Any]:
        """Those of the `known` controls with which to open the camera."""
        wanted: dict[str, Any] = {"AfMode": CONTINUOUS_FOCUS}
        if self.half_wave:
            wanted |= {"AeFlickerMode": MANUAL_FLICKER, "AeFlickerPeriod": round(self.half_wave)}
        return {name: value for name, value in wanted.items() if name in known}

    def unlock_controls(self, known: Container[str]) -> dict[str, Any]:
        """Those of the `known` controls that undo `lock_controls`."""
        # Zeros return exposure and gain to automatic, in every version of libcamera and picamera2.
        wanted = {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True}
        return self.start_controls(known) | {name: value for name, value in wanted.items() if name in known}


def _light(metadata: Metadata) -> float:
    """Exposure times gains: microseconds at gain 1."""
    return float(metadata["ExposureTime"]) * float(metadata["AnalogueGain"]) * float(metadata.get("DigitalGain", 1.0))


def _is_near(values: tuple[float, ...], others: tuple[float, ...], share: float) -> bool:
    if len(values) != len(others):
        return False
    return all(abs(value - other) <= share * abs(other) for value, other in zip(values, others, strict=True))
