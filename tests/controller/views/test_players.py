"""One person under every spelling and all merged names: what people see follows, and the journal stays as it is."""

import json
import shutil
import sqlite3
import unicodedata
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import BadInput, NameTaken, Refused, Stale
from controller.journal import Journal, check
from controller.journal.match_log import record
from controller.match.model import key
from controller.messages import encoded
from controller.table.engine import Engine
from controller.views.history import Archive, Selection
from controller.views.history.tables import history_path
from controller.views.scoreboard import TakenSeat
from tests.controller.fed_table import history_of

DAY = 86_400.0
PEOPLE = [
    ("Zoë", "Zoe\u0308", "ZOË", " zoë"),
    ("Anna B", "anna  b", "Anna\u00a0B"),
    ("Straße", "STRASSE"),
    ("Player 4",),
    ("Player 5",),
]
"""Spellings of one name each, most as other libraries and keyboards write them."""
TYPED = [(0, 0, 1, 0), (0, 1, 2, 0), (1, 1, 3, 0), (2, 1, 4, 0), (0, 2, 3, 0), (4, 0, 1, 2), (0, 3, 2, 0)]
"""The matches: (person, spelling) of one side, then of the other."""


def start(one, other, **more):
    kind = {"rules": "nca", "format": {"kind": "rounds", "rounds": 1}, "manual": True}
    return {"do": "start", **kind, "sides": [{"name": one}, {"name": other}], **more}


def open_table(journal):
    return Engine(journal, wall=lambda: 1_790_000_000.0 + journal.newest() * DAY)


def play(engine, one, other, totals, **more):
    engine.command(start(one, other, **more))
    engine.command({"do": "end_round", "totals": dict(zip("AB", totals, strict=True)), "twenties": {"A": 1, "B": 0}})


@pytest.fixture(scope="module")
def evenings(tmp_path_factory):
    """A journal of seven matches."""
    path = tmp_path_factory.mktemp("evenings") / "journal.sqlite"
    with closing(Journal(path)) as journal:
        engine = open_table(journal)
        for number, (one, how, other, other_how) in enumerate(TYPED):
            play(engine, PEOPLE[one][how], PEOPLE[other][other_how], (40 + 5 * number, 65))
    return path


@pytest.fixture
def journal(evenings, tmp_path):
    with closing(Journal(Path(shutil.copy(evenings, tmp_path / "journal.sqlite")))) as journal:
        yield journal


def rename(engine, name, to, **more):
    engine.command({"do": "rename_player", "name": name, "to": to, **more})


def everything(journal):
    """Everything shown of all matches: lists, figures, shots, each match and its record; without events' numbers."""
    with history_of(journal) as archive:
        told = {
            "matches": archive.matches(),
            "players": archive.players(),
            "figures": [
                archive.figures(),
                *(archive.figures(Selection(player=one)) for one in archive.players().players),
            ],
            "shots": archive.shots(),
            "each": [archive.match(number) for number in journal.spans()],
            "records": [record(journal, number) for number in journal.spans()],
        }
    shown = json.loads(encoded(told))
    shown["players"].pop("changes"), shown["players"].pop("last_change")
    return shown


