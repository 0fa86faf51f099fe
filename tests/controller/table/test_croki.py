"""A table whose matches come from the croki.nl organiser's laptop: one that is written from its owner's document."""

from contextlib import closing

import jsonschema_rs
import pytest

from controller.config import Config
from tests.controller.fed_table import a
from tests.controller.table.club_table import ClubTable
from tests.controller.test_exchange import INGEST_SCORE, ON_TABLE_7, Laptop
from tests.waiting import eventually

ROUNDS = (((60, 35), (2, 0)), ((45, 45), (1, 1)), ((20, 80), (0, 3)), ((30, 15), (0, 0)))


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("controller.table.club.croki.POLL", 0.02)


@pytest.fixture
def laptop():
    with closing(Laptop()) as laptop:
        yield laptop


@pytest.fixture
def table(tmp_path, laptop):
    with closing(at_table_7(tmp_path, laptop)) as table:
        yield table


def at_table_7(folder, laptop):
    return ClubTable(folder, url=laptop.url, key="key", table=7)


def next_match(table):
    following = table.club and table.club["next"]
    return str(following["text"]) if following else None


def begin(table, **more):
    eventually(lambda: next_match(table))
    table.do("start", **{**table.club["next"]["start"], "manual": True, **more})


def enter(table, rounds):
    for totals, twenties in rounds:
        sides = [dict(zip("AB", figures, strict=True)) for figures in (totals, twenties)]
        table.do("end_round", totals=sides[0], twenties=sides[1])


def sets(rounds):
    return [{"pa": p[0], "pb": p[1], "ta": t[0], "tb": t[1]} for p, t in rounds]


def last(laptop):
    return laptop.got[-1] if laptop.got else None


def test_the_laptops_match_is_shown_and_every_round_is_sent(table, laptop):
    eventually(lambda: next_match(table) == "Next: Team 12 and Team 27")
    assert table.club["name"] == "croki.nl"
    table.see()
    table.see(a(0, 60))
    assert table.assignment is not None
    assert next_match(table) is None
    for n in range(1, 5):
        enter(table, ROUNDS[n - 1 : n])
        eventually(lambda n=n: last(laptop) and last(laptop)["sets"] == sets(ROUNDS[:n]))
    assert (last(laptop)["match_code"], last(laptop)["complete"]) == ("MD55", True)
    table.do("correct_round", round=1, totals={"A": 65, "B": 35})
    eventually(lambda: last(laptop)["sets"][0]["pa"] == 65)
    check = jsonschema_rs.validator_for(INGEST_SCORE)
    for body in laptop.got:
        check.validate(body)
    sent = len(laptop.got)
    laptop.matches = [{**ON_TABLE_7, "status": "entered"}]
    eventually(lambda: laptop.asked > 5)
    assert len(laptop.got) == sent, "what has not changed is sent once"
    assert next_match(table) is None
    assert not table.club["taken_back"]
    following = {**ON_TABLE_7, "match_code": "MD61", "round": 4, "team_a": {"id": 1, "name": "Team 1"}}
    laptop.matches = [following]
    eventually(lambda: next_match(table) == "Next: Team 1 and Team 27")


def test_players_who_swap_sides_keep_their_own_figures(table, laptop):
    eventually(lambda: next_match(table))
    begin(table, sides=table.club["next"]["start"]["sides"][::-1], seats={})
    enter(table, ROUNDS[:1])
    eventually(lambda: last(laptop))
    assert last(laptop)["sets"] == [{"pa": 35, "pb": 60, "ta": 0, "tb": 2}]


def test_what_was_played_without_the_laptop_is_sent_when_it_is_back_also_after_a_restart(tmp_path):
    with closing(Laptop()) as laptop:
        table = at_table_7(tmp_path, laptop)
        begin(table)
        port = laptop.port
    table.tells("does not answer")
    enter(table, ROUNDS)
    assert laptop.got == []
    table.close()
    with closing(at_table_7(tmp_path, laptop)) as table:
        table.tells("does not answer")
        with closing(Laptop(port=port)) as again:
            eventually(lambda: last(again))
            assert (last(again)["sets"], last(again)["complete"]) == (sets(ROUNDS), True)
            table.tells()
            again.got.clear()
    with closing(Laptop(port=port)) as again, closing(at_table_7(tmp_path, again)) as table:
        eventually(lambda: again.asked > 3)
        assert again.got == [], "a restart does not overwrite what the organiser may have corrected meanwhile"


