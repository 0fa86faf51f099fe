"""The verb `doctor`."""

import logging
import sys
from pathlib import Path

import click

from controller.config import load
from controller.errors import BadInput
from controller.messages import encoded
from hardware.devices import SystemClock

FILE = click.Path(path_type=Path)


@click.command()
@click.option("--config", type=FILE, help="The table's TOML file.")
@click.option(
    "--watch", type=click.FloatRange(min=0, min_open=True), help="For so many seconds, show levels as they change."
)
@click.option("--speed", is_flag=True, help="Measure what readings and frames cost on this machine.")
@click.option("--learn-sensor", is_flag=True, help="Learn which level of the hole's sensor means a disc, with one.")
@click.option("--report", type=FILE, help="Write all that a bug report needs into this new file, a ZIP archive.")
@click.option("--with-picture", is_flag=True, help="Put the camera's picture into the report too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def doctor(
    config: Path | None,
    watch: float | None,
    speed: bool,
    learn_sensor: bool,
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
    if learn_sensor:
        from controller.tools.sensor_lesson import teach

        teach(load(config), SystemClock(), lambda line: print(line, flush=True))
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
        print(encoded({"schema": "doctor/1", "findings": findings}), flush=True)
    else:
        for finding in findings:
            print(f"{'ok  ' if finding['ok'] else 'MEND'} {finding['what']:12} {finding['text']}")
    if not all(finding["ok"] for finding in findings):
        sys.exit(1)
