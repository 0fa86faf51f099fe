"""A beginning that was taken wrongly, a colour or a shot that never was: it heals by itself, or by one answer."""

import math
from dataclasses import replace

import pytest

from controller.match import events as ev
from controller.vision.film.film import SHOT
from controller.vision.side_colours import Palette
from tests.controller.fed_table import COLOUR, LABS, SIDES, ReadTable, a, b, disc, kinds
from tests.controller.referee.test_film import film, track
from tests.controller.referee.test_model import filmed
from tests.slow import first_is_quick

NAMELESS = [{"name": f"Player {number}"} for number in (1, 2, 3, 4)]
LINE = 304.8
WAYS = {
    "singles": {"sides": NAMELESS[:2]},
    "doubles": {"sides": NAMELESS[:2], "doubles": True},
    "three": {"sides": NAMELESS[:3], "rules": "family"},
    "four": {"sides": NAMELESS, "rules": "family"},
}
LOOKS = {"singles": "BA", "doubles": "BA", "three": "BAC", "four": "BACD"}
"""By the order of play, the looks of `disc` in which the sides' discs come: the first side's are natural."""

NOTHING_MOVED = filmed()


class Play:
    """Players who sit clockwise from the bottom; every shot strikes the disc that lies there into the ditch."""

    def __init__(self, table, way):
        self.table, self.looks = table, LOOKS[way]
        self.seats = {"singles": (270, 90), "doubles": (270, 180, 90, 0)}.get(way, (270, 180, 90, 0)[: len(self.looks)])
        self.taken = 0
        self.darker = 0.0  # by L* than in a usual light
        self.lying = []
        table.see(hand=False)

    def at(self, direction, distance, look, pose="flat"):
        turn = math.radians(direction)
        lies = disc(look, distance * math.cos(turn), distance * math.sin(turn), pose)
        return replace(lies, lab=(lies.lab[0] - self.darker, *lies.lab[1:]))

    @property
    def look(self):
        return self.looks[self.taken % len(self.looks)]

    @property
    def seat(self):
        return self.seats[self.taken % len(self.seats)]

    def ready(self, off=7.0, look=None):
        return self.at(self.seat + off, LINE, look or self.look)

    def with_second_thoughts(self, look):
        """A disc of this look is placed and taken away; the one to shoot places their own, and shoots a twenty."""
        self.table.see(self.ready(look=look))
        self.table.see()
        self.table.see(self.ready(2.0))
        self.twenty()

    def twenty(self):
        """The first shot, into the hole."""
        self.table.hole((1.0, True))
        self.table.see(disc(self.look, 0.5, 0.3, "in_hole"))
        self.table.hole((1.0, False))
        self.table.see()
        self.taken += 1

    def shots(self, count, *, filmed=False):
        """So many more, each with its disc ready first."""
        for _ in range(count):
            self.table.see(*self.lying, self.ready())
            off = [self.at(15.0 * self.taken, 340, look_of(d), "ditch") for d in self.lying[-1:] if d.pose == "flat"]
            seen = self.film() if filmed else None
            self.lying = [*self.lying[: len(self.lying) - len(off)], *off, self.at(self.seat, 40, self.look)]
            self.table.see(*self.lying, film=seen)
            self.taken += 1

    def film(self):
        """The next disc on its way from the starting line, which strikes the disc that lies there, if any."""
        shot = self.at(self.seat, LINE, self.look), self.at(self.seat, 40, self.look)
        way = replace(track(SHOT, *((d.x, d.y) for d in shot)), colour=shot[0].colour)
        lying = tuple(d for d in self.lying if d.pose == "flat")
        struck = [track("0", (d.x, d.y), (d.x * 8, d.y * 8), ended="left") for d in lying]
        contacts = tuple((SHOT, known.disc, 900.0, 0.99) for known in struck)
        return film(lying, way, *struck, contacts=contacts)

    def verdicts_right(self):
        sides = "ABCD"[: len(self.looks)]
        return [shot[:2] for shot in self.table.shots] == [(sides[k % len(sides)], True) for k in range(self.taken)]

    def shown_rightly(self):
        sides = "ABCD"[: len(self.looks)]
        learnt = {look: LABS[look] for look in self.looks[: self.taken]}
        colours = dict(zip(sides, learnt.values(), strict=False))
        return self.verdicts_right() and dict(self.table.state.colours) == colours


