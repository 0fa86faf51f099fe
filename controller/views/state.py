"""The state for the pages: `table-state/1`, defined in `controller.views.schema`."""

import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from controller import rules
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.discs import disc_name
from controller.match.parts import LastCall
from controller.match.state import MatchState
from controller.match.undo import redoable, undoable
from controller.messages import Message, say
from controller.views import phrases
from controller.views.audit import amendments_now
from controller.views.club import InClub, club_view
from controller.views.film import newest_film
from controller.views.questions import doubt_text, question_view
from controller.views.schema import table_state as sc
from controller.views.schema.choices import Choices, DiscsASide
from controller.views.schema.common import FinishedRound, Place
from controller.views.timers import timers_view

STATUS: Mapping[sc.StatusWord, Message] = {
    "ready": say("Ready"),
    "hand": say("Hand over the board"),
    "moving": say("Moving"),
    "check": say("Check"),
    "covered": say("The board is covered"),
    "light_changed": say("The light changed"),
    "camera_moved": say("The camera or the board moved"),
    "no_camera": say("No camera"),
    "no_match": say("No match"),
    "paused": say("Paused"),
    "manual": say("The scorer keeps the score"),
    "over": say("Match over"),
}

FORMATS: Sequence[tuple[str, Message, Mapping[str, Any]]] = (
    ("points", say("First to a number of points"), {"target": 100}),
    ("rounds", say("A number of rounds"), {"rounds": 4, "games": 1}),
    ("race", say("First to a number by 2 / 1 / 0"), {"target": 9}),
    ("twenties", say("Count the twenties"), {"rounds": 1}),
    ("series", say("Count the points"), {"rounds": 1}),
)

BETWEEN: Mapping[int, tuple[rules.Line | None, rules.Line]] = {
    15: (None, "fifteen"),
    10: ("fifteen", "ten"),
    5: ("ten", "outer"),
}
"""The inner and outer line of each zone."""
JUST_INSIDE = 0.1  # mm between a drawn disc and a line: invisible
ClipsOf = Callable[[int, Sequence[Stamped]], Mapping[int, str]]
"""(match number, its events) to the names of its stored clips by event."""


def no_clips(match: int, history: Sequence[Stamped]) -> Mapping[int, str]:
    """No clips."""
    return {}


@dataclass(frozen=True, slots=True)
class TableView:
    """The page's data besides the match."""

    name: str
    simulated: bool
    rule_sets: tuple[rules.RuleSet, ...] = (*rules.rule_sets(), *rules.practices())
    clips_of: ClipsOf = no_clips
    word: sc.StatusWord = "no_match"
    notices: tuple[tuple[sc.NoticeKind, Message], ...] = ()
    history: tuple[Stamped, ...] = ()
    club: InClub | None = None


def table_state(view: TableView, state: MatchState | None) -> sc.State:
    """The whole document."""
    return {
        "schema": "table-state/1",
        "id": state.last_id if state else 0,
        "table": {"name": view.name, "simulated": view.simulated},
        "status": {"word": view.word, "text": STATUS[view.word]},
        "notices": [{"kind": kind, "text": text} for kind, text in view.notices],
        "choices": choices(view.rule_sets),
        "club": club_view(view.club, state) if view.club else None,
        "match": match_view(state, view) if state else None,
    }


def choices(known: Sequence[rules.RuleSet]) -> Choices:
    """The options of the form that starts a match."""
    return {
        "rules": [
            {
                "id": r.id,
                "name": Message(r.name),
                "practice": r.practice,
                "format": rules.written_format(r.formats[0]),
                "discs": discs_a_side(r),
            }
            for r in known
        ],
        "formats": [{"kind": kind, "text": text, "default": dict(default)} for kind, text, default in FORMATS],
        "colours": [{"id": id_, "name": name, "swatch": swatch} for id_, (name, swatch) in phrases.COLOURS.items()],
    }


def discs_a_side(rule_set: rules.RuleSet) -> DiscsASide:
    """The usual number of discs per side and round, by number of sides."""
    return {
        "1": rule_set.discs_a_side("each", 1),
        "2": rule_set.discs_a_side("singles"),
        "doubles": rule_set.discs_a_side("doubles"),
        "3": rule_set.discs_a_side("each", 3),
        "4": rule_set.discs_a_side("each", 4),
    }


