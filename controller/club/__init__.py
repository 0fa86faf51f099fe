"""A club: many tables, one evening, one screen. See docs/club.md and docs/club-protocol.md."""
