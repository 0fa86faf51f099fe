"""A stock image made into a ready one, as far as it can be tried without starting it; `tests/pi` starts it."""

import hashlib
import json
import lzma
import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from tests.checkout import CHECKOUT
from tests.slow import slow
from tests.stock_image import ask, boot_partition, make

SCRIPT = CHECKOUT / "setup" / "make-image.sh"
PLACE = "/usr/local/src/crokinole-table"
UNITS = "/etc/systemd/system"
UNIT = "crokinole-table-first-boot.service"
RELEASE = "ID=debian\nVERSION_CODENAME=trixie\n"
BOOT = b"what the boot loader reads" * 1000

pytestmark = pytest.mark.skipif(
    any(shutil.which(tool, path="/usr/sbin:/sbin:/usr/bin") is None for tool in ("debugfs", "mke2fs", "partx")),
    reason="no tools for ext4 here: apt-get install e2fsprogs util-linux",
)


def stock(folder, release=RELEASE, megabytes=40, cloud=False):
    tree = folder / "tree"
    (tree / "usr/lib").mkdir(parents=True)
    (tree / "usr/lib/os-release").write_text(release, "utf-8")
    if cloud:
        (tree / "usr/bin").mkdir()
        (tree / "usr/bin/cloud-init").touch()
    (tree / UNITS[1:]).mkdir(parents=True)
    (tree / "etc/hostname").write_text("raspberrypi\n", "utf-8")
    image = folder / "stock.img"
    make(image, tree, megabytes, BOOT)
    return image


def made(*arguments):
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    folder = tmp_path_factory.mktemp("image")
    done = made("--name", "table-2", "--no-screen", stock(folder), folder / "ready.img")
    assert done.returncode == 0, done.stderr
    assert "Ready" in done.stdout
    return folder / "ready.img"


def test_the_first_start_finds_its_service_enabled_with_the_options(ready):
    enabled = ask(ready, f"stat {UNITS}/multi-user.target.wants/{UNIT}")
    assert f'Fast link dest: "../{UNIT}"' in enabled
    text = ask(ready, f"cat {UNITS}/{UNIT}")
    assert f"ExecStart={PLACE}/setup/first-boot.sh --name table-2 --no-screen\n" in text
    assert "@" not in text


def test_everything_that_was_added_is_root_s_and_only_scripts_can_be_run(ready):
    for path, mode in (
        ("setup/raspberry-pi.sh", "0755"),
        ("setup/first-boot.sh", "0755"),
        ("pyproject.toml", "0644"),
        ("controller/service.py", "0644"),
        ("setup", "0755"),
    ):
        said = ask(ready, f"stat {PLACE}/{path}")
        assert f"Mode:  {mode}" in said, path
        assert re.search(r"User: +0 +Group: +0 ", said), path


def test_the_program_on_it_is_the_checkout_s(ready, tmp_path):
    ask(ready, f"rdump {PLACE} {tmp_path}")
    there = tmp_path / "crokinole-table"
    listed = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    names = {name for name in listed.splitlines() if not name.startswith(("tests/", "docs/"))}
    assert {str(p.relative_to(there)) for p in there.rglob("*") if p.is_file()} == names
    for name in names:
        assert (there / name).read_bytes() == (CHECKOUT / name).read_bytes(), name


def test_all_else_is_as_it_was(ready):
    assert boot_partition(ready) == boot_partition(ready.parent / "stock.img")
    assert ask(ready, "cat /etc/hostname") == "raspberrypi\n"


@slow
def test_the_same_image_and_the_same_checkout_give_the_same_bytes(ready, tmp_path):
    packed = tmp_path / "stock.img.xz"
    packed.write_bytes(lzma.compress((ready.parent / "stock.img").read_bytes(), preset=0))
    done = made("--name", "table-2", "--no-screen", packed, tmp_path / "again.img")
    assert done.returncode == 0, done.stderr
    assert digest(tmp_path / "again.img") == digest(ready)


def test_the_imagers_entry_has_size_digest_and_how_to_customise_the_image(ready):
    (entry,) = json.loads(ready.with_suffix(".rpi-imager-manifest").read_text())["os_list"]
    said = subprocess.run(["sha256sum", ready], check=True, capture_output=True, text=True).stdout.split()[0]
    assert entry["extract_sha256"] == entry["image_download_sha256"] == said
    assert entry["extract_size"] == entry["image_download_size"] == os.stat(ready).st_size
    assert Path(url2pathname(urlsplit(entry["url"]).path)) == ready
    assert {"name", "description", "icon", "release_date"} <= entry.keys()  # as the Imager's schema demands
    assert entry["init_format"] == "systemd"


