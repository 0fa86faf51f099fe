"""From the journal to the tables: which matches are not as the journal has them, and what they are."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress

from controller.errors import ControllerError
from controller.journal import Journal
from controller.journal.events import Span
from controller.journal.readers import Readers
from controller.match.state import parse
from controller.views.history.dates import mended
from controller.views.history.figures import meetings, resting, tallies
from controller.views.history.steps import walk
from controller.views.history.summary import line, shot
from controller.views.history.tables import Summed, Tables, beside

NO_SCORE = "hole_changed"
"""Most of a match's events are of this kind; it is evidence for the referee, and changes no score by itself."""


def stale(journal: Journal, tables: Tables) -> tuple[dict[int, Span], list[int]]:
    """The matches that the tables do not have as the journal has them, the newest first; and those that are gone."""
    written, known = journal.spans(), tables.spans()
    wanted = {
        number: written[number] for number in sorted(written, reverse=True) if known.get(number) != written[number]
    }
    return wanted, [number for number in known if number not in written]


def sum_up(journal: Journal, number: int, span: Span) -> Summed:
    """One match for the tables. One that can't be read is told as such; it never stops the others."""
    try:
        history = mended([parse(entry) for entry in journal.events(number, but=NO_SCORE)])
        steps, state = walk(number, history)
        short, shots = line(state, history, span), [shot(step) for step in steps]
        return Summed(
            number,
            span,
            short,
            tallies(short, shots),
            list(meetings(short)),
            list(resting(shots)),
        )
    except Exception as error:  # whatever is wrong in one match
        words = str(error) if isinstance(error, ControllerError) else f"{type(error).__name__}: {error}"
        return Summed(number, span, None, {}, (), (), trouble=" ".join(words.split())[:500])


def set_aside(journal: Journal) -> dict[int, str]:
    """The matches that can't be read, and why: as the tables know, and by a look at every event's text."""
    found = journal.unreadable()
    path = beside(journal)
    if path.exists():
        readers = Readers(path)
        with suppress(sqlite3.Error):  # of another version, or damaged: then it is made anew
            found |= dict(readers.read("SELECT match, trouble FROM matches WHERE trouble IS NOT NULL ORDER BY match"))
        readers.close()
    return found


def all_summed(journal: Journal, spans: Iterable[tuple[int, Span]]) -> Iterator[Summed]:
    """These matches for the tables, one after the other."""
    return (sum_up(journal, number, span) for number, span in spans)
