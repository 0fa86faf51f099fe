"""A table in memory, which shows what a test likes."""

import copy
import json
import threading
import time
from functools import cache, cached_property, wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import get_args

import numpy as np
from pydantic import TypeAdapter, validate_call

from controller.errors import Refused
from controller.journal import TokenTable
from controller.match.commands import parse_command
from controller.match.discs import disc_name
from controller.messages import encoded
from controller.table.setup.setup_service import OF_EVERY_COMMAND, SETUP_COMMANDS, SetupService
from controller.views.history import Archive
from controller.views.schema import State, StepId
from hardware.pictures import encode
from tests.controller.fed_table import ReadTable
from tests.web_ui.played_table import PlayedTable, health

READ = TypeAdapter(State)
"""Reads a state as pages get it."""
PICTURE = encode(np.full((48, 64, 3), 128, np.uint8))
"""A small grey picture, as JPEG."""


def wandering():
    """Six pictures in which a bright square wanders to the right."""
    jpegs = []
    for k in range(6):
        grey = np.full((48, 64), 60, np.uint8)
        grey[16:32, 8 * k : 8 * k + 16] = 230
        jpegs.append(encode(grey, 90))
    return jpegs


def clip():
    """A clip of these pictures, a tenth of a second from one to the next."""
    jpegs = wandering()
    about = {"schema": "clip/1", "width": 64, "height": 48, "t": [k / 10 for k in range(6)]}
    return json.dumps(about | {"bytes": [len(jpeg) for jpeg in jpegs]}).encode() + b"\n" + b"".join(jpegs)


KEPT = []  # the folders of real tables
PLAYERS = [{"name": f"Player {n}", "colour": colour} for n, colour in ((1, "black"), (2, "natural"))]
DAY = 1_778_068_800.0  # s since 1970: noon of 2026-05-06, UTC


class RealTable(ReadTable):
    """A real table on that day."""

    def __init__(self, **start):
        KEPT.append(TemporaryDirectory())
        super().__init__(Path(KEPT[-1].name), sides=PLAYERS, **start)

    def _open(self):
        self.t = DAY
        super()._open()
        self.engine.rename("Table 4")


@cache
def begun():
    """The state of a real table before the first shot of a match."""
    return encoded(RealTable(discs=12).engine.snapshot)


def archive():
    """What a real table keeps of four matches, of which Player 1 won both, and Player 4 none."""
    table = RealTable(manual=True)
    for k, (winner, loser) in enumerate(((1, 2), (3, 4), (1, 4), (2, 3))):
        if k:
            sides = [{**side, "name": f"Player {n}"} for side, n in zip(PLAYERS, (winner, loser), strict=True)]
            table.do("start", rules="nca", sides=sides, manual=True)
        for _ in range(4):
            table.do("end_round", totals={"A": 70, "B": 55}, twenties={"A": 1, "B": 1})
    found = Archive(table.journal)
    found.upkeep.catch_up()
    return found


def _side(id, **more):
    own = next(side for side in json.loads(begun())["match"]["sides"] if side["id"] == id)
    rest = {"by_hand": 20 * more.get("twenties", 0), "shoots": False, "hammer": False}
    return own | rest | more


def _disc(id, x, y, zone, **more):
    return {
        "id": id,
        "side": id[0].upper(),
        "name": str(disc_name(id, f"Player {'abcd'.index(id[0]) + 1}")),
        "x": x,
        "y": y,
        "zone": zone,
        "pose": "flat",
        "call": "sure",
        "clearance": 12.0,
        "sigma": 0.3,
        "remove": None,
        "at_line": True,
        "removal": None,
        **more,
    }


def _finished(number, starter, **counted):
    """A finished round; the figures of A and B by name."""
    by_side = {name: dict(zip("AB", both, strict=True)) for name, both in counted.items()}
    ranges = {side: [total, total] for side, total in by_side["totals"].items()}
    return {"number": number, "starter": starter, **by_side, "corrected": False, "ranges": ranges}


def no_match():
    """The service has just started."""
    status = {"word": "no_match", "text": "Start a match from a phone."}
    return start() | {"id": 1, "status": status, "match": None}


