"""Shots: as the table or people saw them, corrected, overruled, annulled; calls for conduct."""

import math
from contextlib import suppress
from dataclasses import replace
from typing import Literal, Self

from pydantic import model_validator

from controller import rules
from controller.errors import Refused
from controller.match.base import At, BaseCommand, BaseEvent, Events, SideNames, UndoableEvent
from controller.match.boards import DiscCorrected, lifted_twenties
from controller.match.cases import Doubt
from controller.match.discs import SAME_PLACE, Measured, with_unplayed
from controller.match.filmed import FilmOfShot
from controller.match.model import FrozenModel, Number, SideId
from controller.match.parts import ConductCall, LastCall, OpenQuestion
from controller.match.rounds import with_open_round
from controller.match.state import MatchState
from controller.messages import Message, marked, say
from controller.rules import Conduct, conduct_words

Agreement = Literal["valid", "foul", "by_rules"]


class ShotRuling(FrozenModel):
    """How people corrected a shot: `valid`, its verdict by the rules; `annulled`, it took its turn but does not count;
    `agreed`, both sides agreed to play it so, whatever the rules say, or that the rules decide again."""

    valid: bool | None = None
    annulled: bool = False
    agreed: Agreement | None = None


class ShotSeen(UndoableEvent, ShotRuling):
    """One shot: the referee's explanation of a change on the board, or a shot that only people saw."""

    webhook = "shot"
    undo_words = marked("the last shot of {name}")
    side: SideId
    disc: str
    contacts: tuple[tuple[str, str], ...] = ()
    rest: dict[str, Literal["surface", "hole", "ditch"]]  # where each moved disc came to rest
    measured: dict[str, Measured]  # every disc on the surface or in the hole afterwards
    doubt: Doubt | None = None
    t: float = 0.0
    frame: str = ""
    conduct: bool = False  # its player was called for conduct
    picture: str | None = None  # the name of the picture after it
    returned: tuple[str, ...] = ()  # discs that people said left the surface and bounced back
    placed: tuple[DiscCorrected, ...] = ()  # where it left discs, for its verdict, if not where measured
    film: FilmOfShot | None = None  # None if the shot was not filmed

    def in_words(self, names: SideNames) -> Message:
        if self.by == "table":
            return say("A shot was seen")
        return self.filled(marked("A shot of {name} added"), names)

    def apply(self, state: MatchState) -> MatchState:
        game = self._play(self._with_starter(with_open_round(state, self.side)))
        judged = game.round.shots[-1]
        known = {disc: m for disc, m in self.measured.items() if disc in game.round.owners}
        removed = {r.disc: r.why for r in judged.judgement.removed}
        number = len(game.round.shots)
        ruled = {disc: zone for disc, zone in state.ruled.items() if disc not in self.rest}
        strangers = with_unplayed(state.strangers, self.measured, game.round.owners)
        if self.by != "table" and self.disc in known:  # people gave its place
            added = known[self.disc]
            ruled[self.disc] = added.zone
            strangers = tuple(s for s in strangers if math.hypot(s.x - added.x, s.y - added.y) > SAME_PLACE)
        return replace(
            replace(state, to_remove={**state.to_remove, **removed}).with_measured(known),
            game=game,
            strangers=strangers,
            ruled=ruled,
            questions=self._still_open(state),
            last_call=LastCall(state.last_id, judged, number, self.doubt, self.film),
            hole=(),
            end_undone=False,
            shots={**state.shots, (game.round.number, number): state.last_id},
        )

    def _with_starter(self, game: rules.Match) -> rules.Match:
        """The match before the shot; the side that the table sees shoot first is the round's starter."""
        first = self.by == "table" and not game.round.shots and self.side != game.round.to_shoot
        return game.started_by(self.side) if first else game

    def _play(self, game: rules.Match) -> rules.Match:
        shot = self._for_rules(game.round)
        if said := {one.disc: one.rest(self.measured) for one in self.placed if one.disc in shot.rest}:
            with suppress(rules.ImpossibleShot):  # another disc of the shot is in the way
                return self._judged(game, replace(shot, rest={**shot.rest, **said}))
        return self._judged(game, shot)

    def _judged(self, game: rules.Match, shot: rules.Shot) -> rules.Match:
        if self.annulled:
            return game.play(shot, annul=True)
        if self.valid is not None:
            shot = _with_verdict(shot, self.valid, game.round.board)
        game = game.play(shot, self._played_as(game.terms.rules))
        if self.valid not in (None, game.round.shots[-1].judgement.valid):
            raise rules.BadCorrection(
                "no opposing disc lay on the board: where the discs came to rest decides; correct the disc instead",
                "valid",
            )
        return game

    def _for_rules(self, current: rules.Round) -> rules.Shot:
        """The shot, without discs that were out already."""
        rest: dict[str, rules.Rest] = {}
        for disc, where in self.rest.items():
            if disc in current.owners and disc not in current.board:
                continue
            if where == "surface":
                rest[disc] = self.measured[disc].placed(self.measured[disc].zone, returned=disc in self.returned)
            else:
                rest[disc] = rules.HOLE if where == "hole" else rules.DITCH
        return rules.Shot(self.side, self.disc, self.contacts, rest)

    def _played_as(self, rule_set: rules.RuleSet) -> rules.PlayedAs | None:
        """How people overruled the verdict; None if they did not. An agreement of both sides takes precedence over a
        penalty for conduct."""
        if self.agreed == "valid":
            return "agreed_valid"
        if self.agreed == "foul":
            return "agreed_foul"
        return "conduct_foul" if self.conduct and rule_set.conduct == "foul" else None

    def _still_open(self, state: MatchState) -> dict[int, OpenQuestion]:
        """The questions without those that the shot answers: a twenty answers those that only the sensor noticed."""
        gone, sunk = {*self.rest} | lifted_twenties(state, self.measured), "hole" in self.rest.values()
        number = state.game.round.number
        return state.questions_without(
            lambda q: q.is_about(gone, number, "close_call", "lost") or (sunk and q.asked.only_felt)
        )


