"""Test sets out of what there is: the pictures with truth, rounds that clubs kept, and other programs' labels.

python -m tests.bench.testset.make OUT [KEPT_ROUND..]
"""

import csv
import json
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardware.board import TOURNAMENT
from tests.bench.testset.documents import TEST_SET, BoardTruth, Camera, Item, Lines, SetOfItems, ShotTruth, Visible
from tests.shared import VISION

OWN = "traced by this project's own generators; free to use"
STATUS = ("flat", "leaning", "in_hole", "ditch")
LINES: Lines = {
    "fifteen": TOURNAMENT.inner_edge(TOURNAMENT.fifteen_line),
    "ten": TOURNAMENT.inner_edge(TOURNAMENT.ten_line),
    "outer": TOURNAMENT.inner_edge(TOURNAMENT.outer_line),
    "disc": TOURNAMENT.disc.radius,
}


def item(id_: str, kind: str, source: str, **members: Any) -> Item:
    """An item of which only these members are known."""
    nothing: dict[str, Any] = {"film": None, "empty": None, "camera": None, "landmarks": None, "lines": None,
                               "boards": [], "shots": [], "visible": [], "totals": None}  # fmt: skip
    return {"id": id_, "kind": kind, "source": source, **{**nothing, **members}}  # type: ignore[typeddict-item]


def test_set(name: str, items: list[Item]) -> SetOfItems:
    """The set, checked. Raises pydantic's `ValidationError`."""
    return TEST_SET.validate_python({"schema": "crokinole-test-set/1", "name": name, "items": items})


test_set.__test__ = False  # type: ignore[attr-defined]  # no test of pytest's


