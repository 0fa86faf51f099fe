"""A Pi sensor with libcamera's automatic exposure, white balance and focus, frame by frame.

`picamera2.md` beside this file says where each rule is documented, and what is different here.
"""

import math

WELL = 14_600.0  # us at gain 1: the exposure at light 1
MOST_GAIN = 16.0  # analogue
MOST_DIGITAL_GAIN = 4.0
LEAST_EXPOSURE = 26.0  # us
LINE = 14.7  # us: exposures are whole lines
MARGIN_LINES = 48  # of a frame that can't be exposed
AUTOMATIC_GAIN = 8.0  # the most that automatic exposure asks for
FIRST_EXPOSURE = 1000.0  # us: where automatic exposure starts from

STARTUP_FRAMES = 10  # in which AE and AWB follow at once
AE_SPEED = 0.2
AE_STABLE = 0.02
AE_LOCK_COUNT, AE_LOCK_ERROR, AE_LOCK_RESET = 5, 0.10, 1.5
AWB_SPEED, AWB_PERIOD = 0.05, 10
SENSOR_DELAY = 2  # frames from asking the sensor until it exposes so
FIRST_COLOURS = (1.3, 2.4)  # gains before white balance has seen anything
SCAN_FRAMES = 25
LENS_AT_REST, LENS_IN_FOCUS = 0.5, 1.1  # dioptres


class FakeSensor:
    """One opened camera. `step` is one exposure."""

    def __init__(self, focus, new):
        """`new`: libcamera 0.5 and later, which report AeState instead of AeLocked."""
        self.light = 1.0  # on the scene
        self.colour = (1.9, 1.6)  # the gains that make the light white
        self._new = new
        self._focus = focus
        self._frame_us = 33_333.0
        self._flicker = (0, 0.0)  # mode, period
        self._fixed = (0.0, 0.0)  # exposure and gain, 0 where automatic
        self._awb_fixed = False
        self._frames = 0
        self._filtered = FIRST_EXPOSURE
        self._target = 0.0
        self._pipe = []
        self._now = (FIRST_EXPOSURE, 1.0, 1.0)  # exposure, analogue gain, digital gain
        self._last = (0.0, 0.0, 0.0)
        self._lock_count = 0
        self._gains = self._gains_wanted = FIRST_COLOURS
        self._af_mode = 0
        self._scanned = 0
        self._lens = LENS_AT_REST

    @property
    def exposed(self):
        """How light the newest picture is, relative to a good one."""
        exposure, analogue, digital = self._now
        return self.light * exposure * analogue * digital / WELL

    def control(self, values):
        """What a request carries takes effect."""
        if "FrameDurationLimits" in values:
            self._frame_us = float(values["FrameDurationLimits"][1])
        if "AeEnable" in values:
            exposure, gain, _ = self._now
            self._fixed = (0.0, 0.0) if values["AeEnable"] else (exposure, gain)
        exposure, gain = self._fixed
        self._fixed = float(values.get("ExposureTime", exposure)), float(values.get("AnalogueGain", gain))
        mode, period = self._flicker
        self._flicker = int(values.get("AeFlickerMode", mode)), float(values.get("AeFlickerPeriod", period))
        self._awb_fixed = not values.get("AwbEnable", not self._awb_fixed)
        if self._awb_fixed and "ColourGains" in values:  # ignored while white balance is automatic
            self._gains = self._gains_wanted = values["ColourGains"]
        if values.get("AfMode", self._af_mode) != self._af_mode:
            self._af_mode, self._scanned = values["AfMode"], 0
        if self._af_mode == 0 and "LensPosition" in values:  # ignored in other modes
            self._lens = values["LensPosition"]

    def step(self):
        """One exposure, and what the algorithms make of it."""
        self._frames += 1
        if self._pipe and len(self._pipe) >= SENSOR_DELAY:
            self._now = self._pipe.pop(0)
        self._expose()
        self._count_lock()
        self._balance()
        if self._af_mode == 2 and self._scanned < SCAN_FRAMES:
            self._scanned += 1
            wanted = LENS_IN_FOCUS if self._scanned == SCAN_FRAMES else LENS_AT_REST
            self._lens = wanted

    def metadata(self):
        """The newest exposure's metadata."""
        exposure, analogue, digital = self._now
        metadata = {
            "ExposureTime": int(exposure),
            "AnalogueGain": analogue,
            "DigitalGain": digital,
            "ColourGains": self._gains,
        }
        locked = self._lock_count == AE_LOCK_COUNT
        if self._new:
            metadata["AeState"] = 0 if all(self._fixed) else 2 if locked else 1
        else:
            metadata["AeLocked"] = locked
        if self._focus:
            scan = 2 if self._scanned >= SCAN_FRAMES else 1
            metadata |= {"LensPosition": self._lens, "AfState": 0 if self._af_mode == 0 else scan}
        return metadata

    def _expose(self):
        exposure, gain, _ = self._now
        if all(self._fixed):
            self._target = self._filtered = self._fixed[0] * self._fixed[1]
        else:
            most = self._longest() * AUTOMATIC_GAIN
            measured = min(self.light * exposure * gain / WELL, 3.0)  # blown out: more can't be measured
            self._target = min(exposure * gain / max(measured, 0.1), most)
            self._filter()
        self._pipe.append(self._divided(self._filtered))

    def _filter(self):
        speed, stable = (1.0, 0.0) if self._frames <= STARTUP_FRAMES else (AE_SPEED, AE_STABLE)
        if abs(self._target / self._filtered - 1) < stable:
            return
        if 0.8 * self._target < self._filtered < 1.2 * self._target:
            speed = math.sqrt(speed)
        self._filtered += speed * (self._target - self._filtered)

    def _divided(self, total):
        """Exposure, analogue and digital gain that make `total` together."""
        fixed_exposure, fixed_gain = self._fixed
        exposure = fixed_exposure or min(max(total, LEAST_EXPOSURE), self._longest())
        mode, period = self._flicker
        if not fixed_exposure and mode == 1 and period and exposure >= period:
            exposure = exposure // period * period
        exposure = max(min(exposure, self._longest()) // LINE, 2) * LINE
        gain = max(1.0, fixed_gain or total / exposure)
        analogue = min(gain, MOST_GAIN)
        return exposure, analogue, min(max(total / (exposure * analogue), 1.0), MOST_DIGITAL_GAIN)

    def _longest(self):
        return self._frame_us - MARGIN_LINES * LINE

    def _count_lock(self):
        now = (self._now[0], self._now[1], self._target)
        error = max(
            abs(now[0] - self._last[0]) / (self._last[0] * AE_LOCK_ERROR + 200),
            *(abs(a - b) / (b * AE_LOCK_ERROR + 1e-9) for a, b in zip(now[1:], self._last[1:], strict=True)),
        )
        if error < 1:
            self._lock_count = min(self._lock_count + 1, AE_LOCK_COUNT)
        elif error > AE_LOCK_RESET:
            self._lock_count = 0
        self._last = now

    def _balance(self):
        if self._awb_fixed:
            return
        if self._frames % AWB_PERIOD == 0 or self._frames < STARTUP_FRAMES:
            self._gains_wanted = self.colour
        speed = 1.0 if self._frames < STARTUP_FRAMES else AWB_SPEED
        red, blue = (now + speed * (to - now) for now, to in zip(self._gains, self._gains_wanted, strict=True))
        self._gains = red, blue
