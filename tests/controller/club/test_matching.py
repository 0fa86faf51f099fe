"""The cheapest pairs, against trying all of them, and against networkx."""

import random

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.club.tournament.stages import min_cost_pairs
from tests.slow import slow

COST = st.one_of(st.none(), st.integers(0, 6), st.integers(0, 10**6), st.integers(10**29, 10**29 + 6))


@st.composite
def squares(draw, most=8):
    size = draw(st.sampled_from(range(2, most + 1, 2)))
    costs = [[None] * size for _ in range(size)]
    for v in range(size):
        for u in range(v):
            costs[u][v] = costs[v][u] = draw(COST)
    return costs


def all_ways(left):
    """Every way to pair everybody."""
    if not left:
        yield []
        return
    first, *rest = left
    for k, other in enumerate(rest):
        for way in all_ways(rest[:k] + rest[k + 1 :]):
            yield [(first, other), *way]


def cheapest(costs):
    return min_cost_pairs(len(costs), lambda u, v: None if costs[u][v] is None else (costs[u][v],))


def total(costs, pairs):
    return sum(costs[u][v] for u, v in pairs)


def at_random(seed):
    rng = random.Random(seed)
    size, top, missing = rng.choice([10, 16, 24, 40]), rng.choice([2, 30, 10**9]), rng.choice([0, 0.3, 0.7, 0.9])
    costs = [[None] * size for _ in range(size)]
    for v in range(size):
        for u in range(v):
            if rng.random() >= missing:
                costs[u][v] = costs[v][u] = rng.randint(0, top)
    return costs


@settings(max_examples=400)
@given(squares())
def test_no_way_of_all_is_cheaper(costs):
    ways = [way for way in all_ways(list(range(len(costs)))) if all(costs[u][v] is not None for u, v in way)]
    pairs = cheapest(costs)
    if not ways:
        assert pairs is None
    else:
        assert sorted(vertex for pair in pairs for vertex in pair) == list(range(len(costs)))
        assert total(costs, pairs) == min(total(costs, way) for way in ways)


def in_odd_crowds(seed):
    """Crowds of eleven or thirteen who cost little among themselves: somebody of each has to go to another one, and
    neither the cheapest few of anybody nor those next in the order say to whom."""
    rng = random.Random(seed)
    crowds = [k for k in range(4) for _ in range(rng.choice([11, 13]))]
    rng.shuffle(crowds)
    where = [1000 * crowd + rng.randint(0, 9) for crowd in crowds]
    return [[None if u == v else (where[u] - where[v]) ** 2 for v in range(len(where))] for u in range(len(where))]


@slow
@pytest.mark.parametrize(
    ("field", "seed"), [*((at_random, k) for k in range(120)), *((in_odd_crowds, k) for k in range(20))]
)
def test_networkx_finds_nothing_cheaper(field, seed):
    costs = field(seed)
    graph = networkx.Graph()
    graph.add_nodes_from(range(len(costs)))
    graph.add_weighted_edges_from(
        (u, v, -costs[u][v]) for v in range(len(costs)) for u in range(v) if costs[u][v] is not None
    )
    theirs = networkx.max_weight_matching(graph, maxcardinality=True)
    ours = cheapest(costs)
    if 2 * len(theirs) < len(costs):
        assert ours is None
    else:
        assert total(costs, ours) == total(costs, theirs)


def test_an_odd_number_cannot_be_paired():
    assert cheapest([[None]]) is None
    assert cheapest([]) == []
