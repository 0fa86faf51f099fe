"""`make soak`, or `python -m tests.soak --minutes 5`: plays, disturbs, kills, and compares with the journal.

Two parts: an evening in which everything happens but that the service ends, then kills under the same load.
"""

import argparse
import os
import platform
import random
import statistics
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import gevent

from controller.journal import Journal
from tests.soak.crowd import Crowd
from tests.soak.http import ask
from tests.soak.ledger import BROKEN, UNSERVED, Ledger
from tests.soak.report import Figure, Machine, judged, percentile, table
from tests.soak.table import CLOCK, FLICKER, Held, Table
from tests.years import played, write_years
from web_ui.reader_pool import THREADS

EVENING = 0.7  # of the time: the rest belongs to the kills
BETWEEN = 6.0  # s from one incident to the next
ALIVE = (1.0, 12.0)  # s that the service lives between two kills
STEP = 1.0  # s between two looks at what the service holds
FLICKERS, STAYS_FULL = 6.0, 4.0  # s
JUMPS = (-7 * 86_400.0, 3600.0, 0.0, -47 * 365 * 86_400.0)  # s: what a clock without a battery wakes up with
ROOM = 24_000  # bytes, at most, that a full disk still has: a commit's few pages may fit in or not
LOGS_LOST = "of these, times that the write-ahead log was lost too"
TEMPLATES = 3  # matches that are played for the journal's years; the others are like them

GROWTH = 20.0  # MB from the evening's second quarter to its last: what all of a table's history may take
LEFT_OPEN = 4 * THREADS  # descriptors more than before the crowd: each reader's thread keeps two databases and logs
COMMAND, STREAM, HISTORY, LARGEST, BACK, REBUILT = 20.0, 100.0, 50.0, 200.0, 2.0, 30.0
"""The aims: ms for a command, until every phone has it, and for a page of history, kB of it, s for a start and for
rebuilding the tables of history. On a quiet machine: see `report.judged`."""


