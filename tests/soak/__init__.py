"""A hostile evening and the tenth year of a club, played on the real service: `make soak`. See docs/reliability.md."""
