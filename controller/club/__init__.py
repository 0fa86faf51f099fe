"""A club: many tables, one evening. So far its tournaments: who plays whom, and who is where."""
