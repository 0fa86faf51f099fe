"""Setting a table up: camera, board, colours, sensor, lamps, PIN and name, from a page."""