def _with_verdict(shot: rules.Shot, valid: bool, board: rules.Position) -> rules.Shot:
    """The shot with contacts that fit the corrected verdict."""
    opponents = board.opponents_of(shot.side)
    contacts = tuple(pair for pair in shot.contacts if not set(pair) & set(opponents))
    if valid and opponents:
        contacts += ((shot.disc, next((d for d in shot.rest if d in opponents), opponents[0])),)
    return replace(shot, contacts=contacts)


class ShotCorrected(UndoableEvent, ShotRuling):
    """A correction of the shot `target`, of its `contacts`, or of its discs that left the surface and bounced back
    (`returned`). `by` is the table if it saw people take off discs that the shot had just moved."""

    target: int
    contacts: tuple[tuple[str, str], ...] | None = None
    returned: tuple[str, ...] | None = None

    def in_words(self, names: SideNames) -> Message:
        if self.annulled:
            return say("A shot annulled")
        if self.agreed is not None:
            return say(_AGREED[self.agreed])
        if self.valid is not None:
            return say("A shot called valid") if self.valid else say("A shot called a foul")
        if self.returned:
            return say("Left the board and bounced back: {discs}", discs=self.returned)
        return say("A shot corrected")

    @property
    def corrects(self) -> int:
        return self.target


_AGREED = {
    "valid": marked("A shot played as valid by agreement"),
    "foul": marked("A shot played as a foul by agreement"),
    "by_rules": marked("A shot counts by the rules again"),
}


def corrected(shot: ShotSeen, said: BaseEvent) -> ShotSeen:
    """The shot with a correction of it; where discs lie may decide its verdict too."""
    match said:
        case ShotCorrected():
            changes = said.model_dump(include={*ShotRuling.model_fields, "contacts", "returned"}, exclude_defaults=True)
        case ConductCalled(side=shot.side):
            changes = {"conduct": True}
        case DiscCorrected():
            changes = {"placed": (*shot.placed, said)}
        case _:
            return shot
    return shot.model_copy(update=changes)


