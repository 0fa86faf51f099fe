"""The questions that follow from the state alone, about discs too near a line or at the hole; answers by playing on.

By playing on, people answer a close call at the outer line: a disc that they leave on the board is in play. A foul's
disc that they leave may be forgotten: that is evidence for a contact, which the belief weighs.
"""

from collections.abc import Collection, Iterable, Iterator

from controller import rules
from controller.match import events as ev
from controller.match.parts import OpenQuestion
from controller.match.state import MatchState
from controller.referee.questions import question, shot_of
from controller.vision.readings import AT_HOLE, Zone


def ask_close_calls(state: MatchState) -> list[ev.Event]:
    """The questions about discs in doubt, of the first kind that has any:

    - each disc at the hole, once people have left it there for another shot: they lift twenties. If the rules take
      every disc at the hole off, lifting shows nothing, and people are asked at once;
    - each that has to come off, but is too near the outer line to be sure;
    - once the round is complete, each that is too near a line.
    """
    marked = [n for n, why in state.to_remove.items() if why == "outer_line" and n in state.measured]
    outer = [n for n in marked if not state.measured[n].poorly_visible]
    near = off_the_hole(state) if state.game.round.complete else []
    return ask_about(state, _left_at_hole(state)) or ask_about(state, outer) or ask_about(state, near)


def off_the_hole(state: MatchState) -> list[str]:
    """The discs on the board that do not lie at the hole."""
    return [n for n, m in state.on_board.items() if m.pose not in AT_HOLE]


def _left_at_hole(state: MatchState) -> list[str]:
    current = state.game.round
    waits = current.shots and not current.complete and not state.game.terms.rules.hole_decides
    newest = current.shots[-1].shot.rest if waits else {}
    return [n for n in state.measured if n not in newest and _in_doubt_at_hole(state, n)]


def _in_doubt_at_hole(state: MatchState, name: str) -> bool:
    why, pose = state.to_remove.get(name), state.measured[name].pose
    if why == "foul":  # in the hole it would be a twenty, but for the foul
        return _only_twenty_was_valid(state, name) and 20 in state.measured[name].zones_in_doubt
    return (pose == "leaning" and why is None) or (pose == "in_hole" and why == "twenty")


def ask_about(state: MatchState, names: Iterable[str], *, ended: bool = False) -> list[ev.Event]:
    """A question for each of these discs that is in doubt, unless asked or ruled. `ended`: people ended the round."""
    asked = {q.asked.disc for q in state.open_now if q.asked.what == "close_call"}
    close = [n for n in names if state.measured[n].call == "close" and n not in asked and n not in state.ruled]
    return [_close_call(state, name, ended=ended) for name in close if len({*state.measured[name].zones_in_doubt}) > 1]


def _close_call(state: MatchState, name: str, *, ended: bool) -> ev.QuestionAsked:
    disc, after = state.measured[name], shot_of(state, name) if ended else None  # else it is as of now
    case, best_first = _case(state, disc), tuple(sorted(disc.zones_in_doubt, reverse=True))
    ends = dict[str, Zone | None]((str(zone), zone) for zone in best_first)
    if 20 in best_first and _only_twenty_was_valid(state, name):
        after, ends = shot_of(state, name), {"20": 20, "off": None}
    does = {id_: (ev.DiscCorrected(disc=name, zone=zone, after=after),) for id_, zone in ends.items()}
    if case != "line":
        return question(state, case, does, (name,))
    figures = {"zones": best_first, "clearance": disc.clearance, "sigma": disc.sigma}
    return question(state, case, does, (name,), **figures)


def _only_twenty_was_valid(state: MatchState, name: str) -> bool:
    """Whether the disc's shot was a foul unless it lies in the hole: on an open board, by some rules."""
    rule = next((p.judgement.rule for p in reversed(state.game.round.shots) if name in p.shot.rest), "open_board")
    return state.game.terms.rules.hole_decides and rule == "open_board"


def _case(state: MatchState, disc: ev.Measured) -> str:
    """Why the disc is in doubt."""
    if disc.pose in AT_HOLE:
        return "hole_camera" if state.hole_level is None else "hole_sensor"
    return "badly_seen" if disc.poorly_visible else "line"


def played_on(state: MatchState, lying: Collection[str]) -> ev.Event | None:
    """The next event that keeps a doubtful disc in play, because people took another shot and left it on the board.

    `lying`: the discs on the board. None if people also left discs that certainly have to come off.
    """
    doubted = {q.asked.disc for q in state.questions.values()}
    if any(name in lying and name not in doubted for name in state.to_remove):
        return None
    asked = [q for q in state.open_now if q.asked.disc in lying]
    events = (_over_line(state, q, asked) for q in asked if q.asked.what == "close_call")
    return next((event for event in events if event is not None), None)


def answers_against_end(state: MatchState) -> Iterator[tuple[ev.QuestionAnswered, rules.Match]]:
    """The answers to open questions by which a finished match continues, each with the resulting match. None while its
    last round runs: an award decided the match, and no further round can begin."""
    if not state.game.round.complete:
        return
    for open_ in state.questions.values():
        number = open_.asked.round
        totals = state.game.all_rounds[number - 1].totals
        for answer, change in open_.outcomes.items():
            game = state.game.correct_totals(number, {side: totals[side] + change.get(side, 0) for side in totals})
            if game.next_seat is not None:
                yield ev.QuestionAnswered(question=open_.id, answer=answer), game


def _over_line(state: MatchState, open_: OpenQuestion, asked: list[OpenQuestion]) -> ev.Event | None:
    disc = str(open_.asked.disc)
    close = state.to_remove.get(disc) == "outer_line" and state.measured[disc].call == "close"
    alone = all(other.asked.disc != disc for other in asked if other is not open_)
    return ev.DiscCorrected(disc=disc, zone=5) if close and alone else None  # the ring within the outer line counts 5
