"""One tracked disc: a Kalman filter of its place and speed, the same for both directions."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from controller.vision.calibration.lens import Floats
from controller.vision.film.film import Began, Sample
from controller.vision.film.settings import TRACKING

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
    uncovered: bool = False  # its place on the settled board has changed

    def later(self, place: Floats, speed: Floats, dt: float, shaken: float) -> None:
        """Move it to its prediction for `dt` later; `shaken` adds to the speed's standard deviation, mm/s."""
        self.place, self.speed = place, speed
        push = TRACKING.push**2
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
        self.seen = t
        self.samples.append(Sample(t, float(at[0]), float(at[1]), sigma))
