"""The fold: computes a match's state from its events, and nothing else does.

Undo, redo, corrections, replay and recovery after a power cut all fold the events that still count.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from controller import rules
from controller.match import beside_the_board as beside
from controller.match import events as ev
from controller.match.rules_adapter import placed, played_as, rest_in, ruled_shot, to_shot
from controller.match.seating import Seating, assumed_seating
from controller.match.state import Amendment, LastCall, MatchState, OpenQuestion, Stamped
from controller.match.timeline import STEPS, UNKNOWN, effective_events
from controller.vision.readings import AT_HOLE, Zone

LASTING = ("close_call", "contact", "order", "lost", "twenty", "check")
"""Topics of questions that stay open after their round."""

SAME_PLACE = 8.0  # mm: two strangers this near to each other are the same


def fold(number: int, stamped: Iterable[Stamped]) -> MatchState:
    """The state after these events. The first must be `MatchStarted`."""
    history = list(stamped)
    first, *rest = effective_events(history)
    state = begin(number, first)
    for s in rest:
        state = apply(state, s)
    return replace(state, last_id=history[-1].id)


def begin(number: int, stamped: Stamped) -> MatchState:
    """The state after a match's first event."""
    started = stamped.event
    assert isinstance(started, ev.MatchStarted)
    game = new_game(started)
    before = Seating(started.directions) if started.directions else None
    seating = assumed_seating(dict(game.terms.seats), before)
    return MatchState(number, started, game, stamped.id, seating, uncleared=not started.cleared)


def new_game(started: ev.MatchStarted) -> rules.Match:
    """Create the match with these choices. Raises `rules.RulesError`."""
    form = rules.read_format(started.format) if started.format else None
    game = rules.Match.start(
        rules.own_rule_set(started.rules) if isinstance(started.rules, dict) else started.rules,
        form,
        [rules.Side(id_, side.name) for id_, side in zip("ABCD", started.sides, strict=False)],
        started.starter,
        discs=started.discs,
        doubles=started.doubles,
        seat=started.seat,
    )
    nobody = [seat for seat in started.seats if seat not in dict(game.terms.seats)]
    if nobody:
        raise rules.BadMatch(f"nobody sits at seat {nobody[0]} in this match", "seats")
    return game


def apply(state: MatchState, stamped: Stamped) -> MatchState:
    """Apply one more event that counts."""
    after = _APPLY[type(stamped.event)](state, stamped.event, stamped.id)
    undone = None if isinstance(stamped.event, STEPS) else after.undone
    after = replace(after, last_id=stamped.id, undone=undone)
    number = after.game.round.number
    if number == state.game.round.number or isinstance(stamped.event, ev.ShotSeen):
        return after
    return replace(after, begun={**state.begun, number: after})


def _play(game: rules.Match, seen: ev.ShotSeen) -> rules.Match:
    """Play a shot with its corrections."""
    shot, board = to_shot(seen), game.round.board
    out = {disc for disc in game.round.owners if disc not in board}
    shot = replace(shot, rest={disc: rest for disc, rest in shot.rest.items() if disc not in out})
    if seen.annulled:
        return game.play_annulled(shot)
    instead = played_as(seen, game.terms.rules)
    if seen.valid is None:
        return game.play(shot, instead)
    game = game.play(ruled_shot(shot, seen.valid, board), instead)
    if game.round.shots[-1].judgement.valid != seen.valid:
        raise rules.BadCorrection(
            "no opposing disc lay on the board: where the discs came to rest decides; correct the disc instead", "valid"
        )
    return game


def _open_round(state: MatchState, starter: str) -> rules.Match:
    """The match with a running round. If a correction has since decided the match, but another round was played, open
    that round with `starter`."""
    beyond = state.game.round.complete and not state.round_proposed
    return state.game.with_next_round(starter) if beyond else state.game


