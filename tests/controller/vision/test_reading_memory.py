"""What a reading remembers of the picture before makes it cheaper, and changes nothing of what it says."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.vision.calibration.calibration import calibrate
from controller.vision.reading import outline
from controller.vision.reading.background import Background
from controller.vision.reading.candidates import ReadingMemory
from controller.vision.reading.discs import playing_view, roundness
from controller.vision.reading.reader import read_board
from tests.bench.truth import read_image
from tests.controller.vision.reading_pictures import camera_above, paint
from tests.shared import VISION, needs_vision
from tests.slow import first_is_quick, slow

BLACK, RED, WOOD = (35, 30, 30), (40, 40, 170), (112, 158, 190)  # blue, green, red; the last is like the board
FLOOR = 0.06  # mm: what no reading is better than
CALIBRATION = camera_above(width=640, height=480)
SEEN = playing_view(paint(CALIBRATION, [(120.0, 60.0, BLACK), (-90.0, 20.0, RED), (-280.0, 0.0, WOOD)], 7), CALIBRATION)
EMPTY = Background.from_empty(paint(CALIBRATION, [], 1), CALIBRATION)


def assert_same(one, other):
    """The same discs, each within its standard error."""
    assert len(one.discs) == len(other.discs)
    left = list(other.discs)
    for disc in one.discs:
        twin = min(left, key=lambda d: math.dist((d.x, d.y), (disc.x, disc.y)))
        left.remove(twin)
        assert math.dist((disc.x, disc.y), (twin.x, twin.y)) < 2 * max(disc.sigma, FLOOR)
        assert (disc.pose, disc.colour) == (twin.pose, twin.colour)
        assert disc.zone == twin.zone or "close" in (disc.call, twin.call)
    assert (one.obstructed, one.hole_unclear) == (other.obstructed, other.hole_unclear)


def lit(image, light):
    return cv2.convertScaleAbs(image, alpha=light)


def with_arm(image):
    """Something reaches in from the picture's border to the board's middle."""
    shown = image.copy()
    cv2.line(shown, (639, 100), (360, 260), (110, 130, 200), 60)
    return shown


places = st.tuples(st.floats(-200, 200), st.floats(-200, 200))
boards = st.lists(st.tuples(st.lists(places, min_size=1, max_size=6), st.floats(0.85, 1.1), st.booleans()), max_size=5)


def laid(spots):
    """Discs of two colours at those places that are clear of the hole and of each other."""
    clear = []
    for spot in spots:
        if math.hypot(*spot) > 40 and all(math.dist(spot, other) > 40 for other in clear):
            clear.append(spot)
    return [(x, y, (BLACK, RED)[round(x + y) % 2]) for x, y in clear]


@slow
@settings(max_examples=5)
@given(first=st.lists(places, min_size=3, max_size=6), later=boards)
def test_any_order_of_boards_lights_and_hands_reads_as_from_nothing(first, later):
    memory, spots = ReadingMemory(), first
    for number, (more, light, hand) in enumerate([(first, 1.0, False), *later, (first, 1.0, False)]):
        spots = more + spots[len(more) // 2 :]  # some discs stay, some go, some come
        image = lit(paint(CALIBRATION, laid(spots), number), light)
        shown = with_arm(image) if hand else image
        remembered = read_board(shown, CALIBRATION, empty=EMPTY, memory=memory)
        if not hand:  # what is found on an arm means nothing
            assert_same(remembered, read_board(shown, CALIBRATION, empty=EMPTY))


@pytest.mark.parametrize("empty", first_is_quick([EMPTY, None]))
@pytest.mark.parametrize("colour", [BLACK, WOOD])
@pytest.mark.parametrize("millimetres", first_is_quick([1.0, 3.0, 9.0]))
def test_a_disc_that_was_moved_is_read_where_it_lies(millimetres, colour, empty):
    memory = ReadingMemory()
    for number, x in enumerate((120.0, 120.0 + millimetres)):
        image = paint(CALIBRATION, [(x, 60.0, colour), (-90.0, 20.0, BLACK), (-20.0, -140.0, RED)], number)
        reading = read_board(image, CALIBRATION, empty=empty, memory=memory)
        assert_same(reading, read_board(image, CALIBRATION, empty=empty))
    assert any(abs(disc.x - x) < 0.4 for disc in reading.discs)


@pytest.mark.parametrize("apart", first_is_quick([35.0, 36.0, 37.0, 38.0]))
@pytest.mark.parametrize("wander", [(-0.2, 0.0), (0.2, 0.0)])
def test_the_neighbour_of_a_disc_that_is_taken_is_still_read(apart, wander):
    """Its circle wanders a little, and may come from a pixel that has changed to one that has not."""
    memory, stays = ReadingMemory(), (100.7, 47.0, BLACK)
    read_board(paint(CALIBRATION, [(100.7 - apart, 47.0, RED), stays], 0), CALIBRATION, memory=memory)
    discs = memory.last.discs
    memory.last = replace(memory.last, discs=replace(discs, places=discs.places + wander))
    reading = read_board(paint(CALIBRATION, [stays], 1), CALIBRATION, memory=memory)
    assert [disc.colour for disc in reading.discs] == ["black"]


def test_a_disc_that_was_swapped_for_another_has_the_others_colour():
    memory, colours = ReadingMemory(), []
    for number, colour in enumerate((BLACK, RED)):
        image = paint(CALIBRATION, [(120.0, 60.0, colour), (-90.0, 20.0, BLACK)], number)
        reading = read_board(image, CALIBRATION, empty=EMPTY, memory=memory)
        colours.append(next(disc.colour for disc in reading.discs if disc.x > 0))
    assert colours == ["black", "red"]


def test_no_outline_is_looked_for_where_nothing_has_changed(monkeypatch):
    asked = []
    search = outline.search

    def counted(image, calibration, solids, *most):
        asked[-1] += len(solids.z)
        return search(image, calibration, solids, *most)

    monkeypatch.setattr(outline, "search", counted)
    memory, before = (
        ReadingMemory(),
        [(120.0, 60.0, BLACK), (-90.0, 20.0, RED), (30.0, -150.0, BLACK), (60.0, 160.0, RED)],
    )
    for number, more in enumerate(([], [], [(-150.0, -100.0, RED)])):
        asked.append(0)
        reading = read_board(paint(CALIBRATION, before + more, number), CALIBRATION, empty=EMPTY, memory=memory)
        assert len(reading.discs) == len(before) + len(more)
    first, same, one_more = asked
    assert first >= len(before)
    assert same <= first - len(before)
    assert same < one_more <= same + 4, "the disc that came, and what lies beside it"


spans = st.integers(0, 313).flatmap(lambda begin: st.tuples(st.just(begin), st.integers(begin + 1, begin + 60)))


@settings(max_examples=20)
@given(boxes=st.lists(st.tuples(spans, spans), max_size=4))
def test_circles_are_found_in_each_changed_piece_as_in_the_whole_view(boxes):
    radius, view = CALIBRATION.disc.radius, SEEN
    touched = np.zeros(view.image.shape[:2], np.bool_)
    for (top, bottom), (left, right) in boxes:
        touched[top:bottom, left:right] = True
    partial, whole = roundness(view, radius, touched, view.grain), roundness(view, radius)
    assert np.abs(partial - whole)[touched].max(initial=0.0) < 1e-4


@slow
@needs_vision
@pytest.mark.parametrize("order", [1, -1])
def test_a_traced_round_reads_as_from_nothing(order):
    files = sorted((VISION / "sequences" / "scenario_1").glob("*.jpg"))[:8]
    bare = read_image(files[0])
    calibration = calibrate(bare)
    empty, memory = Background.from_empty(bare, calibration), ReadingMemory()
    for file in files[::order]:
        image = read_image(file)
        assert_same(
            read_board(image, calibration, empty=empty, memory=memory), read_board(image, calibration, empty=empty)
        )
