"""The table that plays by itself, watched as a camera and a pin would watch it."""

import math
from dataclasses import replace

import pytest

from hardware.board import TOURNAMENT as BOARD
from hardware.board import seat_angle
from hardware.simulated import physics
from hardware.simulated.players import Habits, Skill
from hardware.simulated.scene import Scene
from hardware.simulated.table import SimulatedTable
from tests.hardware.umpires import PlainUmpire

RADIUS = BOARD.disc.radius
TICK = 0.1


def watch(table, tick=TICK, limit=900.0):
    """Scene after scene until the match is over."""
    while not table.over and table.t < limit:
        table.advance(table.t + tick)
        yield table.scene()
    assert table.over, "the match never ended"


def at_rest(scene):
    return [disc for disc in scene.discs if disc.vx == disc.vy == 0.0]


def hole_history(table):
    """What the pin shows from now on."""
    history = []
    table.on_hole(lambda t, occupied: history.append((t, occupied)))
    return history


def settled_levels(history, quiet=0.1):
    """The history without chatter: levels that hold for `quiet` seconds, each with the time at which it was reached."""
    ends = [t for t, _ in history[1:]] + [math.inf]
    held = [(t, level) for (t, level), end in zip(history, ends, strict=True) if end - t > quiet]
    return [(t, level) for k, (t, level) in enumerate(held) if level != (k > 0 and held[k - 1][1])]


def test_a_match_ends_with_all_shots_taken_and_an_empty_table():
    umpire = PlainUmpire(rounds=2)
    table = SimulatedTable(umpire, seed=1)
    scenes = list(watch(table, 0.5))
    assert [shot.side for shot in table.truth.shots[:4]] == ["A", "B", "A", "B"]
    assert len(table.truth.shots) == 32
    assert len(table.truth.sweeps) == 2
    assert scenes[-1].discs == ()
    assert not table.hole_level
    assert 6.0 < table.t / 32 < 12.0  # seconds a shot, as people play


def test_four_seats_shoot_in_turn_each_from_its_own_quadrant():
    table = SimulatedTable(PlainUmpire(discs=2, seats=(1, 2, 3, 4)), seed=3)
    order = []
    for scene in watch(table):
        for hand in scene.hands:
            if hand.gesture == "flick" and (not order or order[-1] != hand.seat):
                order.append(hand.seat)
                off = math.degrees(math.atan2(hand.y, hand.x)) - seat_angle(hand.seat)
                assert abs((off + 180) % 360 - 180) < 45
    assert order == [1, 2, 3, 4, 1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(4))
def test_discs_are_conserved_and_never_overlap_at_rest(seed):
    umpire = PlainUmpire()
    table = SimulatedTable(umpire, seed=seed, habits=Habits(0.2, 0.2, 0.3, 0.3))
    for scene in watch(table):
        names = [disc.id for disc in scene.discs]
        assert len(set(names)) == len(names)
        assert all(disc.colour == {"A": "black", "B": "natural"}[disc.id[0]] for disc in scene.discs)
        if scene.hands or len(at_rest(scene)) < len(scene.discs):
            continue
        banked = sum(len(aftermath.bank) for aftermath in umpire.aftermaths)
        waiting = sum(disc.z == -BOARD.hole_depth for disc in scene.discs)
        if not table.truth.sweeps:
            assert umpire.shots - banked <= len(scene.discs) <= umpire.shots - banked + waiting + 1
        flat = [disc for disc in scene.discs if disc.tilt == 0.0]
        for i, a in enumerate(flat):
            for b in flat[i + 1 :]:
                assert math.dist((a.x, a.y), (b.x, b.y)) > 2 * RADIUS - 0.05


@pytest.mark.parametrize("seed", range(3))
def test_between_shots_only_hands_move_discs(seed):
    table = SimulatedTable(PlainUmpire(), seed=seed, habits=Habits(0.1, 0.2, 0.3, 0.3))
    alone = []  # a disc moved and no hand was near
    aiming = []  # when a finger went behind a disc
    previous = Scene(0.0)
    carried = 0
    for scene in watch(table, 0.02):
        hands = [*scene.hands, *previous.hands]
        if _flicks(scene) and not _flicks(previous):
            aiming.append(scene.t)
        now, before = ({disc.id: disc for disc in seen.discs} for seen in (scene, previous))
        for disc in now.keys() | before.keys():
            if _place(now.get(disc)) != _place(before.get(disc)):
                last = now.get(disc) or before[disc]
                near = any(math.dist((last.x, last.y), (hand.x, hand.y)) < 90.0 for hand in hands)
                carried += near
                if not near:
                    alone.append((scene.t, disc))
        previous = scene
    assert carried > 500
    assert len(aiming) == len(table.truth.shots)
    shots = [(begin, shot.t + 0.02) for begin, shot in zip(aiming, table.truth.shots, strict=True)]
    assert [(t, disc) for t, disc in alone if not any(begin < t <= end for begin, end in shots)] == []