def _shot_seen(state: MatchState, seen: ev.ShotSeen, id_: int) -> MatchState:
    game = _play(_open_round(state, seen.side), seen)
    judged = game.round.shots[-1]
    known = {disc: m for disc, m in seen.measured.items() if disc in game.round.owners}
    removed = {r.disc: r.why for r in judged.judgement.removed}
    lying = {disc: why for disc, why in {**state.to_remove, **removed}.items() if disc in known}
    moved = set(seen.rest)
    gone = moved | _lifted(state, seen.measured)
    number = len(game.round.shots)
    ruled = {disc: zone for disc, zone in state.ruled.items() if disc not in moved}
    strangers = _with_annulled_discs(game.round.owners, seen.measured, state.strangers)
    if seen.by != "table" and seen.disc in known:  # people gave its place
        added = known[seen.disc]
        ruled[seen.disc] = added.zone
        strangers = tuple(s for s in strangers if math.hypot(s.x - added.x, s.y - added.y) > SAME_PLACE)
    return replace(
        state,
        game=game,
        measured=known,
        strangers=strangers,
        to_remove=lying,
        ruled=ruled,
        questions=_questions_after_shot(_without(state, gone, ("close_call", "lost")), seen),
        last_call=LastCall(id_, judged.judgement, judged.shot, number, seen.doubt, seen.film),
        hole=(),
        await_tap=False,
        shots={**state.shots, (game.round.number, number): id_},
    )


def _questions_after_shot(questions: Mapping[int, OpenQuestion], seen: ev.ShotSeen) -> dict[int, OpenQuestion]:
    """The questions after a shot: a twenty answers those about a twenty that only the sensor noticed."""
    sunk = "hole" in seen.rest.values()
    return {id_: q for id_, q in questions.items() if not (sunk and q.asked.what == "twenty" and not q.asked.discs)}


def _with_annulled_discs(
    owners: Mapping[str, str], measured: Mapping[str, ev.Measured], strangers: tuple[ev.Stranger, ...]
) -> tuple[ev.Stranger, ...]:
    """The strangers, and the measured discs whose shots were annulled."""
    for disc, m in measured.items():
        if disc not in owners and not any(math.hypot(s.x - m.x, s.y - m.y) < SAME_PLACE for s in strangers):
            side = disc[0].upper()  # see `new_id`
            strangers = (*strangers, ev.Stranger.model_validate({**m.model_dump(), "side": side}))
    return strangers


def _lifted(state: MatchState, measured: Mapping[str, ev.Measured]) -> set[str]:
    """Marked twenties that are gone. By lifting one, people agree that it was one, which answers questions about it.

    Only those of the newest shot: an older one may have leaned until a shot struck it. None under rules by which every
    disc at the hole is taken off.
    """
    if state.game.terms.rules.hole_decides:
        return set()
    shots = state.game.round.shots
    newest = shots[-1].shot.rest if shots else {}
    twenties = (disc for disc, why in state.to_remove.items() if why == "twenty")
    return {disc for disc in twenties if disc not in measured and disc in newest}


def _without(state: MatchState, discs: Iterable[str], kinds: Iterable[str]) -> dict[int, OpenQuestion]:
    """The open questions, except those of these topics about these discs in the running round."""
    number, gone = state.game.round.number, set(discs)
    return {
        q.id: q
        for q in state.questions.values()
        if q.asked.round != number or q.asked.what not in kinds or not gone & {q.asked.disc, *q.asked.discs}
    }


def _board_seen(state: MatchState, seen: ev.BoardSeen, id_: int) -> MatchState:
    expected = {*state.measured, *state.game.round.board.discs}
    known = {disc: m for disc, m in seen.measured.items() if disc in expected}
    to_remove = {disc: why for disc, why in state.to_remove.items() if disc in known}
    uncleared = state.uncleared and bool(seen.strangers)
    emptied = any(m.pose in AT_HOLE and disc not in known for disc, m in state.measured.items())
    emptied |= uncleared != state.uncleared
    return replace(
        state,
        uncleared=uncleared,
        measured=known,
        to_remove=to_remove,
        strangers=_with_annulled_discs(state.game.round.owners, seen.measured, seen.strangers),
        questions=_questions_after_board(state, seen, known),
        hole=() if emptied else state.hole,
    )


def _questions_after_board(
    state: MatchState, seen: ev.BoardSeen, known: Mapping[str, ev.Measured]
) -> dict[int, OpenQuestion]:
    """The questions that stay open after a reading. What people did on the board answers the others:

    | reading | answered question |
    |---|---|
    | a marked disc other than a twenty is gone | whether it was a foul: by taking it off people agree |
    | a marked twenty is gone | how it counts, see `_lifted` |
    | no strangers | the unexplained discs |
    """
    removed = {disc for disc, why in state.to_remove.items() if disc not in known and why != "twenty"}
    answered = _without(state, removed, ("contact",))
    questions = _without(replace(state, questions=answered), _lifted(state, known), ("close_call",))
    if seen.strangers:
        return questions
    return {id_: q for id_, q in questions.items() if q.asked.what != "unexplained"}