def look_of(lies):
    return next(look for look, lab in LABS.items() if lab[1:] == lies.lab[1:])


@pytest.fixture(params=first_is_quick(WAYS))
def play(tmp_path, request):
    table = ReadTable(tmp_path, seats_known=False, **WAYS[request.param])
    yield Play(table, request.param)
    table.journal.close()


def cases(play):
    return play.table.asked("case")


def test_a_side_that_begins_although_another_one_should_has_begun(play):
    """In the second round: its colour is known."""
    play.table.see(play.ready())
    play.shots(2 * len(play.looks))
    play.table.do("end_round")
    play.table.see(film=NOTHING_MOVED)
    should = play.table.round.starter
    play.lying, play.taken = [], "ABCD".index(should) + 1
    play.table.see(play.ready(), film=NOTHING_MOVED)
    play.shots(3)
    began = ["ABCD"[(play.taken + k) % len(play.looks)] for k in (-3, -2, -1)]
    assert [played.shot.side for played in play.table.round.shots] == began
    assert cases(play) == ["ended_short"]


HANDS = {"brown": (45.0, 18.0, 20.0), "dark": LABS["A"]}
"""How a part of a hand may look: like no disc, or like the black ones."""


@pytest.mark.parametrize("hand", HANDS)
def test_a_disc_that_is_slid_along_the_line_under_a_hand_is_no_shot(play, hand):
    part_of_hand = replace(play.ready(20.0), lab=HANDS[hand], colour=hand, log_odds=-0.3, visible=0.5)
    play.table.see(part_of_hand, obstructed=True)
    play.table.see(play.ready())
    play.table.see(play.ready(7.0 + math.degrees(24 / LINE)))
    play.twenty()
    assert play.shown_rightly()
    play.shots(3)
    assert play.shown_rightly()
    assert set(cases(play)) <= {"colours"}, "a hand that looks like the other side's disc leaves a doubt"


def test_fingers_that_slide_a_disc_along_the_line_are_no_disc_of_the_side_whose_colour_is_nearest_to_skin(play):
    for off in (11.0, 7.0):  # degrees
        fingers = replace(play.ready(off), lab=(40.0, 14.0, 16.0), colour="brown", log_odds=1.1, visible=0.4)
        play.table.see(fingers)
    play.table.see(play.ready())
    play.twenty()
    assert play.shown_rightly()
    play.shots(3)
    assert play.shown_rightly()
    assert set(cases(play)) <= {"colours"}, "a shot before the first that nobody saw remains possible"


def test_fingers_of_the_other_sides_colour_that_slide_a_disc_along_the_line_are_part_of_the_hand(play):
    for off in (11.0, 7.0):  # degrees
        d = play.ready(off)
        hand = tuple((d.x + dx, d.y + dy) for dx, dy in ((-50, -170), (50, -170), (50, 50), (-50, 50)))  # mm
        fingers = replace(d, lab=HANDS["dark"], colour="black", log_odds=2.0, visible=0.5)
        play.table.see(fingers, hidden=(hand,))
    play.table.see(play.ready())
    play.twenty()
    assert play.shown_rightly()
    play.shots(3)
    assert play.shown_rightly()
    assert set(cases(play)) <= {"colours"}, "they may have been a disc"


def test_what_is_taken_for_a_disc_of_a_colour_that_nobody_plays_is_given_up(play):
    play.table.see(replace(play.ready(20.0), lab=HANDS["brown"], colour="brown"), obstructed=True)
    play.table.see(play.ready())
    play.twenty()
    play.shots(2 * len(play.looks))
    assert play.verdicts_right()
    assert set(cases(play)) <= {"colours"}, "of three sides, which of two near colours the third plays may be asked"


