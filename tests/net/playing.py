"""Makes the inputs of matches: simulated players play, a scorer corrects at random, and what the table gets is kept."""

import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.rules.conduct import CONDUCTS
from controller.simulation.plan import COLOURS, SIDES, MatchPlan, plans
from controller.simulation.setting import RulesUmpire, corrected_match
from controller.vision.watching.observations import BoardRead, Observation
from hardware.simulated.faults import PEOPLE
from hardware.simulated.scene import CorrectedMatch
from hardware.simulated.table import SimulatedTable
from tests.controller.evening import SIDE, STEP, Onlooker
from tests.net.table import Step, Table

BY_CAMERA = 70
BY_HAND = 30
LONGEST = 600.0  # s of a match
LOCKOUT = 0.02  # s after a change in which the sensor reports no other
FAULTS = {*PEOPLE, "bounce", "missed-edge", "stuck", "dead-sensor"}  # those that a table without pictures has
REARRANGES = {
    "undo",
    "redo",
    "confirm",
    "end_round",
    "enter_round",
    "time_out",
    "answer",
    "correct_twenties",
    "correct_round",
    "award",
    "correct_disc",
    "add_shot",
    "correct_shot",
    "overrule_shot",
    "annul_shot",
    "turn_seats",
}
"""The commands after which players arrange the discs as the table shows them."""


def matches(seed: int) -> Iterator[tuple[str, list[Step]]]:
    """The name of each match, and its inputs."""
    for plan in by_camera(seed):
        yield f"{plan.title}-by-camera", _made(plan.seed, plan)
    for plan in plans(BY_HAND, "all", seed + 1):
        yield f"{plan.title}-by-hand", _made(plan.seed, plan, by_hand=True)


def by_camera(seed: int) -> list[MatchPlan]:
    """Every rule set with every kind of format and number of players, in turn; and the official games in full."""
    official = [MatchPlan(BY_CAMERA - n, seed + n, id_) for n, id_ in ((2, "nca"), (1, "wcc"))]
    return [*plans(BY_CAMERA - len(official), "all", seed, ("random",)), *official]


def _made(seed: int, plan: MatchPlan, by_hand: bool = False) -> list[Step]:
    with TemporaryDirectory(prefix="crokinole-net-") as folder:
        evening = ByHand(Path(folder), seed, plan) if by_hand else ByCamera(Path(folder), seed, plan)
        evening.play()
        evening.table.close()
        return evening.steps


