"""Films shots: what moved over the board between two readings, and what touched what."""