def _flicks(scene):
    return any(hand.gesture == "flick" for hand in scene.hands)


def _place(disc):
    return (disc.x, disc.y, disc.z) if disc else None


def test_the_same_seed_plays_the_same_match_however_often_somebody_looks():
    often, seldom = (SimulatedTable(PlainUmpire(discs=4), seed=8) for _ in range(2))
    heard = [hole_history(often), hole_history(seldom)]
    list(watch(often, 0.013))
    list(watch(seldom, 7.0))
    assert often.truth == seldom.truth
    assert heard[0] == heard[1]
    other = SimulatedTable(PlainUmpire(discs=4), seed=9)
    list(watch(other, 7.0))
    assert other.truth != often.truth


@pytest.mark.parametrize("seed", range(3))
def test_the_pin_shows_what_lies_in_the_hole(seed, monkeypatch):
    monkeypatch.setattr(physics, "LEANING_SHARE", 0.0)  # a leaning disc may press the contact or not
    table = SimulatedTable(PlainUmpire(rounds=4), seed=seed, skill=Skill(0.6, 0.04, 0.0))
    history = hole_history(table)
    list(watch(table, 1.0))
    assert len(table.truth.hole) > 10
    shown = settled_levels(history)
    assert [level for _, level in shown] == [level for _, level in table.truth.hole]
    for (t, _), (true, _) in zip(shown, table.truth.hole, strict=True):
        assert true <= t < true + 0.03


def test_tidy_players_remove_discs_before_the_next_shot():
    umpire = PlainUmpire(rounds=2)
    table = SimulatedTable(umpire, seed=5, habits=Habits(0.0, 0.0, 0.0, 0.0), skill=Skill(3.0, 0.15))
    seen = 0
    for scene in watch(table):
        if any(hand.gesture == "place" for hand in scene.hands):
            lying = {disc.id: disc for disc in scene.discs}
            for aftermath in umpire.aftermaths:
                seen += len(aftermath.to_ditch)
                assert not lying.keys() & set(aftermath.bank)
                for disc in lying.keys() & set(aftermath.to_ditch):
                    assert lying[disc].z == -BOARD.surface_height
    assert seen > 0


def test_forgetful_players_leave_a_twenty_in_the_hole_until_after_the_next_shot():
    umpire = PlainUmpire()
    habits = Habits(forget_twenty=1.0)
    table = SimulatedTable(umpire, seed=4, habits=habits, skill=Skill(0.3, 0.02, 0.0))
    late = set()
    for scene in watch(table):
        if _flicks(scene):
            banked = {disc for aftermath in umpire.aftermaths for disc in aftermath.bank}
            late |= {disc.id for disc in scene.discs} & banked
    assert late
    assert table.truth.hole[-1][1] is False


def test_play_continues_from_a_given_position_without_sweeping():
    umpire = PlainUmpire(discs=4)
    umpire.shots = 2
    table = SimulatedTable(umpire, seed=6)
    table.place({"A-0-0": ("A", 200.0, 10.0), "B-0-1": ("B", -100.0, 150.0)})
    assert {(disc.id, disc.x, disc.y) for disc in table.scene().discs} == {
        ("A-0-0", 200.0, 10.0),
        ("B-0-1", -100.0, 150.0),
    }
    list(watch(table, 0.5))
    assert len(table.truth.shots) == 6
    assert len(table.truth.sweeps) == 1


@pytest.mark.parametrize("moment", [3.0, 30.0, 31.7, 50.3])
def test_a_new_match_begins_with_an_empty_table(moment):
    table = SimulatedTable(PlainUmpire(), seed=7)
    table.advance(moment)
    umpire = PlainUmpire(discs=1)
    table.restart(umpire)
    list(watch(table, 0.5))
    assert umpire.shots == len(table.truth.shots) == 2
    first = table.truth.sweeps[0]
    assert first < table.truth.shots[0].t
    assert table.scene().discs == ()


def test_discs_do_not_jump_when_a_new_match_begins():
    table = SimulatedTable(PlainUmpire(), seed=7)
    table.advance(31.7)
    before = table.scene()
    table.restart(PlainUmpire(discs=1))
    assert table.scene() == replace(before, t=table.t)


def test_after_the_match_time_passes_and_no_hand_comes():
    table = SimulatedTable(PlainUmpire(discs=1), seed=1)
    list(watch(table, 1.0))
    table.advance(table.t + 100.0)
    assert table.over
    assert table.scene().hands == ()
