"""The report for a bug: what is in it, and what must never be."""

import json
import socket
import zipfile
from contextlib import closing

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from controller.config import Config
from controller.errors import BadInput
from controller.journal import Journal, Picture
from controller.tools.bug_report import write
from controller.tools.findings import OURS, ROOMS, Mend, examine_installation, examine_port
from hardware.pictures import encode
from hardware.recording import RecordingWriter
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene, SceneDisc
from tests.controller.command_line import call
from tests.serving import Serving
from tests.slow import slow

SECRETS = {
    "pin": "83518351",
    "secret": "5e55105ec2e7" * 4,
    "url": "hunter2",
    "path": "T0PATHTOKEN",
    "query": "QUERYTOKEN",
    "hmac": "hmac-key-of-the-club",
    "croki": "key-of-the-evening",
    "player": "Zebedee Quince",
    "fact": "a-fact-of-the-table",
}


@pytest.fixture(scope="module")
def camera(tmp_path_factory):
    """A recorded camera."""
    folder = tmp_path_factory.mktemp("camera")
    with closing(RecordingWriter(folder)) as writer:
        painter = Painter(seed=3)
        for k in range(3):
            writer.encoded(k / 30, encode(painter.full(Scene(k / 30, (SceneDisc("a1", "black", 30.0, 150.0),)))))
    return folder


@pytest.fixture
def table(tmp_path, camera, monkeypatch):
    """A table with a recorded camera, a sensor on a pin, secrets wherever one can be, and a match with names."""
    monkeypatch.setattr("hardware.gpio.open_factory", MockFactory)
    data = tmp_path / "data"
    journal = Journal(data / "journal.sqlite")
    journal.facts.keep("pin", SECRETS["pin"])
    journal.facts.keep("secret", SECRETS["secret"])
    journal.facts.keep("name", SECRETS["fact"])
    journal.pictures.keep({"1-0-a.jpg": Picture(b"jpeg")})
    journal.append(1, 1.0, [("match_started", {"sides": [SECRETS["player"]]})])
    journal.close()
    hook = f"https://club:{SECRETS['url']}@hooks.example.org:8443/{SECRETS['path']}?key={SECRETS['query']}"
    return Config.model_validate(
        {
            "table": {"data": data},
            "camera": {"device": f"folder:{camera}"},
            "hole": {"device": "gpio:17"},
            "web": {"host": "127.0.0.1", "port": 0, "webhooks": [{"url": hook, "secret": SECRETS["hmac"]}]},
            "croki": {"url": "http://192.0.2.7:8000", "key": SECRETS["croki"], "table": 3},
            "match": {"sides": [{"name": SECRETS["player"]}, {"name": SECRETS["player"] + " II"}]},
        }
    )


def members(file):
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def secrets_in(found):
    """The kinds of secrets and names that stand in the report or in the names of its files."""
    whole = b"\n".join([found["report.json"], *(name.encode() for name in found)]).decode()
    return {kind for kind, secret in SECRETS.items() if secret in whole}


def test_it_lists_versions_devices_camera_levels_and_speeds_and_holds_no_secret_and_no_name(table, tmp_path):
    said = write(table, tmp_path / "report.zip", with_picture=False)
    found = members(tmp_path / "report.zip")
    assert (tmp_path / "report.zip").stat().st_mode & 0o077 == 0, "nobody else reads it"
    assert list(found) == ["report.json"]
    assert secrets_in(found) == set()
    report = json.loads(found["report.json"])
    assert report["schema"] == "report/1"
    assert report["versions"]["numpy"] == np.__version__
    assert report["versions"]["cv2"] == cv2.__version__
    assert report["versions"]["crokinole-table"]
    assert {"picamera2", "libcamera", "lgpio"} <= set(report["versions"])
    assert isinstance(report["devices"]["nodes"], list)
    camera = report["camera"]
    assert (camera["width"], camera["height"]) == (1280, 960)
    assert 0 < camera["grey levels"]["10"] < camera["grey levels"]["90"] < 256
    assert camera["discs"] == 1
    assert camera["ms to find the board"] > 0
    assert min(camera["ms to read it"]) > 0
    assert {finding["what"] for finding in report["findings"]} >= {"camera", "hole sensor", "journal", "disk", "clock"}
    assert report["journal"]["kinds"] == {"match_started": 1}
    assert report["journal"]["facts"] == ["journal_id", "name", "pin", "secret"]
    assert report["journal"]["pictures"] == 1
    assert report["settings"]["hole"]["device"] == "gpio:17"
    assert report["settings"]["web"]["webhooks"] == [{"url": "https://hooks.example.org/..", "secret": True}]
    assert "no picture (--with-picture" in said


