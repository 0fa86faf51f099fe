"""A Pi camera's own exposure, white balance and focus: whether they have come to rest, and the controls to keep them.

What the controls mean stands in libcamera's src/libcamera/control_ids_core.yaml; what a Pi does with them, and which
of them it tells, in src/ipa/rpi: ipa_base.cpp, controller/rpi/agc_channel.cpp and awb.cpp.
"""

from collections.abc import Container, Mapping
from typing import Any

Values = Mapping[str, Any]

CONTINUOUS_FOCUS, MANUAL_FOCUS = 2, 0  # AfMode
FOCUSED, FOCUS_FAILED = 2, 3  # AfState: a scan is over
MANUAL_FLICKER = 1  # AeFlickerMode
CONVERGED = 2  # AeState

STEADY_CHANGE = 0.02  # relative: agc_channel.cpp does not change an exposure that is as near ("stable_region")
STEADY_SECONDS = 1.0
"""awb.cpp does not tell whether it has converged. 30 times a second it goes 5 % of the way that is left ("speed"):
after a second that brought less than 2 %, less than 0.6 % are left."""
UNTOLD_SECONDS = 5.0  # so long steady, an exposure counts as converged though none is told (picamera2 #908)
LINES = 0.05  # relative: sensors count an exposure in whole lines, so a whole half-wave is told as a little less
IN_EFFECT = 0.05  # relative: as near does the told exposure come to what was asked for, in whole lines and gain steps


class Automatics:
    """The automatics of one camera, by its frames' metadata.

    `half_wave` is the time in microseconds in which the lamps go from bright to dark to bright, None where they don't.
    """

    def __init__(self, half_wave: float | None) -> None:
        self.half_wave = half_wave
        self._told: Values = {}
        self._anchor: tuple[float, ...] = ()  # light, red and blue since which nothing has changed
        self._since = 0  # when, in the sensor's ns
        self._steady = 0.0  # s

    def see(self, told: Values) -> None:
        """The newest frame's metadata."""
        stamp = int(told["SensorTimestamp"])
        now = (_light(told), *map(float, told.get("ColourGains", ())))
        if not _near(now, self._anchor, STEADY_CHANGE):
            self._anchor, self._since = now, stamp
        self._steady = (stamp - self._since) / 1e9
        self._told = told

    def restart(self) -> None:
        """Forget how long they have been steady: the camera was opened anew, or freed."""
        self._anchor = ()

    @property
    def converged(self) -> bool:
        """Whether all of them have come to rest, while they are free."""
        told = self._told
        exposed = told.get("AeState") == CONVERGED or bool(told.get("AeLocked"))  # the latter: libcamera before 0.5
        focus = told.get("AfState")  # None: nothing to focus
        if self._steady < STEADY_SECONDS or focus not in (None, FOCUSED, FOCUS_FAILED):
            return False
        return exposed or self._steady >= UNTOLD_SECONDS

    def in_effect(self, kept: Values) -> bool:
        """Whether the newest frame was taken with these controls of `keeping`."""
        if not self._told:
            return False
        wanted = float(kept["ExposureTime"]), float(kept["ExposureTime"]) * float(kept["AnalogueGain"])
        return _near((float(self._told["ExposureTime"]), _light(self._told)), wanted, IN_EFFECT)

    def keeping(self, known: Container[str]) -> dict[str, Any]:
        """The controls, of those that are `known`, that keep the newest frame's light, colours and focus.

        An exposure of a half-wave or more becomes whole half-waves and the gain makes up for it, so that lamps light
        all lines alike. A shorter one stays: a longer one would need a gain below 1, which no sensor has.
        """
        told = self._told
        exposure, light = float(told["ExposureTime"]), _light(told)
        if self.half_wave and (waves := int(exposure / self.half_wave + LINES)):
            exposure = waves * self.half_wave
        wanted = {
            "AeEnable": False,
            "ExposureTime": round(exposure),
            "AnalogueGain": max(1.0, light / exposure),
            "AwbEnable": False,
            "ColourGains": told.get("ColourGains"),
            "AfMode": MANUAL_FOCUS,
            "LensPosition": told.get("LensPosition"),
        }
        return {name: value for name, value in wanted.items() if value is not None and name in known}

    def starting(self, known: Container[str]) -> dict[str, Any]:
        """The controls, of those that are `known`, for a camera that has just been opened."""
        wanted: dict[str, Any] = {"AfMode": CONTINUOUS_FOCUS}
        if self.half_wave:
            wanted |= {"AeFlickerMode": MANUAL_FLICKER, "AeFlickerPeriod": round(self.half_wave)}
        return {name: value for name, value in wanted.items() if name in known}

    def freeing(self, known: Container[str]) -> dict[str, Any]:
        """The controls, of those that are `known`, that undo `keeping`."""
        # Zeros give exposure and gain back to the automatic one, in every version of libcamera and picamera2.
        wanted = {"AeEnable": True, "ExposureTime": 0, "AnalogueGain": 0.0, "AwbEnable": True}
        return self.starting(known) | {name: value for name, value in wanted.items() if name in known}


def _light(told: Values) -> float:
    """What exposure and gains make of the light together, in microseconds at gain 1."""
    return float(told["ExposureTime"]) * float(told["AnalogueGain"]) * float(told.get("DigitalGain", 1.0))


def _near(values: tuple[float, ...], others: tuple[float, ...], share: float) -> bool:
    if len(values) != len(others):
        return False
    return all(abs(value - other) <= share * abs(other) for value, other in zip(values, others, strict=True))
