"""The ranking criteria as data: what each counts and who uses it. `ranking` computes them."""

from dataclasses import dataclass

from controller.club.tournament.errors import marked


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One criterion: more is better. `title`: of its column; `meaning`: a sentence. Both are translated."""

    name: str
    title: str
    meaning: str
    source: str


_ALL = (
    TieBreak("points", marked("Points"), marked("The points of all matches."),
             "2, 1 or 0 a round, so 8 a game: NCA; WCC pools since 1999 (CrokinoleCentre 2012, 2014, 2019)"),
    TieBreak("wins", marked("Match points"), marked("2 for a match won, 1 for a tie."),
             "scorekinole, TIEBREAKER.md, WINS mode"),
    TieBreak("twenties", marked("Twenties"), marked("The twenties of all matches."),
             "second criterion of the WCC since 1999 (CrokinoleCentre 2012, 2014, 2019), of croki.nl and of Denver"),
    TieBreak("head_to_head", marked("Head to head"),
             marked("The points from the matches among the tied, if all of them have met."),
             "WCC doubles final pool 2014 (CrokinoleCentre); FIDE C.07, direct encounter; scorekinole's mini-league"),
    TieBreak("head_to_head_twenties", marked("Twenties head to head"),
             marked("The twenties from the matches among the tied, if all of them have met."),
             "scorekinole, TIEBREAKER.md, mini-league"),
    TieBreak("head_to_head_for_first", marked("Head to head for first place"),
             marked("Like head to head, but only for first place."),
             "croki.nl's organiser (milofarmer/scoring-crokinole)"),
    TieBreak("buchholz", marked("Opponents' points"),
             marked("The points of all opponents added up: whoever met stronger ones is ahead. A bye adds nothing."),
             "FIDE C.07, Buchholz; a bye as in scorekinole, TIEBREAKER.md"),
    TieBreak("shoot_out", marked("Shoot-out"), marked("The twenties of a shoot-out among the tied."),
             "12 open shots each for the last place that qualifies: WCC 2014 (CrokinoleCentre)"),
    TieBreak("pool_place", marked("Place in the pool"), marked("The first of every pool are ahead of all the seconds."),
             "WCC singles 1999-2023: the first of each final pool go on"),
    TieBreak("bracket", marked("Play-offs"), marked("How far an entrant came in the play-offs."),
             "the bracket"),
    TieBreak("ladder", marked("Place on the ladder"),
             marked("The place on the ladder after the last match, the first table first."),
             "the ladder"),
    TieBreak("rating", marked("Rating"),
             marked("A number that rises with every match won, and more against the strong."),
             "Elo: FIDE Handbook B.02, Rating Regulations, 8.3"),
)  # fmt: skip

TIE_BREAKS: dict[str, TieBreak] = {criterion.name: criterion for criterion in _ALL}
WCC_POOLS = ("points", "twenties", "shoot_out")
"""WCC pool and preliminary play, since 1999; the shoot-out for equal points and twenties: CrokinoleCentre 2014."""
WCC_FINAL_POOL = ("points", "head_to_head", "twenties", "shoot_out")  # WCC doubles final pool 2014 (CrokinoleCentre)
CROKI_NL = ("points", "twenties", "head_to_head_for_first", "shoot_out")  # milofarmer/scoring-crokinole
SWISS = ("points", "twenties", "buchholz", "head_to_head", "shoot_out")  # scorekinole, TIEBREAKER.md: Swiss by points
WINS_FIRST = ("wins", "head_to_head", "head_to_head_twenties", "twenties", "points", "buchholz", "shoot_out")
"""scorekinole, TIEBREAKER.md: round robin by match points."""
RANKINGS = (WCC_POOLS, SWISS, CROKI_NL, WCC_FINAL_POOL, WINS_FIRST)  # to choose from, all of them in use somewhere
