"""A whole tournament in real processes, all of which are killed: every result counts once. `make test-all`.

The database, two of the hub's programs and six tables' journals, engines and evenings are the real ones. All that can
go wrong does: whoever runs is killed with -9 again and again, one table is off the net until all others have ended
their round, clocks are years apart, old requests come again at any time, and the database is set back to an
earlier copy of itself.

What must come out is added up from the tables' journals alone, as SQLite files, by somebody who knows nothing of hub,
tournament or fold: which sides there were, which rounds stand, who had more in each.

CLUB_SEED=7 plays that one again, as far as processes and their times let it.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from controller.club.hub.evening import EveningChanges
from controller.club.store import ClubStore
from controller.club.tournament.catalogue import event_to_json
from controller.journal import Journal
from controller.match.club import EVENTS, serialize
from controller.table.club.hub import Account, batch_after
from controller.table.club.membership import JOINED
from tests.controller.club import postgres
from tests.controller.club.cable import Cable
from tests.controller.club.table_process import USED_UP
from tests.slow import slow
from tests.waiting import free_port

pytestmark = [
    slow,
    pytest.mark.timeout(900),
]

CLUB, TABLES, PLAYERS, ROUNDS = "our-club", [str(k) for k in range(1, 7)], 12, 5
HUBS = ("hub", "other hub")
PACE = 0.4  # s for a round at a table: the whole evening in two or three minutes
LONGEST = 800.0  # s until the test gives up: ten times as long as it takes on two cores that have nothing else to do
AGREED = 60.0  # s in which both of the hub's programs have to show the same when all is over
KILLED_EVERY = (2.0, 7.0)  # s
VICTIMS = ("hub", "hub", "table", "table", "table")
YEARS = 5 * 365 * 86_400.0  # s that a clock may be off


class Organiser:
    """Somebody at the hub's own screen, who tries again whatever happens."""

    def __init__(self, port):
        self._url = f"http://127.0.0.1:{port}"
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self._token = ""

    def ask(self, path, body=None):
        """The answer; None where there is none, or a refusal."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "X-CSRF-Token": self._token}
        try:
            with self._opener.open(Request(self._url + path, data, headers), timeout=10.0) as answer:
                return json.loads(answer.read())
        except HTTPError as error:
            if error.code == 403:
                self._token = ""
        except (URLError, OSError, ValueError):
            pass
        return None

    def may(self):
        """Whether this session may organise."""
        if not self._token:
            self._token = (self.ask("/api/session", {"who": "organiser"}) or {}).get("token") or ""
        return bool(self._token)

    def do(self, *actions):
        plan = self.ask("/api/plan", {"actions": list(actions)})
        if plan is not None:
            self.ask("/api/confirm", {"actions": plan["actions"], "token": plan["token"]})


class Programs:
    """All that runs, by name."""

    def __init__(self, folder, database, seed):
        self.folder, self.seed, self.dice = folder, seed, random.Random(seed)
        self.web = {name: free_port() for name in HUBS}
        self.cables = {name: Cable(self.web[HUBS[k % 2]]) for k, name in enumerate(TABLES)}
        self.clocks = {name: self.dice.uniform(-YEARS, YEARS) for name in TABLES}
        self.running = {}
        (folder / "club.toml").write_text(
            f'[club]\nid = "{CLUB}"\nname = "Our club"\ndata = "{folder / "hub"}"\ndatabase = "{database}"\n'
            '[web]\nhost = "127.0.0.1"\n'
        )
        for name in HUBS:
            self.begin_hub(name)
        self.codes = {}
        for name in TABLES:
            (folder / name).mkdir()

    def _begin(self, name, *arguments):
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen([sys.executable, "-m", *arguments], stdout=log, stderr=log)

    def begin_hub(self, name):
        config = self.folder / "club.toml"
        self._begin(name, "controller.cli", "club", "--config", config, "--port", str(self.web[name]))

    def begin_table(self, name):
        hub = f"http://127.0.0.1:{self.cables[name].port}"
        known = (self.folder / name, hub, self.codes[name], str(self.seed), str(self.clocks[name]), str(PACE))
        self._begin(name, "tests.controller.club.table_process", *known)

    def kill(self, name):
        self.running[name].kill()
        self.running[name].wait()

    def close(self):
        for name in self.running:
            self.kill(name)
        for cable in self.cables.values():
            cable.close()


class Echo:
    """Says old requests of tables again, with their own tokens."""

    def __init__(self, programs):
        self._programs, self._dice = programs, programs.dice
        self.said = 0

    def say_again(self):
        """Some batch of a journal of before, to either of the hub's programs."""
        name = self._dice.choice(TABLES)
        path = self._programs.folder / name / "journal.sqlite"
        if not path.exists():
            return
        copy = self._programs.folder / "echo.sqlite"
        with closing(sqlite3.connect(path)) as of, closing(sqlite3.connect(copy)) as to:
            of.backup(to)
        with closing(Journal(copy)) as journal:
            account = journal.facts.read(JOINED, Account.model_validate_json)
            if account is None or journal.last() == 0:
                return
            batch = batch_after(journal, self._dice.randrange(journal.last() + 1), account.begins, None)
        port = self._programs.web[self._dice.choice(HUBS)]
        headers = {"Authorization": f"Bearer {account.token}"}
        with suppress(URLError, OSError):
            build_opener().open(Request(f"http://127.0.0.1:{port}{EVENTS}", serialize(batch), headers), timeout=10.0)
            self.said += 1


