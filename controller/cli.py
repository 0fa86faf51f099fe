"""The one command, `crokinole-table`. Errors are one line on standard error: 2 for bad input, 1 for a failure."""

import logging
import os
import sys
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Literal

import click

from controller import rules
from controller.config import Config, SimulatedSection, load
from controller.errors import BadInput, ControllerError, Refused
from controller.systemd import asked_to_end
from controller.tools.verbs import AS_JSON, FILE, backup, doctor, emit, export, let_in, restore, rules_
from firmware_bridge.flash import FlashFailed
from firmware_bridge.flash import flash as install
from hardware import catalogue, files
from hardware.devices import SystemClock
from hardware.errors import BadFile, DeviceNotFound, HardwareError, UnknownFault

TURN = 0.0005
"""Seconds until a thread must yield the interpreter to another; Python's default is ten times as long. A command passes
through four threads: on a busy machine with forty readers, the median answer took 30 ms instead of 74."""
LANDMARKS = click.option("--landmarks", type=FILE, help="Taps on the board, where it is not found by itself.")
HEIGHT = click.option(
    "--height",
    type=float,
    help="The camera's height above the playing surface in mm, by a tape measure: makes close calls rarer.",
)
BAD_INPUT = (BadInput, Refused, BadFile, DeviceNotFound, UnknownFault, rules.RulesError)


def main() -> None:
    """Run the command; no user ever sees a traceback."""
    try:
        command.main(sys.argv[1:] or ["--help"], standalone_mode=False)
    except click.ClickException as error:
        fail(error.format_message(), 2)
    except click.Abort:
        sys.exit(130)
    except BAD_INPUT as error:
        fail(str(error), 2)
    except (ControllerError, FlashFailed, HardwareError, OSError) as error:
        fail(str(error), 1)


def fail(message: str, code: int) -> None:
    """Print one line on standard error and exit. Control characters are escaped, so that no terminal executes them."""
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in " ".join(message.split()))
    print(f"crokinole-table: {line}", file=sys.stderr)
    sys.exit(code)


