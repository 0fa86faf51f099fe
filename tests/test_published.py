"""The public test set's format: what is written, and that a scorer without our code counts as ours does."""

import json
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bench import published
from tests.bench.figures import Figures
from tests.bench.testset import documents, make, score
from tests.shared import needs_vision

SCORER = Path(score.__file__)
SCHEMA = Path(__file__).parents[1] / "docs" / "test-set.schema.json"


def disc(dice: random.Random) -> dict[str, Any]:
    out, turn = 300 * math.sqrt(dice.random()), dice.uniform(0, 2 * math.pi)
    return {
        "x": out * math.cos(turn),
        "y": out * math.sin(turn),
        "side": dice.choice("AB"),
        "status": dice.choices(("flat", "leaning", "in_hole", "ditch"), (9, 1, 1, 1))[0],
        "zone": dice.choice((20, 15, 10, 5, 0)),
        "clearance": dice.uniform(-5, 5),
        "occluded": dice.choice((0.0, 0.0, 0.3)),
    }


def read(dice: random.Random, true: dict[str, Any]) -> dict[str, Any]:
    """A reading of it that errs: in its place, its ring, its colour."""
    zone = true["zone"] if dice.random() < 0.8 else dice.choice((15, 10, 5))
    right = dice.random() < 0.95
    return {
        "x": true["x"] + dice.gauss(0, 6),
        "y": true["y"] + dice.gauss(0, 6),
        "colour": "black" if (true["side"] == "A") == right else "natural",
        "zone": zone,
        "call": dice.choices(("sure", "close"), (9, 1))[0],
    }


def shot(dice: random.Random) -> dict[str, Any]:
    removed = [
        {"side": dice.choice("AB"), "why": dice.choice(("foul", "outer_line"))} for _ in range(dice.randrange(3))
    ]
    return {"side": dice.choice("AB"), "valid": dice.random() < 0.7, "removed": removed, "twenties": dice.randrange(2)}


def invented(seed: int) -> tuple[Any, Any]:
    """A set of boards and a round, and a program's answers with errors of every kind."""
    dice = random.Random(seed)
    items, answers = [], []
    for n in range(6):
        boards = [{"picture": f"{k}.jpg", "discs": [disc(dice) for _ in range(dice.randrange(9))]} for k in range(3)]
        said = [
            {"picture": board["picture"], "discs": [read(dice, one) for one in board["discs"] if dice.random() < 0.9],
             "asks": dice.random() < 0.1} for board in boards if dice.random() < 0.9
        ]  # fmt: skip
        for board in said:
            board["discs"] += [read(dice, disc(dice)) for _ in range(dice.choice((0, 0, 1)))]
        true = [{**shot(dice), "end": None, "reason": None, "contacts": []} for _ in range(dice.randrange(7))]
        told = [{**(one if dice.random() < 0.6 else shot(dice)), "asked": dice.random() < 0.3} for one in true]
        told = [{name: one[name] for name in ("side", "valid", "removed", "twenties", "asked")} for one in told]
        if told and dice.random() < 0.5:
            del told[dice.randrange(len(told))]
        totals = {"A": 5 * dice.randrange(9), "B": 5 * dice.randrange(9)}
        items.append(make.item(f"i{n}", "sequence", "made up", boards=boards, shots=true, totals=totals))
        mine = totals if dice.random() < 0.5 else {"A": 0, "B": 0}
        answers.append({"id": f"i{n}", "boards": said, "shots": told, "visible": [], "totals": mine})
    said = {"schema": "crokinole-answers/1", "program": "made up", "items": answers}
    return make.test_set("made up", items), documents.ANSWERS.validate_python(said)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_stand_alone_scorer_counts_as_the_bench_does(seed):
    set_, said = invented(seed)
    theirs, ours = score.score(set_, said), Figures(published.tallied(set_, said))
    assert theirs["discs"]["discs"] == len(ours.tally.pairs)
    assert theirs["discs"]["read"] == len(ours.read)
    assert theirs["discs"]["ring_wrong"] == len(ours.wrong)
    assert theirs["discs"]["silently_wrong"] == ours.silent
    assert theirs["discs"]["ghosts"] == len(ours.tally.ghosts)
    assert theirs["discs"]["close"] == sum(disc.call == "close" for _, disc in ours.read)
    if ours.flat:
        assert theirs["discs"]["position_rms"] == pytest.approx(ours.rms)
        assert theirs["discs"]["position_99"] == pytest.approx(ours.most)
    totals = ours.tally.totals
    boards = theirs["boards"]
    assert (boards["exact"], boards["asked"], boards["wrong"]) == (totals["exact"], totals["asked"], totals["wrong"])
    assert boards["not_answered"] == ours.tally.refused
    answers = {one["id"]: one for one in said["items"]}
    for name in ("right", "asked", "silently_wrong", "missed", "extra"):
        counted = sum(published.shot_counts(one, answers[one["id"]]["shots"])[name] for one in set_["items"])
        assert theirs["shots"][name] == counted, name


