"""The club's hub: tables' reports and the organiser's decisions, combined into the evening's tournament."""

from controller.club.hub.hub import Hub, PlanChanged
from controller.club.hub.message_intake import SILENT, Outgoing
from controller.club.hub.organiser_actions import Plan, add_entrants, check_table_name, parse_action, parse_players

__all__ = [
    "SILENT",
    "Hub",
    "Outgoing",
    "Plan",
    "PlanChanged",
    "add_entrants",
    "check_table_name",
    "parse_action",
    "parse_players",
]
