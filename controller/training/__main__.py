"""Fits the reading's models to pictures with truth, and writes their weights into the reading's folder.

Reports each model's score on every generator when it is fitted to the others alone."""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2

from controller.errors import BadInput
from controller.training import disc, hole, place
from controller.training.pictures import TrainingPicture, pictures
from controller.vision.reading.disc_model import FIGURES

MODELS: dict[str, tuple[Any, Callable[[Any], object]]] = {
    "place": (place, asdict),
    "disc": (disc, lambda model: model.to_json(FIGURES)),
    "hole": (hole, hole.to_json),
}


def train(some: Iterable[TrainingPicture], names: Sequence[str], write: bool) -> Iterator[str]:
    """Fit these models and yield lines with their scores. `write`: whether to store the weights."""
    examples: dict[str, list[Any]] = {name: [] for name in names}
    for picture in some:
        for name in names:
            examples[name] += MODELS[name][0].examples(picture)
    for name in names:
        module, to_json = MODELS[name]
        yield from module.report(examples[name])
        if write:
            document = to_json(module.fitted(examples[name]))
            module.WEIGHTS.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
            yield f"{name}: {len(examples[name])} examples, written to {module.WEIGHTS.name}"


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(prog="python -m controller.training", description=__doc__)
    parser.add_argument(
        "folder", type=Path, help="one folder for each generator, as controller/training/pictures.py says"
    )
    parser.add_argument("models", nargs="*", choices=[[], *MODELS], help="those to fit; all without")
    parser.add_argument("--dry", action="store_true", help="report without writing weights")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        for line in train(pictures(given.folder), given.models or list(MODELS), not given.dry):
            print(line, flush=True)
    except BadInput as error:
        sys.exit(f"{parser.prog}: {error}")


if __name__ == "__main__":
    main()
