"""The discs on the board: readings without a shot, the hole's sensor, a corrected disc, a board taken over."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, Self

from pydantic import model_validator

from controller import rules
from controller.errors import Refused
from controller.match.base import At, BaseCommand, BaseEvent, Events, SideNames, UndoableEvent
from controller.match.cases import OF_TOUCH
from controller.match.discs import Measured, Stranger, disc_name, with_unplayed
from controller.match.model import Number, SideId
from controller.match.parts import HoleChange, OpenQuestion
from controller.match.questions import QuestionAnswered, checks
from controller.match.state import MatchState
from controller.messages import Message, marked, say
from controller.vision.readings import AT_HOLE, Zone


class BoardSeen(BaseEvent):
    """A reading without a shot: discs were taken off or moved slightly. `strangers`: other discs on the board, which no
    shot explains; they never score."""

    measured: dict[str, Measured]
    strangers: tuple[Stranger, ...] = ()

    def apply(self, state: MatchState) -> MatchState:
        expected = {*state.measured, *state.game.round.board.discs}
        known = {disc: m for disc, m in self.measured.items() if disc in expected}
        uncleared = state.uncleared and bool(self.strangers)
        emptied = any(m.pose in AT_HOLE and disc not in known for disc, m in state.measured.items())
        emptied |= uncleared != state.uncleared
        return replace(
            state.with_measured(known),
            uncleared=uncleared,
            strangers=with_unplayed(self.strangers, self.measured, state.game.round.owners),
            questions=self._questions_after(state, known),
            hole=() if emptied else state.hole,
        )

    def _questions_after(self, state: MatchState, known: Mapping[str, Measured]) -> dict[int, OpenQuestion]:
        """The questions that stay open. What people did on the board answers the others:

        | reading | answered question |
        |---|---|
        | a disc marked for a foul is gone | whether it was one: by taking it off people agree |
        | a marked twenty is gone | how it counts, see `lifted_twenties` |
        | no strangers | the unexplained discs |
        """
        fouled = {disc for disc, why in state.to_remove.items() if disc not in known and why == "foul"}
        lifted, number = lifted_twenties(state, known), state.game.round.number
        return state.questions_without(
            lambda q: (
                ((q.asked.what, q.asked.round) == ("contact", number) and q.asked.disc in fouled)
                or q.is_about(lifted, number, "close_call")
                or (q.asked.what == "unexplained" and not self.strangers)
            )
        )


class HoleChanged(BaseEvent, HoleChange):
    """The 20 hole's sensor changed."""

    def apply(self, state: MatchState) -> MatchState:
        return replace(state, hole=(*state.hole, self), hole_level=self.occupied)


class DiscCorrected(UndoableEvent):
    """A disc's corrected zone (None: off the board) or place `at` (x, y in mm). `after`: the event (a shot or a
    question) after which the disc was there; without it, it is there now. `by` is the table if it saw people take off a
    disc that did not have to come off: what people do decides."""

    disc: str
    zone: Zone | None
    at: tuple[float, float] | None = None
    after: int | None = None

    def in_words(self, names: SideNames) -> Message:
        side = self.disc[0].upper()
        disc = disc_name(self.disc, names.get(side, side))
        if self.zone is not None:
            return say("{disc} counts {zone}", disc=disc, zone=self.zone)
        return say("{disc} taken off", disc=disc) if self.at is None else say("{disc} put where it lies", disc=disc)

    @property
    def corrects(self) -> int | None:
        return self.after

    def rest(self, measured: Mapping[str, Measured]) -> rules.Rest:
        """The disc's resting place: where it was measured, if people gave no other. Raises `BadCorrection`."""
        zone, lies = self._placed(measured)
        if zone is None:
            return rules.DITCH
        if zone == 20:
            return rules.HOLE
        if lies is None:
            raise rules.BadCorrection(f"{self.disc} does not lie on the board: say where it lies", "at")
        return lies.placed(zone)

    def _placed(self, measured: Mapping[str, Measured]) -> tuple[Zone | None, Measured | None]:
        """The disc's zone and place."""
        if self.at is None:
            return self.zone, measured.get(self.disc)
        placed = Measured.at(*self.at, self.zone)
        return placed.zone, placed

    def apply(self, state: MatchState) -> MatchState:
        """Count the disc in its zone. The camera's measurement stays: the correction did not move the disc."""
        if self._was_foul(state):
            return replace(state, ruled={**state.ruled, self.disc: 0})
        zone, _ = self._placed(state.measured)
        game = state.game.place(self.disc, self.rest(state.measured))
        to_remove = {disc: why for disc, why in state.to_remove.items() if disc != self.disc}
        if zone in (None, 0, 20) and self.disc in state.measured:
            to_remove[self.disc] = "twenty" if zone == 20 else "outer_line"
        ruled = {**state.ruled, self.disc: zone or 0}
        place = (state.game.round.number, self.disc)
        unsettled = state.questions_without(
            lambda q: (q.asked.round, q.asked.disc) == place and q.asked.case not in OF_TOUCH
        )
        return replace(state, game=game, ruled=ruled, to_remove=to_remove, questions=unsettled)

    def _was_foul(self, state: MatchState) -> bool:
        """Whether the shot that left the disc at this place was a foul, which takes it off."""
        played = state.game.round.shots[-1:] if self.after is not None and self.at is not None else ()
        return any(one.disc == self.disc and one.why == "foul" for p in played for one in p.judgement.removed)


