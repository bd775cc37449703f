"""The grammar of dates."""
