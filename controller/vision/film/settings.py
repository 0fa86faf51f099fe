"""The settings of the film: one object for each step, each field with its unit and its source.

A source is where a figure was measured, the thing whose size it is, or the reason for it. "Measured" is on the
simulated table's shots of the seeds below 100.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StageSettings:
    """Settings for a settled board."""

    aside_mm: float = 3.0
    """mm from the starting line: a disc this near to it counts as ready to be shot, as for the referee."""


STAGE = StageSettings()
