"""A club's broker: Mosquitto's files for a club, and the hub's own Mosquitto if there is no other."""
