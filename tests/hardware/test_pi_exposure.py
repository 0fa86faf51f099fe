"""The Pi's camera: when its exposure, white balance and focus have settled, how they are kept, and when it hangs."""

import subprocess
import sys
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.automatics import STEADY_SECONDS, UNREPORTED_SECONDS, Automatics
from hardware.devices import ManualClock
from hardware.errors import DeviceLost, DeviceStuck
from hardware.picamera import RESEND_AFTER, PiCamera
from tests.hardware.camera_contract import card
from tests.hardware.fake_picamera2 import FakeLibrary

SECOND = 50  # frames
SETTLES = 4 * SECOND  # within which exposure, white balance and focus have come to rest
CARD = card(0)


class Pi:
    """A Pi whose camera always sees the same."""

    def __init__(self, model="imx708", *, new=True):
        self.library = FakeLibrary(lambda number: CARD, model, new=new)
        self.camera = PiCamera(ManualClock(), library=self.library, boot_time=lambda: self.library.boot_ns / 1e9)
        self.frames = self.camera.frames()

    @property
    def exposed(self):
        """How light the newest picture is, relative to a good one."""
        return self.library.opened[-1].sensor.exposed

    def run(self, frames):
        for _ in islice(self.frames, frames):
            pass

    def settle(self):
        """Frames until it has."""
        for count in range(SETTLES):
            next(self.frames)
            if self.camera.settled:
                return count
        raise AssertionError("it never settled")


@pytest.fixture(params=["new", "old"])
def pi(request):
    return Pi(new=request.param == "new")


def test_locking_keeps_what_the_camera_converged_to_and_not_its_first_frame(pi):
    next(pi.frames)
    assert not pi.camera.settled
    assert pi.exposed < 0.2
    assert pi.settle() >= STEADY_SECONDS * SECOND
    pi.camera.lock()
    pi.run(RESEND_AFTER + 10)
    assert pi.camera.settled
    assert pi.exposed == pytest.approx(1.0, rel=0.02)
    controls = pi.library.opened[0].controls
    assert controls["AeEnable"] is False
    assert controls["AwbEnable"] is False
    assert controls["ColourGains"] == pytest.approx((1.9, 1.6), rel=0.01)
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 1.1)


def test_locked_it_keeps_its_exposure_in_any_light_and_unlocked_it_follows(pi):
    pi.settle()
    pi.camera.lock()
    pi.run(RESEND_AFTER + 10)
    pi.library.light, pi.library.colour = 0.5, (2.6, 1.2)
    pi.run(SECOND)
    assert pi.exposed == pytest.approx(0.5, rel=0.02)
    pi.camera.unlock()
    assert not pi.camera.settled
    pi.settle()
    assert pi.exposed == pytest.approx(1.0, rel=0.03)
    pi.camera.lock()
    pi.run(RESEND_AFTER + 10)
    assert pi.exposed == pytest.approx(1.0, rel=0.03)
    assert pi.library.opened[0].controls["ColourGains"] == pytest.approx((2.6, 1.2), rel=0.02)


def test_white_balance_that_still_moves_has_not_settled(pi):
    pi.settle()
    pi.library.colour = (2.8, 1.2)
    pi.run(15)
    assert not pi.camera.settled
    pi.settle()
    assert pi.library.opened[0].sensor.metadata()["ColourGains"] == pytest.approx((2.8, 1.2), rel=0.02)


def test_a_lens_that_still_searches_has_not_settled(pi):
    pi.library.says["AfState"] = 1
    pi.run(SETTLES)
    assert not pi.camera.settled
    pi.library.says["AfState"] = 3  # it found nothing better: the reading says whether that is sharp enough
    next(pi.frames)
    assert pi.camera.settled


def test_an_exposure_that_never_reports_convergence_has_converged_when_steady(pi):
    pi.library.says |= {"AeLocked": None, "AeState": None}
    pi.run(round(UNREPORTED_SECONDS * SECOND) - 10)
    assert not pi.camera.settled
    pi.run(SECOND)
    assert pi.camera.settled


