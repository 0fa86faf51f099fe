"""The match in words: colours, discs, the last call, the next step, and the score."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from controller import rules
from controller.match import events as ev
from controller.match.base import Stamped
from controller.match.parts import Hint
from controller.match.shot_kinds import Kind
from controller.match.state import MatchState
from controller.messages import Message, counted, say

COLOURS: Mapping[str, tuple[Message, str]] = {
    "black": (say("Black"), "#2b2724"),
    "natural": (say("Natural"), "#e3c08a"),
    "red": (say("Red"), "#b3261e"),
    "green": (say("Green"), "#23714a"),
    "white": (say("White"), "#f2efe6"),
    "brown": (say("Brown"), "#6b3f22"),
    "orange": (say("Orange"), "#d96a16"),
    "yellow": (say("Yellow"), "#e0b21c"),
    "blue": (say("Blue"), "#2a4d9c"),
    "purple": (say("Purple"), "#5b2a7a"),
}
"""The default colours of the sides, in this order; the first four are easy to distinguish."""
OTHER_COLOUR = "#8a7b66"


SHOT_KINDS: Mapping[Kind, Message] = {
    "open_twenty": say("Open twenty"),
    "contact": say("Contact"),
    "takeout": say("Takeout"),
    "double": say("Takeout of two or more"),
    "follow_through": say("Follow-through twenty"),
    "promotion": say("Own disc promoted"),
    "rebound": say("Rebound off a peg"),
}


def swatch(colour: str) -> str:
    """How discs of a side's colour are drawn."""
    return COLOURS[colour][1] if colour in COLOURS else OTHER_COLOUR


def colour_name(colour: str) -> Message:
    """The name of a colour of the reading."""
    return COLOURS[colour][0] if colour in COLOURS else Message(colour)


def discs_named(sentences: Iterable[Message], names: Mapping[str, Message]) -> list[str]:
    """The discs that sentences name, in order; `names`: the discs' names by id."""
    said = [value for sentence in sentences for value in _said(sentence)]
    return list(dict.fromkeys(disc for value in said for disc, name in names.items() if value == name))


def _said(value: object) -> Iterator[object]:
    """A value of a sentence, and all values within it."""
    yield value
    inner = value.values.values() if isinstance(value, Message) else value if isinstance(value, tuple) else ()
    for one in inner:
        yield from _said(one)


def call(judgement: rules.Judgement) -> Message:
    """A judgement in words."""
    if judgement.rule == "annulled":
        return say("Annulled.")
    if not judgement.counted_valid:
        return _foul(judgement)
    if not judgement.valid:
        return say("Valid by agreement; by the rules a foul.")
    if judgement.twenties:
        return counted("Twenty!", "{n} twenties!", len(judgement.twenties))
    return say("Valid.")


def _foul(judgement: rules.Judgement) -> Message:
    if judgement.played_as == "conduct_foul":
        return say("Foul, for conduct.")
    if judgement.valid:
        return say("Foul by agreement; by the rules valid.")
    match judgement.reason:
        case "no_opponent_contact":
            return say("Foul: no contact.")
        case "not_in_hole":
            return say("No twenty.")
    return say("Foul: not in the 15.")


def next_step(state: MatchState) -> Message:
    """The players' next step, in one line."""
    game = state.game
    if state.over:
        if game.terms.rules.practice:
            return say("That was the practice round.")
        won = game.winner
        if not won:
            return say("The match ends in a tie.")
        score = "–".join(str(points) for points in sorted(state.score.values(), reverse=True))
        name = state.name_of(won)
        return counted(
            "{name} wins {score}.", "{name} win {score}.", len(state.started.players_of(won)), name=name, score=score
        )
    if state.paused:
        return say("The table is paused: a scorer touches {go_on}.", go_on=say("Go on refereeing"))
    if state.manual:
        return say("The scorer keeps the score.")
    off = _to_take_off(state)
    if off is not None:
        return off
    if game.awaits_shoot_out and not state.round_proposed:
        return say("Level. A shoot-out of twenties decides: the scorer enters its figures.")
    seat = game.round.seat_to_shoot
    if seat is None:
        return say("Round over. Clear the board to confirm.")
    return say("{name} to shoot.", name=state.player_of(seat))


