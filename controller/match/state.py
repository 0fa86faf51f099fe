"""The state of a match, which `controller.match.fold` computes from its events. It names none of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from controller import rules
from controller.match.discs import Measured, Stranger
from controller.match.model import Lab
from controller.match.parts import (
    Amendment,
    ConductCall,
    CountedDisc,
    HoleChange,
    LastCall,
    MatchChoices,
    OpenQuestion,
    TimerName,
    TimerSetting,
)
from controller.match.seating import Seating


@dataclass(frozen=True, slots=True)
class MatchState:
    """The state of a match after its events so far."""

    number: int
    started: MatchChoices
    game: rules.Match
    last_id: int
    seating: Seating
    measured: Mapping[str, Measured] = field(default_factory=dict)
    """The discs on the surface or in the hole at the last reading, including those to take off."""
    strangers: tuple[Stranger, ...] = ()
    """Discs on the board that are not part of the match, such as those of an undone shot."""
    to_remove: Mapping[str, str] = field(default_factory=dict)  # the discs of `measured` that must come off, and why
    ruled: Mapping[str, int] = field(default_factory=dict)
    """Resting discs whose zone a person decided: no longer close calls."""
    colours: Mapping[str, Lab] = field(default_factory=dict)  # the learnt colour of each side's discs
    certified: Mapping[str, Lab] = field(default_factory=dict)  # the colours that set-up certified, by side
    questions: Mapping[int, OpenQuestion] = field(default_factory=dict)
    last_call: LastCall | None = None
    amendments: tuple[Amendment, ...] = ()  # the table's revisions in the whole match that people did not undo
    conduct: tuple[ConductCall, ...] = ()  # the conduct calls of the whole match
    counted: Mapping[int, CountedDisc] = field(default_factory=dict)
    """The discs that people counted by hand in the whole match, twenties included, by their events."""
    hole: tuple[HoleChange, ...] = ()  # the hole's changes since the last shot
    hole_level: bool | None = None
    """The sensor's level: whether a disc is in the hole; None if it has not reported in this match."""
    uncleared: bool = False
    """The match began with discs on the board: no shot counts until it is seen empty, or people say that it is."""
    end_undone: bool = False  # the round's end was undone: only a person can end it again, not a swept board
    paused: bool = False
    timers: Mapping[TimerName, TimerSetting] = field(default_factory=dict)  # the clocks in use
    deleted: bool = False  # taken out of lists and figures
    manual: bool = False  # the scorer keeps the score: readings change nothing
    undone: int | None = None  # the `Undone` that a redo would undo, unless a step has come after it
    shots: Mapping[tuple[int, int], int] = field(default_factory=dict)
    """(round, shot), both from 1, to the number of its `ShotSeen`."""
    round_starts: Mapping[int, "MatchState"] = field(default_factory=dict, compare=False, repr=False)
    """The state at the beginning of each round, from which `fold.with_outcomes` tries answers."""
    confirmed: int = 0
    """The number of rounds ended by people or a swept board; a complete round may still await confirmation."""

    @property
    def over(self) -> bool:
        """Whether the match is decided by confirmed rounds."""
        return self.game.over and not self.round_proposed

    @property
    def round_proposed(self) -> bool:
        """Whether the round is complete but not yet confirmed."""
        return self.game.round.complete and self.confirmed < self.game.round.number

    @property
    def score(self) -> dict[str, int]:
        score = dict(self.game.score)
        if self.round_proposed:
            score = {side: points - (self.game.round.awarded or {}).get(side, 0) for side, points in score.items()}
        return score

    @property
    def finished(self) -> tuple[rules.Round, ...]:
        return tuple(r for r in self.game.rounds if r.number <= self.confirmed)

    @property
    def sides(self) -> tuple[str, ...]:
        return self.game.terms.ids

    @property
    def open_now(self) -> list[OpenQuestion]:
        """The open questions about the running round."""
        return [q for q in self.questions.values() if q.asked.round == self.game.round.number]

    def questions_without(self, settled: Callable[[OpenQuestion], bool]) -> dict[int, OpenQuestion]:
        """The open questions that are not `settled`."""
        return {id_: question for id_, question in self.questions.items() if not settled(question)}

    def with_measured(self, measured: Mapping[str, Measured]) -> "MatchState":
        """The state with these discs on the board; those that are gone need not come off any more."""
        marked = {disc: why for disc, why in self.to_remove.items() if disc in measured}
        return replace(self, measured=measured, to_remove=marked)

    def name_of(self, side: str) -> str:
        return self.started.by_id[side].name

    @property
    def names(self) -> dict[str, str]:
        return self.started.names

    def place_of(self, shot: int | None) -> tuple[int, int] | None:
        """The round and the number in it of the shot of this `ShotSeen`; None if it does not count."""
        return next((place for place, id_ in self.shots.items() if id_ == shot), None)

    def player_of(self, seat: int) -> str:
        """The player at a seat: the seat's name, else the side's."""
        return self.started.seats.get(seat) or self.name_of(dict(self.game.terms.seats)[seat])

    def side_of(self, disc: str) -> str:
        return self.game.round.owners[disc]

    def next_disc(self, side: str, more: int = 0) -> str:
        """The id of a side's next disc (a1, a2, .. in order of shots), or of the one this many shots later."""
        count = sum(s.shot.side == side for s in self.game.round.shots)
        return f"{side.lower()}{count + more + 1}"

    def counted_for(self, side: str) -> dict[int, CountedDisc]:
        """The discs that people counted by hand for a side of the running round, by their events."""
        here = (self.game.round.number, side)
        return {id_: one for id_, one in self.counted.items() if (one.round, one.side) == here}

    @property
    def by_hand(self) -> dict[str, int]:
        """Each side's points by hand in the running round: twenties and counted discs."""
        on_board = self.game.round.counted_by_hand or {}
        return {side: rules.TWENTY * n + on_board.get(side, 0) for side, n in self.game.round.twenty_counts.items()}

    def total_ranges(self, number: int) -> dict[str, tuple[int, int]]:
        """The lowest and highest possible total of each side in a round, over all answers to its open questions."""
        totals = self.game.all_rounds[number - 1].totals
        low, high = dict(totals), dict(totals)
        for question in (q for q in self.questions.values() if q.asked.round == number):
            for side in totals:
                changes = [0, *(change.get(side, 0) for change in question.outcomes.values())]
                low[side] += min(changes)
                high[side] += max(changes)
        return {side: (max(0, low[side]), high[side]) for side in totals}

    @property
    def decisive(self) -> tuple[OpenQuestion, ...]:
        """The open questions, without those whose every answer leaves all totals as they are."""
        return tuple(q for q in self.questions.values() if q.is_decisive)

    @property
    def pressing(self) -> tuple[OpenQuestion, ...]:
        """The decisive questions of unconfirmed rounds, except those that people can't answer. A spot check is not
        pressing."""
        asked = (q for q in self.decisive if q.asked.what != "check")
        return tuple(q for q in asked if q.asked.round > self.confirmed and not q.aside)

    @property
    def running_timers(self) -> dict[TimerName, float]:
        """When each running clock runs down, as the steady clock shows it; none after the match."""
        return {name: timer.ends for name, timer in self.timers.items() if timer.ends is not None and not self.over}

    @property
    def on_board(self) -> dict[str, Measured]:
        """The discs in play: measured, and not to be taken off."""
        return {disc: m for disc, m in self.measured.items() if disc not in self.to_remove}
