"""The table in its club, over the real Mosquitto: what people are shown, what the hub gets, what nobody can do."""

import json
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from controller import link
from controller.club.broker.files import Account, password_line
from controller.journal import Journal
from controller.link.mqtt import Acknowledged, Broker, BrokerUnavailable, MessageReceived, Session, SessionEnded
from controller.table.outbox import journal_id
from tests.controller.club import mosquitto
from tests.controller.club.mosquitto import CLUB, TOPICS, Club, Listening, password
from tests.controller.fed_table import SIDES, a, b
from tests.controller.table.club_table import ClubTable
from tests.controller.table.test_outbox import stored
from tests.slow import slow
from tests.waiting import eventually

pytestmark = [slow, mosquitto.needed]

START = {"do": "start", "rules": "nca", "sides": SIDES}


def match(id_: str, first: str = "Player 1", second: str = "Player 2", **more: object) -> link.Assigned:
    sides = [link.AssignedSide(name=name, players=(link.Player(id=name[-1], name=name),)) for name in (first, second)]
    return link.Assigned.model_validate({"id": id_, "round": 1, "sides": tuple(sides), "rules": "nca", **more})


@pytest.fixture
def club(tmp_path):
    with closing(Club(tmp_path / "broker")) as club:
        yield club


@pytest.fixture
def table(tmp_path, club):
    with closing(joined(tmp_path, club)) as table:
        yield table


def joined(folder: Path, club: Club, user: str = "t1", **more: object) -> ClubTable:
    (folder / "table").mkdir(exist_ok=True)
    (folder / "password").write_text(password(user) + "\n")
    assert club.running
    return ClubTable(
        folder / "table", broker=club.running.url, club=CLUB, table=user, credentials=folder / "password", **more
    )


def shown(table: ClubTable, hub: Listening, id_: str | None) -> None:
    """Wait until people see this as the next match."""

    def next_is() -> bool:
        following = table.club and table.club["next"]
        return (following["start"]["assignment"] if following else None) == id_

    eventually(next_is)


def arrives(hub: Listening, table: ClubTable) -> None:
    """Wait until the hub has the whole journal."""
    hub.until(lambda: hub.hub.next.get(journal_id(table.journal)) == table.journal.last() + 1)


def answer(hub: Listening) -> tuple[str, str] | None:
    said = hub.statuses[-1].assignment if hub.statuses else None
    return (said.id, said.answer) if said else None


def test_an_assignment_is_shown_and_begins_with_the_first_disc_and_the_hub_gets_all(club, table):
    hub = Listening(club)
    hub.assign(match("e1:1"))
    shown(table, hub, "e1:1")
    assert str(table.club["next"]["text"]) == "Next: Player 1 and Player 2"
    assert "NCA" in str(table.club["next"]["details"])
    hub.until(lambda: answer(hub) == ("e1:1", "shown"))
    table.see()
    table.see(a(0, 60))
    assert table.assignment == "e1:1"
    assert not table.done(lambda: table.engine.state.uncleared)
    assert table.done(lambda: len(table.engine.state.game.round.shots)) == 1
    hub.until(lambda: answer(hub) == ("e1:1", "begun"))
    assert table.club["next"] is None
    arrives(hub, table)
    assert hub.hub.journals[journal_id(table.journal)] == stored(table.journal)
    started = hub.hub.journals[journal_id(table.journal)][1]
    assert (started["kind"], started["body"]["assignment"]) == ("match_started", "e1:1")
    hub.until(lambda: hub.states and hub.states[-1].match and hub.states[-1].match.sides[0].total == 15)
    # changed while it runs: the next is shown, this one goes on, and the page says so
    hub.assign(match("e1:2", "Player 3", "Player 4"))
    shown(table, hub, "e1:2")
    assert table.club["taken_back"]
    assert table.assignment == "e1:1"
    table.see(a(0, 60), b(90, 90))
    assert table.assignment == "e1:1"
    # taken back altogether, then begun from a page that shows what is gone: refused
    start = dict(table.club["next"]["start"])
    hub.assign(None)
    shown(table, hub, None)
    with pytest.raises(Exception, match="another match"):
        table.do(do="start", **start)
    hub.assign(match("e1:2", "Player 3", "Player 4"))
    shown(table, hub, "e1:2")
    table.do(do="start", **start)
    assert table.assignment == "e1:2"


