"""The fold: the only way from a match's events to its state.

Undo, redo, corrections, replay and recovery after a power cut are all the same: fold the events that still count.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from controller import events as ev
from controller import rules
from controller.match import LastCall, MatchState, OpenQuestion, Stamped
from controller.placing import placed
from controller.timeline import counting
from controller.vision.readings import Zone

ZONES: dict[str, Zone] = {"20": 20, "15": 15, "10": 10, "5": 5, "0": 0}
"""The answers to a close call."""


def fold(number: int, stamped: Iterable[Stamped]) -> MatchState:
    """The state after these events. The first must be `MatchStarted`."""
    state: MatchState | None = None
    for s in counting(stamped):
        state = begin(number, s) if state is None else apply(state, s)
    assert state is not None
    return state


def begin(number: int, stamped: Stamped) -> MatchState:
    """The state after a match's first event."""
    started = stamped.event
    assert isinstance(started, ev.MatchStarted)
    return MatchState(number, started, new_game(started), stamped.id)


def new_game(started: ev.MatchStarted) -> rules.Match:
    """The match that these choices begin. Raises `rules.RulesError` naming what is wrong with them."""
    form = rules.read_format(started.format) if started.format else None
    return rules.Match.start(
        rules.own_rule_set(started.rules) if isinstance(started.rules, dict) else started.rules,
        form,
        [rules.Side(id_, side.name) for id_, side in zip("AB", started.sides, strict=True)],
        started.starter,
        discs=started.discs,
    )


def apply(state: MatchState, stamped: Stamped) -> MatchState:
    """The state after one more event that counts."""
    after = _APPLY[type(stamped.event)](state, stamped.event, stamped.id)
    return replace(after, last_id=stamped.id)


def to_shot(seen: ev.ShotSeen) -> rules.Shot:
    """What the referee saw, in the rules' words."""
    rest: dict[str, rules.Rest] = {}
    for disc, where in seen.rest.items():
        if where == "surface":
            rest[disc] = placed(seen.measured[disc])
        else:
            rest[disc] = rules.HOLE if where == "hole" else rules.DITCH
    return rules.Shot(seen.side, seen.disc, seen.contacts, rest)


def _shot_seen(state: MatchState, seen: ev.ShotSeen, id_: int) -> MatchState:
    shot = to_shot(seen)
    game = state.game.play(shot)
    judged = game.round.shots[-1]
    removed = {r.disc: r.why for r in judged.judgement.removed}
    lying = {disc: why for disc, why in {**state.to_remove, **removed}.items() if disc in seen.measured}
    moved = set(seen.rest)
    questions = {
        q.id: q
        for q in state.questions.values()
        if q.asked.round != state.game.round.number or q.asked.disc not in moved | _lifted(state, seen.measured)
    }
    return replace(
        state,
        game=game,
        measured=seen.measured,
        to_remove=lying,
        ruled={disc: zone for disc, zone in state.ruled.items() if disc not in moved},
        questions=questions,
        last_call=LastCall(id_, judged.judgement, shot, len(game.round.shots), seen.doubt),
        hole=(),
        await_tap=False,
    )


def _lifted(state: MatchState, measured: Mapping[str, ev.Measured]) -> set[str]:
    """Twenties that people have lifted out: whoever lifts a disc takes it for one, and no question remains."""
    return {disc for disc, why in state.to_remove.items() if why == "twenty" and disc not in measured}


def _board_seen(state: MatchState, seen: ev.BoardSeen, id_: int) -> MatchState:
    on_board = state.game.round.board
    known = {disc: m for disc, m in seen.measured.items() if disc in state.measured or disc in on_board}
    to_remove = {disc: why for disc, why in state.to_remove.items() if disc in known}
    lifted = _lifted(state, known)
    questions = {
        q.id: q
        for q in state.questions.values()
        if (seen.strangers or q.asked.what != "unexplained")
        and (q.asked.round != state.game.round.number or q.asked.disc not in lifted)
    }
    return replace(state, measured=known, to_remove=to_remove, strangers=seen.strangers, questions=questions)


def _round_ended(state: MatchState, ended: ev.RoundEnded, id_: int) -> MatchState:
    game = state.game if state.game.round.complete else state.game.close_round()
    confirmed = game.round.number
    if not game.over and not game.awaits_shoot_out:
        game = game.next_round()
    questions = {q.id: q for q in state.questions.values() if q.asked.what == "close_call"}
    return replace(
        state,
        game=game,
        measured={},
        to_remove={},
        ruled={},
        strangers=() if ended.how == "swept" else (*state.strangers, *state.measured.values()),
        hole=(),
        last_call=None,
        await_tap=False,
        questions=questions,
        confirmed=confirmed,
    )


