"""The hub's own broker: its settings, and TLS with the club's own certificate."""

import hashlib
import socket
import ssl
from base64 import b64decode
from contextlib import closing, contextmanager

import pytest
from click.testing import CliRunner

from controller.club.broker.__main__ import main
from controller.club.broker.files import Account, Listener, password_line, write_files
from controller.club.broker.process import RunningMosquitto
from controller.club.service import ClubService
from controller.club.settings import BrokerSection, ClubSection, ClubSettings, WebSection, load
from controller.club.simulated_table import SimulatedTable
from controller.club.store import TableOfClub
from controller.errors import BadInput
from controller.link import Join, Joined, Topics, parse, serialize
from controller.link.mqtt import Broker, BrokerUnavailable, MessageReceived, Session
from tests.controller.club import mosquitto
from tests.controller.table.test_club import certificates
from tests.slow import slow
from tests.waiting import eventually, free_port

CLUB = '[club]\nid = "our-club"\nname = "Our club"\ndata = "data"\n'


@pytest.mark.parametrize(
    ("broker", "says"),
    [
        ('tls_certificate = "broker.crt"\n', "belong together"),
        ('name = "laptop.local"\ntls_key = "broker.key"\n', "belong together"),
        ('url = "mqtt://far:1883"\ntls_certificate = "a"\ntls_key = "b"\nname = "c"\n', "runs elsewhere"),
        ('name = "laptop local"\n', "name"),
        ("port = 70000\n", "port"),
        ('certificates = "ca.crt"\n', "certificates"),
    ],
)
def test_an_impossible_broker_is_explained_with_its_setting(tmp_path, broker, says):
    file = tmp_path / "club.toml"
    file.write_text(f"{CLUB}[broker]\n{broker}")
    with pytest.raises(BadInput, match=says) as raised:
        load(file)
    assert str(file) in str(raised.value)
    assert "broker" in str(raised.value)


def a_club(folder, **broker):
    club = ClubSection(id="our-club", name="Our club", data=folder / "data")
    at = BrokerSection(host="127.0.0.1", port=free_port(), **broker)
    return ClubService(ClubSettings(club=club, broker=at, web=WebSection(host="127.0.0.1", port=0)))


def test_a_certificate_that_is_not_there_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"broker\.crt"):
        a_club(tmp_path, name="localhost", tls_certificate=tmp_path / "broker.crt", tls_key=tmp_path / "broker.key")


@slow
@mosquitto.needed
def test_tables_that_join_speak_tls_alone_and_know_the_clubs_authority(tmp_path):
    certificates(tmp_path)
    tls = {"tls_certificate": tmp_path / "broker.crt", "tls_key": tmp_path / "broker.key", "name": "localhost"}
    with running(a_club(tmp_path, certificate=tmp_path / "ca.crt", **tls)) as club:
        club.store.put_table(TableOfClub("t1", "Table 1"))
        code = club.store.credentials.join_code("t1", club.admin.wall())
        joined = parse(Joined, club.admin.join(serialize(Join(code=code, name="Table 1", journal="0" * 32))))
        port = club.settings.broker.port
        assert joined.broker == f"mqtts://localhost:{port}"
        came = []
        table = Broker.at(joined.broker, "t1", joined.password, joined.certificate)
        opened = []
        eventually(lambda: opened or opened.extend(session(table, came.append)), "the broker lets the table in")
        with closing(opened[0]) as there:
            there.subscribe({Topics("our-club").of("t1", "assignment"): 1})
            eventually(
                lambda: any(isinstance(one, MessageReceived) for one in came),
                "the hub, by its own way, says what to play",
            )
        with pytest.raises(
            BrokerUnavailable, match="certificate"
        ):  # whoever does not know the authority does not trust it
            Session(Broker.at(joined.broker, "t1", joined.password), "t1", lambda _: None)
        with pytest.raises(BrokerUnavailable):  # without TLS nothing is said
            Session(Broker.at(f"mqtt://localhost:{port}", "t1", joined.password), "t1", lambda _: None)
        context = ssl.create_default_context(cafile=str(tmp_path / "ca.crt"))  # judged by Python's own TLS as well
        with (
            socket.create_connection(("127.0.0.1", port)) as plain,
            context.wrap_socket(plain, server_hostname="localhost") as wrapped,
        ):
            assert wrapped.version() in ("TLSv1.2", "TLSv1.3")


