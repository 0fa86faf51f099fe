"""Shoots a film of a simulated match.

Nothing happens while players think: of such stretches the film keeps a moment. What really happened is kept beside it.
"""

import json
from dataclasses import asdict, dataclass

import cv2

from controller.match.events import MatchStarted
from controller.match.fold import new_game
from controller.simulation.setting import RulesUmpire
from hardware.devices import ManualClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.look import Look
from hardware.simulated.painter import Painter
from hardware.simulated.players import Habits
from hardware.simulated.scene import SceneDisc
from hardware.simulated.table import SimulatedTable
from tests.guest.film import PICTURES_A_SECOND, Film

SIZE = (640, 480)
CALM = 3  # pictures of a stretch in which nothing happens
LEAD = 20  # pictures of the empty board before the match: in which it is started
LAST = 12  # pictures after its end
COLOURS = {"A": "black", "B": "natural"}
START = {
    "rules": "nca",
    "sides": [{"name": "Player 1", "colour": "black"}, {"name": "Player 2", "colour": "natural"}],
    "starter": "A",
}


@dataclass(frozen=True)
class Moment:
    """What really was, at one picture."""

    level: bool  # of the hole
    discs: tuple[SceneDisc, ...]
    shots: int  # that have come to rest
    sweeps: int  # rounds after which the board was swept
    calm: bool  # every disc rests, and no hand is over the table

    @staticmethod
    def of(table):
        return Moment(
            table.hole_level, table.scene().discs, len(table.truth.shots), len(table.truth.sweeps), table.calm
        )

    def placing_after(self, other):
        """Whether nothing happened since the other one, but that a disc may have been put on the line."""
        flies = any((disc.vx or disc.vy) and disc.z <= 0 for disc in self.discs)  # in a hand it is above the board
        return not flies and (self.level, self.shots) == (other.level, other.shots) and {*other.discs} <= {*self.discs}


def shoot(folder, seed, *, discs, rounds):
    """Play and film one match; a film that is there already is taken."""
    if (folder / "film.json").exists():
        return Film.read(folder)
    folder.mkdir(parents=True, exist_ok=True)
    start = {**START, "discs": discs, "format": {"kind": "rounds", "rounds": rounds}}
    umpire = RulesUmpire(new_game(MatchStarted(**start)))
    tidy = Habits(slow=0.0, hover=0.0, forget_twenty=0.0, forget_removal=0.0)
    table = SimulatedTable(umpire, seed=seed, colours=COLOURS, habits=tidy)
    moments = []
    for number, (picture, moment) in enumerate(_pictures(table, seed)):
        small = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"{number}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 92])
        moments.append(moment)
    truth = [
        {"totals": dict(r.totals), "twenties": dict(r.twenty_counts)} for r in umpire.match.all_rounds if r.complete
    ]
    film = Film(
        {"do": "start", **start}, [moment.level for moment in moments], _resumes(moments), truth, _swept(moments)
    )
    (folder / "film.json").write_text(json.dumps(asdict(film)), "utf-8")
    return film


def _resumes(moments):
    """See `Film.resumes`. A disc on its way comes to rest, and what follows from it is done; a disc that was only being
    placed is taken back.
    """
    resumes = []
    for number, moment in enumerate(moments):
        before = next((n for n in range(number, -1, -1) if moments[n].calm), None)
        since = moments[before : number + 1]
        if before is not None and all(moment.placing_after(moments[before]) for moment in since):
            resumes.append(before)
        else:
            resumes.append(next(n for n in range(number, len(moments)) if moments[n].calm))
    return resumes


def _swept(moments):
    """See `Film.swept`."""
    return [next(n for n, m in enumerate(moments) if m.sweeps > k) for k in range(moments[-1].sweeps)]


def _pictures(table, seed):
    camera = SimulatedCamera(table, Painter(look=Look(surface="oak"), seed=seed), ManualClock(), fps=PICTURES_A_SECOND)
    frames = camera.frames()
    empty = [next(frames).full() for _ in range(2)]  # two, so that not even the sensor's noise stands still
    yield from ((empty[number % 2], Moment.of(table)) for number in range(LEAD))
    calm = rest = 0
    for frame in frames:
        calm = calm + 1 if table.calm else 0
        if calm > CALM and not table.over:
            continue
        yield frame.full(), Moment.of(table)
        rest += table.over
        if rest == LAST:
            return
