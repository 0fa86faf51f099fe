"""`crokinole-table club`: a whole evening on a machine that has nothing but Python, and an end without noise."""

import json
import os
import platform
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPSConnection
from urllib.request import urlopen

import pytest

from controller.club.desk import Desk
from controller.club.simulated_evening import SimulatedClubEvening
from tests.slow import slow
from tests.waiting import PATIENCE, eventually, free_port
from tests.web_ui.test_https import made


def test_a_simulated_evening_plays_by_itself(hub):
    evening = SimulatedClubEvening(Desk(hub, "Club"), pace=0.2)
    evening.start()
    try:
        eventually(lambda: any(match.over for match in hub.tournament.state.matches.values()), "a result", seconds=30)
    finally:
        evening.stop()


RUN = "import controller.club.command as it; it.run_club(None, {port})"


@slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_at_once_and_says_nothing(how):
    port, begun = free_port(), time.monotonic()
    club = subprocess.Popen(
        [sys.executable, "-c", RUN.format(port=port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )

    def board():
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/api/evening", timeout=PATIENCE) as answer:
            return any(board["now"] and board["now"]["started"] for board in json.load(answer)["boards"])

    try:
        eventually(lambda: club.poll() is not None or board(), "a match at a board", seconds=8 * PATIENCE)
        with urlopen(f"http://127.0.0.1:{port}/events", timeout=PATIENCE):  # somebody looks on
            ending = time.monotonic()
            if how == signal.SIGINT:
                os.killpg(club.pid, how)  # as Ctrl-C does: to all that the terminal has begun
            else:
                club.send_signal(how)
            _, faults = club.communicate(timeout=4 * PATIENCE)
            ended = time.monotonic()
    finally:
        club.kill()
        club.wait()
    assert club.returncode == 0
    assert ended - ending < ending - begun, "on a busy machine both take long"
    assert [line for line in faults.splitlines() if not line.startswith("INFO ")] == []


def session(connection, host, password):
    """What a phone is answered that sends the password under this host's name; status and words."""
    body = json.dumps({"pin": password})
    with closing(connection):
        connection.request("POST", "/api/session", body, {"Host": host, "Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@slow
def test_a_hub_without_a_screen_lets_its_organiser_in_at_the_address_and_by_the_password_that_it_prints(tmp_path):
    """The first evening of an organiser who has a phone and the hub's log, and nothing else."""
    file, port = tmp_path / "club.toml", free_port()
    file.write_text(f'[club]\nid = "c"\nname = "C"\ndata = "{tmp_path}"\n[web]\n')

    def run(ready, password=None):
        club = subprocess.Popen(
            [sys.executable, "-m", "controller.cli", "club", "--config", str(file), "--port", str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "ready")},
        )
        try:
            assert ready.recv(100) == b"READY=1"
            said = ""
            while "on other devices" not in said:
                said += club.stdout.readline()
            if password is None:
                said += club.stdout.readline()
                (password,) = re.findall(r"first password, for other devices: (\w+)", said)
            ((scheme, host),) = re.findall(r"(https?)://(\S+)/organiser \(on other", said)
            name, _, shown = host.rpartition(":")
            clear = session(HTTPConnection("127.0.0.1", port, timeout=20), f"{name}:{port}", password)
            if scheme == "http":
                assert (clear[0], int(shown)) == (200, port)
            else:
                assert (clear[0], host in clear[1]) == (403, True), "the words say where it is taken"
                unproven = ssl._create_unverified_context()
                encrypted = HTTPSConnection("127.0.0.1", int(shown), timeout=20, context=unproven)
                assert session(encrypted, host, password)[0] == 200
        finally:
            club.send_signal(signal.SIGTERM)
            rest, _ = club.communicate(timeout=30)
        return scheme, password, said + rest

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind(str(tmp_path / "ready"))
        ready.settimeout(60)
        scheme, password, _ = run(ready)
        assert scheme == "http"
        tls = made(tmp_path / "tls")
        with file.open("a") as settings:
            settings.write(f'certificate = "{tls.certificate}"\nkey = "{tls.key}"\nhttps_port = 0\n')
        scheme, _, again = run(ready, password)
    assert scheme == "https"
    assert "first password" not in again


HEAPS = """
import ctypes, sys, threading
if sys.argv[1] == "one":
    from controller.club.command import share_one_heap
    share_one_heap()
meeting = threading.Barrier(4)
def work():
    taken = [bytes(5000) for _ in range(100)]
    meeting.wait()
    meeting.wait()
    del taken
for _ in range(3):
    threading.Thread(target=work).start()
meeting.wait()
ctypes.CDLL(None).malloc_stats()
meeting.wait()
"""


@slow
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another library of the system's")
def test_all_threads_take_their_memory_from_one_heap():
    def heaps(how):
        done = subprocess.run([sys.executable, "-c", HEAPS, how], capture_output=True, text=True, check=True)
        return len(re.findall("^Arena", done.stderr, re.MULTILINE))

    assert heaps("one") == 1
    assert heaps("many") > 1, "else there was nothing to share"
