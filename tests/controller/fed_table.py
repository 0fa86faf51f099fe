"""A table of pure readings, for the referee and the engine: discs go where a test says, the engine sees them."""

import math
from contextlib import closing, contextmanager
from dataclasses import replace

from controller.config import Config
from controller.journal import Journal
from controller.match.events import parse
from controller.match.fold import fold
from controller.rules import nearest_line, zone
from controller.table.engine import Engine
from controller.views.history import Archive
from controller.vision.readings import BoardReading, SeenDisc
from controller.vision.watching.background_model import BackgroundModel
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import HoleEvent

LABS = {"A": (22.0, 3.0, 3.0), "B": (70.0, 8.0, 28.0), "C": (40.0, 55.0, 35.0), "D": (42.0, -35.0, 15.0)}
COLOUR = {"A": "black", "B": "natural", "C": "red", "D": "green"}
NOTHING = None
SIDES = [{"name": "Black", "colour": "black"}, {"name": "Natural", "colour": "natural"}]
START = {"do": "start", "rules": "nca", "sides": SIDES}


def disc(side, x, y, pose="flat", *, sigma=0.15):
    """A disc as a perfect camera would report it."""
    place = math.hypot(x, y)
    if pose == "in_hole":
        where, clearance = 20, 80.0
    elif pose == "ditch":
        where, clearance = 0, 304.0 - place - 15.9
    else:
        where, clearance = zone(x, y), nearest_line(x, y)[1]
    call = "sure" if pose != "flat" or abs(clearance) > 4 * sigma else "close"
    return SeenDisc(x, y, COLOUR[side], LABS[side], pose, where, clearance, sigma, call)


def a(x, y, pose="flat"):
    return disc("A", x, y, pose)


def b(x, y, pose="flat"):
    return disc("B", x, y, pose)


def c(x, y, pose="flat"):
    return disc("C", x, y, pose)


def unsure(disc):
    """The disc as a camera reports it that is not sure how it lies."""
    return replace(disc, call="close")


class ReadTable:
    """An engine on a real journal that is shown boards."""

    def __init__(
        self,
        folder,
        rules="nca",
        *,
        seats_known=True,
        calibration=None,
        own_rules=(),
        steady=None,
        **start,
    ):
        folder.mkdir(exist_ok=True)
        self.journal = Journal(folder / "journal.sqlite")
        self.t = 0.0
        self._calibration = calibration
        self._own_rules = own_rules
        self._steady = steady
        self.happened = []
        self._open()
        self.engine.command({**START, "rules": rules, **start})
        for quarters in (1, 3) if seats_known else ():  # a whole turn: people say that seat 1 is at -y
            self.engine.command({"do": "turn_seats", "quarters": quarters})

    def _open(self):
        self.engine = Engine(
            self.journal,
            BackgroundModel(calibration=self._calibration),
            wall=lambda: self.t,
            own_rules=self._own_rules,
            steady=self._steady,
        )
        self.engine.on_happened.append(lambda events, _: self.happened.extend(events))

    def restart(self):
        """The power was cut: everything in memory is gone."""
        self.journal.close()
        self.journal = Journal(self.journal.path)
        self._open()

    @property
    def state(self):
        assert self.engine.state is not None
        return self.engine.state

    @property
    def journalled(self):
        """The newest match as its journal alone gives it."""
        number = list(self.journal.spans())[-1]
        return fold(number, [parse(entry) for entry in self.journal.events(number)])

    def see(
        self,
        *discs,
        obstructed=False,
        hand=True,
        hidden=(),
        film=None,
        hole_unclear=False,
        felt=None,
    ):
        """Somebody did something, and this is the board now; the events that the table made of it. `felt`: what the
        sensor in the hole said meanwhile."""
        if felt is not None:
            self.hole((1.0, felt))
        self.happened.clear()
        self.t += 8.0
        if hand:
            self.engine.observe(GateChanged(self.t - 2, "hand"))
            self.engine.observe(GateChanged(self.t - 1, "moving"))
        self.gate("still")
        reading = BoardReading(tuple(discs), obstructed, 0.0, self.t, hidden=hidden, hole_unclear=hole_unclear)
        self.engine.observe(BoardRead(self.t, reading, NOTHING, film))
        return list(self.happened)

    @property
    def question(self):
        """The only open question."""
        (question,) = self.state.questions.values()
        return question

    def asked(self, member="what"):
        """What the open questions are about."""
        return [getattr(q.asked, member) for q in self.state.questions.values()]

    def gate(self, word):
        self.engine.observe(GateChanged(self.t, word))

    def hole(self, *changes):
        for after, occupied in changes:
            self.engine.hole_changed(HoleEvent(self.t + after, occupied))

    def do(self, do, **command):
        self.engine.command({"do": do, **command})

    def answer(self, id_, **more):
        """Give this answer to the one open question that has it."""
        (question,) = [q for q in self.state.questions.values() if id_ in {a.id for a in q.asked.answers}]
        self.do("answer", question=question.id, answer=id_, **more)

    def answers(self, question):
        """What the page calls the answers to an open question: their ids by their texts."""
        return {str(answer.text): answer.id for answer in self._shown(question).answers}

    def effects(self, question):
        """What the page says that each answer does, by its id."""
        return {answer.id: str(answer.effect) for answer in self._shown(question).answers}

    @property
    def questions_shown(self):
        """The questions on the page."""
        return self.shown.questions

    def _shown(self, question):
        return next(shown for shown in self.questions_shown if shown.id == question.id)

    @property
    def notices(self):
        """What the page says besides the score."""
        return [str(notice.text) for notice in self.engine.snapshot.notices]

    @property
    def shown(self):
        """The match as the page shows it."""
        return self.engine.snapshot.match

    @property
    def round(self):
        """The round that is played."""
        return self.state.game.round

    @property
    def shooters(self):
        """The sides of the round's shots."""
        return [side for side, *_ in self.shots]

    @property
    def verdicts(self):
        """Side and valid of the round's shots."""
        return [(side, valid) for side, valid, *_ in self.shots]

    @property
    def shots(self):
        """Side, valid, removed and twenties of the round's shots."""
        return [
            (p.shot.side, p.judgement.valid, tuple(r.disc for r in p.judgement.removed), p.judgement.twenties)
            for p in self.round.shots
        ]

    @property
    def totals(self):
        totals = self.round.totals
        return totals["A"], totals["B"]


def settings_of(folder, **sections):
    """The settings of a table on a free port of this machine; a simulated one unless sections say otherwise."""
    web = {"host": "127.0.0.1", "port": 0}
    return Config.model_validate({"table": {"data": folder}, "web": web, **sections})


@contextmanager
def history_of(journal):
    """The history of a journal, up to date."""
    with closing(Archive(journal)) as archive:
        archive.upkeep.catch_up()
        yield archive


def kinds(events):
    return [event.kind for event in events]