def _round_ended(state: MatchState, ended: ev.RoundEnded, id_: int) -> MatchState:
    game = state.game if state.game.round.complete else state.game.close_round()
    confirmed = game.round.number
    if not game.over and not game.awaits_shoot_out:
        game = game.next_round()
    questions = {q.id: q for q in state.questions.values() if q.asked.what in LASTING}
    return replace(
        state,
        game=game,
        measured={},
        to_remove={},
        ruled={},
        strangers=() if ended.how == "swept" else (*state.strangers, *_as_strangers(state)),
        hole=(),
        last_call=None,
        await_tap=False,
        questions=questions,
        confirmed=confirmed,
        timers={name: timer.reset() if name == "round" else timer for name, timer in state.timers.items()},
    )


def _as_strangers(state: MatchState) -> Iterator[ev.Stranger]:
    for disc, m in state.measured.items():
        yield ev.Stranger.model_validate({**m.model_dump(), "side": state.side_of(disc)})


def _round_entered(state: MatchState, entered: ev.RoundEntered, id_: int) -> MatchState:
    game = _open_round(state, state.game.round.starter)
    number = game.round.number
    game = game.enter_totals(number, figures(entered.totals), figures(entered.twenties))
    return _round_ended(replace(state, game=game), ev.RoundEnded(how="confirmed"), id_)


def _counted(state: MatchState, counted: ev.TwentyCounted | ev.DiscCounted, id_: int) -> MatchState:
    if counted.round > state.game.round.number:
        state = replace(state, game=_open_round(state, state.game.round.starter))
    if counted.round > state.game.round.number:
        return state  # its round has not begun, because the end of the one before was undone
    return beside.counted(state, counted, id_)


def _round_awarded(state: MatchState, awarded: ev.RoundAwarded, id_: int) -> MatchState:
    state = replace(state, game=state.game.award(awarded.round, figures(awarded.points)))
    running = awarded.round == state.game.round.number and awarded.round > state.confirmed
    return _round_ended(state, ev.RoundEnded(how="confirmed"), id_) if running else state


def _board_adopted(state: MatchState, adopted: ev.BoardAdopted, id_: int) -> MatchState:
    """Play the unseen shots into the ditch, then put all discs where they were measured; the others are off."""
    game = state.game
    for side, disc in adopted.shots:
        touched = game.round.board.opponents_of(side)[:1]
        game = game.play(rules.Shot(side, disc, tuple((disc, other) for other in touched), {disc: rules.DITCH}))
    rests: dict[str, rules.Rest] = dict.fromkeys(game.round.board.discs, rules.DITCH)
    on_surface = {disc: m for disc, m in adopted.measured.items() if m.zone != 0 and m.pose != "in_hole"}
    rests |= {disc: placed(m, m.zone) for disc, m in on_surface.items()}
    if rests:
        game = game.place_all(rests)
    left_out = {disc: "outer_line" for disc in adopted.measured if disc not in on_surface}
    return replace(
        state,
        game=game,
        uncleared=False,
        measured=adopted.measured,
        strangers=adopted.strangers,
        to_remove=left_out,
        ruled={},
        hole=(),
        last_call=None,
        questions={q.id: q for q in state.questions.values() if q.asked.round != game.round.number},
    )


def figures(by_side: Mapping[Any, int]) -> dict[str, int]:
    """Figures by side, in the rules' type."""
    return {str(side): value for side, value in by_side.items()}


def _question_asked(state: MatchState, asked: ev.QuestionAsked, id_: int) -> MatchState:
    if asked.round > state.game.round.number:
        return state  # its round has not begun, because the end of the one before was undone
    if asked.disc and asked.round == state.game.round.number and asked.disc not in state.game.round.owners:
        return state  # its disc's shot was undone
    if asked.shot is not None and asked.shot not in state.shots.values():
        return state  # its shot was undone
    return replace(state, questions={**state.questions, id_: OpenQuestion(id_, asked)})


def _question_answered(state: MatchState, answered: ev.QuestionAnswered, id_: int) -> MatchState:
    rest = {k: q for k, q in state.questions.items() if k not in answered.questions}
    asked = [state.questions[one] for one in answered.questions if one in state.questions]
    if answered.answer == UNKNOWN:
        return replace(state, questions={**rest, **{one.id: replace(one, aside=True) for one in asked}})
    whose = any(one.asked.what == "twenty" and not one.asked.discs for one in asked)
    return replace(state, questions=rest, hole=() if whose else state.hole)  # it explains the sensor's signal


