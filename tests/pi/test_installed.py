"""A table's life on a Raspberry Pi, from the first installation to the last removal. The tests are its chapters, in
this order: each goes on where the one before left the Pi.
"""

import json
import re
import shlex
import tomllib

import cv2
import pytest

from controller.table.housekeeping import FORGOTTEN
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.checkout import CHECKOUT
from tests.pi.machine import PROGRAM, wait_for
from tests.pi.pictures import DISCS, misplaced
from tests.pi.stand_ins import HEADLESS

SETUP = "sudo setup/raspberry-pi.sh"
TABLE = "/etc/crokinole-table/table.toml"
PYPROJECT = "/home/technician/crokinole-table/pyproject.toml"
SCREEN_UNIT = CHECKOUT / "setup/files/crokinole-screen.service"
SIDES = [{"name": "North", "colour": "black"}, {"name": "South", "colour": "natural"}]


def version(pi):
    return pi.says(f"{PROGRAM}/python -c 'from importlib.metadata import version; print(version(\"crokinole-table\"))'")


def release(pi, number):
    """Let the checkout be another version of the program."""
    pi.edit(PYPROJECT, lambda text: re.sub(r'^version = ".*"', f'version = "{number}"', text, flags=re.MULTILINE))


def rounds(pi):
    match = pi.get("/api/state")["match"]
    return match and match["rounds"]


def unit(pi, name):
    """What systemd knows of the table's service."""
    return pi.says(f"systemctl show crokinole-table --property {name} --value")


def test_one_command_installs_it_and_it_serves(pi):
    said = pi.says(SETUP)
    assert "http://crokinole.local" in said
    assert pi.get("/api/state")["match"] is None
    assert unit(pi, "NRestarts") == "0"
    assert pi.says("hostname") == "crokinole"
    assert re.search(r"PIN .*\d{4}", pi.says("sudo journalctl -u crokinole-table -g PIN -o cat"))
    pi.wait_for_screen()


def test_the_screens_browser_shows_the_page_within_the_units_sandbox_and_keeps_its_own(pi):
    """cage and Chromium as the unit starts them, but on wlroots' own screen of memory: a container has no graphics."""
    (start,) = re.findall(r"^ExecStart=.*$", SCREEN_UNIT.read_text("utf-8"), re.MULTILINE)
    drop_in = pi.root / "etc/systemd/system/crokinole-screen.service.d/zz-headless.conf"
    drop_in.write_text(f"{HEADLESS}{start}\n", "utf-8")
    pi.run("sudo systemctl daemon-reload")
    pi.systemctl("restart", "crokinole-screen")
    try:
        wait_for(lambda: pi.get("/health")["web"]["pages_open"] >= 1, "the screen's page does not listen to the score")
        renderers = pi.says("sudo pgrep --uid crokinole-screen --full -- --type=renderer").split()
        for process in renderers:
            assert pi.says(f"sudo grep Seccomp: /proc/{process}/status").split()[1] == "2"
            own, of_all = (pi.says(f"sudo readlink /proc/{n}/ns/user") for n in (process, "1"))
            assert own != of_all, "the page's process is in no namespace of its own"
    finally:
        drop_in.unlink()
        pi.run("sudo systemctl daemon-reload")
        pi.systemctl("restart", "crokinole-screen")
    assert renderers
    assert pi.says("systemctl show crokinole-screen --property NRestarts --value") == "0"


def test_udev_knows_the_devices_before_the_sandbox_allows_them(pi):
    """A class that the kernel does not know yet, as nothing of it is plugged in, can't be allowed later."""
    said = pi.says("sudo journalctl --boot --output cat --unit modprobe@cdc_acm --unit crokinole-table").splitlines()
    loaded = next(n for n, line in enumerate(said) if line.startswith("Finished modprobe@cdc_acm"))
    started = next(n for n, line in enumerate(said) if line.startswith("Starting crokinole-table"))
    assert loaded < started


def test_its_name_is_known_in_the_network_at_once(pi):
    announced = pi.says("avahi-browse --parsable --terminate --resolve _http._tcp").splitlines()
    (found,) = [entry.split(";") for entry in announced if entry.startswith("=;tap0;IPv4;")]
    name, address, port = found[6:9]
    assert (name, port) == ("crokinole.local", "80")
    assert pi.says("hostname --all-ip-addresses").split() == [address]


