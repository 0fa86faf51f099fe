"""`docs/accuracy.md`: what the benchmark measured, in words and tables."""

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from tests.bench import promises
from tests.bench.calibrating import PROMISED, Row
from tests.bench.figures import Aim, Figures
from tests.bench.photographs import Photographed
from tests.bench.promises import Board, Promise
from tests.bench.samples import of, share
from tests.bench.tally import Tally

PREFACE, APART = (Path(__file__).with_name(name) for name in ("preface.md", "apart.md"))
WORST_NAMED = 4  # refused pictures that are named


class Way(Protocol):
    """What the report needs of a way to read."""

    name: str
    tally: Tally
    spent: list[float]
    boards: list[Board]


@dataclass
class Section:
    """One set of pictures, read by every way."""

    title: str
    about: str
    ways: Sequence[Way]

    def table(self) -> list[str]:
        """The table of figures, a column for each way."""
        columns = [dict(Figures(way.tally).rows()) for way in self.ways]
        spent = [f"{np.median(way.spent):.1f} / {np.quantile(way.spent, 0.95):.1f} ms" for way in self.ways]
        lines = _head(["", *(way.name for way in self.ways)])
        lines += [_row([figure, *(column[figure] for column in columns)]) for figure in columns[0]]
        if any(way.tally.refused for way in self.ways):
            lines.append(_row(["pictures in which no board was found", *(str(w.tally.refused) for w in self.ways)]))
        return [*lines, _row(["a reading, half of them within / 95 %", *spent])]

    def figures(self) -> Iterator[tuple[str, float, str]]:
        """What one looks at first, for the terminal."""
        own = Figures(self.ways[0].tally)
        yield f"{self.title}: discs read", len(own.read), "discs"
        yield f"{self.title}: silently wrong", own.silent, "discs"
        yield f"{self.title}: ghosts", len(own.tally.ghosts), "discs"
        yield f"{self.title}: position, RMS", own.rms, "mm"
        yield f"{self.title}: a reading", float(np.median(self.ways[0].spent)), "ms"


def write(
    path: Path,
    sections: Sequence[Section],
    calibrations: dict[str, Row],
    photographs: Mapping[str, Sequence[Photographed]],
    hole: Tally,
    gate: dict[str, list[float]],
    promised: Sequence[Promise],
) -> None:
    """Write the document."""
    machine = f"One core of an {_processor()}, OpenCV {cv2.__version__}, processor time, pictures of 1280x960"
    lines = [PREFACE.read_text(encoding="utf-8"), f"{machine}. Nothing was timed on a Raspberry Pi.", ""]
    lines += ["## What it promises", "", *promises.lines(promised), ""]
    lines += ["## What was aimed at, on the ray-traced stills", "", *_aims(sections[0], calibrations, gate), ""]
    for section in sections:
        lines += [f"## {section.title}", "", f"{section.about}.", "", *section.table(), ""]
    lines += ["## Discs at the hole, painted", "", *_hole(hole), ""]
    for words, ways in photographs.items():
        lines += [f"## Real photographs, {words}", "", *_photographs(ways), ""]
    lines += ["## Calibration", "", *_calibrations(calibrations), ""]
    lines += ["## The gate", "", *_gate(gate), "", APART.read_text(encoding="utf-8").rstrip(), ""]
    path.write_text("\n".join(lines), encoding="utf-8")


def _aims(stills: Section, calibrations: dict[str, Row], gate: dict[str, list[float]]) -> Iterator[str]:
    """The first set, by the first way, beside the project's aims."""
    row, own = calibrations["ray-traced stills"], stills.ways[0]
    slowest, game = max(row.seconds), float(np.mean(gate["in a game"]))
    aims = [
        *Figures(own.tally).aims(float(np.median(own.spent))),
        Aim(
            "board found unaided, to 0.5 mm",
            "at least 95 %",
            share(row.within, row.tried),
            row.within >= 0.95 * row.tried,
        ),
        Aim("finding the board", "at most 2 s", f"{slowest:.2f} s", slowest <= 2),
        Aim("the gate", "at most 0.5 ms", f"{game:.2f} ms", game <= 0.5),
    ]
    yield from _head(["", "aim", "measured", ""])
    for aim in aims:
        yield _row([aim.what, aim.aim, aim.measured, "met" if aim.met else "**missed**"])


def _hole(tally: Tally) -> Iterator[str]:
    yield from _head(["truly", "read so", "read so and sure", "silently wrong"])
    for status, words in (("in_hole", "flat in the hole"), ("leaning", "leaning on its rim")):
        seen = [disc for true, disc in tally.pairs if true.status == status]
        same = [disc for disc in seen if disc is not None and disc.pose == status]
        wrong = sum(disc is None or (disc.pose != status and disc.call == "sure") for disc in seen)
        sure = sum(disc.call == "sure" for disc in same)
        yield _row([words, share(len(same), len(seen)), share(sure, len(seen)), of(wrong, len(seen))])


def _photographs(ways: Sequence[Photographed]) -> Iterator[str]:
    yield (
        "Discs on the playing surface, found without landmarks. Where the label says that a person would doubt it, "
        "no call is held wrong."
    )
    yield ""
    yield from _head(["", *(way.name for way in ways)])
    yield _row(["found", *(share(way.found, way.labelled) for way in ways)])
    yield _row(["ring right", *(share(way.ring_right, way.found) for way in ways)])
    yield _row(["called close", *(share(way.close, way.found) for way in ways)])
    yield _row(["of these farther than 4 sigma from every line", *(str(way.close_far) for way in ways)])
    yield _row(["side right", *(share(way.side_right, way.sides) for way in ways)])
    yield _row(["**silent wrong**", *(of(way.silent, way.labelled) for way in ways)])
    yield _row(["ghosts on the surface", *(str(way.ghosts) for way in ways)])
    for refused in ways[0].refused:
        yield f"\nNo board was found in {refused}."


def _calibrations(rows: dict[str, Row]) -> Iterator[str]:
    yield (
        "The error is the largest at any bearing of any of the three lines. What a calibration says of itself, "
        "its sigma, is held against that error, and its doubt of the camera's height against the true height."
    )
    yield ""
    yield from _head(
        [
            "", "found", f"within {PROMISED} mm at every line", "worst line, median / largest", "within 3 sigma",
            "height within 3 sigma", "time, median / longest",
        ]
    )  # fmt: skip
    for of_set, row in rows.items():
        yield _row([of_set, *row.cells()])
    refused = [words for row in rows.values() for words in row.refused]
    if refused:
        yield ""
        yield "Refused, with the words given:"
        yield ""
        yield from (f"- {words}" for words in refused[:WORST_NAMED])
        if len(refused) > WORST_NAMED:
            yield f"- and {len(refused) - WORST_NAMED} more"


def _gate(gate: dict[str, list[float]]) -> Iterator[str]:
    yield "Milliseconds for each picture of 320x240: a simulated table, painted."
    yield ""
    yield from _head(["", "pictures", "mean", "99 % within"])
    for what, spent in gate.items():
        yield _row([what, str(len(spent)), f"{np.mean(spent):.2f} ms", f"{np.quantile(spent, 0.99):.2f} ms"])


def _head(cells: Sequence[str]) -> list[str]:
    return [_row(cells), _row(["---"] * len(cells))]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _processor() -> str:
    """The processor's name, where the system says."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
