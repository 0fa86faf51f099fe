"""A position on the board, and whether a reading found it."""

from hardware.simulated.scene import SceneDisc

DISCS = (
    SceneDisc("a1", "black", 30.0, 150.0),
    SceneDisc("a2", "black", -60.0, -40.0),
    SceneDisc("b1", "natural", -40.0, 90.0),
    SceneDisc("b2", "natural", 180.0, -120.0),
)
ERROR = 0.85  # mm: 99 of 100 positions are better, see docs/accuracy.md


def misplaced(found):
    """What a reading has too much, too little, or somewhere else; nothing when it is right."""
    wrong = [] if len(found) == len(DISCS) else [f"{len(found)} discs instead of {len(DISCS)}"]
    for disc in DISCS:
        near = [f for f in found if abs(f["x"] - disc.x) < ERROR and abs(f["y"] - disc.y) < ERROR]
        if [f.get("colour") for f in near] != [disc.colour]:
            wrong.append(f"{disc} is found as {near}")
    return wrong