def on_paper(folder):
    """Points and twenties by name, and how many matches are over, as the tables' journals alone tell them."""
    points, twenties, over = Counter(), Counter(), 0
    for table in TABLES:
        with closing(sqlite3.connect(folder / table / "journal.sqlite")) as journal:
            rows = journal.execute("SELECT match, kind, body FROM events ORDER BY id").fetchall()
        for match in {number for number, kind, _ in rows if kind == "match_started"}:
            names = []
            rounds = []
            for body, kind in ((json.loads(body), kind) for number, kind, body in rows if number == match):
                if kind == "match_started":
                    names = [side["name"] for side in body["sides"]]
                elif kind == "round_ended":
                    rounds.append(body)
                elif kind == "undone":
                    rounds.pop()
            assert len(rounds) <= 4
            over += len(rounds) == 4
            for one in rounds:
                a, b = one["totals"]["A"], one["totals"]["B"]
                points[names[0]] += 2 if a > b else 1 if a == b else 0
                points[names[1]] += 2 if b > a else 1 if a == b else 0
                for side, name in zip("AB", names, strict=True):
                    twenties[name] += one["twenties"][side]
    return points, twenties, over


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'club.sqlite'}"
        return
    if postgres.binaries() is None:
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder, postgres.cluster(Path(folder)) as url:
        yield url