def test_what_was_played_to_its_end_is_not_begun_again_though_the_hub_assigns_it_again(club, table):
    hub = Listening(club)
    for id_ in ("e1:1", "e1:2"):
        hub.assign(match(id_))
        shown(table, hub, id_)
        table.do(**{**table.done(table.member.start_assigned), "manual": True})
        for _ in range(4):
            table.do(do="enter_round", totals={"A": 20, "B": 0})
        hub.until(lambda id_=id_: answer(hub) == (id_, "over"))
    hub.assign(match("e1:1"))  # it was set back to an older copy of its database
    hub.until(lambda: answer(hub) == ("e1:1", "over"))
    assert hub.statuses[-1].assignment.match == 1
    assert table.club["next"] is None
    assert table.done(table.member.start_assigned) is None


def test_what_this_table_cannot_play_is_refused_with_the_reason(club, table):
    hub = Listening(club)
    for wrong, why in (
        (match("e1:1", rules="unheard-of"), "unheard-of"),
        (match("e1:2", format={"kind": "chess"}), "chess"),
        (match("e1:3", discs=1), "disc"),
    ):
        hub.assign(wrong)
        hub.until(lambda wrong=wrong: answer(hub) == (wrong.id, "refused"))
        said = hub.statuses[-1].assignment
        assert said is not None
        assert why in str(said.why)
        assert table.club["next"] is None
    hub.assign(match("e1:4"))
    shown(table, hub, "e1:4")
    for junk in (b"\xff", b"[1]", b"{" * 5000, json.dumps({"schema": "club-assignment/9", "match": None}).encode()):
        hub.session.publish(TOPICS.of("t1", "assignment"), junk, qos=1, retain=True)
        hub.session.publish(TOPICS.of("t1", "resend"), junk, qos=1)
        eventually(lambda: table.notice("club"))
        shown(table, hub, "e1:4")  # what was assigned stands
    hub.session.publish(TOPICS.of("t1", "assignment"), b"", qos=1, retain=True)
    shown(table, hub, None)
    assert table.notice("club") is None


def test_broker_table_and_hub_are_killed_and_every_event_arrives_once(tmp_path, club):
    table, hub = joined(tmp_path, club), Listening(club)
    table.do(**START)
    hub.until(lambda: hub.hub.journals)
    yesterday = hub.hub.backup()
    for killed in ("broker", "broker and hub", "broker and table"):
        table.see()
        table.see(a(0, 60))
        club.kill()
        away = table
        eventually(lambda away=away: away.notice("club"))
        table.do(do="undo")
        table.do(**START)  # away from the club everything goes on
        club.begin()
        hub = Listening(club, hub.hub)
        if killed == "broker and hub":
            hub.hub.restore(yesterday)
        if killed == "broker and table":
            table.close()
            table = joined(tmp_path, club)
        arrives(hub, table)
    assert table.notice("club") is None
    assert hub.hub.journals == {journal_id(table.journal): stored(table.journal)}
    table.close()
    hub.until(lambda: not hub.statuses[-1].online)


def test_a_lost_table_is_reported_by_its_last_will(club):
    hub = Listening(club)
    offline = link.serialize(link.Status(online=False))
    lost, _ = club.session("t2", will=(TOPICS.of("t2", "status"), offline))
    lost.publish(TOPICS.of("t2", "status"), link.serialize(link.Status(online=True)), qos=1, retain=True)
    hub.until(lambda: hub.statuses and hub.statuses[-1].online)
    lost.drop()
    hub.until(lambda: not hub.statuses[-1].online)


RIGHTS = {
    "t1": {"own": {"state", "events", "status"}, "other": set(), "discovery": True},
    "_hub": {"own": {"assignment", "resend"}, "other": {"assignment", "resend"}, "discovery": False},
    "_home": {"own": {"command"}, "other": {"command"}, "discovery": False},
    "_screen": {"own": set(), "other": set(), "discovery": False},
}


