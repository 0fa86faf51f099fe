"""The film of a shot, on painted shots and on a round from another generator."""

import itertools
import math
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.vision.film.assignment import assign, assign_with_none
from controller.vision.film.film import SHOT
from controller.vision.film.filming import Filming
from controller.vision.film.sliding import Sliding
from controller.vision.film.spots import Glimpse, Spot
from controller.vision.film.stage import KnownDisc
from controller.vision.film.tracking import Tracker
from hardware.board import TOURNAMENT
from hardware.simulated.fall import DiscPose
from hardware.simulated.physics import shoot
from hardware.simulated.scene import Hand, Scene, SceneDisc
from tests.controller.vision import filmed
from tests.controller.vision.filmed_round import FilmedRound, named
from tests.shared import VISION
from tests.slow import first_is_quick, slow

ROUND = VISION / "video" / "round_1"
TAKE_OUT = 3  # of the round below: one disc strikes another that leaves the surface, and stays
ROUND_SEED = 11
SAME_PLACE = 4.0  # mm


@pytest.fixture(scope="module")
def take_out():
    return next(itertools.islice(filmed.rounds(ROUND_SEED), TAKE_OUT, None))


@slow
@pytest.mark.parametrize(
    "way", first_is_quick([filmed.CameraSetting(fps=fps) for fps in (15.0, 30.0, 60.0, 120.0)]), ids=lambda way: way.fps
)
def test_a_take_out_is_filmed_at_any_rate(take_out, way):
    _right(take_out, way)


@pytest.mark.parametrize(
    "way",
    first_is_quick(
        [
            filmed.CameraSetting(lost=0.1),
            filmed.CameraSetting(repeated=0.1),
            filmed.CameraSetting(late=0.005),
            filmed.CameraSetting(exposure=0.004),
        ]
    ),
    ids=["lost", "repeated", "late", "short exposure"],
)
def test_a_take_out_is_filmed_by_a_camera_that_is_not_perfect(take_out, way):
    _right(take_out, way)


def _right(played, way):
    """The film shows the contact, its time, and how both discs ended."""
    film = filmed.film(played, way)
    struck = played.motion.contacts[0][1]
    touch = played.motion.touches[0]
    assert [contact.discs for contact in film.contacts] == [(SHOT, struck)]
    assert film.contacts[0].t == pytest.approx(touch.t, abs=1 / way.fps)
    assert film.contacts[0].closing == pytest.approx(touch.closing, rel=0.2)
    for disc, rest in played.motion.rest.items():
        track = film.of(SHOT if disc == played.shooter else disc)
        if rest.at == "ditch":
            assert track.ended == "left"
        else:
            assert track.ended == "rest"
            assert math.dist(track.end, (rest.x, rest.y)) < SAME_PLACE


@pytest.mark.parametrize("fps", [15.0, 30.0])
@pytest.mark.parametrize(("seed", "shot"), [(301, 2), (306, 6), (312, 3), (315, 4)])
def test_a_disc_that_left_the_surface_and_came_back_is_filmed(monkeypatch, seed, shot, fps):
    monkeypatch.setattr(filmed, "shoot", partial(shoot, lively=True))
    played = next(itertools.islice(filmed.rounds(seed), shot, None))
    assert played.motion.returned
    film = filmed.film(played, filmed.CameraSetting(fps=fps))
    back = {SHOT if disc == played.shooter else disc for disc in played.motion.returned}
    assert {track.disc for track in film.tracks if track.came_back} == back


def at_rest(take_out, hands):
    """The film of a board on which nothing moves but these hands, those of one picture after the other."""
    paint = filmed.painter()
    discs = tuple(SceneDisc(d, filmed.COLOURS[d[0]], lies.x, lies.y) for d, lies in take_out.discs.items())
    pictures = ((k / 30, paint.small(Scene(k / 30, discs, over))) for k, over in enumerate(hands))
    return filmed.film_of(filmed.staged(take_out), filmed.still(take_out, paint), pictures)


def test_a_board_at_rest_makes_an_empty_film(take_out):
    film = at_rest(take_out, [()] * 20)
    assert (film.tracks, film.contacts) == ((), ())
    assert film.watched.hidden == 0


def test_a_hand_over_the_board_moves_no_disc(take_out):
    way = (400.0 * math.sin(math.pi * k / 30) - 420.0 for k in range(30))
    film = at_rest(take_out, ((Hand(1, 40.0, y, "place"),) for y in way))
    assert film.contacts == ()
    assert [track.disc for track in film.tracks if track.disc != SHOT] == []
    assert film.watched.hidden > 0.5


def test_gaps_in_the_film_are_reported(take_out):
    filming = Filming(filmed.staged(take_out))
    pictures = list(filmed.pictures(take_out, filmed.CameraSetting(), filmed.painter()))
    gap = (0.1, 0.5)
    for t, small in pictures:
        if not gap[0] < t < gap[1]:
            filming.see(small, t)
    first, second = filming.film().watched.spans
    assert first.end <= gap[0]
    assert second.begin >= gap[1]


