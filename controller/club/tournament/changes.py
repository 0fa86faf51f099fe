"""The changes that an action makes, as sentences for the organiser: the difference of two states.

A state is read as a document: in parts, by id, what people see of it. What is new, gone or another has its sentence."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from controller.club.tournament.errors import Message, Sentence, counted, marked, say
from controller.club.tournament.fold import match_label
from controller.club.tournament.stages import stage_kind
from controller.club.tournament.standings import standings
from controller.club.tournament.state import TournamentMatch, TournamentState

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
Labels = Mapping[str, str]
Document = Mapping[str, tuple[Any, Mapping[str, Any]]]  # by id, what is compared, and the figures of its sentences
Template = str | Callable[..., Message] | None


@dataclass(frozen=True)
class PlanDifference:
    """One difference; `id`: of the entrant, board, match or event."""

    kind: Kind
    id: str
    words: Sentence


def changes(before: TournamentState, after: TournamentState) -> tuple[PlanDifference, ...]:
    """All differences, the most interesting first."""
    found = []
    for kind, read, new, gone, other in _PARTS:
        was, now = read(before, before.labels), read(after, after.labels)
        for id in (*(id for id in was if id not in now), *now):
            sentence, (_, figures) = (gone, was[id]) if id not in now else (new if id not in was else other, now[id])
            if id in was and id in now:
                if was[id][0] == now[id][0]:
                    continue
                figures = {**figures, "former": was[id][0]}
            if sentence is not None:
                words = say(sentence, **figures) if isinstance(sentence, str) else sentence(**figures)
                found.append(PlanDifference(kind, id, words))
    return tuple(found)


def _name(match: TournamentMatch, labels: Labels) -> str:
    return " – ".join(labels[side] for side in match.sides)


def _boards(state: TournamentState, works: bool) -> Document:
    return {id: (None, {"board": board.label}) for id, board in state.boards.items() if board.works is works}


def _stage_begins(n: int) -> Message:
    return counted("A stage begins with {n} entrant.", "A stage begins with {n} entrants.", n)


def _matches(state: TournamentState, labels: Labels) -> Document:
    return {
        match.id: (
            (match.board, match.turn),
            {
                "match": _name(match, labels),
                "board": None if match.board is None else state.board_label(match.board),
                "turn": match.turn,
            },
        )
        for match in state.matches_of()
    }


def _is_placed(match: str, board: str | None, turn: int, former: Any = None) -> Message:
    if board is None:
        return say("{match} has no board yet.", match=match)
    if turn == 1:
        return say("{match}: {board}.", match=match, board=board)
    return say("{match}: {board}, in turn {turn}.", match=match, board=board, turn=turn)


def _claims(state: TournamentState, labels: Labels) -> Document:
    return {
        match.id: (
            claim,
            {"name": labels[claim.by], "match": _name(match, labels), "a": claim.points[0], "b": claim.points[1]},
        )
        for match in state.matches_of()
        if (claim := match.claim) is not None
    }


def _results(state: TournamentState, labels: Labels) -> Document:
    def result(match: TournamentMatch) -> str:
        if match.result is None:
            return f"{labels[match.winner_by_walkover]} (w/o)" if match.winner_by_walkover else "w/o"
        a, b = match.result.points
        return f"{a} – {b}" + (f" ({labels[match.winner]})" if a == b and match.winner else "")

    over = [match for match in state.matches_of() if match.over]
    return {match.id: (result(match), {"match": _name(match, labels), "result": result(match)}) for match in over}


def _shoot_outs(state: TournamentState, labels: Labels) -> Document:
    return {
        str(hash(each)): (
            None,
            {"figures": [f"{labels[a]} {twenties}" for a, twenties in zip(each.entrants, each.twenties, strict=True)]},
        )
        for each in state.shoot_outs
    }


def _byes(state: TournamentState, labels: Labels) -> Document:
    byes = ((round.id, each) for round in state.rounds.values() for each in round.byes)
    return {f"{round} {each}": (None, {"name": labels[each]}) for round, each in byes}


def _places(state: TournamentState, labels: Labels) -> Document:
    """Each with its stage: nothing is said when another begins, and nearly all places change."""
    stage = len(state.stages)
    rows = standings(state) if stage else ()
    return {f"{stage} {r.entrant}": (r.place, {"name": labels[r.entrant], "place": r.place}) for r in rows}


def warnings(state: TournamentState) -> tuple[PlanDifference, ...]:
    """Problems for the organiser: contradicting results, and play-off matches that a correction displaced."""
    return tuple(_warnings(state))


def _warnings(state: TournamentState) -> Iterator[PlanDifference]:
    for match in state.matches_of():
        if match.contradicted:
            words = say("{match} has two different results; say which one is right.", match=match_label(state, match))
            yield PlanDifference("warning", match.id, words)
    for stage in state.stages:
        for match in stage_kind(state, stage.number).displaced(state, stage.number):
            words = say("{match}: after a correction, others should play it.", match=match_label(state, match))
            yield PlanDifference("warning", match.id, words)


_OTHER_FORMAT = marked("The format has changed for everything that is still to be paired.")
_RENAMED = marked("{former} is now {label}.")
_CLAIMED = marked("{name} says that {match} ended {a} – {b}.")

_PARTS: tuple[tuple[Kind, Callable[[TournamentState, Labels], Document], Template, Template, Template], ...] = (
    ("format", lambda state, _: {"": (state.format, {})} if state.format else {}, None, _OTHER_FORMAT, _OTHER_FORMAT),
    (
        "entrant",
        lambda state, labels: {id: (None, {"name": labels[id]}) for id, each in state.entrants.items() if each.here},
        marked("{name} plays."),
        marked("{name} no longer plays."),
        None,
    ),
    (
        "entrant",
        lambda _, labels: {id: (label, {"label": label}) for id, label in labels.items()},
        None,
        None,
        _RENAMED,
    ),
    (
        "seeds",
        lambda state, labels: {"": (state.seeds, {"names": [labels[each] for each in state.seeding]})},
        None,
        None,
        marked("The order of the seeds is: {names}."),
    ),
    (
        "board",
        lambda state, _: {id: (None, {"board": board.label}) for id, board in state.boards.items()},
        None,
        marked("{board} is no longer in use."),
        None,
    ),
    ("board", lambda state, _: _boards(state, works=True), marked("{board} can be played on."), None, None),
    ("board", lambda state, _: _boards(state, works=False), marked("{board} can't be played on."), None, None),
    (
        "board",
        lambda state, _: {id: (board.label, {"label": board.label}) for id, board in state.boards.items()},
        None,
        None,
        _RENAMED,
    ),
    (
        "stage",
        lambda state, _: {str(stage.number): (None, {"n": len(stage.entrants)}) for stage in state.stages},
        _stage_begins,
        marked("The current stage goes back to not begun."),
        None,
    ),
    ("match", _matches, _is_placed, marked("{match} is no longer paired."), _is_placed),
    ("claim", _claims, _CLAIMED, None, _CLAIMED),
    (
        "result",
        _results,
        marked("{match} counts {result}."),
        marked("{match} no longer counts {result}."),
        marked("{match} counts {result} instead of {former}."),
    ),
    (
        "shoot_out",
        _shoot_outs,
        marked("A shoot-out counts: {figures}."),
        marked("A shoot-out no longer counts: {figures}."),
        None,
    ),
    ("bye", _byes, marked("{name} has a bye."), None, None),
    ("place", _places, None, None, marked("{name} is in place {place} instead of {former}.")),
    (
        "set_aside",
        lambda state, _: {str(each.number): (None, {"n": each.number, "why": each.why}) for each in state.set_aside},
        marked("Entry {n} is kept and does not count: {why}"),
        marked("Entry {n} is no longer set aside."),
        None,
    ),
    (
        "closed",
        lambda state, _: {"": (None, {})} if state.closed else {},
        marked("The evening is closed. Its results and files stay under Evenings."),
        marked("The evening is open again."),
        None,
    ),
    (
        "warning",
        lambda state, _: {each.id: (None, {"words": each.words}) for each in warnings(state)},
        lambda words: words,
        None,
        None,
    ),
)
"""By kind, how a state is read, and the sentences for what is new, gone, or another; the most interesting first."""
