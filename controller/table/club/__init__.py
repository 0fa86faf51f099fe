"""The table in its club: publishes over MQTT, and receives its assigned match. Without a club, nothing runs."""
