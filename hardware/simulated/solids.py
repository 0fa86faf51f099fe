"""Ray-traced discs and pegs: each pixel's coverage and shading, and the shadows.

Every pixel's ray is intersected with the true cylinder through the true lens. Its distance from the outline in pixels
gives the coverage, as if a straight edge cut a square pixel; the error of the outline is less than 0.005 px."""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.simulated.look import Look

Plane = NDArray[np.floating[Any]]
FLAT = 1e-6  # smallest slope of a distance per pixel: on the axis it is 0
SHADOW_REACH = 6.0  # mm over which the contact shadow fades
BOX = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (0.0, 1.0)])


@dataclass(frozen=True, slots=True)
class Cylinder:
    """A disc or peg: centre of its bottom, radius and height in mm; tilted by degrees towards a direction."""

    x: float
    y: float
    z: float
    radius: float
    height: float
    tilt: float = 0.0
    towards: float = 0.0

    def axes(self) -> NDArray[np.float64]:
        """(3, 3) the solid's axes in the board frame as columns; the third is its axis of symmetry."""
        tilt, a = math.radians(self.tilt), math.radians(self.towards)
        ct, st, ca, sa = math.cos(tilt), math.sin(tilt), math.cos(a), math.sin(a)
        return np.array([[ct * ca, -sa, st * ca], [ct * sa, ca, st * sa], [-st, 0.0, ct]])

    def corners(self) -> NDArray[np.float64]:
        """(8, 3) corners of a bounding box, board frame."""
        reach = self.radius + (self.height if self.tilt else 0.0)
        low, high = (-reach, reach) if self.tilt else (0.0, self.height)
        return np.array((self.x, self.y, self.z)) + BOX * (reach, reach, high - low) + (0.0, 0.0, low)


@dataclass(frozen=True, slots=True)
class Traced:
    """A solid as traced in a tile; all (h, w)."""

    cover: Plane  # coverage by the whole solid
    face: Plane  # coverage by its top
    rim: Plane  # distance from the axis over the radius, at the face
    side: Plane  # cosine between the side's normal and the light's direction, seen from above
    z: Plane  # height where the ray meets it, board frame


def coverage(inside: Plane) -> Plane:
    """Share of each pixel where the signed distance `inside` is positive."""
    values = np.asarray(inside, np.float32)
    across = cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=1, scale=0.5, borderType=cv2.BORDER_REPLICATE)
    down = cv2.Sobel(values, cv2.CV_32F, 0, 1, ksize=1, scale=0.5, borderType=cv2.BORDER_REPLICATE)
    slope = np.maximum(cv2.magnitude(across, down), FLAT)
    return np.asarray(np.minimum(np.maximum(values / slope + 0.5, 0.0), 1.0))


def trace(eye: NDArray[np.float64], rays: Plane, solid: Cylinder, light_azimuth: float) -> Traced:
    """Trace `rays` (h, w, 3) from `eye` (3,) to `solid`."""
    axes = solid.axes()
    own_rays = rays @ axes.astype(np.float32)
    ox, oy, oz = (float(v) for v in axes.T @ (eye - (solid.x, solid.y, solid.z)))
    steep = own_rays[..., 2]
    steep = np.where(np.abs(steep) < 1e-6, np.float32(-1e-6), steep)
    near, far = (solid.height - oz) / steep, -oz / steep
    x, y = ox + own_rays[..., 0] * near, oy + own_rays[..., 1] * near
    ex, ey = own_rays[..., 0] * (far - near), own_rays[..., 1] * (far - near)
    along = np.clip(-(x * ex + y * ey) / np.maximum(ex * ex + ey * ey, 1e-9), 0.0, 1.0)
    qx, qy = x + along * ex, y + along * ey
    closest = np.sqrt(qx * qx + qy * qy)
    below = steep > 0  # the ray comes from below and meets the bottom
    fx, fy = np.where(below, x + ex, x), np.where(below, y + ey, y)
    at_face = np.sqrt(fx * fx + fy * fy)
    face = coverage(solid.radius - at_face)
    reach = np.where(face > 0.5, np.where(below, far, near), near + along * (far - near))
    a = math.radians(light_azimuth)
    lit = axes.T @ np.array((math.cos(a), math.sin(a), 0.0))
    side = (qx * float(lit[0]) + qy * float(lit[1])) / np.maximum(closest, 1e-6)
    z = float(eye[2]) + rays[..., 2] * reach
    return Traced(coverage(solid.radius - closest), face, at_face / solid.radius, side, z)


def shadow(x: Plane, y: Plane, solid: Cylinder, throw: tuple[float, float], look: Look) -> Plane:
    """Share of light left (h, w) at plane points `x`, `y`, given the shadow's (dx, dy) per mm of height."""
    (x0, y0), (x1, y1) = ((solid.x + throw[0] * h, solid.y + throw[1] * h) for h in (0.0, solid.height))
    ex, ey = x1 - x0, y1 - y0
    along = np.clip(((x - x0) * ex + (y - y0) * ey) / max(ex * ex + ey * ey, 1e-9), 0.0, 1.0)
    outside = np.hypot(x - x0 - along * ex, y - y0 - along * ey) - solid.radius
    half = np.clip(0.5 - outside / look.softness, 0.0, 1.0)
    contact = np.clip(1.0 - np.maximum(np.hypot(x - x0, y - y0) - solid.radius, 0.0) / SHADOW_REACH, 0.0, 1.0)
    soft = half * half * (3 - 2 * half)
    return np.asarray((1 - look.shadow * soft) * (1 - look.contact * contact * contact), np.float32)