def test_a_camera_without_white_balance_settles(pi):
    pi.library.says["ColourGains"] = None
    pi.settle()
    pi.camera.lock()
    assert "ColourGains" not in pi.library.opened[0].controls


def test_a_lock_takes_effect_later_and_survives_a_stall(pi):
    pi.library.light = 0.3  # at gain 4.9; the lock changes nothing of it
    pi.settle()
    pi.camera.lock()
    pi.run(RESEND_AFTER + 10)
    pi.library.delivering = False
    with pytest.raises(DeviceLost, match="cable"):
        next(pi.frames)
    pi.library.delivering = True
    pi.frames = pi.camera.frames()
    pi.run(3)
    assert len(pi.library.opened) == 2
    assert pi.camera.settled
    assert pi.exposed == pytest.approx(1.0, rel=0.03)


def test_controls_that_picamera2_loses_are_sent_again(pi):
    pi.settle()
    pi.library.loses_controls = 1
    pi.camera.lock()
    pi.run(RESEND_AFTER + 10)
    assert pi.library.opened[0].controls["AeEnable"] is False
    pi.library.light = 0.4
    pi.run(SECOND)
    assert pi.exposed == pytest.approx(0.4, rel=0.03)


@given(
    exposure=st.floats(30.0, 33_000.0),
    gain=st.floats(1.0, 16.0),
    digital=st.floats(1.0, 4.0),
    half_wave=st.sampled_from((None, 10_000.0, 8_333.3)),
)
def test_a_lock_keeps_the_light_with_whole_half_waves_and_a_gain_of_at_least_one(exposure, gain, digital, half_wave):
    automatics = Automatics(half_wave)
    controls = {"ExposureTime": exposure, "AnalogueGain": gain, "DigitalGain": digital}
    automatics.update({**controls, "SensorTimestamp": 0})
    kept = automatics.lock(("ExposureTime", "AnalogueGain"))
    assert kept["AnalogueGain"] >= 1.0
    assert kept["ExposureTime"] * kept["AnalogueGain"] == pytest.approx(exposure * gain * digital, rel=0.06)
    if half_wave is None or exposure < 0.9 * half_wave:
        assert kept["ExposureTime"] == pytest.approx(exposure, abs=1)
    else:
        assert kept["ExposureTime"] <= 1.06 * exposure
    if half_wave and exposure >= half_wave:
        assert kept["ExposureTime"] % half_wave == pytest.approx(0, abs=1) or (
            kept["ExposureTime"] % half_wave == pytest.approx(half_wave, abs=1)
        )


def test_a_camera_that_does_not_stop_is_reported_without_waiting(pi, monkeypatch):
    monkeypatch.setattr("hardware.picamera.BLOCKED_SECONDS", 0.05)
    pi.run(3)
    pi.library.delivering = False
    pi.library.hang_at = {"stop"}
    with pytest.raises(DeviceLost):
        next(pi.frames)
    for _ in range(2):
        with pytest.raises(DeviceStuck, match="switch the Pi off and on"):
            next(pi.camera.frames())
    pi.library.unhang.set()


def test_a_camera_that_hangs_while_opening_is_reported(pi, monkeypatch):
    monkeypatch.setattr("hardware.picamera.BLOCKED_SECONDS", 0.05)
    pi.library.hang_at = {"open"}
    with pytest.raises(DeviceStuck):
        next(pi.frames)
    pi.library.unhang.set()


def test_the_process_ends_although_its_camera_hangs():
    """picamera2 closes its cameras when the interpreter ends; so does the fake."""
    program = """
import hardware.picamera
from tests.hardware.test_pi_exposure import Pi
hardware.picamera.BLOCKED_SECONDS = 0.05
pi = Pi()
pi.run(3)
pi.library.delivering, pi.library.hang_at = False, {"stop"}
try:
    next(pi.frames)
except OSError:
    print("lost")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "lost\n"), done.stderr
