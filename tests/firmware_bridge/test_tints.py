import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.tints import MAX_DISTANCE, MIN_MEASUREMENTS, DiscTints
from hardware.devices import Tint

BLACK, NATURAL, MAPLE = (60, 22, 20, 18), (900, 380, 300, 210), (1000, 400, 330, 250)


def near(colour, source, light=1.0):
    """The disc lies a little elsewhere each time: 3 % brighter or darker, and the sensor's own noise."""
    light *= source.gauss(1.0, 0.03)
    return Tint(*(max(0, round(count * light * source.gauss(1.0, 0.01))) for count in colour))


def taught(source, count=5, **labels):
    tints = DiscTints()
    for label, colour in labels.items():
        for _ in range(count):
            tints.learn(label, near(colour, source))
    return tints


def test_nothing_is_classified_until_two_labels_are_known_well_enough():
    source = random.Random(1)
    tints = taught(source, A=BLACK)
    assert tints.classify(near(BLACK, source)) is None
    for _ in range(MIN_MEASUREMENTS - 1):
        tints.learn("B", near(NATURAL, source))
    assert tints.classify(near(NATURAL, source)) is None
    tints.learn("B", near(NATURAL, source))
    assert tints.classify(near(NATURAL, source)) is not None


def test_discs_of_different_colours_are_distinguished_with_certainty():
    source = random.Random(2)
    tints = taught(source, A=BLACK, B=NATURAL)
    for _ in range(200):
        for label, colour in (("A", BLACK), ("B", NATURAL)):
            guess = tints.classify(near(colour, source))
            assert guess.certain, guess
            assert guess.label == label


def test_discs_of_similar_colours_are_never_certain_and_wrong():
    source = random.Random(3)
    tints = taught(source, count=20, A=NATURAL, B=MAPLE)
    wrong = unsure = 0
    for _ in range(500):
        guess = tints.classify(near(NATURAL, source))
        unsure += not guess.certain
        wrong += guess.certain and guess.label != "A"
    assert wrong == 0
    assert unsure > 0


def test_a_disc_unlike_all_known_ones_is_uncertain():
    source = random.Random(4)
    guess = taught(source, A=BLACK, B=NATURAL).classify(Tint(500, 40, 60, 400))
    assert guess.away > MAX_DISTANCE
    assert not guess.certain


def test_learnt_tints_survive_a_restart_and_old_lamps_are_forgotten():
    source = random.Random(5)
    tints = taught(source, count=60, A=BLACK, B=NATURAL)
    for _ in range(60):  # a new lamp, half as bright
        tints.learn("B", near(NATURAL, source, light=0.5))
    again = DiscTints(json.loads(json.dumps(tints.shown())))
    seen = near(NATURAL, source, light=0.5)
    assert again.classify(seen) == tints.classify(seen)
    guess = again.classify(seen)
    assert guess.certain


@given(
    st.lists(st.tuples(*[st.integers(0, 65535)] * 4), min_size=4, max_size=12), st.tuples(*[st.integers(0, 65535)] * 4)
)
def test_any_counts_give_a_known_label_and_finite_distances(counts, seen):
    tints = DiscTints()
    for k, colour in enumerate(counts):
        tints.learn("AB"[k % 2], Tint(*colour))
    guess = tints.classify(Tint(*seen))
    assert guess.away >= 0
    assert guess.apart >= 0
    assert guess.label in "AB"
    assert guess.away == pytest.approx(guess.away)  # a number
