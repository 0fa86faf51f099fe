"""Which settings matter: each is halved and doubled, and what readings of all sets of pictures then say is compared.

Not among the benchmarks that run by themselves: `PICTURES=8 ONLY=READER python -m tests.bench sensitivity`. PICTURES is
how many of each set are read, ONLY a part of the names of the settings to change. Each change is made in a process of
its own before anything else of the reading is imported, since some settings are used as modules are loaded: a fork of
this one, which holds the pictures and no more. A setting whose half and double change nothing is one that may go. The
settings of motion are not among them: no still shows it.
"""

import importlib
import itertools
import os
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import cv2

READING = ("settings", "hole_settings", "light_settings", "obstruction_settings")
MODULES = ("controller.vision.calibration.settings", *(f"controller.vision.reading.{name}" for name in READING))
FACTORS = (0.5, 2.0)
SAME_DISC = 8.0  # mm: farther off it is another
MOVED = 0.1  # mm from which a disc has another place


def settings() -> Iterator[tuple[str, str, str]]:
    """Module, object and field of each number and of each tuple of numbers."""
    for module in MODULES:
        for name, value in vars(importlib.import_module(module)).items():
            if is_dataclass(value) and not isinstance(value, type):
                for field in fields(value):
                    if _scaled(getattr(value, field.name), 2.0) is not None:
                        yield module, name, field.name


def _scaled(value: Any, factor: float) -> Any:
    """The value times a factor, whole numbers rounded; None for what is no number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return max(1, round(value * factor))
    if isinstance(value, float):
        return value * factor
    if isinstance(value, tuple) and value and all(isinstance(part, int | float) for part in value):
        return tuple(_scaled(part, factor) for part in value)
    return None


def vary(module: str, name: str, field: str, factor: float) -> None:
    """Change one setting, for this process."""
    of = getattr(importlib.import_module(module), name)
    object.__setattr__(of, field, _scaled(getattr(of, field), factor))


def readings(pictures: list[Any], calibrating: bool) -> list[list[dict[str, Any]] | None]:
    """The discs of each picture, as `read` says them; None where the picture or its board is refused."""
    from controller.errors import ControllerError
    from controller.vision.calibration.calibration import calibrate
    from controller.vision.reading.background import Background
    from controller.vision.reading.reader import read_board

    seen: list[list[dict[str, Any]] | None] = []
    for image, empty, calibration in pictures:
        try:
            found = calibrate(image if empty is None else empty) if calibrating else calibration
            known = None if empty is None else Background.from_empty(empty, found)
            seen.append(read_board(image, found, empty=known).to_json()["discs"])
        except ControllerError:
            seen.append(None)
    return seen


def changes(one: list[dict[str, Any]] | None, other: list[dict[str, Any]] | None) -> int:
    """How many discs of a picture are read otherwise: gone or new, in another place, ring, doubt or colour."""
    if one is None or other is None:
        return 0 if one is other else max(len(one or ()), len(other or ()), 1)
    left, count = list(other), 0
    for disc in one:
        near = min(left, key=lambda d: abs(complex(d["x"] - disc["x"], d["y"] - disc["y"])), default=None)
        if near is None or abs(complex(near["x"] - disc["x"], near["y"] - disc["y"])) > SAME_DISC:
            count += 1
            continue
        left.remove(near)
        moved = abs(complex(near["x"] - disc["x"], near["y"] - disc["y"])) > MOVED
        count += moved or any(near[part] != disc[part] for part in ("zone", "pose", "call", "colour"))
    return count + len(left)


def _pictures(count: int) -> list[tuple[Any, Any, Any]]:
    """So many of each set: stills and rounds of another generator, painted boards, photographs."""
    from controller.errors import CalibrationFailed
    from controller.vision.calibration.calibration import calibrate
    from tests.bench import painted, truth
    from tests.controller.vision.reading_pictures import calibration_of

    made: list[tuple[Any, Any, Any]] = []
    for some in (truth.stills(), truth.rounds(), painted.boards(count, 1)):
        made += [(p.image, p.empty, calibration_of(p.camera)) for p in itertools.islice(some, count)]
    for photograph in itertools.islice(truth.photographs(), count):
        try:
            made.append((photograph.image, None, calibrate(photograph.image)))
        except CalibrationFailed:
            continue
    return made


def _in_a_fork(work: Callable[..., Any], *given: Any) -> Any:
    """What `work` returns for what is `given`, in a process of its own; None where it fails."""

    def send(into: Connection) -> None:
        into.send(work(*given))

    ours, theirs = get_context("fork").Pipe(duplex=False)
    child = get_context("fork").Process(target=send, args=(theirs,))
    child.start()
    theirs.close()
    try:
        return ours.recv()
    except EOFError:
        return None
    finally:
        child.join()


def _read(pictures: list[Any], changed: tuple[str, str, str] | None, factor: float, calibrating: bool) -> Any:
    if changed is not None:
        vary(*changed, factor)
    return readings(pictures, calibrating)


def run() -> Iterator[tuple[str, float, str]]:
    """(setting and factor, discs that are read otherwise, unit)."""
    only = os.environ.get("ONLY", "")
    cv2.setNumThreads(1)
    pictures = _in_a_fork(_pictures, int(os.environ.get("PICTURES", "2")))
    before = {calibrating: _in_a_fork(_read, pictures, None, 1.0, calibrating) for calibrating in (False, True)}
    for setting in settings():
        name, calibrating = ".".join(setting[1:]), "calibration" in setting[0]
        if only not in name:
            continue
        for factor in FACTORS:
            after = _in_a_fork(_read, pictures, setting, factor, calibrating)
            if after is None:
                yield f"{name} x {factor}", -1, "fails"
            else:
                counts = itertools.starmap(changes, zip(before[calibrating], after, strict=True))
                yield f"{name} x {factor}", sum(counts), "discs"
