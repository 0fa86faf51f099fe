"""One shot: what slides, falls, leans, leaves and comes back."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.board import TOURNAMENT as BOARD
from hardware.simulated import physics
from hardware.simulated.fall import GRAVITY, DiscPose, ditch_spot, leaning_on_rim, tipping_radius
from hardware.simulated.physics import MOVED, SLIDING_FRICTION, shoot

RADIUS = BOARD.disc.radius


def flick(speed, *, x=0.0, seed=1, **others):
    """A shot straight away from seat 1."""
    discs = {disc: DiscPose("surface", *at) for disc, at in others.items()}
    discs["shot"] = DiscPose("surface", x, -BOARD.outer_line)
    return shoot(BOARD, discs, "shot", (0.0, speed), np.random.default_rng(seed))


def test_sliding_follows_coulomb():
    motion = flick(500.0, x=60.0)
    way = motion.rest["shot"].y + BOARD.outer_line
    assert way == pytest.approx(500.0**2 / (2 * SLIDING_FRICTION * GRAVITY), rel=0.01)
    assert motion.duration == pytest.approx(500.0 / (SLIDING_FRICTION * GRAVITY), rel=0.03)


def test_a_slow_straight_shot_falls_into_the_hole():
    motion = flick(900.0)
    assert motion.rest["shot"].at == "hole"
    assert motion.rest["shot"].z == -BOARD.hole_depth
    assert math.hypot(motion.rest["shot"].x, motion.rest["shot"].y) <= BOARD.hole_radius - RADIUS
    assert [kind for _, kind in motion.hole] == ["seated"]


def test_a_fast_straight_shot_flies_over_the_hole():
    motion = flick(2000.0)
    assert motion.rest["shot"].at == "ditch"
    assert [kind for _, kind in motion.hole] == ["skimmed"]


def test_a_shot_that_misses_the_hole_leaves_the_contact_alone():
    assert flick(900.0, x=tipping_radius(BOARD) + 1.0).hole == ()


def test_a_disc_stops_another_and_both_are_reported():
    motion = flick(1200.0, target=(0.0, -150.0))
    assert motion.contacts[0] == ("shot", "target")
    assert motion.rest["target"].y > 0 > motion.rest["shot"].y


def test_pegs_are_no_contacts_but_stop_a_disc():
    x, _ = BOARD.pegs[6]
    motion = flick(900.0, x=x)
    assert motion.contacts == ()
    assert motion.rest["shot"].y < -BOARD.peg_circle * math.cos(math.radians(22.5)) - RADIUS


def test_touching_neighbours_that_nobody_strikes_are_no_contact():
    motion = flick(600.0, a=(200.0, 0.0), b=(200.0, 2 * RADIUS + 0.01))
    assert motion.contacts == ()
    assert set(motion.rest) == {"shot"}


def test_some_hard_shots_return_from_the_rail_and_are_marked():
    motions = [flick(2000.0, x=120.0, seed=seed) for seed in range(30)]
    back = [motion for motion in motions if motion.rest["shot"].at != "ditch"]
    assert 0 < len(back) < len(motions)
    assert all(motion.returned == {"shot"} for motion in back)


def test_a_leaning_disc_that_is_struck_falls_flat(monkeypatch):
    monkeypatch.setattr(physics, "LEANING_SHARE", 1.0)
    leaning = flick(900.0)
    assert leaning.rest["shot"].leaning
    assert [kind for _, kind in leaning.hole] == ["leaning"]
    discs = {"leaner": leaning.rest["shot"], "shot": DiscPose("surface", 0.0, -BOARD.outer_line)}
    motion = shoot(BOARD, discs, "shot", (0.0, 1200.0), np.random.default_rng(1))
    assert ("shot", "leaner") in motion.contacts
    assert motion.rest["leaner"].at == "hole"


def test_on_request_many_discs_that_the_hole_catches_stop_leaning():
    def caught(*, leaners):
        shots = [
            shoot(
                BOARD,
                {"shot": DiscPose("surface", 0.0, -BOARD.outer_line)},
                "shot",
                (0.0, 900.0),
                np.random.default_rng(seed),
                leaners=leaners,
            )
            for seed in range(60)
        ]
        return [kind for motion in shots for _, kind in motion.hole]

    assert caught(leaners=False).count("leaning") < 6
    assert 10 < caught(leaners=True).count("leaning") < 30


@given(st.floats(2.5, 6.5), st.floats(-math.pi, math.pi))
def test_a_leaning_disc_touches_the_floor_and_the_rim(distance, towards):
    lean = leaning_on_rim(BOARD, towards, distance)
    slope = math.tan(math.radians(lean.tilt))
    assert lean.z - RADIUS * math.sin(math.radians(lean.tilt)) == pytest.approx(-BOARD.hole_depth, abs=1e-6)
    assert lean.z + slope * (BOARD.hole_radius - distance) == pytest.approx(0.0, abs=1e-6)
    lowest = math.radians(lean.tilt_towards)
    assert lean.x * math.cos(lowest) + lean.y * math.sin(lowest) == pytest.approx(-distance)


def test_the_ditch_holds_a_rounds_discs_and_raises_when_full():
    spots = []
    for _ in range(48):
        spots.append(ditch_spot(BOARD, 0.0, spots))
    assert all(math.dist(a, b) > 2 * RADIUS for a in spots for b in spots if a is not b)
    everywhere = [ditch_spot(BOARD, math.radians(angle), []) for angle in range(360)]
    with pytest.raises(ValueError, match="full"):
        ditch_spot(BOARD, 0.0, everywhere)


@st.composite
def positions(draw):
    """A few discs on the surface that stand free of pegs, hole, each other and the shooter."""
    place = st.tuples(st.floats(-270, 270), st.floats(-220, 270))
    free = {}
    for x, y in draw(st.lists(place, max_size=10)):
        pegs = all(math.dist((x, y), peg) > RADIUS + BOARD.peg_radius for peg in BOARD.pegs)
        discs = all(math.dist((x, y), other) > 2 * RADIUS for other in free.values())
        if pegs and discs and 30 < math.hypot(x, y) < 290:
            free[f"d{len(free)}"] = (x, y)
    return free


@settings(max_examples=60)
@given(positions(), st.floats(500, 3000), st.floats(-50, 50), st.integers(0, 1000))
def test_any_shot_keeps_every_disc_and_leaves_no_overlap(others, speed, degrees, seed):
    discs = {disc: DiscPose("surface", *at) for disc, at in others.items()}
    discs["shot"] = DiscPose("surface", 0.0, -BOARD.outer_line)
    angle = math.radians(90 + degrees)
    velocity = (speed * math.cos(angle), speed * math.sin(angle))
    motion = shoot(BOARD, discs, "shot", velocity, np.random.default_rng(seed))
    after = discs | dict(motion.rest)
    assert after.keys() == discs.keys()
    assert sum(lying.at == "hole" for lying in after.values()) <= 1
    assert set(motion.rest) <= {"shot"} | {disc for pair in motion.contacts for disc in pair}
    assert all(pair[::-1] not in motion.contacts for pair in motion.contacts)
    flat = [(d.x, d.y, RADIUS) for d in after.values() if not d.leaning]
    for i, (x, y, _) in enumerate(flat):
        for u, v, other in [*flat[i + 1 :], *((*peg, BOARD.peg_radius) for peg in BOARD.pegs)]:
            assert math.dist((x, y), (u, v)) >= RADIUS + other - 0.05
    for lying in after.values():
        r = math.hypot(lying.x, lying.y)
        assert r <= BOARD.surface_radius if lying.at != "ditch" else r <= BOARD.rail_radius - RADIUS + 0.01
    for disc, lying in motion.rest.items():
        assert math.dist((lying.x, lying.y, lying.z), (discs[disc].x, discs[disc].y, 0.0)) > MOVED / 2
        assert motion.at(motion.duration)[disc].lying == lying
    assert shoot(BOARD, discs, "shot", velocity, np.random.default_rng(seed)) == motion