class AddShot(BaseCommand):
    """Add a shot that the table missed, of the side whose turn it is: the disc is `at` (x, y in mm), off, or in the
    hole. Correct the discs that it hit on the board."""

    do: Literal["add_shot"]
    side: SideId
    at: tuple[float, float] | Literal["hole", "ditch"]

    def at_stake(self, at: At) -> object:
        return at.state.game.round.number, len(at.state.game.round.shots)

    def events(self, at: At) -> Events:
        """The shot as if it had been seen; valid if there was an opposing disc that it can have hit. Raises `Refused`
        if the match is over or no shot is due; the rules check the turn."""
        state, current = at.state, at.state.game.round
        if state.over or current.complete:
            raise Refused(say("Every disc of this round was shot: undo its end, or correct a disc instead."), "undo")
        disc, where, measured = state.next_disc(self.side), self.at, dict(state.measured)
        if not isinstance(where, str):
            assert at.board is not None  # a match without a camera has no shots
            measured[disc] = at.board.disc_at(*state.seating.measured(*where))
        shot = ShotSeen(
            side=self.side,
            disc=disc,
            rest={disc: where if isinstance(where, str) else "surface"},
            measured=measured,
            valid=True if current.board.opponents_of(self.side) and where != "ditch" else None,
        )
        return [shot]


class CorrectShot(BaseCommand, ShotRuling):
    """Correct a shot; later shots are judged again. Exactly one of: `valid`, its verdict by the rules; `annulled`, it
    does not count and its disc is free again; `agreed`, both sides agreed to play it so, whatever the rules say, or
    that the rules decide again."""

    do: Literal["correct_shot"]
    round: Number
    shot: Number

    @model_validator(mode="after")
    def _one_correction(self) -> Self:
        if sum((self.valid is not None, self.annulled, self.agreed is not None)) != 1:
            raise ValueError(say("Say one thing about the shot: valid, annulled or agreed."))
        return self

    def at_stake(self, at: At) -> object:
        seen = at.state.shots.get((self.round, self.shot))
        judgement = None if seen is None else self._judgement(at.state)
        return judgement and (seen, judgement.valid, judgement.played_as, judgement.rule)

    def events(self, at: At) -> Events:
        target = at.shot_seen(self.round, self.shot)
        if self.agreed is not None:
            self._check_differs(self._judgement(at.state))
        return [ShotCorrected(target=target, valid=self.valid, annulled=self.annulled, agreed=self.agreed)]

    def _judgement(self, state: MatchState) -> rules.Judgement:
        return state.game.all_rounds[self.round - 1].shots[self.shot - 1].judgement

    def _check_differs(self, now: rules.Judgement) -> None:
        """Raise `Refused` unless the agreement changes how the shot counts."""
        if now.rule == "annulled":
            raise Refused(say("That shot was annulled: it counts for nothing."))
        if self.agreed == "by_rules" and now.played_as is None:
            raise Refused(say("That shot follows the rules already: nothing else was agreed."))
        if self.agreed == "valid" and now.counted_valid:
            raise Refused(say("That shot counts as valid already."))
        if self.agreed == "foul" and not now.counted_valid:
            raise Refused(say("It is a foul already."))


class ConductCalled(UndoableEvent):
    """A player of a side broke a rule of conduct. The match's rules set the penalty. `target` is the `ShotSeen` during
    which it happened; None if it was not during a shot of that side."""

    undo_words = marked("the call for conduct")
    target: int | None = None
    side: SideId
    conduct: Conduct

    def in_words(self, names: SideNames) -> Message:
        return self.filled(marked("Called: {name} {what}"), names, what=conduct_words(self.conduct))

    @property
    def corrects(self) -> int | None:
        return self.target

    def apply(self, state: MatchState) -> MatchState:
        number, shot = state.place_of(self.target) or (state.game.round.number, None)
        after = len(state.game.all_rounds[number - 1].shots)
        call = ConductCall(state.last_id, number, shot, self.side, self.conduct, after)
        return replace(state, conduct=(*state.conduct, call))


class CallConduct(BaseCommand):
    """Call a player of this side for conduct; with `round` and `shot`: during that shot. The match's rules set the
    penalty; without one, the call is shown but changes no figure."""

    do: Literal["call_conduct"]
    side: SideId
    conduct: Conduct
    round: Number | None = None
    shot: Number | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.round is None) != (self.shot is None):
            raise ValueError(say("A shot needs its round, and a round its shot."))
        return self

    def at_stake(self, at: At) -> object:
        return [call for call in at.state.conduct if call.side == self.side]

    def events(self, at: At) -> Events:
        at.check_side(self.side)
        if self.shot is None and at.state.over:
            raise Refused(say("The match is over."), "next")
        target = None
        if self.round is not None and self.shot is not None:
            target = at.shot_seen(self.round, self.shot)
        return [ConductCalled(side=self.side, conduct=self.conduct, target=target)]
