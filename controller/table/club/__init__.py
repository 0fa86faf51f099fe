"""The table in its club: sends its events to the hub, and receives its assigned match. Without a club, nothing runs."""
