"""One tracked disc: a Kalman filter of its place and speed, the same for both directions."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from controller.vision.calibration.camera import Floats
from controller.vision.film.film import Began, Sample

PLACE_MM = 1.2
"""Standard error of a spot's place. Measured: 1.0 mm, twice that in a fast disc's shadow."""
TOUCHING_MM = 2.0
"""The same where discs touch."""
FASTEST = 3200.0
"""mm/s: nobody flicks faster."""
SHADED_MM = 14.0
"""From a resting disc's place, within which a spot is its own: a shadow beside it shifts the spot this far."""
USUAL_SPEED = 400.0
"""mm/s, the least assumed for a disc that may have started unseen."""
SHORTEST = 1e-3
"""Seconds, the least between two pictures for a speed."""
OFF_EDGE_MM = 8.0
"""Inside the surface's edge: a spot nearer to the edge may be in the ditch."""
GATE = 16.0
"""Squared standard errors within which a spot is at a disc's expected place: 1 in 3000 is farther."""
FLICKED_MM = 20.0
"""From its first place, beyond which a new object is the shot disc: fingers stay behind."""
LINE_MM = 45.0
"""Within the outer line, where the shot disc is first seen."""
AGAIN_MM = 50.0
"""Within which a disc in the ditch is seen again."""

PUSH = 400.0
"""mm/s2, standard deviation of other decelerations: wax, dust, a board that is not level."""

State = Literal["resting", "sliding", "ditch", "lost", "new"]

AT_REST = 0.25  # mm2: a reading's places are accurate to half a millimetre


@dataclass(slots=True)
class Body:
    """A disc; mm, mm/s. Variances are per direction."""

    id: str
    colour: str
    place: Floats
    state: State
    home: Floats | None = None  # where it lay on the settled board; None for what came later
    speed: Floats = field(default_factory=lambda: np.zeros(2))
    place_var: float = AT_REST
    both_var: float = 0.0
    speed_var: float = 0.0
    samples: list[Sample] = field(default_factory=list)
    seen: float = 0.0  # when it was last seen
    began: Began = "unknown"
    since: float = 0.0  # when it began to slide
    hidden: bool = False  # a hand covers its expected place
    came_back: bool = False
    sunk: bool = False  # it may have fallen in: unseen while its way led over the hole
    uncovered: bool = False  # its place on the settled board has changed

    def later(self, place: Floats, speed: Floats, dt: float, shaken: float) -> None:
        """Move it to its prediction for `dt` later; `shaken` adds to the speed's standard deviation, mm/s."""
        self.place, self.speed = place, speed
        push = PUSH**2
        self.place_var += 2 * dt * self.both_var + dt * dt * (self.speed_var + shaken**2) + push * dt**4 / 4
        self.both_var += dt * (self.speed_var + shaken**2) + push * dt**3 / 2
        self.speed_var += push * dt * dt + shaken**2

    def correct(self, t: float, at: Floats, sigma: float) -> None:
        """Update it with a seen place."""
        total = self.place_var + sigma**2
        gain, turn = self.place_var / total, self.both_var / total
        off = at - self.place
        self.place = self.place + gain * off
        self.speed = self.speed + turn * off
        self.speed_var -= turn * self.both_var
        self.both_var *= 1 - gain
        self.place_var *= 1 - gain
        self._saw(t, at, sigma)

    def restart(self, t: float, at: Floats, sigma: float, speed: Floats, speed_sigma: float) -> None:
        """Restart it at a seen place that its movement does not explain."""
        self.place, self.speed = at, speed
        self.place_var, self.both_var, self.speed_var = sigma**2, 0.0, speed_sigma**2
        self._saw(t, at, sigma)

    def go_home(self, home: Floats) -> None:
        """Put it back at rest there, unmoved."""
        self.state, self.place, self.speed = "resting", home, np.zeros(2)
        self.place_var, self.both_var, self.speed_var = AT_REST, 0.0, 0.0
        self.samples.clear()
        self.began = "unknown"

    def _saw(self, t: float, at: Floats, sigma: float) -> None:
        self.seen, self.sunk = t, False
        self.samples.append(Sample(t, float(at[0]), float(at[1]), sigma))
