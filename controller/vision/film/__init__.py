"""The film of a shot: what moved over the board between two times of rest, and what touched what."""
