"""Three and four players, each for themselves: the referee follows them as it follows two."""

import pytest

from tests.controller.fed_table import COLOUR, a, b, c, disc
from tests.slow import first_is_quick

NAMES = ("Ann", "Bo", "Cy", "Di")


def sides(count, said=True):
    return [
        {"name": name} | ({"colour": COLOUR[id_]} if said else {})
        for name, id_ in zip(NAMES[:count], "ABCD", strict=False)
    ]


@pytest.fixture(params=[True, False], ids=["colours said", "colours not said"])
def three(new_table, request):
    return new_table("family", sides=sides(3, request.param))


def totals(table):
    return dict(table.round.totals)


def notices(table):
    return " ".join(str(notice.text) for notice in table.engine.snapshot.notices)


def test_each_shoots_in_turn_and_hits_any_other(three):
    three.see(a(0, 60))
    three.see(a(0, 150), b(10, 50))
    three.see(a(0, 150), b(10, 50), c(-60, -20))  # nobody touched
    assert three.shots[-1] == ("C", False, ("c1",), ())
    three.see(a(0, 150), b(10, 50), c(-330, 100, "ditch"))
    three.see(a(10, 52), a(0, 150), b(330, 100, "ditch"), c(-330, 100, "ditch"))
    assert [shot[:2] for shot in three.shots] == [("A", True), ("B", True), ("C", False), ("A", True)]
    assert totals(three) == {"A": 25, "B": 0, "C": 0}
    assert three.round.to_shoot == "B"
    assert three.state.questions == {}


def test_whose_twenty_is_asked_of_all_three(three):
    three.see(a(0, 60))
    three.see(a(0, 150), b(10, 50))
    three.see(a(0, 150), b(-90, 60), c(12, 48))
    three.hole((1.0, True), (3.0, False))
    three.see(a(0, 150))
    (question,) = (q for q in three.state.questions.values() if q.asked.what == "twenty")
    answers = three.answers(question)
    assert sorted(answers) == ["Ann", "Bo", "Cy", "We don't know"]
    for name in NAMES[:3]:
        three.do("answer", question=question.id, answer=answers[name])
        owner = "ABC"[NAMES.index(name)]
        assert totals(three) == {id_: 10 * (id_ == "A") + 20 * (id_ == owner) for id_ in "ABC"}
        three.do("undo")


@pytest.mark.parametrize("off", first_is_quick([True, False]), ids=["knocked off", "moved"])
def test_what_two_others_may_have_hit_is_asked(three, off):
    """A's second disc is gone, and nobody saw it.

    Either it hit C's disc and came to rest, where B's hit it; or it missed and went off, and B's hit C's disc. The two
    are even (0.45 each), so one of them stands as a whole, and what A's shot touched is asked before anything else.
    """
    three.see(a(0, 60))
    three.see(a(0, 150), b(10, 50))
    three.see(a(0, 150), b(-90, 60), c(12, 48))
    hit = c(-340, 40, "ditch") if off else c(-120, 40)
    three.see(a(0, 150), b(-90, 60), b(20, 40), hit)
    first, last = three.round.shots[-2:]
    told = {True: ((("a2", "c1"),), (("b2", "a2"),)), False: ((), (("b2", "c1"),))}
    assert (first.shot.contacts, last.shot.contacts) == told[first.judgement.valid]
    assert [(p.shot.side, p.shot.disc) for p in (first, last)] == [("A", "a2"), ("B", "b2")]
    assert last.judgement.valid
    assert totals(three) == {"A": 10, "B": 25, "C": 0 if off else 10}
    question = next(iter(three.state.questions.values()))
    assert (question.asked.case, question.asked.discs) == ("two_shots", ("a2", "c1"))
    three.do("answer", question=question.id, answer="clear")
    assert three.shots[-2][:2] == ("A", False)


def test_said_colours_tell_two_new_ones_apart(new_table):
    table = new_table(sides=sides(4))
    table.see(c(-60, 20), a(0, 60), b(30, 42))
    assert table.shooters == ["A", "B", "C"]
    table.see(c(-60, 20), a(0, 60), b(90, 92), disc("D", 32, 44))
    assert totals(table) == {"A": 15, "B": 10, "C": 15, "D": 15}


def test_discs_that_may_be_anybodys_are_nobodys_until_it_is_plain(new_table):
    table = new_table(sides=sides(3, said=False))
    table.see(a(0, 60))
    table.see(a(0, 60), b(30, 42), c(-60, 20))
    assert table.shooters == ["A"]
    assert "whose discs" in notices(table)
    table.see(a(0, 60), b(30, 42))
    table.see(a(0, 60), b(30, 42), c(-60, 20))
    assert table.shooters == ["A", "B", "C"]
    assert notices(table) == ""
