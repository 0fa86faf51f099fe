"""Mosquitto's files for a club, without Mosquitto; what it makes of them is tried in test_club.py."""

import hashlib
from base64 import b64decode

import pytest
from click.testing import CliRunner

from controller.club.broker.__main__ import main
from controller.club.broker.files import Account, Listener, write_files


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
