"""The simulated table, composed: players who know the rules, devices wired as the real ones, and `simulate`."""
