"""The game: seeing, refereeing, ruling, the journal, and the service that joins them."""