def test_who_changes_his_mind_and_places_a_disc_of_another_side_first_is_asked_about_at_most_once(play):
    other = play.looks[1]
    play.with_second_thoughts(other)
    play.shots(3)
    if not play.shown_rightly():
        assert cases(play).count("colours") == 1
        (asked,) = [q for q in play.table.state.questions.values() if q.asked.case == "colours"]
        assert asked.asked.colour == COLOUR[other]
        play.table.do("answer", question=asked.id, answer="no")
    assert play.shown_rightly()
    play.shots(3)
    assert play.shown_rightly()
    assert cases(play) == []


def test_a_disc_that_who_does_not_begin_lays_down_slides_and_takes_back_is_no_shot(tmp_path):
    """Filmed, at a seat of their own."""
    table = ReadTable(tmp_path, seats_known=False, **WAYS["doubles"])
    play = Play(table, "doubles")
    for off in (7.0, 4.0):  # degrees
        table.see(play.at(play.seats[1] + off, LINE, play.looks[1]), film=NOTHING_MOVED)
    table.see(film=NOTHING_MOVED)
    table.see(play.ready(2.0), film=NOTHING_MOVED)
    play.shots(4, filmed=True)
    assert play.shown_rightly()
    assert set(cases(play)) <= {"colours"}
    table.journal.close()


def test_a_round_whose_colours_were_swapped_is_revised_in_one_amendment(tmp_path):
    table = ReadTable(tmp_path, seats_known=False, **WAYS["singles"])
    play = Play(table, "singles")
    play.with_second_thoughts("A")
    play.shots(3)
    assert len(table.shots) == 5, (
        "the sides' colours are told in the order in which discs were placed, and a shot too many"
    )
    assert "colours" in table.asked("case")
    table.happened.clear()
    table.answer("no")
    assert sum(isinstance(event, ev.Amended) for event in table.happened) == 1
    table.restart()
    assert play.shown_rightly(), "the journal alone tells it too"
    table.journal.close()


@pytest.mark.parametrize("end", ["swept", "tapped"])
def test_colours_that_nobody_confirmed_are_asked_about_after_their_round_too(tmp_path, end):
    table = ReadTable(tmp_path, seats_known=False, **WAYS["singles"])
    play = Play(table, "singles")
    play.with_second_thoughts("A")
    play.shots(3 if end == "tapped" else 23)
    assert "colours" in cases(play)
    if end == "tapped":
        table.do("end_round")
        table.see(film=NOTHING_MOVED)
    else:
        table.see()
        table.see()
    assert "played" in cases(play)
    table.do("undo")
    table.see(*play.lying)
    assert "colours" not in cases(play), "its boards are forgotten: the round can't be judged again"
    assert cases(play).count("played") == 1
    table.do("redo")
    before = table.state.game.all_rounds[0].totals
    table.do("correct_round", round=1, totals={"A": before["B"], "B": before["A"]})
    assert "played" not in cases(play)
    table.journal.close()


def test_colours_that_can_not_be_judged_again_after_a_correction_are_asked_about_otherwise(tmp_path):
    """Its boards began before people changed the round: "No" would exchange the colours of later shots alone."""
    table = ReadTable(tmp_path, seats_known=False, **WAYS["singles"])
    play = Play(table, "singles")
    play.with_second_thoughts("A")
    play.shots(3)
    assert "colours" in cases(play)
    table.do("correct_shot", round=1, shot=2, agreed="foul")
    table.see(*play.lying)
    assert "colours" not in cases(play)
    assert "played" in cases(play)
    table.journal.close()


