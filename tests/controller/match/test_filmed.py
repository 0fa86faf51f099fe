"""The film of a shot in the journal: what is kept of a track, and what is refused."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from controller.match import events as ev
from controller.match.filmed import FilmContact, FilmOfShot, FilmTrack, FilmWatched, simplify

FASTEST = 3200.0  # mm/s


def place(points, t):
    """Where a disc is that moves straight and at one speed from point to point, and rests before and after."""
    times, xs, ys = zip(*points, strict=True)
    return np.interp(t, times, xs), np.interp(t, times, ys)


steps = st.tuples(st.floats(1 / 240, 0.4), st.floats(0, FASTEST), st.floats(-math.pi, math.pi))


@st.composite
def ways(draw):
    """Samples of a disc that goes as it likes, no faster than anybody flicks."""
    t, x, y = draw(st.floats(0, 2)), draw(st.floats(-330, 330)), draw(st.floats(-330, 330))
    samples = [(t, x, y)]
    for dt, speed, turn in draw(st.lists(steps, max_size=60)):
        t, x, y = t + dt, x + dt * speed * math.cos(turn), y + dt * speed * math.sin(turn)
        samples.append((t, x, y))
    return samples


@given(ways(), st.floats(0, 1))
def test_a_simplified_track_is_nowhere_off_by_more_than_two_millimetres(samples, share):
    points = simplify(samples)
    assert set(points) <= {(round(t, 4), round(x, 1), round(y, 1)) for t, x, y in samples}
    for t, x, y in samples:
        assert math.dist(place(points, t), (x, y)) <= 2.0
    between = [(a[0] + share * (b[0] - a[0]), share, a, b) for a, b in pairwise(samples)]
    for t, s, a, b in between:
        true = a[1] + s * (b[1] - a[1]), a[2] + s * (b[2] - a[2])
        assert math.dist(place(points, t), true) <= 2.0


def test_a_straight_path_at_one_speed_needs_two_points_and_a_stop_one_more():
    rolling = [(k / 30, 20.0 * k, -10.0 * k) for k in range(12)]
    assert simplify(rolling) == (rolling[0], (round(11 / 30, 4), 220.0, -110.0))
    resting = [(t, 220.0, -110.0) for t in (0.4, 0.5, 0.6)]
    assert len(simplify(rolling + resting)) == 3  # in space alone two would do


def test_samples_of_one_time_are_one_point():
    assert simplify([(0.0, 1.0, 1.0), (0.00001, 5.0, 5.0)]) == ((0.0, 1.0, 1.0),)


def film():
    tracks = (
        FilmTrack(
            disc="a1", began="flicked", ended="rest", points=((0.0, 0.0, -300.0), (0.31, 10.5, 20.0)), speed=1200.0
        ),
        FilmTrack(disc="b2", began="struck", ended="left", points=((0.2, 10.0, 40.0), (0.5, 30.0, 328.0))),
    )
    contact = FilmContact(t=0.21, discs=("a1", "b2"), closing=810.0, probability=0.99)
    return FilmOfShot(
        tracks=tracks, contacts=(contact,), watched=FilmWatched(spans=((-0.3, 0.8),), hidden=0.25, unseen=("B",))
    )


def shot(film):
    return ev.ShotSeen(side="A", disc="a1", rest={"a1": "ditch"}, measured={}, film=film)


def test_a_shot_comes_back_from_the_journal_with_its_film(journal):
    seen = shot(film())
    journal.append(1, 0.0, [("shot_seen", ev.body(seen))])
    (entry,) = journal.events(1)
    assert ev.parse(entry).event == seen


def test_a_film_has_the_tracks_of_the_discs_that_moved():
    assert film().of("b2") == film().tracks[1]
    assert film().of("a9") is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"points": ()},
        {"points": ((0.1, 0.0, 0.0), (0.1, 5.0, 5.0))},
        {"points": ((0.0, math.nan, 0.0),)},
    ],
)
def test_an_impossible_track_is_refused(wrong):
    whole = {"disc": "a1", "began": "flicked", "ended": "rest", "points": ((0.0, 0.0, 0.0),)}
    assert FilmTrack.model_validate(whole)
    with pytest.raises(ValidationError):
        FilmTrack.model_validate({**whole, **wrong})
