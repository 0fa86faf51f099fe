"""Kinds of shots and flicks in the history's tables: as one counts them by hand, however the tables came about."""

import json
from collections import Counter
from contextlib import closing

from controller.match.events import parse
from controller.match.shot_kinds import KINDS, kinds
from controller.messages import encoded
from controller.views.history import Archive, Selection, queries
from controller.views.history.one_match import walk
from tests.controller.fed_table import a, b, history_of
from tests.controller.films import SPEED, every_kind, filmed


def play(table):
    """Black into the 15; Natural takes nothing; Black knocks Natural's disc off; Natural misses."""
    table.see(a(0, 60))
    table.see(a(0, 90), b(20, 70))
    table.see(a(0, 90), a(25, 60))
    table.see(a(0, 90), a(25, 60), b(0, -200))


def figures(archive, **asked):
    """(shots, hits) by kind, over all distances."""
    found = {}
    for one in archive.shots(Selection(**asked)).kinds:
        shots, hits = found.get(one.kind, (0, 0))
        found[one.kind] = (shots + one.shots, hits + one.hits)
    return found


def counted(table):
    """The same from the shots themselves, without any table."""
    shots = Counter()
    hits = Counter()
    for number in table.journal.spans():
        steps, _ = walk(number, [parse(entry) for entry in table.journal.events(number)])
        for step in steps:
            for one in kinds(step.shot):
                shots[one.kind] += 1
                hits[one.kind] += one.hit
    return {kind: (shots[kind], hits[kind]) for kind in shots}


def test_they_follow_each_shot_correction_and_rebuild(table):
    with closing(Archive(table.journal)) as archive:
        table.journal.on_written.append(archive.upkeep.catch_up)  # after each event
        filmed(table.engine)
        play(table)
        assert figures(archive) == counted(table)
        table.do("correct_shot", round=1, shot=len(table.round.shots), annulled=True)
        assert figures(archive) == counted(table)
        table.do("undo")
        table.do("start", rules="nca", sides=[{"name": "Black"}, {"name": "Natural"}])
        table.see()
        play(table)
        step_by_step = json.loads(encoded(archive.shots()))
        assert figures(archive) == counted(table)
        archive.upkeep.damaged()
        archive.upkeep.catch_up()
        assert json.loads(encoded(archive.shots())) == step_by_step


def test_flicks_rest_on_the_shots_whose_speed_was_seen(opened, monkeypatch):
    filmed(opened.engine)
    opened.see(a(0, 90), b(20, 70))
    opened.see(a(0, 90), a(25, 60))
    with history_of(opened.journal) as archive:
        black, natural = archive.shots().flicks
        assert black == queries.Flicks("Black", 1, SPEED, SPEED)
        assert natural == queries.Flicks("Natural", 1, SPEED, SPEED)
        assert (
            archive.shots(Selection(until="1969-01-01")).kinds
            == archive.shots(Selection(until="1969-01-01")).flicks
            == []
        )
        monkeypatch.setattr(queries, "PAGE", 1)
        first = archive.shots()
        assert [one.player for one in first.flicks] == ["Black"]
        assert first.next == 2
        second = archive.shots(Selection(page=2))
        assert [one.player for one in second.flicks] == ["Natural"]
        assert second.next is None


def test_every_kind_of_shot_is_shown_with_its_shot_and_among_the_figures(table):
    every_kind(table)
    with history_of(table.journal) as archive:
        assert {kind for shot in archive.match(1).shots for kind in shot.kinds} == set(KINDS)
        found = figures(archive)
        assert found == counted(table)
        assert set(found) == set(KINDS)
        of_players = [figures(archive, player=name) for name in ("Black", "Natural")]
        assert of_players[0]["takeout"] != of_players[1]["takeout"]
        assert found == {
            kind: tuple(map(sum, zip(*(one.get(kind, (0, 0)) for one in of_players), strict=True))) for kind in found
        }