def test_a_confirmed_result_is_not_overwritten_and_the_page_says_so(table, laptop):
    begin(table)
    enter(table, ROUNDS)
    eventually(lambda: last(laptop) and last(laptop)["complete"])
    laptop.matches = [{**ON_TABLE_7, "status": "confirmed"}]
    sent = len(laptop.got)
    table.do("correct_round", round=1, totals={"A": 65, "B": 35})
    table.tells("confirmed the result of match MD55")
    assert len(laptop.got) == sent
    laptop.matches = []
    eventually(lambda: table.notice("club") is None or "confirmed" not in str(table.notice("club")))


def test_after_a_result_that_is_refused_the_evening_goes_on(table, laptop):
    """As that of a match which the organiser has deleted since."""
    begin(table)
    laptop.unknown = {"MD55"}
    enter(table, ROUNDS)
    laptop.matches = [{**ON_TABLE_7, "match_code": "MD61", "round": 4}]
    eventually(lambda: "refuses it: Unknown match." in (table.notice("club") or ""))
    eventually(lambda: next_match(table) == "Next: Team 12 and Team 27")
    begin(table)
    enter(table, ROUNDS[:1])
    eventually(lambda: any(one["match_code"] == "MD61" for one in laptop.got))
    laptop.unknown = set()
    eventually(lambda: table.notice("club") is None)


def test_a_result_that_is_confirmed_while_the_laptop_answers_is_not_overwritten(table, laptop):
    begin(table)
    enter(table, ROUNDS)
    eventually(lambda: last(laptop) and last(laptop)["complete"])
    sent, asked = len(laptop.got), laptop.asked
    laptop.answers.clear()
    eventually(lambda: laptop.asked > asked)
    laptop.matches = [{**ON_TABLE_7, "status": "confirmed"}]
    table.do("correct_round", round=1, totals={"A": 65, "B": 35})
    laptop.answers.set()
    table.tells("confirmed the result of match MD55")
    assert len(laptop.got) == sent


@pytest.mark.parametrize(
    ("matches", "words"),
    [
        ([ON_TABLE_7, {**ON_TABLE_7, "match_code": "MD60"}], "2 matches on table 7"),
        ([{**ON_TABLE_7, "match_code": "a code\nof two lines"}], "in an unknown form"),
        ([{"table": 7}], "in an unknown form"),
    ],
    ids=["two matches", "an invalid code", "no matches"],
)
def test_a_malformed_answer_of_the_laptop_is_reported_and_assigns_nothing(table, laptop, matches, words):
    eventually(lambda: next_match(table))
    laptop.matches = matches
    table.tells(words)
    assert next_match(table) == "Next: Team 12 and Team 27", "what was assigned before stands"


def test_a_match_that_was_entered_elsewhere_is_not_to_be_played(table, laptop):
    eventually(lambda: next_match(table))
    laptop.matches = [{**ON_TABLE_7, "status": "entered"}]
    eventually(lambda: next_match(table) is None)


def test_another_format_is_not_sent_and_the_page_says_so(table, laptop):
    begin(table, format={"kind": "race", "target": 9})
    table.tells("knows matches of four rounds")
    assert laptop.got == []


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"croki": {"url": "laptop", "key": "k", "table": 7}}, "no address of a laptop"),
        ({"croki": {"url": "http://laptop", "key": "", "table": 7}}, "key"),
        ({"croki": {"url": "http://laptop", "key": "k", "table": 0}}, "table"),
    ],
)
def test_an_unusable_configuration_is_refused(document, words):
    with pytest.raises(ValueError, match=words):
        Config.model_validate(document)


LEVEL = (ROUNDS[0], ((20, 45), (0, 1)), *ROUNDS[2:])


@pytest.mark.parametrize("turned", [False, True])
def test_a_level_knock_out_match_has_the_winner_of_its_shoot_out(tmp_path, laptop, turned):
    """Its document: `shootout_winner` is the number of the team. Without it the laptop's bracket waits for ever."""
    laptop.matches = [{**ON_TABLE_7, "phase": "ko", "bracket": "Semi-final"}]
    with closing(at_table_7(tmp_path, laptop)) as table:
        eventually(lambda: next_match(table))
        sides = table.club["next"]["start"]["sides"]
        begin(table, **({"sides": sides[::-1], "seats": {}} if turned else {}))
        enter(table, LEVEL)
        eventually(lambda: last(laptop) and len(last(laptop)["sets"]) == 4)
        assert not last(laptop)["complete"], "it waits for the shoot-out"
        table.do("shoot_out", twenties={"A": 1, "B": 2})
        eventually(lambda: last(laptop)["complete"])
        winner = ON_TABLE_7["team_a" if turned else "team_b"]
        assert last(laptop)["shootout_winner"] == winner["id"]
        jsonschema_rs.validator_for(INGEST_SCORE).validate(last(laptop))
