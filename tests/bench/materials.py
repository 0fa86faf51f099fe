"""What boards, discs and holes of the traced pictures are made of."""

from tests.bench.shapes import Finish


def rgb(red, green, blue):
    """The reflectance of blue, green, red that shows as this colour in full light."""
    return tuple(((v / 255 + 0.055) / 1.055) ** 2.4 for v in (blue, green, red))


SURFACES = {
    "maple": Finish(rgb(216, 180, 134), 0.035, 6.0),
    "birch": Finish(rgb(224, 202, 166), 0.025, 5.0),
    "oak": Finish(rgb(192, 144, 90), 0.07, 9.0),
    "cherry": Finish(rgb(172, 106, 68), 0.05, 7.0),
    "walnut": Finish(rgb(116, 82, 58), 0.08, 8.0),
    "black": Finish(rgb(44, 43, 44), 0.03, 1.0),
    "white": Finish(rgb(226, 224, 218), 0.01, 1.0),
}
DISCS = {
    "black": Finish(rgb(38, 36, 37), 0.03, 2.0, 0.03, 30.0),
    "natural": Finish(rgb(214, 181, 136), 0.045, 5.0),
    "tan": Finish(rgb(194, 148, 96), 0.055, 5.0),
    "brown": Finish(rgb(98, 63, 42), 0.07, 5.0),
    "red": Finish(rgb(172, 38, 36), 0.03, 3.0, 0.03, 30.0),
    "blue": Finish(rgb(36, 74, 150), 0.03, 3.0, 0.03, 30.0),
    "green": Finish(rgb(34, 104, 58), 0.03, 3.0, 0.03, 30.0),
    "white": Finish(rgb(228, 224, 216), 0.02, 2.0, 0.03, 30.0),
}
HOLES = {
    "wood": None,  # as the surface, a little darker
    "black": Finish(rgb(30, 29, 30), 0.03),
    "felt": None,  # of some colour
    "brass": Finish(rgb(196, 160, 84), 0.02, 1.0, 0.35, 60.0),
}
FELTS = (rgb(28, 92, 52), rgb(140, 28, 36), rgb(32, 32, 34), rgb(40, 60, 124))
