"""Setting a table up: camera, board, colours, sensor, lamps, PIN and name, from a page."""

from controller.setup.desk import SetUp, TableParts, new_pin
from controller.setup.wishes import WISHES

__all__ = ["WISHES", "SetUp", "TableParts", "new_pin"]
