"""A match in short: its line in the list of matches, and its shots, from which players' figures are computed. Plain
JSON, computed from a match's events alone."""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from controller import rules
from controller.journal.events import Span
from controller.match.base import Stamped
from controller.match.state import MatchState
from controller.messages import Message
from controller.rules.rounds import JudgedShot
from controller.views.history.steps import ReplayedShot
from controller.views.schema.history import MatchInShort, SideInShort
from controller.views.state import finished_round, place

Document = dict[str, Any]


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
        "rounds": [{**finished_round(r), "hammer": r.hammer} for r in state.finished],
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


def shot(step: ReplayedShot) -> Document:
    """A shot in short: its player, judgement, and its disc's resting place with the distance to a line."""
    played = step.played
    resting = step.after.measured.get(played.shot.disc)
    rest: Document = {"at": "hole" if played.shot.disc in played.judgement.twenties else "off"}
    if resting is not None and resting.pose != "in_hole" and played.shot.disc not in step.after.to_remove:
        at = place(step.after, resting)
        rest = {"at": [at["x"], at["y"]], "zone": resting.zone, "clearance": round(resting.clearance, 2)}
    return {
        "round": step.round,
        "number": step.number,
        "side": played.shot.side,
        "player": step.after.player_of(played.seat),
        "seat": played.seat,
        "valid": played.judgement.counted_valid,
        "annulled": played.annulled,
        "twenties": len(played.judgement.twenties),
        "margin": _margin(step.after),
        **rest,
    }


def _margin(state: MatchState) -> int:
    """Side A's lead over its best opponent in this round; in practice, its total."""
    totals = dict(state.game.round.totals)
    own = totals.pop("A")
    return own - max(totals.values(), default=0)
