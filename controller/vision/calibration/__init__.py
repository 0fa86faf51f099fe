"""How this camera sees this board: found once, and followed when one of them moves."""
