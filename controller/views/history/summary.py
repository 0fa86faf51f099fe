"""A match in short: its line in the list of matches, as plain JSON, and its rounds of practice."""

import datetime as dt
from collections.abc import Sequence

from controller import rules
from controller.journal.events import Span
from controller.match.base import Stamped
from controller.match.state import MatchState
from controller.messages import Message
from controller.rules.rounds import JudgedShot
from controller.views.schema.history import MatchInShort, RoundInShort, SideInShort


def line(state: MatchState, history: Sequence[Stamped], span: Span) -> MatchInShort:
    """A match's line in the list; `history`: with corrected times, see `history.steps`."""
    started, ended = history[0].at, span.last_at
    return {
        "id": state.number,
        "last_event": span.last,
        "day": dt.datetime.fromtimestamp(started).astimezone().date().isoformat(),
        "started": utc(started),
        "ended": utc(ended),
        "rules": state.game.terms.rules.id,
        "rules_name": Message(state.game.terms.rules.name),
        "format": rules.written_format(state.game.terms.format),
        "over": state.over,
        "winner": state.game.winner if state.over else None,
        "doubles": state.game.terms.doubles,
        "sides": [side(state, id_) for id_ in state.sides],
        "rounds": [RoundInShort.of(r, hammer=r.hammer) for r in state.finished],
        "noted": len(state.conduct) + sum(agreed(p) for r in state.game.all_rounds for p in r.shots),
    }


def agreed(played: JudgedShot) -> bool:
    """Whether people agreed to play a shot against the rules' verdict."""
    return played.judgement.played_as is not None


def utc(at: float) -> str:
    """A time of the journal as ISO 8601."""
    return dt.datetime.fromtimestamp(at, dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def side(state: MatchState, id_: str) -> SideInShort:
    """One side's line of the list."""
    return {
        "id": id_,
        "name": state.name_of(id_),
        "players": [state.player_of(seat) for seat, of in state.game.terms.seats if of == id_],
        "colour": state.started.by_id[id_].colour,
        "discs": state.game.terms.discs,
        "score": state.score[id_],
        "twenties": rules.known_sum(r.known_twenties[id_] for r in state.finished),
    }


def practised(state: MatchState) -> list[tuple[str, str, int, int | None, int]]:
    """(player, what is counted, discs, twenties, total) of each finished round of practice; none of a match. Rounds
    that ended before every disc was shot are left out, unless people entered their totals. `twenties`: None if nobody
    recorded them."""
    terms = state.game.terms
    if not terms.rules.practice:
        return []
    ((seat, side),) = terms.seats
    player, kind = state.player_of(seat), terms.format.kind
    return [
        (player, kind, terms.discs, (given if kind == "twenties" else played.known_twenties)[side], played.totals[side])
        for played in state.finished
        if (given := played.awarded) is not None
        and (len(played.owners) == terms.discs or played.totals_by_hand is not None)
    ]
