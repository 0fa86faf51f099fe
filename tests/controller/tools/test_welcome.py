"""The first minute: what the terminal says is what is so, held against the running program."""

import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from controller.tools.verbs import desktop
from tests.controller.command_line import call
from tests.slow import slow


@slow
def test_the_terminal_says_where_the_table_is_who_needs_a_pin_and_where_matches_are(tmp_path):
    settings = tmp_path / "table.toml"
    settings.write_text(f'[table]\ndata = "{tmp_path / "data"}"\n[web]\nhost = "127.0.0.1"\nport = 0\n')
    run = [sys.executable, "-m", "controller.cli", "run", "--config", settings, "--faults", "bumped-board"]
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as running:
        try:
            lines = [running.stdout.readline() for _ in range(4)]
            pin = re.search(r"http://\S+/ +PIN for the scorer: (\d+)", lines[0])
            here = re.search(r"http://localhost:\d+/", lines[1])
            assert pin, lines
            assert here, lines
            assert "needs no PIN" in lines[1]
            with urllib.request.urlopen(f"{here.group()}api/session") as answer:
                assert json.load(answer)["pin"] is False
            file = Path(lines[2].removeprefix("Matches are kept in ").strip())
            assert file.read_bytes().startswith(b"SQLite")
            assert "bumped-board" in lines[3]
        finally:
            running.kill()
    with subprocess.Popen(run, stdout=subprocess.PIPE, text=True) as again:
        try:
            assert f"PIN for the scorer: {pin[1]}" in again.stdout.readline(), "what was killed is begun again"
            again.terminate()
            assert again.wait(30) == 0
        finally:
            again.kill()


def test_an_unknown_fault_is_named_before_anything_starts():
    assert "earthquake" in call("run", "--faults", "earthquake", expect=2).stderr


@pytest.mark.parametrize(
    ("terminal", "environment", "opens"),
    [
        (True, {"DISPLAY": ":0"}, True),
        (True, {"WAYLAND_DISPLAY": "wayland-0"}, True),
        (True, {}, False),
        (True, {"DISPLAY": ":0", "CI": "true"}, False),
        (True, {"DISPLAY": ":10", "SSH_CONNECTION": "1 2 3 4"}, False),
        (False, {"DISPLAY": ":0"}, False),
    ],
)
def test_a_browser_opens_where_somebody_sits_at_a_screen(monkeypatch, terminal, environment, opens):
    for name in ("CI", "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert desktop() is opens


def test_a_real_table_has_no_faults_on_request(tmp_path):
    (tmp_path / "table.toml").write_text('[camera]\ndevice = "none"\n')
    wrong = call("run", "--config", tmp_path / "table.toml", "--faults", "bumped-board", expect=2).stderr
    assert "--faults is for the simulated table" in wrong
