"""Fitting the reading's weights: laws that are known are found again, and pictures go from a folder to a report."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import BadInput
from controller.training import disc, hole, place
from controller.training.__main__ import train
from controller.training.fitting import EACH, left_out, shares
from controller.training.pictures import pictures
from controller.vision.reading import place_model
from controller.vision.reading.disc_model import FIGURES
from tests.bench import painted
from tests.bench.pictures import save
from tests.slow import slow


@settings(max_examples=10)
@given(exponent=st.floats(0.5, 2.0), constant=st.floats(-1.0, 3.0), seed=st.integers(0, 2**32 - 1))
def test_a_law_of_errors_is_found_again(exponent, constant, seed):
    random = np.random.default_rng(seed)
    said = random.uniform(-4.0, -1.0, (4000, 2))
    errors = np.exp(exponent * said + constant) * random.standard_t(place_model.TAIL, (4000, 2))
    some = [place.PlaceExample("one", s, e, np.zeros(2)) for s, e in zip(said, errors, strict=True)]
    law = place.fitted(some)
    middle = np.full((2, 1), -2.5)
    assert np.allclose(law.exponents, exponent, atol=0.12), seed
    assert np.allclose(np.log(law.sigmas(middle))[:, 0], exponent * -2.5 + constant, atol=0.12), seed


def test_each_generator_counts_the_same_and_is_left_out_once():
    some = [hole.HoleExample(name, 0, np.zeros(2)) for name in ["many"] * 30 + ["few"] * 3]
    assert shares(some)[:30].sum() == pytest.approx(EACH)
    assert shares(some)[30:].sum() == pytest.approx(EACH)
    tried = {name: (len(own), {one.generator for one in others}) for name, own, others in left_out(some, list)}
    assert tried == {"many": (30, {"few"}), "few": (3, {"many"})}


def test_odds_are_those_of_the_examples():
    random = np.random.default_rng(11)
    figures = random.normal(size=(6000, len(FIGURES)))
    truth = random.random(6000) < 1 / (1 + np.exp(-(1.0 + 2.0 * figures[:, 0] - figures[:, 3])))
    model = disc.fitted([disc.DiscExample("one", f, bool(t)) for f, t in zip(figures, truth, strict=True)])
    weights = model.weights
    assert weights[0] == pytest.approx(2.0, abs=0.3)
    assert weights[3] == pytest.approx(-1.0, abs=0.2)
    assert abs(weights[1]) < 0.15


@slow
def test_pictures_in_a_folder_are_fitted_to_and_reported(tmp_path):
    for k, picture in enumerate(painted.boards(2, 8)):
        save(tmp_path / f"generator{k}", "one", picture.image, picture.empty, picture.camera, picture.discs)
    lines = list(train(pictures(tmp_path), ["place", "disc"], write=False))
    assert sum(line.startswith("place, generator") for line in lines) == 2
    assert sum(line.startswith("disc, generator") for line in lines) == 2
    (one, *_) = pictures(tmp_path)
    assert one.generator == "generator0"
    assert any(found.error.size == 2 and np.hypot(*found.error) < 2 for found in place.examples(one))


def test_a_folder_without_pictures_or_with_a_broken_truth_is_refused(tmp_path):
    with pytest.raises(BadInput, match="GENERATOR"):
        list(pictures(tmp_path))
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.json").write_text(json.dumps({"file": "a.png"}))
    with pytest.raises(BadInput, match=r"a\.json"):
        list(pictures(tmp_path))
