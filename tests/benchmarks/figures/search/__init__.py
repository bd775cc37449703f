"""Measure searches, also those of others meanwhile, and the queries of alerts."""
