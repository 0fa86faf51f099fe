"""The Raspberry Pi's set-up, as far as it can be tried without one: its files, and what they say."""

import os
import re
import shutil
import subprocess
import tomllib

import pytest
from packaging.requirements import Requirement

from controller.club.settings import load as load_club
from controller.config import load
from setup.requirements import requirements
from tests.checkout import CHECKOUT

SCRIPT = CHECKOUT / "setup" / "raspberry-pi.sh"
FILES = CHECKOUT / "setup" / "files"
LOCKS = CHECKOUT / "requirements"
UNIT = "etc/systemd/system/crokinole-table.service"
HUB_UNIT = "etc/systemd/system/crokinole-club.service"


@pytest.fixture(autouse=True, scope="module")
def _packages_are_not_looked_up(tmp_path_factory):
    """Debian's `apt-cache` reads all of its lists each time; this one says that there is any package."""
    programs = tmp_path_factory.mktemp("bin")
    (programs / "apt-cache").write_text("#!/bin/sh\n", "utf-8")
    (programs / "apt-cache").chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
        yield


def setup(root, *options):
    """What it says; raises when it fails."""
    command = [SCRIPT, "--root", root, *options]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def files(root):
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_installed_twice_is_installed_once_and_settings_stay(tmp_path):
    assert f"wrote /{UNIT}" in setup(tmp_path)
    before = files(tmp_path)
    settings = tmp_path / "etc/crokinole-table/table.toml"
    settings.write_text(settings.read_text("utf-8").replace("Table 1", "Ours"), "utf-8")
    assert "wrote" not in setup(tmp_path)
    assert files(tmp_path) == before
    assert load(settings).table.name == "Ours"


def test_a_file_that_was_changed_by_hand_is_put_right(tmp_path):
    setup(tmp_path)
    (tmp_path / UNIT).write_text("old", "utf-8")
    assert f"wrote /{UNIT}" in setup(tmp_path)
    assert (tmp_path / UNIT).read_bytes() == (FILES / "crokinole-table.service").read_bytes()


def test_a_usb_camera_that_is_plugged_in_is_named_as_the_settings_take_it(tmp_path):
    assert "USB camera" not in setup(tmp_path)
    links = tmp_path / "dev/v4l/by-id"
    links.mkdir(parents=True)
    (tmp_path / "dev/video0").touch()
    for index in (0, 1):
        (links / f"usb-046d_C920-video-index{index}").symlink_to("../../video0")
    assert setup(tmp_path).count('write: device = "usb:/dev/v4l/by-id/usb-046d_C920-video-index0"') == 1


