"""The table in its club: what it sends over MQTT, and the match that it is assigned. Without a club, nothing runs."""
