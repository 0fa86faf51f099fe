"""The lookout over painted films: a slow first reading, a camera that is nudged, fingers over the ditch."""

from controller.vision.watching.observations import BoardRead
from hardware.simulated.scene import Hand, Scene, SceneDisc
from tests.controller.vision.painted import FRAME


def test_a_hand_that_came_while_the_board_was_looked_for_is_not_taken_for_the_board(film):
    film.show(Scene(0.0), FRAME)
    film.number += 90  # finding the board took three seconds; the frames of that time are lost
    film.show(Scene(0.0, hands=(Hand(1, 20.0, -250.0),)), 1.0)
    film.show(Scene(0.0, (SceneDisc("a1", "black", 10.0, 60.0),)), 1.0)
    assert film.words[-1] == "still"
    assert len(film.places[-1]) == 1


def test_a_camera_that_was_nudged_with_a_hand_over_the_board_sees_hands_come_and_go_afterwards(film):
    disc, hand = SceneDisc("a1", "black", 10.0, 60.0), Hand(1, 20.0, -260.0)
    film.show(Scene(0.0), 1.0)
    film.show(Scene(0.0, hands=(hand,)), 1.0)
    film.show(Scene(0.0, (disc,)), 1.0)
    film.show(Scene(0.0, (disc,), (hand,)), 1.0)
    nudge = (0.3, -0.25, 0.2)
    film.show(Scene(0.0, (disc,), (hand,), camera_nudge=nudge), 4.0)
    film.show(Scene(0.0, (disc,), camera_nudge=nudge), 4.0)
    film.forget()
    for k in range(3):
        discs = (disc, *(SceneDisc(f"b{n}", "natural", -60.0 * n, 90.0) for n in range(1, k + 2)))
        film.show(Scene(0.0, discs[:-1], (hand,), camera_nudge=nudge), 1.0)
        film.show(Scene(0.0, discs, camera_nudge=nudge), 1.0)
        assert len(film.places[-1]) == len(discs)
    assert film.words.count("hand") == film.words.count("still") == 3


def test_fingers_with_a_disc_over_the_ditch_hide_what_is_there(film):
    film.show(Scene(0.0), 1.0)
    film.show(Scene(0.0, hands=(Hand(1, 20.0, -335.0),)), 1.0)
    read = [o.reading for o in film.seen if isinstance(o, BoardRead)]
    film.show(Scene(0.0, (SceneDisc("a1", "black", 10.0, 60.0),), hands=(Hand(1, 20.0, -335.0),)), 1.0)
    beside = [o.reading for o in film.seen if isinstance(o, BoardRead)][len(read) :]
    assert beside
    assert all(reading.hides(20.0, -350.0, 0.0) for reading in beside)
    assert not any(reading.hides(20.0, 350.0, 60.0) for reading in beside)
