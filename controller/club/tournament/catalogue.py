"""Every kind of stage, and the formats that a club can begin with."""

from collections.abc import Mapping

from controller.club.tournament.errors import marked
from controller.club.tournament.formats import CROKI_NL, SWISS, Play, TournamentFormat
from controller.club.tournament.ladder import Ladder
from controller.club.tournament.open_night import OpenNight
from controller.club.tournament.playoffs import Playoffs
from controller.club.tournament.round_robin import RoundRobin
from controller.club.tournament.stages import StageKind
from controller.club.tournament.swiss import Swiss

STAGES: tuple[type[StageKind], ...] = (RoundRobin, Swiss, Playoffs, Ladder, OpenNight)

EIGHT_FOR_A_BYE = Play(bye=8)
"""A bye is 8 to 0: scorekinole, TIEBREAKER.md; croki.nl's organiser (milofarmer/scoring-crokinole), a clean sweep."""

FORMATS: Mapping[str, TournamentFormat] = {
    "round-robin": TournamentFormat((RoundRobin(),)),
    "pools": TournamentFormat((RoundRobin(pools=4), Playoffs(entrants=8))),
    "swiss": TournamentFormat((Swiss(5),), play=EIGHT_FOR_A_BYE, ranking=SWISS),
    "swiss-playoffs": TournamentFormat((Swiss(4), Playoffs(entrants=8)), ranking=SWISS),  # Denver (argylesock)
    "wcc-singles": TournamentFormat(  # 1999-2023, semifinals and final best of three (CrokinoleCentre)
        (RoundRobin(rounds=10), RoundRobin(pools=2, entrants=16), Playoffs(entrants=4, play=Play("best_of", games=3)))
    ),
    "croki-nl": TournamentFormat(
        (Swiss(5, "neighbours"), Playoffs(entrants=8)), play=EIGHT_FOR_A_BYE, ranking=CROKI_NL
    ),
    "ladder": TournamentFormat((Ladder(),)),
    "open-night": TournamentFormat((OpenNight(),)),
}
"""Formats to begin with; a club adjusts them as it likes."""

TITLES = {
    "swiss": marked("Swiss, five rounds"),
    "round-robin": marked("Round robin: everybody meets everybody"),
    "pools": marked("Four pools, then play-offs of eight"),
    "swiss-playoffs": marked("Swiss with four rounds, then play-offs of eight"),
    "ladder": marked("Ladder: winners move up a table"),
    "open-night": marked("Open night: whoever is free plays"),
    "wcc-singles": marked("As the World Championship, singles"),
    "croki-nl": marked("As in the Netherlands"),
}
"""Their titles in the organiser's form, in its order."""