def written_with(journal, names, path):
    """Another journal with the same matches, played under these names from the beginning."""
    journal.backup(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM events WHERE match = 0")
        for id_, body in connection.execute("SELECT id, body FROM events WHERE kind = 'match_started'").fetchall():
            started = json.loads(body)
            for side in started["sides"]:
                side["name"] = names[side["name"]]
            connection.execute("UPDATE events SET body = ? WHERE id = ?", (json.dumps(started), id_))
    return Journal(path)


STEPS = st.lists(
    st.tuples(st.sampled_from(("rename", "merge", "undo", "play")), st.integers(0, 4), st.integers(0, 7)),
    max_size=8,
)
NEW = ["Player 4", "player 5", "Zoë", "Zoé", "Anna Z", "STRASSE", "zoe\u0301", "Anna B"]


def called(typed, standing):
    """What each typed name is shown as, by looking through the standing changes again and again."""
    same = {name: {name} for name in {*typed, *(name for pair in standing for name in pair)}}
    alike = [(one, other) for one in same for other in same if plain(one) == plain(other)]
    for one, other in [*alike, *standing] * len(same):
        same[one] |= same[other]
        same[other] |= same[one]
    shown = {}
    for name in typed:
        said = [to for _, to in standing if to in same[name]]
        first = next(one for one in typed if plain(one) == plain(name))
        shown[name] = said[-1] if said else " ".join(unicodedata.normalize("NFC", first).split())
    return shown


def plain(name):
    """A name without what makes no difference, reckoned otherwise than by the program."""
    return "".join(unicodedata.normalize("NFKD", name.upper()).split()) if name else ""


@settings(max_examples=10)
@given(steps=STEPS)
def test_whatever_is_renamed_merged_and_undone_it_is_as_if_played_under_those_names(evenings, steps):
    with TemporaryDirectory() as folder:
        journal = Journal(Path(shutil.copy(evenings, Path(folder) / "journal.sqlite")))
        engine, typed, changes = open_table(journal), [PEOPLE[p][s] for m in TYPED for p, s in (m[:2], m[2:])], {}
        with closing(Archive(journal)) as archive:
            archive.upkeep.catch_up()  # what follows finds tables that know other names
        for what, who, number in steps:
            last, chosen = journal.last(), list(changes)[number % len(changes)] if changes else 1
            name, to = journal.players.names().shown(PEOPLE[who][0]), NEW[number]
            try:
                if what == "undo":
                    engine.command({"do": "undo_naming", "event": chosen})
                    changes.pop(chosen)
                elif what == "play":
                    play(engine, PEOPLE[who][-1], to, (50, 45))
                    typed += [PEOPLE[who][-1], to]
                else:
                    rename(engine, name, to, merge=what == "merge")
                    changes[last + 1] = (name, journal.players.names().shown(to))
            except (Refused, BadInput):
                assert journal.last() == last, "what is refused changes nothing"
        names = called(typed, list(changes.values()))
        assert engine.snapshot == open_table(journal).snapshot, "as after a restart"
        told = everything(journal)
        naive = written_with(journal, names, Path(folder) / "naive.sqlite")
        assert told == everything(naive)
        journal.close(), naive.close()


def test_spellings_of_one_name_are_one_person_shown_as_typed_first(journal):
    with history_of(journal) as archive:
        told = archive.players()
        assert told.players == ["Anna B", "Player 4", "Player 5", "Straße", "Zoë"]
        assert [line.sides[0].name for line in archive.matches(Selection(player="zoe\u0308")).matches] == ["Zoë"] * 4
        assert archive.matches(Selection(player="ZOË")) == archive.matches(Selection(player="Zoë"))


@given(st.text())
def test_a_key_is_its_own_key_and_has_no_case(name):
    assert key(key(name)) == key(name)
    assert key(unicodedata.normalize("NFD", name)) == key(unicodedata.normalize("NFC", name)) == key(f" {name}\t")


def test_a_renaming_follows_into_the_match_that_is_played_and_into_names_of_pairs(journal):
    engine = open_table(journal)
    pairs = {"1": "Zoë", "2": "Player 7", "3": "Player 8", "4": "Player 9"}
    engine.command(start("zoë & Player 8", "The Eagles", doubles=True, seats=pairs))
    rename(engine, "Zoë", "Zoé", by="phone")
    match = engine.snapshot.match
    assert [side.name for side in match.sides] == ["Zoé & Player 8", "The Eagles"]
    assert match.sides[0].seats == [TakenSeat(1, "Zoé"), TakenSeat(3, "Player 8")]
    assert str(match.next_step) == "The scorer keeps the score."
    with history_of(journal) as archive:
        assert archive.matches().matches[0].sides[0].name == "Zoé & Player 8"
        engine.command({"do": "undo_naming", "event": archive.players().changes[0].id})
        assert archive.matches().matches[0].sides[0].name == "Zoë & Player 8"
    assert engine.snapshot.match.sides[0].name == "Zoë & Player 8"


def test_a_renaming_on_which_another_change_rests_is_undone_after_it(journal):
    engine = open_table(journal)
    rename(engine, "Player 4", "Player 6")
    renamed = journal.players.names().last
    rename(engine, "Player 6", "Player 5", merge=True)
    with pytest.raises(Refused, match="Undo this first: Player 6 is called Player 5"):
        engine.command({"do": "undo_naming", "event": renamed})


def test_impossible_changes_are_refused_in_words(journal):
    engine = open_table(journal)
    with pytest.raises(NameTaken, match="There is a player called Player 5 already") as taken:
        rename(engine, "Zoë", "PLAYER 5")
    assert taken.value.player == "Player 5"
    with pytest.raises(Refused, match="Zoë and Anna B both played in match 1: they are two people"):
        rename(engine, "Zoë", "anna b", merge=True)
    with pytest.raises(Refused, match="called that already"):
        rename(engine, "zoë", "Zoë ")
    with pytest.raises(Refused, match="Nobody called Player 9"):
        rename(engine, "Player 9", "Zoë", merge=True)
    with pytest.raises(BadInput, match="name that can be read"):
        rename(engine, "Zoë", "\u200b")
    with pytest.raises(BadInput, match="can't both be called"):
        engine.command(start("Zoë", "zoe\u0308"))
    rename(engine, "Player 4", "Player 5", merge=True)
    with pytest.raises(Refused, match="Player 4 and Player 5 are one player, called Player 5"):
        engine.command(start("Player 4", "Player 5"))
    assert journal.newest() == len(TYPED)


def test_the_second_of_two_scorers_sees_what_the_first_did(journal):
    engine, seen = open_table(journal), 0
    rename(engine, "Zoë", "Zoé", seen=seen, by="phone")
    with pytest.raises(Stale, match="a scorer's phone: Zoë is called Zoé") as stale:
        rename(engine, "Zoë", "Player 4", merge=True, seen=seen, by="phone")
    assert [line.kind for line in stale.value.changes] == ["player_called"]
    rename(engine, "Player 4", "Player 5", merge=True, seen=seen)  # about others
    event = next(iter(journal.players.names().standing))
    engine.command({"do": "undo_naming", "event": event, "seen": journal.last()})
    with pytest.raises(Stale):
        rename(engine, "Zoë", "Zoi", seen=event)


def test_a_renaming_changes_one_row_and_sums_nothing_up(journal):
    engine = open_table(journal)
    with history_of(journal) as archive:
        with closing(sqlite3.connect(history_path(journal))) as tables:
            before = set(tables.execute("SELECT key, player FROM names"))
            version = tables.execute("PRAGMA data_version").fetchone()
            stamps = archive.stamp(), archive.stamp(1)
            rename(engine, "Zoë", "Zoé")
            assert "Zoé" in archive.players().players, "at once, without the upkeep"
            assert set(tables.execute("SELECT key, player FROM names")) - before == {("zoë", "Zoé")}
            assert tables.execute("PRAGMA data_version").fetchone() != version
        assert archive.stamp() != stamps[0]
        assert archive.stamp(1) != stamps[1]


def test_an_unreadable_change_leaves_everything_else(journal):
    rename(open_table(journal), "Zoë", "Zoé")
    with closing(sqlite3.connect(journal.path)) as connection, connection:
        connection.execute("UPDATE events SET body = '{' WHERE kind = 'player_called'")
    with closing(Journal(journal.path, writing=False)) as damaged:
        assert damaged.players.names().shown("ZOË") == "Zoë"
        assert damaged.players.names() is damaged.players.names(), "it is told once"
    with pytest.raises(BadInput, match=f"event {journal.last()} can't be read"):
        check(journal.path)


def test_those_who_play_now_are_known_first(journal):
    engine = open_table(journal)
    for _ in range(3):
        play(engine, "Player 6", "Player 7", (50, 40))
    with history_of(journal) as archive:
        known = archive.players().known
    assert [one.player for one in known][:3] == ["Zoë", "Player 6", "Player 7"], "five older ones, or three new ones"
    assert (known[0].matches, known[0].days) == (4, 4)
    assert known[0].first < known[0].last < known[1].last