def test_a_disc_that_is_lit_otherwise_on_many_boards_exchanges_no_colours(play):
    """In the second round, in another light than the first: it looks as unlike its side's colour as another side's
    does, once, however often it is read."""
    play.table.see(play.ready())
    play.shots(2 * len(play.looks))
    learnt = dict(play.table.state.colours)
    play.table.do("end_round")
    play.table.see(film=NOTHING_MOVED)
    play.lying, play.taken, play.darker = [], "ABCD".index(play.table.round.starter), 10.0
    play.shots(len(play.looks))
    *others, last = play.lying
    play.lying = [*others, replace(last, lab=(last.lab[0] - 9.0, *last.lab[1:]))]
    for _ in range(10):
        play.table.see(*play.lying)
    play.shots(1)
    assert dict(play.table.state.colours) == learnt
    assert all(valid for _, valid, *_ in play.table.shots)


def test_a_leaning_disc_that_looks_like_the_other_sides_in_the_shade_is_evidence_once(table):
    table.see(a(60, 0))
    lying = a(90, 20), a(-5, -1, "leaning")
    table.see(*lying)
    assert kinds(table.see(*lying)) == []


@pytest.mark.parametrize("empty_boards", first_is_quick([0, 1, 3]))
def test_a_round_that_is_full_too_early_shows_that_a_shot_never_was(tmp_path, empty_boards):
    table = ReadTable(tmp_path, seats_known=False, discs=6, **WAYS["singles"])
    for _ in range(empty_boards):
        table.see(hand=False)
    play = Play(table, "singles")
    play.with_second_thoughts("A")
    discs = 2 * table.state.game.terms.discs
    play.shots(discs - 2)
    assert len(table.shots) == discs, "nobody answered: one shot is told too many"
    assert table.round.complete
    play.shots(1, filmed=True)
    assert play.shown_rightly()
    assert cases(play) == []
    table.journal.close()


def test_sides_that_said_what_they_play_are_never_asked(tmp_path):
    table = ReadTable(tmp_path, seats_known=False, sides=SIDES[::-1])
    play = Play(table, "singles")
    play.with_second_thoughts("A")
    play.shots(3)
    assert play.shown_rightly()
    assert cases(play) == []
    table.journal.close()


TAN, BROWN = (66.0, 16.0, 38.0), (52.0, 15.0, 32.0)
"""Nearer to each other than the first discs of a match may be."""


def tan(x, y):
    return replace(disc("A", x, y), lab=(64.5, 15.2, 37.1), colour="tan")


def brown(x, y):
    return replace(disc("A", x, y), lab=(53.0, 15.5, 33.0), colour="brown")


@pytest.fixture
def table(new_table):
    return new_table(sides=NAMELESS[:2])


def owners(table):
    return [played.shot.side for played in table.round.shots]


def test_without_set_up_discs_of_two_near_colours_are_taken_for_one_sides(table):
    table.see(tan(0, -150))
    table.see(tan(0, -150), brown(150, 0))
    assert set(table.state.colours) == {"A"}


def test_a_side_whose_colour_was_certified_is_known_by_it_although_the_others_is_near(table):
    table.engine.certify(Palette({"A": TAN, "B": BROWN}))
    table.see(tan(0, -150))
    table.see(tan(0, -150), brown(150, 0))
    assert dict(table.state.colours) == {"A": TAN, "B": BROWN}, "what set-up learnt, not the first disc's own"
    assert owners(table) == ["A", "B"]


def test_sides_that_play_each_others_certified_colours_are_known_by_the_order_of_play(table):
    table.engine.certify(Palette({"A": BROWN, "B": TAN}))
    table.see(tan(0, -150))
    table.see(tan(0, -150), brown(150, 0))
    assert dict(table.state.colours) == {"A": TAN, "B": BROWN}
    assert owners(table) == ["A", "B"]


def test_of_several_new_colours_at_once_set_up_says_whose_each_is(table):
    table.engine.certify(Palette({"A": BROWN, "B": TAN}))
    table.engine.command({"do": "manual"})
    table.see(replace(tan(0, -150), visible=1.0), replace(brown(150, 0), visible=0.9))
    table.engine.command({"do": "automatic", "left": {"A": 7, "B": 7}})
    assert dict(table.state.colours) == {"A": BROWN, "B": TAN}