def _question_asked(state: MatchState, asked: ev.QuestionAsked, id_: int) -> MatchState:
    if asked.disc and asked.round == state.game.round.number and asked.disc not in state.game.round.owners:
        return state  # about a disc whose shot was undone
    return replace(state, questions={**state.questions, id_: OpenQuestion(id_, asked)})


def _question_answered(state: MatchState, answered: ev.QuestionAnswered, id_: int) -> MatchState:
    open_ = state.questions.get(answered.question)
    if open_ is None:
        return state
    rest = {k: q for k, q in state.questions.items() if k != answered.question}
    state = replace(state, questions=rest)
    asked = open_.asked
    if asked.what == "close_call" and asked.disc is not None:
        return _count_as(state, asked.round, asked.disc, ZONES[answered.answer])
    if answered.answer == "over" and asked.round == state.game.round.number:
        return _round_ended(state, ev.RoundEnded(how="confirmed"), id_)
    return state


def _disc_corrected(state: MatchState, corrected: ev.DiscCorrected, id_: int) -> MatchState:
    return _count_as(state, state.game.round.number, corrected.disc, corrected.zone)


def _count_as(state: MatchState, number: int, disc: str, zone: Zone | None) -> MatchState:
    """A person says where a disc counts."""
    if number <= state.confirmed:
        return replace(state, game=_recount(state.game, number, disc, zone or 0))
    measured = state.measured.get(disc)
    if measured is None:
        raise rules.BadCorrection(f"{disc} does not lie on the board any more", "disc")
    rest: rules.Rest = placed(measured, zone)
    if zone == 20:
        rest = rules.HOLE
    elif zone is None:
        rest = rules.DITCH
    to_remove = {d: why for d, why in state.to_remove.items() if d != disc}
    if zone in (None, 0, 20):
        to_remove[disc] = "twenty" if zone == 20 else "outer_line"
    ruled = {**state.ruled, disc: zone or 0}
    settled = {q.id: q for q in state.questions.values() if (q.asked.round, q.asked.disc) != (number, disc)}
    game = state.game.place(disc, rest)
    return replace(state, game=game, ruled=ruled, to_remove=to_remove, questions=settled)


def _recount(game: rules.Match, number: int, disc: str, zone: int) -> rules.Match:
    """An earlier round with one of its discs counted as `zone`."""
    played = game.all_rounds[number - 1]
    at = played.board.discs.get(disc)
    before = rules.zone(at.x, at.y) if at else 0
    side = played.owners[disc]
    totals = {**played.totals, side: played.totals[side] + zone - before}
    if zone == 20:
        game = game.correct_twenties(number, {side: played.twenty_counts[side] + 1})
    return game.correct_totals(number, totals)


def _undone(state: MatchState, undone: ev.Undone, id_: int) -> MatchState:
    if undone.measured is None:  # a round's end, a correction: the fold without it is all
        return replace(state, await_tap=state.await_tap or undone.round_end)
    known = {disc: m for disc, m in undone.measured.items() if disc in state.measured}
    return replace(state, measured=known, strangers=undone.strangers, last_call=None)


def _round_corrected(state: MatchState, corrected: ev.RoundCorrected, id_: int) -> MatchState:
    questions = {q.id: q for q in state.questions.values() if q.asked.round != corrected.round}
    return replace(
        state,
        game=state.game.correct_totals(corrected.round, dict[str, int](corrected.totals.items())),
        questions=questions,
    )


def _keep(state: MatchState, event: ev.Event, id_: int) -> MatchState:
    return state


_APPLY: dict[type[Any], Callable[[MatchState, Any, int], MatchState]] = {
    ev.ColoursLearnt: lambda s, e, i: replace(s, colours={**s.colours, **e.sides}),
    ev.ShotSeen: _shot_seen,
    ev.BoardSeen: _board_seen,
    ev.HoleChanged: lambda s, e, i: replace(s, hole=(*s.hole, e), hole_level=e.occupied),
    ev.RoundEnded: _round_ended,
    ev.QuestionAsked: _question_asked,
    ev.QuestionAnswered: _question_answered,
    ev.TwentiesCorrected: lambda s, e, i: replace(s, game=s.game.correct_twenties(e.round, {e.side: e.value})),
    ev.RoundCorrected: _round_corrected,
    ev.ShootOutEntered: lambda s, e, i: replace(s, game=s.game.enter_shoot_out(e.twenties)),
    ev.DiscCorrected: _disc_corrected,
    ev.Undone: _undone,
    ev.Redone: _keep,
    ev.Paused: lambda s, e, i: replace(s, paused=e.paused),
}
