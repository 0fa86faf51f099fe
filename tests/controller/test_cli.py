import json
import re
import socket
import struct
import subprocess
import sys
import zlib

import cv2
import numpy as np
import pytest

from controller.cli import command
from controller.journal import Journal
from controller.table.engine import Engine
from tests.controller.command_line import call, run
from tests.controller.rules.test_record import ANSWER, EXAMPLE
from tests.slow import slow


@pytest.fixture
def config(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text(f'[table]\ndata = "{tmp_path / "data"}"\n')
    return file


@pytest.mark.parametrize("verb", sorted(command.commands))
def test_every_verb_has_help(verb):
    assert "Usage" in call(verb, "--help").stdout


def test_judge_answers_the_documented_example(tmp_path):
    file = tmp_path / "match.json"
    file.write_text(EXAMPLE)
    answer = json.loads(call("judge", file, "--json").stdout)
    assert answer.items() >= json.loads(ANSWER).items()
    assert "round 1 shot 3: no_opponent_contact" in call("judge", file).stdout


def test_rules_lists_every_choice_with_its_source():
    document = json.loads(call("rules", "nca", "--json").stdout)
    assert document["rule_sets"][0]["id"] == "nca"
    assert "NCA" in call("rules").stdout


def test_a_certificate_that_is_not_there_is_named(config):
    config.write_text(config.read_text() + '[web]\ncertificate = "club.crt"\nkey = "club.key"\n')
    assert "club.crt can't be read" in call("run", "--config", config, expect=1).stderr


def test_doctor_looks_at_everything(config):
    findings = json.loads(call("doctor", "--config", config, "--json").stdout)["findings"]
    assert len({f["what"] for f in findings}) == 15
    assert all(f["ok"] for f in findings)


@slow
def test_doctor_measures_what_this_machine_can_hold():
    readings, frames = json.loads(call("doctor", "--speed", "--json").stdout)["findings"]
    assert readings["ok"]
    assert frames["ok"]
    assert 0 < readings["figures"]["in_play_ms"] < readings["figures"]["whole_ms"]
    shown = frames["figures"]
    assert 0 < 2 * shown["frames_per_second"] * (shown["gate_moving_ms"] + shown["film_ms"]) <= 1010


def test_doctor_says_what_to_mend(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text(f'[table]\ndata = "{file}/data"\n[camera]\ndevice = "folder:{tmp_path / "none"}"\n')
    done = run("doctor", "--config", file)
    assert done.returncode == 1
    assert "MEND camera" in done.stdout
    assert "MEND journal" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["judge", "nothing.json"], "can't be read"),
        (["rules", "chess"], "not a rule set"),
        (["read", "nothing.jpg"], "nothing.jpg"),
        (["replay", "nothing"], "not a folder"),
        (["simulate", "--rules", "chess"], "not a rule set"),
        (["simulate", "--faults", "gremlins"], "gremlins"),
        (["run", "--config", "nothing.toml"], "can't be read"),
        (["calibrate", "camera-of-mine", "-o", "x.json"], "camera-of-mine"),
        (["dance"], "dance"),
        (["export", "7"], "no journal"),
        (["backup", "copy.sqlite"], "no journal"),
        (["restore", "nothing.sqlite"], "no such file"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, words, config):
    extra = ["--config", config] if arguments[0] in ("export", "backup", "restore") else []
    assert words in call(*arguments, *extra, expect=2).stderr


def test_a_wrong_key_in_the_configuration_is_named_with_its_place(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text('[camera]\ndevise = "usb:0"\n[web]\nport = 99999\n')
    error = call("run", "--config", file, expect=2).stderr
    assert "camera.devise" in error
    assert "web.port" in error


def test_a_rule_set_of_ones_own_is_checked(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text('[[rules]]\nid = "ours"\nbase = "nca"\nopen_bord = "free"\n')
    assert "open_board" in call("run", "--config", file, expect=2).stderr


def test_export_gives_a_record_that_judge_reads(config, tmp_path):
    journal = Journal(tmp_path / "data" / "journal.sqlite")
    engine = Engine(journal, wall=lambda: 0.0)
    engine.command({"do": "start", "rules": "nca", "sides": [{"name": "Player 1"}, {"name": "Player 2"}]})
    journal.close()
    record = call("export", 1, "--config", config).stdout
    (tmp_path / "match.json").write_text(record)
    assert json.loads(call("judge", tmp_path / "match.json", "--json").stdout)["match"]["over"] is False
    assert json.loads(call("export", 1, "--as", "events", "--config", config).stdout)["kind"] == "match_started"
    assert "no match 7" in call("export", 7, "--config", config, expect=2).stderr
    assert "1 events" in call("backup", tmp_path / "copy.sqlite", "--config", config).stdout
    assert "exists already" in call("backup", tmp_path / "copy.sqlite", "--config", config, expect=2).stderr
    assert "before-update" in call("backup", "--before-update", "--config", config).stdout
    assert "--before-update" in call("backup", "--config", config, expect=2).stderr
    assert json.loads(call("export", 1, "--as", "raw", "--config", config).stdout)["body"].startswith('{"')
    assert "1 events" in call("restore", tmp_path / "copy.sqlite", "--config", config).stdout


def huge_png(width, height):
    """A picture of a few hundred bytes that claims to be of many gigabytes, as the PNG specification has it."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * 100_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@slow
def test_a_picture_that_claims_to_be_huge_is_refused_and_not_unpacked(tmp_path):
    (tmp_path / "bomb.png").write_bytes(huge_png(32_000, 32_000))
    assert "million pixels" in call("read", tmp_path / "bomb.png", expect=2).stderr
    tells_its_memory = """
import atexit, pathlib
atexit.register(lambda: print(pathlib.Path("/proc/self/status").read_text()))
from controller.cli import main
main()
"""
    reading = [sys.executable, "-c", tells_its_memory, "read", tmp_path / "bomb.png"]
    told = subprocess.run(reading, capture_output=True, text=True, timeout=120).stdout
    (most,) = re.findall(r"VmHWM:\s+(\d+) kB", told)  # not the kernel's ru_maxrss, which counts the parent's memory too
    assert int(most) < 1_500_000, "unpacked it has 3 GB"


def test_an_endless_device_is_no_picture():
    assert "not a file" in call("read", "/dev/zero", expect=2).stderr


@pytest.mark.parametrize(
    "place", ["judge", "run --config", "read board.png --landmarks", "read board.png --calibration"]
)
def test_an_endless_device_and_endless_nesting_are_no_text(place, tmp_path):
    cv2.imwrite(str(tmp_path / "board.png"), np.zeros((480, 640, 3), np.uint8))
    (tmp_path / "deep").write_text("[" * 100_000)
    arguments = [str(tmp_path / word) if word == "board.png" else word for word in place.split()]
    assert "more than 200 MB" in call(*arguments, "/dev/zero", expect=2).stderr
    assert "deep" in call(*arguments, tmp_path / "deep", expect=2).stderr


def test_endless_nesting_and_endless_numbers_are_bad_input(tmp_path):
    toml = tmp_path / "table.toml"
    for text in ("seed = " + "9" * 5000, "x = " + "[" * 5000, "[simulated]\nseed = -5"):
        toml.write_text(text)
        assert str(toml) in call("run", "--config", toml, expect=2).stderr
    call("simulate", "--seed", "-5", expect=2)
    (tmp_path / "recording.jsonl").write_text('{"t": 0, "command": ' + "[" * 100_000 + "\n")
    assert "not JSON" in call("replay", tmp_path, expect=2).stderr


def test_an_error_says_nothing_that_a_terminal_obeys(tmp_path):
    error = call("judge", tmp_path / "no\x1b[2Jsuch\x07file", expect=2).stderr
    assert "\x1b" not in error
    assert "\\x1b[2J" in error


def test_a_table_that_has_no_address_begins_no_match(tmp_path):
    file = tmp_path / "table.toml"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        file.write_text(f'[table]\ndata = "{tmp_path / "data"}"\n[web]\nhost = "127.0.0.1"\nport = {port}\n')
        assert "already uses" in call("run", "--config", file, expect=1).stderr
    assert not (tmp_path / "data" / "journal.sqlite").exists()
