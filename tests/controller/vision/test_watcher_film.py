"""The frame watcher films each shot: painted frames in, the film with the next reading."""

import itertools
import math
from dataclasses import replace

import pytest

from controller.vision.film.film import SHOT
from controller.vision.readings import BoardReading
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.filmer import Filmer
from controller.vision.watching.observations import BoardRead
from hardware.simulated.scene import Scene, SceneDisc
from tests.controller.vision import filmed
from tests.controller.vision.painted import FRAME, PaintedTable

ROUND_SEED, TAKE_OUT = 11, 3  # one disc strikes another that leaves the surface, and stays
SAME_PLACE = 4.0  # mm


@pytest.fixture(scope="module")
def take_out():
    return next(itertools.islice(filmed.rounds(ROUND_SEED), TAKE_OUT, None))


class Watched(PaintedTable):
    """A table whose frame watcher is shown shots."""

    def __init__(self, *, film=True):
        super().__init__(filmed.painter(), BackgroundModel(), FRAME, film=film)

    @property
    def read(self):
        return [one for one in self.seen if isinstance(one, BoardRead)]

    def rest(self, discs=(), seconds=0.7):
        self.show(Scene(0.0, discs), seconds)

    def play(self, played):
        """The shot; its film."""
        scenes, count = list(filmed.scenes(played)), len(self.read)
        self.show(scenes[0], len(scenes) * FRAME, lambda t: scenes[round(t / FRAME)])
        assert len(self.read) > count
        return self.read[-1].film


def shot(watched, played):
    """The empty board, the board before the shot, and the shot; the film of it."""
    watched.rest()
    watched.rest(tuple(filmed.shown(disc, at) for disc, at in played.discs.items()))
    return watched.play(played)


def ready_disc(played):
    return SceneDisc(played.shooter, filmed.COLOURS[played.shooter[0]], played.flick.x, played.flick.y)


def disc_near(film, place):
    """What the film calls the disc that lay there."""
    return min(film.settled, key=lambda d: math.dist((d.x, d.y), place)).id


def holds(film, played):
    """The film shows the contact and both ends as the physics had them."""
    name = played.motion.contacts[0][1]
    struck = disc_near(film, (played.discs[name].x, played.discs[name].y))
    assert [contact.discs for contact in film.contacts] == [(SHOT, struck)]
    for disc, rest in played.motion.rest.items():
        track = film.of(SHOT if disc == played.shooter else struck)
        assert track.ended == ("left" if rest.at == "ditch" else "rest")
        if rest.at != "ditch":
            assert math.dist(track.end, (rest.x, rest.y)) < SAME_PLACE


def test_a_shot_comes_with_the_next_reading(take_out):
    watched = Watched()
    film = shot(watched, take_out)
    holds(film, take_out)
    assert watched.read[0].film is None, "nothing was known before the first reading"
    assert len(film.settled) == len(take_out.discs)
    assert len(film.watched.spans) == 1
    assert watched.watcher.figures.film_seconds > 0


def test_a_board_at_rest_costs_nothing_and_is_no_film(take_out):
    watched = Watched()
    discs = tuple(filmed.shown(disc, at) for disc, at in take_out.discs.items())
    watched.rest()
    watched.rest(discs)
    spent, count = watched.watcher.figures.film_seconds, len(watched.read)
    watched.rest(discs, 2.0)
    assert watched.watcher.figures.film_seconds == spent
    assert len(watched.read) == count


def test_a_disc_that_was_read_on_the_starting_line_is_the_shot_disc_all_the_same(take_out):
    """People place the disc and draw the hand back; the board is read; then they shoot."""
    watched = Watched()
    before = [filmed.shown(disc, at) for disc, at in take_out.discs.items()]
    ready = ready_disc(take_out)
    watched.rest()
    watched.rest((*before, ready))
    assert len(watched.read[-1].reading.discs) == len(before) + 1
    film = watched.play(take_out)
    holds(film, take_out)
    assert len(film.settled) == len(before)


def test_without_the_setting_nothing_is_filmed(take_out):
    watched = Watched(film=False)
    assert shot(watched, take_out) is None
    assert watched.watcher.figures.film_seconds == 0


def test_while_a_hand_is_over_the_surface_the_film_goes_on_from_the_whole_board(take_out):
    """A reading that a hand obstructs ends no film: the next one still begins with the board that was seen whole."""
    paint, calibration = filmed.painter(), filmed.calibration()
    filmer = Filmer()
    before = tuple(filmed.shown(disc, at) for disc, at in take_out.discs.items())
    model = BackgroundModel(calibration=calibration)
    for discs in ((), (*before, ready_disc(take_out)), before):  # the second shows what colour is shot next
        reading = model.read(paint.full(Scene(0.0, discs)))
        filmer.cut(reading, paint.small(Scene(0.0, discs)), calibration)
    for scene in filmed.scenes(take_out):
        small = paint.small(scene)
        filmer.see(small, scene.t)
        if abs(scene.t - 100.0) < FRAME / 2:
            part = filmer.cut(BoardReading((), obstructed=True), small, calibration)
            assert part.contacts == ()
    holds(filmer.cut(reading, small, calibration), take_out)


def test_a_board_that_moved_ends_the_film(take_out):
    paint, calibration = filmed.painter(), filmed.calibration()
    filmer, empty = Filmer(), BoardReading(())
    filmer.cut(empty, paint.small(Scene(0.0)), calibration)
    other = replace(calibration)
    assert filmer.cut(empty, paint.small(Scene(0.0)), other) is None, "places of another calibration are others"
    filmer.lost()
    assert filmer.cut(empty, paint.small(Scene(0.0)), other) is None
    assert filmer.cut(empty, paint.small(Scene(0.0)), other) is not None
