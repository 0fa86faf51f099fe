"""The simulated camera: times and numbers of frames, its end, its faults. The painter is real."""

from dataclasses import dataclass, field
from itertools import islice, pairwise
from threading import Event, Thread

import numpy as np
import pytest

from hardware.devices import ManualClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.faults import FaultPlan
from hardware.simulated.lens import CameraPose
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.hardware.camera_contract import CameraContract
from tests.hardware.test_cameras import Held

POSE = CameraPose().scaled(640, 480)


@dataclass
class Slide:
    """A table on which one disc slides along x by 30 mm a second."""

    t: float = 0.0
    times: list[float] = field(default_factory=list)

    def advance(self, t):
        self.t = max(self.t, t)
        self.times.append(t)

    def scene(self):
        return Scene(self.t, (SceneDisc("a", "black", 30.0 * self.t % 200.0, 60.0),))


@pytest.fixture(scope="module")
def painter():
    return Painter(pose=POSE)


class TestContract(CameraContract):
    shows_card = False

    @pytest.fixture
    def new_bench(self, painter):
        return lambda: Held(SimulatedCamera(Slide(), painter, ManualClock()))


def taken(camera, count):
    return list(islice(camera.frames(), count))


def test_frames_carry_the_tables_time_and_count_exposures(painter):
    table = Slide()
    frames = taken(SimulatedCamera(table, painter, ManualClock(5.0), fps=25), 4)
    assert [f.number for f in frames] == [0, 1, 2, 3]
    assert [f.t for f in frames] == pytest.approx([5.0, 5.04, 5.08, 5.12])
    assert table.times == [f.t for f in frames]
    assert frames[0].small.shape == (240, 320)


def test_the_full_picture_shows_the_same_moment_however_often_it_is_read(painter):
    table = Slide()
    frame = next(SimulatedCamera(table, painter, ManualClock()).frames())
    first = frame.full()
    table.advance(3.0)
    assert np.array_equal(frame.full(), first)
    assert np.array_equal(first, painter.full(Scene(0.0, (SceneDisc("a", "black", 0.0, 60.0),))))


def test_the_lens_is_that_of_the_painters_pose(painter):
    camera = SimulatedCamera(Slide(), painter, ManualClock())
    assert (camera.lens.focal, camera.lens.width, camera.lens.height) == (POSE.focal, 640, 480)


def test_frames_continue_where_they_stopped(painter):
    camera = SimulatedCamera(Slide(), painter, ManualClock())
    taken(camera, 3)
    again = taken(camera, 2)
    assert [f.number for f in again] == [3, 4]
    assert again[0].t == pytest.approx(0.1)


def test_with_pace_it_waits_for_the_clock_and_a_late_consumer_loses_frames(painter):
    clock = ManualClock(2.0)
    frames = SimulatedCamera(Slide(), painter, clock, fps=30, pace=True).frames()
    for number in range(3):
        frame = next(frames)
        assert clock.now() == pytest.approx(frame.t) == pytest.approx(2.0 + number / 30)
    clock.t += 0.5  # the consumer takes half a second
    late = next(frames)
    assert late.number == 17
    assert late.t == pytest.approx(2.0 + 17 / 30)


def test_without_pace_the_clock_is_left_alone(painter):
    clock = ManualClock(2.0)
    taken(SimulatedCamera(Slide(), painter, clock), 5)
    assert clock.now() == 2.0


class Sleeper(ManualClock):
    """A clock on which a sleep lasts until somebody wakes it."""

    def __init__(self):
        super().__init__()
        self.asleep, self.wake = Event(), Event()

    def sleep_until(self, t):
        self.asleep.set()
        assert self.wake.wait(30)
        super().sleep_until(t)


def test_a_frame_awaited_while_closing_never_arrives(painter):
    clock = Sleeper()
    table = Slide()
    camera = SimulatedCamera(table, painter, clock, pace=True)
    got = []
    watcher = Thread(target=lambda: got.extend(camera.frames()))
    watcher.start()
    assert clock.asleep.wait(30)
    camera.close()
    clock.wake.set()
    watcher.join(30)
    assert got == []
    assert table.times == []


def test_dropped_frames_leave_gaps_in_the_numbers(painter):
    plan = FaultPlan.from_names(["dropped-frames"], seed=4)
    table = Slide()
    frames = taken(SimulatedCamera(table, painter, ManualClock(), faults=plan), 600)
    numbers = [f.number for f in frames]
    lost = sorted(set(range(numbers[-1])) - set(numbers))
    assert lost
    assert all(plan.dropped(k / 30, k) for k in lost)
    assert len(table.times) == numbers[-1] + 1  # time passes in lost frames too


def test_a_frozen_camera_repeats_its_picture_with_new_times(painter):
    plan = FaultPlan.from_names(["frozen-camera"], seed=4)
    begin = next(k / 30 for k in range(120 * 30) if plan.frozen(k / 30))
    frames = taken(SimulatedCamera(Slide(), painter, ManualClock(begin - 0.5), faults=plan), 45)
    live = [f for f in frames if not plan.frozen(f.t)]
    frozen = [f for f in frames if plan.frozen(f.t)]
    assert len(live) >= 14
    assert len(frozen) >= 29
    assert len({f.small.tobytes() for f in live}) == len(live)
    assert {f.small.tobytes() for f in frozen} == {live[-1].small.tobytes()}
    assert np.array_equal(frozen[-1].full(), live[-1].full())
    assert [f.number for f in frames] == list(range(45))
    assert all(b.t > a.t for a, b in pairwise(frames))


class Lamps(Slide):
    """The same in a light that a test switches."""

    light = 1.0

    def scene(self):
        return Scene(self.t, light=self.light, warmth=0.3 if self.light < 1 else 0.0)


def test_locked_it_shows_the_light_as_it_is_and_unlocked_it_adapts_as_far_as_it_can(painter):
    table = Lamps()
    camera = SimulatedCamera(table, painter, ManualClock())
    frames = camera.frames()

    def level():
        return float(np.median(next(frames).small))

    usual = level()
    assert camera.settled
    camera.lock()
    table.light = 0.5
    dim = level()
    assert dim < 0.8 * usual
    assert camera.settled
    camera.unlock()
    level()
    assert not camera.settled
    for _ in islice(frames, 90):
        pass
    assert camera.settled
    assert level() == pytest.approx(usual, rel=0.03)
    table.light = 0.004
    for _ in islice(frames, 90):
        pass
    assert level() < 0.3 * usual