@contextmanager
def running(service):
    """A service until the block ends."""
    try:
        service.start()
        yield service
    finally:
        service.stop()


def session(broker, tell):
    try:
        return [Session(broker, "t1", tell)]
    except BrokerUnavailable:  # the broker reads its accounts in a moment
        return []


@mosquitto.needed
def test_another_program_at_the_brokers_port_keeps_nobody_from_an_evening_and_is_not_taken_for_the_broker(tmp_path):
    """As Debian's own Mosquitto is, which lets the hub in and knows nothing of the club."""
    club = a_club(tmp_path)
    club.store.credentials.save_account("t1", password_line("t1", "a-long-password"))
    other = RunningMosquitto(tmp_path / "other", "other", [], Listener("127.0.0.1", club.settings.broker.port))
    with running(club):
        club.store.put_table(TableOfClub("h1", "Board 1", by_hand=True))
        club.admin.begin("Evening", "swiss", ["h1"], "Player 1\nPlayer 2", False, "organiser")
        reported = str(club.admin.organiser_document()["broker"])
        assert str(club.settings.broker.port) in reported
        assert "systemctl disable --now mosquitto" in reported
        assert club._connection.trouble is None, "nobody knocked at the other program"
        other.close()
        eventually(lambda: club.admin.organiser_document()["broker"] is None, "it runs once the port is free")
        table = Account.new("t1", "table", "a long password")
        club.store.put_table(TableOfClub("t1", "Table 1"))
        club.store.credentials.save_account("t1", table.password_line)
        club._own.reload()
        opened, address = [], Broker.at(club.broker, "t1", "a long password")
        eventually(lambda: opened or opened.extend(session(address, lambda _: None)), "and lets tables in")
        opened[0].close()


@mosquitto.needed
def test_tables_count_as_connected_only_while_the_broker_lives(tmp_path):
    with running(a_club(tmp_path)) as club:
        club.store.put_table(TableOfClub("t1", "Table 1"))
        club.store.credentials.save_account("t1", Account.new("t1", "table", "a long password").password_line)
        club._own.reload()
        opened, heard = [], club.hub.intake.status
        table = Broker.at(club.broker, "t1", "a long password")
        eventually(lambda: opened or opened.extend(session(table, lambda _: None)), "the broker lets the table in")
        with closing(opened[0]) as there:
            status = serialize(SimulatedTable("t1", seed=1).status())
            there.publish(Topics("our-club").of("t1", "status"), status, qos=1, retain=True)
            eventually(lambda: "t1" in heard, "the hub hears it")
            club._own._running._process.kill()
            eventually(lambda: "t1" not in heard, "the table is not there for the hub that has no broker")


