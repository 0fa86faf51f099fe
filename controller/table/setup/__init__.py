"""Setting a table up: camera, board, colours, sensor, lamps, PIN and name, from a page."""

from controller.table.setup.setup_commands import WISHES
from controller.table.setup.setup_service import SetUp, TableParts, new_pin

__all__ = ["WISHES", "SetUp", "TableParts", "new_pin"]
