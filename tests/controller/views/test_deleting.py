"""A deleted match is in no list and no figure; nothing of it is lost, and it comes back as it was."""

import json
from contextlib import closing

import pytest

from controller.errors import Refused
from controller.messages import encoded
from controller.views.audit import audit
from controller.views.history import Archive
from tests.controller.fed_table import a, b


@pytest.fixture
def table(new_table):
    """Two matches of the same players, the first played to its end."""
    table = new_table(format={"kind": "rounds", "rounds": 1})
    table.see(a(0, 60))
    table.see(a(0, 60.9), b(30, 40))
    table.do("end_round")
    table.see()
    table.do("start", rules="nca", sides=[{"name": "Black"}, {"name": "Red"}])
    table.see(a(0, 60))
    return table


def everything(archive):
    """Everything shown of all matches together."""
    archive.upkeep.catch_up()
    told = {
        "matches": archive.matches(),
        "players": archive.players(),
        "figures": archive.figures(),
        "shots": archive.shots(),
    }
    shown = json.loads(encoded(told))
    for line in shown["matches"]["matches"]:
        line.pop("last_event"), line.pop("ended")
    return shown


def test_it_leaves_lists_and_figures_and_comes_back_as_it_was(table):
    with closing(Archive(table.journal)) as archive:
        before = everything(archive)
        assert [line["id"] for line in before["matches"]["matches"]] == [2, 1]
        assert "Natural" in before["players"]["players"]
        table.do("delete_match", match=1, by="phone")
        without = everything(archive)
        assert [line["id"] for line in without["matches"]["matches"]] == [2]
        assert without["matches"]["deleted"] == [1]
        assert without["players"]["players"] == ["Black", "Red"]
        assert "Natural" not in json.dumps(without)
        assert archive.match(1).deleted is True
        assert len(archive.match(1).shots) == 2, "nothing of it is lost"
        table.do("delete_match", match=1, deleted=False)
        assert everything(archive) == before
        table.do("undo", match=1)
        assert everything(archive)["matches"]["deleted"] == [1]
        table.do("undo", match=1)
        assert everything(archive) == before


def test_it_is_in_the_audit_and_refused_a_second_time(table):
    table.do("delete_match", match=2, by="phone")
    assert str(audit(table.engine.history)[-1].text) == "Match deleted"
    with pytest.raises(Refused, match="deleted already"):
        table.do("delete_match", match=2)
    with pytest.raises(Refused, match="is not deleted"):
        table.do("delete_match", match=1, deleted=False)
    with pytest.raises(Refused, match="no match 7"):
        table.do("delete_match", match=7)
    table.see(a(0, 60.9), b(30, 40))
    assert table.totals == (15, 15), "who plays on plays on"
