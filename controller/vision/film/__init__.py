"""Films shots: what moved over the board from one rest to the next, and what touched what."""
