"""Setting a table up: camera, board, colours, sensor, lamps, PIN and name, from a page."""

from controller.table.setup.setup_commands import SETUP_COMMANDS
from controller.table.setup.setup_service import Device, SetupService, TableParts, new_pin

__all__ = ["SETUP_COMMANDS", "Device", "SetupService", "TableParts", "new_pin"]
