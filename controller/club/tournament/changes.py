"""The changes that an action makes, as sentences for the organiser: the difference of two states."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from controller.club.tournament.errors import Message, counted, marked, say
from controller.club.tournament.fold import match_label
from controller.club.tournament.standings import standings
from controller.club.tournament.state import Match, State

Kind = Literal[
    "format", "entrant", "seeds", "board", "stage", "match", "moved", "result", "shoot_out", "bye", "place",
    "set_aside", "warning", "claim", "closed",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """One difference; `id`: of the entrant, board, match or event."""

    kind: Kind
    id: str
    words: Message


def changes(before: State, after: State) -> tuple[Change, ...]:
    """All differences, the most interesting first."""
    return (
        *_format(before, after),
        *_entrants(before, after),
        *_seeds(before, after),
        *_boards(before, after),
        *_stages(before, after),
        *_matches(before, after),
        *_claims(before, after),
        *_results(before, after),
        *_shoot_outs(before, after),
        *_byes(before, after),
        *_places(before, after),
        *_set_aside(before, after),
        *_closing(before, after),
        *_warnings(before, after),
    )


def _entrants(before: State, after: State) -> Iterator[Change]:
    old = {id: (label, before.entrants[id].here) for id, label in before.labels.items()}
    new = {id: (label, after.entrants[id].here) for id, label in after.labels.items()}
    for id in {**old, **new}:
        (was, was_here), (label, here) = old.get(id, ("", False)), new.get(id, ("", False))
        if here and not was_here:
            yield Change("entrant", id, say("{name} plays.", name=label))
        elif was_here and not here:
            yield Change("entrant", id, say("{name} no longer plays.", name=label or was))
        elif label != was and label and was:
            yield Change("entrant", id, say("{name} is now {label}.", name=was, label=label))


def _format(before: State, after: State) -> Iterator[Change]:
    if before.format is not None and after.format != before.format:
        yield Change("format", "", say("The format has changed for everything that is still to be paired."))


def _seeds(before: State, after: State) -> Iterator[Change]:
    if after.seeds != before.seeds:
        names = [after.labels[entrant] for entrant in after.seeding]
        yield Change("seeds", "", say("The order of the seeds is: {names}.", names=names))


def _shoot_outs(before: State, after: State) -> Iterator[Change]:
    for state, others, words in (
        (after, before, marked("A shoot-out counts: {figures}.")),
        (before, after, marked("A shoot-out no longer counts: {figures}.")),
    ):
        for each in state.shoot_outs:
            if each not in others.shoot_outs:
                pairs = zip(each.entrants, each.twenties, strict=True)
                figures = [f"{state.labels[entrant]} {twenties}" for entrant, twenties in pairs]
                yield Change("shoot_out", "", say(words, figures=figures))


def _boards(before: State, after: State) -> Iterator[Change]:
    for id, board in before.boards.items():
        if id not in after.boards:
            yield Change("board", id, say("{board} is no longer in use.", board=board.label))
    for id, board in after.boards.items():
        was = before.boards.get(id)
        if board.works and not (was and was.works):
            yield Change("board", id, say("{board} can be played on.", board=board.label))
        elif not board.works and (was is None or was.works):
            yield Change("board", id, say("{board} can't be played on.", board=board.label))
    for board in after.boards.values():
        label = before.boards.get(board.id, board).label
        if board.label != label:
            yield Change("board", board.id, say("{name} is now {label}.", name=label, label=board.label))


def _stages(before: State, after: State) -> Iterator[Change]:
    for stage in after.stages[len(before.stages) :]:
        words = counted("A stage begins with {n} entrant.", "A stage begins with {n} entrants.", len(stage.entrants))
        yield Change("stage", str(stage.number), words)
    for stage in before.stages[len(after.stages) :]:
        yield Change("stage", str(stage.number), say("The current stage goes back to not begun."))


def _place(state: State, match: Match) -> Message:
    if match.board is None:
        return say("{match} has no board yet.", match=match_label(state, match))
    board = state.board_label(match.board)
    if match.turn == 1:
        return say("{match}: {board}.", match=match_label(state, match), board=board)
    return say("{match}: {board}, in turn {turn}.", match=match_label(state, match), board=board, turn=match.turn)


def _matches(before: State, after: State) -> Iterator[Change]:
    old = {match.id: match for match in before.matches_of()}
    new = {match.id: match for match in after.matches_of()}
    for id, match in old.items():
        if id not in new:
            yield Change("match", id, say("{match} is no longer paired.", match=match_label(before, match)))
    for id, match in new.items():
        if id not in old:
            yield Change("match", id, _place(after, match))
        elif (match.board, match.turn) != (old[id].board, old[id].turn):
            yield Change("moved", id, _place(after, match))


def _result(match: Match | None, state: State) -> str:
    """The result of a match as a text; empty while it is open."""
    if match is None or not match.over:
        return ""
    if match.result is None:
        return f"{state.labels[match.winner_by_walkover]} (w/o)" if match.winner_by_walkover else "w/o"
    a, b = match.result.points
    return f"{a} – {b}" + (f" ({state.labels[match.winner]})" if a == b and match.winner else "")


def _results(before: State, after: State) -> Iterator[Change]:
    old = {match.id: match for match in before.matches_of()}
    new = {match.id: match for match in after.matches_of()}
    for id in {**old, **new}:
        was, now = _result(old.get(id), before), _result(new.get(id), after)
        if was == now:
            continue
        name = match_label(after, new[id]) if id in new else match_label(before, old[id])
        if not was:
            yield Change("result", id, say("{match} counts {result}.", match=name, result=now))
        elif not now:
            yield Change("result", id, say("{match} no longer counts {result}.", match=name, result=was))
        else:
            words = say("{match} counts {result} instead of {former}.", match=name, result=now, former=was)
            yield Change("result", id, words)


def _claims(before: State, after: State) -> Iterator[Change]:
    for match in after.matches_of():
        was = before.matches.get(match.id)
        if match.open and match.claim is not None and (was is None or was.claim != match.claim):
            a, b = match.claim.points
            by = after.labels[match.claim.by]
            words = say("{name} says that {match} ended {a} – {b}.", name=by, match=match_label(after, match), a=a, b=b)
            yield Change("claim", match.id, words)


def _closing(before: State, after: State) -> Iterator[Change]:
    if after.closed and not before.closed:
        yield Change("closed", "", say("The evening is closed. Its results and files stay under Evenings."))
    elif before.closed and not after.closed:
        yield Change("closed", "", say("The evening is open again."))


def _byes(before: State, after: State) -> Iterator[Change]:
    old = {(round.id, entrant) for round in before.rounds.values() for entrant in round.byes}
    for round in after.rounds.values():
        for entrant in round.byes:
            if (round.id, entrant) not in old:
                yield Change("bye", entrant, say("{name} has a bye.", name=after.labels[entrant]))


def _places(before: State, after: State) -> Iterator[Change]:
    """The places that results and byes change. None between stages, when nearly all places change."""
    if not before.stages or len(before.stages) != len(after.stages):
        return
    old = {row.entrant: row.place for row in standings(before)}
    for row in standings(after):
        if row.entrant in old and old[row.entrant] != row.place:
            words = say(
                "{name} is in place {place} instead of {former}.",
                name=after.labels[row.entrant],
                place=row.place,
                former=old[row.entrant],
            )
            yield Change("place", row.entrant, words)


def _set_aside(before: State, after: State) -> Iterator[Change]:
    old = {each.number for each in before.set_aside}
    for each in after.set_aside:
        if each.number not in old:
            words = say("Entry {n} is kept and does not count: {why}", n=each.number, why=each.why)
            yield Change("set_aside", str(each.number), words)
    for number in old - {each.number for each in after.set_aside}:
        yield Change("set_aside", str(number), say("Entry {n} is no longer set aside.", n=number))


def warnings(state: State) -> tuple[Change, ...]:
    """Problems for the organiser: contradicting results, and play-off matches that a correction displaced."""
    found = [
        Change(
            "warning",
            match.id,
            say("{match} has two different results; say which one is right.", match=match_label(state, match)),
        )
        for match in state.matches_of()
        if match.contradicted
    ]
    for stage in state.stages:
        form = state.known_format.stages[stage.number]
        found += [
            Change(
                "warning",
                match.id,
                say("{match}: after a correction, others should play it.", match=match_label(state, match)),
            )
            for match in form.displaced(state, stage.number)
        ]
    return tuple(found)


def _warnings(before: State, after: State) -> Iterator[Change]:
    old = {(change.kind, change.id) for change in warnings(before)}
    yield from (change for change in warnings(after) if (change.kind, change.id) not in old)
