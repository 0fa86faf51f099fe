"""Simple painted boards for the reading's tests."""

import math
from functools import cache

import cv2
import numpy as np

from controller.training.pictures import calibration_of
from controller.vision.calibration.camera import Camera


def camera_above(turn=0.0, tilt=8.0, width=1280, height=960):
    """A camera 1.1 m above the board that was turned by `turn` degrees, tilted by `tilt` degrees."""
    about_z, about_x = math.radians(turn), math.radians(180.0 - tilt)
    spin = cv2.Rodrigues(np.array([0.0, 0.0, about_z]))[0]
    rvec = cv2.Rodrigues(cv2.Rodrigues(np.array([about_x, 0.0, 0.0]))[0] @ spin)[0].ravel()
    lens = Camera(width, height, 1300.0, width / 2, height / 2, -0.05, (rvec[0], rvec[1], rvec[2]), (0.0, 0.0, 1100.0))
    return calibration_of(lens)


@cache
def canvas(height, width):
    """Room to paint on, 60 MB, which takes longer to get than to fill."""
    return np.empty((height, width, 3), np.uint8)


def paint(calibration, discs, seed):
    """A plain board with noise: lines, hole, and solid discs (x, y, colour) with shaded walls; far ones first."""
    size, fine = calibration.disc, 4
    image = canvas(calibration.height * fine, calibration.width * fine)
    cv2.rectangle(image, (0, 0), (image.shape[1], image.shape[0]), (70, 90, 100), cv2.FILLED)

    def circle(x, y, z, radius):
        angles = np.linspace(0, 2 * np.pi, 256)
        ring = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles), np.full(256, z)], axis=-1)
        return np.rint((calibration.project(ring) + 0.5) * fine - 0.5).astype(np.int32)

    cv2.fillPoly(image, [circle(0, 0, 0, calibration.board.surface_radius)], (120, 170, 205))
    for radius in sorted((calibration.outer, calibration.ten, calibration.fifteen), reverse=True):
        cv2.fillPoly(image, [circle(0, 0, 0, radius + calibration.board.line_width)], (30, 30, 30))
        cv2.fillPoly(image, [circle(0, 0, 0, radius)], (120, 170, 205))
    cv2.fillPoly(image, [circle(0, 0, 0, calibration.hole_radius)], (25, 30, 35))
    for x, y, colour in discs:
        bottom, top = circle(x, y, 0, size.radius), circle(x, y, size.thickness, size.radius)
        wall = tuple(int(0.55 * part) for part in colour)
        cv2.fillPoly(image, [cv2.convexHull(np.concatenate([bottom, top]))], wall)
        cv2.fillPoly(image, [top], colour)
    small = cv2.resize(image, (calibration.width, calibration.height), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 2.5, small.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(small, (0, 0), 0.6) + noise, 0, 255), np.uint8)