class Soak:
    """One run. All times in seconds."""

    def __init__(self, folder, minutes, phones, matches, seed):
        self.dice = random.Random(seed)
        self.minutes, self.phones, self.matches = minutes, phones, matches
        self.table = Table(folder)
        self.ledger = Ledger()
        self.crowd = Crowd(self.table, self.ledger, phones, matches, seed)
        self.held = []
        self.kills = 0
        self.events = Counter()
        """Of the matches that were played, by kind."""
        self.rebuilt = self.evening_lasted = self.evening_cost = 0.0
        self.alone = self.afterwards = Held(0, Counter())

    def run(self):
        """Play it all; what the journal does not bear out."""
        say(f"writing {self.matches} matches")
        self.table.journal.parent.mkdir()
        write_years(self.table.journal, self.matches, [played(seed) for seed in range(1, TEMPLATES + 1)])
        began = time.monotonic()
        self.table.start()
        while not self._history_is_there():
            gevent.sleep(0.2)
        self.rebuilt = time.monotonic() - began
        say(f"history is there after {self.rebuilt:.1f} s; {self.phones} phones come in")
        self._evening()
        self._kills()
        code = self.table.stop()
        self.ledger.wrong += [f"the service ended by itself: {death}" for death in self.table.deaths]
        if "Traceback" in (log := self.table.log()):
            self.ledger.wrong.append(f"the service's log has a traceback:\n{log[log.index('Traceback') :][:3000]}")
        if code:
            self.ledger.wrong.append(f"stopped by SIGTERM, the service ended with {code}")
        with closing(Journal(self.table.journal, writing=False)) as journal:
            played_now = (n for n in journal.spans() if n > self.matches)
            self.events = Counter(entry.kind for number in played_now for entry in journal.events(number))
        say(f"comparing {len(self.ledger.shown)} states and {len(self.ledger.done)} commands with the journal")
        return list(self.ledger.differences(self.table.journal))

    def _history_is_there(self):
        listed = ask(self.table.address, "GET", "/api/v1/matches").json
        return listed["progress"] is None and bool(listed["matches"])

    def _evening(self):
        self.alone = self.table.held()
        began, spent = time.monotonic(), self.table.processor_time()
        with self.crowd.inside():
            watching = gevent.spawn(self._watch)
            incidents = [self._flicker, self._jump, self._fill]
            until = began + EVENING * self.minutes * 60
            while time.monotonic() < until:
                gevent.sleep(BETWEEN)
                incidents.append(incidents.pop(0))
                incidents[-1]()
            watching.kill()
        self.evening_lasted = time.monotonic() - began
        self.evening_cost = self.table.processor_time() - spent
        gevent.sleep(min(30.0, 3 + self.minutes * 3))  # the slowest request has its time, and its end is noticed
        self.afterwards = self.table.held()

    def _watch(self):
        while True:
            gevent.sleep(STEP)
            self.held.append(self.table.held())

    def _flicker(self):
        self.ledger.counts["times that the sensor flickered"] += 1
        self.table.switches.put(FLICKER, 1)
        gevent.sleep(FLICKERS)
        self.table.switches.put(FLICKER, 0)

    def _jump(self):
        self.ledger.counts["jumps of the clock"] += 1
        self.table.switches.put(CLOCK, self.dice.choice(JUMPS))

    def _fill(self):
        self.ledger.counts["times that the disk was full"] += 1
        self.ledger.disturbed()
        self.table.fill_disk(self.dice.randrange(ROOM))
        gevent.sleep(STAYS_FULL)
        self.table.empty_disk()
        gevent.sleep(2 * STAYS_FULL)  # until everything is well again
        self.ledger.calm = True

    def _kills(self):
        say("the evening is over; now the service is killed and started again")
        self.ledger.disturbed()
        self.ledger.up = False
        until = time.monotonic() + (1 - EVENING) * self.minutes * 60
        with self.crowd.inside():
            while time.monotonic() < until or not self.kills:
                gevent.sleep(self.dice.uniform(*ALIVE))
                full = self.dice.random() < 0.3
                if full:
                    self.table.fill_disk(self.dice.randrange(ROOM))
                    gevent.sleep(self.dice.uniform(0.0, 1.0))
                self.table.kill()
                self.kills += 1
                if not full and self.dice.random() < 0.2:  # on a full disk the mirror may lack what the log has
                    self.ledger.counts[LOGS_LOST] += 1
                    self.table.log_file.unlink(missing_ok=True)
                    self.crowd.log_lost()
                if self.dice.random() < 0.3:
                    self.table.switches.put(CLOCK, self.dice.choice(JUMPS))
                self.table.start()
            gevent.sleep(ALIVE[0])

    def figures(self, wrong):
        """Everything that was measured."""
        counts, times = self.ledger.counts, self.ledger.times
        quarter = max(1, len(self.held) // 4)
        before, after = self.held[quarter : 2 * quarter], self.held[-quarter:]
        grown = statistics.median(h.megabytes for h in after) - statistics.median(h.megabytes for h in before)
        commands, history = times.get("command", []), times.get("history", [])
        phones = self.ledger.streamed
        left_open = self.afterwards.descriptors - self.alone.descriptors
        refused = sum(counts[f"guess answered with {status}"] for status in (403, 429))
        return [
            Figure("lost, or shown and not in the journal, or shown otherwise", len(wrong), most=0),
            Figure("shots that the table followed", self.events["shot_seen"]),
            Figure("states that phones were shown", counts["states that phones were shown"]),
            Figure("of these, different ones, each compared with the journal's fold", len(self.ledger.shown)),
            Figure("commands acknowledged, each looked for in the journal", len(self.ledger.done)),
            Figure("in the evening: streams that broke off", counts[BROKEN], most=0),
            Figure("in the evening: scorers and readers who were not served", counts[UNSERVED], most=0),
            Figure("kills in the middle of it", self.kills),
            Figure(LOGS_LOST, counts[LOGS_LOST]),
            Figure("times that the disk was full", counts["times that the disk was full"]),
            Figure("jumps of the clock", counts["jumps of the clock"]),
            Figure("times that the sensor flickered", counts["times that the sensor flickered"]),
            Figure("of its flips, and of all twenties, written to disk", self.events["hole_changed"]),
            Figure("lines in the service's log", self.table.log().count("\n")),
            Figure("guesses at the PIN, all refused", refused),
            Figure("connections that sent byte by byte, or never read", counts["connections of blockers"]),
            Figure("memory that the service grew by in the evening", grown, "MB", GROWTH),
            Figure("memory at the evening's end", after[-1].megabytes, "MB"),
            Figure("descriptors more when all had left", left_open.total(), most=LEFT_OPEN),
            Figure("a command, median", 1000 * percentile(commands, 0.5), "ms"),
            Figure("a command, p99", 1000 * percentile(commands, 0.99), "ms", COMMAND, timed=True),
            Figure("until a phone has it, median", 1000 * percentile(phones, 0.5), "ms"),
            Figure("until a phone has it, p99", 1000 * percentile(phones, 0.99), "ms", STREAM, timed=True),
            Figure("an answer of history, median", 1000 * percentile(history, 0.5), "ms"),
            Figure("an answer of history, p99", 1000 * percentile(history, 0.99), "ms", HISTORY, timed=True),
            Figure("the largest of them", counts["largest answer to readers"] / 1000, "kB", LARGEST),
            Figure("history of all matches rebuilt", self.rebuilt, "s", REBUILT, timed=True),
            Figure("from a kill's restart to the first answer, median", statistics.median(self.table.starts), "s"),
            Figure("the longest of them", max(self.table.starts), "s", BACK, timed=True),
            Figure("processor that the service took in the evening", self.evening_cost / self.evening_lasted, "cores"),
        ]


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--phones", type=int, default=300)
    parser.add_argument("--matches", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--strict", action="store_true", help="fail for times, too, on a quiet machine")
    return parser.parse_args()


def main():
    given = arguments()
    say(f"seed {given.seed}")
    machine = Machine()
    with TemporaryDirectory(prefix="crokinole-soak-") as folder:
        soak = Soak(Path(folder), given.minutes, given.phones, given.matches, given.seed)
        try:
            wrong = soak.run()
        finally:
            soak.table.put_down()
        own = sum(os.times()[:4])
        idle, others = machine.shares(own)
        quiet = judged(idle, others)
        figures = soak.figures(wrong)
    seen = (
        f"{given.minutes:g} minutes, {given.phones} phones, {given.matches} matches in the journal; "
        f"{os.cpu_count()} cores ({platform.machine()}), {idle:.0%} idle, {others:.0%} taken by other programs."
    )
    said = f"{seen}\n\n{table(figures, quiet)}"
    print(said)
    for count, n in sorted(soak.ledger.counts.items()):
        print(f"    {count}: {n}")
    print(f"descriptors left open: {dict(soak.afterwards.descriptors - soak.alone.descriptors)}")
    for line in wrong[:50]:
        print(f"WRONG {line}")
    missed = [figure for figure in figures if not figure.kept and (not figure.timed or (given.strict and quiet))]
    for figure in missed:
        print(f"NOT KEPT {figure.name}: {figure.value:g}, at most {figure.most:g}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
