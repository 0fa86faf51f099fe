"""The journal's verbs: `export`, `backup` and `restore`."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from controller.config import load
from controller.errors import BadInput
from controller.exchange import Occasion, cmn
from controller.journal import Journal, check
from controller.journal import restore as put_back
from controller.journal.match_log import exists, raw, record
from controller.tools.verbs import CONFIG, FILE, emit
from controller.views.events import Events
from controller.views.history.archive import played

Lines = Callable[[Journal, int], Iterable[Any]]


def _events(journal: Journal, match: int) -> Iterator[dict[str, Any]]:
    return map(Events(journal).document, journal.events(match))


OWN: Mapping[str, tuple[str, Lines]] = {
    "record": ("as a match record that `judge` reads", lambda journal, match: [record(journal, match)]),
    "events": ("as its events, one a line", _events),
    "raw": ("as its stored events, if they can't be read", raw),
}
"""The table's own formats, each a document a line."""

ABOUT = {**{name: about for name, (about, _) in OWN.items()}, "cmn": "in Crokinole Match Notation, when it is over"}
EXPORT_HELP = "Print a match of the journal.\n\n\b\n" + "\n".join(f"{name:10} {about}" for name, about in ABOUT.items())


@click.command(help=EXPORT_HELP)
@click.argument("match", type=int)
@click.option("--as", "format_", type=click.Choice(tuple(ABOUT)), default="record", show_default=True)
@click.option("--event", default="", help="For cmn: the name of the event at which it was played.")
@CONFIG
def export(match: int, format_: str, event: str, config: Path | None) -> None:
    """Print a match of the journal."""
    with closing(Journal(existing_journal(config), writing=False)) as journal:
        exists(journal, match)
        if format_ == "cmn":
            emit(cmn.single(played(journal, match), Occasion(event) if event else None))
            return
        _, lines = OWN[format_]
        for line in lines(journal, match):
            emit(line)


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option("--before-update", is_flag=True, help="Write it among the automatic backups, before a new program comes.")
@CONFIG
def backup(file: Path | None, before_update: bool, config: Path | None) -> None:
    """Write a copy of the journal to FILE, also while the table is running."""
    if (file is None) != before_update:
        raise BadInput("Name the file to write, or say --before-update.")
    with closing(Journal(existing_journal(config), writing=False)) as journal:
        if file is None:
            file = journal.backups.before("update", datetime.now())
        else:
            journal.backup(file)
    print(f"{file}: {check(file)} events. Pictures, clips and kept rounds are not in it.")


@click.command()
@click.argument("file", type=FILE)
@CONFIG
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
