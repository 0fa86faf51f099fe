"""All texts of the rules for pages, by key.

>>> str(text("why.foul", discs=("a2", "a1")))
'Off, for the foul: a2 and a1.'
"""

from collections.abc import Mapping

from controller.messages import Message

ENGLISH: Mapping[str, str] = {
    # the choices of a rule set: title, and each value
    "choice.discs": "Discs a side, two players",
    "choice.discs_doubles": "Discs a player, doubles",
    "choice.first_starter": "Who starts the match",
    "choice.first_starter.random": "by chance, or chosen on the page",
    "choice.first_starter.guess": "a guess at which hand holds the colour",
    "choice.first_starter.chance_or_organiser": "by chance or by the organiser",
    "choice.order": "Order of play",
    "choice.order.clockwise": "clockwise, one disc a turn",
    "choice.next_starter": "Who starts the next round",
    "choice.next_starter.left": "the seat to the left of the last starter, so that the sides alternate",
    "choice.next_game": "Who starts the next game of a match",
    "choice.next_game.left": "the seat to the left of the last starter",
    "choice.next_game.alternate": "the side that did not start the last game",
    "choice.opponent_contact": "An opponent's disc is on the board: a valid shot",
    "choice.opponent_contact.any_chain": "hits at least one, directly or by any chain that the shot started; pegs and "
    "order don't matter",
    "choice.foul_removes": "Then a foul removes",
    "choice.open_board": "No opponent's disc is on the board: a valid shot",
    "choice.open_board.shot_disc": "the shot disc ends in the hole, in the 15, or at its line",
    "choice.open_board.own_disc": "any own disc of this shot ends in the hole, in the 15, or at its line",
    "choice.open_board.free": "any shot",
    "choice.open_board.hole": "a disc ends in the hole",
    "choice.open_failure_removes": "Then a failure removes",
    "choice.fifteen_line": "Touching the 15 line, for validity only",
    "choice.fifteen_line.touching": "counts as in, though it scores 10",
    "choice.fifteen_line.inside": "does not count: the disc must lie inside",
    "choice.outer_line": "At rest touching the outer line, or beyond it",
    "choice.outer_line.out": "out, after every shot",
    "choice.crossed_line": "Crossed the outer line, stayed on the surface, came back",
    "choice.crossed_line.stays": "stays: judged where it comes to rest",
    "choice.returned": "Left the surface and bounced back",
    "choice.returned.removed": "removed; damage stays: what it moved stays where it went, also in the hole",
    "choice.leaning": "Leaning into the hole, or over it",
    "choice.leaning.in_play": "no twenty; stays in play and scores where it lies, 15",
    "choice.edge": "Standing on its edge in the hole",
    "choice.edge.in_play": "no twenty; stays in play as a 15",
    "choice.opponent_sunk": "An opponent's disc sunk",
    "choice.opponent_sunk.owner": "its owner gets the twenty",
    "choice.twenties": "Twenties",
    "choice.twenties.banked": "taken off at once, counted at the end of the round",
    "choice.ring_line": "Touching a ring line",
    "choice.ring_line.lower": "scores the lower ring",
    "choice.time_out": "Time ran out with uneven shots",
    "choice.time_out.one_more": "the side with fewer shots gets exactly one more",
    "choice.placing": "Placing the disc",
    "choice.placing.half_over": "touching the starting line, at most half of it over the quadrant line",
    "choice.placing.while_touching": "on one's own line, also past its end while touching it; flat",
    "choice.placing.over_quadrant": "touching the starting line; it may lie over the quadrant line",
    "choice.placing.both_lines": "flat, touching the starting line within the quadrant, or that and the quadrant line",
    "choice.not_before": "Not before",
    "choice.not_before.turn": "it is one's turn",
    "choice.not_before.still_and_turn": "all discs are at rest, spinning ones too, and it is one's turn",
    "choice.manners": "Called by people",
    "choice.manners.one_cheek": "one cheek stays on the chair",
    "choice.manners.cheek_flick_hands": "one cheek stays on the chair; flick, no push; hands off when it is not your "
    "turn",
    "choice.manners.cheek_hand": "one cheek stays on the chair; only the shooting hand touches the board",
    "choice.manners.cheek_feet_hand": "one cheek stays on the chair; feet alone on the floor; only the shooting hand "
    "touches the board",
    "choice.manners.hands": "hands off until your turn; board and seats stay put",
    "choice.manners.cheek_finger": "one cheek stays on the chair; fingers, no guards; board and chair stay put",
    "choice.conduct": "Penalty for what a player does beside the board",
    "choice.conduct.not_said": "none is named: both sides decide",
    "choice.conduct.foul": "the shot is played as a foul",
    # what players must not do
    "conduct.left_chair": "left the chair",
    "conduct.moved_chair": "moved the chair",
    "conduct.moved_board": "moved the board",
    "conduct.touched_board": "touched the board out of turn",
    "conduct.other_hand": "touched the board with more than the shooting hand",
    "conduct.early": "placed a disc too early",
    "conduct.pushed": "pushed the disc",
    "conduct.guard": "did not shoot with a bare finger",
    "conduct.floor": "touched the floor with more than the feet",
    "conduct.distracted": "distracted the shooter",
    "conduct.coached": "was coached",
    # what a foul removes
    "group.shot_disc": "the shot disc",
    "group.own_hit": "own discs that were hit",
    "group.own_moved": "own discs that were moved",
    "group.own_sunk": "own discs that it sank in the hole",
    "group.none": "nothing",
    # a judgement
    "valid.opponent_contact": "Valid: it hit {discs}.",
    "valid.open_board": "Valid: no opponent's disc was on the board, and {discs} ended in the 15, at its line or in "
    "the hole.",
    "valid.open_board.inside": "Valid: no opponent's disc was on the board, and {discs} ended inside the 15 or in the "
    "hole.",
    "valid.open_board.free": "Valid: no opponent's disc was on the board, and these rules then allow any shot.",
    "valid.open_board.hole": "In the hole: {discs}.",
    "foul.not_in_hole": "No twenty.",
    "foul.no_opponent_contact": "Foul: no opponent's disc was hit.",
    "foul.not_in_fifteen.own_disc": "Foul: no opponent's disc was on the board, and no own disc of this shot ended in "
    "the 15, at its line or in the hole.",
    "foul.not_in_fifteen.shot_disc": "Foul: no opponent's disc was on the board, and the shot disc did not end in the "
    "15, at its line or in the hole.",
    "foul.not_in_fifteen.own_disc.inside": "Foul: no opponent's disc was on the board, and no own disc of this shot "
    "ended inside the 15 or in the hole.",
    "foul.not_in_fifteen.shot_disc.inside": "Foul: no opponent's disc was on the board, and the shot disc did not end "
    "inside the 15 or in the hole.",
    "annulled": "Annulled: this shot does not count.",
    "played_as.agreed_foul": "Played as a foul by agreement.",
    "played_as.agreed_valid": "Played as valid by agreement.",
    "played_as.conduct_foul": "Played as a foul, for conduct.",
    "why.foul": "Off, for the foul: {discs}.",
    "why.outer_line": "Off, touching the outer line: {discs}.",
    "why.left_surface": "Off, left the surface: {discs}.",
    "why.returned": "Off, left the surface and bounced back: {discs}.",
    "why.twenty": "Twenty, banked for its owner: {discs}.",
    # formats
    "format.points": "First to {target} points, by differences",
    "format.rounds.one": "One round of 2, 1 and 0",
    "format.rounds": "{rounds} rounds of 2, 1 and 0",
    "format.games": "{games} games of {rounds} rounds of 2, 1 and 0",
    "format.race": "First to {target}, 2, 1 and 0 a round",
    "format.twenties.one": "Twenties of one round",
    "format.twenties": "Twenties of {rounds} rounds",
    "format.series.one": "Total of one round",
    "format.series": "Total of {rounds} rounds",
    "tie.stands": "a tie stands",
    "tie.round": "level, a further round decides",
    "tie.twenties": "level, the twenties of the match decide",
    "tie.shoot_out": "level, a shoot-out of twenties decides",
    "format.tied": "{format}; {tie}",
}


def text(key: str, **values: object) -> Message:
    """The text of a key with its values."""
    return Message(ENGLISH[key], values)