def match_view(state: MatchState, view: TableView) -> sc.MatchNow:
    """The match's part of the document."""
    game, history = state.game, view.history
    undo, there, clips = undoable(history), drawn_discs(state), view.clips_of(state.number, history)
    return {
        "id": state.number,
        "assignment": state.started.assignment,
        "rules": game.terms.rules.id,
        "rules_name": Message(game.terms.rules.name),
        "format": rules.written_format(game.terms.format),
        "format_text": rules.format_words(game.terms.format),
        "over": state.over,
        "winner": game.winner if state.over else None,
        "manual": state.manual,
        "uncleared": state.uncleared,
        "off": off_view(state, there),
        "doubles": game.terms.doubles,
        "next_step": phrases.next_step(state),
        "situation": None if state.over else phrases.situation(state),
        "sides": [side_view(state, side, between) for side, between in total_ranges(state).items()],
        "round": round_view(state),
        "rounds": [played_view(state, round_) for round_ in state.finished],
        "discs": [disc_view(state, name, m) for name, m in there.items()],
        "seats_known": state.seating.sure,
        "strangers": [{**place(state, s), "side": s.side} for s in state.strangers],
        "last_call": call_view(state.last_call, state) if state.last_call else None,
        "timers": timers_view(state),
        "conduct": phrases.conduct_now(state),
        "film": newest_film(state),
        "amended": amendments_now(state),
        "questions": [question_view(q, state, clips) for q in state.decisive],
        "can_undo": undo.event.undoing(state.names) if undo else None,
        "undo_asks": _is_grave(undo),
        "can_redo": say("the last undo") if redoable(history) else None,
    }


def _is_grave(step: Stamped | None) -> bool:
    return step is not None and (step.event.ends_round or isinstance(step.event, ev.MatchStarted))


def off_view(state: MatchState, there: Container[str]) -> list[sc.DiscOff]:
    """The discs of the running round that are off the board; `there`: those on it."""
    return [
        {"id": disc, "side": side, "name": disc_name(disc, state.name_of(side))}
        for disc, side in state.game.round.owners.items()
        if disc not in there
    ]


def round_view(state: MatchState) -> sc.RoundNow:
    """The running round, or the last one."""
    round_, seat = state.game.round, state.game.round.seat_to_shoot
    return {
        "number": round_.number,
        "of": state.game.terms.format.all_rounds,
        "starter": round_.starter,
        "to_shoot": round_.to_shoot,
        "seat_to_shoot": seat,
        "player": state.player_of(seat) if seat else None,
        "shots": len(round_.shots),
        "time_called": round_.time_out is not None,
        "end": "ended" if state.over else "proposed" if state.round_proposed else None,
    }


def finished_round(round_: rules.Round) -> FinishedRound:
    """The figures of a finished round."""
    return {
        "number": round_.number,
        "starter": round_.starter,
        "totals": round_.known_totals,
        "twenties": round_.known_twenties,
        "awarded": dict(round_.awarded or {}),
        "corrected": round_.corrected,
    }


def played_view(state: MatchState, round_: rules.Round) -> sc.RoundPlayed:
    """A finished round of the present match, with each side's possible totals."""
    figures = finished_round(round_)
    ranges = state.total_ranges(round_.number)
    known = {side: None if total is None else list(ranges[side]) for side, total in figures["totals"].items()}
    return {**figures, "ranges": known}


def side_view(state: MatchState, side: str, between: tuple[int, int]) -> sc.SideNow:
    """One side's column; `between`: its possible totals of the round."""
    game, info = state.game, state.started.by_id[side]
    total = game.round.totals[side]
    low, high = between
    return {
        "id": side,
        "name": info.name,
        "seats": [{"seat": seat, "player": state.player_of(seat)} for seat, of in game.terms.seats if of == side],
        "colour": info.colour,
        "swatch": phrases.COLOURS[info.colour][1] if info.colour in phrases.COLOURS else phrases.OTHER_COLOUR,
        "score": state.score[side],
        "total": total,
        "total_range": [low, high],
        "counted": [{"id": one.id, "points": one.points} for one in state.counted_for(side)],
        "by_hand": state.by_hand[side],
        "twenties": game.round.twenty_counts[side],
        "match_twenties": game.match_twenties[side],
        "discs": game.terms.discs,
        "shots_left": game.round.shots_left[side],
        "shoots": game.round.to_shoot == side,
        "hammer": game.round.hammer == side and not game.terms.rules.practice,
    }


