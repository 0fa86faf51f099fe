"""A table that plays by itself: physics, players, a painted camera, a hole sensor, and faults on request."""
