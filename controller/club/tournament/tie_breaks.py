"""The ranking criteria, more being better, and lists of them that are in use. `ranking` computes them."""

from controller.club.tournament.errors import marked

TIE_BREAKS = {
    # 2, 1 or 0 a round, so 8 a game: NCA; WCC pools since 1999 (CrokinoleCentre 2012, 2014, 2019)
    "points": marked("Points"),
    # 2 for a match won, 1 for a tie: scorekinole, TIEBREAKER.md, WINS mode
    "wins": marked("Match points"),
    # second criterion of the WCC since 1999 (CrokinoleCentre 2012, 2014, 2019), of croki.nl and of Denver
    "twenties": marked("Twenties"),
    # the points from the matches among the tied, if all of them have met: WCC doubles final pool 2014
    # (CrokinoleCentre); FIDE C.07, direct encounter; scorekinole's mini-league
    "head_to_head": marked("Head to head"),
    # scorekinole, TIEBREAKER.md, mini-league
    "head_to_head_twenties": marked("Twenties head to head"),
    # croki.nl's organiser (milofarmer/scoring-crokinole)
    "head_to_head_for_first": marked("Head to head for first place"),
    # the points of all opponents, a bye adds nothing: FIDE C.07, Buchholz; a bye as in scorekinole, TIEBREAKER.md
    "buchholz": marked("Opponents' points"),
    # 12 open shots each for the last place that qualifies: WCC 2014 (CrokinoleCentre)
    "shoot_out": marked("Shoot-out"),
}
"""By name, the title of its column."""

WCC_POOLS = ("points", "twenties", "shoot_out")
"""WCC pool and preliminary play, since 1999; the shoot-out for equal points and twenties: CrokinoleCentre 2014."""
WCC_FINAL_POOL = ("points", "head_to_head", "twenties", "shoot_out")  # WCC doubles final pool 2014 (CrokinoleCentre)
CROKI_NL = ("points", "twenties", "head_to_head_for_first", "shoot_out")  # milofarmer/scoring-crokinole
SWISS = ("points", "twenties", "buchholz", "head_to_head", "shoot_out")  # scorekinole, TIEBREAKER.md: Swiss by points
WINS_FIRST = ("wins", "head_to_head", "head_to_head_twenties", "twenties", "points", "buchholz", "shoot_out")
"""scorekinole, TIEBREAKER.md: round robin by match points."""
RANKINGS = (WCC_POOLS, SWISS, CROKI_NL, WCC_FINAL_POOL, WINS_FIRST)  # to choose from, all of them in use somewhere