def _to_take_off(state: MatchState) -> Message | None:
    """Which discs must be taken off before the next shot; None if none."""
    if state.strangers or state.uncleared:
        shots = state.game.round.shots
        return say("Take off the discs that are not in play.") if shots else say("Clear the board.")
    reasons = set(state.to_remove.values())
    if reasons - {"twenty"}:
        return say("Take off the marked discs.")
    return say("Lift the twenty out of the hole.") if reasons else None


def situation(state: MatchState) -> Message:
    """The round's situation: the lead, the hammer, and the shots left."""
    if state.game.terms.rules.practice:
        return _practised(state)
    if state.manual:  # the shots are unknown
        return say("{lead}.", lead=_lead(state))
    return say("{lead}; {left}.", lead=_lead(state), left=_left(state.game.round.shots_left, state))


def _practised(state: MatchState) -> Message:
    """A practising player's result in this round, and the shots left."""
    current, discs = state.game.round, state.game.terms.discs
    (twenties,), (total,), (left,) = (
        tuple(of.values()) for of in (current.twenty_counts, current.totals, current.shots_left)
    )
    if state.manual:  # the shots are unknown
        twenties_only = state.game.terms.format.kind == "twenties"
        reached = counted("{n} twenty", "{n} twenties", twenties) if twenties_only else say("{n} points", n=total)
        return say("{lead}.", lead=reached)
    shots = counted("{n} shot left", "{n} shots left", left)
    if state.game.terms.format.kind == "twenties":
        return say("{twenties} of {shot} in the hole; {left}.", twenties=twenties, shot=discs - left, left=shots)
    return say("{total} points with {shot} discs; {left}.", total=total, shot=discs - left, left=shots)


def _lead(state: MatchState) -> Message:
    totals, hammer = state.game.round.totals, state.game.round.hammer
    best, second, *_ = sorted(totals.values(), reverse=True)
    n = len(state.started.players_of(hammer))  # "has" or "have"
    if best == second:
        return counted("Level, {name} has the hammer", "Level, {name} have the hammer", n, name=state.name_of(hammer))
    leader = next(side for side, total in totals.items() if total == best)
    leads = state.name_of(leader)
    if leader == hammer:
        return counted(
            "{name} leads by {points} and has the hammer",
            "{name} lead by {points} and have the hammer",
            n,
            name=leads,
            points=best - second,
        )
    other = state.name_of(hammer)
    return counted(
        "{name} leads by {points}, {other} has the hammer",
        "{name} lead by {points}, {other} have the hammer",
        n,
        name=leads,
        points=best - second,
        other=other,
    )


def _left(left: Mapping[str, int], state: MatchState) -> Message:
    if len(set(left.values())) == 1:
        return counted("{n} shot each", "{n} shots each", next(iter(left.values())))
    shots = [counted("{name}: {n} shot", "{name}: {n} shots", n, name=state.name_of(side)) for side, n in left.items()]
    return say("{shots}", shots=tuple(shots))


def placing(hint: Hint | None, state: MatchState | None) -> Message | None:
    """A notice about a wrongly placed disc, if any."""
    if hint is None or state is None:
        return None
    name = state.name_of(hint.side) if hint.side is not None else ""
    match hint.fault:
        case "not_in_turn":
            return say("{name}'s disc lies ready, but it is not {name}'s turn.", name=name)
        case "off_the_line":
            return say("{name}'s disc does not touch the starting line.", name=name)
        case "at_another_seat":
            return say("{name}'s disc lies where {name} does not sit. Has somebody changed seats?", name=name)
        case "over_quadrant_line":
            return say("{name}'s disc lies more than half over the quadrant line.", name=name)
        case "whose_unknown":
            return say("The table can't tell whose discs these are. Take all but one side's off for a moment.")
        case "match_over":
            return say(
                "The match is over, so nothing is counted. If that is wrong, correct the round; if not, start the "
                "next match."
            )


SILENT = 3  # consecutive missed discs: a working sensor rarely misses one


def silent_sensor(history: Sequence[Stamped]) -> Message | None:
    """A notice about a sensor that missed the last discs that the camera saw at the hole, if it did."""
    felt = (s for s in reversed(history) if isinstance(s.event, ev.HoleChanged) and s.event.occupied)
    since = next((s.id for s in felt), 0)
    asked = sum(
        s.id > since and isinstance(s.event, ev.QuestionAsked) and s.event.case == "hole_sensor" for s in history
    )
    if asked < SILENT:
        return None
    return say(
        "The hole sensor missed the last {n} discs that the camera saw at the hole. Clean it, check its "
        "wire, or teach it with a disc on the set-up page.",
        n=asked,
    )
