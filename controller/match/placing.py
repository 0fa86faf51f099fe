"""From what the camera measured on this board to where the rules' standard board has the disc."""

from controller.match.events import Measured
from controller.rules import Placed, nearest_in_zone
from controller.rules.geometry import Zone
from controller.vision import readings


def placed(measured: Measured, zone: readings.Zone | None = None) -> Placed:
    """The disc where the rules shall see it: as measured, moved along its radius only if its zone demands it.

    The zone was decided against this board's own lines, or by a person (`zone`); the rules know the standard lines.
    """
    wanted = measured.zone if zone is None else zone
    on_surface: Zone = 15 if wanted == 20 or measured.pose == "leaning" else wanted
    x, y = nearest_in_zone(measured.x, measured.y, on_surface)
    return Placed(x, y, "leaning" if measured.pose == "leaning" else "flat")
