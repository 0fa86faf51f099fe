"""The referee as one model: what happened is weighed in nats, over the last boards, by one table of evidence."""
