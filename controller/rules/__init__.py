"""The rules of crokinole as a pure library: judge a shot, score a round, run a match, explain each decision.

It has no clock, log, input or output. This module exports its public names.

>>> match = Match.start("club-100", sides=(Side("A", "Black"), Side("B", "Natural")))
>>> match = match.play(Shot("A", "a1", (), {"a1": Placed(0.0, 84.0)}))
>>> match = match.play(Shot("B", "b1", (("b1", "a1"),), {"b1": Placed(30.0, 150.0), "a1": DITCH}))
>>> match.round.totals
{'A': 0, 'B': 10}
"""

from controller.rules.choices import CHOICES, RuleSet
from controller.rules.conduct import Conduct, forbids
from controller.rules.errors import (
    BadCorrection,
    BadFormat,
    BadMatch,
    BadRuleSet,
    ImpossibleShot,
    NotAllowedNow,
    OutOfTurn,
    RecordError,
    RulesError,
    UnknownRuleSet,
)
from controller.rules.explain import choice_title, choice_words, conduct_words, explain, format_words
from controller.rules.formats import TWENTY, Format
from controller.rules.geometry import Line, clearance, nearest_line, reach, zone
from controller.rules.judge import Judgement, PlayedAs, Removal, judge, short_of_fifteen
from controller.rules.match import Match, seats_of
from controller.rules.record import judge_document, judgement_of, read, read_format, write, written_format
from controller.rules.rounds import JudgedShot, Round, known_sum
from controller.rules.rule_sets import own_rule_set, practices, rule_set, rule_sets
from controller.rules.shots import DITCH, HOLE, Disc, Ditch, Hole, Placed, Position, Rest, Shot, zone_of
from controller.rules.terms import Side, Terms

__all__ = [
    "CHOICES",
    "DITCH",
    "HOLE",
    "TWENTY",
    "BadCorrection",
    "BadFormat",
    "BadMatch",
    "BadRuleSet",
    "Conduct",
    "Disc",
    "Ditch",
    "Format",
    "Hole",
    "ImpossibleShot",
    "JudgedShot",
    "Judgement",
    "Line",
    "Match",
    "NotAllowedNow",
    "OutOfTurn",
    "Placed",
    "PlayedAs",
    "Position",
    "RecordError",
    "Removal",
    "Rest",
    "Round",
    "RuleSet",
    "RulesError",
    "Shot",
    "Side",
    "Terms",
    "UnknownRuleSet",
    "choice_title",
    "choice_words",
    "clearance",
    "conduct_words",
    "explain",
    "forbids",
    "format_words",
    "judge",
    "judge_document",
    "judgement_of",
    "known_sum",
    "nearest_line",
    "own_rule_set",
    "practices",
    "reach",
    "read",
    "read_format",
    "rule_set",
    "rule_sets",
    "seats_of",
    "short_of_fifteen",
    "write",
    "written_format",
    "zone",
    "zone_of",
]
