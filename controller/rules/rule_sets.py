"""The built-in rule sets: five sources that clubs play by, the two official ones, and two for practice. Each choice is
listed with its source's words. If the source is silent, the choice is omitted and has the default."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, cast

from controller.messages import marked
from controller.rules.choices import BY_CONFIGURATION, CHOICES, RuleSet
from controller.rules.errors import BadRuleSet, UnknownRuleSet
from controller.rules.formats import Format
from controller.rules.record_models import OWN, validated

CLUB_100 = RuleSet(
    id="club-100",
    name=marked("Club rules to 100"),
    origin="The Complete Rules for Crokinole (The Spruce)",
    formats=(Format("points", target=100),),
    open_board="shot_disc",
    open_failure_removes=("shot_disc",),
    manners="cheek_flick_hands",
    sources={
        "discs": "With 2 players, each receives 12 wooden discs.",
        "discs_doubles": "Each player within a partnership receives 6 discs.",
        "first_starter": "Choose the start player randomly.",
        "order": "Play always proceeds clockwise.",
        "next_starter": "The next round is started by the person sitting to the left of the lead shooter.",
        "opponent_contact": "Directly, by ricochet off a post or another disc, or by knocking another of the shooter's "
        "discs into one of the opponent's.",
        "foul_removes": "The disc that he shot; if he hits any of his own discs (or his partner's), those too.",
        "open_board": "A shooter's disc that winds up in the 10 or the 5 is removed; some players don't use this rule, "
        "the World Championship does.",
        "open_failure_removes": "It's removed from the board: the shooter's disc alone is named.",
        "fifteen_line": "Either in the 15 Zone or at least touching the 15 Zone line.",
        "outer_line": "After a shot, all discs touching the Starting Line are placed in the ditch.",
        "returned": "Placed in the ditch; any discs it touched remain where they wound up.",
        "leaning": "It remains where it is, unless it's knocked into the 20 hole.",
        "twenties": "Removed and set aside for scoring at the end of the round.",
        "ring_line": "If a disc is touching a scoring line, it counts as the lesser value.",
        "placing": "At least part of it touching the Starting Line, 50 percent or more within the quadrant.",
        "manners": "One-cheek rule; flicking, no pushing; no player may touch the board unless it's his turn.",
        "formats": "The winner of a round wins the difference; the first to 100.",
    },
)

POLISH_TOURNAMENT = RuleSet(
    id="polish-tournament",
    name=marked("Polish tournament rules"),
    origin="Crokinole w wariancie turniejowym (Polish tournament rules)",
    formats=(Format("race", target=10, tie="twenties"),),
    placing="while_touching",
    manners="cheek_hand",
    sources={
        "discs": "Od 6 do 12: the organiser chooses, from 6 to 12; 12 is what club players expect.",
        "order": "Zgodnie z kierunkiem wskazówek zegara: clockwise.",
        "opponent_contact": "Directly, or through another own disc that this shot set moving.",
        "foul_removes": "Wszystkie jego dyski biorące udział w zagraniu: all his discs that took part in the shot.",
        "open_board": "At least one own disc that takes part must be placed in the 15; one may shoot at another disc.",
        "open_failure_removes": "The same: all his discs that took part in the shot.",
        "fifteen_line": "Wystarczy, że dysk dotyka linii: touching the line is enough.",
        "outer_line": "Touching the outer line, or beyond it without having fallen: to be removed.",
        "crossed_line": "Touched the line while spinning and stopped inside: stays in play.",
        "returned": "Zasada zniszczenia: it is removed; what it moved stays, also what it pushed into the hole.",
        "leaning": "Hanging over the hole or leaning on its rim: no twenty, in play like any disc in the 15.",
        "edge": "Stopped in the hole on its side: no twenty, in play like any disc in the 15.",
        "opponent_sunk": "Przeciwnik otrzymuje 20 punktów: the opponent gets the 20.",
        "twenties": "Taken off the board and put in the place for twenties.",
        "ring_line": "Discs take the value of the lowest zone that they touch.",
        "placing": "Anywhere on one's starting line, past its end too while touching it; lying flat.",
        "not_before": "When all discs have stopped, spinning ones too; not on the board before one's turn.",
        "manners": "One-cheek rule; only the shooting hand may touch the board.",
        "formats": "2 points for a round won, 1 each for a tie; the first to 10; at 10:10 the twenties of the whole "
        "game may decide.",
    },
)

DEFINITIVE = RuleSet(
    id="definitive",
    name=marked("The definitive rules"),
    origin="The Complete and Definitive Rules of Crokinole",
    formats=(
        Format("points", target=100),
        Format("points", target=50),
        Format("rounds", rounds=4),
        Format("race", target=9),
    ),
    first_starter="guess",
    placing="over_quadrant",
    not_before="turn",
    manners="cheek_feet_hand",
    sources={
        "first_starter": "Have the opposing side select a hand; whoever's colour it is goes first.",
        "order": "Play continues clockwise around the board.",
        "opponent_contact": "You must make contact with at least one of their biscuits.",
        "foul_removes": "Any of the biscuits that were contacted must come off the board.",
        "open_board": "Valid, too, when any of the contacted biscuits stays within the 15 circle and the shot one "
        "does not; or a biscuit left in the 20 hole.",
        "open_failure_removes": "The biscuit is placed in the ditch, and any of the biscuits that were contacted.",
        "outer_line": "A biscuit that is touching the outer line is deemed out of play.",
        "crossed_line": "Crosses the outer line, does not leave the surface, reenters play: valid.",
        "returned": "Must be removed; the damage stays.",
        "twenties": "Remove the biscuit from play and bank it.",
        "ring_line": "Touching a line, it is demoted to the next circle.",
        "placing": "Touching the outer ring; it can be played over the quadrant line.",
        "not_before": "A biscuit cannot be placed on the board until it is your turn.",
        "manners": "One-cheek rule; only the feet touch the floor; only the shooting hand contacts the board.",
        "formats": "Traditional: the difference, to 100 or 50. NCA: 2, 1 or 0 a round, 4 rounds a game. Race to 9.",
    },
)

FAMILY = RuleSet(
    id="family",
    name=marked("Family rules"),
    origin="Crokinole Rules, after The Crokinole Book",
    formats=(Format("points", target=100), Format("points", target=50)),
    first_starter="guess",
    foul_removes=("shot_disc", "own_moved"),
    open_board="free",
    open_failure_removes=(),
    not_before="turn",
    manners="hands",
    sources={
        "discs": "When two players are playing, each player will have 12 discs.",
        "discs_doubles": "When four players are playing, each player will have 6 discs.",
        "first_starter": "The colour in the chosen hand indicates which team begins.",
        "order": "Clockwise; the player to the left of the previous shooter always plays next.",
        "next_starter": "The person sitting to the left of the player who started the previous round.",
        "opponent_contact": "Caroms, bouncing off a post or other disc, and combination shots are allowed.",
        "foul_removes": "The played disc and any of the shooter's same colour discs that have been moved.",
        "open_board": "Yet still on the playing surface, it is the next player's to shoot at: nothing else is asked.",
        "open_failure_removes": "Nothing is removed.",
        "outer_line": "A disc that touches the shooting line, after it is played or hit, is removed.",
        "returned": "It is removed to the ditch; discs it may have touched remain where they are.",
        "leaning": "A twenty only if it lands completely within the hole.",
        "twenties": "Removed and set aside to count as 20 points at the end of the round.",
        "ring_line": "Discs touching the lines count at the value of the lesser circle.",
        "placing": "Any portion touching the starting line; not more than half way over a quadrant line.",
        "not_before": "Keep fingers, hands, and discs off the board unless it is your turn to shoot.",
        "manners": "Hands off; neither the board nor the seats may be moved.",
        "formats": "The difference of the count is the score; to 50, 100, or more, agreed in advance.",
    },
)

CARROM_MAKER = RuleSet(
    id="carrom-maker",
    name=marked("A board maker's rules"),
    origin="More Crokinole Rules (Crokinole Carrom)",
    formats=(Format("points", target=100), Format("points", target=150)),
    open_board="free",
    open_failure_removes=(),
    sources={
        "next_starter": "Players or teams should alternate who starts each round.",
        "opponent_contact": "Relay and carrom shots are allowed; the opponent's disc need not be struck first.",
        "foul_removes": "Your disc and all of your discs that have been touched, those in the hole included.",
        "open_board": "If your opponent has no discs on the board, you may shoot freely.",
        "open_failure_removes": "Nothing is removed.",
        "outer_line": "At the end of any shot, any disc touching the shooting line anywhere on the board.",
        "returned": "Out of play; pieces that it hits are left as is.",
        "leaning": "Partially in the hole it is left as is and may be shot out.",
        "opponent_sunk": "Counts as a 20, an opponent's disc that you put in included.",
        "twenties": "Set aside, counts as a 20 at the end of the round.",
        "ring_line": "The lower value; clear board must be seen between disc and line, round sides set aside.",
        "manners": "One-cheek rule.",
        "formats": "The difference; to 100 or 150.",
    },
)

NCA = RuleSet(
    id="nca",
    name=marked("NCA"),
    origin="National Crokinole Association, Official Rules of Crokinole (2026)",
    formats=(Format("rounds", rounds=4), Format("race", target=9)),
    discs=8,
    first_starter="chance_or_organiser",
    next_game="alternate",
    placing="both_lines",
    manners="cheek_finger",
    sources={
        "discs": "Singles: 8 discs each.",
        "discs_doubles": "Doubles: 6 discs each.",
        "first_starter": "Determined by chance or by the organisers.",
        "order": "Each player in turn, clockwise around the board.",
        "next_starter": "Singles: the start alternates every round; doubles: it moves one seat clockwise.",
        "next_game": "Across the games of a match the starting side alternates.",
        "opponent_contact": "A disc of the shooter's colour must contact an opponent's disc, by a chain of own discs "
        "too; pegs and order don't matter.",
        "foul_removes": "The shooting disc and all discs struck, any 20 made on that shot included.",
        "open_board": "The shooter or any disc it hit comes to rest in the 15 or at its line; a 20 satisfies.",
        "open_failure_removes": "The shooting disc and all discs struck.",
        "fifteen_line": "Inside the 15 circle or in contact with its line.",
        "outer_line": "Touching or beyond the outer line at rest: to the ditch at once.",
        "crossed_line": "Spinning disc: crosses the line, hits nothing out there, comes back by itself: in play.",
        "returned": "The dead disc is removed; damage stays.",
        "leaning": "A 20 must be wholly in the hole and lying flat; a leaner or hanger is 15.",
        "twenties": "Removed after each turn to a visible place; counted at the end of the round.",
        "ring_line": "A disc that touches a line takes the lower value, judged at its bottom edge.",
        "time_out": "The side with fewer shots gets exactly one more (rule 8).",
        "placing": "Flat, touching the outer line in one's quadrant, or both that line and the quadrant line.",
        "not_before": "Every disc is still, spinning ones too, and it is one's turn.",
        "manners": "Finger, no guards; board and chair stay put; one cheek on the chair.",
        "formats": "2 for a round won, 1 for a tie, 0; a game is 4 rounds, and 4-4 stands; the event sets the games. "
        "Some finals are a race to 9.",
    },
)

WCC = RuleSet(
    id="wcc",
    name=marked("World Crokinole Championship"),
    origin="World Crokinole Championship, Rules and Scoring",
    formats=(Format("rounds", rounds=4), Format("rounds", rounds=4, tie="round")),
    discs=8,
    next_game="alternate",
    placing="while_touching",
    not_before="turn",
    manners="cheek_feet_hand",
    sources={
        "discs": "Singles: 8 discs each.",
        "discs_doubles": "Doubles: 6 discs each.",
        "order": "One disc per turn, clockwise around the board.",
        "next_starter": "Alternates, as under the NCA.",
        "next_game": "Alternates, as under the NCA.",
        "opponent_contact": "Directly or in combination with discs already in play.",
        "foul_removes": "The shooter's disc and all other discs of the same colour that were struck.",
        "open_board": "A disc involved in the shot ends in the 15 circle or touching its line (since 2011).",
        "open_failure_removes": "The shooter's disc and all other discs of the same colour that were struck.",
        "fifteen_line": "In the 15 circle or touching its line.",
        "outer_line": "Stops touching the outer line: immediately to the ditch.",
        "crossed_line": "Spinning disc rule (since 2011).",
        "returned": "Out of bounds once it left the raised surface; damage stays (since 2011).",
        "twenties": "Removed after each turn to a designated area visible to all players.",
        "ring_line": "The lower value.",
        "time_out": "The same as the NCA's.",
        "placing": "Between the quadrant lines, touching the outer ring; past a quadrant line while touching it; flat.",
        "not_before": "Not placed on the board until it is your turn.",
        "manners": "One-cheek rule; only the feet touch the floor; only the shooting hand and arm touch the board.",
        "formats": "4 rounds; 4-4 stands in pool play, ranked by points, then twenties; one further round in playoffs.",
    },
)

PRACTICE_TWENTIES = RuleSet(
    id="practice-twenties",
    name=marked("Practice: twenties"),
    origin="Practising 20s (Louisville Crokinole Club, louisvillecrokinoleclub.com/category/blog)",
    formats=(Format("twenties"),),
    open_board="hole",
    open_failure_removes=("shot_disc", "own_hit"),
    sources={
        "open_board": "Writing down the number of shots you make versus the total of the shots attempted, on an open "
        "board.",
        "open_failure_removes": "Not said; a board is open again only when a disc that missed is taken off.",
        "formats": "Made out of attempted. The source shoots ten discs at a time; here it is a whole set of 24, or "
        "fewer.",
    },
)

PRACTICE_SERIES = RuleSet(
    id="practice-series",
    name=marked("Practice: a series"),
    origin="Crokidarts (korongcsata.webnode.hu/english), without its rules for a shot that fails",
    formats=(Format("series"),),
    open_board="free",
    open_failure_removes=(),
    sources={
        "open_board": "The source asks for the 15 on an empty board and for a touch on another; here any shot counts, "
        "so that a series shows where discs come to rest.",
        "twenties": "The 20s must be placed in a holder.",
        "formats": "Shots in a row, starting on an empty board; the score after them is noted, by the usual values. "
        "The source shoots 5; here it is 6 to 24.",
    },
)

_ALL = (CLUB_100, POLISH_TOURNAMENT, DEFINITIVE, FAMILY, CARROM_MAKER, NCA, WCC)
_PRACTICES = (PRACTICE_TWENTIES, PRACTICE_SERIES)


def rule_sets() -> tuple[RuleSet, ...]:
    """The built-in rule sets for matches."""
    return _ALL


def practices() -> tuple[RuleSet, ...]:
    """The built-in rule sets for one player alone."""
    return _PRACTICES


def rule_set(id: str, known: Iterable[RuleSet] = (*_ALL, *_PRACTICES)) -> RuleSet:
    """The rule set with this id, by default of the built-in ones. Raises `UnknownRuleSet`."""
    by_id = {rules.id: rules for rules in known}
    if id not in by_id:
        near = get_close_matches(str(id), by_id, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(by_id)}"
        raise UnknownRuleSet(f"{id!r} is not a rule set; {hint}", "rules")
    return by_id[id]


def own_rule_set(table: Mapping[str, object], known: Iterable[RuleSet] = (*_ALL, *_PRACTICES)) -> RuleSet:
    """Build a club's own rule set from its configuration: `id`, `base`, optionally `name`, and overridden choices.

    >>> own_rule_set({"id": "our-club", "base": "club-100", "open_board": "free"}).foul_removes
    ('shot_disc', 'own_hit', 'own_sunk')

    Raises `BadRuleSet` or `UnknownRuleSet`, naming the member."""
    own = validated(OWN, dict(table), wrong=BadRuleSet)
    if own.id in {rules.id for rules in known}:
        raise BadRuleSet(f"{own.id!r} is taken already; choose another", "id")
    of, chosen = rule_set(own.base, known), {choice: getattr(own, choice) for choice in table if choice in CHOICES}
    sources = {**of.sources, **dict.fromkeys(chosen, BY_CONFIGURATION)}
    name = own.name or own.id
    return replace(of, id=own.id, name=name, base=of.base or of.id, sources=sources, **cast(Any, chosen))