def test_numpy_and_opencv_are_the_distribution_s(pi):
    places = pi.says(f"{PROGRAM}/python -c 'import cv2, numpy; print(cv2.__file__, numpy.__file__)'").split()
    assert all(place.startswith("/usr/lib/python3/dist-packages/") for place in places), places


def test_doctor_run_as_documented_complains_only_of_what_is_missing(pi):
    pi.run("sudo systemctl stop crokinole-table")
    done = pi.run(f"sudo -u crokinole crokinole-table doctor --json --config {TABLE}", check=False)
    findings = {finding["what"]: finding for finding in json.loads(done.stdout)["findings"]}
    wrong = {what: finding["text"] for what, finding in findings.items() if not finding["ok"]}
    assert set(wrong) == {"camera", "hole sensor"}, wrong
    assert "free" in findings["port"]["text"]
    pi.systemctl("start")
    again = pi.run(f"sudo -u crokinole crokinole-table doctor --config {TABLE}", check=False).stdout
    assert "Port 80 is in use: the table is running already" in again


def test_it_reads_a_picture(pi):
    painter = Painter(seed=5)
    pictures = pi.root / "srv/pictures"
    pictures.mkdir()
    for number in range(12):
        scene = Scene(0.5 * number, DISCS if number >= 6 else ())
        assert cv2.imwrite(str(pictures / f"{number:06}.png"), painter.full(scene))
    pi.edit(TABLE, lambda text: text.replace('"picamera"', '"folder:/srv/pictures"'))
    pi.systemctl("restart")
    restarts = unit(pi, "NRestarts")

    def read():
        reading = json.loads(pi.says("curl --silent http://localhost/api/v1/reading") or "null")
        return reading is not None and len(reading.get("discs", ())) == len(DISCS)

    wait_for(read, "it reads no picture with four discs")
    assert misplaced(pi.get("/api/v1/reading")["discs"]) == []
    assert unit(pi, "NRestarts") == restarts


def test_a_match_survives_a_restart_of_the_pi(pi):
    pi.edit(TABLE, lambda text: text.replace('"folder:/srv/pictures"', '"none"'))
    pi.systemctl("restart")
    pi.command(do="start", rules="nca", sides=SIDES, manual=True)
    pi.command(do="end_round", totals={"A": 45, "B": 20})
    before = rounds(pi)
    assert len(before) == 1
    pi.reboot()
    assert rounds(pi) == before
    assert pi.says("hostname") == "crokinole"
    pi.wait_for_screen()


def test_an_update_keeps_the_match_and_leaves_one_environment(pi):
    before = rounds(pi)
    release(pi, "0.99.1")
    pi.run(SETUP)
    assert version(pi) == "0.99.1"
    assert rounds(pi) == before
    assert len({"a", "b"} & set(pi.says("ls /opt/crokinole-table").split())) == 1


def test_an_update_that_needs_nothing_new_needs_no_network(pi):
    before = rounds(pi)
    release(pi, "0.99.2")
    pi.unplug()
    pi.run(SETUP)
    assert version(pi) == "0.99.2"
    assert rounds(pi) == before


def test_an_update_that_needs_a_missing_network_changes_nothing(pi):
    running = unit(pi, "MainPID")
    release(pi, "0.99.3")
    pi.edit(PYPROJECT, lambda text: text.replace('"segno>=1.6"', '"segno>=1.6", "colorama>=0.4"'))
    failed = pi.run(SETUP, check=False)
    assert failed.returncode != 0
    assert "connect the Pi to" in failed.stderr
    assert "What is installed runs on as it was." in failed.stderr
    assert unit(pi, "MainPID") == running
    assert version(pi) == "0.99.2"
    pi.edit(PYPROJECT, lambda text: text.replace(', "colorama>=0.4"', ""))