@pytest.mark.parametrize("protocol", [5, 3])
def test_nobody_writes_what_is_not_theirs(club, protocol):
    """By what arrives, not by what the broker answers: with 3.1.1 it acknowledges what it throws away."""
    reader, watching = club.session("_hub2")
    reader.subscribe({f"crokinole/1/{CLUB}/table/+/#": 1})
    screen, discovered = club.session("_screen2")
    screen.subscribe({"homeassistant/#": 1})
    sent: set[tuple[str, str]] = set()
    for user, rights in RIGHTS.items():
        writer, acknowledged = club.session(user, f"{user}-writes", protocol=protocol)
        numbers = set()
        for table, mine in (("t1", "own"), ("t2", "other")):
            for kind in ("state", "events", "status", "assignment", "resend", "command"):
                topic = TOPICS.of(table, kind)  # type: ignore[arg-type]
                numbers.add(writer.publish(topic, user.encode(), qos=1))
                if kind in rights[mine]:  # type: ignore[operator]
                    sent.add((topic, user))
            numbers.add(writer.publish(link.discovery_topic(CLUB, table), user.encode(), qos=1))
        numbers.add(writer.publish("homeassistant/sensor/anything/config", b"x", qos=1))
        numbers.add(writer.publish("crokinole/1/their-club/table/t1/events", b"x", qos=1))
        while numbers:
            happened = acknowledged.get(timeout=20)
            assert isinstance(happened, Acknowledged)
            numbers.discard(happened.message)
    reader.publish(TOPICS.of("t1", "resend"), b"the end", qos=1)
    got: set[tuple[str, str]] = set()
    while True:
        came = watching.get(timeout=20)
        if isinstance(came, MessageReceived):
            if came.payload == b"the end":
                break
            got.add((came.topic, came.payload.decode()))
    assert got == sent
    eventually(lambda: any(isinstance(came, MessageReceived) for came in discovered.queue))
    found = {(came.topic, came.payload) for came in discovered.queue if isinstance(came, MessageReceived)}
    assert found == {(link.discovery_topic(CLUB, "t1"), b"t1")}


def test_a_huge_message_and_a_flood_harm_nobody_else(tmp_path, club):
    hub = Listening(club)
    bad, acknowledged = club.session("t2")
    for payload in (b"{", b"\xff" * 1000, b"[" * 100_000, b"9" * 100_000):
        bad.publish(TOPICS.of("t2", "events"), payload, qos=1)
        bad.publish(TOPICS.of("t2", "status"), payload, qos=1)
    for _ in range(8):
        assert isinstance(acknowledged.get(timeout=20), Acknowledged)
    bad.publish(TOPICS.of("t2", "events"), b"x" * (link.LARGEST + 10_000), qos=1)
    assert isinstance(acknowledged.get(timeout=20), SessionEnded)  # the broker hangs up
    with closing(joined(tmp_path, club)) as table:
        table.do(**START)
        arrives(hub, table)
        assert hub.hub.journals == {journal_id(table.journal): stored(table.journal)}
    assert {table for table, _ in hub.bad} == {"t2"}
    assert len(hub.bad) == 8  # the huge one never came


def test_buttons_of_home_automation(club, table):
    home, _ = club.session("_home")
    hub = Listening(club)

    def press(word: str, **more: bool) -> None:
        payload = json.dumps({"schema": "club-command/1", "do": word}).encode()
        home.publish(TOPICS.of("t1", "command"), payload, **more)  # type: ignore[arg-type]

    hub.until(lambda: hub.statuses)  # it listens from then on
    press("start")
    eventually(lambda: table.notice("button"))
    hub.assign(match("e1:1"))
    shown(table, hub, "e1:1")
    press("start")
    eventually(lambda: table.assignment == "e1:1")
    press("pause")
    hub.until(lambda: hub.states and hub.states[-1].word in ("paused", "no_camera"))
    eventually(lambda: table.done(lambda: table.engine.state.paused))
    press("resume", retain=True)
    eventually(lambda: not table.done(lambda: table.engine.state.paused))
    press("pause")
    eventually(lambda: table.done(lambda: table.engine.state.paused))
    table.member.stop()
    table.member.start()
    hub.assign(match("e1:2"))
    shown(table, hub, "e1:2")  # which came after the retained button: nobody pressed that now
    assert table.done(lambda: table.engine.state.paused)
    press("resume")
    eventually(lambda: not table.done(lambda: table.engine.state.paused))
    home.publish(TOPICS.of("t1", "command"), b"", retain=True)