def total_ranges(state: MatchState) -> dict[str, tuple[int, int]]:
    """Each side's lowest and highest possible total of the running round, over all open questions and close calls."""
    number = state.game.round.number
    between = state.total_ranges(number)
    in_question = {q.asked.disc for q in state.decisive if q.asked.round == number}
    for name, disc in state.on_board.items():  # close calls without a question so far
        if disc.call == "close" and name not in state.ruled and name not in in_question:
            side, zones = state.side_of(name), disc.zones_in_doubt
            low, high = between[side]
            between[side] = low + min(zones) - disc.zone, high + max(zones) - disc.zone
    return between


def drawn_discs(state: MatchState) -> dict[str, ev.Measured]:
    """The discs on the board as drawn: a corrected disc is drawn where it counts."""
    discs = dict(state.measured)
    for name in state.ruled:
        disc = state.game.round.board.discs.get(name)
        if disc is not None:
            x, y = _where_it_counts(disc.x, disc.y, disc.zone)
            at = {"x": x, "y": y, "pose": "flat" if disc.pose == "flat" else "leaning"}
            sure = {"zone": disc.zone, "clearance": rules.nearest_line(x, y)[1], "sigma": 0.0, "call": "sure"}
            discs[name] = ev.Measured.model_validate({**at, **sure})
    return discs


def _where_it_counts(x: float, y: float, zone: int | None) -> tuple[float, float]:
    """The nearest place, in mm, at which a disc is drawn inside its zone."""
    if zone is None or rules.zone(x, y) == zone:
        return x, y
    inner, outer = BETWEEN[zone]
    innermost = rules.reach(inner) + JUST_INSIDE if inner else 0.0
    outermost = rules.reach(outer) - JUST_INSIDE
    r, angle = min(max(math.hypot(x, y), innermost), outermost), math.atan2(y, x)
    return r * math.cos(angle), r * math.sin(angle)


def place(state: MatchState, measured: ev.Measured) -> Place:
    """A disc's place in the players' board frame: seat 1 at -y, mm."""
    x, y = state.seating.shown(measured.x, measured.y)
    return {"x": round(x, 1), "y": round(y, 1)}


def disc_view(state: MatchState, name: str, m: ev.Measured) -> sc.Disc:
    """One disc on the drawn board."""
    ruled = state.ruled.get(name)
    return {
        "id": name,
        "side": state.side_of(name),
        "name": disc_name(name, state.name_of(state.side_of(name))),
        **place(state, m),
        "zone": m.zone if ruled is None else ruled,
        "pose": m.pose,
        "call": "sure" if ruled is not None else m.call,
        "clearance": round(m.clearance, 2),
        "sigma": round(m.sigma, 2),
        "remove": state.to_remove.get(name),
    }


def call_view(last: LastCall, state: MatchState) -> sc.LastCall:
    """The last call in words, and why."""
    judgement = last.judgement
    words = phrases.call(judgement)
    names = disc_names(state.game.round, state)
    why = rules.explain(judgement, state.game.terms.rules, names)
    return {
        "text": say("{call} {doubt}", call=words, doubt=doubt_text(last.doubt)) if last.doubt else words,
        "why": list(why),
        "named": phrases.discs_named(why, names),
        "valid": judgement.counted_valid,
        "rule": judgement.rule,
        "by_rules": judgement.valid,
        "played_as": judgement.played_as,
        "side": last.shot.side,
        "shot": last.number,
        "discs": [r.disc for r in judgement.removed],
    }


def disc_names(round_: rules.Round, state: MatchState) -> dict[str, Message]:
    """The names of a round's discs."""
    return {disc: disc_name(disc, state.name_of(side)) for disc, side in round_.owners.items()}