@slow
def test_settings_and_an_image_with_cloud_init_come_along(tmp_path):
    settings = tmp_path / "ours.toml"
    settings.write_text('[hole]\ndevice = "none"\n', "utf-8")
    done = made("--settings", settings, stock(tmp_path, cloud=True), tmp_path / "cloud.img")
    assert done.returncode == 0, done.stderr
    assert ask(tmp_path / "cloud.img", "cat /etc/crokinole-table/table.toml") == settings.read_text("utf-8")
    (entry,) = json.loads((tmp_path / "cloud.rpi-imager-manifest").read_text())["os_list"]
    assert entry["init_format"] == "cloudinit-rpi"


def loop_device(image):
    """The image as a block device with its partitions; None where there are no such devices."""
    command = ["losetup", "--find", "--show", "--partscan", image]
    device = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    if device:  # where no udev looks for partitions
        subprocess.run(["partx", "--update", device], capture_output=True)
    return device or None


@pytest.fixture
def card(tmp_path):
    """A card as the Imager leaves it, and the file that is behind it."""
    image = stock(tmp_path)
    device = loop_device(image) if os.geteuid() == 0 and shutil.which("losetup") else None
    if device is None:
        pytest.skip("no card can be simulated here: it needs root and loop devices")
    try:
        yield device, image
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)


@contextmanager
def mounted(partition, place):
    """As a desktop mounts it; a container's /dev may lack the node of a partition that the kernel knows."""
    numbers = Path(f"/sys/class/block/{partition.name}/dev").read_text("ascii").strip().split(":")
    lacking = not partition.exists()
    if lacking:
        subprocess.run(["mknod", partition, "b", *numbers], check=True)
    place.mkdir()
    try:
        subprocess.run(["mount", "-o", "ro,noload", partition, place], check=True)
        yield
        subprocess.run(["umount", place], check=True)
    finally:
        if lacking:
            partition.unlink()


def test_a_card_is_made_ready_as_an_image_is(card, ready):
    device, image = card
    done = made(device)
    assert done.returncode == 0, done.stderr
    assert ask(image, f"cat {PLACE}/pyproject.toml") == ask(ready, f"cat {PLACE}/pyproject.toml")
    assert boot_partition(image) == boot_partition(ready)


def test_a_card_that_is_mounted_is_left_alone(card, tmp_path):
    device, image = card
    before = digest(image)
    with mounted(Path(f"{device}p2"), tmp_path / "mounted"):
        done = made(device)
    assert done.returncode == 2
    assert "unmount all that is on it" in done.stderr
    assert digest(image) == before


def test_what_has_the_table_already_is_refused(ready, tmp_path):
    done = made(ready, tmp_path / "twice.img")
    assert done.returncode != 0
    assert "already: begin with a fresh one" in done.stderr
    assert not (tmp_path / "twice.img").exists()


@pytest.mark.parametrize(
    ("release", "says"),
    [
        ("ID=raspbian\nVERSION_CODENAME=trixie\n", "64-bit"),
        ("ID=debian\nVERSION_CODENAME=bullseye\n", "bookworm or trixie"),
    ],
)
def test_another_system_is_refused_and_nothing_is_left(tmp_path, release, says):
    done = made(stock(tmp_path, release), tmp_path / "ready.img")
    assert done.returncode != 0
    assert says in done.stderr
    assert not (tmp_path / "ready.img").exists()


def test_an_image_without_room_is_refused_and_nothing_is_left(tmp_path):
    done = made(stock(tmp_path, megabytes=2), tmp_path / "ready.img")
    assert done.returncode != 0
    assert "could not be changed" in done.stderr
    assert not (tmp_path / "ready.img").exists()


def test_a_damaged_image_is_refused(tmp_path):
    image = stock(tmp_path)
    ask_inode = re.search(r"Inode: (\d+)", ask(image, "stat /etc/hostname"))
    root = f"{image}?offset={(16_384 + 8_192) * 512}"
    subprocess.run(["/sbin/debugfs", "-w", "-R", f"freei <{ask_inode[1]}>", root], check=True, capture_output=True)
    done = made(image, tmp_path / "ready.img")
    assert done.returncode != 0
    assert "damaged" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--name", "Tisch 1", "a", "b"],
        ["--nmae"],
        ["--settings", "no-such.toml", "a", "b"],
        ["a", "b", "c"],
        [],
        ["no-such.img", "b"],
        ["no-card"],
    ],
)
def test_wrong_arguments_are_refused(arguments, tmp_path):
    done = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert "make-image.sh: " in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    (tmp_path / "ready.img").write_text("precious", "utf-8")
    done = made(stock(tmp_path), tmp_path / "ready.img")
    assert done.returncode == 2
    assert (tmp_path / "ready.img").read_text("utf-8") == "precious"
