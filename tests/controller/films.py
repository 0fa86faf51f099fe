"""Films made by hand, and an engine whose shots have them."""

from controller.match import events as ev
from controller.match.filmed import FilmContact, FilmOfShot, FilmTrack, FilmWatched
from hardware.board import TOURNAMENT
from tests.controller.fed_table import disc as lies

SPEED = 1240.0  # mm/s


def film(shot, start=(20.0, -302.0)):
    """A film of a shot: its disc comes from `start` and goes by (15, 0) to where it rests; every other disc
    that moved is struck there.
    """
    tracks = [
        FilmTrack(
            disc=shot.disc,
            began="flicked",
            ended=ended(shot, shot.disc),
            speed=SPEED,
            points=((0.0, *start), (0.3, 15.0, 0.0), (0.9, *rest(shot, shot.disc))),
        )
    ]
    tracks += [
        FilmTrack(
            disc=disc,
            began="struck",
            ended=ended(shot, disc),
            speed=None,
            points=((0.3, 15.0, 30.0), (0.8, *rest(shot, disc))),
        )
        for disc in shot.rest
        if disc != shot.disc
    ]
    contacts = [FilmContact(t=0.3, discs=pair, closing=900.0, probability=0.9) for pair in shot.contacts]
    watched = FilmWatched(spans=((-0.3, 1.0),), hidden=0.25, unseen=("B",))
    return FilmOfShot(tracks=tuple(tracks), contacts=tuple(contacts), watched=watched)


def rest(shot, disc):
    """Where the film saw a disc last."""
    if disc in shot.measured:
        return shot.measured[disc].x, shot.measured[disc].y
    return (10.0, 5.0) if shot.rest[disc] == "hole" else (0.0, 330.0)


def ended(shot, disc):
    """How its track ended."""
    return {"surface": "rest", "hole": "hole", "ditch": "left"}[shot.rest[disc]]


def filmed(engine, film=film):
    """From now on every shot that this engine sees has a film."""
    commit = engine._commit

    def with_films(events, *more, **named):
        told = [one.model_copy(update={"film": film(one)}) if isinstance(one, ev.ShotSeen) else one for one in events]
        commit(told, *more, **named)

    engine._commit = with_films


def keeping_clips(table, clip):
    """From now on the board moves as in `clip` before every shot."""
    keeper = table.engine.clips
    moved = keeper.filmed
    keeper.filmed = lambda _: moved(clip)


def straight(disc, *points, ended="rest", speed=SPEED):
    """The track of a disc that was flicked."""
    return FilmTrack(disc=disc, began="flicked", ended=ended, points=points, speed=speed)


class ByHand:
    """Shots that are put into a match as the referee would have recorded them, with their films."""

    def __init__(self, table):
        self.table = table
        self.lying = {}

    def shoot(self, disc, *contacts, film=None, **moved):
        """A shot of a disc; `moved`: where each disc that it moved came to rest: (x, y), "hole" or "ditch"."""
        side = disc[0].upper()
        rest = {}
        for name, where in moved.items():
            self.lying.pop(name, None)
            rest[name] = where if isinstance(where, str) else "surface"
            if where != "ditch":
                at = ("in_hole",) if where == "hole" else ()
                x, y = (0.0, 0.0) if where == "hole" else where
                seen = lies(name[0].upper(), x, y, *at)
                members = {one: getattr(seen, one) for one in ev.Measured.model_fields}
                self.lying[name] = ev.Measured.model_validate(members)
        shot = {"side": side, "disc": disc, "contacts": contacts, "rest": rest, "measured": dict(self.lying)}
        self.table.engine._commit([ev.ShotSeen.model_validate({**shot, "film": film})])
        self.table.engine.publish()
        for gone in self.table.state.to_remove:
            self.lying.pop(gone, None)


def every_kind(table):
    """Two rounds' worth of shots in one: each kind of shot, each reason for a replay, each word of a film."""
    hand = ByHand(table)

    def seen(disc, start, *others, ended="rest"):
        way = straight(disc, (0.0, *start), (0.4, 30.0, 30.0), ended=ended)
        met = FilmContact(t=0.2, discs=(disc, "a1"), closing=800.0, probability=0.9)
        return FilmOfShot(tracks=(way, *others), contacts=(met,), watched=FilmWatched(hidden=0.1, unseen=("B",)))

    def other(disc, began, ended):
        return FilmTrack(disc=disc, began=began, ended=ended, points=((0.2, 10.0, 10.0),))

    hand.shoot("a1", film=seen("a1", (0, -302), ended="hole"), a1="hole")
    hand.shoot("b1", b1=(0.0, 60.0))
    hand.shoot(
        "a2", ("a2", "b1"), film=seen("a2", (0, -302), other("b1", "struck", "left")), a2=(50.0, 50.0), b1="ditch"
    )
    hand.shoot("b2", ("b2", "a2"), film=seen("b2", (60, 290), other("a2", "unknown", "hand")), b2="hole", a2="ditch")
    hand.shoot("a3", a3=(0.0, 60.0))
    near = seen("b3", (0, 302), other("a3", "struck", "lost"))
    hand.shoot("b3", ("b3", "a3"), film=near, b3=(0.0, 150.0), a3=(40.0, 40.0))
    hand.shoot("a4", ("a4", "b3"), film=seen("a4", (0, -302)), a4=(-40.0, 40.0), b3=(0.0, 160.0))
    hand.shoot("b4", ("b4", "a3"), ("b4", "b3"), b4=(80.0, 0.0), a3=(60.0, 60.0), b3=(0.0, 50.0))
    hand.shoot("a5", ("a5", "b4"), ("b4", "b3"), film=seen("a5", (-300, 0)), a5=(-60.0, 0.0), b4="ditch", b3="ditch")
    peg = TOURNAMENT.pegs[0]
    at_peg = (0.2, peg[0] + 14, peg[1] + 14)
    bounce = straight("b5", (0.0, 200.0, 150.0), at_peg, (0.4, at_peg[1] - 50, at_peg[2] + 50))
    hand.shoot("b5", film=FilmOfShot(tracks=(bounce,)), b5=(150.0, 150.0))  # a foul
