"""A journal whose events hold sentences, opened by a program whose events hold codes. `journal-schema-5.sqlite.xz` was
written by the last program of that kind, from simulated matches with faults and from boards that were shown to the
engine, until every question had been asked. `journal-schema-5.json` is what it said."""

import json
import lzma
import re
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.cli import read_json
from controller.journal import SCHEMA_VERSION, Journal
from controller.journal.old_sentences import QUESTIONS, rewritten, with_codes
from controller.match import events as ev
from controller.match.cases import CASES
from controller.match.fold import fold, with_outcomes
from controller.match.questions import LASTING, UNKNOWN
from controller.match.state import Stamped, parse
from controller.messages import encoded
from controller.table.engine import Engine
from controller.views.history import Archive
from controller.views.questions import question_view
from controller.views.schema.table_state import PossibleAnswer, Question
from controller.views.state import TableView, match_view
from tests.slow import first_is_quick
from web_ui.languages import catalogue

DATA = Path(__file__).parents[2] / "data"
SAID: Mapping[str, Any] = read_json(DATA / "journal-schema-5.json")
LANGUAGES = ("en", "fr")

CORRECTED = "19"
"""In this match the totals of a round were entered by hand while a question about a twenty of it was open. Its answers
change nothing since, so nobody is asked today."""

REWORDED = {
    "It stays open.": "The likeliest stands, and it stays open.",
    "Cela reste ouvert.": "Le plus probable compte, et la question reste ouverte.",
}
"""What is said in other words since."""

SAID_OTHERWISE = {
    "28": {"situation": "Level, Player 2 have the hammer; 12 shots each."},
    "31": {"next_step": "Player 2 wins 2–0."},
    "35": {"situation": "Player 1 lead by 15, Player 2 have the hammer; Player 1: 11 shots and Player 2: 12 shots."},
    "39": {"next_step": "Natural wins 2–0."},
}
"""Of these states too, by match: two partners have the hammer, one player has it, and a match's end has its score."""

NEWER = {"returned", "board", "colours"}
"""Cases that are asked only since then: the spot check, whose colour it is, and what bounced back."""

PLAYED_ON, OPEN, LOW = "16", "569", 15
"""In this match people played on before they lifted a disc out of the hole. At that time the question about it lapsed;
now it stays open, since a shot may have struck a disc that leaned, and the total reaches from what it counts then."""


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    path = tmp_path_factory.mktemp("old") / "journal.sqlite"
    path.write_bytes(lzma.decompress((DATA / "journal-schema-5.sqlite.xz").read_bytes()))
    return path


@pytest.fixture
def path(old, tmp_path):
    return Path(shutil.copy(old, tmp_path))


def spoken(document: object, language: str) -> Any:
    """What is said, but for names that nobody gave: they were English in every language then."""
    said = encoded(document, catalogue(language).language)
    return json.loads(re.sub(r"\bJoueur (\d)", r"Player \1", said))


def read(journal: Journal, number: int) -> list[Stamped]:
    return [parse(entry) for entry in journal.events(number)]


def what_is_said(journal: Journal, archive: Archive, number: int) -> dict[str, Any]:
    """Of one match: its state, its questions when they were asked and now, and its shots' doubts."""
    history = read(journal, number)
    view = TableView("Table", False, history=tuple(history))
    state = with_outcomes(fold(number, history), history)
    questions = {}
    for k, stamped in enumerate(history, start=1):
        then = fold(number, history[:k]) if isinstance(stamped.event, ev.QuestionAsked) else None
        if then is not None and stamped.id in then.questions:
            shown = question_view(then.questions[stamped.id], with_outcomes(then, history[:k]))
            picked = {"text": shown["text"], "answers": offered_then(shown)}
            questions[str(stamped.id)] = {language: spoken(picked, language) for language in LANGUAGES}
    shots = archive.match(number)["shots"]
    asked = [{"text": q["text"], "answer": q["answer"]} for shot in shots for q in shot["questions"]]
    doubts = [shot["doubt"] for shot in shots if shot["doubt"]]
    shown_now = match_view(state, view)
    for question in shown_now["questions"]:
        question["answers"] = offered_then(question)
    now = [{"text": q["text"], "answers": q["answers"]} for q in shown_now["questions"]]
    return {
        "state": spoken(shown_now, "en"),
        "questions": questions,
        "doubts": [spoken(doubt, language) for doubt in doubts for language in LANGUAGES],
        "asked": [{language: spoken(one, language) for language in LANGUAGES} for one in asked],
        "now": {language: spoken(now, language) for language in LANGUAGES},
    }