def traced() -> Iterator[tuple[Item, Path]]:
    """The ray-traced stills and rounds of stills, each with the folder of its pictures."""
    for path in sorted((VISION / "raytraced").glob("*.json")):
        truth = json.loads(path.read_text("utf-8"))
        yield item(path.stem, "still", OWN, **_place(truth), boards=[_board(truth)]), path.parent
    for folder in sorted((VISION / "sequences").glob("*/")):
        first, *rest = (json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json")))
        boards = [_board(truth) for truth in rest]
        yield item(folder.name, "sequence", OWN, **_place(first), empty=first["file"], boards=boards), folder


def filmed() -> Iterator[tuple[Item, Path]]:
    """The filmed rounds."""
    for path in sorted((VISION / "video").glob("*/truth.json")):
        truth = json.loads(path.read_text("utf-8"))
        side = {disc["id"]: disc["side"] for disc in truth["discs"]}
        boards = [{"picture": f"t={shot['clear_from']}", "discs": [_disc(one) for one in shot["board"]]}
                  for shot in truth["shots"] if shot["clear_from"] is not None]  # fmt: skip
        shots = [_shot(shot, side) for shot in truth["shots"]]
        place = {"camera": _camera(truth["camera"]), "landmarks": truth["landmarks"], "lines": LINES}
        yield item(path.parent.name, "film", OWN, film="round.mp4", **place, boards=boards, shots=shots,
                   totals=truth["final"]["totals"]), path.parent  # fmt: skip


def _place(truth: Mapping[str, Any]) -> dict[str, Any]:
    """Where the camera stands; the landmarks are exact, not as a finger taps them."""
    marks = {one["name"]: one["px"] for one in truth["landmarks"]}
    pegs = [marks[f"peg_{k}"] for k in range(8)]
    return {
        "camera": _camera(truth["camera"]),
        "landmarks": {"hole": marks["hole_centre"], "pegs": pegs},
        "lines": LINES,
    }


def _camera(seen: Mapping[str, Any]) -> Camera:
    return {"matrix": seen["K"], "distortion": seen["dist"], "rotation": seen["R"], "translation": seen["t"]}


def _board(truth: Mapping[str, Any]) -> BoardTruth:
    return {"picture": truth["file"], "discs": [_disc(one) for one in truth["discs"] if one["status"] in STATUS]}


def _disc(one: Mapping[str, Any]) -> Any:
    long = "x_mm" in one
    return {
        "x": one["x_mm" if long else "x"], "y": one["y_mm" if long else "y"], "side": one["side"],
        "status": one["status"], "zone": one["zone"], "clearance": one["clearance_mm" if long else "clearance"],
        "occluded": one.get("occluded_frac", 0.0),
    }  # fmt: skip


def _shot(shot: Mapping[str, Any], side: Mapping[int, str]) -> ShotTruth:
    return {
        "end": shot["t_rest"],
        "side": shot["side"],
        "valid": shot["valid"],
        "reason": shot["reason"],
        "contacts": [(side[a], side[b]) for a, b, _ in shot["contacts"]],  # type: ignore[typeddict-item]
        "removed": [{"side": one["side"], "why": one["why"]} for one in shot["removed"]],
        "twenties": len(shot["twenties"]),
    }


def of_kept_round(folder: Path, source: str) -> Item:
    """A round that a club kept, as its table's file has it; `source` says whose it is and what may be done with it."""
    kept = json.loads((folder / "truth.json").read_text("utf-8"))["truth"]
    shots = [
        {
            "end": None,
            "side": shot["side"],
            "valid": shot["valid"],
            "reason": shot["reason"],
            "contacts": [],
            "removed": [{"side": one["disc"][0].upper(), "why": one["why"]} for one in shot["removed"]],
            "twenties": len(shot["twenties"]),
        }
        for shot in kept["shots"]
        if not shot.get("annulled")
    ]
    return item(folder.name, "film", source, film=folder.name, shots=shots, totals=kept["totals"])


def of_crokinole_ref(labels: Path, film: str, source: str) -> Item:
    """The labels of JeremyHennessy/crokinoleRef, docs/RELIABILITY.md: `{"shots": [{"end", "visible", "action"}]}`."""
    shots = json.loads(labels.read_text("utf-8"))["shots"]
    visible = [{"end": one["end"], "totals": dict(zip("AB", one["visible"], strict=True)),
                "asked": one["action"] == "hold"} for one in shots]  # fmt: skip
    return item(labels.stem, "film", source, film=film, visible=visible)


def as_crokinole_ref(visible: list[Visible]) -> dict[str, Any]:
    """The same back, for that program's own replay tool."""
    return {"shots": [{"end": one["end"], "visible": [one["totals"]["A"], one["totals"]["B"]],
                       "action": "hold" if one["asked"] else "apply"} for one in visible]}  # fmt: skip


def of_totals(table: Path, picture: str, side_a: str, side_b: str, source: str) -> Iterator[Item]:
    """A CSV with a photo of a finished round in each line and both totals, as bushwill/CMPT819-Project labels its own.

    The three names are those of the columns. Twenties are off the board then, so the totals are those without them.
    """
    with table.open(encoding="utf-8-sig", newline="") as lines:
        for row in csv.DictReader(lines):
            totals = {"A": int(row[side_a]), "B": int(row[side_b])}
            visible = [{"end": 0.0, "totals": totals, "asked": False}]
            yield item(row[picture], "still", source, visible=visible)


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    out, *kept = map(Path, sys.argv[1:])
    items = []
    for one, folder in (*traced(), *filmed()):
        (out / one["id"]).mkdir(parents=True)
        for name in {*(board["picture"] for board in one["boards"]), one["empty"], one["film"]}:
            if name and (folder / name).is_file():
                shutil.copyfile(folder / name, out / one["id"] / name)
        items.append(one)
    for folder in kept:
        shutil.copytree(folder, out / folder.name / folder.name)
        items.append(of_kept_round(folder, "kept by a club, which gave it"))
    (out / "set.json").write_text(json.dumps(test_set("Crokinole boards", items)), "utf-8")
    print(f"{len(items)} items in {out}")


if __name__ == "__main__":
    main()
