"""https with a certificate of the table's own: judged by `openssl verify`, by Python's TLS and by a Chromium that trust
nothing but its authority. And what keeps a scorer's screen on where there is no https.
"""

import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

from tests.browser import chromium
from tests.slow import slow
from tests.waiting import PATIENCE, eventually
from tests.web_ui.fake_table import FakeTable
from tests.web_ui.test_accessibility import AXE, EVERYTHING, RUN
from web_ui import OwnCertificate, Server, Tls, WebError, openssl
from web_ui.languages import LANGUAGES

DAY = 86_400.0
HERE = "table.lan"  # to a browser a name like any other: without https it gives such a page no screen lock


class Machine:
    """A computer whose name, addresses and clock the test sets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = "Table"
        self.addresses = ["192.168.1.30"]
        self.now = time.time() + 60.0  # openssl goes by the real clock, and takes seconds on a busy machine

    def certificate(self) -> OwnCertificate:
        return OwnCertificate(self.folder, lambda: self.addresses, lambda: self.host, lambda: self.now)


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path / "https")


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    """A certificate for `HERE`, made once."""
    machine = Machine(tmp_path_factory.mktemp("own") / "https")
    machine.host = HERE
    own = machine.certificate()
    own.make()
    return own


@pytest.fixture
def served(serve):
    return lambda own: serve(tls=Tls.of_its_own(own, 0))


def verified(own: OwnCertificate, *options: str, certificate: Path | None = None) -> str:
    """What `openssl verify` says, which knows this authority alone."""
    command = ["openssl", "verify", "-x509_strict", "-no-CApath", "-no-CAstore", "-CAfile", str(own.authority_file)]
    done = subprocess.run(
        [*command, *options, str(certificate or own.file)], capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def shown(server: Server, own: OwnCertificate, name: str = "127.0.0.1") -> dict[str, Any]:
    """The certificate that a client gets which trusts this authority alone."""
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(cadata=own.authority)
    port = server._app.config["HTTPS"][1]
    with (
        socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
        trusting.wrap_socket(plain, server_hostname=name) as encrypted,
    ):
        found = encrypted.getpeercert()
        assert found
        return found


def test_other_programs_take_it_for_the_machines_names_and_for_no_other(machine):
    own = machine.certificate()
    assert own.make()
    assert own.names == ("table.local", "table", "localhost", "192.168.1.30", "127.0.0.1")
    for name in own.names:
        how = "-verify_ip" if openssl.is_address(name) else "-verify_hostname"
        assert verified(own, how, name).endswith("OK\n"), name
    assert "mismatch" in verified(own, "-verify_hostname", "other.local")
    assert not own.make(), "all is there"
    assert own.file.stat().st_mode & 0o077 == 0
    assert own.authority_file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["bank.example", "8.8.8.8", "2001:4860:4860::8888"])
def test_a_stolen_authority_cannot_vouch_for_the_internet(machine, name):
    own = machine.certificate()
    own.make()
    forged = machine.folder / "forged.pem"
    forged.write_text(openssl.make_certificate([name], own.authority_file, 30))
    assert "permitted subtree violation" in verified(own, certificate=forged)


def test_an_address_or_a_name_that_changes_is_in_a_new_certificate_at_once(served, machine):
    own = machine.certificate()
    own.make()
    server, trusted = served(own), own.authority
    assert ("IP Address", "192.168.1.30") in shown(server, own)["subjectAltName"]
    machine.addresses = ["10.42.0.1", "192.168.7.7"]
    machine.host = "table-2"
    server.renew_if_due()
    eventually(lambda: ("IP Address", "10.42.0.1") in shown(server, own)["subjectAltName"], "the new address is there")
    names = shown(server, own, "table-2.local")["subjectAltName"]
    assert ("DNS", "table-2") not in names, "the authority was made before anybody gave the table this name"
    assert ("IP Address", "192.168.1.30") not in names
    assert own.authority == trusted
    assert verified(own).endswith("OK\n")


def test_an_address_of_the_internet_is_left_out_and_the_others_stay_good(machine):
    machine.addresses = ["8.8.8.8", "192.168.1.30"]
    own = machine.certificate()
    own.make()
    assert "8.8.8.8" not in own.names
    assert verified(own, "-verify_ip", "192.168.1.30").endswith("OK\n")


def test_it_is_renewed_in_the_middle_of_its_time_and_not_before(machine):
    own = machine.certificate()
    own.make()
    first = own.file.read_bytes()
    _, end = openssl.dates(own.file)
    assert end - machine.now < 825 * DAY, "Apple's systems take none of more days"
    machine.now += 409 * DAY
    assert not machine.certificate().renew_if_due()
    machine.now += 2 * DAY
    assert own.renew_if_due()
    assert own.file.read_bytes() != first


@pytest.mark.parametrize(
    "spoilt", ["", "# table.local\n", "# table.local table localhost 192.168.1.30 127.0.0.1\nhalf"]
)
def test_a_certificate_damaged_by_a_power_cut_is_made_again(machine, spoilt):
    own = machine.certificate()
    own.make()
    own.file.write_text(spoilt)
    assert machine.certificate().renew_if_due()
    assert verified(own).endswith("OK\n")


def test_a_failed_renewal_is_reported_and_the_old_certificate_stays_in_use(served, machine, monkeypatch, caplog):
    own = machine.certificate()
    own.make()
    server = served(own)
    machine.addresses = ["192.168.7.7"]
    monkeypatch.setenv("PATH", str(machine.folder))
    with pytest.raises(WebError, match="sudo apt install openssl"):
        own.make()
    server.renew_if_due()
    server.renew_if_due()
    assert [record.message for record in caplog.records if "not renewed" in record.message] == [
        "The table's own certificate was not renewed: "
        "No certificate can be made without the command openssl: sudo apt install openssl."
    ]
    assert ("IP Address", "192.168.1.30") in shown(server, own)["subjectAltName"]


def test_phones_get_the_authority_over_plain_http_with_what_it_means(served, ready):
    client = served(ready)._app.test_client()
    file = client.get("/crokinole-table.crt", base_url="http://127.0.0.1/")
    assert file.mimetype == "application/x-x509-ca-cert"
    assert file.data == ready.authority
    page = client.get("/trust", base_url="http://127.0.0.1/").text
    told = subprocess.run(
        ["openssl", "x509", "-in", ready.authority_file, "-noout", "-fingerprint", "-sha256"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert told.strip().partition("=")[2].replace(":", " ") in page
    assert 'data-https="/trust"' in client.get("/").text


def test_a_table_without_one_says_how_it_gets_one(client):
    page = client.get("/trust")
    assert page.status_code == 200
    assert "calls crokinole-table certificate on its computer" in page.text
    assert "/crokinole-table.crt" not in page.text, "there is nothing to load"
    assert "crokinole-table certificate" in client.get("/trust?language=pl").text
    assert client.get("/crokinole-table.crt").status_code == 404


@pytest.fixture(scope="module")
def trusting(browser, tmp_path_factory, ready):
    """A Chromium of a person who has told it to trust the authority, in the way of Linux: a database of NSS."""
    certutil = shutil.which("certutil")
    if certutil is None:
        pytest.skip("needs certutil, of Debian's package libnss3-tools")
    home = tmp_path_factory.mktemp("home")
    database = home / ".pki" / "nssdb"
    database.mkdir(parents=True)
    (home / "ca.crt").write_text(ssl.DER_cert_to_PEM_cert(ready.authority))
    for options in (("-N", "--empty-password"), ("-A", "-n", "table", "-t", "C,,", "-i", str(home / "ca.crt"))):
        subprocess.run([certutil, "-d", f"sql:{database}", *options], check=True, capture_output=True)
    launched = browser.browser_type.launch(
        executable_path=chromium(whole=True),
        env=os.environ | {"HOME": str(home)},
        args=[f"--host-resolver-rules=MAP {HERE} 127.0.0.1"],
    )
    yield launched
    launched.close()


def opened(browser: Any, url: str) -> Any:
    page = browser.new_context(viewport={"width": 360, "height": 640}).new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(url)
    page.wait_for_selector("html[data-live=yes]")
    return page


@slow
def test_a_phone_that_trusts_it_gets_by_the_menu_to_a_page_that_keeps_its_screen_on(served, ready, trusting):
    server = served(ready)
    page = opened(trusting, f"http://{HERE}:{server.port}/")
    page.click("text=Menu")
    page.click("text=Open this page with https")
    page.wait_for_selector("h1:has-text('Trust this table')")
    page.wait_for_selector("details[open]")  # by a script, which may run after the heading is there
    port = server._app.config["HTTPS"][1]
    assert page.locator("details[open] summary").all_text_contents() == ["Linux, and Firefox on any computer"]
    for language in LANGUAGES:
        page.goto(f"http://{HERE}:{server.port}/trust?language={language}")
        assert page.evaluate("document.documentElement.scrollWidth") == 360, language
    page.goto(f"http://{HERE}:{server.port}/trust")
    page.click(f"text=https://{HERE}:{port}/")
    page.wait_for_selector("html[data-live=yes]")
    assert page.evaluate("isSecureContext")
    assert page.evaluate("navigator.wakeLock.request('screen').then((lock) => lock.released)") is False
    page.goto(f"https://{HERE}:{port}/trust")
    page.wait_for_selector("text=This page was opened over https already")
    page.evaluate(AXE.read_text())
    assert page.evaluate(RUN, EVERYTHING) == []
    page.context.close()


def test_a_browser_that_does_not_trust_it_warns(served, ready, browser):
    port = served(ready)._app.config["HTTPS"][1]
    page = browser.new_page()
    with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
        page.goto(f"https://127.0.0.1:{port}/")
    page.close()


PLAYS = """() => { const video = document.querySelector('video.awake');
  return Boolean(video && !video.paused && video.currentTime > 0); }"""
RESTS = "() => document.querySelector('video.awake').paused"
HIDE = """(hidden) => { Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange')); }"""


@slow
def test_without_https_a_silent_video_keeps_a_scorers_screen_on(served, ready, trusting):
    page = opened(trusting, f"http://{HERE}:{served(ready).port}/")
    assert page.evaluate("!isSecureContext && navigator.wakeLock === undefined")
    page.click("h1")
    assert page.locator("video").count() == 0, "who only looks hears what their phone plays"
    page.click("text=Keep score")
    page.fill("input.pin", FakeTable.pin)
    page.click("dialog >> text=Enter")
    page.click("text=A silent video keeps this screen on")
    page.wait_for_function(PLAYS)
    facts = page.evaluate("""() => { const video = document.querySelector('video.awake');
      return { muted: video.muted, volume: video.volume, loop: video.loop, seconds: video.duration,
               sound: video.webkitAudioDecodedByteCount > 0, picture: video.videoWidth > 0 }; }""")
    assert facts.pop("seconds") < 5, "longer than that, and Android takes it for music"
    assert facts == {"muted": False, "volume": 1, "loop": False, "sound": True, "picture": True}
    page.evaluate("() => { document.querySelector('video.awake').currentTime = 2.9; }")
    page.wait_for_function("() => document.querySelector('video.awake').currentTime < 1")
    page.wait_for_function(PLAYS)  # it begins again
    page.evaluate(HIDE, True)
    page.wait_for_function(RESTS)
    page.evaluate(HIDE, False)
    page.wait_for_function(PLAYS)
    page.click("dialog >> [aria-label=Close]")
    page.click("#tools >> text=Menu")
    page.click("text=Chosen by the phone")
    page.wait_for_function(RESTS)
    page.click("text=Stays on")
    page.wait_for_function(PLAYS)
    page.click("dialog >> [aria-label=Close]")
    page.click("#tools >> text=Scorer")
    page.click("dialog >> text=Leave scoring")
    page.wait_for_function(RESTS)
    page.context.close()


def test_the_video_weighs_next_to_nothing(client):
    version = client.application.extensions["assets"].version
    for kind in ("webm", "mp4"):
        file = client.get(f"/static/{version}/en/awake.{kind}", headers={"Range": "bytes=0-99"})
        assert (file.status_code, file.mimetype, len(file.data)) == (206, f"video/{kind}", 100), "Safari asks for parts"
        assert len(client.get(f"/static/{version}/en/awake.{kind}").data) < 4_000


def test_the_scoreboard_is_served_with_its_certificate_once_that_was_made(served, ready):
    port = served(ready)._app.config["HTTPS"][1]
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(cadata=ready.authority)
    connection = HTTPSConnection("localhost", port, timeout=10, context=trusting)
    connection.request("GET", "/api/v1/state")
    assert json.loads(connection.getresponse().read())["schema"] == "table-state/1"
    connection.close()