@slow
def test_the_picture_goes_in_only_when_the_user_agrees(table, tmp_path):
    assert "one picture of the board" in write(table, tmp_path / "with.zip", with_picture=True)
    found = members(tmp_path / "with.zip")
    picture = cv2.imdecode(np.frombuffer(found["picture.jpg"], np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (960, 1280, 3)
    assert secrets_in(found) == set()


def test_it_includes_the_health_of_the_running_table(table, tmp_path):
    class Table(Serving):
        def get(self, asked):
            assert asked.path == "/health"
            asked.say(200, b'{"waiting": 7}')

    with closing(Table()) as running:
        web = table.web.model_copy(update={"port": running.port})
        write(table.model_copy(update={"web": web}), tmp_path / "report.zip", with_picture=False)
    report = json.loads(members(tmp_path / "report.zip")["report.json"])
    assert report["running table"] == {"waiting": 7}


def test_an_unavailable_camera_does_not_end_the_report(table, tmp_path):
    broken = table.model_copy(update={"camera": table.camera.model_copy(update={"device": "usb:77"})})
    said = write(broken, tmp_path / "report.zip", with_picture=True)
    assert "the camera gives none" in said
    report = json.loads(members(tmp_path / "report.zip")["report.json"])
    (camera,) = (finding for finding in report["findings"] if finding["what"] == "camera")
    assert "77" in camera["text"]
    assert report["journal"]["there"]


@slow
def test_a_file_that_is_there_is_not_overwritten_and_a_folder_that_is_not_is_named(table, tmp_path):
    there = tmp_path / "report.zip"
    there.write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        write(table, there, with_picture=False)
    assert there.read_text() == "mine"
    with pytest.raises(BadInput, match="can't be written"):
        write(table, tmp_path / "nowhere" / "report.zip", with_picture=False)


def test_doctor_writes_the_report_and_refuses_a_picture_without_one(tmp_path):
    file = tmp_path / "table.toml"
    file.write_text(f'[table]\ndata = "{tmp_path / "data"}"\n')
    done = call("doctor", "--config", file, "--report", tmp_path / "r.zip")
    assert "no PIN" in done.stdout
    assert "report.json" in members(tmp_path / "r.zip")
    assert "--report" in call("doctor", "--config", file, "--with-picture", expect=2).stderr


def test_alone_in_its_environment_it_is_well():
    assert examine_installation().text
    assert examine_installation({room: [OURS, OURS] for room in ROOMS} | {"flask": ["Flask"]}).text


def test_another_package_of_the_same_name_is_reported_with_what_to_do():
    with pytest.raises(Mend, match="controller with other-thing") as told:
        examine_installation({room: [OURS] for room in ROOMS} | {"controller": [OURS, "other-thing"]})
    assert "venv" in str(told.value)


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1", "::", "::1"])
def test_every_host_at_which_the_table_can_listen_is_one(host):
    try:
        socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except OSError:
        pytest.skip("this machine has no such address")
    assert "is free" in examine_port(Config.model_validate({"web": {"host": host, "port": 0}})).text
