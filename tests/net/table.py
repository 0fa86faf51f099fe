"""A table that gets the inputs of a match, step by step, and shows what people see. Inputs hang on no class of the
program; this runner changes with the program, the inputs do not.

A step is a list: seconds, kind, value.

    hand, moving, still     what the camera saw
    board     the discs at rest, each as side, x and y in mm, pose unless it is flat
    covered   the same, while something hides a part of the board
    hole      the level at the 20 hole's sensor: 1 with a disc
    missed    the sensor's changes were lost
    camera    0: the camera is lost; 1: it is back
    power     0: off; 1: on. While it is off, only the level at the hole changes.
    do        a command, as a page posts it. In it, `$question 0` is the first open question, `$answer 0 1` its second
              answer, `$counted A 0` the first disc that was counted for A, `$match 0` the first match of the table,
              `$naming 0` the first renaming of a player, `$seen 3` the state that a page had three steps ago."""

import json
import re

from controller.errors import ControllerError
from controller.journal import Journal
from controller.messages import encoded
from controller.table.engine import Engine
from controller.vision.readings import BoardReading
from controller.vision.watching.observations import BoardRead, GateChanged
from hardware.devices import HoleEvent
from tests.controller.fed_table import NOTHING, disc, history_of

GATE = ("hand", "moving", "still")

WRONG = "Something went wrong; check the score."
DAWN = 1_800_000_000.0  # s since 1970: the time of day when the inputs begin


class Table:
    """A table with an empty journal."""

    def __init__(self, folder):
        self._path = folder / "journal.sqlite"
        self._t = 0.0
        self._level = False
        self._states = [0]
        self._refusal = None
        self._shown = {}
        self.matches = []
        self._switch(True)

    @property
    def document(self):
        """What a page gets now, in English."""
        return json.loads(encoded(self.engine.snapshot))

    def close(self):
        if self.journal is not None:
            self._switch(False)

    def _switch(self, on):
        if not on:
            self.journal.close()
            self.journal = None
            return
        self.journal = Journal(self._path)
        self.engine = Engine(
            self.journal, wall=lambda: DAWN + self._t, steady=lambda: self._t, level=lambda: self._level
        )

    def take(self, step):
        """Carry out one step; what people see after it."""
        self._t, kind, value = step
        self._refusal = None
        if kind in GATE and self.journal is not None:  # changes nothing but the status
            self.engine.observe(GateChanged(self._t, kind))
            return self._shown
        if kind == "power":
            self._switch(bool(value))
        elif kind == "hole" and self.journal is None:
            self._level = bool(value)
        elif self.journal is not None:
            self.engine.time_is_up()
            try:
                self._take(kind, value)
            except Exception as error:  # as the engine's thread, which goes on
                said = str(error) if isinstance(error, ControllerError) else WRONG
                self._refusal = re.sub(r"\b\d\d:\d\d\b", "hh:mm", said)  # the time of day hangs on the zone
        document = self.document
        self._states.append(document["id"])
        if (match := document["match"]) and match["id"] not in self.matches:
            self.matches.append(match["id"])
        self._shown = shown(document)
        return self._shown | ({"refused": self._refusal} if self._refusal else {})

    def _take(self, kind, value):
        match kind:
            case "board" | "covered":
                reading = BoardReading(tuple(disc(*one) for one in value), kind == "covered", 0.0, self._t)
                self.engine.observe(BoardRead(self._t, reading, NOTHING))
            case "hole":
                self._level = bool(value)
                self.engine.hole_changed(HoleEvent(self._t, self._level))
            case "missed":
                self.engine.hole_changed(HoleEvent(self._t, self._level, missed=2))
            case "camera":
                self.engine.camera_changed(lost=not value)
            case "do":
                self._command(value)
            case _:
                raise ValueError(f"{kind} is no kind of step")

    def _command(self, command):
        try:
            command = self._resolved(command)
        except IndexError:
            self._refusal = "There is nothing to refer to."
            return
        if command["do"] == "merge_players":
            if not self.journal.players.names().knows(command["to"]):  # a page merges with somebody who has played
                self._refusal = f"Nobody called {command['to']} has played at this table."
                return
            command = {**command, "do": "rename_player", "merge": True}
        self.engine.command({**today(command), "by": "phone", "who": ""})

    def _resolved(self, value):
        if isinstance(value, dict):
            return {name: self._resolved(one) for name, one in value.items()}
        if not (isinstance(value, str) and value.startswith("$")):
            return value
        name, *where = value.split()
        match self.document["match"], name, where:
            case now, "$question", [n]:
                return now["questions"][int(n)]["id"]
            case now, "$answer", [n, k]:
                return now["questions"][int(n)]["answers"][int(k)]["id"]
            case now, "$counted", [id_, k]:
                return next(side for side in now["sides"] if side["id"] == id_)["counted"][int(k)]["id"]
            case _, "$naming", [n]:
                with history_of(self.journal) as archive:
                    return archive.players().changes[int(n)].id
            case _, "$match", [n]:
                return self.matches[int(n)]
            case _, "$seen", [n]:
                return self._states[-1 - int(n)]
        raise ValueError(f"{value} is no reference")

    def end(self):
        """What the history shows of each match."""
        with history_of(self.journal) as archive:
            matches = [of_history(whole(archive, number)) for number in self.matches]
        return {f"{part} of match {n}": what for n, match in enumerate(matches, 1) for part, what in match.items()}