def test_a_name_once_given_to_the_same_grey_changes_no_film():
    """Black discs that a reading called brown stay followed as one colour."""
    for played in itertools.islice(filmed.rounds(ROUND_SEED), TAKE_OUT + 1):
        paint, setting = filmed.painter(), filmed.CameraSetting(fps=15.0)
        ends = []
        for greys in (filmed.GREYS, {**filmed.GREYS, "brown": filmed.GREYS["black"]}):
            board = filmed.staged(played, greys=greys)
            film = filmed.film_of(board, filmed.still(played, paint), filmed.pictures(played, setting, paint))
            ends.append([(track.disc, track.ended, track.end) for track in film.tracks])
        assert ends[0] == ends[1]


@slow
def test_discs_that_look_like_the_wood_are_named_and_not_guessed(take_out):
    """On maple, natural discs differ from the wood in grey by nothing."""
    filming = Filming(filmed.staged(take_out, "maple"))
    for t, small in filmed.pictures(take_out, filmed.CameraSetting(), filmed.painter(surface="maple")):
        filming.see(small, t)
    film = filming.film()
    assert film.watched.unseen_colours == {"natural"}
    assert {track.colour for track in film.tracks} <= {"black"}


def test_a_struck_disc_that_may_have_sunk_is_no_spot_beside_the_board(take_out):
    """Struck over the hole's edge it falls in, and a hand of its grey comes over the rail."""
    stage = replace(filmed.staged(take_out), discs=(KnownDisc("b1", "natural", -4.0, -14.0),))
    tracker, rows = Tracker(stage), stage.view.size[1]
    changed = np.zeros((rows, stage.view.size[0]), np.uint8)
    hand = [("natural", (34.0, -382.0)), ("black", (-19.0, -369.0))]
    shot = [(-17.0, -170.0), (-12.0, -89.0), (-11.0, -42.0), *[(-14.0, -39.0)] * 4]
    for k, at in enumerate(shot):
        if k == 2:
            changed[:] = 255
        shown = [("black", at), *(hand if k > 2 else [])]
        pixels = stage.view.pixels(np.array([place for _, place in shown]))
        spots = [
            Spot(float(x), float(y), colour, touches=False) for (colour, _), (x, y) in zip(shown, pixels, strict=True)
        ]
        tracker.see(k / 15, Glimpse(spots, changed))
    (struck,) = (body for body in tracker.bodies if body.id == "b1")
    assert not struck.samples


@given(
    st.integers(1, 5).flatmap(
        lambda n: st.integers(n, 6).flatmap(
            lambda m: st.lists(
                st.lists(st.integers(-20, 60).map(float), min_size=m, max_size=m), min_size=n, max_size=n
            )
        )
    )
)
@settings(max_examples=60)
def test_no_other_assignment_is_cheaper(costs):
    columns = assign(costs)
    assert len(set(columns)) == len(costs)
    every = itertools.permutations(range(len(costs[0])), len(costs))
    best = min(sum(row[k] for row, k in zip(costs, chosen, strict=True)) for chosen in every)
    assert sum(row[k] for row, k in zip(costs, columns, strict=True)) == best


def test_a_disc_stays_unseen_where_every_spot_costs_more():
    assert assign_with_none([[5.0, math.inf], [4.0, math.inf]], [3.0, 9.0]) == [None, 0]


@given(st.floats(-0.9, 0.9), st.floats(600.0, 2000.0), st.floats(0.01, 0.05))
@settings(max_examples=25)
def test_discs_slide_and_bounce_as_in_another_physics(cut, speed, seconds):
    """pymunk steps through the collision; `Sliding` solves for it."""
    two_radii = 2 * TOURNAMENT.disc.radius
    places = {"a": (-200.0, 200.0), "b": (-160.0, 200.0 + cut * two_radii)}
    discs = {name: DiscPose("surface", x, y) for name, (x, y) in places.items()}
    motion = shoot(TOURNAMENT, discs, "a", (speed, 0.0), np.random.default_rng(1))
    ends, _, bumps = Sliding(TOURNAMENT).slide(
        np.array(list(places.values())), np.array(((speed, 0.0), (0, 0))), seconds
    )
    now = motion.at(seconds)
    touched = any(touch.t < seconds for touch in motion.touches)
    if touched != bool(bumps):  # the one that steps is up to 2 mm of way late
        return
    for k, name in enumerate(places):
        lies = now[name].lying if name in now else discs[name]
        assert math.dist(ends[k], (lies.x, lies.y)) < SAME_PLACE


@pytest.fixture(scope="module")
def filmed_round(tmp_path_factory):
    if not ROUND.exists():
        pytest.skip("no shared pictures beside the checkout: video/round_1 is missing")
    if shutil.which("ffmpeg") is None:
        pytest.skip("the video is decoded by ffmpeg, which is not installed")
    folder = tmp_path_factory.mktemp("film")
    command = [sys.executable, ROUND.parent / "extract.py", ROUND, folder]
    subprocess.run(command, check=True, capture_output=True, timeout=280)
    return FilmedRound(Path(folder), ROUND)


@slow
def test_a_ray_traced_round_ends_as_it_did(filmed_round):
    """Its natural discs lie on maple, where they can't be seen; every end reported of the black ones is right."""
    reported = 0
    for shot in filmed_round.shots():
        ends = {named(disc, shot.truth): end for disc, end in shot.ends.items()}
        for track in shot.film.tracks:
            if track.ended == "lost":  # it reports no end
                continue
            how, x, y = ends[track.disc]
            assert track.ended == how, (shot.truth["n"], track.disc)
            assert math.dist(track.end, (x, y)) < 2 * SAME_PLACE, (shot.truth["n"], track.disc)
            reported += 1
    assert reported >= 15