def offered_then(shown: Question) -> list[PossibleAnswer]:
    """The answers without "we don't know" where that could not be answered then: only to what may stay open."""
    return [one for one in shown["answers"] if one["id"] != UNKNOWN or shown["kind"] in LASTING]


ORDINALS = {
    "en": [
        *("first", "second", "third", "fourth", "fifth", "sixth"),
        *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
    ],
    "fr": [
        *("premier", "deuxième", "troisième", "quatrième", "cinquième", "sixième"),
        *("septième", "huitième", "neuvième", "dixième", "onzième", "douzième"),
    ],
}
"""At that time discs had numbers: "Anna's disc 3", "le disque 3 de Anna"."""


def by_ordinals(text: str) -> str:
    text = re.sub(r"'s disc (\d+)", lambda found: f"'s {ORDINALS['en'][int(found[1]) - 1]} disc", text)
    return re.sub(r"disque (\d+) d", lambda found: f"{ORDINALS['fr'][int(found[1]) - 1]} disque d", text)


def of_then(now: Any, then: Any) -> Any:
    """What is said now, without the members of a document that did not exist then."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {name: of_then(now[name], then[name]) for name in now if name in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [of_then(one, other) for one, other in zip(now, then, strict=True)]
    return now


def said_then(number: int) -> Any:
    text = by_ordinals(json.dumps(SAID["matches"][str(number)], ensure_ascii=False))
    text = text.replace("1 rounds of 2", "One round of 2")
    for stale, right in REWORDED.items():
        text = text.replace(f'"effect": "{stale}"', f'"effect": "{right}"')
    if str(number) == CORRECTED:
        said = json.loads(text)
        said["now"] = {language: [] for language in LANGUAGES}
        said["state"]["questions"] = []
        said["state"]["rounds"][0]["corrected"] = False  # people counted a round in which nothing was seen
        return said
    said = json.loads(text)
    said["state"] |= SAID_OTHERWISE.get(str(number), {})
    if str(number) == PLAYED_ON:
        said["now"] = {language: [question] for language, question in said["questions"][OPEN].items()}
        del said["state"]["questions"]
        said["state"]["sides"][0]["total_range"][0] = LOW
    return said


@pytest.mark.parametrize("writing", first_is_quick([True, False]), ids=["migrated", "only read"])
def test_an_old_journal_has_the_same_state_and_the_same_texts_in_every_language(path, writing):
    with closing(Journal(path, writing=writing)) as journal, closing(Archive(journal)) as archive:
        assert journal.last() == SAID["last"]
        for number in journal.matches():
            then = said_then(number)
            assert of_then(what_is_said(journal, archive, number), then) == then, f"match {number}"


def test_the_old_journal_has_every_case_and_none_keeps_its_old_words(path):
    with closing(Journal(path)) as journal:
        events = [stamped.event for number in journal.matches() for stamped in read(journal, number)]
    assert {event.case for event in events if isinstance(event, ev.QuestionAsked)} == set(CASES) - NEWER
    doubts = {event.doubt.case for event in events if isinstance(event, ev.ShotSeen) and event.doubt is not None}
    assert doubts == {"several_shots", "disc_unseen"}


def test_the_old_journal_is_backed_up_and_only_events_with_sentences_are_rewritten(path):
    def rows(of: Path) -> dict[int, tuple[Any, ...]]:
        with closing(sqlite3.connect(of)) as connection:
            return {row[0]: row for row in connection.execute("SELECT id, match, at, kind, body FROM events")}

    before = rows(path)
    Journal(path).close()
    (kept,) = (path.parent / "backups").iterdir()
    assert rows(kept) == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    after = rows(path)
    changed = {id_ for id_, row in after.items() if row != before[id_]}
    asked = {id_ for id_, row in before.items() if row[3] == "question_asked"}
    doubtful = {id_ for id_, row in before.items() if row[3] == "shot_seen" and "doubt" in json.loads(row[4])}
    assert changed == asked | doubtful
    assert not [row for row in after.values() if '"template"' in row[4]]


def test_reading_an_old_journal_changes_nothing_on_disk(path):
    before = path.read_bytes()
    with closing(Journal(path, writing=False)) as journal:
        assert len(list(journal.events(1))) > 1
    assert path.read_bytes() == before


def test_a_question_in_unknown_words_keeps_them_and_can_be_answered(path):
    """Also its answers, and a doubt about a shot, here as a bare text of the earliest versions."""
    with closing(sqlite3.connect(path)) as connection:
        (number, before) = connection.execute(
            "SELECT match, body FROM events WHERE kind = 'question_asked' AND body LIKE '%seemed to lean%'"
        ).fetchone()
        body = json.loads(before)
        body["text"] = {"template": "Did {name}'s disc stand on its edge?", "values": {"name": "Player 1"}}
        body["answers"][0]["effect"] = {"template": "It {does}.", "values": {"does": {"template": "counts"}}}
        connection.execute("UPDATE events SET body = ? WHERE body = ?", (json.dumps(body), before))
        connection.execute(
            "UPDATE events SET body = json_set(body, '$.doubt', 'It was dark.') WHERE match = ? AND kind = 'shot_seen'",
            (number,),
        )
        connection.execute("DELETE FROM events WHERE match > ?", (number,))
        connection.execute("DELETE FROM events WHERE match = ? AND kind = 'question_answered'", (number,))
        connection.commit()
    with closing(Journal(path)) as journal:
        engine = Engine(journal, wall=lambda: 0.0)
        (question,) = engine.snapshot.document["match"]["questions"]
        assert str(question["text"]) == "Did Player 1's disc stand on its edge?"
        assert [str(answer["text"]) for answer in question["answers"]] == ["A twenty", "No twenty", "We don't know"]
        assert str(question["answers"][0]["effect"]) == "It counts."
        with closing(Archive(journal)) as archive:
            document = archive.match(number)
            assert str(document["shots"][0]["doubt"]) == "It was dark."
            assert str(document["shots"][-1]["questions"][0]["text"]) == str(question["text"])
        before_it = engine.state.game.round.totals["A"] if engine.state else 0
        engine.command({"do": "answer", "question": question["id"], "answer": "off"})
        assert engine.state is not None
        assert engine.state.game.round.totals["A"] == before_it - 20


def test_programs_get_the_sentences_with_the_codes(path):
    with closing(Journal(path)) as journal, closing(Archive(journal)) as archive:
        found, last = [], 0
        while batch := archive.events(last):
            found += batch
            last = batch[-1]["id"]
    with lzma.open(DATA / "journal-schema-5.sqlite.xz") as file:
        path.write_bytes(file.read())
    with closing(sqlite3.connect(path)) as connection:
        bodies = dict(connection.execute("SELECT id, body FROM events"))
    assert len(found) == len(bodies)
    for document in found:
        then = json.loads(bodies[document["id"]])
        assert document.get("doubt") == then.get("doubt")
        if document["kind"] == "question_asked":
            assert document["text"] == then["text"]
            assert [a["text"] for a in document["answers"]] == [a["text"] for a in then["answers"]]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 30) | st.text(max_size=3) | st.sampled_from([*QUESTIONS, "a1", "20"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["template", "values", "text", "effect", "id", "n", "zone", "name"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(
    st.sampled_from(["question_asked", "shot_seen", "round_ended"]),
    st.dictionaries(st.sampled_from(["text", "answers", "what", "round", "discs", "disc", "doubt"]), JSON),
)
def test_any_body_is_rewritten_once_or_stays(kind, body):
    fresh = with_codes(kind, body)
    assert with_codes(kind, fresh) == fresh
    stored = rewritten(kind, json.dumps(body).encode())
    assert (stored is None) == (fresh is body)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"7", b"\xff{}", b"[" * 5000, b'{"text": NaN}'])
def test_an_unreadable_body_is_left_unchanged(text):
    assert rewritten("question_asked", text) is None
