"""A club's hub that gets the taps of an evening, step by step, and shows what people see. As with `tests.net.table`,
the steps hang on no class of the program.

A step is a list: who, and what.

    add       a board's name; `by_hand` if it has no hardware
    begin     what the organiser begins an evening with: title, format, players, boards by name
    desk      the organiser's actions, as the page posts them: planned, then confirmed
    late      players who come later, as the organiser pastes them
    table     a table's name, and: `play` its match with these rounds [totals, twenties] as far as they go; `undo` its
              last step; `set back`: its journal is restored to what it was so many events ago; `away`, `back`
    board     the name of a board without hardware, and a command of a phone that scanned its code
    claim     a board, 0 or 1 for the side of its match that enters a result on a phone, the phone, points, twenties
    hub       `restart`, `copy` or `set back`, to the copy

In values, `$at Table 1` is the match that is played or comes next there, `$lately Table 1` the one before, and `$sides
Table 1`, `$former Table 1` their sides; `$assignment Board 3` is what its page begins a match with, `$totals Board 3`
and `$twenties Board 3` what was counted there. The board `#1` is the second of those that have a match. `$player
Player 1`, `$board Table 1`, `$round 2` are ids, `$entry 0` the newest entry of the log, `$left 0` the first report
that does not count, `$aside 0` the first of the log."""

import json
import shutil

from controller.club.desk import Desk
from controller.club.store import ClubStore
from tests.controller.club.a_club import CLUB, a_hub, assign, send, undo
from tests.controller.club.simulated_table import SimulatedClubTable
from web_ui.club import create_club_app
from web_ui.club.parts import club_parts

FILES = ("standings.csv", "matches.csv")


class Nothing(Exception):
    """A reference refers to nothing."""


class Club:
    """A hub without tables."""

    def __init__(self, folder):
        self._folder = folder
        self._database = folder / "club.sqlite"
        self._tables = {}
        self._away = set()
        self._at = {}  # by board, its match now
        self._lately = {}  # and the one before
        self._evening = ""
        self._open()

    def _open(self):
        self._store = ClubStore.open(f"sqlite:///{self._database}", CLUB)
        self._hub = a_hub(self._store)
        self._office = Desk(self._hub, "Our club")
        self._app = create_club_app(self._office)
        self._desk = self._app.test_client()
        self._token = {"X-CSRF-Token": self._desk.post("/api/session", json={}).json["token"]}
        self._phones = {}

    def close(self):
        self._store.close()

    def take(self, step):
        """Carry out one step; what people see after it."""
        who, *what = step
        try:
            said = getattr(self, f"step_{who}")(*what)
        except Nothing:
            said = "There is nothing to refer to."
        for table in self._tables:
            self._send(table)
        self._see()
        evening = self._now
        for board in evening["boards"]:
            before = self._at.get(board["name"])
            if before and (board["now"] is None or board["now"]["match"] != before["match"]):
                self._lately[board["name"]] = before
            self._at[board["name"]] = board["now"]
        return shown(evening, self._at_desk) | ({"said": said} if said else {})

    def _see(self):
        """Look at the hall's and the desk's page."""
        self._hub.refresh()
        self._office.showing.show()
        self._now, self._at_desk = self._get("/api/evening"), self._get("/api/desk")

    def _get(self, path):
        return json.loads(self._desk.get(path).data)

    def _post(self, path, body, client=None):
        """The answer, and its error."""
        answer = (client or self._desk).post(path, json=body, headers=self._token if client is None else {})
        return answer.json, answer.json.get("error")

    # --- who does something; what is answered, if that is not just the evening

    def step_add(self, name, by_hand):
        answer, error = self._post("/api/tables", {"name": name, "by_hand": by_hand})
        if not by_hand and not error:
            self._tables[name] = SimulatedClubTable(answer["id"], seed=1)
        return error

    def step_begin(self, body):
        self._evening = f"{len(self._get('/api/evenings')['evenings']) + 1:08x}"
        boards = [self._resolved(f"$board {name}") for name in body["boards"]]
        return self._post("/api/begin", {**body, "boards": boards, "id": self._evening})[1]

    def _desk_does(self, wanted):
        plan, error = self._post("/api/plan", wanted)
        if error:
            return error
        seen = [[one["words"] for one in plan["changes"]], plan["notes"], plan["places"]]
        return [seen, self._post("/api/confirm", {"actions": plan["actions"], "token": plan["token"]})[1]]

    def step_desk(self, actions):
        return self._desk_does({"actions": [self._resolved(action) for action in actions]})

    def step_late(self, players):
        return self._desk_does({"players": players})

    def step_board(self, name, command):
        path = f"/api/board/{self._resolved(f'$board {name}')}/{self._resolved(f'$code {name}')}"
        return self._post(path, self._resolved(command), self._phone("board"))[1]

    def step_claim(self, board, side, phone, points, twenties):
        by = self._resolved(f"$sides {board}")[side]
        body = {"code": self._resolved(f"$code {board}"), "by": by, "points": points, "twenties": twenties}
        return self._post(f"/api/matches/{self._resolved(f'$at {board}')}/claim", body, self._phone(phone))[1]

    def _phone(self, name):
        return self._phones.setdefault(name, self._app.test_client())

    def step_hub(self, what):
        self._store.close()
        copy = self._folder / "copy.sqlite"
        if what != "restart":
            shutil.copyfile(*((self._database, copy) if what == "copy" else (copy, self._database)))
        self._open()

    def step_table(self, name, what, value=None):
        table = self._tables[name]
        match what:
            case "play":
                table.begin()
                for totals, twenties in value:
                    if table.playing:
                        table.enter(*(dict(zip("AB", figures, strict=True)) for figures in (totals, twenties)))
            case "undo":
                undo(table)
            case "set back":
                del table.events[-value:], table.history[-value:]
            case "away":
                self._away.add(name)
            case "back":
                self._away.discard(name)

    def _send(self, name):
        """A table and the hub say to each other what they have to."""
        if name not in self._away:
            table = self._tables[name]
            self._hub.heard(table.id)
            assign(self._hub, {table.id: table})
            send(self._hub, table)

    def _code(self, board):
        with self._app.app_context():
            return club_parts().desk.board_code(board)

    # --- references

    def _resolved(self, value):
        if isinstance(value, dict):
            return {name: self._resolved(one) for name, one in value.items()}
        if isinstance(value, list):
            return [self._resolved(one) for one in value]
        if not (isinstance(value, str) and value.startswith("$")):
            return value
        kind, _, name = value.partition(" ")
        try:
            return self._reference(kind, name)
        except (LookupError, StopIteration, TypeError) as error:
            raise Nothing(value) from error

    def _reference(self, kind, name):
        evening, desk = self._now, self._at_desk
        playing = {board["name"]: board["now"] for board in evening["boards"] if board["now"]}
        now = [*playing.values(), None][int(name[1:])] if name.startswith("#") else playing.get(name)
        match kind:
            case "$at" | "$sides" | "$assignment":
                member = {"$at": "match", "$sides": "entrants"}.get(kind, "assignment")
                return now[member]
            case "$lately" | "$former":
                return self._lately[name]["match" if kind == "$lately" else "entrants"]
            case "$totals" | "$twenties":
                member = "by_hand" if kind == "$totals" else "twenties"
                return {side["id"]: side[member] for side in now["pads"]["sides"]}
            case "$player":
                return next(one["id"] for one in evening["players"] if one["name"] == name)
            case "$code":  # what a phone scans at the board
                boards = [board["id"] for board in evening["boards"] if now and board["now"] == now]
                return self._code((boards or [self._reference("$board", name)])[0])
            case "$board":
                return next(one["id"] for one in desk["tables"] if one["name"] == name)
            case "$round":
                rounds = self._get(f"/api/evenings/{self._evening}")["rounds"]
                return next(one["id"] for one in rounds if one["number"] == int(name))
            case "$entry":
                return sorted(one["number"] for one in desk["log"])[-1 - int(name)]
            case "$aside" | "$left":
                return _left_out(desk, in_log=kind == "$aside")[int(name)]["source"]
        raise ValueError(f"{kind} is no reference")

    def end(self):
        """What is left of the evening: its report, and its files."""
        report = self._get(f"/api/evenings/{self._evening}")
        rounds = [
            [one["number"], one["names"], [[*_match(each), each["rounds"]] for each in one["matches"]], one["byes"]]
            for one in report["rounds"]
        ]
        files = {name: self._desk.get(f"/evenings/{self._evening}/{name}").text for name in FILES}
        return {"rounds": rounds, "standings": [list(row.values()) for row in report["standings"]], **files}


