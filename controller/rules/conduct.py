"""Rules of conduct: what each source forbids, in its own words.

No source names a penalty. A club can set one in its own rule set (`conduct = "foul"`): a shot during which the player
breaks such a rule is then played as a foul.

>>> from controller.rules import rule_set
>>> forbids(rule_set("family"))["moved_board"]
'Neither the board nor the seats of the players may be moved.'
"""

from collections.abc import Mapping
from typing import Literal, get_args

from controller.rules.choices import RuleSet

Conduct = Literal[
    "left_chair",
    "moved_chair",
    "moved_board",
    "touched_board",
    "other_hand",
    "early",
    "pushed",
    "guard",
    "floor",
    "distracted",
    "coached",
]
"""A breach of conduct. Its text is in `controller.rules.texts`, under `conduct.`"""
CONDUCTS: tuple[Conduct, ...] = get_args(Conduct)

FORBIDDEN: Mapping[str, Mapping[Conduct, str]] = {
    "club-100": {
        "left_chair": "Nor may they lift themselves out of their chair: one butt cheek must always touch it.",
        "moved_chair": "Players may not move their chairs.",
        "moved_board": "Once a game starts, the board may not be moved.",
        "touched_board": "No player may touch the board unless it's his turn to shoot.",
        "pushed": "He shoots the disc by flicking it; pushing it is not legal.",
    },
    "polish-tournament": {
        "left_chair": "Nie powinni wstawać; zasada jednego pośladka: one buttock stays on the seat during a shot.",
        "moved_chair": "Nie powinni przesuwać się na krześle: they should not move about on the chair.",
        "moved_board": "Nie mogą celowo przesuwać ani obracać planszy: not to be moved or turned on purpose.",
        "touched_board": "Przeciwnik w tym czasie nie może dotykać ani przesuwać planszy: the opponent keeps off it.",
        "other_hand": "Tylko zagrywająca ręka gracza może mieć styczność z planszą: the shooting hand alone.",
        "early": "Nie może położyć dysku na planszy, dopóki nie przyszła jego kolej: not before one's turn.",
        "guard": "Wszystkie zagrania muszą być wykonane za pomocą palca: with a finger.",
    },
    "definitive": {
        "left_chair": "At least one portion of their buttocks must be in contact with their chair.",
        "moved_chair": "The chair of any player may not be moved while the game is in progress.",
        "moved_board": "The board may not be moved while the game is in progress.",
        "other_hand": "A player can only contact the board with their shooting hand.",
        "early": "A biscuit cannot be placed on the board until it is your turn.",
        "floor": "While shooting, no part of the body but the feet may contact the floor.",
    },
    "family": {
        "moved_chair": "Neither the board nor the seats of the players may be moved.",
        "moved_board": "Neither the board nor the seats of the players may be moved.",
        "touched_board": "Keep fingers, hands, and discs off the board unless it is your turn to shoot.",
        "early": "Keep fingers, hands, and discs off the board unless it is your turn to shoot.",
    },
    "carrom-maker": {"left_chair": "Players must stay seated: one's behind must stay in contact with one's chair."},
    "nca": {
        "left_chair": "One cheek stays on the chair.",
        "moved_chair": "The chair stays put.",
        "moved_board": "The board stays put; it must not be shaken.",
        "touched_board": "Nobody else touches the board or the table during a shot.",
        "early": "No disc is placed before one's turn, while anything still moves.",
        "guard": "Finger, no guards.",
        "distracted": "No sudden noise or movement meant to distract whoever shoots.",
        "coached": "Singles: no coaching.",
    },
    "wcc": {
        "left_chair": "At least one portion of the posterior must be in contact with the chair.",
        "moved_chair": "The chair of any player may not be moved while the game is in progress; no tipping.",
        "moved_board": "The board may not be moved while the game is in progress.",
        "other_hand": "Only the shooting hand and its arm can come into contact with the board or table.",
        "early": "A shooting disc cannot be placed on the board until it is your turn.",
        "guard": "Only with a finger; no finger guards.",
        "floor": "No part of the body, except the feet, may touch the floor.",
    },
}
"""What each rule set's source forbids, in its words."""


def forbids(rules: RuleSet) -> Mapping[Conduct, str]:
    """What a rule set's source forbids, in its words. A club's own rule set has its base's rules, practice none."""
    return FORBIDDEN.get(rules.base or rules.id, {})