def test_discs_that_set_up_never_saw_are_learnt_as_they_look(table):
    table.engine.certify(Palette({"A": BROWN, "B": TAN}))
    table.see(disc("C", 0, -150))
    table.see(disc("C", 0, -150), disc("D", 150, 0))
    assert dict(table.state.colours) == {"A": disc("C", 0, 0).lab, "B": disc("D", 0, 0).lab}


def test_certified_colours_hold_for_the_match_that_goes_on_for_the_next_and_after_a_restart(table):
    table.engine.certify(Palette({"A": TAN, "B": BROWN}))
    assert dict(table.state.certified) == {"A": TAN, "B": BROWN}
    table.engine.certify(Palette({"A": TAN, "B": BROWN}))
    assert len([s for s in table.engine.history if isinstance(s.event, ev.ColoursLearnt)]) == 1
    table.engine.command({"do": "start", "rules": "nca", "sides": NAMELESS[:2]})
    assert dict(table.state.certified) == {"A": TAN, "B": BROWN}
    table.restart()
    assert dict(table.state.certified) == {"A": TAN, "B": BROWN}
    table.engine.certify(Palette({"A": TAN}))
    assert dict(table.state.certified) == {"A": TAN}


GHOSTS = {"own": 0, "opponents'": 1}


@pytest.mark.parametrize("whose", GHOSTS)
@pytest.mark.parametrize("boards", first_is_quick([1, 3]))
def test_an_empty_hole_that_is_read_as_a_disc_before_anybody_shot_heals_by_itself(tmp_path, whose, boards):
    table = ReadTable(tmp_path, seats_known=False, **WAYS["singles"])
    ghost = disc(LOOKS["singles"][GHOSTS[whose]], 0.4, -0.3, "in_hole")
    for number in range(boards):
        table.see(ghost, hand=number > 0, film=NOTHING_MOVED)
    play = Play(table, "singles")
    play.shots(4, filmed=True)
    assert play.shown_rightly()
    assert set(cases(play)) <= {"colours"}
    table.journal.close()


def test_a_hole_that_looked_like_a_disc_before_anybody_shot_has_one_that_is_shot_into_it(tmp_path):
    table = ReadTable(tmp_path, seats_known=False, **WAYS["singles"])
    ghost = disc("B", 0.4, -0.3, "in_hole")
    table.see(ghost, hand=False)
    play = Play(table, "singles")
    play.table.see(play.ready())
    play.twenty()
    play.shots(3, filmed=True)
    assert play.shown_rightly()
    table.journal.close()


def test_a_hole_that_looks_like_a_disc_is_known_after_a_correction(tmp_path):
    table, ghost = ReadTable(tmp_path), a(0.4, 0.3, "in_hole")
    table.see(ghost, hand=False)
    table.see(a(0, 60), ghost)
    table.see(a(0, 60), b(30, 75), ghost)
    table.do("correct_shot", round=1, shot=2, agreed="valid")
    table.see(a(0, 60), b(30, 75), ghost)
    assert table.shooters == ["A", "B"]
    table.journal.close()


def test_a_hole_that_looks_like_a_disc_is_known_in_the_next_round(tmp_path):
    table, ghost = ReadTable(tmp_path, discs=6), a(0.4, 0.3, "in_hole")
    table.see(ghost, hand=False)
    table.see(a(0, 60), ghost)
    for k in range(11):
        table.see(a(0, 60), ghost, (b, a)[k % 2](-150 - 5 * k, -150))
        table.see(a(0, 60), ghost)
    table.see(ghost)
    table.do("end_round")  # what is seen in the hole may be a disc that was left
    table.see(ghost)
    table.see(b(0, 60), ghost)
    table.see(b(0, 60), a(20, 36), ghost)
    assert table.shooters == ["B", "A"]
    assert table.state.game.round.twenty_counts == {"A": 0, "B": 0}
    table.journal.close()
