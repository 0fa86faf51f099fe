"""The changes that an action makes, as sentences for the organiser: the difference of two states.

A state is read as a document: in parts, by id, what people see of it. What is new, gone or another has its sentence."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from controller.club.tournament.stages import stage_kind
from controller.club.tournament.standings import standings
from controller.club.tournament.state import TournamentMatch, TournamentState
from controller.messages import Message, Sentence, counted, marked, say

Kind = Literal[
    "format",
    "entrant",
    "seeds",
    "board",
    "stage",
    "match",
    "claim",
    "result",
    "shoot_out",
    "bye",
    "place",
    "set_aside",
    "closed",
    "warning",
]
Seen = tuple[Any, Mapping[str, Any]]  # what is compared, and the figures of its sentences
Document = Mapping[str, Seen]  # by id
Template = str | Callable[..., Message | None] | None
Part = tuple[Kind, Document, Template, Template, Template]
"""A part of what people see, and the sentences for what is new, gone, or another."""


@dataclass(frozen=True)
class PlanDifference:
    """One difference; `id`: of the entrant, board, match or event."""

    kind: Kind
    id: str
    words: Sentence


def changes(before: TournamentState, after: TournamentState) -> tuple[PlanDifference, ...]:
    """All differences, the most interesting first."""
    found = []
    for (kind, was, *_), (_, now, *templates) in zip(_parts(before), _parts(after), strict=True):
        for id in (*(id for id in was if id not in now), *now):
            words = _words(was.get(id), now.get(id), *templates)
            if words is not None:
                found.append(PlanDifference(kind, id, words))
    return tuple(found)


def _words(was: Seen | None, now: Seen | None, new: Template, gone: Template, other: Template) -> Message | None:
    """What is said of one thing in a part of what people see, by how it was and is; None for nothing."""
    template, (_, figures) = new if was is None else gone if now is None else other, now or was or (None, {})
    if was is not None and now is not None:
        if was[0] == now[0]:
            return None
        figures = {**figures, "former": was[0]}
    if template is None:
        return None
    return say(template, **figures) if isinstance(template, str) else template(**figures)


def _parts(state: TournamentState) -> Iterator[Part]:
    """What people see of a state, the most interesting first."""
    yield from _entrants(state)
    yield from _boards(state)
    yield from _matches(state)
    yield from _rest(state)


_OTHER_FORMAT = marked("The format has changed for everything that is still to be paired.")
_RENAMED = marked("{former} is now {label}.")
_CLAIMED = marked("{name} says that {match} ended {a} – {b}.")


def _entrants(state: TournamentState) -> Iterator[Part]:
    labels = state.labels
    yield "format", {"": (state.format, {})} if state.format else {}, None, _OTHER_FORMAT, _OTHER_FORMAT
    here: Document = {id: (None, {"name": labels[id]}) for id, each in state.entrants.items() if each.here}
    yield "entrant", here, marked("{name} plays."), marked("{name} no longer plays."), None
    yield "entrant", {id: (label, {"label": label}) for id, label in labels.items()}, None, None, _RENAMED
    seeds: Document = {"": (state.seeds, {"names": [labels[each] for each in state.seeding]})}
    yield "seeds", seeds, None, None, marked("The order of the seeds is: {names}.")


def _boards(state: TournamentState) -> Iterator[Part]:
    all: Document = {
        id: (board.heading, {"board": board.heading, "label": board.heading}) for id, board in state.boards.items()
    }
    yield "board", all, None, marked("{board} is no longer in use."), None
    for works, words in ((True, marked("{board} can be played on.")), (False, marked("{board} can't be played on."))):
        yield "board", {id: each for id, each in all.items() if state.boards[id].works is works}, words, None, None
    yield "board", all, None, None, _RENAMED


def _matches(state: TournamentState) -> Iterator[Part]:
    begun: Document = {str(stage.number): (None, {"n": len(stage.entrants)}) for stage in state.stages}
    yield "stage", begun, _stage_begins, marked("The current stage goes back to not begun."), None
    names = {match: state.label_of(match) for match in state.matches_of()}
    placed: Document = {
        match.id: (
            (match.board, match.turn),
            {"match": name, "board": match.board and state.any_board(match.board).heading, "turn": match.turn},
        )
        for match, name in names.items()
    }
    yield "match", placed, _is_placed, marked("{match} is no longer paired."), _is_placed
    claims: Document = {
        match.id: (
            match.claim,
            {
                "name": state.labels[match.claim.by],
                "match": name,
                "a": match.claim.result.points[0],
                "b": match.claim.result.points[1],
            },
        )
        for match, name in names.items()
        if match.claim is not None
    }
    yield "claim", claims, _CLAIMED, None, _CLAIMED
    over = {match: (_result(state, match), _twenties(match), bool(match.contradicted)) for match in names if match.over}
    counts: Document = {
        match.id: (end, {"match": names[match], "result": end[0], "now": end}) for match, end in over.items()
    }
    yield (
        "result",
        counts,
        marked("{match} counts {result}."),
        marked("{match} no longer counts {result}."),
        _counts_now,
    )


def _stage_begins(n: int) -> Message:
    return counted("A stage begins with {n} entrant.", "A stage begins with {n} entrants.", n)


def _is_placed(match: str, board: Message | str | None, turn: int, former: Any = None) -> Message:
    if board is None:
        return say("{match} has no board yet.", match=match)
    if turn == 1:
        return say("{match}: {board}.", match=match, board=board)
    return say("{match}: {board}, in turn {turn}.", match=match, board=board, turn=turn)


def _counts_now(match: str, result: str, now: tuple[str, str, bool], former: tuple[str, str, bool]) -> Message | None:
    """Of a match whose result, twenties or contradiction is another one."""
    if now[0] != former[0]:
        return say("{match} counts {result} instead of {former}.", match=match, result=result, former=former[0])
    if now[1] != former[1]:
        return say("{match}: twenties {twenties} instead of {former}.", match=match, twenties=now[1], former=former[1])
    return say("{match} counts {result}, as decided.", match=match, result=result) if former[2] else None


def _twenties(match: TournamentMatch) -> str:
    a, b = (match.result.twenties if match.result else None) or ("?", "?")
    return f"{a} – {b}"


def _result(state: TournamentState, match: TournamentMatch) -> str:
    if match.result is None:
        return f"{state.labels[match.winner_by_walkover]} (w/o)" if match.winner_by_walkover else "w/o"
    a, b = match.result.points
    return f"{a} – {b}" + (f" ({state.labels[match.winner]})" if a == b and match.winner else "")


def _rest(state: TournamentState) -> Iterator[Part]:
    labels = state.labels
    shoot_outs: Document = {
        str(each): (None, {"figures": [f"{labels[entrant]} {twenties}" for entrant, twenties in each.items()]})
        for each in state.shoot_outs
    }
    yield (
        "shoot_out",
        shoot_outs,
        marked("A shoot-out counts: {figures}."),
        marked("A shoot-out no longer counts: {figures}."),
        None,
    )
    byes: Document = {
        f"{round.id} {each}": (None, {"name": labels[each]}) for round in state.rounds.values() for each in round.byes
    }
    yield "bye", byes, marked("{name} has a bye."), None, None
    stage = len(state.stages)  # nothing is said of places when another begins, and nearly all change
    rows = standings(state) if stage else ()
    places: Document = {f"{stage} {r.entrant}": (r.place, {"name": labels[r.entrant], "place": r.place}) for r in rows}
    yield "place", places, None, None, marked("{name} is in place {place} instead of {former}.")
    aside: Document = {str(each.number): (None, {"n": each.number, "why": each.why}) for each in state.set_aside}
    kept, counts = marked("Entry {n} is kept and does not count: {why}"), marked("Entry {n} is no longer set aside.")
    yield "set_aside", aside, kept, counts, None
    closed = marked("The evening is closed. Its results and files stay under Evenings.")
    yield "closed", {"": (None, {})} if state.closed else {}, closed, marked("The evening is open again."), None
    warned: Document = {each.id: (None, {"words": each.words}) for each in warnings(state)}
    yield "warning", warned, lambda words: words, None, None


def warnings(state: TournamentState) -> Iterator[PlanDifference]:
    """Problems for the organiser: contradicting results, and play-off matches that a correction displaced."""
    for match in state.matches_of():
        if match.contradicted:
            words = say("{match} has two different results; say which one is right.", match=state.label_of(match))
            yield PlanDifference("warning", match.id, words)
    for stage in state.stages:
        for match in stage_kind(state, stage.number).displaced(state, stage.number):
            words = say("{match}: after a correction, others should play it.", match=state.label_of(match))
            yield PlanDifference("warning", match.id, words)