def test_without_mosquitto_boards_by_phone_are_played_and_the_desk_says_what_tables_need(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.club.broker.process.mosquitto_found", lambda: None)
    with running(a_club(tmp_path)) as club:
        club.store.put_table(TableOfClub("h1", "Board 1", by_hand=True))
        club.admin.begin("Evening", "swiss", ["h1"], "Player 1\nPlayer 2", False, "organiser")
        assert "install Mosquitto" in str(club.admin.organiser_document()["broker"])


def test_a_remote_broker_that_does_not_answer_is_reported_at_the_desk(tmp_path):
    place = f"127.0.0.1:{free_port()}"
    club = ClubSection(id="our-club", name="Our club", data=tmp_path / "data")
    settings = ClubSettings(
        club=club, broker=BrokerSection(url=f"mqtt://{place}"), web=WebSection(host="127.0.0.1", port=0)
    )
    with running(ClubService(settings)) as service:
        eventually(lambda: place in str(service.admin.organiser_document()["broker"]), "the desk names the broker")


def listens(port):
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@slow
@mosquitto.needed
def test_the_broker_listens_to_this_machine_alone_until_a_table_joins(tmp_path):
    with running(a_club(tmp_path)) as club:
        port = club.settings.broker.port
        assert not listens(port)
        club.store.put_table(TableOfClub("t1", "Table 1"))
        code = club.store.credentials.join_code("t1", club.admin.wall())
        assert not listens(port)
        joined = parse(Joined, club.admin.join(serialize(Join(code=code, name="Table 1", journal="0" * 32))))
        assert joined.broker == f"mqtt://127.0.0.1:{port}"
        opened = []
        table = Broker.at(joined.broker, "t1", joined.password)
        eventually(lambda: opened or opened.extend(session(table, lambda _: None)), "the table gets in")
        opened[0].close()


@mosquitto.needed
def test_no_account_ends_anothers_session_by_taking_its_name(tmp_path):
    club = mosquitto.Club(tmp_path)
    ended = []
    name = "crokinole-our-club-t1"
    place = f"mqtt://127.0.0.1:{club.listener.port}"
    try:
        table = Session(Broker.at(place, "t1", mosquitto.password("t1")), name, ended.append)
        for user in ("t2", "_screen", "_home"):
            Session(Broker.at(place, user, mosquitto.password(user)), name, lambda _: None).close()
        table.subscribe({Topics(mosquitto.CLUB).of("t1", "assignment"): 1})
        assert ended == []
        Session(Broker.at(place, "t1", mosquitto.password("t1")), "other", lambda _: None).close()
        eventually(lambda: ended, "the same account's next session ends the one before")
        table.close()
    finally:
        club.running.close()


def test_the_command_writes_files_for_their_owner_alone_and_keeps_passwords(tmp_path):
    folder = tmp_path / "club"
    arguments = [str(folder), "our-club", "--table", "t1", "--scorer", "_home"]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    first = (folder / "t1.password").read_text()
    assert CliRunner().invoke(main, [*arguments, "--table", "t2", "--port", "8883"]).exit_code == 0
    assert (folder / "t1.password").read_text() == first
    assert (folder / "t2.password").read_text() != first
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    assert "listener 8883" in (folder / "mosquitto.conf").read_text()
    lines = dict(line.split(":", 1) for line in (folder / "passwords").read_text().splitlines())
    assert list(lines) == ["_hub", "t1", "t2", "_home"]
    _, kind, rounds, salt, digest = lines["t1"].split("$")
    assert kind == "7"  # PBKDF2 with SHA-512
    assert b64decode(digest) == hashlib.pbkdf2_hmac("sha512", first.strip().encode(), b64decode(salt), int(rounds))


@pytest.mark.parametrize(
    "arguments",
    [["a/b"], ["our-club", "--table", "_hub"], ["our-club", "--scorer", "t1"], ["our-club", "--table", "a\nuser b"],
     ["our-club", "--table", "../x"], ["our-club", "--certificate", "/dev/null"]],
)  # fmt: skip
def test_a_name_that_would_get_other_rights_is_refused(tmp_path, arguments):
    found = CliRunner().invoke(main, [str(tmp_path / "club"), *arguments])
    assert found.exit_code in (1, 2)
    assert found.exception is None or isinstance(found.exception, SystemExit)
    assert not (tmp_path / "club" / "acl").exists()


def test_no_rule_names_a_table_so_a_new_one_needs_none(tmp_path):
    def rules(*tables: str) -> str:
        accounts = [Account.new(table, "table", "x" * 20) for table in tables]
        return (write_files(tmp_path, "our-club", accounts, Listener()).parent / "acl").read_text()

    assert rules("t1") == rules("t1", "t2")
    assert "topic write #" not in rules()