def today(command):
    """A command of the inputs as it is sent today."""
    rest = dict(command)
    match rest.pop("do"):
        case "annul_shot":
            return {**rest, "do": "correct_shot", "annulled": True}
        case "overrule_shot":
            agreed = {True: "valid", False: "foul", None: "by_rules"}
            instead = agreed[rest.pop("valid")]
            return {**rest, "do": "correct_shot", "agreed": instead}
        case "correct_twenties":
            twenties = {rest.pop("side"): rest.pop("value")}
            return {**rest, "do": "correct_round", "twenties": twenties}
        case "award":
            return {**rest, "do": "correct_round"}
        case "enter_round":
            return {**rest, "do": "end_round"}
        case "run_timer" | "correct_timer":
            return {**rest, "do": "set_timer"}
    return command


def whole(archive, number):
    """A match with all its shots, which the history has page by page."""
    match = json.loads(encoded(archive.match(number)))
    after = match["next"]
    while after is not None:
        page = json.loads(encoded(archive.match(number, after)))
        match["shots"] += page["shots"]
        after = page["next"]
    return match


def shown(document):
    """What people see at the table and on their phones."""
    now = document["match"]
    if now is None:
        return {}
    call = now["last_call"] or {}
    return {
        "rules": [now["rules_name"], now["format_text"], now["over"], now["winner"], now["manual"], now["uncleared"]],
        "sides": {
            side["name"]: [
                side["score"],
                side["total"],
                side["total_range"],
                side["twenties"],
                side["match_twenties"],
                side["by_hand"],
                [one["points"] for one in side["counted"]],
                side["shots_left"],
            ]
            for side in now["sides"]
        },
        "round": [now["round"][name] for name in ("number", "of", "player", "shots", "time_called", "end")],
        "rounds": [_round(one) for one in now["rounds"]],
        "board": sorted([[one["id"], one["zone"], one["call"], one["remove"]] for one in now["discs"]]),
        "strangers": len(now["strangers"]),
        "call": [call.get(name) for name in ("text", "why", "valid", "played_as", "discs")],
        "says": [now["next_step"], now["situation"]],
        "questions": [
            [one["kind"], one["text"], one["pressing"], [[each["text"], each["effect"]] for each in one["answers"]]]
            for one in now["questions"]
        ],
        "undo": [now["can_undo"], now["undo_asks"], now["can_redo"]],
        "clocks": [[one["timer"], one["word"], one["left"], one["ends"], one["text"]] for one in now["timers"]],
        "conduct": [one["text"] for one in now["conduct"]],
        "amended": [one["text"] for one in now["amended"]],
    }


def _round(one):
    return [one[name] for name in ("number", "starter", "totals", "twenties", "awarded", "corrected")]


def of_history(match):
    """What the history shows of a match."""
    return {
        "over": [match["over"], match["winner"], match["deleted"]],
        "sides": [[side["name"], side["players"], side["score"], side["twenties"]] for side in match["sides"]],
        "rounds": [_round(one) for one in match["rounds"]],
        "shots": [
            [
                one["round"],
                one["disc"],
                one["player"],
                one["valid"],
                one["by_rules"],
                one["call"],
                one["removed"],
                one["twenties"],
                one["totals"],
                one["score"],
                one["doubt"],
                one["annulled"],
                one["corrected"],
                one["amended"],
                one["conduct"],
                one["kinds"],
                [_asked(each) for each in one["questions"]],
            ]
            for one in match["shots"]
        ],
        "notes": [one["text"] for one in match["notes"]],
        "changes": [[one["kind"], one["text"], one["undone"]] for one in match["changes"]],
    }


def _asked(question):
    return [question[name] for name in ("kind", "text", "answer", "note")]
