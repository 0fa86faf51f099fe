"""The events that end matches, or say how one ended."""

from dataclasses import replace

from controller.club.errors import TournamentError
from controller.club.tournament.base import ByOrganiser, Event, Steps
from controller.club.tournament.rounds import Undone
from controller.club.tournament.state import Claim, End, MatchEnd, TournamentMatch, TournamentState
from controller.messages import say


class Result(ByOrganiser, MatchEnd):
    """A match ended."""

    def apply(self, state: TournamentState) -> TournamentState:
        match = state.open_match(self.match)
        return state.with_matches(replace(match, result=_checked(state, self, match)))

    def plan(self, state: TournamentState) -> Steps:
        """A report that was set aside and counts now, for another match, no longer waits."""
        yield self
        for aside in state.set_aside:
            if aside.source == self.report:
                yield Undone(aside.number)


def _checked(state: TournamentState, result: End, match: TournamentMatch) -> End:
    result = match.in_order(result)
    trouble = state.play_of(match).trouble(result.points, result.short)
    if trouble is not None:
        raise TournamentError(trouble)
    level = result.points[0] == result.points[1]
    if result.winner is not None and not level:
        raise TournamentError(say("A shoot-out decides level matches only; leave its winner out."))
    if state.known_format.stages[match.stage].knock_out and level and result.winner is None:
        raise TournamentError(
            say("A play-off match needs a winner: play one more round, or enter who won the shoot-out.")
        )
    return result


class Corrected(ByOrganiser):
    """A result was corrected; also the ruling on two different results of one match."""

    result: Result

    def apply(self, state: TournamentState) -> TournamentState:
        match = state.paired_match(self.result.match)
        if not match.over:
            raise TournamentError(say("{match} has no result yet; enter it.", match=state.label_of(match)))
        result = _checked(state, self.result, match)
        # the organiser decides between all reports, a table corrects what it reported itself
        left = tuple(other for other in match.contradicted if result.report and not other.same_result(result))
        right = replace(match, result=result, walkover=False, winner_by_walkover=None, contradicted=left)
        return state.with_matches(right)


class WalkedOver(ByOrganiser):
    """A match is not played: `winner`, if any, gets all its points."""

    match: str
    winner: str | None

    def apply(self, state: TournamentState) -> TournamentState:
        match = state.open_match(self.match)
        if self.winner is not None and self.winner not in match.sides:
            raise TournamentError(say("The winner of a walkover must be one of the two; choose one."))
        return state.with_matches(replace(match, walkover=True, winner_by_walkover=self.winner))


class ShootOut(ByOrganiser):
    """A shoot-out among tied entrants, decided by their `twenties`; lots can be entered as any different numbers."""

    entrants: tuple[str, ...]
    twenties: tuple[int, ...]

    def apply(self, state: TournamentState) -> TournamentState:
        made = dict(zip(self.entrants, self.twenties, strict=False))
        if not len(made) == len(self.entrants) == len(self.twenties) > 0:
            raise TournamentError(say("A shoot-out needs one number of twenties for each who took part."))
        for entrant in made:
            state.entrant(entrant)
        return replace(state, shoot_outs=(*state.shoot_outs, made))


class ResultClaimed(Event, Claim):
    """One of the two claims a result."""

    result: Result

    def apply(self, state: TournamentState) -> TournamentState:
        match = state.open_match(self.result.match)
        return state.with_matches(replace(match, claim=replace(self, result=_checked(state, self.result, match))))