def test_the_scorer_runs_alone(tmp_path):
    """In Python's isolated mode, from a folder without this project."""
    set_, said = invented(3)
    alone = tmp_path / "score.py"
    alone.write_bytes(SCORER.read_bytes())
    (tmp_path / "set.json").write_text(json.dumps(set_))
    (tmp_path / "answers.json").write_text(json.dumps(said))

    def run(*files: str) -> Any:
        line = [sys.executable, "-I", "-S", str(alone), *files]
        return subprocess.run(line, capture_output=True, text=True, check=False, cwd=tmp_path)

    assert json.loads(run("set.json", "answers.json").stdout) == score.score(set_, said)
    wrong = run("answers.json", "set.json")
    assert wrong.returncode == 1
    assert "The set comes first" in wrong.stderr


def test_the_schema_that_is_published_is_that_of_the_types():
    assert SCHEMA.read_text("utf-8") == documents.schema()
    validator = jsonschema_rs.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    for document in invented(5):
        assert list(validator.iter_errors(json.loads(json.dumps(document)))) == []
    assert not validator.is_valid({"schema": "crokinole-test-set/1", "items": []})


@needs_vision
def test_what_there_is_fits_the_format():
    items = [one for one, _ in (*make.traced(), *make.filmed())]
    set_ = make.test_set("all", items)
    assert {one["kind"] for one in set_["items"]} == {"still", "sequence", "film"}
    assert sum(len(one["boards"]) for one in set_["items"]) > 60
    film = next(one for one in set_["items"] if one["kind"] == "film")
    assert len(film["shots"]) == 16
    assert any(("A", "B") in shot["contacts"] for shot in film["shots"])


def test_other_programs_labels_are_read_and_given_back(tmp_path):
    labels = {"shots": [{"end": 5.2, "visible": [10, 5], "action": "apply"},
                        {"end": 9.4, "visible": [10, 5], "action": "hold"}]}  # fmt: skip
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(labels))
    one = make.of_crokinole_ref(file, "clip.webm", "somebody's")
    assert make.as_crokinole_ref(one["visible"]) == labels
    told = {"id": "labels", "visible": [{"end": 5.9, "totals": {"A": 10, "B": 5}, "asked": False},
                                        {"end": 9.0, "totals": {"A": 15, "B": 5}, "asked": True},
                                        {"end": 30.0, "totals": {"A": 0, "B": 0}, "asked": False}]}  # fmt: skip
    counted = score.score(make.test_set("labels", [one]), {"items": [told]})["visible"]
    assert counted == {"right": 1, "wrong": 1, "missed": 0, "extra": 1}
    table = tmp_path / "photos.csv"
    table.write_text("photo,first,second\na.jpg,35,20\nb.jpg,0,5\n")
    items = list(make.of_totals(table, "photo", "first", "second", "somebody's"))
    assert [one["id"] for one in items] == ["a.jpg", "b.jpg"]
    assert items[0]["visible"][0]["totals"] == {"A": 35, "B": 20}
