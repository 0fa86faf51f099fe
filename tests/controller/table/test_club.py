"""The table in its club, over real HTTP: what people are shown, what the hub gets, what happens when either is away."""

from contextlib import closing

import pytest

from controller.match import club
from controller.table.club.hub import journal_id
from tests.controller.club.naive_hub import NaiveHub
from tests.controller.fed_table import SIDES, a, b
from tests.controller.table.club_table import ClubTable
from tests.controller.table.test_journal_batches import stored
from tests.waiting import eventually

START = {"do": "start", "rules": "nca", "sides": SIDES}
CODE = "K7M2QX4A"


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("controller.table.club.evening.FIRST_PAUSE", 0.02)


def match(id_, first="Player 1", second="Player 2", **more):
    return club.Assigned.model_validate({"id": id_, "round": 1, "sides": ((first,), (second,)), "rules": "nca", **more})


@pytest.fixture
def hub():
    return NaiveHub()


@pytest.fixture
def served(hub):
    with closing(hub.serve()) as served:
        yield served


@pytest.fixture
def table(tmp_path, served):
    with closing(ClubTable(tmp_path)) as table:
        table.member.join(served.address, CODE)
        yield table


def shown(table, id_):
    """Wait until people see this as the next match."""

    def next_is():
        following = table.club and table.club["next"]
        return (following["start"]["assignment"] if following else None) == id_

    eventually(next_is)


def arrives(hub, table):
    """Wait until the hub has the whole journal."""
    eventually(lambda: hub.journals.get(journal_id(table.journal)) == stored(table.journal))


def answered(hub, id_, answer):
    eventually(lambda: hub.answer is not None and (hub.answer["id"], hub.answer["answer"]) == (id_, answer))


def test_an_assignment_is_shown_and_begins_with_the_first_disc_and_the_hub_gets_all(hub, table):
    hub.assign(match("e1:1"))
    shown(table, "e1:1")
    assert str(table.club["next"]["text"]) == "Next: Player 1 and Player 2"
    assert "NCA" in str(table.club["next"]["details"])
    answered(hub, "e1:1", "shown")
    table.see()
    table.see(a(0, 60))
    assert table.assignment == "e1:1"
    assert not table.done(lambda: table.engine.state.uncleared)
    assert table.done(lambda: len(table.engine.state.game.round.shots)) == 1
    answered(hub, "e1:1", "begun")
    assert table.club["next"] is None
    arrives(hub, table)
    started = hub.journals[journal_id(table.journal)][1]
    assert (started["kind"], started["body"]["assignment"]) == ("match_started", "e1:1")
    # changed while it runs: the next is shown, this one goes on, and the page says so
    hub.assign(match("e1:2", "Player 3", "Player 4"))
    shown(table, "e1:2")
    assert table.club["taken_back"]
    table.see(a(0, 60), b(90, 90))
    assert table.assignment == "e1:1"
    # taken back altogether, then begun from a page that shows what is gone: refused
    start = dict(table.club["next"]["start"])
    hub.assign(None)
    shown(table, None)
    with pytest.raises(Exception, match="another match"):
        table.do("start", **start)
    hub.assign(match("e1:2", "Player 3", "Player 4"))
    shown(table, "e1:2")
    table.do("start", **start)
    assert table.assignment == "e1:2"


def test_what_was_played_to_its_end_is_not_begun_again_though_the_hub_assigns_it_again(hub, table):
    for id_ in ("e1:1", "e1:2"):
        hub.assign(match(id_))
        shown(table, id_)
        table.do(**{**table.done(table.member.start_assigned), "manual": True})
        for _ in range(4):
            table.do("end_round", totals={"A": 20, "B": 0})
        answered(hub, id_, "over")
    hub.assign(match("e1:1"))  # it was set back to an older copy of its database
    answered(hub, "e1:1", "over")
    assert hub.answer["match"] == 1
    assert table.club["next"] is None
    assert table.done(table.member.start_assigned) is None


def test_what_this_table_cannot_play_is_refused_with_the_reason(hub, table):
    for wrong, why in (
        (match("e1:1", rules="unheard-of"), "unheard-of"),
        (match("e1:2", format={"kind": "chess"}), "chess"),
    ):
        hub.assign(wrong)
        answered(hub, wrong.id, "refused")
        assert why in hub.answer["why"]
        assert table.club["next"] is None
    hub.assign(match("e1:4"))
    shown(table, "e1:4")
    for junk in (b"\xff", b"[1]", b"{" * 5000, b'{"match": 7}'):
        hub.assign(junk)
        table.tells("can't be read")
        shown(table, "e1:4")  # what was assigned stands
        hub.assign(match("e1:4"))
        table.tells()
    hub.assign(None)
    shown(table, None)


def test_hub_and_table_are_killed_and_set_back_and_every_event_arrives_once(tmp_path, hub):
    served = hub.serve()
    table = ClubTable(tmp_path)
    table.member.join(served.address, CODE)
    table.do(**START)
    eventually(lambda: hub.journals)
    yesterday = hub.backup()
    for killed in ("hub", "hub, which is set back", "hub and table"):
        table.see()
        table.see(a(0, 60))
        served.close()
        table.do("undo")
        eventually(lambda: table.notice("club"))  # noqa: B023
        table.do(**START)  # away from the club everything goes on
        if killed == "hub, which is set back":
            hub.restore(yesterday)
        if killed == "hub and table":
            table.close()
            table = ClubTable(tmp_path)
        served = hub.serve(served.port)
        arrives(hub, table)
        table.tells()
    assert list(hub.journals) == [journal_id(table.journal)]
    table.close()
    served.close()


def test_an_assignment_is_there_at_a_start_without_the_hub(tmp_path, hub):
    with closing(hub.serve()) as served, closing(ClubTable(tmp_path)) as table:
        table.member.join(served.address, CODE)
        hub.assign(match("e1:1"))
        shown(table, "e1:1")
    with closing(ClubTable(tmp_path)) as table:
        shown(table, "e1:1")


def test_a_token_that_is_not_valid_any_more_is_reported_and_joining_again_sends_the_rest(hub, served, table):
    hub.token = "f" * 32
    table.do(**START)
    table.tells("no longer knows this table")
    assert not any(hub.journals.values())
    hub.join = 200, hub.join[1].replace(b"0123456789abcdef" * 2, b"f" * 32)
    table.member.join(served.address, CODE)
    arrives(hub, table)
    table.tells()


def test_a_journal_of_before_the_club_stays_at_home(tmp_path, hub, served):
    with closing(ClubTable(tmp_path)) as table:
        table.do(**START)
        table.do("pause")
        table.do(**START)  # this one is running when the table joins
        running = table.journal.last()
        table.member.join(served.address, CODE)
        table.do("pause")
        eventually(lambda: hub.journals.get(journal_id(table.journal), {}).keys() >= {running, running + 1})
        assert min(hub.journals[journal_id(table.journal)]) == running


def test_a_certificate_that_is_not_yet_valid_is_a_clock_that_is_wrong(tmp_path, hub, monkeypatch):
    certificate = "tests/data/not-yet-valid.pem"
    with closing(hub.serve(certificate=certificate)) as served, closing(ClubTable(tmp_path)) as table:
        with pytest.raises(Exception, match="not trusted"):
            table.member.join(served.address, CODE)
        monkeypatch.setenv("SSL_CERT_FILE", certificate)
        with pytest.raises(Exception, match="not yet valid by this table's clock"):
            table.member.join(served.address, CODE)
        assert not hub.asked
