"""This project on test sets of the documented format: those that CROKINOLE_TEST_SETS names, separated by colons."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.errors import BadInput
from controller.table.kept_rounds import round_document
from controller.tools.against import OUTCOMES, score
from controller.tools.replay import player_of
from controller.vision.calibration.calibration import Calibration, calibrate
from controller.vision.calibration.landmarks import Landmarks
from controller.vision.reading.background import Background
from controller.vision.reading.reader import read_board
from controller.vision.readings import BoardReading, SeenDisc
from hardware.board import TOURNAMENT
from hardware.recording import read_recording
from tests.bench.figures import Figures
from tests.bench.tally import Tally
from tests.bench.testset.documents import ANSWERS, TEST_SET, Answers, Item, SetOfItems
from tests.bench.truth import TrueDisc, read_image


def answer(set_: SetOfItems, folder: Path) -> Answers:
    """What this project says of a set: every still read, with taps where there are some, and every recording played."""
    items = [{"id": one["id"], "boards": list(_read(one, folder / one["id"])), **_played(one, folder / one["id"])}
             for one in set_["items"]]  # fmt: skip
    return ANSWERS.validate_python({"schema": "crokinole-answers/1", "program": "crokinole-table", "items": items})


def _read(one: Item, folder: Path) -> Iterator[dict[str, Any]]:
    background: Background | None = None
    calibration: Calibration | None = None
    if one["empty"]:
        empty = read_image(folder / one["empty"])
        calibration = calibrate(empty)
        background = Background.from_empty(empty, calibration)
    for board in one["boards"]:
        if not (folder / board["picture"]).is_file():
            continue  # of a film: its moments are answered by its shots
        picture = read_image(folder / board["picture"])
        try:
            found = calibration or calibrate(picture, _taps(one))
        except BadInput:
            continue
        yield read_of(board["picture"], read_board(picture, found, empty=background))


def read_of(picture: str, reading: BoardReading) -> dict[str, Any]:
    """A reading as a test set's answer."""
    discs = [{"x": d.x, "y": d.y, "colour": d.colour, "zone": d.zone, "call": d.call} for d in reading.discs]
    return {"picture": picture, "discs": discs, "asks": reading.obstructed or reading.hole_unclear}


def _taps(one: Item) -> Landmarks | None:
    return Landmarks.from_json(one["landmarks"], TOURNAMENT) if one["landmarks"] else None


def _played(one: Item, folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = {"shots": [], "visible": [], "totals": None}
    if one["film"] is None or not (folder / one["film"] / "recording.jsonl").exists():
        return told
    entries = read_recording(folder / one["film"])
    with player_of(entries) as (engine, player):
        for entry in entries:
            list(player.play(entry))
        if engine.state is not None:
            played = round_document(engine.state, engine.state.game.all_rounds[0].number)
            told["shots"] = [told_shot(shot, asked=False) for shot in played["shots"]]
            told["totals"] = played["totals"]
    return told


def told_shot(shot: dict[str, Any], *, asked: bool) -> dict[str, Any]:
    """A shot of ours as a test set's answer; discs are called by their side's letter and a number."""
    removed = [{"side": one["disc"][0].upper(), "why": one["why"]} for one in shot["removed"]]
    return {"side": shot["side"], "valid": shot["valid"], "removed": removed, "twenties": len(shot["twenties"]),
            "asked": asked}  # fmt: skip


def tallied(set_: SetOfItems, said: Answers) -> Tally:
    """What became of the discs, by the bench's own counting."""
    boards = {(one["id"], board["picture"]): board for one in said["items"] for board in one["boards"]}
    tally = Tally()
    for one in set_["items"]:
        for board in one["boards"]:
            read = boards.get((one["id"], board["picture"]))
            if read is None:
                tally.refused += 1
                continue
            true = [TrueDisc(d["x"], d["y"], d["side"], "", d["status"], d["zone"], d["occluded"], d["clearance"])
                    for d in board["discs"]]  # fmt: skip
            seen = [SeenDisc(d["x"], d["y"], d["colour"], (0, 0, 0), "flat", d["zone"], 0.0, 1.0, d["call"])
                    for d in read["discs"]]  # fmt: skip
            tally.add(true, seen, (0.0,), read["asks"])
    return tally


def run() -> Iterator[tuple[str, float, str]]:
    """The figures of each set."""
    for name in filter(None, os.environ.get("CROKINOLE_TEST_SETS", "").split(os.pathsep)):
        file = Path(name)
        set_ = TEST_SET.validate_json(file.read_bytes())
        said = answer(set_, file.parent)
        file.with_name("answers.json").write_text(json.dumps(said), "utf-8")
        figures = Figures(tallied(set_, said))
        yield f"{set_['name']}: discs read", len(figures.read), "discs"
        yield f"{set_['name']}: silently wrong", figures.silent, "discs"
        yield f"{set_['name']}: ghosts", len(figures.tally.ghosts), "discs"
        yield f"{set_['name']}: position, RMS", figures.rms, "mm"
        for outcome in OUTCOMES:
            yield f"{set_['name']}: shots {outcome}", _shots(set_, said)[outcome], "shots"


def _shots(set_: SetOfItems, said: Answers) -> dict[str, int]:
    answers = {one["id"]: one for one in said["items"]}
    counts = dict.fromkeys(OUTCOMES, 0)
    for one in set_["items"]:
        for outcome, count in shot_counts(one, answers[one["id"]]["shots"]).items():
            counts[outcome] += count
    return counts


def shot_counts(one: Item, told: Any) -> dict[str, int]:
    """How the shots of an item came out, by the counting of `replay --against truth`."""
    truth = [_numbered(shot, "t") for shot in one["shots"]]
    mine = [_numbered(shot, f"m{k}") for k, shot in enumerate(told)]
    asked = {f"m{k}" for k, shot in enumerate(told) if shot["asked"]}
    counted = score({"shots": mine, "totals": {}}, {"shots": truth, "totals": {}}, asked)["counts"]
    return {name: int(count) for name, count in counted.items()}


def _numbered(shot: Any, disc: str) -> dict[str, Any]:
    removed = [{"disc": one["side"].lower(), "why": one["why"]} for one in shot["removed"]]
    return {**shot, "disc": disc, "removed": removed, "twenties": [""] * shot["twenties"]}
