"""Events about entrants, including late arrivals and those who leave."""

from dataclasses import replace

from controller.club.errors import TournamentError
from controller.club.tournament.base import ByOrganiser, Steps
from controller.club.tournament.boards import shortest_queue
from controller.club.tournament.match_ends import WalkedOver
from controller.club.tournament.rounds import RoundPaired, StageJoined
from controller.club.tournament.stages import stage_kind, with_starters
from controller.club.tournament.state import Entrant, TournamentRound, TournamentState, normalized_name
from controller.messages import marked, say


class EntrantAdded(ByOrganiser):
    """An entrant was added: one player, or the two of a doubles team. After the first round it is a late arrival."""

    entrant: str
    players: tuple[str, ...]

    def apply(self, state: TournamentState) -> TournamentState:
        if self.entrant in state.entrants:
            raise TournamentError(say("There is an entrant {id} already; choose another id.", id=self.entrant))
        _check_players(self.players)
        return state.with_entrant(Entrant(self.entrant, self.players))

    def plan(self, state: TournamentState) -> Steps:
        _check_names(state, self)
        state = yield self
        yield from _admit(state, self.entrant)


class EntrantRenamed(ByOrganiser):
    """The names of an entrant's players were corrected."""

    entrant: str
    players: tuple[str, ...]

    def apply(self, state: TournamentState) -> TournamentState:
        _check_players(self.players)
        return state.with_entrant(replace(state.entrant(self.entrant), players=self.players))

    def plan(self, state: TournamentState) -> Steps:
        _check_names(state, self)
        yield self


def _check_players(players: tuple[str, ...]) -> None:
    if len(players) not in (1, 2) or not all(player.strip() for player in players):
        raise TournamentError(say("An entrant is one player or the two of a team; give each a name."))


def _check_names(state: TournamentState, event: EntrantAdded | EntrantRenamed) -> None:
    own = [normalized_name(player) for player in event.players]
    for name in (*event.players, " & ".join(event.players)):
        other = state.names.get(normalized_name(name), event.entrant)
        if other != event.entrant or own.count(normalized_name(name)) > 1:
            words = say(
                "There is a {name} already, in {entrant}. Tell them apart, for example as {free}.",
                name=name,
                entrant=state.labels.get(other, name),
                free=free_name(state, name),
            )
            raise TournamentError(words)


def free_name(state: TournamentState, name: str) -> str:
    """The name if it is free, else with the first number from 2 on that makes it so."""
    free, number = name, 2
    while normalized_name(free) in state.names:
        free, number = f"{name} {number}", number + 1
    return free


class EntrantHere(ByOrganiser):
    """An entrant dropped out, or plays again."""

    entrant: str
    here: bool

    def apply(self, state: TournamentState) -> TournamentState:
        entrant = state.entrant(self.entrant)
        if entrant.here is self.here:
            words = marked("{name} is here already.") if self.here else marked("{name} has left already.")
            raise TournamentError(say(words, name=entrant.label))
        return state.with_entrant(replace(entrant, here=self.here))

    def plan(self, state: TournamentState) -> Steps:
        """One who plays again is a late arrival. The opponent of one who leaves meets an entrant with a bye, if they
        may meet; else wins by a walkover."""
        state = yield self
        if self.here:
            yield from _admit(state, self.entrant)
            return
        for match in [match for match in state.open_matches if self.entrant in match.sides]:
            opponent = match.other(self.entrant)
            round = state.rounds[match.round]
            if stage_kind(state).continuous:
                state = yield RoundPaired.without(match, round)
                continue
            partner = None if match.started or match.slot else _partner(state, round, opponent)
            if partner is not None:
                state = yield _new_match(state, round, (opponent, partner), cancelled=(match.id,))
            else:
                state = yield WalkedOver(match.id, opponent if state.entrants[opponent].here else None)


def _admit(state: TournamentState, entrant: str) -> Steps:
    """A late arrival joins the stage, and plays in the running round if somebody has a bye."""
    if not state.stages:
        return
    stage, form = state.stage, stage_kind(state)
    if entrant not in stage.entrants:
        if form.knock_out or form.entrants is not None:
            name = state.labels[entrant]
            yield (say("{name} does not play in this stage, which is for those who qualified.", name=name),)
            return
        smallest = min(range(len(stage.groups)), key=lambda k: len(state.here(stage.groups[k])))
        state = yield StageJoined(entrant, smallest)
    round = _running_round(state)
    partner = _partner(state, round, entrant) if round is not None else None
    if round is not None and partner is not None:
        yield _new_match(state, round, (entrant, partner), cancelled=())


def _running_round(state: TournamentState) -> TournamentRound | None:
    rounds = state.rounds_of(state.stage.number)
    return rounds[-1] if rounds and any(match.round == rounds[-1].id for match in state.open_matches) else None


def _partner(state: TournamentState, round: TournamentRound, entrant: str) -> str | None:
    """An entrant with a bye in the round who may meet this one."""
    group = next((group for group in state.stages[round.stage].groups if entrant in group), ())
    busy = {side for match in state.matches_of(round=round.id) if match.over for side in match.sides}
    if entrant in busy:
        return None
    free = [other for other in state.here(round.byes) if other in group and other != entrant]
    form = stage_kind(state, round.stage)
    return next((other for other in free if form.may_meet(state, round.stage, entrant, other)), None)


def _new_match(
    state: TournamentState, round: TournamentRound, sides: tuple[str, str], cancelled: tuple[str, ...]
) -> RoundPaired:
    """Another match of a round: on the board of the match that it replaces, else where it can begin first."""
    old = state.matches[cancelled[0]] if cancelled else None
    board, turn = (old.board, old.turn) if old is not None else shortest_queue(state)
    (pairing,) = with_starters(state, [sides])
    byes = tuple(each for each in round.byes if each not in sides)
    return RoundPaired((replace(pairing, board=board, turn=turn),), byes, round.id, cancelled)


class Seeded(ByOrganiser):
    """The order of the entrants, the first seed first, by lot or by the organiser; missing ones come last."""

    order: tuple[str, ...]

    def apply(self, state: TournamentState) -> TournamentState:
        return replace(state, seeds=tuple(dict.fromkeys(self.order)))

    def plan(self, state: TournamentState) -> Steps:
        for entrant in self.order:
            state.entrant(entrant)
        yield self
