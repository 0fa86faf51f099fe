"""The club's hub: what tables tell and what the organiser decides, brought together into the evening's tournament."""

from controller.club.hub.desk import Plan, action_of, check_table_name, entering, pasted
from controller.club.hub.hub import Hub, PlanChanged
from controller.club.hub.reception import SILENT, Outgoing

__all__ = ["SILENT", "Hub", "Outgoing", "Plan", "PlanChanged", "action_of", "check_table_name", "entering", "pasted"]
