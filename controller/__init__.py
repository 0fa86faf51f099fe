"""The game: seeing, refereeing, ruling, the journal, and the service that joins them."""

import hardware  # noqa: F401  # before OpenCV: it bounds how large a picture may be