def start():
    """A match before its first shot."""
    state = json.loads(begun())
    state["match"] |= {"can_undo": None, "next_step": "Player 1 shoots first."}
    return state | {"id": 2, "table": {"name": "Table 4", "simulated": True}}


FOUL = {
    "text": "Foul: no contact.",
    "valid": False,
    "side": "A",
    "shot": 11,
    "rule": "opponent_contact",
    "by_rules": False,
    "played_as": None,
    "why": ["Foul: no opponent's disc was hit.", "Off, for the foul: Player 1's third disc."],
    "discs": ["a3"],
    "named": ["a3"],
    "corrections": [
        {"text": "It was valid", "command": {"valid": True}, "reverses": True},
        {"text": "Play it as valid by agreement", "command": {"agreed": "valid"}, "reverses": False},
    ],
}
"""The last call of a shot that the rules call a foul."""


def mid_round():
    """The third round, with a close call, a foul disc and one that left the board."""
    state = start() | {"id": 57}
    state["match"] |= {
        "next_step": "Take off the marked disc, then Player 2 shoots.",
        "situation": "Player 2 leads by 25 and has the hammer, Player 1 has 6 shots and Player 2 7.",
        "sides": [
            _side("A", score=3, total=40, total_range=[40, 40], twenties=1, match_twenties=4, shots_left=6),
            _side(
                "B",
                score=1,
                total=65,
                total_range=[65, 65],
                twenties=2,
                match_twenties=3,
                shots_left=7,
                shoots=True,
                hammer=True,
            ),
        ],
        "round": {
            "number": 3,
            "of": 4,
            "starter": "A",
            "to_shoot": "B",
            "seat_to_shoot": 3,
            "player": "Player 2",
            "shots": 11,
            "time_called": False,
            "end": None,
        },
        "rounds": [
            _finished(1, "A", totals=(85, 60), twenties=(2, 1), awarded=(2, 0)),
            _finished(2, "B", totals=(45, 45), twenties=(1, 0), awarded=(1, 1)) | {"corrected": True},
        ],
        "discs": [
            _disc("a1", 62, 40, 15),
            _disc("a2", -150, 88, 10),
            _disc("b1", -64, -46, 15),
            _disc("b2", 30, -178, 10),
            _disc("b3", -228, -96, 5),
            _disc("a3", 205, 196, 0, remove="foul", removal="take it off (foul)"),
            _disc("b4", 64.5, -55, 15, call="close", clearance=0.2, sigma=0.28),
        ],
        "off": [{"id": "a4", "side": "A", "name": "Player 1's fourth disc"}],
        "last_call": copy.deepcopy(FOUL),
        "can_undo": "the last shot of Player 1",
    }
    return state


def amended():
    """A shot is revised, together with the shot that showed it."""
    state = mid_round() | {"id": 60}
    why = "not a foul after all. Player 1's third disc was there all the time."
    told = {"id": 59, "round": 3, "after": 10, "shots": [9], "text": f"Round 3, shot 9: {why}"}
    state["match"]["amended"] = [told | {"id": 40, "after": 5, "shots": [4], "text": "Round 3 was revised."}, told]
    return state


def question():
    """A close call that counts either way."""
    state = mid_round() | {"id": 61, "status": {"word": "check", "text": "A close call needs an answer."}}
    match = state["match"]
    match["sides"][1] |= {"total": 65, "total_range": [60, 65], "shots_left": 7}
    match["last_call"] |= {"text": "Valid.", "why": ["Valid: it hit Player 1's first disc."], "named": ["a1"]}
    match["last_call"] |= {"valid": True, "by_rules": True, "side": "B", "shot": 12, "discs": ["b4"]}
    foul = {"text": "It was a foul", "command": {"valid": False}, "reverses": True}
    match["last_call"] |= {"corrections": [foul]}
    match["discs"][5] = _disc("a3", 205, 96, 5)
    match["next_step"] = "Look at the marked disc and answer."
    match["questions"] = [
        {
            "id": 58,
            "kind": "close_call",
            "round": 3,
            "shot": 7,
            "pressing": True,
            "text": "Does Player 2's disc touch the 15 line?",
            "clearance": 0.2,
            "sigma": 0.28,
            "discs": ["b4"],
            "picture": "q1.jpg",
            "clip": None,
            "answers": [
                {"id": "15", "text": "Clear: 15", "effect": "Player 2 has 65"},
                {"id": "10", "text": "Touches: 10", "effect": "Player 2 has 60"},
                {"id": "unknown", "text": "We don't know", "effect": "The likeliest stands, and it stays open."},
            ],
        }
    ]
    return state


