"""What the rows of the referee's evidence table matter: what changes where one is halved or doubled.

`python -m tests.bench.evidence_sensitivity FOLDER [FOLDER ..]` plays the matches that `tests.bench.observed` kept again
for every judged row, or for those named by `--rows`, and counts the shots that are judged otherwise and the questions
that are asked or no longer asked.
"""

import argparse
import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.referee import evidence
from controller.table.engine import Engine
from tests.bench.observed import Observed, kept
from tests.bench.referee import Again

FACTORS = (0.5, 2.0)
"""By which the odds of a probability, or a length, are multiplied."""


@dataclass(frozen=True, slots=True)
class Told:
    """What people see of a match: each shot's judgement, and what they were asked."""

    shots: tuple[str, ...]
    asked: Counter[tuple[str, ...]]

    def differs(self, other: "Told") -> tuple[int, int]:
        """How many shots, and how many questions, are not in both."""
        most = max(len(self.shots), len(other.shots))
        padded = (told.shots + ("",) * (most - len(told.shots)) for told in (self, other))
        shots = sum(mine != its for mine, its in zip(*padded, strict=True))
        return shots, (self.asked - other.asked).total() + (other.asked - self.asked).total()


def told(observed: Observed) -> Told:
    """What the referee says of a match with the table as it is now."""
    with TemporaryDirectory(prefix="refereed-") as folder:
        again = Again(observed, Engine, Path(folder))
        asked = Counter(tuple(question.split(" ", 1)[1:]) for question in again.run().asked)
    assert again.engine.state is not None
    rounds = again.engine.state.game.all_rounds
    shots = [(r.number, p.shot.disc, p.judgement.valid, p.judgement.twenties) for r in rounds for p in r.shots]
    removed = [tuple(one.disc for one in p.judgement.removed) for r in rounds for p in r.shots]
    return Told(tuple(f"{shot} {off}" for shot, off in zip(shots, removed, strict=True)), asked)


def vary(name: str, factor: float) -> None:
    """Multiply a row's odds, or its length."""
    row = evidence.TABLE[name]
    odds = row.value / (1 - row.value) * factor if row.unit == "probability" else 0.0
    _set(name, odds / (1 + odds) if odds else row.value * factor)


def _set(name: str, value: float) -> None:
    evidence.TABLE[name] = replace(evidence.TABLE[name], value=value)
    for cached in (evidence.cost_of, evidence.cost_of_absence, evidence.mm):
        cached.cache_clear()


def changes(name: str, matches: Sequence[Observed], before: Sequence[Told]) -> list[int]:
    """For each factor the shots and the questions that are other than before."""
    value, counts = evidence.TABLE[name].value, []
    for factor in FACTORS:
        vary(name, factor)
        pairs = [told(one).differs(was) for one, was in zip(matches, before, strict=True)]
        counts += [sum(shots for shots, _ in pairs), sum(asked for _, asked in pairs)]
        _set(name, value)
    return counts


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", type=int, nargs="*", help="the numbers of the matches")
    parser.add_argument("--rows", nargs="*", help="these rows; else every judged one")
    parser.add_argument(
        "--write", type=Path, help="adds what was counted to this file, and leaves out rows that it has"
    )
    given = parser.parse_args()
    logging.basicConfig(level=logging.CRITICAL)
    rows = given.rows or [row.name for row in evidence.TABLE.values() if row.source.startswith("judged")]
    done = json.loads(given.write.read_text(encoding="utf-8")) if given.write and given.write.exists() else {}
    matches = [one for folder in given.folders for one in kept(folder, given.only)]
    before = [told(one) for one in matches]
    print("| row | halved: verdicts; questions | doubled |\n| --- | --- | --- |")
    for name in (name for name in rows if name not in done):
        done[name] = counts = changes(name, matches, before)
        print(f"| {name} | {counts[0]}; {counts[1]} | {counts[2]}; {counts[3]} |", flush=True)
        if given.write:
            given.write.write_text(json.dumps(done, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