def shown(evening, desk):
    """What people see in the hall, on their phones and at the desk."""
    return {
        "evening": [
            evening[name] for name in ("title", "round", "open", "stages", "round_names", "finished", "closed")
        ],
        "standings": [
            [row[name] for name in ("place", "name", "here", "matches", "byes", "points", "twenties", "all_twenties")]
            for row in evening["standings"]
        ],
        "matches": [_match(one) for one in evening["matches"]],
        "byes": evening["byes"],
        "podium": [[one[name] for name in ("place", "name", "won", "twenties")] for one in evening["podium"]],
        "bracket": [[list(slot.values()) for slot in slots] for slots in evening["bracket"]],
        "boards": [_board(one) for one in evening["boards"]],
        "warnings": evening["warnings"],
        **{
            part: [[one[name] for name in ("names", "figures", "why", "instead")] for one in _left_out(desk, in_log)]
            for part, in_log in (("left out", False), ("set aside", True))
        },
        "tied": [[one["place"], [each["name"] for each in one["entrants"]]] for one in desk["tied"]],
        "log": [[one["who"], one["undone"], one["changes"]] for one in desk["log"][:15]],
        "again": desk["again"] is not None,
    }


def _left_out(desk, in_log):
    return [one for one in desk["left_out"] if (one["entry"] is not None) is in_log]


def _match(one):
    claim = one["claim"] and [one["entrants"].index(one["claim"]["by"]), one["claim"]["points"]]
    return [*(one[name] for name in ("names", "word", "points", "twenties", "name", "won", "total")), claim]


def _board(board):
    now = board["now"]
    playing = now and [now[name] for name in ("names", "name", "started", "over", "score", "twenties", "round", "of")]
    return [*(board[name] for name in ("name", "by_hand", "works", "troubles")), playing, board["waiting"]]