def test_a_wrong_password_is_reported_and_a_new_account_gets_in_without_a_restart(tmp_path, club):
    (tmp_path / "password").write_text("wrong")
    assert club.running
    with pytest.raises(BrokerUnavailable) as raised:
        Session(Broker.at(club.running.url, "t3", "wrong"), "t3", lambda _: None)
    assert raised.value.refused
    newcomer = Account.new("t3", "table", "a-long-password-too")
    club.running.set_accounts([*mosquitto.accounts(), newcomer])
    opened: list[Session] = []

    def comes_in() -> bool:
        try:
            opened.append(Session(Broker.at(club.running.url, "t3", "a-long-password-too"), "t3", lambda _: None))  # type: ignore[union-attr]
        except BrokerUnavailable:
            return False
        return True

    eventually(comes_in)
    opened[0].close()


def test_the_password_file_is_as_mosquittos_own_program_writes_it(tmp_path):
    file = tmp_path / "passwords"
    file.touch()
    command = ["mosquitto_passwd", "-b", str(file), "t1", "secret"]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("mosquitto_passwd is not there")
    ours, theirs = password_line("t1", "secret").split("$"), file.read_text().strip().split("$")
    assert len(ours) == len(theirs)
    assert ours[:2] == theirs[:2]
    assert [len(part) for part in ours[3:]] == [len(part) for part in theirs[3:]]


def certificates(folder: Path) -> None:
    """A club's own authority, and a certificate of it for this machine, as docs/club-broker.md says."""
    steps = (
        "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.crt -subj /CN=Our-club",
        "req -newkey rsa:2048 -nodes -keyout broker.key -out broker.csr -subj /CN=localhost",
        "x509 -req -in broker.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out broker.crt",
    )
    (folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    for step in steps:
        subprocess.run(["openssl", *step.split()], check=True, capture_output=True, cwd=folder)


def test_tls_with_the_clubs_own_certificate(tmp_path):
    certificates(tmp_path)
    with closing(Club(tmp_path / "broker", tmp_path / "broker.crt", tmp_path / "broker.key")) as club:
        with closing(joined(tmp_path, club, certificate=tmp_path / "ca.crt")) as table:
            table.do(**START)
            eventually(lambda: table.club)
            authority = (tmp_path / "ca.crt").read_text()
            assert club.running
            came: list[object] = []
            hub = Session(Broker.at(club.running.url, "_hub", password("_hub"), authority), "hub", came.append)
            hub.subscribe({TOPICS.of("t1", "status"): 1})
            eventually(lambda: any(isinstance(one, MessageReceived) for one in came))
            hub.close()
        with pytest.raises(BrokerUnavailable, match="certificate") as raised:  # an unknown authority
            Session(Broker.at(club.running.url, "t1", password("t1")), "t1", lambda _: None)
        assert raised.value.refused
        plain = club.running.url.replace("mqtts", "mqtt")
        with pytest.raises(BrokerUnavailable):  # without TLS nothing is said
            Session(Broker.at(plain, "t1", password("t1")), "t1", lambda _: None)


def test_a_second_table_with_the_same_account_is_found_out(tmp_path, club, table):
    eventually(lambda: table.club)
    hub = Listening(club)
    hub.until(lambda: hub.statuses)
    assert club.running
    broker = Broker.at(club.running.url, "t1", password("t1"))
    came: list[object] = []
    other = Session(broker, f"crokinole-{CLUB}-t1", came.append)
    eventually(lambda: "taken over" in str(table.notice("club")) or any(isinstance(one, SessionEnded) for one in came))
    eventually(lambda: any(isinstance(one, SessionEnded) for one in came))  # it comes back, and takes it over in turn
    other.drop()
    hub.until(lambda: hub.statuses[-1].online)


def test_a_journal_of_before_the_club_stays_at_home(tmp_path, club):
    (tmp_path / "table").mkdir()
    with closing(Journal(tmp_path / "table" / "journal.sqlite")) as journal:
        for _ in range(5):
            journal.append(0, 1.0, [("paused", {"paused": True})])
    hub = Listening(club)
    with closing(joined(tmp_path, club)) as table:
        hub.until(lambda: hub.statuses)
        table.do(**START)
        hub.until(lambda: hub.hub.journals.get(journal_id(table.journal)))
        assert min(hub.hub.journals[journal_id(table.journal)]) == 6


def test_acknowledged_is_not_before_the_broker_has_it(club):
    session, inbox = club.session("t1")
    club.kill()
    number = session.publish(TOPICS.of("t1", "events"), b"x", qos=1)
    assert isinstance(inbox.get(timeout=20), SessionEnded)
    assert Acknowledged(number) not in inbox.queue
