"""The journal's verbs: `export`, `backup` and `restore`."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from controller.config import load
from controller.errors import BadInput
from controller.exchange import Occasion, PlayedMatch, cmn, crokinole_reference, spreadsheet
from controller.journal import Journal, check
from controller.journal import restore as put_back
from controller.journal.export import events, exists, raw, records
from controller.messages import encoded
from controller.views.events import Events
from controller.views.history.archive import played

FILE = click.Path(path_type=Path)
FORMATS = ("record", "events", "raw", "cmn", "crokinole-reference")


@click.command()
@click.argument("match", type=int)
@click.option("--as", "format_", type=click.Choice(FORMATS), default="record", show_default=True)
@click.option("--event", default="", help="For other programs: the name of the event at which it was played.")
@click.option("--config", type=FILE, help="The table's TOML file.")
def export(match: int, format_: str, event: str, config: Path | None) -> None:
    """Print a match of the journal.

    \b
    record               as a match record that `judge` reads
    events               as its events, one a line
    raw                  as its stored events, if they can't be read
    cmn                  in Crokinole Match Notation, when it is over
    crokinole-reference  as rows of Crokinole Reference's sheet, with --event
    """
    with closing(Journal(existing_journal(config), writing=False)) as journal:
        if format_ in OTHERS:
            print(OTHERS[format_](journal, match, event), end="", flush=True)
            return
        for line in {"record": records, "events": _events, "raw": raw}[format_](journal, match):
            print(encoded(line), flush=True)


def _cmn(journal: Journal, match: int, event: str) -> str:
    return encoded(cmn.single(_played(journal, match), Occasion(event) if event else None)) + "\n"


def _crokinole_reference(journal: Journal, match: int, event: str) -> str:
    one = _played(journal, match)
    day = one.began.astimezone().date().isoformat()
    return spreadsheet.lines(crokinole_reference.matches([one], Occasion(event, day)))


OTHERS = {"cmn": _cmn, "crokinole-reference": _crokinole_reference}


def _played(journal: Journal, match: int) -> PlayedMatch:
    exists(journal, match)
    return played(journal, match)


def _events(journal: Journal, match: int) -> Iterator[dict[str, Any]]:
    return map(Events(journal).document, events(journal, match))


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option("--before-update", is_flag=True, help="Write it among the automatic backups, before a new program comes.")
@click.option("--config", type=FILE, help="The table's TOML file.")
def backup(file: Path | None, before_update: bool, config: Path | None) -> None:
    """Write a copy of the journal to FILE, also while the table is running."""
    if (file is None) != before_update:
        raise BadInput("Name the file to write, or say --before-update.")
    with closing(Journal(existing_journal(config), writing=False)) as journal:
        if file is None:
            file = journal.backups.before("update", datetime.now())
        else:
            journal.backup(file)
    print(f"{file}: {check(file)} events")


@click.command()
@click.argument("file", type=FILE)
@click.option("--config", type=FILE, help="The table's TOML file.")
def restore(file: Path, config: Path | None) -> None:
    """Replace the journal by a backup; the old journal is kept beside it."""
    target = load(config).table.journal
    kept = put_back(file, target)
    print(f"{target}: {check(target)} events" + (f"; the old one is {kept}" if kept else ""))


def existing_journal(config: Path | None) -> Path:
    """The configured table's journal. Raises `BadInput` if there is none, since reading must not create one."""
    path = load(config).table.journal
    if not path.exists():
        raise BadInput(f"There is no journal at {path}: no match has been played there, or the --config is wrong.")
    return path