def test_a_version_that_does_not_start_gives_way_to_the_one_before(pi):
    before = rounds(pi)
    release(pi, "0.99.4")
    service = "/home/technician/crokinole-table/controller/service.py"
    started = 'notify("READY=1")'
    pi.edit(service, lambda text: text.replace(started, f"raise OSError('broken')  # {started}"))
    failed = pi.run(SETUP, check=False)
    assert failed.returncode != 0
    assert "the one before runs again" in failed.stderr
    assert version(pi) == "0.99.2"
    assert rounds(pi) == before
    pi.edit(service, lambda text: text.replace(f"raise OSError('broken')  # {started}", started))


def test_a_club_s_hub_beside_the_table_keeps_its_evening_over_an_update(pi):
    pi.plug_in()
    said = pi.says(f"{SETUP} --club")
    assert "http://crokinole.local:8000/organiser" in said
    assert json.loads(pi.says("curl --silent http://localhost:8000/api/evening"))["round"] == 0
    said = pi.says("sudo journalctl -u crokinole-club -g password -o cat")
    password = re.search(r"other devices: (\w+)", said).group(1)
    address = pi.says("hostname --all-ip-addresses").split()[0]
    session = f"curl --silent --json '{json.dumps({'pin': password})}' http://{address}:8000/api/session"
    assert json.loads(pi.says(session))["token"]
    pi.run(SETUP)
    assert pi.says("systemctl is-active crokinole-table crokinole-club").split() == ["active", "active"]
    assert json.loads(pi.says(session))["token"], "the password was kept"
    assert pi.says("systemctl show crokinole-club --property NRestarts --value") == "0"
    pi.unplug()


def test_with_the_overlay_file_system_on_it_says_that_nothing_is_kept(pi):
    before = rounds(pi)
    pi.switch_off()
    pi.boot(overlay=True)
    assert str(FORGOTTEN) in [notice["text"] for notice in pi.get("/api/state")["notices"]]
    assert str(FORGOTTEN) in pi.run(f"sudo -u crokinole crokinole-table doctor --config {TABLE}", check=False).stdout
    refused = pi.run(SETUP, check=False)
    assert refused.returncode != 0
    assert "overlay" in refused.stderr
    pi.command(do="end_round", totals={"A": 10, "B": 15})
    assert len(rounds(pi)) == 2
    pi.switch_off()
    pi.boot()
    assert rounds(pi) == before  # what it says is so
    assert pi.get("/api/state")["notices"] == [] or "overlay" not in str(pi.get("/api/state")["notices"])


def test_removed_with_the_screen_on_it_leaves_the_matches(pi):
    before = rounds(pi)
    pi.wait_for_screen()
    pi.run(f"{SETUP} --remove")
    assert pi.run("getent passwd crokinole crokinole-club crokinole-screen", check=False).stdout == ""
    assert pi.run("curl --silent http://localhost/", check=False).returncode == 7  # refused
    assert pi.says("hostname") == "raspberrypi"
    assert not (pi.root / "opt/crokinole-table").exists()
    pi.plug_in()
    pi.run(SETUP)
    assert rounds(pi) == before


def test_purged_with_the_screen_on_nothing_is_left(pi):
    pi.run(f"{SETUP} --remove --purge")
    left = pi.says("sudo find / -xdev -iname '*crokinole*' -not -path '/home/*' -not -path '/proc/*'").split()
    assert left == ["/etc/systemd/system/crokinole-screen.service.d"]  # put there by prepare.sh
    assert pi.run("getent passwd crokinole crokinole-club crokinole-screen", check=False).stdout == ""


@pytest.mark.timeout(1500)
def test_the_unit_tests_pass_with_the_distribution_s_libraries(pi):
    """Of all that meets numpy, OpenCV and devices: vision, hardware, referee and replay."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [name for name in project["dependencies"] if not name.startswith(("numpy", "opencv"))]
    packages = shlex.join(["pytest", "pytest-timeout", "hypothesis", *needed])
    pi.run("python3 -m venv --system-site-packages /tmp/tests")
    pi.run(f"/tmp/tests/bin/python -m pip install --quiet {packages}")
    tests = "tests/controller/vision tests/hardware tests/controller/referee tests/controller/tools/test_replay.py"
    done = pi.run(f"/tmp/tests/bin/python -m pytest -q {tests}", check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
