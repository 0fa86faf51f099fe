"""A match in figures: what the list of matches shows and what players' figures are added up from.

A summary is plain JSON, computed from a match's events alone, so that the journal can keep it beside them.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Any

from controller import rules
from controller.fold import fold
from controller.history.steps import Step, steps
from controller.match import MatchState, Stamped
from controller.telling import name_of, player_of
from controller.view import place

VERSION = 2
"""Of what `summarise` computes: summaries that were kept by another version are computed anew."""

NEAR = 1.0  # mm: a shot that came to rest this near to the line between two rings is a near miss, or a near hit

Document = dict[str, Any]


def summarise(number: int, history: Sequence[Stamped]) -> Document:
    """A match as the list of matches shows it, with its shots in short."""
    state = fold(number, history)
    shots = [shot(step) for step in steps(number, history)]
    started, ended = history[0].at, history[-1].at
    return {
        "id": number,
        "last_event": state.last_id,
        "day": dt.datetime.fromtimestamp(started).astimezone().date().isoformat(),
        "started": utc(started),
        "ended": utc(ended),
        "rules": state.game.terms.rules.id,
        "rules_name": state.game.terms.rules.name,
        "format": rules.written_format(state.game.terms.format),
        "over": state.over,
        "winner": state.game.winner if state.over else None,
        "doubles": state.game.terms.doubles,
        "sides": [side(state, id_) for id_ in state.sides],
        "rounds": [round_line(r) for r in state.finished],
        "shots": shots,
    }


def utc(at: float) -> str:
    """A time of the journal as ISO 8601."""
    return dt.datetime.fromtimestamp(at, dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def side(state: MatchState, id_: str) -> Document:
    """One side's line of the list."""
    started = state.started.sides["ABCD".index(id_)]
    finished = state.finished
    return {
        "id": id_,
        "name": name_of(state, id_),
        "players": [player_of(state, seat) for seat, of in state.game.terms.seats if of == id_],
        "colour": started.colour,
        "discs": state.game.terms.discs,
        "score": state.score[id_],
        "twenties": sum(r.twenty_counts[id_] for r in finished),
    }


def round_line(played: rules.Round) -> Document:
    """One finished round."""
    return {
        "number": played.number,
        "starter": played.starter,
        "hammer": played.hammer,
        "totals": dict(played.totals),
        "twenties": dict(played.twenty_counts),
        "awarded": dict(played.awarded or {}),
        "corrected": played.corrected,
    }


def shot(step: Step) -> Document:
    """A shot in short: who, how it was judged, where its disc came to rest and how near to a line."""
    played = step.played
    lies = step.after.measured.get(played.shot.disc)
    rest: Document = {"at": "hole" if played.shot.disc in played.judgement.twenties else "off"}
    if lies is not None and lies.pose != "in_hole" and played.shot.disc not in step.after.to_remove:
        rest = {"at": list(place(step.after, lies).values()), "zone": lies.zone, "clearance": round(lies.clearance, 2)}
    return {
        "round": step.round,
        "number": step.number,
        "side": played.shot.side,
        "player": player_of(step.after, played.seat),
        "seat": played.seat,
        "valid": played.judgement.valid,
        "twenties": len(played.judgement.twenties),
        "margin": _margin(step.after),
        **rest,
    }


def _margin(state: MatchState) -> int:
    """By how much side A leads its best opponent in this round."""
    totals = dict(state.game.round.totals)
    own = totals.pop("A")
    return own - max(totals.values())
