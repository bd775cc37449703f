"""The formats of round-ups: each package exposes one as `FORMAT`."""