class BoardAdopted(UndoableEvent):
    """The table takes over the running round from the present board. `shots`: (side, disc) of unseen shots, in order of
    turn; `measured`: every disc on the board now."""

    words = marked("The board taken over as it lies")
    shots: tuple[tuple[SideId, str], ...]
    measured: dict[str, Measured]
    strangers: tuple[Stranger, ...] = ()

    def apply(self, state: MatchState) -> MatchState:
        """Play the unseen shots into the ditch, then put all discs where they were measured; the others are off."""
        game = state.game
        for side, disc in self.shots:
            touched = game.round.board.opponents_of(side)[:1]
            game = game.play(rules.Shot(side, disc, tuple((disc, other) for other in touched), {disc: rules.DITCH}))
        rests: dict[str, rules.Rest] = dict.fromkeys(game.round.board.discs, rules.DITCH)
        on_surface = {disc: m for disc, m in self.measured.items() if m.zone != 0 and m.pose != "in_hole"}
        rests |= {disc: m.placed(m.zone) for disc, m in on_surface.items()}
        if rests:
            game = game.place_all(rests)
        left_out = {
            disc: "twenty" if m.pose == "in_hole" else "outer_line"
            for disc, m in self.measured.items()
            if disc not in on_surface
        }
        return replace(
            state,
            game=game,
            uncleared=False,
            measured=self.measured,
            strangers=self.strangers,
            to_remove=left_out,
            ruled={},
            hole=(),
            last_call=None,
            questions=state.questions_without(lambda q: q.asked.round == game.round.number),
        )


def lifted_twenties(state: MatchState, measured: Mapping[str, Measured]) -> set[str]:
    """Marked twenties that are gone. By lifting one, people agree that it was one, which answers questions about it.
    Only those of the newest shot: an older one may have leaned until a shot struck it. None under rules by which every
    disc at the hole is taken off."""
    if state.game.terms.rules.hole_decides:
        return set()
    shots = state.game.round.shots
    newest = shots[-1].shot.rest if shots else {}
    twenties = (disc for disc, why in state.to_remove.items() if why == "twenty")
    return {disc for disc in twenties if disc not in measured and disc in newest}


class CorrectDisc(BaseCommand):
    """Correct a disc's zone or place, or take it off. Without `round` and `shot`: for the present board. With them: for
    the board after that shot; later shots are judged again. `at` (x, y in mm): the place of a disc that the table has
    somewhere else or in the ditch."""

    do: Literal["correct_disc"]
    disc: str
    zone: Literal[20, 15, 10, 5, 0, "remove"] | None = None
    at: tuple[float, float] | None = None
    round: Number | None = None
    shot: Number | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.zone is None and self.at is None:
            raise ValueError(say("Say what the disc counts (zone) or where it lies (at)."))
        if self.shot is not None and self.round is None:
            raise ValueError(say("A shot needs its round."))
        return self

    def at_stake(self, at: At) -> object:
        rounds = at.state.game.all_rounds[(self.round or at.state.game.round.number) - 1 :][:1]
        shots = [shot for r in rounds for shot in r.shots][: self.shot]
        return [(one.board.discs.get(self.disc), self.disc in one.banked) for one in shots[-1:]]

    def events(self, at: At) -> Events:
        """Also answers its round's spot check: the board was wrong."""
        state, number = at.state, self.round or at.state.game.round.number
        if number > len(state.game.all_rounds):
            raise Refused(say("There is no round {number} yet.", number=number))
        if self.disc not in state.game.all_rounds[number - 1].owners:
            raise Refused(say("disc: no disc {disc} was shot in round {number}.", disc=self.disc, number=number))
        after = self._after(number, at)
        if after is None and self.at is None and self.disc not in state.measured:
            raise Refused(
                say("disc: {disc} does not lie on the board; say where it lies, as at: [x, y].", disc=self.disc)
            )
        zone = None if self.zone == "remove" else self.zone
        place = None if self.at is None else state.seating.measured(*self.at)
        checked = (id_ for id_, question in state.questions.items() if checks(question, number))
        return [
            *(QuestionAnswered(question=id_, answer="wrong") for id_ in checked),
            DiscCorrected(disc=self.disc, zone=zone, at=place, after=after),
        ]

    def _after(self, number: int, at: At) -> int | None:
        """The `ShotSeen` after which the disc is corrected: that of `shot`, else the last one of an ended round. None
        for a correction of the present board."""
        if self.shot is not None:
            return at.shot_seen(number, self.shot)
        if number <= at.state.confirmed:
            return at.shot_seen(number, max((k for n, k in at.state.shots if n == number), default=0))
        return None