def _disc_corrected(state: MatchState, corrected: ev.DiscCorrected, id_: int) -> MatchState:
    measured = state.measured.get(corrected.disc)
    if corrected.at is None:
        return _count_as(state, corrected.disc, corrected.zone, measured)
    x, y = corrected.at
    zone = corrected.zone if corrected.zone is not None else rules.zone(x, y)
    clearance = rules.nearest_line(x, y)[1]
    lies = ev.Measured(x=x, y=y, pose="flat", zone=zone, clearance=clearance, sigma=0.0, call="sure")
    return _count_as(state, corrected.disc, zone, lies)


def _count_as(state: MatchState, disc: str, zone: Zone | None, measured: ev.Measured | None) -> MatchState:
    """Apply a person's correction of a disc's zone; `measured` is its place.

    The camera's measurement stays: the correction did not move the disc.
    """
    rest = rest_in(disc, zone, measured)
    to_remove = {d: why for d, why in state.to_remove.items() if d != disc}
    if zone in (None, 0, 20) and disc in state.measured:
        to_remove[disc] = "twenty" if zone == 20 else "outer_line"
    ruled = {**state.ruled, disc: zone or 0}
    number = state.game.round.number
    settled = {q.id: q for q in state.questions.values() if (q.asked.round, q.asked.disc) != (number, disc)}
    game = state.game.place(disc, rest)
    return replace(state, game=game, ruled=ruled, to_remove=to_remove, questions=settled)


def _undone(state: MatchState, undone: ev.Undone, id_: int) -> MatchState:
    if undone.measured is None:  # a round's end or a correction: the fold without it is enough
        return replace(state, await_tap=state.await_tap or undone.round_end, undone=id_)
    known = {disc: m for disc, m in undone.measured.items() if disc in state.measured}
    return replace(state, measured=known, strangers=undone.strangers, last_call=None, undone=id_)


def _round_corrected(state: MatchState, corrected: ev.RoundCorrected, id_: int) -> MatchState:
    questions = {q.id: q for q in state.questions.values() if q.asked.round != corrected.round}
    return replace(
        state,
        game=state.game.correct_totals(corrected.round, figures(corrected.totals)),
        questions=questions,
    )


def _unchanged(state: MatchState, event: ev.Event, id_: int) -> MatchState:
    return state


_APPLY: dict[type[Any], Callable[[MatchState, Any, int], MatchState]] = {
    ev.SeatsLearnt: beside.seats_learnt,
    ev.ColoursLearnt: beside.colours_learnt,
    ev.ShotSeen: _shot_seen,
    ev.BoardSeen: _board_seen,
    ev.HoleChanged: lambda s, e, i: replace(s, hole=(*s.hole, e), hole_level=e.occupied),
    ev.RoundEnded: _round_ended,
    ev.QuestionAsked: _question_asked,
    ev.QuestionAnswered: _question_answered,
    ev.TwentiesCorrected: lambda s, e, i: replace(s, game=s.game.correct_twenties(e.round, {e.side: e.value})),
    ev.TwentyCounted: _counted,
    ev.DiscCounted: _counted,
    ev.RoundCorrected: _round_corrected,
    ev.ShootOutEntered: lambda s, e, i: replace(s, game=s.game.enter_shoot_out(e.twenties)),
    ev.DiscCorrected: _disc_corrected,
    ev.RoundEntered: _round_entered,
    ev.RoundAwarded: _round_awarded,
    ev.TimedOut: lambda s, e, i: replace(s, game=s.game.time_out()),
    ev.ConductCalled: beside.conduct_called,
    ev.TimerSet: beside.timer_set,
    ev.TimerRemoved: beside.timer_removed,
    ev.TimerEnded: beside.timer_ended,
    ev.StartUndone: _unchanged,
    ev.MatchDeleted: lambda s, e, i: replace(s, deleted=e.deleted),
    ev.Handed: beside.handed,
    ev.BoardAdopted: _board_adopted,
    ev.Undone: _undone,
    ev.Redone: _unchanged,
    ev.ClockSet: _unchanged,
    ev.Amended: lambda s, e, i: replace(s, amendments=(*s.amendments, Amendment(i, len(s.game.round.shots), e))),
    ev.QuestionClosed: lambda s, e, i: replace(s, questions={k: q for k, q in s.questions.items() if k != e.question}),
    ev.Paused: lambda s, e, i: replace(s, paused=e.paused),
}
