"""Writes pictures with truth for `python -m controller.training`: `python -m tests.bench.pictures FOLDER [--boards 5]`.

One folder for each generator: the project's ray tracer (the half of `hard` that is there to choose by), the painter of
the simulated table, and the shared stills and rounds, and the shared holes, of a generator that shares nothing with
either.
"""

import argparse
import json
from pathlib import Path

import cv2

from tests.bench import hard, painted, truth

SEED = 5  # of the painted boards


def save(folder, name, image, empty, camera, discs):
    """One picture with its truth."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "file": f"{name}.png",
        "width": camera.width,
        "height": camera.height,
        "camera": {
            "K": [[camera.focal, 0, camera.cx], [0, camera.focal, camera.cy], [0, 0, 1]],
            "dist": [camera.k1],
            "rvec": list(camera.rvec),
            "t": list(camera.t),
        },
        "discs": [{"x_mm": disc.x, "y_mm": disc.y, "status": disc.status} for disc in discs],
    }
    cv2.imwrite(str(folder / f"{name}.png"), image)
    if empty is not None:
        document["empty"] = f"{name}-empty.png"
        cv2.imwrite(str(folder / f"{name}-empty.png"), empty)
    (folder / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")


def main():
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--boards", type=int, default=5, help="traced boards of each kind; twice as many painted ones")
    given = parser.parse_args()
    for kind in hard.KINDS:
        for board in hard.boards(kind, hard.TUNE, given.boards):
            for one in board:
                save(given.folder / "traced", one.name, one.image, one.empty, one.camera, one.discs)
    for k, picture in enumerate(painted.boards(2 * given.boards, SEED)):
        save(given.folder / "painted", f"{k:03}", picture.image, picture.empty, picture.camera, picture.discs)
    for k, picture in enumerate((*truth.stills(), *truth.rounds())):
        save(given.folder / "shared", f"{k:03}", picture.image, picture.empty, picture.camera, picture.discs)
    for picture in truth.holes():
        save(given.folder / "holes", picture.name, picture.image, picture.empty, picture.camera, picture.discs)


if __name__ == "__main__":
    main()
