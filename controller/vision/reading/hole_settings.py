"""The settings of reading the 20 hole. As in `settings`: each field with its unit and its source."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HoleSettings:
    """Settings for distinguishing a disc in the 20 hole from the hole. Merit: visible share minus scatter in mm.
    Probabilities are those of `hole_model`; `python -m controller.training` reports their calibration.
    """

    surely_empty: float = 0.98  # probability of it below which a reading without a disc is in doubt


@dataclass(frozen=True, slots=True)
class HoleLookSettings:
    """Settings for sampling the 20 hole and the wood around it."""

    reach: float = 27.0  # mm from the hole's axis: nearer discs overhang the hole


HOLE = HoleSettings()
HOLE_LOOK = HoleLookSettings()