def film(shot, notable=None, of="b4"):
    """The film of a shot of `of` that sends disc a4 off the board; see `mid_round`. It takes 20 s, which no shot does,
    so that a slow machine sees it playing."""
    return {
        "shot": shot,
        "notable": notable,
        "hidden": 0.0,
        "unseen": [],
        "tracks": [
            {
                "disc": of,
                "side": of[0].upper(),
                "began": "flicked",
                "ended": "rest",
                "speed": 1240.0,
                "points": [[0.0, 20.0, 302.0], [5.0, 20.0, 52.0], [20.0, 64.5, -55.0]],
            },
            {
                "disc": "a4",
                "side": "A",
                "began": "struck",
                "ended": "left",
                "speed": 800.0,
                "points": [[5.0, 20.0, 20.0], [10.0, 150.0, -294.0]],
            },
        ],
        "contacts": [{"t": 5.0, "discs": [of, "a4"], "closing": 910.0, "probability": 0.98}],
    }


def four_sides():
    """Four players, each for themselves."""
    state = mid_round() | {"id": 70}
    others = [("C", "Player 3", "red", "#b8322a", 2), ("D", "Player 4", "blue", "#2b5fa8", 4)]
    state["match"]["sides"] += [
        _side("A", discs=6, shots_left=3, total=20, total_range=[20, 20])
        | {"id": id, "name": name, "colour": colour, "swatch": swatch, "seats": [{"seat": seat, "player": name}]}
        for id, name, colour, swatch, seat in others
    ]
    state["match"]["rounds"] = []
    state["match"]["discs"] += [_disc("c1", -40, 150, 10), _disc("d1", 120, 20, 10)]
    state["match"]["strangers"] = [{"x": -200.0, "y": 60.0, "side": None}]
    return state


def over():
    """A match that Player 1 has won."""
    state = mid_round() | {
        "id": 120,
        "status": {"word": "over", "text": "The match is over."},
        "notices": [{"kind": "pictures", "text": "Little room left on the disk: 300 MB. Delete old pictures."}],
    }
    match = state["match"]
    match |= {"over": True, "winner": "A", "next_step": "Player 1 wins 7–1.", "situation": None, "discs": []}
    match["round"] |= {"number": 4, "starter": "B", "shots": 24, "end": "ended"}
    match["round"] |= dict.fromkeys(("to_shoot", "seat_to_shoot", "player"))
    match["rounds"] += [_finished(n, "A", totals=(70, 55), twenties=(1, 1), awarded=(2, 0)) for n in (3, 4)]
    for side, score in zip(match["sides"], (7, 1), strict=True):
        side |= {"score": score, "shots_left": 0, "shoots": False, "hammer": False}
    return state


STATES = {build.__name__: build for build in (no_match, start, mid_round, amended, question, four_sides, over)}


def in_club(state, names=("Player 3", "Player 4")):
    """The same at a table to which its club has assigned another match."""
    first, second = names
    assigned = {
        "assignment": "e1:3.2",
        "rules": "nca",
        "format": start()["match"]["format"],
        "discs": 8,
        "doubles": False,
        "sides": [{"name": first, "colour": "black"}, {"name": second, "colour": "natural"}],
        "seats": {"1": first, "3": second},
        "starter": "A",
    }
    following = {
        "round": 3,
        "text": f"Next: {first} and {second}",
        "start": assigned,
        "details": f"NCA tournament, 4 rounds of 2, 1 and 0; a tie stands. {first} begins.",
    }
    return copy.deepcopy(state) | {"club": {"name": "Our club", "next": following, "taken_back": None}}


