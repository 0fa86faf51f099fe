"""`flash` with the real mpremote, onto a real MicroPython at a real pseudo-terminal that vanishes when it resets."""

import json
import shutil
import time
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import CliRunner

from controller.cli import command
from firmware_bridge import flash as flashing
from firmware_bridge.client import PACKAGE, our_firmware
from firmware_bridge.firmware.fingerprint import FILES, fingerprint
from firmware_bridge.flash import FlashFailed, flash
from hardware.devices import SystemClock
from hardware.errors import DriverMissing
from hardware.serial_link import SerialLink
from tests.firmware_bridge.board import Board, Resets
from tests.hardware.pseudo_terminal import PseudoTerminal
from tests.micropython import REASON, micropython
from tests.slow import slow

needs_micropython = pytest.mark.skipif(micropython() is None, reason=REASON)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(flashing, "GREETINGS", 1)
    monkeypatch.setattr(flashing, "PROMPT", 3.0)


@pytest.fixture
def new_board(tmp_path):
    board = Board(tmp_path, empty=True)
    resets = Resets(board)
    yield board
    resets.end()
    board.close()


def put(board, said=None):
    said = said if said is not None else []
    return flash(str(board.terminal.name), SerialLink, SystemClock(), said.append)


@slow
@needs_micropython
def test_flashing_makes_a_pico_a_unit_and_renews_an_older_one(new_board):
    said = []
    done = put(new_board, said)
    assert done.device == b"PC000001".hex()
    assert done.firmware == f"{our_firmware():08x}"
    assert fingerprint(str(new_board.flash / "firmware_bridge")) == our_firmware()
    assert said[0].startswith("Looking for MicroPython")
    file = new_board.flash / "firmware_bridge" / "messages.py"
    file.write_bytes(file.read_bytes() + b"# older\n")
    result = CliRunner().invoke(command, ["flash", str(new_board.terminal.name), "--json"], catch_exceptions=False)
    assert json.loads(result.output) == {"schema": "flash/1", **asdict(done)}
    assert fingerprint(str(new_board.flash / "firmware_bridge")) == our_firmware()


@needs_micropython
def test_a_unit_whose_lines_have_another_form_can_be_flashed(new_board):
    shutil.copytree(PACKAGE, new_board.flash / "firmware_bridge", ignore=shutil.ignore_patterns("__pycache__"))
    messages = new_board.flash / "firmware_bridge" / "messages.py"
    messages.write_text(messages.read_text().replace('"host1", "unit1"', '"host7", "unit7"'))
    (new_board.flash / "main.py").write_text(flashing.STARTER)
    before = new_board.process
    before.kill()  # and it starts again, with what stands there now
    while new_board.process is before:
        time.sleep(0.01)
    result = CliRunner().invoke(command, ["flash", str(new_board.terminal.name)], catch_exceptions=False)
    first, *steps, last = result.output.splitlines()
    assert first == "The unit has ended its program."
    assert "Writing messages.py .." in steps
    assert last.endswith(f"runs firmware {our_firmware():08x}.")


@needs_micropython
@pytest.mark.parametrize(
    ("environment", "advice"),
    [
        ({"BOARD_PLATFORM": "esp32"}, "is a esp32, not a Raspberry Pi Pico"),
        ({"BOARD_VERSION": "1.19.1"}, r"MicroPython 1\.19 .*BOOTSEL"),
    ],
)
def test_another_board_is_left_alone(tmp_path, environment, advice):
    board = Board(tmp_path, empty=True, **environment)
    try:
        with pytest.raises(FlashFailed, match=advice):
            put(board)
        assert list(board.flash.iterdir()) == []
    finally:
        board.close()


@needs_micropython
def test_a_board_that_stores_wrong_bytes_is_detected(new_board, monkeypatch):
    monkeypatch.setattr(flashing, "our_firmware", lambda: 1)
    with pytest.raises(FlashFailed, match="flash is worn out"):
        put(new_board)
    assert not (new_board.flash / "main.py").exists()


def test_a_silent_port_is_no_board(tmp_path, monkeypatch):
    monkeypatch.setattr(flashing, "PROMPT", 0.3)
    terminal = PseudoTerminal(tmp_path / "tty")
    with pytest.raises(FlashFailed, match=r"neither as a 20-hole unit .*BOOTSEL"):
        flash(str(terminal.name), SerialLink, SystemClock())
    terminal.unplug()


def test_without_mpremote_the_message_names_the_extra(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "mpremote.transport_serial", None)
    with pytest.raises(DriverMissing, match=r"crokinole-table\[flash\]"):
        flash("/dev/nowhere", SerialLink, SystemClock())


def test_every_file_of_the_firmware_counts():
    there = {str(path.relative_to(PACKAGE)) for path in Path(PACKAGE, "firmware").glob("*.py")}
    assert there - {"firmware/__init__.py"} <= set(FILES)
