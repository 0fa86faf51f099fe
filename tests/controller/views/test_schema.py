"""What is promised is kept: every member of the schema is described, and every word of it is said somewhere."""

import math

from tests.controller.fed_table import disc


def _at(direction, distance, side="A"):
    turn = math.radians(direction)
    return disc(side, distance * math.cos(turn), distance * math.sin(turn))


def test_a_question_who_sits_where_offers_the_players_and_says_that_the_drawn_board_turns(new_table):
    table = new_table(seats_known=False)
    for discs in ((), (_at(225, 304.8),), (_at(225, 60),), (_at(225, 60), _at(45, 304.8, "B"))):
        table.see(*discs)
    (question,) = table.engine.snapshot.document.match.questions
    black, nobody, unknown = ((str(one.text), str(one.effect)) for one in question.answers)
    assert (black[0], nobody[0], unknown[0]) == ("Black", "Nobody", "We don't know")
    assert black[1] == nobody[1] == "The drawn board is turned to it."
