"""Every text in every language, and each reader in their own."""

import json
import re

import pytest

from controller.match.discs import disc_name
from controller.messages import counted, say
from tests.checkout import CHECKOUT
from tests.slow import first_is_quick
from tests.web_ui.catalogues import collected, written
from tests.web_ui.played_table import PlayedTable
from web_ui import create_app
from web_ui.languages import LANGUAGES, catalogue

STATIC = CHECKOUT / "web_ui" / "static"
SCRIPTS = sorted(STATIC.rglob("*.js"))
OTHERS = [language for language in LANGUAGES if language != "en"]
FORMS = {"de": 2, "fr": 2, "nl": 2, "pl": 3}


@pytest.fixture(scope="module")
def said():
    return collected()


def forms(text):
    """A text in its forms by number: only one where it counts nothing."""
    return (text,) if isinstance(text, str) else text


def begun(script):
    """The texts of a script, each in its first form."""
    literal = re.compile(r"""\bsay(?:Many)?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")
    return [re.sub(r"\\(.)", r"\1", single or double) for single, double in literal.findall(script)]


def braces(text):
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_translated_and_none_is_left_over(language, said):
    """`python -m tests.web_ui.catalogues` brings the files up to date and lists what waits for its translation."""
    there = {message.id for message in written(language) if message.id}
    wanted = {message.id for message in said if message.id}
    assert wanted - there == set(), "not in the catalogue"
    assert there - wanted == set(), "said nowhere any more"


@pytest.mark.parametrize("language", OTHERS)
def test_every_translation_says_the_same_values(language):
    for message in written(language):
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        if isinstance(message.id, str):
            assert message.string, message.id
            assert braces(message.string) == braces(message.id), message.id
        else:
            assert len(message.string) == FORMS[language], message.id
            assert all(message.string), message.id
            assert braces("".join(message.string)) <= braces("".join(message.id)), message.id


def test_the_collector_misses_no_text_of_the_scripts(said):
    """Found as plain text: what the extractor takes for a division may swallow the texts that follow it."""
    known = {message.id if isinstance(message.id, str) else message.id[0] for message in said}
    for script in SCRIPTS:
        assert set(begun(script.read_text())) <= known, script.name


@pytest.mark.parametrize(
    ("headers", "cookie", "path", "language"),
    [
        ({}, None, "/", "en"),
        ({"Accept-Language": "fr-CA,fr;q=0.9,en;q=0.5"}, None, "/", "fr"),
        ({"Accept-Language": "sv"}, None, "/", "en"),
        ({"Accept-Language": "*"}, None, "/", "en"),
        ({"Accept-Language": "de-AT,en;q=0.8"}, None, "/", "de"),
        ({"Accept-Language": "en;q=0.5,nl-BE;q=0.9"}, None, "/", "nl"),
        ({"Accept-Language": "de;q=0"}, None, "/", "en"),
        ({"Accept-Language": "fr"}, "pl", "/", "pl"),
        ({"Accept-Language": "fr"}, "pl", "/?language=en", "en"),
        ({"Accept-Language": "fr"}, "xx", "/?language=../../etc", "fr"),
    ],
)
def test_the_language_is_the_readers(client, headers, cookie, path, language):
    if cookie:
        client.set_cookie("language", cookie)
    page = client.get(path, headers=headers).text
    assert f'<html lang="{language}"' in page
    assert f"/{language}/score/phone.js" in page


def test_errors_are_in_the_readers_language(client):
    refused = client.post("/api/command", json={"do": "undo"}, headers={"Accept-Language": "pl"})
    assert refused.json["error"] == "Najpierw podaj PIN stołu."
    assert "Il n'y a rien à cette adresse" in client.get("/nowhere?language=fr").text.replace("&#39;", "'")


def test_what_the_game_says_is_in_the_readers_language(client, table, monkeypatch):
    snapshot = table.snapshot()
    snapshot.match.last_call.text = counted("Twenty!", "{n} twenties!", 2)
    snapshot.match.next_step = say("{name} to shoot.", name="Łukasz")
    monkeypatch.setattr(table, "snapshot", lambda: snapshot)
    for language, call, step in (
        ("en", "2 twenties!", "Łukasz to shoot."),
        ("de", "2 Zwanziger!", "Łukasz ist am Zug."),
        ("fr", "2 vingts !", "À Łukasz de tirer."),
        ("nl", "2 keer twintig!", "Łukasz is aan de beurt."),
        ("pl", "2 dwudziestki!", "Strzela Łukasz."),
    ):
        match = client.get(f"/api/state?language={language}").json["match"]
        assert (match["last_call"]["text"], match["next_step"]) == (call, step)


def test_numbers_and_lists_are_written_as_the_language_does():
    words = say("{discs}: {mm} mm", discs=["a1", "b2", "a3"], mm=0.25)
    for language, joined in (("de", "und"), ("fr", "et"), ("nl", "en"), ("pl", "i")):
        assert words.in_language(catalogue(language).language) == f"a1, b2 {joined} a3: 0,25 mm"


@pytest.mark.parametrize("language", OTHERS)
def test_every_script_comes_with_its_texts_in_the_readers_language(client, language):
    pairs = [(forms(message.id), forms(message.string)) for message in written(language) if message.id]
    translated = {english[0]: there for english, there in pairs}
    for script in SCRIPTS:
        english, sent = (client.get(f"/static/any/{one}/{script.relative_to(STATIC)}").text for one in ("en", language))
        assert begun(sent) == [translated[text][0] for text in begun(english)], script.name
    counted_ones = client.get(f"/static/any/{language}/score/questions.js").text
    first, *others = (json.dumps(form, ensure_ascii=False) for form in translated["{n} question"])
    assert f"sayMany({first}, [{','.join(others)}], grouped(pressing).length)" in counted_ones


@pytest.mark.parametrize(
    ("name", "french"),
    [
        ("Anna", "le dernier tir d'Anna"),
        ("Émile", "le dernier tir d'Émile"),
        ("Paul", "le dernier tir de Paul"),
        ("Hans", "le dernier tir de Hans"),
        ("7", "le dernier tir de 7"),
    ],
)
def test_french_joins_de_to_a_name_that_begins_with_a_vowel(name, french):
    words = say("the last shot of {name}", name=name)
    assert words.in_language(catalogue("fr").language) == french
    assert words.in_language(catalogue("pl").language).endswith(name)
    assert disc_name("a3", name).in_language(catalogue("fr").language) == french.replace(
        "dernier tir", "troisième disque"
    )


@pytest.mark.parametrize("language", ["de", "nl"])
def test_german_and_dutch_leave_a_name_as_it_is(language):
    """Whose something is they say with "von" and "van": a genitive would depend on the name (Annas, Jonas')."""
    for message in written(language):
        for text in [message.string] if isinstance(message.string, str) else message.string:
            assert not re.search(r"\{(name|other|player|side|match|disc)\}['’]?\w", text), text


DEFAULT = {"en": "Player", "de": "Spieler", "fr": "Joueur", "nl": "Speler", "pl": "Gracz"}


@pytest.mark.parametrize("sent_in", DEFAULT)
def test_a_name_that_nobody_gave_is_a_word_of_the_page(played, sent_in):
    client = create_app(played).test_client()
    word = DEFAULT[sent_in]
    sides = [{"name": f"{word} 1 & {word} 3", "colour": "black"}, {"name": "Anna & Player One", "colour": "natural"}]
    token = client.post("/api/session", json={"pin": PlayedTable.pin}).json["token"]
    seats = {"1": f"{word} 1", "2": "Anna", "3": f"{word} 3", "4": "Player One"}
    start = {"do": "start", "rules": "nca", "doubles": True, "sides": sides, "seats": seats, "manual": True}
    assert client.post("/api/command", json=start, headers={"X-CSRF-Token": token}).status_code == 200
    assert played.table.state.started.sides[0].name == "Player 1 & Player 3", "one player for every phone"
    for language, said in DEFAULT.items():
        match = client.get(f"/api/state?language={language}").json["match"]
        assert match["sides"][0]["name"] == f"{said} 1 & {said} 3"
        assert [seat["player"] for side in match["sides"] for seat in side["seats"]] == [
            f"{said} 1",
            f"{said} 3",
            "Anna",
            "Player One",
        ]
        assert f"{said} 1 &amp; {said} 3</h2>" in client.get(f"/?language={language}").text
        known = client.get("/api/v1/players", query_string={"language": language}).json["known"]
        assert f"{said} 1" in [one["player"] for one in known]
        found = client.get("/api/v1/matches", query_string={"language": language, "player": f"{said} 3"}).json[
            "matches"
        ]
        assert len(found) == 1


@pytest.mark.parametrize(
    ("browsers", "language", "written_as"),
    first_is_quick(
        [
            ("en-GB", "en", "en-GB"),
            ("en-US", "en", "en-US"),
            ("de-DE", "en", "en-GB"),
            ("fr-CA", "fr", "fr-CA"),
            ("en-US", "fr", "fr"),
            ("pl-PL", "pl", "pl"),
        ]
    ),
)
def test_a_date_is_written_as_in_the_readers_country(serve, played, open_page, browsers, language, written_as):
    played.play()
    page = open_page(f"{serve(played).url}review/1?language={language}", locale=browsers)
    page.wait_for_selector(".chart")
    written = "([day, locale]) => new Date(`${day}T12:00`).toLocaleDateString(locale, { dateStyle: 'long' })"
    assert page.evaluate(written, [played.archive.match(1).day, written_as]) in page.inner_text("main")
