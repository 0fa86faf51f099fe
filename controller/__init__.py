"""The table's program: vision, referee, rules, journal, and the service that joins them."""

import hardware  # noqa: F401  # before OpenCV: it limits the size of pictures
