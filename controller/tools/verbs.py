"""The verbs `doctor`, `let-in` and `rules`, those of the journal (`export`, `backup` and `restore`), and the greeting
of a table that runs on a terminal."""

import logging
import os
import sys
import webbrowser
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any

import click
import urllib3

from controller import rules
from controller.config import load
from controller.errors import BadInput, ControllerError
from controller.exchange import cmn
from controller.journal import Journal, check
from controller.journal import restore as put_back
from controller.journal.match_log import exists, raw, record
from controller.messages import encoded
from controller.service import Service
from controller.views.history.archive import event_document, played
from controller.views.rule_sets import Rules
from hardware.devices import SystemClock

FILE = click.Path(path_type=Path)
CONFIG = click.option("--config", type=FILE, help="The table's TOML file.")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, one document a line.")
PATIENCE = 5.0  # s until the table that runs here must have answered


def emit(document: Any) -> None:
    """Print one JSON document on one line."""
    print(encoded(document), flush=True)


@click.command()
@CONFIG
@click.option(
    "--watch", type=click.FloatRange(min=0, min_open=True), help="Show changes of levels for this many seconds."
)
@click.option("--speed", is_flag=True, help="Measure what readings and frames cost on this machine.")
@click.option("--report", type=FILE, help="Write all that a bug report needs into this new file, a ZIP archive.")
@click.option("--with-picture", is_flag=True, help="Put the camera's picture into the report too.")
@AS_JSON
def doctor(
    config: Path | None,
    watch: float | None,
    speed: bool,
    report: Path | None,
    with_picture: bool,
    as_json: bool,
) -> None:
    """Check devices, calibration, disk and clock, and say what to mend."""
    from controller.tools.doctor import examine
    from controller.tools.doctor import watch as watch_levels

    logging.basicConfig(level=logging.CRITICAL)  # the findings say what the log would say
    if watch is not None:
        watch_levels(load(config), watch, SystemClock(), lambda line: print(line, flush=True))
        return
    if with_picture and report is None:
        raise BadInput("--with-picture goes into a report: name its file with --report.")
    if report is not None:
        from controller.tools.bug_report import write

        print(f"{report}: {write(load(config), report, with_picture)}")
        return
    if speed:
        from controller.tools.speed import examine_speed

        findings = list(examine_speed())
    else:
        findings = examine(load(config))
    if as_json:
        emit({"schema": "doctor/1", "findings": findings})
    else:
        for finding in findings:
            print(f"{'ok  ' if finding['ok'] else 'MEND'} {finding['what']:12} {finding['text']}")
    if not all(finding["ok"] for finding in findings):
        sys.exit(1)


@click.command(name="let-in")
@CONFIG
@click.option("--port", type=click.IntRange(1, 65535), help="The scoreboard's port, if `run` was given another one.")
@AS_JSON
def let_in(config: Path | None, port: int | None, as_json: bool) -> None:
    """A code that lets one phone keep score without the PIN, from the table that runs on this computer."""
    link = _entry_link(port or load(config).web.port)
    if as_json:
        emit({"schema": "let-in/1", "link": link})
        return
    if sys.stdout.isatty():
        _show_code(link)
    print(f"Open this on one phone within half a minute: {link}")


def _entry_link(port: int) -> str:
    """Asks as the table's own screen does. Raises `ControllerError` if that is refused."""
    try:
        answer = urllib3.request("GET", f"http://localhost:{port}/let-in", timeout=PATIENCE, retries=False)
    except urllib3.exceptions.HTTPError as error:
        raise ControllerError(
            f"No table answers at port {port} of this computer: start it, or name its file with --config."
        ) from error
    if answer.status != HTTPStatus.OK:
        raise ControllerError(
            "This table takes no program on its computer for its own screen, because [web] says proxy = true: have "
            "a scorer show a code on the phone."
        )
    return str(answer.json()["link"])


def _show_code(address: str) -> None:
    """A QR code on the terminal."""
    import segno

    segno.make(address, micro=False).terminal(compact=True)


