"""Bytes to and from the microcontroller in the 20 hole. Knows nothing of scoring."""