class _Evening:
    """One match at a table, whose inputs are noted."""

    def __init__(self, folder: Path, seed: int, plan: MatchPlan) -> None:
        self.dice = random.Random(seed)
        self.plan = plan
        self.steps: list[Step] = []
        self.table = Table(folder)
        self.t = 0.0

    @property
    def now(self) -> Any:
        """The match as a page has it."""
        return self.table.document["match"]

    def give(self, kind: str, value: Any) -> bool:
        """Let the table take a step; whether it was not refused."""
        step = [round(self.t, 2), kind, value]
        self.steps.append(step)
        return "refused" not in self.table.take(step)

    def do(self, **command: Any) -> bool:
        if len(self.steps) > 9 and self.dice.random() < 0.1:
            command["seen"] = f"$seen {self.dice.randrange(6)}"
        return self.give("do", command)

    def clocks(self) -> list[dict[str, Any]]:
        """What people do with the clocks."""
        timer = self.dice.choice(("round", "match"))
        seconds = self.dice.choice((30, 60, 300))
        return [
            {"do": "set_timer", "timer": timer, "seconds": seconds, "on_first_shot": self.dice.random() < 0.5},
            {"do": "set_timer", "timer": timer, "seconds": seconds, "running": True},
            {"do": "run_timer", "timer": timer, "running": self.dice.random() < 0.5},
            {"do": "correct_timer", "timer": timer, "left": seconds // 2},
            {"do": "remove_timer", "timer": timer},
        ]

    def names(self) -> list[dict[str, Any]]:
        """What people do with names and whole matches."""
        names = [seat["player"] for side in self.now["sides"] for seat in side["seats"]]
        return [
            {"do": "rename_player", "name": self.dice.choice(names), "to": "Player 9"},
            {"do": "rename_player", "name": names[0], "to": names[-1]},
            {"do": "merge_players", "name": names[-1], "to": "Player 9"},
            {"do": "undo_naming", "event": "$naming 0"},
            {"do": "delete_match", "match": "$match 0"},
            {"do": "delete_match", "match": "$match 0", "deleted": False},
        ]

    def figures(self) -> list[dict[str, Any]]:
        """What people correct in rounds."""
        now, dice = self.now, self.dice
        sides = [side["id"] for side in now["sides"]]
        number = dice.choice([one["number"] for one in now["rounds"]] or [now["round"]["number"]])
        return [
            {"do": "correct_twenties", "round": number, "side": dice.choice(sides), "value": dice.randrange(4)},
            {"do": "correct_round", "round": number, "totals": {side: 5 * dice.randrange(20) for side in sides}},
            {"do": "award", "round": number, "points": {side: dice.randrange(3) for side in sides}},
            {"do": "shoot_out", "twenties": {side: dice.randrange(9) for side in sides}},
            {"do": "end_round"},
            {"do": "time_out"},
            {"do": "enter_round", "totals": {side: 5 * dice.randrange(20) for side in sides}},
        ]


class ByCamera(_Evening):
    """Simulated players under a camera, with a scorer beside them."""

    def play(self) -> None:
        """Play the match; then start another one, and correct the first."""
        self.do(**self.plan.start)
        for quarters in (1, 3) if self.dice.random() < 0.7 else ():
            self.do(do="turn_seats", quarters=quarters)
        self._blind, self._handed = 0.0, 0.0
        self._pin, self._reported, self._since, self._locked = False, False, 0.0, 0.0
        self.umpire = self._umpire()
        faults = frozenset(self.plan.faults) & FAULTS
        self.players = SimulatedTable(self.umpire, seed=self.plan.seed, faults=faults, colours=COLOURS)
        self.players.on_hole(self._hole)
        onlooker = Onlooker(self, self.plan.seed, missed=self.dice.choice((0.0, 0.0, 0.01)))  # type: ignore[arg-type]
        while not self.players.over and self.t < LONGEST:
            self.players.advance(self.players.t + STEP)
            self._settle(self.players.t)
            self.t = self.players.t
            onlooker.look(self.t, self.players.scene())
        self._after()

    def _umpire(self) -> RulesUmpire:
        state = self.table.engine.state
        assert state is not None
        return RulesUmpire(state.game)

    def _corrected(self) -> CorrectedMatch:
        state = self.table.engine.state
        assert state is not None
        self.umpire = RulesUmpire(state.game)
        return corrected_match(self.umpire, state)

    def _hole(self, t: float, level: bool) -> None:
        """A change of the pin, whose bounce the sensor removes."""
        self._settle(t)
        self._pin, self._since = level, t
        self._settle(t)

    def _settle(self, t: float) -> None:
        if self._pin != self._reported and t >= self._locked:
            self.t = max(self._since, self._locked)
            self._reported, self._locked = self._pin, self.t + LOCKOUT
            self.give("hole", int(self._pin))

    def observe(self, observation: Observation) -> None:
        """As the engine's: what the onlooker sees."""
        if self._blind:
            if self.t < self._blind:
                return
            self._blind = 0.0
            self.give("camera", 1)
        if not isinstance(observation, BoardRead):
            self.give(observation.word, None)  # type: ignore[union-attr]
            return
        discs = [
            [SIDE[one.colour], round(one.x, 2), round(one.y, 2), *([one.pose] if one.pose != "flat" else [])]
            for one in observation.reading.discs
        ]
        if discs and self.dice.random() < 0.03:
            self.give("covered", discs[1:])
        self.give("board", discs)
        self._scorer()

    def _scorer(self) -> None:
        """What people do once the board is at rest."""
        dice, now = self.dice, self.now
        if now["questions"] and dice.random() < 0.6:
            n = dice.randrange(len(now["questions"]))
            k = dice.randrange(len(now["questions"][n]["answers"]))
            self._act({"do": "answer", "question": f"$question {n}", "answer": f"$answer {n} {k}"})
        if self._handed and self.t > self._handed:
            self._handed = 0.0
            self._act(dice.choice(({"do": "automatic", "left": self._left()}, {"do": "automatic"}, {"do": "resume"})))
        if dice.random() < 0.1:
            act = dice.choice((self._shots, self._shots, self._shots, self.figures, self.clocks, self._table))()
            if self._act(dice.choice(act)) and dice.random() < 0.3:
                self._act({"do": "undo"})
                if dice.random() < 0.5:
                    self._act({"do": "redo"})
        if dice.random() < 0.02:
            self._trouble()

    def _act(self, command: dict[str, Any]) -> bool:
        done = self.do(**command)
        if done and command["do"] in REARRANGES:
            self.players.follow(self._corrected)
        if command["do"] in ("pause", "manual"):
            self._handed = self.t + self.dice.uniform(10, 40)
        self.players.pause(command["do"] == "pause")
        return done

    def _left(self) -> dict[str, int]:
        """The discs that each side still has to shoot in truth."""
        shot = [one.shot.side for one in self.umpire.match.round.shots]
        return {side: self.umpire.match.terms.discs - shot.count(side) for side in SIDES[self.plan.players]}

    def _trouble(self) -> None:
        what = self.dice.choice(("power", "missed", "camera"))
        self.give(what, 0)
        if what == "camera":
            self._blind = self.t + self.dice.uniform(5, 40)
        elif what == "power":
            self.give("hole", int(self._reported))
            self.give("power", 1)

    def _shots(self) -> list[dict[str, Any]]:
        """What people correct in shots and discs."""
        now, dice = self.now, self.dice
        at: dict[str, Any] = {
            "round": now["round"]["number"],
            "shot": max(1, now["round"]["shots"] - dice.randrange(4)),
        }
        lying = dice.choice(now["discs"]) if now["discs"] else {"id": "a1", "x": 80.0, "y": 20.0}
        place = [round(lying["x"] + dice.uniform(-9, 9), 1), round(lying["y"] + dice.uniform(-9, 9), 1)]
        side = now["round"]["to_shoot"] or "A"
        return [
            {"do": "correct_disc", "disc": lying["id"], "zone": dice.choice((20, 15, 10, 5, 0, "remove"))},
            {"do": "correct_disc", "disc": lying["id"], "at": place},
            {"do": "correct_disc", "disc": lying["id"], "zone": dice.choice((15, 10)), **at},
            {"do": "correct_shot", **at, "valid": dice.random() < 0.5},
            {"do": "overrule_shot", **at, "valid": dice.choice((True, False, None))},
            {"do": "annul_shot", **at},
            {"do": "add_shot", "side": side, "at": dice.choice((place, "hole", "ditch"))},
            {"do": "call_conduct", "side": side, "conduct": dice.choice(CONDUCTS), **dice.choice((at, {}))},
            {"do": "undo"},
        ]

    def _table(self) -> list[dict[str, Any]]:
        """What people do with the table."""
        return [
            *self.names(),
            {"do": "pause"},
            {"do": "manual"},
            {"do": "manual"},
            {"do": "confirm"},
            {"do": "check_board"},
            {"do": "turn_seats", "quarters": self.dice.randint(1, 3)},
            {"do": "count", "round": self.now["round"]["number"], "side": "A", "points": 20},
        ]

    def _after(self) -> None:
        """The scorer ends the match, if the table has missed something, and starts another one."""
        self.t += 20
        for question in range(len(self.now["questions"]))[:2]:
            self.do(do="answer", question="$question 0", answer=f"$answer 0 {question % 2}")
        for _ in range(8):
            if not self.now["over"] and not self.do(do="end_round"):
                self.do(**self.figures()[-1])
        if self.dice.random() < 0.3:
            self.do(do="undo")
            self.do(do="redo")
        if self.dice.random() < 0.5:
            self.do(**self.plan.start)
            if self.do(**self.dice.choice(self.figures()), match="$match 0"):
                self.do(do="undo", match="$match 0")
            if self.dice.random() < 0.5:
                self.do(do="undo")


class ByHand(_Evening):
    """Players who count by hand."""

    def play(self) -> None:
        """Play until the match is over."""
        dice = self.dice
        start = {**self.plan.start, "manual": True}
        if dice.random() < 0.3:
            start["format"] = {"kind": "rounds", "rounds": 2, "tie": dice.choice(("shoot_out", "twenties", "round"))}
        self.do(**start)
        for _ in range(12):
            if self.now["over"]:
                break
            self._round()
            if dice.random() < 0.5:
                self._pause()
                self.do(**dice.choice((*self.figures(), {"do": "undo"}, {"do": "undo"})))
            if dice.random() < 0.2:
                self.do(do="redo")
        if self.do(**dice.choice(self.figures())) and dice.random() < 0.5:
            self.do(do="undo")
        self.do(do="rename_player", name="Black", to="Player 9")
        for command in dice.sample(self.names(), 3):
            self.do(**command)

    def _pause(self) -> None:
        self.t += self.dice.uniform(2, 40)

    def _round(self) -> None:
        dice = self.dice
        number, sides = self.now["round"]["number"], [side["id"] for side in self.now["sides"]]
        way = dice.choice(("agree", "agree", "enter_round", "win_round"))
        points = (20,) if way == "win_round" else (20, 15, 10, 5)
        for _ in range(dice.randrange(2, 9)):
            self._pause()
            self.do(do="count", round=number, side=dice.choice(sides), points=dice.choice(points))
            if dice.random() < 0.1:
                self.do(do="undo", event=f"$counted {dice.choice(sides)} 0")
            if dice.random() < 0.05:
                self.do(do="undo")
            if dice.random() < 0.1:
                self.do(**(dice.choice(self.clocks()) if self.now["timers"] else self.clocks()[0]))
        twenties = {side["id"]: side["twenties"] for side in self.now["sides"]}
        totals = {side["id"]: side["by_hand"] for side in self.now["sides"]}
        self._pause()
        if way == "win_round":
            self.do(do=way, round=number, winner=dice.choice((*sides, None)), twenties=twenties)
        elif way == "enter_round":
            more = {side: total + 5 for side, total in totals.items()}
            self.do(do=way, totals=more, **({"twenties": twenties} if dice.random() < 0.5 else {}))
        if self.now["round"]["number"] == number and not self.now["over"]:
            self.do(do="agree", round=number, totals=totals, twenties=twenties)
        if self.now["round"]["number"] == number and not self.now["over"]:
            self.do(do="shoot_out", twenties={side: dice.randrange(5) for side in sides})