class Evening:
    """What happens to the programs, and what the organiser does meanwhile."""

    def __init__(self, programs, database):
        self.programs, self.dice, self.database = programs, programs.dice, database
        self.organisers, self.echo = [Organiser(port) for port in programs.web.values()], Echo(programs)
        self.next_kill = time.monotonic() + 10.0
        self.victims = self.dice.sample(sorted(set(VICTIMS)), len(set(VICTIMS)))  # each kind once, however quick it is
        self.killed = Counter()
        self.copy = programs.folder / "backup.sql"
        self.restored = False
        self.away = None

    @property
    def organiser(self):
        """At either of the hub's programs."""
        return self.dice.choice(self.organisers)

    def documents(self):
        """What each of the hub's programs shows."""
        return [organiser.ask("/api/evening") for organiser in self.organisers]

    def agreed(self):
        """The evening when both of the hub's programs show the same, and that it is over."""
        until = time.monotonic() + AGREED
        while True:
            one, other = self.documents()
            if one is not None and one == other and one["open"] == 0:
                return one
            differ = EveningChanges.between(one, other) if one and other else "one of them does not answer"
            assert time.monotonic() < until, f"the hub's programs do not agree: {differ}"
            time.sleep(0.2)

    def set_up(self):
        """Whether the evening has begun."""
        organiser = self.organiser
        now = organiser.ask("/api/evening")
        if now is None or not organiser.may():
            return False
        if now["title"]:
            return True
        known = len((organiser.ask("/api/desk") or {"tables": ()})["tables"])
        for k in range(known + 1, len(TABLES) + 1):
            organiser.ask("/api/tables", {"name": f"Table {k}"})
        self._let_in(organiser)
        if len(self.programs.codes) < len(TABLES):
            return False
        players = [f"Player {k}" for k in range(1, PLAYERS + 1)]
        body = {"title": "Evening", "format": "swiss", "boards": TABLES, "players": players, "doubles": False}
        return organiser.ask("/api/begin", body) is not None

    def _let_in(self, organiser):
        """Show a code to each table that has none, or one that is used up."""
        for name in TABLES:
            waits = name not in self.programs.codes or self.programs.running[name].poll() == USED_UP
            if waits and (code := organiser.ask("/api/join-code", {"table": name})):
                self.programs.codes[name] = code["code"]
                self.programs.begin_table(name)

    def go_on(self):
        """Pair the next round where one is over. True when all have been played."""
        organiser = self.organiser
        now = organiser.ask("/api/evening")
        if now is None or not organiser.may():
            return False
        self._let_in(organiser)
        finished = now["open"] == 0 and now["round"] > 0
        self._cable(now)
        if finished and now["round"] == ROUNDS:
            return self.restored and self.killed.keys() == set(VICTIMS)
        if now["open"] == 0:
            organiser.do({"do": "next_round"})
        if now["round"] == 3 and now["open"] <= 3 and not self.copy.exists():
            self.back_up()
        if now["round"] == 4 and now["open"] <= 3 and not self.restored:
            self.set_back()
        return False

    def _cable(self, now):
        """In the second round, one table is off the net until all others are through."""
        begun = [board["id"] for board in now["boards"] if board["now"] and board["now"]["started"]]
        if now["round"] == 2 and self.away is None and begun:
            self.away = self.dice.choice(begun)
            self.programs.cables[self.away].whole = False
        elif self.away is not None and now["open"] <= 1:
            self.programs.cables[self.away].whole = True

    def back_up(self):
        if self.database.startswith("sqlite"):
            _copy(self.database.removeprefix("sqlite:///"), self.copy)
            return
        postgres.back_up(self.database, self.copy)

    def set_back(self):
        """The hub's database is what it was in the round before. One of its programs is killed, the other runs on."""
        self.programs.kill("hub")
        if self.database.startswith("sqlite"):
            _copy(self.copy, self.database.removeprefix("sqlite:///"))
        else:
            postgres.restore(self.copy, self.database)
        self.restored = True
        self.programs.begin_hub("hub")

    def kill_somebody(self):
        if time.monotonic() < self.next_kill:
            return
        self.next_kill = time.monotonic() + self.dice.uniform(*KILLED_EVERY)
        if not self.victims:
            self.victims = self.dice.sample(VICTIMS, len(VICTIMS))
        victim = self.victims.pop()
        self.killed[victim] += 1
        if victim == "hub":
            name = self.dice.choice(HUBS)
            self.programs.kill(name)
            self.programs.begin_hub(name)
        elif self.programs.codes:
            name = self.dice.choice(list(self.programs.codes))
            self.programs.kill(name)
            self.programs.begin_table(name)


def test_whatever_is_killed_and_set_back_every_result_counts_once(tmp_path, database):
    seed = int(os.environ.get("CLUB_SEED", random.randrange(10**6)))
    print(f"CLUB_SEED={seed}")
    with closing(Programs(tmp_path, database, seed)) as programs:
        evening = Evening(programs, database)
        until = time.monotonic() + LONGEST
        while not evening.set_up():
            assert time.monotonic() < until, "the evening does not begin"
            time.sleep(0.2)
        while not evening.go_on():
            assert time.monotonic() < until, f"the evening does not end: {evening.killed} {evening.documents()}"
            evening.kill_somebody()
            evening.echo.say_again()
            time.sleep(0.1)
        now = evening.agreed()
        points, twenties, over = on_paper(tmp_path)
        found = {row["name"]: (row["points"], row["twenties"]) for row in now["standings"]}
        print(f"killed {dict(evening.killed)}, said again {evening.echo.said}, off the net: table {evening.away}")
        assert over == ROUNDS * PLAYERS // 2
        assert found == {name: (points[name], twenties[name]) for name in found}
        assert [row["matches"] for row in now["standings"]] == [ROUNDS] * PLAYERS
        assert evening.organiser.ask("/api/desk")["left_out"] == []
        assert all(evening.killed[name] for name in ("hub", "table"))
        assert evening.echo.said > 0
        assert evening.away is not None
    store = ClubStore.open(database, CLUB)
    (evening_id,) = [each.id for each in store.evenings()]
    entries = [event_to_json(entry.event) for entry in store.decisions(evening_id)]
    store.close()
    results = Counter(entry["match"] for entry in entries if entry["event"] == "result")
    assert set(results.values()) == {1}
    for log in (*HUBS, *TABLES):
        assert "Traceback" not in (tmp_path / f"{log}.log").read_text(), f"{log} stumbled"
    shutil.rmtree(tmp_path, ignore_errors=True)


def _copy(database, to):
    with closing(sqlite3.connect(database)) as of, closing(sqlite3.connect(to, timeout=30)) as copy:
        of.backup(copy)
