import json
import math

import cv2
import pytest

from controller.errors import BadInput
from controller.tools.replay import replay
from hardware.errors import BadFile
from hardware.simulated.painter import Painter
from hardware.simulated.scene import Scene
from tests.shared import VISION, needs_vision

SAME = 12.0  # mm: a disc read this near to a true one is that one


@pytest.fixture(scope="module", params=[0, 1])
def sequence(request):
    folder = VISION / "sequences" / f"scenario_{request.param}"
    return [(line, json.loads((folder / line["frame"]).with_suffix(".json").read_text())) for line in replay(folder)]


def turned(x, y, quarters):
    for _ in range(quarters):
        x, y = -y, x
    return x, y


@needs_vision
def test_every_unobstructed_disc_has_its_ring_or_is_called_close(sequence):
    checked = 0
    for line, truth in sequence:
        seen = [d for d in line["reading"]["discs"] if d["pose"] != "ditch"]
        true = [d for d in truth["discs"] if d["status"] in ("flat", "leaning", "in_hole")]
        best = min(range(4), key=lambda q: sum(nearest(d, true, q)[0] for d in seen))
        for d in true:
            if d["occluded_frac"] > 0.2:
                continue
            x, y = d["x_mm"], d["y_mm"]
            found = [s for s in seen if math.dist(turned(s["x"], s["y"], best), (x, y)) < SAME]
            assert found, f"{line['frame']}: no disc at {x}, {y}"
            assert found[0]["zone"] == d["zone"] or found[0]["call"] == "close", (line["frame"], d, found[0])
            checked += 1
        if not line["reading"]["obstructed"]:
            assert len(seen) == len(true), f"{line['frame']}: ghosts"
    assert checked > 30


def nearest(disc, true, quarters):
    at = turned(disc["x"], disc["y"], quarters)
    return min(((math.dist(at, (t["x_mm"], t["y_mm"])), t) for t in true), key=lambda p: p[0], default=(0.0, None))


@needs_vision
def test_every_shot_is_explained_and_the_totals_are_right(sequence):
    first = sequence[0][1]["first_player"]
    name = {first: "A", "B" if first == "A" else "A": "B"}
    for line, truth in sequence:
        true_shots = [(name[e["side"]], e["legal"]) for e in truth["events"] if e["event"] == "shot"]
        assert [(s["side"], s["valid"]) for s in line["shots"]] == true_shots, line["frame"]
        close = any(d["call"] == "close" or d["side"] is None for d in line["reading"]["discs"])
        for side, total in truth["board_score"].items():
            whole = total + 20 * truth["banked_20s"][side]
            assert line["totals"][name[side]] == whole or close, line["frame"]


def test_what_cannot_be_replayed_is_named(tmp_path):
    with pytest.raises(BadFile, match="not a folder"):
        list(replay(tmp_path / "nothing"))
    black = tmp_path / "black"
    black.mkdir()
    cv2.imwrite(str(black / "000000.jpg"), Painter(seed=1).full(Scene(0.0)) // 64)
    with pytest.raises(BadInput, match=r"000000\.jpg"):
        list(replay(black))