def test_removed_leaves_the_matches_and_gives_the_name_back(tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/hostname").write_text("clubhouse\n", "utf-8")
    (tmp_path / "etc/hosts").write_text("127.0.0.1\tlocalhost\n127.0.1.1\tclubhouse\n", "utf-8")
    (tmp_path / "var/lib/crokinole-table").mkdir(parents=True)
    (tmp_path / "var/lib/crokinole-table/journal.sqlite").write_text("matches", "utf-8")
    setup(tmp_path, "--name", "table-2")
    assert "127.0.1.1\ttable-2" in (tmp_path / "etc/hosts").read_text("utf-8")
    setup(tmp_path, "--name", "table-3")
    setup(tmp_path, "--remove")
    kept = {"etc/hostname", "etc/hosts", "etc/crokinole-table/table.toml", "var/lib/crokinole-table/journal.sqlite"}
    assert files(tmp_path) == kept
    assert (tmp_path / "etc/hostname").read_text("utf-8") == "clubhouse\n"
    assert "127.0.1.1\tclubhouse" in (tmp_path / "etc/hosts").read_text("utf-8")
    setup(tmp_path, "--remove", "--purge")
    assert files(tmp_path) == {"etc/hostname", "etc/hosts"}


def test_cloud_init_does_not_give_the_old_name_back(tmp_path):
    (tmp_path / "etc/cloud").mkdir(parents=True)
    (tmp_path / "etc/hostname").write_text("raspberrypi\n", "utf-8")
    (tmp_path / "etc/hosts").write_text("127.0.1.1 raspberrypi raspberrypi\n127.0.0.1 localhost\n", "utf-8")
    disabled = tmp_path / "etc/cloud/cloud-init.disabled"
    setup(tmp_path, "--name", "raspberrypi")
    assert not disabled.exists()  # it would change nothing
    setup(tmp_path)
    assert disabled.exists()
    assert (tmp_path / "etc/hosts").read_text("utf-8") == "127.0.1.1 crokinole crokinole\n127.0.0.1 localhost\n"
    setup(tmp_path, "--remove")
    assert not disabled.exists()
    assert "127.0.1.1 raspberrypi raspberrypi" in (tmp_path / "etc/hosts").read_text("utf-8")


def test_cloud_init_that_somebody_else_switched_off_stays_off(tmp_path):
    (tmp_path / "etc/cloud").mkdir(parents=True)
    (tmp_path / "etc/cloud/cloud-init.disabled").write_text("", "utf-8")
    setup(tmp_path)
    setup(tmp_path, "--remove")
    assert (tmp_path / "etc/cloud/cloud-init.disabled").read_text("utf-8") == ""


def test_the_screen_gets_a_voice(tmp_path):
    said = setup(tmp_path)
    assert "speech-dispatcher speech-dispatcher-espeak-ng" in said
    assert "--enable-speech-dispatcher" in (tmp_path / "etc/systemd/system/crokinole-screen.service").read_text("utf-8")
    assert "AudioOutputMethod" in said
    assert "speech-dispatcher" not in setup(tmp_path / "another", "--no-screen")


def test_the_voices_settings_are_as_before_when_the_table_is_taken_off(tmp_path):
    settings = tmp_path / "etc/speech-dispatcher/speechd.conf"
    settings.parent.mkdir(parents=True)
    settings.write_text("LogLevel 3\n", "utf-8")
    (command,) = [line for line in setup(tmp_path).splitlines() if "AudioOutputMethod" in line]
    script = command.removeprefix("would run: sed -i ").rpartition(" ")[0]
    subprocess.run(["sed", "-i", script, settings], check=True)
    assert settings.read_text("utf-8").endswith('\nAudioOutputMethod "alsa"\n')
    assert "AudioOutputMethod" not in setup(tmp_path), "once"
    setup(tmp_path, "--remove")
    assert settings.read_text("utf-8") == "LogLevel 3\n"


def test_removing_what_is_not_there_is_harmless(tmp_path):
    assert "Taken off" in setup(tmp_path, "--remove")


def test_a_hub_stands_alone_or_beside_a_table(tmp_path):
    alone, both = tmp_path / "alone", tmp_path / "both"
    said = setup(alone, "--club")
    assert "http://crokinole-club.local/organiser" in said
    assert files(alone) & {UNIT, HUB_UNIT} == {HUB_UNIT}
    assert load_club(alone / "etc/crokinole-table/club.toml").web.port == 80
    assert "wrote" not in setup(alone, "--club")
    setup(both)
    assert "http://crokinole.local:8000/organiser" in setup(both, "--club")
    assert files(both) >= {UNIT, HUB_UNIT}
    again = setup(both)  # an update keeps and starts what is there
    assert "systemctl restart crokinole-table.service" in again
    assert "systemctl restart crokinole-club.service" in again
    setup(both, "--remove", "--purge")
    assert files(both) == {"etc/hostname", "etc/hosts"}


@pytest.mark.parametrize("options", [["--nmae", "x"], ["--name", "Tisch 1"], ["--purge"], ["--name"]])
def test_a_wrong_option_is_refused_before_anything_happens(tmp_path, options):
    done = subprocess.run([SCRIPT, "--root", tmp_path, *options], capture_output=True, text=True)
    assert done.returncode != 0
    assert done.stderr
    assert files(tmp_path) == set()


def test_pip_installs_all_that_the_program_needs_but_what_the_system_has(tmp_path):
    said = setup(tmp_path)
    needed = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    (fetch,) = [line for line in said.splitlines() if "-m pip" in line and " wheel " in line]
    (install,) = [line for line in said.splitlines() if "-m pip" in line and "click" in line]
    (apt,) = [line for line in said.splitlines() if "apt-get install" in line]
    assert "--no-index" in install
    from_apt = [n for n in needed if n not in install]
    assert sorted(n.split(">")[0] for n in from_apt) == ["numpy", "opencv-python-headless"]
    assert "--require-hashes" in fetch
    assert str(LOCKS / "pi.txt") in fetch
    for package in ("python3-numpy", "python3-opencv", "python3-picamera2", "python3-lgpio"):
        assert package in apt


def locked(name):
    """What a lock file pins: names, and versions; each must have a hash."""
    text = (LOCKS / name).read_text("utf-8").replace("\\\n", " ")
    entries = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
    assert "://" not in text, "whoever installs has an index of their own"
    return dict(re.match(r"([\w.-]+)==([\w.]+)", entry).groups() for entry in entries)


@pytest.mark.parametrize("lock", ["dev.txt", "pi.txt"])
def test_the_lock_files_hold_all_that_pyproject_asks_for_and_nothing_older(lock):
    """After a change there, `make lock` has to be run."""
    document = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    project, pinned = document["project"], locked(lock)
    if lock == "dev.txt":
        needed = project["dependencies"] + project["optional-dependencies"]["dev"]
    else:
        needed = requirements(str(CHECKOUT / "pyproject.toml"), "run")
        needed += requirements(str(CHECKOUT / "pyproject.toml"), "build")
    for requirement in map(Requirement, needed):
        assert requirement.specifier.contains(pinned[requirement.name], prereleases=True), requirement
    assert lock == "dev.txt" or not {"numpy", "opencv-python-headless"} & set(pinned), "they are the system's"


def test_the_shipped_settings_can_be_loaded():
    config = load(FILES / "table.toml")
    assert config.camera.device == "picamera"
    assert config.hole.device == "serial:/dev/crokinole-hole"


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="no shellcheck here: apt-get install shellcheck")
def test_the_scripts_are_clean():
    scripts = [*SCRIPT.parent.glob("*.sh"), *(CHECKOUT / "tests").rglob("*.sh")]
    subprocess.run(["shellcheck", "--external-sources", "--severity=warning", *scripts], check=True, cwd=CHECKOUT)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_understands_the_units(tmp_path):
    """The programs that they start are not here: stand-ins of the same names are."""
    for unit in (*FILES.glob("*.service"), SCRIPT.parent / "first-boot.service"):
        lines = unit.read_text("utf-8").splitlines()
        changed = [f"ExecStart={shutil.which('true')}" if line.startswith("ExecStart=") else line for line in lines]
        (tmp_path / unit.name).write_text("\n".join(changed), "utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *tmp_path.glob("*.service")],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not [line for line in done.stderr.splitlines() if str(tmp_path) in line], done.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
@pytest.mark.parametrize("unit", sorted(unit.name for unit in FILES.glob("*.service")))
def test_no_unit_is_exposed_more_than_it_must(unit):
    """systemd's own measure of what a program that was taken over could do: 10 is anything, 9.2 without precautions."""
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", "--json=short", "--threshold=40", FILES / unit],
        capture_output=True,
        text=True,
    )
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd has no offline analysis: it came with version 250")
    assert done.returncode == 0, done.stdout