class Remembered(dict[str, str]):
    """The facts of a table, in memory."""

    def read(self, name, parse):
        return parse(self[name]) if name in self else None

    def keep(self, name, value):
        self[name] = value

    try_to_keep = keep


class FakeTable:
    """Keeps the promises of `controller.api.Table` for a few commands, and lets a test publish what it likes."""

    pin, rules = PlayedTable.pin, staticmethod(PlayedTable.rules)

    def __init__(self, state=None, picture=PICTURE, clock=time.monotonic):
        """`clock`: by which tokens age."""
        self.state = state or mid_round()
        self.commands = []
        self.lesson = ["", "Put a disc in.", "Take it out.", "Learnt."]
        self.listeners = []
        self.given = []  # of each command: by whom, and on which state
        self.fault = None
        self.tokens = TokenTable(Remembered(), clock)
        self._picture = picture
        self._lock = threading.RLock()

    @cached_property
    def archive(self):
        return archive()

    def snapshot(self):
        with self._lock:
            return READ.validate_python(self.state)

    def clock(self):
        return 1000.0

    def subscribe(self, listener):
        with self._lock:
            self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def publish(self, state=None, /, **changes):
        """Make a new state known: `state`, or the present one, with `changes` in its match."""
        with self._lock:
            number = self.state["id"] + 1
            self.state = copy.deepcopy(state or self.state) | {"id": number}
            if changes:
                self.state["match"] |= changes
            snapshot = self.snapshot()
            for listener in list(self.listeners):
                listener(snapshot)
            return snapshot

    def command(self, command):
        if self.fault:
            raise self.fault
        if (do := command.get("do")) in SETUP_COMMANDS:
            members = {name: value for name, value in command.items() if name not in OF_EVERY_COMMAND}
            validate_call(wraps(getattr(SetupService, do))(lambda *_, **members: None))(self, **members)
        else:
            parse_command(command)
        with self._lock:
            self.given.append({name: command.pop(name, None) for name in ("by", "who", "seen", "key")})
            self.commands.append(command)
            match command:
                case {"do": "start"}:
                    return self.publish(start())
                case {"do": "answer"}:
                    return self.publish(questions=[])
                case {"do": "undo"} if not self.state["match"]["can_undo"]:
                    raise Refused("There is nothing to undo.")
                case {"do": "undo"}:
                    return self.publish(can_undo=None, can_redo="the last shot")
                case {"do": do} if do in SETUP_COMMANDS:
                    return self.publish()
            return self.publish(can_undo="the correction")

    def setup(self, *, devices_only=False):
        figures = [
            {"name": "Tilt", "value": 12.5, "unit": "deg", "good": True, "wanted": "at most 30", "limit": 30},
            {
                "name": "Fit of the lines",
                "value": 0.81,
                "unit": "mm",
                "good": False,
                "wanted": "at most 0.5",
                "limit": 0.5,
            },
        ]
        ids = get_args(StepId)
        steps = [{"id": id, "title": id.title(), "state": "good", "text": "Table 4", "figures": []} for id in ids]
        steps[1] |= {"state": "bad", "figures": figures, "text": "The board was found."}
        steps[2] |= {"pictured": True}
        steps[6] |= {"state": "optional"}
        steps[-1] |= {"state": "optional", "joined": False, "fixed": False}
        if {"do": "learn_sensor"} in self.commands:
            self.lesson = self.lesson[1:] or self.lesson
            steps[4] |= {"text": self.lesson[0], "waits": len(self.lesson) > 1}
        steps = steps[4:7] if devices_only else steps
        return {"schema": "setup/1", "table": "Table 4", "steps": steps}

    def setup_picture(self, *, of_disc=False):
        return self._picture

    def picture(self, name):
        return self._picture if name in ("q1.jpg", "small-q1.jpg") else None

    def clip(self, name):
        return clip() if name == "1-58-58-1.clip" else None

    def health(self):
        return health()