@click.group(name="crokinole-table", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """A crokinole table that keeps its own score."""


@command.command()
@click.option("--config", type=FILE, help="The table's TOML file; without one everything is simulated.")
@click.option("--record", type=FILE, help="Write what is seen into this new folder, to be replayed.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Serve the scoreboard on this port instead of the configured one."
)
@click.option("--faults", default="", help="For the simulated table: names as `simulate --help` has them, with commas.")
def run(config: Path | None, record: Path | None, port: int | None, faults: str) -> None:
    """The table's service: devices, referee, journal, scoreboard."""
    from controller.service import Service
    from controller.tools.verbs import welcome

    if (level := os.environ.get("LOG_LEVEL", "INFO").upper()) not in logging.getLevelNamesMapping():
        raise BadInput(f"LOG_LEVEL={level} is no level: use DEBUG, INFO, WARNING or ERROR.")
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
    settings = load(config)
    if port is not None:
        settings = settings.model_copy(update={"web": settings.web.model_copy(update={"port": port})})
    if faults:
        settings = settings.model_copy(update={"simulated": with_faults(settings, faults)})
    sys.setswitchinterval(TURN)
    service = Service(settings, record=record)
    done = asked_to_end()
    service.start()
    try:
        welcome(service)
        while not done.wait(1.0):
            pass
    finally:
        service.stop()


def _hub() -> ModuleType:
    """The hub's commands. Raises `BadInput` if a package of the hub is missing."""
    try:
        from controller.club import command as hub
    except ImportError as error:
        raise BadInput(
            f"The club's hub needs {error.name}, which is not installed. In the program's folder `make club` installs "
            "it; on a Raspberry Pi, sudo setup/raspberry-pi.sh --club."
        ) from error
    return hub


@command.command()
@click.option("--config", type=FILE, help="The club's TOML file; without one an evening is simulated.")
@click.option("--port", type=click.IntRange(0, 65535), help="Serve the pages on this port.")
def club(config: Path | None, port: int | None) -> None:
    """A club's hub: many tables, one evening, one screen."""
    _hub().run_club(config, port)


@command.command("club-export")
@click.option("--config", type=FILE, required=True, help="The club's TOML file.")
@click.option(
    "--as", "kind", help="One of the files of an evening, such as cmn.json; without it the evenings are listed."
)
@click.option("--evening", help="The evening's id; without it the newest.")
@click.option("-o", "--output", type=FILE, help="Write it there instead of printing it.")
def club_export(config: Path, kind: str | None, evening: str | None, output: Path | None) -> None:
    """An evening of a club as a file: for spreadsheets, programs, Crokinole Match Notation."""
    hub = _hub()
    if kind is None:
        hub.list_evenings(config)
    else:
        hub.export_evening(config, kind, evening, output)


def with_faults(settings: Config, names: str) -> SimulatedSection:
    """The simulated table's section with these faults. Raises `UnknownFault`, and `BadInput` for a real table."""
    from hardware.simulated.faults import FaultPlan

    if settings.camera.device != "simulated":
        raise BadInput("--faults is for the simulated table: leave it out, or run without --config.")
    chosen = tuple(name.strip() for name in names.split(","))
    FaultPlan.from_names(chosen, settings.simulated.seed)
    return settings.simulated.model_copy(update={"faults": chosen})


class WithFaults(click.Command):
    """Names every fault at the end of its help."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Import the names only for help, since half of the simulated table is imported with them."""
        from hardware.simulated.faults import FAULTS

        with formatter.section("Faults"):
            formatter.write_dl(list(FAULTS.items()))


@command.command(cls=WithFaults)
@click.option("--matches", default=1, show_default=True, type=click.IntRange(min=1), help="How many whole matches.")
@click.option("--rules", "rules_id", default="nca", show_default=True, help="A rule set's id, or `all` in turn.")
@click.option(
    "--seed",
    default=1,
    show_default=True,
    type=click.IntRange(0, 2**63 - 1),
    help="Every match has a seed of its own, from this and its number.",
)
@click.option("--faults", default="", help="Faults by name, with commas; or `random`: some, in every other match.")
@click.option(
    "--hung",
    type=click.Choice(["random", "straight", "beside"]),
    default="random",
    show_default=True,
    help="random: camera, seats and who begins are random. straight: seat 1 is at the picture's bottom and begins. "
    "beside: random, but the camera stands beside the table, 38 to 50 degrees off the vertical.",
)
@click.option(
    "--only", type=click.IntRange(min=0), multiple=True, help="Play only the match of this number; can be repeated."
)
@click.option(
    "--fps", default=30.0, show_default=True, type=click.FloatRange(5, 120), help="The camera's frames a second."
)
@click.option("--film/--no-film", default=True, show_default=True, help="Whether the table films what moves.")
@click.option(
    "--continue",
    "continued",
    type=FILE,
    help="Write each match to this file as soon as it is over; those that it holds already are not played again.",
)
@click.option("--keep", type=FILE, help="Keep each round that went wrong here, as a recording that replays.")
@click.option("--jobs", default=0, type=click.IntRange(min=0), help="Processes; 0 takes one for each core.")
@click.option(
    "--report", is_flag=True, help="Also print what was silently wrong by players, rules and faults, with 95 % bounds."
)
@AS_JSON
def simulate(
    matches: int,
    rules_id: str,
    seed: int,
    faults: str,
    hung: Literal["random", "straight", "beside"],
    only: tuple[int, ...],
    fps: float,
    film: bool,
    continued: Path | None,
    keep: Path | None,
    jobs: int,
    report: bool,
    as_json: bool,
) -> None:
    """Play whole matches through the whole pipeline and compare with what really happened."""
    from controller.simulation.plan import plans
    from controller.simulation.simulate import simulate as play
    from controller.tools.verbs import show_report, silence_table

    logging.basicConfig(level=logging.CRITICAL)
    names = tuple(name.strip() for name in faults.split(",") if name.strip())
    chosen = [plan for plan in plans(matches, rules_id, seed, names, hung) if not only or plan.number in only]
    if not chosen:
        raise BadInput(f"--only names no match of these: they are numbered 0 to {matches - 1}.")
    counted = play(
        chosen,
        frames_per_second=fps,
        film=film,
        jobs=min(len(chosen), jobs or os.cpu_count() or 1),
        keep=keep,
        continued=continued,
    )
    if as_json:
        emit(counted)
        return
    show_report(counted)
    if report:
        print(*silence_table(counted), sep="\n")


@command.command()
@click.argument("source", type=str)
@LANDMARKS
@HEIGHT
@click.option("-o", "--output", type=FILE, required=True, help="The calibration file to write.")
@click.option("--annotated", type=FILE, help="Write the picture with the board as measured and its quality drawn in.")
@AS_JSON
def calibrate(
    source: str,
    landmarks: Path | None,
    height: float | None,
    output: Path,
    annotated: Path | None,
    as_json: bool,
) -> None:
    """Find the board in SOURCE: an image, a folder, or a camera device such as picamera or usb:0."""
    from controller.tools import stills

    calibration = stills.calibrate_source(source, landmarks, height, annotated)
    try:
        calibration.save(output)
    except OSError as error:
        raise BadInput(f"{output} can't be written ({error.strerror}): name a file in a folder that exists.") from error
    if as_json:
        emit(calibration.to_json())
    else:
        print(f"{output}: {calibration.quality.words()}")


@command.command()
@click.argument("image", type=FILE)
@click.option("--calibration", type=FILE, help="A file that `calibrate` wrote.")
@LANDMARKS
@HEIGHT
@click.option("--empty", type=FILE, help="A picture of the empty board by the same camera.")
@click.option("--annotated", type=FILE, help="Write the picture with lines, outlines and figures drawn in.")
@AS_JSON
def read(
    image: Path,
    calibration: Path | None,
    landmarks: Path | None,
    height: float | None,
    empty: Path | None,
    annotated: Path | None,
    as_json: bool,
) -> None:
    """One still picture to one board reading."""
    from controller.tools import stills

    reading = stills.read_still(image, calibration, landmarks, height, empty, annotated)
    if as_json:
        emit(reading.to_json())
    else:
        for d in reading.discs:
            print(
                f"{d.zone:3} {d.colour + ('?' if d.colour_call == 'close' else ''):8} {d.pose:8} {d.x:8.1f} {d.y:8.1f}"
                f"  {d.clearance:6.2f} +- {d.sigma:.2f} {', '.join(d.why) or 'sure'}"
            )
        hole = "; one more may lie in the 20 hole: look there, or give --empty" if reading.hole_unclear else ""
        over = ", the view is obstructed" if reading.obstructed else ""
        print(f"{len(reading.discs)} discs{over}{stills.unseen_words(reading)}{hole}")


@command.command()
@click.argument("recording", type=FILE)
@LANDMARKS
@click.option("--rules", "rules_id", default="nca", show_default=True, help="The rule set's id.")
@click.option(
    "--reread", "reread", is_flag=True, help="Read the pictures again instead of using the recorded readings."
)
@click.option("--against", type=click.Choice(["truth"]), help="Score a kept round against what people said is true.")
@AS_JSON
def replay(
    recording: Path, landmarks: Path | None, rules_id: str, reread: bool, against: str | None, as_json: bool
) -> None:
    """Play a recording as if it were live: a folder, or the ZIP of *Keep this round*."""
    from controller.tools import stills
    from controller.tools.replay import replay as play
    from controller.tools.replay import unpacked

    with unpacked(recording) as folder:
        if against:
            _against(folder, reread, as_json)
            return
        for line in play(folder, rules_id=rules_id, landmarks=stills.landmarks(landmarks), reread=reread):
            if as_json:
                emit(line)
                continue
            totals = line["totals"]
            print(
                f"{line['frame']:12} {line['state']:8} A {totals['A']:3}  B {totals['B']:3}  {len(line['shots'])} shots"
            )


def _against(folder: Path, reread: bool, as_json: bool) -> None:
    from controller.tools.replay import against

    answer = against(folder, reread=reread)
    if as_json:
        emit(answer)
        return
    for number, shot in enumerate(answer["shots"], start=1):
        print(f"shot {number}: {shot['outcome'].replace('_', ' ')}")
    totals = answer["totals"]
    print(f"totals {totals['shown']}: {'right' if totals['right'] else 'truly ' + str(totals['truth'])}")


@command.command()
@click.argument("file", type=FILE)
@AS_JSON
def judge(file: Path, as_json: bool) -> None:
    """Apply the rules to a match record."""
    answer = rules.judge_document(files.read_json(file))
    if as_json:
        emit(answer)
        return
    for number, played in enumerate(answer["rounds"], start=1):
        for shot, verdict in enumerate(played["shots"], start=1):
            print(f"round {number} shot {shot}: {'valid' if verdict['valid'] else verdict['reason']}")
        print(f"round {number}: {played['totals']}")


@command.command()
@click.argument("port", required=False)
@AS_JSON
def flash(port: str | None, as_json: bool) -> None:
    """Put the firmware on the 20-hole unit at PORT, or on the one Pico that is plugged in, and make sure it runs."""
    say = (lambda line: None) if as_json else print
    serial = catalogue.driver("serial_link")
    done = install(port or serial.only_pico(), serial.SerialLink, SystemClock(), say)
    if as_json:
        emit({"schema": "flash/1", **asdict(done)})
    else:
        print(f"The unit {done.device} at {done.port} runs firmware {done.firmware}.")


for verb in (doctor, export, backup, restore, let_in, rules_):
    command.add_command(verb)


if __name__ == "__main__":
    main()