@click.command(name="rules")
@click.argument("rule_set", required=False)
@AS_JSON
def rules_(rule_set: str | None, as_json: bool) -> None:
    """The rule sets and formats, every choice with its source."""
    known = [rules.rule_set(rule_set)] if rule_set else (*rules.rule_sets(), *rules.practices())
    if as_json:
        emit(Rules.of(*known))
        return
    for one in known:
        discs = one.discs_a_side("each", 1) if one.practice else one.discs
        print(f"{one.id}: {one.name}. {rules.format_words(one.formats[0])}, {discs} discs a side. From {one.origin}.")
        for choice in rules.CHOICES if rule_set else ():
            words = rules.choice_words(choice, getattr(one, choice))
            print(f"  {rules.choice_title(choice)}: {words}. [{one.source(choice)}]")


HERE = ("127.0.0.1", "localhost", "::1", "0.0.0.0", "::", "")  # hosts at which a browser on this computer finds it


def welcome(service: Service) -> None:
    """Print the greeting, on a terminal with a QR code for phones; open a simulated table in the browser."""
    lines = greeting(service)
    if sys.stdout.isatty():
        _show_code(service.server.url)
    print(*lines, sep="\n", flush=True)
    if service.config.camera.device == "simulated" and desktop():
        webbrowser.open(local(service) or service.server.url)


def greeting(service: Service) -> list[str]:
    """The lines of the greeting; the first has the address for phones and the PIN."""
    lines = [f"Scoreboard: {service.server.url}   PIN for the scorer: {service.pin}   (Ctrl+C ends)"]
    if here := local(service):
        lines.append(f"On this computer: {here}   (needs no PIN)")
    lines.append(f"Matches are kept in {service.journal.path.resolve()}")
    if service.config.camera.device == "simulated":
        faults = ", ".join(service.config.simulated.faults)
        lines.append(f"The table is simulated, with these faults: {faults}" if faults else TRY)
    return lines


TRY = "The table is simulated and plays by itself. What can go wrong: --faults NAMES; `simulate --help` lists them."


def local(service: Service) -> str | None:
    """The address for a browser on this computer; None if the table does not listen there."""
    if service.config.web.host in HERE:
        return f"http://localhost:{service.server.port}/"
    return None


def desktop() -> bool:
    """Whether a browser can open for the user: at a terminal, not in continuous integration, with a display."""
    if "CI" in os.environ or not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


SILENCE = ("players", "rules", "fault")  # the breakdowns of silent errors


def show_report(report: dict[str, Any]) -> None:
    """Print a line for each figure, and two for each wrong round."""
    for key, value in report.items():
        if isinstance(value, int | float):
            bounds = report["bounds"].get(key)
            print(f"{key:20} {value:>12}" + (f"   95 %: {bounds[0]:.2%} to {bounds[1]:.2%}" if bounds else ""))
    for wrong in report["wrong_rounds"]:
        print(f"{wrong['title']} round {wrong['round']} {','.join(wrong['faults'])}: {'; '.join(wrong['wrong'])}")
        seats = ", ".join(f"{seat}: {where}" for seat, where in wrong["truth"]["seats"].items())
        print(f"    seats {seats}; seat {wrong['truth']['begins']} begins; lamps on at {wrong['truth']['lamps_on']} s")


def silence_table(report: Mapping[str, Any]) -> Iterator[str]:
    """A Markdown table of silently wrong rounds, verdicts and discs with their 95 % bounds. For all matches, then by
    players, rules and faults. A match with several faults counts for each of them."""
    silent = " | ".join(f"{what} silently wrong | 95 %" for what in ("totals", "verdicts", "discs"))
    yield f"| matches | rounds | shots | {silent} |"
    yield "| --- " * 9 + "|"
    yield _row("all", report)
    for kind in SILENCE:
        for name, counts in report["by"][kind].items():
            yield _row(f"{kind} {name}", counts)


def _row(name: str, counts: Mapping[str, Any]) -> str:
    cells = [name, str(counts["rounds"]), str(counts["shots"])]
    for wrong in ("silent_wrong_rounds", "silent_wrong_verdicts", "silent_wrong_discs"):
        low, high = counts["bounds"][wrong]
        cells += [str(counts[wrong]), f"{low:.2%} to {high:.2%}"]
    return f"| {' | '.join(cells)} |"


Lines = Callable[[Journal, int], Iterable[Any]]


def _events(journal: Journal, match: int) -> Iterator[dict[str, Any]]:
    return (event_document(journal, entry) for entry in journal.events(match))


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
            emit(cmn.single(played(journal, match), {"name": event} if event else None))
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
